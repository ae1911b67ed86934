"""The board for people: whatever lies open can be read off it, and nothing else."""

import random

import pytest
from numba import config

from prico_env import Game, RuleSet
from prico_env.render import render_svg, render_text
from prico_env.vocabulary import BUILDINGS, EXPANSIONS, SPOTS, DecisionPoint, Phase
from tests.builders import ALICE, BOB, CLASSIC, EDITIONS, ENGLISH, GERMAN

MODULES = {CLASSIC: EXPANSIONS[:2], ENGLISH: EXPANSIONS, GERMAN: EXPANSIONS}


def mid_game(
    players: int, edition: str, decisions: int = 120, seed: int = 3, expansions: tuple = ()
) -> Game:
    """A game somewhere in the middle."""
    chance = random.Random(seed)
    game = Game(RuleSet(players=players, edition=edition, expansions=expansions), seed=seed)
    for _ in range(decisions):
        if game.over:
            break
        game.step(chance.choice(game.legal_actions()))
    return game


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_board_fits_a_terminal_and_shows_every_player(edition, players):
    text = render_text(mid_game(players, edition))
    lines = text.splitlines()
    assert max(map(len, lines)) <= 104
    word = "Spieler" if edition == GERMAN else "Player"
    assert all(f"{word} {seat} " in text for seat in range(players))
    assert lines == [line.rstrip() for line in lines]


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_finished_game_can_be_drawn(edition, players):
    game = mid_game(players, edition, decisions=2000)
    assert game.over
    assert render_text(game)
    assert render_svg(game)


def test_the_board_speaks_the_words_of_the_edition():
    assert "Recruiter" in render_text(Game(RuleSet(edition="1897-en")))
    assert "Krankenhaus" in render_text(Game(RuleSet(edition="1897-de")))
    assert "Mayor" in render_text(Game(RuleSet(edition="classic")))


def test_the_board_shows_what_everyone_has():
    game = Game.from_dict(
        {
            "rules": {"edition": "classic", "players": 3},
            "phase": "captain",
            "actor": BOB,
            "players": [
                {
                    "coins": 7,
                    "vp": 12,
                    "goods": {"corn": 3, "sugar": 1},
                    "island": {"corn": [3, 2], "quarry": [1, 1]},
                    "city": {"indigo_plant": 2, "harbor": 0},
                    "portrait": 1,
                },
                {"goods": {"corn": 1}},
            ],
            "ships": [{"size": 5, "good": "tobacco", "barrels": 3}],
            "house": ["coffee"],
        },
        check=False,
    )
    text = render_text(game, seat=ALICE)
    for words in (
        "7 doubloons · 12 VP · 3 corn  1 sugar · 1 colonist (San Juan)",
        "Corn ●●○   Quarry ●   4/12",
        "Indigo plant ●●○   Harbor ○   2/12",
        "[■■■··] tobacco",
        "Trading house 1 coffee ○○○",
        "Captain (P1)",
        "▶ Player 1",
        "Player 0 (governor, you)",
    ):
        assert words in text, words


def test_hidden_vp_are_a_question_mark_until_the_end():
    game = mid_game(3, CLASSIC)
    assert render_text(game).count("? VP") == 3
    assert render_text(game, seat=BOB).count("? VP") == 2
    assert "? VP" not in render_text(mid_game(3, CLASSIC, decisions=2000))


def test_the_order_of_the_deck_is_not_shown():
    game = mid_game(4, CLASSIC)
    shown = {render_text(game.determinize(ALICE, seed), ALICE) for seed in range(4)}
    assert len(shown) == 1
    drawings = {render_svg(game.determinize(ALICE, seed), ALICE) for seed in range(4)}
    assert len(drawings) == 1


def test_colours_add_nothing_but_escape_codes():
    game = mid_game(4, GERMAN)
    plain, coloured = render_text(game), render_text(game, colour=True)
    assert "\x1b[" not in plain
    assert "\x1b[" in coloured
    bare = "".join(
        part.partition("m")[2] if number else part
        for number, part in enumerate(coloured.split("\x1b["))
    )
    assert [line.rstrip() for line in bare.splitlines()] == plain.splitlines()


@pytest.mark.parametrize(
    ("field", "place", "value"),
    [
        ("coins", (0, 1), 9),
        ("vp", (0, 2), 17),
        ("goods", (0, 3, 2), 4),
        ("owned", (0, 0, 5), 2),
        ("owned", (0, 1, 6 + 18), 1),
        ("portrait_workers", (0, 2), 3),
        ("ship_load", (0, 1), 2),
        ("house", (0, 4), 1),
        ("row", (0, 0), 4),
        ("role_coins", (0, 2), 2),
        ("role_owner", (0, 3), 1),
        ("building_supply", (0, 22), 0),
        ("goods_supply", (0, 0), 1),
        ("worker_supply", (0,), 11),
        ("register_workers", (0,), 9),
        ("vp_pool", (0,), 33),
        ("quarries", (0,), 1),
        ("governor", (0,), 2),
        ("deck_size", (0,), 5),
        ("discard", (0, 1), 3),
        ("turn", (0,), 3),
        ("round", (0,), 12),
        ("end_reasons", (0,), 4),
    ],
)
def test_both_boards_change_with_everything_that_lies_open(field, place, value):
    game = Game(RuleSet(edition="1897-en"), seed=1)
    game.state["ship_good"][0, 1] = 3
    game.state["ship_load"][0, 1] = 1
    text, drawing = render_text(game), render_svg(game)
    game.state[field][place] = value
    assert render_text(game) != text
    assert render_svg(game) != drawing


def test_points_gained_after_the_last_chip_are_on_paper_and_no_board_shows_a_debt():
    game = Game(RuleSet(3, GERMAN), seed=1)
    game.state["vp"][0, :3], game.state["vp_pool"][0] = (30, 40, 30), -24
    in_words = (render_text(game), game.text())
    assert all(" 0 SP" in text for text in in_words)
    for shown in (*in_words, render_svg(game), render_svg(game, layout="tall")):
        assert "-24" not in shown
        assert "40" in shown


def test_workers_are_shown_on_their_circles():
    game = Game(RuleSet(edition="1897-en"), seed=1)
    text, drawing = render_text(game), render_svg(game)
    game.state["workers"][0, 0, 1] = 1
    assert render_text(game) != text
    assert render_svg(game) != drawing


# -- what expansions bring -------------------------------------------------------------------------


def full_game(edition: str = ENGLISH, players: int = 3) -> Game:
    """A game with every expansion of its edition, at its first choice of roles."""
    return Game(RuleSet(players, edition, MODULES[edition], board="random"), seed=2)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("decisions", [4, 90] if config.DISABLE_JIT else [4, 90, 2000])
def test_a_board_with_expansions_fits_too(edition, players, decisions):
    game = mid_game(players, edition, decisions, expansions=MODULES[edition])
    lines = render_text(game, ALICE).splitlines()
    assert max(map(len, lines)) <= 104
    assert lines == [line.rstrip() for line in lines]


@pytest.mark.parametrize(
    ("field", "place", "value"),
    [
        ("citizen_supply", (0,), 3),
        ("register_citizens", (0,), 2),
        ("citizens", (0, 1, 0), 1),
        ("citizens", (0, 1, SPOTS.index("villa")), 1),
        ("portrait_citizens", (0, 2), 2),
        ("owned", (0, 1, SPOTS.index("royal_garden")), 1),
        ("workers", (0, 1, SPOTS.index("guest_house")), 1),
        ("own_forests", (0, 0), 3),
        ("forest_kinds", (0, 0, 4), 1),
        ("building_supply", (0, BUILDINGS.index("jeweler")), 9),
        ("role_captor", (0, 5), 1),
        ("role_owner", (0, 8), 2),
        ("smuggler_tile", (0,), 2),
        ("festival_estate", (0,), -1),
        ("festival_goods", (0, 3), 3),
        ("festival_building", (0,), -1),
        ("hand_workers", (0,), 2),
        ("hand_citizens", (0,), 1),
    ],
)
@pytest.mark.parametrize("edition", [ENGLISH, GERMAN])
def test_both_boards_and_the_words_change_with_everything_that_expansions_lay_open(
    edition, field, place, value
):
    game = full_game(edition)
    game.state["owned"][0, 1, [SPOTS.index("villa"), SPOTS.index("guest_house")]] = 1
    game.state["owned"][0, 1, 0] = 2
    game.state["own_forests"][0, 0] = 2
    game.state["board"][0, BUILDINGS.index("jeweler")] = 1
    text, words, drawing = render_text(game), game.text(ALICE), render_svg(game)
    game.state[field][place] = value
    assert render_text(game) != text
    assert game.text(ALICE) != words
    assert render_svg(game) != drawing


def test_the_stack_of_forests_is_shown_where_there_is_one():
    game = full_game(CLASSIC)
    text, words, drawing = render_text(game), game.text(ALICE), render_svg(game)
    game.state["forests"] = 7
    assert "12 forests" in text
    assert "7 forests" in render_text(game)
    assert "12 forests" in words
    assert "7 forests" in game.text(ALICE)
    assert render_svg(game) != drawing
    assert "Wälder" not in render_text(full_game(GERMAN))


def test_workers_and_citizens_can_be_told_apart():
    game = full_game()
    game.state["owned"][0, 1, SPOTS.index("sugar_mill")] = 1
    game.state["workers"][0, 1, SPOTS.index("sugar_mill")] = 1
    game.state["citizens"][0, 1, SPOTS.index("sugar_mill")] = 1
    game.state["portrait_workers"][0, 1] = 2
    game.state["portrait_citizens"][0, 1] = 1
    assert "Large Sugar Mill ●◆○" in render_text(game)
    assert "  Portrait     2 workers, 1 citizen" in render_text(game)
    assert "Large Sugar Mill 2/3 (1 citizen)" in game.text(BOB)
    assert "Portrait: 2 workers, 1 citizen" in game.text(BOB)


@pytest.mark.parametrize(
    ("edition", "words"),
    [
        (ENGLISH, ("1 citizen", "Smuggler", "tile: nobody", "Festival")),
        (GERMAN, ("1 Bürger", "Schmuggler", "Plättchen: niemand", "Fest")),
        (CLASSIC, ("1 noble", "12 forests")),
    ],
)
def test_expansions_speak_the_words_of_the_edition(edition, words):
    text = render_text(full_game(edition))
    for word in words:
        assert word in text, word


def test_the_draft_shows_what_is_chosen_and_what_is_still_to_choose():
    game = Game(RuleSet(3, GERMAN, ("buildings",)), seed=1)
    game.step("board:cloister")
    text, words = render_text(game), game.text(BOB)
    assert "Wahl der Gebäude" in text
    assert "Zu wählen      1× Kosten 1   2× Kosten 2" in text
    assert "4× Kosten 10" in text
    assert "10: Kathedrale" in text
    assert "Gebäude im Spiel: Kathedrale\n" in words
    assert "zu wählen: 1× Kosten 1, 2× Kosten 2" in words


def test_what_is_captured_and_what_the_festival_asks_for_is_named():
    game = full_game()
    game.state["role_captor"][0, 4] = BOB
    game.state["smuggler_tile"] = BOB
    game.state["festival_estate"] = 1
    game.state["festival_goods"][0] = (2, 0, 1, 0, 0)
    game.state["festival_building"] = BUILDINGS.index("harbor")
    text, words = render_text(game), game.text(ALICE)
    assert "Trader (captured by P1)" in text
    assert "tile: player 1" in text
    assert "Estates Fruit · Goods 2 Corn, 1 Sugar · Harbor" in text
    assert "Trader (captured by player 1)" in words
    assert "smuggler tile: player 1" in words
    assert "festival: Estates Fruit; Goods 2 Corn, 1 Sugar; Harbor" in words


def test_faces_of_forests_are_named_to_who_knows_them():
    game = full_game()
    game.state["own_forests"][0, BOB] = 3
    game.state["forest_kinds"][0, BOB, :3] = 1
    game.state["forest_blind"][0, BOB, 2] = 1
    assert "Forest 3 (1 Corn, 1 Fruit; hidden: 1 Sugar)" in render_text(game, BOB)
    assert "Forest 3 (1 Corn, 1 Fruit; hidden: 1 Sugar)" in game.text(BOB)
    for text in (render_text(game), render_text(game, ALICE), game.text(ALICE)):
        assert "Forest 3 (1 Corn, 1 Fruit; 1 hidden)" in text


def test_a_tile_just_drawn_is_named_to_who_drew_it():
    game = full_game(CLASSIC)
    game.state["phase"], game.state["decision_point"] = Phase.SETTLER, DecisionPoint.USE_TILE
    game.state["turn"], game.state["drawn"] = BOB, 4
    assert "Drawn          coffee" in render_text(game, BOB)
    assert "Drawn          hidden" in render_text(game, ALICE)
    assert "drawn (player 1): coffee" in game.text(BOB)
    assert "drawn (player 1): hidden" in game.text(ALICE)


def test_colours_of_expansions_add_nothing_but_escape_codes():
    game = mid_game(4, GERMAN, expansions=EXPANSIONS)
    bare = "".join(
        part.partition("m")[2] if number else part
        for number, part in enumerate(render_text(game, colour=True).split("\x1b["))
    )
    assert [line.rstrip() for line in bare.splitlines()] == render_text(game).splitlines()
