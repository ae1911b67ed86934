"""The board as a drawing: everything is there, it can be read, and every action has its spot."""

import functools
import io
import itertools
import random
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image, ImageFont

import prico_env.render
from prico_env import Game, PricoError, RuleSet
from prico_env.actions import IDS, NAMES, block_of
from prico_env.render import anchor_of, render_png, render_rgb, render_svg, text_metrics
from prico_env.vocabulary import BUILDINGS, EXPANSIONS, GOODS, ROLES, SPOTS, DecisionPoint, Phase
from tests.builders import ALICE, BOB, CLASSIC, EDITIONS, ENGLISH, GERMAN

MODULES = {CLASSIC: EXPANSIONS[:2], ENGLISH: EXPANSIONS, GERMAN: EXPANSIONS}
LAYOUTS = ("wide", "tall")
FONTS = Path(prico_env.render.__file__).parent / "fonts"
EM = 2048
SMALLEST = 11
"""Letters smaller than this cannot be read on a phone, nor where they are pressed too tight."""
TIGHTEST = 0.74


def played(rules: RuleSet, decisions: int) -> Game:
    """A game after some random decisions, always the same."""
    return _played(rules, decisions).clone()


@functools.cache
def _played(rules: RuleSet, decisions: int) -> Game:
    chance, game = random.Random(3), Game(rules, seed=3)
    for _ in range(decisions):
        if game.over:
            break
        game.step(chance.choice(game.legal_actions()))
    return game


def full_rules(players: int, edition: str, board: str = "random") -> RuleSet:
    """Everything an edition has."""
    return RuleSet(players, edition, MODULES[edition], board=board)


def words_of(svg: str | ET.Element) -> list[str]:
    """What is written on a drawing, or on a part of it."""
    root = ET.fromstring(svg) if isinstance(svg, str) else svg
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def anchors_of(svg: str) -> set[str]:
    """The spots of a drawing."""
    return set(re.findall(r'data-anchor="([^"]+)"', svg))


def group_of(svg: str, place: str) -> str:
    """The shapes of one spot."""
    return next(
        ET.tostring(element, encoding="unicode")
        for element in ET.fromstring(svg).iter(f"{SVG}g")
        if element.get("data-anchor") == place
    )


SVG = "{http://www.w3.org/2000/svg}"
RING = f'stroke="{prico_env.render.colours.MARK}"'


# -- what is on it ---------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", LAYOUTS)
def test_everything_lies_on_the_board(layout, edition, players):
    game = played(RuleSet(players, edition), 120)
    svg = render_svg(game, layout=layout)
    words, places = words_of(svg), anchors_of(svg)
    state, player = game.state[0], "Spieler" if edition == GERMAN else "Player"
    for seat in range(players):
        assert f"{player} {seat}" in words
        assert {f"goods-{seat}-{good}" for good in GOODS} <= places
        owned = {f"city-{seat}-{name}" for name in BUILDINGS if state["owned"][seat][spot(name)]}
        assert owned == {place for place in places if place.startswith(f"city-{seat}-")}
    assert {f"role-{ROLES[role]}" for role in np.flatnonzero(state["role_owner"] > -2)} <= places
    assert {"house", "deck", "quarries", "ship-1", "ship-2", "workers", "register"} <= places
    assert {f"row-{good}" for good, count in zip(GOODS, state["row"], strict=True) if count} == {
        place for place in places if place.startswith("row-")
    }


def spot(name: str) -> int:
    """The number of a spot."""
    return SPOTS.index(name)


@pytest.mark.parametrize(
    ("edition", "expected"),
    [
        (ENGLISH, ("Recruiter", "Hospital", "Work Register", "Governor", "Fruit", "Score")),
        (GERMAN, ("Anwerber", "Kapelle", "Arbeitsregister", "Gouverneur", "Früchte", "Wertung")),
        (CLASSIC, ("Mayor", "Hospice", "Colonist ship", "Governor", "Indigo", "Nobles")),
    ],
)
def test_the_drawing_speaks_the_words_of_the_edition(edition, expected):
    rules = RuleSet(3, edition, MODULES[edition], board=STANDARD[edition])
    words = words_of(render_svg(Game(rules)))
    for word in expected:
        assert word in words, word


STANDARD = {ENGLISH: "random", GERMAN: "random", CLASSIC: "draft"}


def test_hidden_vp_and_scores_are_question_marks_until_the_end():
    game = played(RuleSet(3, CLASSIC), 120)
    assert words_of(render_svg(game)).count("?") == 6
    assert words_of(render_svg(game, BOB)).count("?") == 4
    assert str(game.scores()[BOB]) in words_of(render_svg(game, BOB))
    over = played(RuleSet(3, CLASSIC), 5000)
    words = words_of(render_svg(over))
    assert "?" not in words
    winner = over.ranking().index(1)
    assert f"Player {winner} has won" in words


def test_a_seat_sees_its_own_board_first():
    svg = render_svg(Game(RuleSet(4)), seat=2)
    order = re.findall(r">Player (\d)</text>", svg)
    assert order == ["2", "3", "0", "1"]
    assert words_of(svg).count("You") == 1


def test_who_acts_on_what_is_said_at_the_top():
    game = Game(RuleSet(4, ENGLISH), seed=1)
    game.step("role:builder")
    assert words_of(render_svg(game))[:2] == ["Build phase", "Player 0 to act"]
    assert "Build phase · Player 0 to act" in render_svg(game).split("</title>")[0]


def test_what_is_in_hand_is_drawn():
    game = Game(full_rules(3, CLASSIC))
    game.state["phase"], game.state["decision_point"] = Phase.SETTLER, DecisionPoint.USE_TILE
    game.state["turn"], game.state["drawn"] = BOB, 4
    assert "?" in group_of(render_svg(game, ALICE), "drawn")
    assert "?" not in group_of(render_svg(game, BOB), "drawn")
    game.state["decision_point"] = DecisionPoint.PLACE_UNITS
    game.state["hand_workers"] = 2
    assert "In hand" in words_of(render_svg(game))


def test_the_draft_shows_what_is_still_to_choose():
    game = Game(full_rules(4, GERMAN, board="draft"))
    before = group_of(render_svg(game), "shop-cloister")
    game.step("board:cloister")
    svg = render_svg(game)
    assert "Zu wählen" in words_of(svg)
    assert any("Kosten 10" in words for words in words_of(svg))
    assert "×0" in group_of(svg, "shop-cloister")
    assert "×0" not in before


# -- what happened last ----------------------------------------------------------------------------


def test_the_last_action_is_said_and_ringed():
    game = Game(RuleSet(4, ENGLISH), seed=1)
    assert 'stroke-width="3"' not in render_svg(game)
    for name, place in (("role:settler", "role-settler"), ("take:quarry", "island-0-quarry")):
        game.step(name)
        svg = render_svg(game)
        assert RING in group_of(svg, place), name
        assert svg.count(RING) == 2  # the spot, and beside the words
    assert "Last: Player 0 – Planter: take a quarry" in words_of(svg)


def test_what_does_not_keep_a_history_can_be_drawn_too():
    game = Game(RuleSet(3))
    shown = SimpleNamespace(rules=game.rules, state=game.state)
    words = words_of(render_svg(shown))
    assert "Player 0" in words
    assert "Score" not in words


# -- where actions belong --------------------------------------------------------------------------


def test_all_but_passes_and_gains_have_an_anchor():
    rules = full_rules(5, ENGLISH)
    for action, name in enumerate(NAMES):
        assert bool(anchor_of(rules, action, ALICE)) == (name not in ("pass", "gain")), name


def test_anchors_are_named_after_what_stands_there():
    rules = RuleSet()
    for name, place in {
        "take:corn": "row-corn", "take:quarry": "quarries", "forest": "forests", "draw": "deck",
        "build:hospice": "shop-hospice", "board:cloister": "shop-cloister",
        "recall:corn": "island-1-corn", "place:citizen:villa": "city-1-villa",
        "guest:quarry": "island-1-quarry", "privilege:corn": "supply-corn",
        "sell:corn": "goods-1-corn", "load:corn:3": "ship-3", "wharf:sugar": "goods-1-sugar",
        "pay:vp": "vp-1", "pay:sugar": "goods-1-sugar", "pay:worker:portrait": "portrait-1",
        "pay:citizen:hospice": "city-1-hospice", "deal:citizen": "citizens", "raid:1": "ship-1",
        "plunder": "house", "poach": "register", "capture:mayor": "role-mayor",
        "land:buy": "deck", "land:sell:forest": "island-1-forest", "lodge:corn": "island-1-corn",
        "hospice:taken": "island-1", "use:forest": "drawn", "villa": "city-1-villa",
    }.items():  # fmt: skip
        assert anchor_of(rules, IDS[name], BOB) == place, name


def test_the_hospice_finds_its_tile_in_a_game():
    game = Game(RuleSet())
    game.state["taken"], game.state["drawn"] = 5, 2
    assert anchor_of(game, IDS["hospice:taken"], ALICE) == "island-0-quarry"
    assert anchor_of(game, IDS["hospice:drawn"], ALICE) == "island-0-sugar"


@pytest.mark.parametrize(
    ("edition", "players", "seed"), [(ENGLISH, 5, 0), (GERMAN, 2, 1), (CLASSIC, 3, 2)]
)
def test_every_legal_action_has_its_anchor_on_the_board(edition, players, seed):
    chance = random.Random(seed)
    game = Game(full_rules(players, edition, board="draft"), seed=seed)
    while not game.over:
        places = anchors_of(render_svg(game, game.turn))
        for action in game.legal_actions():
            place = anchor_of(game, action, game.turn)
            if block_of(action).kind not in ("pass", "gain"):
                assert place in places, NAMES[action]
        for _ in range(3):  # every third position will do
            if not game.over:
                game.step(chance.choice(game.legal_actions()))


# -- whether it can be read ------------------------------------------------------------------------


@functools.cache
def font(bold: bool) -> ImageFont.FreeTypeFont:
    """The letters that come with the package."""
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return ImageFont.truetype(FONTS / name, EM, layout_engine=ImageFont.Layout.BASIC)


def extent(text: ET.Element) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of some words, measured with the font itself."""
    size = float(text.get("font-size", 12))
    wide = font(text.get("font-weight") == "bold").getlength(text.text or "") * size / EM
    pressed = float(text.get("textLength", wide))
    assert size >= SMALLEST, text.text
    assert pressed >= TIGHTEST * wide, text.text
    wide = pressed
    shift = {"start": 0, "middle": 0.5, "end": 1}[text.get("text-anchor", "start")]
    left, line = float(text.get("x")) - shift * wide, float(text.get("y"))
    return left, line - 0.73 * size, left + wide, line


def assert_words_fit(svg: str | ET.Element) -> None:
    """No words overlap others, and all stay within the frame they stand in."""
    root = ET.fromstring(svg) if isinstance(svg, str) else svg
    extents = [extent(text) for text in root.iter(f"{SVG}text")]
    for (one, first), (other, second) in itertools.combinations(
        zip(words_of(svg), extents, strict=True), 2
    ):
        apart = (
            first[2] <= second[0] or second[2] <= first[0]
            or first[3] <= second[1] or second[3] <= first[1]
        )  # fmt: skip
        assert apart, f"{one!r} runs into {other!r}"
    frames = []
    for rect in root.iter(f"{SVG}rect"):
        x, y, wide, high = (float(rect.get(name)) for name in ("x", "y", "width", "height"))
        if rect.get("fill") != "none":
            frames.append((wide * high, x, y, x + wide, y + high))
    frames.sort()
    for words, (left, top, right, bottom) in zip(words_of(svg), extents, strict=True):
        middle, line = (left + right) / 2, (top + bottom) / 2
        _, x, y, end, low = next(
            frame
            for frame in frames
            if frame[1] <= middle <= frame[3] and frame[2] <= line <= frame[4]
        )
        assert x - 1 <= left, words
        assert right <= end + 1, words
        assert y - 1 <= top, words
        assert bottom <= low + 1, words


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("edition", EDITIONS)
def test_no_words_run_into_others_or_out_of_their_frame(edition, layout):
    for players, decisions, seat in ((2, 250, ALICE), (3, 4, None), (5, 600, BOB)):
        game = played(full_rules(players, edition, board="draft"), decisions)
        game.state["coins"][0, 0], game.state["goods"][0, 1, 3] = 47, 11
        game.state["end_reasons"] = 1
        assert_words_fit(render_svg(game, seat, layout=layout))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_city_full_of_large_buildings_fits(layout):
    city = dict.fromkeys(("small_market", "residence", "fortress", "city_hall", "guild_hall"), 1)
    position = {"players": [{"city": {**city, "customs_house": 0, "office": 1}}]}
    assert_words_fit(render_svg(Game.from_dict(position, check=False), layout=layout))


def test_widths_are_those_of_the_letters_that_come_with_the_package():
    for bold in (False, True):
        for letter in map(chr, (*range(0x20, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100))):
            expected = font(bold).getlength(letter)
            assert text_metrics.Font(EM, bold).width(letter) == pytest.approx(expected), letter


def test_every_letter_that_editions_print_is_in_the_font():
    written = {
        letter
        for edition in EDITIONS
        for words in words_of(render_svg(Game(full_rules(5, edition, board="draft"))))
        for letter in words
    }
    small = ImageFont.truetype(FONTS / text_metrics.FONT_FILES[False], 40)
    missing = bytes(small.getmask("\uffff"))
    for letter in written - {" "}:
        assert bytes(small.getmask(letter)) != missing, letter


# -- as a file -------------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_drawing_stands_alone_and_can_stand_beside_others(layout):
    svg = render_svg(played(full_rules(5, GERMAN), 400), layout=layout)
    root = ET.fromstring(svg)
    assert root.get("role") == "img"
    assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
    allowed = {"title", "desc", "g", "rect", "circle", "path", "text"}
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= allowed | {"svg"}
    assert not re.search(r" (id|class|style|href)=|url\(", svg)
    assert len(svg) < 90_000


def test_the_same_position_is_drawn_the_same():
    game = played(RuleSet(4), 150)
    assert render_svg(game) == render_svg(Game.from_record(game.to_record()))


def test_a_base_game_stays_small():
    assert len(render_svg(Game(RuleSet(4)))) < 45_000


def test_pixels_are_not_blank_and_always_the_same():
    game = played(RuleSet(2), 100)
    pixels = render_rgb(game)
    assert pixels.dtype == np.uint8
    assert len(set(map(bytes, pixels[::5, ::5].reshape(-1, 3)))) > 50
    assert np.array_equal(pixels, render_rgb(game))


def test_all_positions_of_a_rule_set_have_pictures_of_one_size():
    rules = full_rules(4, ENGLISH, board="draft")
    assert {render_rgb(played(rules, decisions)).shape for decisions in (0, 300)} == {
        (1080, 1280, 3)
    }
    for players, height in ((2, 580), (5, 860)):
        assert render_rgb(Game(RuleSet(players))).shape == (height, 1280, 3)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_base_game_has_room_in_its_picture(edition, players):
    box = re.search(r'viewBox="0 0 1280 (\d+)"', render_svg(played(RuleSet(players, edition), 300)))
    assert int(box[1]) <= {2: 580, 5: 860}.get(players, 820)


def test_letters_reach_the_pixels():
    """Without the fonts that come with the package there would be none."""
    one, other = Game(RuleSet(3)), Game(RuleSet(3))
    other.state["worker_supply"] -= 7
    assert not np.array_equal(render_rgb(one), render_rgb(other))


def test_a_picture_is_as_wide_as_asked_for():
    with Image.open(io.BytesIO(render_png(Game(), layout="tall", width=210))) as picture:
        assert picture.format == "PNG"
        assert picture.width == 210


def test_what_cannot_be_drawn_is_said():
    game = Game(RuleSet(3))
    with pytest.raises(PricoError, match=r"no layout 'narrow'.*wide, tall, desk and tablet"):
        render_svg(game, layout="narrow")
    with pytest.raises(PricoError, match="no seat 3; seats run from 0 to 2"):
        render_svg(game, 3)
    with pytest.raises(PricoError, match="1 to 8192 pixels wide, not 0"):
        render_png(game, width=0)
