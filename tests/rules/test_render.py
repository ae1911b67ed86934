"""The board for people: whatever lies open can be read off it, and nothing else."""

import random

import numpy as np
import pytest

from prico_env import Game, RuleSet
from prico_env.render import render_rgb, render_text
from tests.builders import ALICE, BOB, CLASSIC, EDITIONS, GERMAN


def mid_game(players: int, edition: str, decisions: int = 120, seed: int = 3) -> Game:
    """A game somewhere in the middle."""
    chance = random.Random(seed)
    game = Game(RuleSet(players=players, edition=edition), seed=seed)
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
    assert render_rgb(game).dtype == np.uint8


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
                }
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
    pictures = {render_rgb(game.determinize(ALICE, seed), ALICE).tobytes() for seed in range(4)}
    assert len(pictures) == 1


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


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_picture_has_room_for_every_player(edition, players):
    picture = render_rgb(mid_game(players, edition))
    assert picture.dtype == np.uint8
    assert picture.shape == (196 + 104 * players, 760, 3)


@pytest.mark.parametrize(
    ("field", "place", "value"),
    [
        ("coins", (0, 1), 9),
        ("vp", (0, 2), 17),
        ("goods", (0, 3, 2), 4),
        ("tiles", (0, 0, 5), 2),
        ("tiles", (0, 1, 6 + 18), 1),
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
    text, picture = render_text(game), render_rgb(game)
    game.state[field][place] = value
    assert render_text(game) != text
    assert not np.array_equal(render_rgb(game), picture)


def test_workers_are_shown_on_their_circles():
    game = Game(RuleSet(edition="1897-en"), seed=1)
    text, picture = render_text(game), render_rgb(game)
    game.state["workers"][0, 0, 1] = 1
    assert render_text(game) != text
    assert not np.array_equal(render_rgb(game), picture)


def test_a_city_full_of_large_buildings_fits():
    city = dict.fromkeys(("small_market", "residence", "fortress", "city_hall", "guild_hall"), 1)
    position = {"players": [{"city": {**city, "customs_house": 0, "office": 1}}]}
    assert render_rgb(Game.from_dict(position, check=False)).any()
