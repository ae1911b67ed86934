"""What may be asked for in a rule set: whatever does not go says why, and what would.

Each function takes what somebody asked for and returns it as a rule set holds it.
"""

import itertools
import typing
from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeGuard

import numpy as np

from prico_env import catalog
from prico_env.catalog.draft import candidates, drafts_citizens, priced_buildings, slots
from prico_env.catalog.model import (
    MIN_PLAYERS,
    PLAYER_COUNTS,
    Building,
    Edition,
    Pairs,
    Setup,
    Value,
)
from prico_env.catalog.options import SWITCHES
from prico_env.core.rules import MAX_PAIRS
from prico_env.errors import RuleSetError, did_you_mean, quoted
from prico_env.vocabulary import BUILDINGS, EXPANSIONS, Good

STANDARD_BOARD: Final = "standard"
"""The commercial buildings for sale are those of the base game."""
DRAFT_BOARD: Final = "draft"
"""The players choose the commercial buildings of a game with the new buildings."""
RANDOM_BOARD: Final = "random"
"""The game's generator chooses them."""

FESTIVAL_NAMED: Final = ("factory", "university", "harbor", "wharf")
"""What the festival may ask for in the English base game (R-FES-4)."""


def checked_edition(edition: object) -> Edition:
    """Return the edition of this name."""
    known = catalog.names()
    if not isinstance(edition, str) or edition not in known:
        raise RuleSetError(
            f"no edition is called {quoted(edition)}; the editions are {', '.join(known)}"
            f"{did_you_mean(edition, known)}"
        )
    return catalog.load(edition)


def checked_players(players: object) -> int:
    """Return a number of players that can play."""
    players = _plain(players)
    if type(players) is not int or players not in PLAYER_COUNTS:
        raise RuleSetError(
            f"players={quoted(players)} is not a number of players; choose 2, 3, 4 or 5"
        )
    return players


def expansion_names(expansions: object) -> tuple[str, ...]:
    """Return what is given as a list of expansions, whatever it holds."""
    if not _is_list(expansions):
        raise RuleSetError(
            f"expansions={quoted(expansions)} is not a list of expansions; give a list "
            "such as ['buildings'], or leave it out"
        )
    return tuple(expansions)


def checked_expansions(expansions: object, box: Edition) -> tuple[str, ...]:
    """Return the expansions in play, in one fixed order."""
    asked = expansion_names(expansions)
    for name in asked:
        if not isinstance(name, str) or name not in EXPANSIONS:
            raise RuleSetError(
                f"no expansion is called {quoted(name)}; the expansions are {', '.join(EXPANSIONS)}"
                f"{did_you_mean(name, EXPANSIONS)}"
            )
    strange = [name for name in EXPANSIONS if name in asked and name not in box.expansions]
    if strange:
        editions = [key for key in catalog.names() if set(strange) <= set(_has(key))]
        verb = "does" if len(strange) == 1 else "do"
        raise RuleSetError(
            f"{listed(strange)} {verb} not exist in {box.key}; leave that out, or choose the "
            f"edition {listed(editions, 'or')}"
        )
    modules = tuple(name for name in EXPANSIONS if name in asked)
    return modules


def _is_list(value: object) -> TypeGuard[Iterable[Any]]:
    """Whether a value is items in some order; an array without axes only says that it has any."""
    is_other = isinstance(value, str | bytes | Mapping) or getattr(value, "shape", None) == ()
    return isinstance(value, Iterable) and not is_other


def default_board(modules: tuple[str, ...]) -> str:
    """Without new buildings there is nothing to choose; with them the players choose (R-X1-4)."""
    return DRAFT_BOARD if "buildings" in modules else STANDARD_BOARD


def checked_board(
    board: object, box: Edition, modules: tuple[str, ...], values: Mapping[str, Value]
) -> str | tuple[str, ...]:
    """Return how the board is chosen, or the types on it in the order of their numbers."""
    if isinstance(board, str) and board == STANDARD_BOARD:
        return default_board(modules)
    names = tuple(board) if _is_list(board) else None
    if "buildings" not in modules:
        raise RuleSetError(
            f"board={quoted(board if names is None else names)} chooses among the buildings of the "
            "expansion 'buildings', which is not in this rule set; leave the board out (it is "
            f"{STANDARD_BOARD!r})"
        )
    if names is not None:
        return _checked_types(names, box, modules, values)
    if not isinstance(board, str) or board not in (DRAFT_BOARD, RANDOM_BOARD):
        raise RuleSetError(
            f"board={quoted(board)} does not go; choose {DRAFT_BOARD!r}, {RANDOM_BOARD!r} or a "
            f"list of building ids{did_you_mean(board, (DRAFT_BOARD, RANDOM_BOARD))}"
        )
    return board


def _checked_types(
    names: Iterable[object], box: Edition, modules: tuple[str, ...], values: Mapping[str, Value]
) -> tuple[str, ...]:
    """Return the types of a board that is given as a list, if a draft could choose them."""
    extra = drafts_citizens(modules, values)
    by_cost = candidates(priced_buildings(box, values), extra)
    among = [building.id for types in by_cost.values() for building in types]
    chosen: set[str] = set()
    for name in names:
        if not isinstance(name, str) or name not in BUILDINGS:
            guess = did_you_mean(name, among) or f"; a draft chooses among {', '.join(among)}"
            raise RuleSetError(f"board: no building is called {quoted(name)}{guess}")
        if name not in among:
            raise RuleSetError(
                f"board: nobody chooses {name!r}: {_why_not_drafted(box.building(name), modules)}; "
                "leave it out"
            )
        if name in chosen:
            raise RuleSetError(
                f"board: {name!r} is there twice, and each type is chosen once; the game has "
                "every copy of it anyway"
            )
        chosen.add(name)
    _check_slots(chosen, by_cost, slots(extra))
    return tuple(name for name in BUILDINGS if name in chosen)


def _why_not_drafted(building: Building, modules: tuple[str, ...]) -> str:
    if building.module == "base":
        return "production buildings are always in the game"
    if building.module in modules:
        return "with x2_with_x1_setup='add_all_8' it is in the game anyway"
    return f"it belongs to the expansion {building.module!r}, which is not in this rule set"


def _check_slots(
    chosen: set[str],
    by_cost: Mapping[int, tuple[Building, ...]],
    wanted: Mapping[int, int],
) -> None:
    """As many types of each cost as the board has room for (R-X1-3, R-X2-10)."""
    wrong = [
        cost
        for cost, types in by_cost.items()
        if sum(building.id in chosen for building in types) != wanted[cost]
    ]
    if not wrong:
        return
    cost, *more = wrong
    there = [building.id for building in by_cost[cost]]
    have = [name for name in there if name in chosen]
    shown = f"{len(have)} ({', '.join(have)})" if have else "0"
    verb = "does" if len(more) == 1 else "do"
    others = f"; cost {listed(map(str, more))} {verb} not fit either" if more else ""
    raise RuleSetError(
        f"board: of the buildings that cost {cost} it has {shown}, and a draft chooses "
        f"{wanted[cost]} of {', '.join(there)}{others}"
    )


def checked_switch(
    name: str,
    given: object,
    box: Edition,
    players: int,
    modules: tuple[str, ...],
    defaults: Mapping[str, Value],
) -> Value:
    """Return what a switch is set to, or None if the edition knows nothing of it."""
    value: Value = _plain(given)
    if name not in SWITCHES:
        known = ("players", "edition", "expansions", "board", *SWITCHES)
        guess = did_you_mean(name, known) or f"; the switches are {', '.join(SWITCHES)}"
        raise RuleSetError(f"no switch is called {quoted(name)}{guess}")
    switch = SWITCHES[name]
    if switch.holds_pairs:
        value = _as_pairs(value)
    strange = [module for module in switch.needs if module not in box.expansions]
    if strange and value is not None:
        raise RuleSetError(
            f"{name}={quoted(value)} is about the {listed(strange)}, which does not exist in "
            f"{box.key}; leave it out"
        )
    if strange:
        return None
    if not switch.accepts(value):
        guess = did_you_mean(value, [one for one in switch.values if isinstance(one, str)])
        raise RuleSetError(f"{name}={quoted(value)} does not go; choose {switch.choices}{guess}")
    missing = [module for module in switch.needs if module not in modules]
    if missing and value != defaults[name]:
        raise RuleSetError(
            f"{name}={quoted(value)} changes nothing without the expansion {listed(missing)}, "
            f"which is not in this rule set; leave it out (it is {defaults[name]!r})"
        )
    if name == "two_player_setup":
        _check_two_player_setup(value, box, players, defaults)
    return value


def _as_pairs(value: Any) -> Value:
    """Return lists of lists, as YAML and JSON have them, as tuples in one order; else what it was.

    The order is that of the buildings' numbers, so that rule sets which say the same are the same.
    """
    if not isinstance(value, list | tuple) or not all(
        isinstance(pair, list | tuple) and all(isinstance(name, str) for name in pair)
        for pair in value
    ):
        return typing.cast(Value, value)
    pairs = {tuple(sorted(pair, key=_number_or_last)) for pair in value}
    return tuple(sorted(pairs, key=lambda pair: [_number_or_last(name) for name in pair])) or None


def _number_or_last(name: str) -> int:
    return BUILDINGS.index(name) if name in BUILDINGS else len(BUILDINGS)


def _check_two_player_setup(
    value: Value, box: Edition, players: int, defaults: Mapping[str, Value]
) -> None:
    """Two-player rules are those of 1897: own ones there, borrowed ones elsewhere (Q-02)."""
    if players != MIN_PLAYERS:
        raise RuleSetError(
            f"two_player_setup={quoted(value)} is about the game with 2 players, and this one has "
            f"{players}; leave it out, or set players=2"
        )
    right = defaults["two_player_setup"]
    if value != right:
        why = "has no two-player rules of its own" if right == "borrowed" else "has its own rules"
        raise RuleSetError(
            f"two_player_setup={quoted(value)} does not go: {box.key} {why}; choose {right!r}, or "
            "leave it out"
        )


def check_figures(values: Mapping[str, Value], setup: Setup, players: int) -> None:
    """Refuse figures that the starting coins contradict."""
    penalty, coins = (
        typing.cast(int, values[name] or 0) for name in ("corn_start_penalty", "coin_total_value")
    )
    if penalty > setup.coins:
        raise RuleSetError(
            f"corn_start_penalty={penalty} takes more than the {setup.coins} starting coins of "
            f"{players} players; choose 0 to {setup.coins}"
        )
    dealt = setup.coins * players - penalty * setup.starting_tiles.count(Good.CORN)
    if coins < dealt:
        raise RuleSetError(
            f"coin_total_value={coins} does not cover the {dealt} starting coins of {players} "
            f"players; choose {dealt} or more"
        )


def check_agreement(
    values: Mapping[str, Value],
    box: Edition,
    players: int,
    modules: tuple[str, ...],
    board: str | tuple[str, ...],
    defaults: Mapping[str, Value],
) -> None:
    """Refuse switches that leave each other nothing to do."""
    if values["exclusive_buildings"]:
        _check_pairs(values, box, modules, board)
    if "citizens" in modules:
        _check_villa(values)
        if "buildings" in modules:
            _check_forests(values)
    if "festival" in modules:
        _check_festival(values, players, board, defaults)


def _check_pairs(
    values: Mapping[str, Value],
    box: Edition,
    modules: tuple[str, ...],
    board: str | tuple[str, ...],
) -> None:
    """Refuse pairs that nobody chooses among, a board breaks or none satisfies (R-X1-9)."""
    pairs = typing.cast(Pairs, values["exclusive_buildings"])
    given = f"exclusive_buildings={[list(pair) for pair in pairs]!r}"
    extra = drafts_citizens(modules, values)
    by_cost = candidates(priced_buildings(box, values), extra)
    among = [building.id for types in by_cost.values() for building in types]
    for name in (name for pair in pairs for name in pair):
        if name not in BUILDINGS:
            raise RuleSetError(
                f"{given}: no building is called {quoted(name)}{did_you_mean(name, among)}"
            )
        if name not in among:
            why = _why_not_drafted(box.building(name), modules)
            raise RuleSetError(f"{given}: nobody chooses {name!r}: {why}; leave the pair out")
    if len(pairs) > MAX_PAIRS:
        raise RuleSetError(f"{given} holds {len(pairs)} pairs; {MAX_PAIRS} at most go")
    both = [pair for pair in pairs if isinstance(board, tuple) and set(pair) <= set(board)]
    if both:
        raise RuleSetError(
            f"{given}: the board has both {both[0][0]!r} and {both[0][1]!r}; leave one of them, or "
            "the pair, out"
        )
    for gone in itertools.product(*pairs):
        if all(
            sum(building.id not in gone for building in types) >= slots(extra)[cost]
            for cost, types in by_cost.items()
        ):
            return
    raise RuleSetError(
        f"{given}: with one of each pair left out, too few types are left for a board, which has "
        "a fixed number of each cost (R-X1-3); leave a pair out"
    )


def _check_villa(values: Mapping[str, Value]) -> None:
    """As the phase starts nothing has been dealt that a citizen could replace (R-VIL-1)."""
    mode = values["villa_mode"]
    if mode != "extra" and values["villa_timing"] == "phase_start":
        raise RuleSetError(
            f"villa_mode={mode!r} needs a turn whose unit the citizen replaces, and "
            "villa_timing='phase_start' comes before all turns; choose villa_timing='first_turn', "
            "or villa_mode='extra'"
        )


def _check_forests(values: Mapping[str, Value]) -> None:
    """The land office takes forests from where the forest house does (R-FOH-1, R-LND-6)."""
    source, buys = values["forest_source"], values["land_office_forest_buy"]
    if source == "facedown_estate" and buys == "take_from_forest_stack":
        raise RuleSetError(
            f"land_office_forest_buy={buys!r} needs a stack of forests, and with "
            f"forest_source={source!r} there is none; choose "
            "land_office_forest_buy='flip_bought_tile', or forest_source='own_stack_12'"
        )
    if source == "own_stack_12" and buys == "flip_bought_tile":
        raise RuleSetError(
            f"land_office_forest_buy={buys!r} lays plantations face down, and with "
            f"forest_source={source!r} forests are tiles of their own; choose "
            "land_office_forest_buy='take_from_forest_stack', or forest_source='facedown_estate'"
        )


def _check_festival(
    values: Mapping[str, Value],
    players: int,
    board: str | tuple[str, ...],
    defaults: Mapping[str, Value],
) -> None:
    """The festival asks for a building that is for sale (R-FES-4), refilled for two (R-FES-6)."""
    pool, refill = values["festival_building_pool"], values["festival_two_player_refill"]
    if pool == "four_named" and isinstance(board, tuple) and not set(FESTIVAL_NAMED) & set(board):
        raise RuleSetError(
            f"festival_building_pool={pool!r} asks for the {listed(FESTIVAL_NAMED, 'or')}, and "
            "the board has none of them; put one on the board, or choose 'all_vp3'"
        )
    if players != MIN_PLAYERS and refill != defaults["festival_two_player_refill"]:
        raise RuleSetError(
            f"festival_two_player_refill={refill!r} is about the game with 2 players, and this "
            f"one has {players}; leave it out, or set players=2"
        )


def _has(edition: str) -> tuple[str, ...]:
    return catalog.load(edition).expansions


def listed(words: Iterable[str], joint: str = "and") -> str:
    """Return words as a list in a sentence."""
    *first, last = words
    return f"{', '.join(first)} {joint} {last}" if first else last


def _plain(value: Any) -> Any:
    """Take a NumPy number for what it says."""
    is_number = isinstance(value, np.generic) or (isinstance(value, np.ndarray) and not value.shape)
    return value.item() if is_number else value
