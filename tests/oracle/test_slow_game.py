"""The slow game by itself: it ends, and no piece is lost on the way."""

import random
from itertools import combinations

import pytest

from tests.oracle.boards import RandomChance, busy_table, set_up
from tests.oracle.box import (
    ALL_WORKERS,
    CITIZENS,
    COIN_TOTALS,
    FOREST_TILES,
    GOODS,
    SETUPS,
    draft_slots,
    has,
)
from tests.oracle.position import forests, has_forest_stack, num_citizens, num_units
from tests.oracle.slow_game import SlowGame

EXPANSIONS = ("buildings", "citizens", "smuggler", "festival")
MODULES = [
    (edition, modules)
    for edition in ("classic", "1897-en", "1897-de")
    for size in range(5)
    for modules in combinations(EXPANSIONS, size)
    if edition != "classic" or not {"smuggler", "festival"} & set(modules)
]
GAMES = [(2 + number % 4, *modules) for number, modules in enumerate(MODULES)]
"""Each choice of modules once, the number of players in turn."""


def pieces(position, hand):
    """Every conserved quantity (I-01..I-09), one number each."""
    players = position["players"]
    festival = position.get("festival") or {"estate": None, "goods": None, "building": None}
    counts = {"vp": position["vp"] + sum(player["vp"] for player in players)}
    citizens = sum(map(num_citizens, players))
    counts["citizens"] = sum(position.get("citizens", {}).values()) + citizens + hand["citizen"]
    units = sum(map(num_units, players)) - citizens
    counts["workers"] = sum(position["workers"].values()) + units + hand["worker"]
    counts["coins"] = (
        position["bank"]
        + sum(player["coins"] for player in players)
        + sum(card["coins"] for card in position["roles"].values())
    )
    counts["forests"] = position.get("forests", 0) + sum(map(forests, players))
    if not has_forest_stack(position["rules"]):
        printed = sum(sum(player.get("forest_kinds", {}).values()) for player in players)
        counts["forests"] -= printed
    for good in GOODS:
        on_ships = sum(ship["barrels"] for ship in position["ships"] if ship["good"] == good)
        counts[good] = (
            position["goods"][good]
            + on_ships
            + position["house"].count(good)
            + (festival["goods"] or []).count(good)
            + sum(player["goods"][good] for player in players)
        )
        counts[f"{good} tiles"] = (
            position["row"][good]
            + position["deck"].count(good)
            + position["discard"][good]
            + (festival["estate"] == good)
            + sum(player["island"][good][0] for player in players)
            + sum(player.get("forest_kinds", {good: 0})[good] for player in players)
        )
    for name, supply in position["buildings"].items():
        owned = sum(name in player["city"] for player in players)
        counts[name] = supply + owned + (festival["building"] == name)
    return counts


def in_flight(game):
    """A tile that is drawn and not yet placed is nowhere; that moment is not counted."""
    return game.ask is not None and "use:plantation" in game.ask.options


@pytest.mark.parametrize(("num_players", "edition", "modules"), GAMES)
def test_a_slow_game_ends_and_loses_no_piece(num_players, edition, modules):
    """I-01..I-09, R-END."""
    chance = random.Random(num_players)
    game = SlowGame(set_up(num_players, edition, chance, modules), RandomChance(chance))
    setup, box = SETUPS[num_players], pieces(game.position, game.hand)
    assert box["vp"] == setup.vp[edition]
    assert box["coins"] == COIN_TOTALS[edition]
    assert box["workers"] == ALL_WORKERS if "citizens" in modules else setup.workers + num_players
    assert box["citizens"] == (CITIZENS if "citizens" in modules else 0)
    assert box["forests"] == (FOREST_TILES if has_forest_stack(game.rules) else 0)
    while not game.over:
        allowed = sorted(game.ask.options or game.ask.outcomes)
        game.choose(chance.choice(allowed))
        assert in_flight(game) or pieces(game.position, game.hand) == box
    assert game.position["end_triggered"] or game.truncated


@pytest.mark.parametrize("edition", ["classic", "1897-en", "1897-de"])
@pytest.mark.parametrize("modules", [("buildings",), ("buildings", "citizens")])
def test_a_slow_draft_fills_every_slot(edition, modules):
    """R-X1-3..7, R-X2-10."""
    for num_players in (2, 5):
        chance = random.Random(num_players)
        position = set_up(num_players, edition, chance, modules, drafts=True)
        game = SlowGame(position, RandomChance(chance))
        picks = 0
        while game.phase == "draft":
            assert game.ask.seat == picks % num_players
            game.choose(chance.choice(sorted(game.ask.options)))
            picks += 1
        drafted = sum(draft_slots(game.rules).values())
        assert len(game.position["board"]) == drafted
        assert drafted - 1 <= picks <= drafted
        assert drafted == (25 if edition == "1897-en" and "citizens" in modules else 17)
        if num_players > 2 and not has(game.rules, "citizens"):
            assert sum(game.position["buildings"].values()) == 20 + 29


@pytest.mark.parametrize(("num_players", "edition", "modules"), GAMES)
def test_a_busy_table_holds_every_piece_of_the_box(num_players, edition, modules):
    """I-01..I-09 for the boards that the comparison starts from."""
    nobody = {"worker": 0, "citizen": 0}
    for seed in range(4):
        chance = random.Random(seed)
        busy = busy_table(num_players, edition, chance, modules)
        assert busy["vp"] > 0
        fresh = set_up(num_players, edition, random.Random(seed), modules)
        expected, found = pieces(fresh, nobody), pieces(busy, nobody)
        moved = {name for name in expected if expected[name] != found[name]}
        assert not moved
