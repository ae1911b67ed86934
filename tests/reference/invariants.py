"""What must hold in every record (I-01 to I-33), asked of one game or of a whole batch at once.

`broken_invariants` looks at records by themselves; a `Watch` follows games from step to step and
checks what the rules promise about moments and phases. Every check answers with one truth value
for each game.
"""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from prico_env.vocabulary import (
    BASE_BUILDINGS,
    HOUSE_SLOTS,
    NUM_GOODS,
    NUM_SHIPS,
    NUM_TILES,
    QUARRY,
    Outcome,
    Phase,
    Point,
    Power,
    Role,
)

Rows = Any
"""Records of the rules table, one for each game, shape ``(num_games,)``."""
States = Any
"""Records of games, shape ``(num_games,)``."""

MAX_SPACES: Final = 12
MAX_PHASE_STEPS: Final = 2_000
FIRST_BUILDING: Final = NUM_TILES


def broken_invariants(table: np.ndarray, states: np.ndarray) -> list[str]:
    """Name every invariant that does not hold, with the games in which it does not.

    Args:
        table: Rules table that the records point into, as `RuleSet.table`.
        states: Records of games, shape ``(num_games,)``.
    """
    rules = table[states["rules"]]
    return _complaints(CHECKS, rules, states)


def _complaints(checks: tuple, *records: np.ndarray) -> list[str]:
    complaints = []
    for check in checks:
        games = np.flatnonzero(~np.asarray(check(*records)))
        if games.size:
            complaints.append(f"{check.__doc__} Broken in games {games.tolist()[:5]}.")
    return complaints


def _by_good(states: States, kinds: str, counts: str) -> np.ndarray:
    """Barrels on the ships by kind, shape ``(num_games, num_goods)``."""
    same = states[kinds][:, :, None] == np.arange(NUM_GOODS)
    return (same * states[counts][:, :, None]).sum(axis=1)


def _seats_in_play(rules: Rows, states: States) -> np.ndarray:
    return np.arange(states["coins"].shape[1]) < rules["num_players"][:, None]


# -- conservation (F.1) ----------------------------------------------------------------------------


def goods_are_conserved(rules: Rows, states: States) -> np.ndarray:
    """I-01: barrels of each kind."""
    total = (
        states["goods_supply"].astype(int)
        + states["goods"].sum(axis=1)
        + _by_good(states, "ship_good", "ship_load")
        + states["house"]
        + states["festival_goods"]
    )
    return (total == rules["goods"]).all(axis=1)


def workers_are_conserved(rules: Rows, states: States) -> np.ndarray:
    """I-02: workers."""
    total = (
        states["worker_supply"].astype(int)
        + states["register_workers"]
        + states["portrait_workers"].sum(axis=1)
        + states["workers"].sum(axis=(1, 2))
    )
    return total == rules["worker_supply"].astype(int) + rules["register_workers"]


def citizens_stay_in_the_box(rules: Rows, states: States) -> np.ndarray:
    """I-03: no citizens without their expansion."""
    total = (
        states["citizen_supply"].astype(int)
        + states["register_citizens"]
        + states["portrait_citizens"].sum(axis=1)
        + states["citizens"].sum(axis=(1, 2))
    )
    return total == 0


def plantations_are_conserved(rules: Rows, states: States) -> np.ndarray:
    """I-04: plantations of each kind."""
    places = np.arange(states["deck"].shape[1])
    in_deck = places < states["deck_size"][:, None]
    deck = (in_deck[:, :, None] & (states["deck"][:, :, None] == np.arange(NUM_GOODS))).sum(axis=1)
    total = deck + states["row"] + states["discard"]
    total = total + states["tiles"][:, :, :NUM_GOODS].sum(axis=1)
    counted = (deck == states["deck_tiles"]).all(axis=1)
    return (total == rules["plantations"]).all(axis=1) & counted


def quarries_are_conserved(rules: Rows, states: States) -> np.ndarray:
    """I-05: quarries."""
    return states["quarries"] + states["tiles"][:, :, QUARRY].sum(axis=1) == rules["quarries"]


def forests_stay_in_the_box(rules: Rows, states: States) -> np.ndarray:
    """I-06: no forests without their expansion."""
    return (states["forests"] == 0) & (states["own_forests"] == 0).all(axis=1)


def coins_are_conserved(rules: Rows, states: States) -> np.ndarray:
    """I-07: coins, and a limited bank never owes."""
    total = (
        states["bank"].astype(int) + states["coins"].sum(axis=1) + states["role_coins"].sum(axis=1)
    )
    solvent = (rules["bank_limited"] == 0) | (states["bank"] >= 0)
    return (total == rules["coin_total"]) & solvent


def vp_are_conserved(rules: Rows, states: States) -> np.ndarray:
    """I-08: VP, those on paper included."""
    return states["vp_pool"] + states["vp"].sum(axis=1) == rules["vp_pool"]


def buildings_are_conserved(rules: Rows, states: States) -> np.ndarray:
    """I-09: copies of each building."""
    owned = states["tiles"][:, :, FIRST_BUILDING:].sum(axis=1)
    return (states["building_supply"] + owned == rules["copies"]).all(axis=1)


# -- bounds and shape (F.2) ------------------------------------------------------------------------

COUNTS: Final = (
    "round", "picks", "worker_supply", "register_workers", "goods_supply", "quarries", "row",
    "discard", "deck_size", "building_supply", "ship_load", "house", "coins", "vp", "goods",
    "tiles", "workers", "portrait_workers", "island_used", "city_used", "role_coins", "made",
)  # fmt: skip


def no_count_is_negative(rules: Rows, states: States) -> np.ndarray:
    """I-10: nothing is counted below zero, but for the VP pool and the bank."""
    num_games = len(states)
    return np.all(
        [(states[name].reshape(num_games, -1) >= 0).all(axis=1) for name in COUNTS], axis=0
    )


def tiles_fit_their_spaces(rules: Rows, states: States) -> np.ndarray:
    """I-11: island and city hold 12 spaces, and a building stands once."""
    island = states["tiles"][:, :, :FIRST_BUILDING].sum(axis=2) + states["own_forests"]
    owned = states["tiles"][:, :, FIRST_BUILDING:]
    city = (owned * rules["spaces"][:, None, :]).sum(axis=2)
    fits = (island <= MAX_SPACES) & (city <= MAX_SPACES) & (owned.max(axis=2) <= 1)
    counted = (island == states["island_used"]) & (city == states["city_used"])
    return (fits & counted).all(axis=1)


def units_fit_their_circles(rules: Rows, states: States) -> np.ndarray:
    """I-12: no more units on a spot than it has circles."""
    circles = states["tiles"].astype(int) * rules["circles"][:, None, :]
    return (states["workers"] + states["citizens"] <= circles).all(axis=(1, 2))


def ships_carry_one_kind_each(rules: Rows, states: States) -> np.ndarray:
    """I-13: a ship holds one kind up to its size, and no kind is on two ships."""
    good, load = states["ship_good"], states["ship_load"]
    holds = ((load <= rules["ship_size"]) & ((good >= 0) == (load > 0))).all(axis=1)
    for one in range(NUM_SHIPS):
        for other in range(one):
            holds &= (good[:, one] < 0) | (good[:, one] != good[:, other])
    return holds


def the_house_holds_at_most_four(rules: Rows, states: States) -> np.ndarray:
    """I-14, I-24: 4 barrels in the trader phase, fewer after it."""
    barrels = states["house"].sum(axis=1)
    trading = states["phase"] == Phase.TRADER
    return (barrels < HOUSE_SLOTS) | (trading & (barrels == HOUSE_SLOTS))


def the_row_is_no_longer_than_a_full_one(rules: Rows, states: States) -> np.ndarray:
    """I-15: a row of n+1; shorter outside the settler phase only if no tile is left to draw."""
    tiles = states["row"].sum(axis=1)
    none_left = (states["deck_size"] == 0) & (states["discard"].sum(axis=1) == 0)
    settling = states["phase"] == Phase.SETTLER
    return (tiles == rules["row_size"]) | ((tiles < rules["row_size"]) & (none_left | settling))


def each_role_is_taken_once(rules: Rows, states: States) -> np.ndarray:
    """I-16, I-17, I-19: cards in play are free or taken by a seat, as often as was picked."""
    owner, in_play = states["role_owner"], rules["role_in_play"] > 0
    seats = rules["num_players"][:, None]
    proper = np.where(in_play, (owner >= -1) & (owner < seats), owner < -1).all(axis=1)
    taken = (owner >= 0).sum(axis=1)
    counted = (taken == states["picks"]) & (taken <= rules["picks_per_round"])
    over = states["outcome"] != Outcome.RUNNING
    return proper & (counted | over) & (states["role_coins"][:, Role.SMUGGLER] == 0)


def one_seat_governs(rules: Rows, states: States) -> np.ndarray:
    """I-18: exactly one governor, and a seat to decide while the game runs."""
    seats, running = rules["num_players"], states["outcome"] == Outcome.RUNNING
    governed = (states["governor"] >= 0) & (states["governor"] < seats)
    turn = states["turn"]
    return governed & np.where(running, (turn >= 0) & (turn < seats), turn == -1)


def empty_seats_own_nothing(rules: Rows, states: States) -> np.ndarray:
    """Seats that nobody plays, and the rooms of the expansions, stay blank."""
    empty = ~_seats_in_play(rules, states)
    blank = np.ones(len(states), dtype=bool)
    for name in ("coins", "vp", "portrait_workers", "island_used", "city_used"):
        blank &= ((states[name] == 0) | ~empty).all(axis=1)
    for name in ("goods", "tiles", "workers"):
        blank &= ((states[name] == 0).all(axis=2) | ~empty).all(axis=1)
    base = FIRST_BUILDING + len(BASE_BUILDINGS)
    return blank & (states["tiles"][:, :, base:] == 0).all(axis=(1, 2))


def powers_are_those_of_occupied_buildings(rules: Rows, states: States) -> np.ndarray:
    """R-GEN-2: what occupied buildings give, summed up anew."""
    occupied = (states["workers"] + states["citizens"])[:, :, FIRST_BUILDING:] > 0
    gives = rules["power"][:, :, None] == np.arange(len(Power))
    amounts = gives * rules["power_amount"][:, :, None]
    expected = np.einsum("gsb,gbp->gsp", occupied.astype(int), amounts)
    return (states["powers"] == expected).all(axis=(1, 2))


# -- moments that one record shows (F.3) -----------------------------------------------------------


def _empty_circles(rules: Rows, states: States) -> np.ndarray:
    """Empty circles by seat and spot, shape ``(num_games, seats, num_spots)``."""
    circles = states["tiles"].astype(int) * rules["circles"][:, None, :]
    return circles - states["workers"] - states["citizens"]


def _has_no_idle_worker(rules: Rows, states: States) -> np.ndarray:
    """By seat: no unit on the portrait, or no circle empty."""
    return (states["portrait_workers"] == 0) | (_empty_circles(rules, states).sum(axis=2) == 0)


def workers_are_set_in_turn(rules: Rows, states: States) -> np.ndarray:
    """I-20, I-21: while a seat places, the register is empty and earlier seats hold nobody back."""
    placing = np.isin(states["point"], (Point.RECALL, Point.PLACE))
    seats = rules["num_players"][:, None]
    everyone = np.arange(states["coins"].shape[1])
    distance = (everyone - states["actor"][:, None]) % seats
    reached = (states["turn"] - states["actor"])[:, None] % seats
    earlier = (distance < reached) & (everyone < seats)
    holds = (_has_no_idle_worker(rules, states) | ~earlier).all(axis=1)
    return ~placing | (holds & (states["register_workers"] == 0))


def full_ships_sail(rules: Rows, states: States) -> np.ndarray:
    """I-23: outside the captain phase no ship is full."""
    at_sea = np.isin(states["phase"], (Phase.CAPTAIN, Phase.STORAGE))
    full = (states["ship_load"] == rules["ship_size"]) & (rules["ship_size"] > 0)
    return at_sea | ~full.any(axis=1)


def capacities(rules: Rows, states: States) -> np.ndarray:
    """What each seat could produce by kind (R-CRA-1), shape ``(num_games, seats, num_goods)``."""
    crop = rules["crop"][:, :, None] == np.arange(NUM_GOODS)
    in_plants = np.einsum(
        "gsb,gbk->gsk", states["workers"][:, :, FIRST_BUILDING:].astype(int), crop.astype(int)
    )
    on_tiles = states["workers"][:, :, :NUM_GOODS].astype(int)
    limit = np.minimum(on_tiles, in_plants)
    limit[:, :, 0] = on_tiles[:, :, 0]
    return limit


def nobody_makes_more_than_they_can(rules: Rows, states: States) -> np.ndarray:
    """I-32: production stays within capacity, the privilege within one barrel."""
    producing = states["phase"] == Phase.CRAFTSMAN
    within = (states["made"] <= capacities(rules, states)).all(axis=(1, 2))
    return ~producing | (within & (states["privilege_goods"].sum(axis=1) <= 1))


CHECKS: Final[tuple[Callable[[Rows, States], np.ndarray], ...]] = (
    goods_are_conserved,
    workers_are_conserved,
    citizens_stay_in_the_box,
    plantations_are_conserved,
    quarries_are_conserved,
    forests_stay_in_the_box,
    coins_are_conserved,
    vp_are_conserved,
    buildings_are_conserved,
    no_count_is_negative,
    tiles_fit_their_spaces,
    units_fit_their_circles,
    ships_carry_one_kind_each,
    the_house_holds_at_most_four,
    the_row_is_no_longer_than_a_full_one,
    each_role_is_taken_once,
    one_seat_governs,
    empty_seats_own_nothing,
    powers_are_those_of_occupied_buildings,
    workers_are_set_in_turn,
    full_ships_sail,
    nobody_makes_more_than_they_can,
)


# -- from step to step -----------------------------------------------------------------------------


class Watch:
    """Follows games from step to step.

    Args:
        table: Rules table that the records point into.
        states: The games where the watch begins, all at a role choice.
    """

    def __init__(self, table: np.ndarray, states: np.ndarray) -> None:
        self._table = table
        self._before = states.copy()
        self._opening = states.copy()
        self._role = np.full(len(states), -1)
        self._steps = np.zeros(len(states), dtype=int)

    def see(self, actions: np.ndarray, states: np.ndarray) -> list[str]:
        """Check the step that led here, and every phase that it ended.

        Args:
            actions: What was done, shape ``(num_games,)``; only in games that were running.
            states: The games now.
        """
        before, after = self._before, states.copy()
        rules = self._table[after["rules"]]
        picking = before["phase"] == Phase.ROLE
        self._role = np.where(picking, actions - 1, self._role)
        self._opening[picking] = before[picking]
        self._steps = np.where(picking, 0, self._steps + 1)
        complaints = _complaints(STEP_CHECKS, rules, before, after, actions)
        if (self._steps > MAX_PHASE_STEPS).any():
            complaints.append("I-33: a phase goes on for ever.")
        done = (before["outcome"] == Outcome.RUNNING) & (after["phase"] != before["phase"])
        done |= picking & (before["outcome"] == Outcome.RUNNING)
        done &= np.isin(after["phase"], (Phase.ROLE, Phase.OVER))
        if done.any():
            phase = (rules[done], self._opening[done], after[done], self._role[done])
            complaints += _complaints(PHASE_CHECKS, *phase)
        self._before = after
        return complaints


def the_end_stays_triggered(rules: Rows, before: States, after: States, actions) -> np.ndarray:
    """I-28: reasons to end stay, and no new round begins with one."""
    kept = (before["end_reasons"] & ~after["end_reasons"]) == 0
    went_on = (after["round"] > before["round"]) & (after["outcome"] == Outcome.RUNNING)
    return kept & ~(went_on & (after["end_reasons"] != 0))


def the_governor_card_goes_clockwise(rules: Rows, before: States, after: States, _) -> np.ndarray:
    """I-18: one seat further with each round, and nowhere within it."""
    running = after["outcome"] == Outcome.RUNNING
    rounds = np.where(running, after["round"] - before["round"], 0)
    return (before["governor"] + rounds) % rules["num_players"] == after["governor"]


def a_pass_means_that_nothing_could_be_loaded(
    rules: Rows, before: States, after: States, actions
) -> np.ndarray:
    """I-26: who passes in the captain phase had no legal cargo."""
    passed = (before["point"] == Point.LOAD) & (actions == 0)
    passed &= before["outcome"] == Outcome.RUNNING
    held = before["goods"][np.arange(len(before)), before["turn"]] > 0
    good, load, size = before["ship_good"], before["ship_load"], rules["ship_size"]
    aboard = good[:, :, None] == np.arange(NUM_GOODS)
    has_room = (aboard & (load < size)[:, :, None]).any(axis=1)
    empty_ship = ((load == 0) & (size > 0)).any(axis=1)[:, None]
    loadable = held & (has_room | (~aboard.any(axis=1) & empty_ship))
    return ~passed | ~loadable.any(axis=1)


def vp_come_from_the_captain(rules: Rows, before: States, after: States, actions) -> np.ndarray:
    """I-31: VP change only in the captain phase, and never shrink."""
    gained = after["vp"].astype(int) - before["vp"]
    shipping = np.isin(before["phase"], (Phase.CAPTAIN, Phase.STORAGE)) | (
        (before["phase"] == Phase.ROLE) & (actions == 1 + Role.CAPTAIN)
    )
    return (gained >= 0).all(axis=1) & (shipping | (gained == 0).all(axis=1))


STEP_CHECKS: Final = (
    the_end_stays_triggered,
    the_governor_card_goes_clockwise,
    a_pass_means_that_nothing_could_be_loaded,
    vp_come_from_the_captain,
)


# -- from the choice of a role to the end of its phase ---------------------------------------------


def the_register_is_filled_again(rules: Rows, opening: States, after: States, role) -> np.ndarray:
    """I-20, I-22: nobody is idle, and a register that falls short ends the game."""
    empty = _empty_circles(rules, after)[:, :, FIRST_BUILDING:].sum(axis=(1, 2))
    required = np.maximum(rules["num_players"], empty)
    workers = after["register_workers"]
    filled = workers == np.minimum(required, after["worker_supply"] + workers)
    ended = (workers == required) | (after["end_reasons"] != 0)
    placed = _has_no_idle_worker(rules, after).all(axis=1)
    return (role != Role.MAYOR) | (filled & ended & placed)


def stores_hold_what_they_may(rules: Rows, opening: States, after: States, role) -> np.ndarray:
    """I-23: beside the kinds of the warehouses each seat keeps one barrel."""
    whole = after["powers"][:, :, Power.STORE_KINDS]
    fewest_first = np.sort(after["goods"], axis=2)
    loose = np.arange(NUM_GOODS) < NUM_GOODS - whole[:, :, None]
    return (role != Role.CAPTAIN) | ((fewest_first * loose).sum(axis=2) <= 1).all(axis=1)


def each_seat_builds_once(rules: Rows, opening: States, after: States, role) -> np.ndarray:
    """I-25: at most one new building a seat, and only in the builder phase."""
    owned = [states["tiles"][:, :, FIRST_BUILDING:].sum(axis=2) for states in (opening, after)]
    new = owned[1] - owned[0]
    most = (role == Role.BUILDER).astype(int)[:, None]
    return ((new >= 0) & (new <= most)).all(axis=1)


def each_seat_settles_once(rules: Rows, opening: States, after: States, role) -> np.ndarray:
    """R-STL-1, R-HAC-1: a tile, and one more with a hacienda; a quarry at most."""
    tiles = after["tiles"][:, :, :FIRST_BUILDING].astype(int)
    new = tiles - opening["tiles"][:, :, :FIRST_BUILDING]
    most = np.where(role == Role.SETTLER, 1, 0)[:, None]
    extra = np.where(most > 0, opening["powers"][:, :, Power.EXTRA_TILE], 0)
    few = (new.sum(axis=2) <= most + extra) & (new[:, :, QUARRY] <= most)
    return (few & (new >= 0).all(axis=2)).all(axis=1)


def units_stay_where_they_are(rules: Rows, opening: States, after: States, role) -> np.ndarray:
    """I-29: outside the mayor phase a unit comes only by hospice or university, and none goes."""
    come = after["workers"].astype(int) - opening["workers"]
    gains = np.zeros(come.shape[:2], dtype=int)
    gains += np.where((role == Role.SETTLER)[:, None], opening["powers"][:, :, Power.STAFF_TILE], 0)
    university = opening["powers"][:, :, Power.STAFF_BUILDING]
    gains += np.where((role == Role.BUILDER)[:, None], university, 0)
    idle = (after["portrait_workers"] == opening["portrait_workers"]).all(axis=1)
    few = ((come.sum(axis=2) <= gains) & (come >= 0).all(axis=2)).all(axis=1)
    return (role == Role.MAYOR) | (few & idle)


def barrels_come_from_the_craftsman(
    rules: Rows, opening: States, after: States, role
) -> np.ndarray:
    """I-32: what a seat gains is within its capacity, the craftsman's one more; nowhere else."""
    gained = after["goods"].astype(int) - opening["goods"]
    limit = capacities(rules, opening)
    made = (gained >= 0) & (gained - limit <= 1)
    over = np.maximum(gained - limit, 0).sum(axis=(1, 2)) <= 1
    supplied = gained.sum(axis=1) <= opening["goods_supply"]
    crafted = made.all(axis=(1, 2)) & over & supplied.all(axis=1)
    return np.where(role == Role.CRAFTSMAN, crafted, (gained <= 0).all(axis=(1, 2)))


def the_row_is_full_again(rules: Rows, opening: States, after: States, role) -> np.ndarray:
    """I-15: after the settler phase n+1 tiles lie in the row, while there are any."""
    tiles = after["row"].sum(axis=1)
    none_left = (after["deck_size"] == 0) & (after["discard"].sum(axis=1) == 0)
    return (role != Role.SETTLER) | (tiles == rules["row_size"]) | none_left


def coins_wait_on_roles_not_taken(rules: Rows, opening: States, after: States, role) -> np.ndarray:
    """R-EOR-2: a round's last phase puts a coin on every card left over; else cards only empty."""
    change = after["role_coins"].astype(int) - opening["role_coins"]
    took = np.arange(change.shape[1]) == role[:, None]
    last = opening["picks"] + 1 == rules["picks_per_round"]
    was_free = (opening["role_owner"] == -1) & ~took
    added = np.where(was_free & last[:, None], 1, 0)
    expected = np.where(took, -opening["role_coins"], added)
    limited = rules["bank_limited"] > 0
    return (change == expected).all(axis=1) | (limited & (change <= expected).all(axis=1))


PHASE_CHECKS: Final = (
    the_register_is_filled_again,
    stores_hold_what_they_may,
    each_seat_builds_once,
    each_seat_settles_once,
    units_stay_where_they_are,
    barrels_come_from_the_craftsman,
    the_row_is_full_again,
    coins_wait_on_roles_not_taken,
)
