"""What must hold in every record (I-01 to I-33), asked of one game or of a whole batch at once.

`broken_invariants` looks at records by themselves; a `Watch` follows games from step to step and
checks what the rules promise about moments and phases. Every check answers with one truth value
for each game.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

from prico_env.actions import NAMES, PASS
from prico_env.vocabulary import (
    HOUSE_SLOTS,
    NUM_GOODS,
    NUM_SHIPS,
    NUM_TILES,
    QUARRY,
    ROLES,
    BuildingClass,
    DecisionPoint,
    Expansion,
    Good,
    Outcome,
    Phase,
    Power,
    Role,
    Side,
)

Rows = Any
"""Records of the rules table, one for each game, shape ``(num_games,)``."""
States = Any
"""Records of games, shape ``(num_games,)``."""

MAX_SPACES: Final = 12
MAX_PHASE_STEPS: Final = 2_000
FIRST_BUILDING: Final = NUM_TILES
MOST_RAIDED: Final = 3
MOST_POACHED: Final = 3
FESTIVAL_WORKERS: Final = 3
FESTIVAL_VP: Final = 3
LODGE_VP: Final = 2


def _named(prefix: str) -> np.ndarray:
    """The role in the name of each action with a prefix, -1 for all other actions."""
    words = [name.removeprefix(prefix) if name.startswith(prefix) else "" for name in NAMES]
    return np.array([ROLES.index(word) if word in ROLES else -1 for word in words])


PICKED_ROLE: Final = _named("role:")
CAPTURED_ROLE: Final = _named("capture:")


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
        + states["hand_workers"]
        + states["portrait_workers"].sum(axis=1)
        + states["workers"].sum(axis=(1, 2))
    )
    return total == rules["worker_supply"].astype(int) + rules["register_workers"]


def citizens_are_conserved(rules: Rows, states: States) -> np.ndarray:
    """I-03: citizens."""
    total = (
        states["citizen_supply"].astype(int)
        + states["register_citizens"]
        + states["hand_citizens"]
        + states["portrait_citizens"].sum(axis=1)
        + states["citizens"].sum(axis=(1, 2))
    )
    return total == rules["citizens"]


def plantations_are_conserved(rules: Rows, states: States) -> np.ndarray:
    """I-04: plantations of each kind."""
    places = np.arange(states["deck"].shape[1])
    in_deck = places < states["deck_size"][:, None]
    deck = (in_deck[:, :, None] & (states["deck"][:, :, None] == np.arange(NUM_GOODS))).sum(axis=1)
    total = deck + states["row"] + states["discard"]
    total = total + states["owned"][:, :, :NUM_GOODS].sum(axis=1)
    total = total + states["forest_kinds"].sum(axis=1)
    total = total + (states["festival_estate"][:, None] == np.arange(NUM_GOODS))
    in_hand = (states["decision_point"] == DecisionPoint.USE_TILE)[:, None]
    total = total + (in_hand & (states["drawn"][:, None] == np.arange(NUM_GOODS)))
    counted = (deck == states["deck_tiles"]).all(axis=1)
    return (total == rules["plantations"]).all(axis=1) & counted


def quarries_are_conserved(rules: Rows, states: States) -> np.ndarray:
    """I-05: quarries."""
    return states["quarries"] + states["owned"][:, :, QUARRY].sum(axis=1) == rules["quarries"]


def forests_are_conserved(rules: Rows, states: States) -> np.ndarray:
    """I-06: forests of the stack, or as many as there are plantations face down."""
    own, printed = states["own_forests"].astype(int), states["forest_kinds"].sum(axis=2)
    blind = states["forest_blind"]
    known = ((blind >= 0) & (blind <= states["forest_kinds"])).all(axis=(1, 2))
    stacked = (states["forests"] + own.sum(axis=1) == rules["forests"]) & (printed == 0).all(axis=1)
    face_down = (states["forests"] == 0) & (printed == own).all(axis=1)
    new = (rules["expansions"] & Expansion.BUILDINGS) > 0
    return known & np.where(
        rules["forest_source_is_own_stack_12"] > 0, stacked, face_down & (new | (own.sum(1) == 0))
    )


def coins_are_conserved(rules: Rows, states: States) -> np.ndarray:
    """I-07: coins, and a limited bank never owes."""
    total = (
        states["bank"].astype(int) + states["coins"].sum(axis=1) + states["role_coins"].sum(axis=1)
    )
    solvent = (rules["bank_limited"] == 0) | (states["bank"] >= 0)
    return (total == rules["coin_total_value"]) & solvent


def vp_are_conserved(rules: Rows, states: States) -> np.ndarray:
    """I-08: VP, those on paper included."""
    return states["vp_pool"] + states["vp"].sum(axis=1) == rules["vp_pool"]


def buildings_are_conserved(rules: Rows, states: States) -> np.ndarray:
    """I-09: copies of each building; of types that nobody drafted none are in the game."""
    owned = states["owned"][:, :, FIRST_BUILDING:].sum(axis=1)
    numbers = np.arange(owned.shape[1])
    goal = states["festival_building"][:, None] == numbers
    there = np.where(rules["draft_pool"] > 0, states["board"], 1)
    extra = states["building_supply"] + owned + goal - rules["copies"] * there
    refills = (rules["num_players"] == 2) & (rules["festival_two_player_refill"] > 0)
    refilled = (extra == 1) & (rules["festival_pool"] > 0) & (rules["copies"] * there > 0)
    open_goal = (states["festival_building"] >= 0)[:, None]
    refilled &= refills[:, None] & (goal | ~open_goal)
    return ((extra == 0) | refilled).all(axis=1) & (refilled.sum(axis=1) <= 1)


def the_board_fills_its_slots(rules: Rows, states: States) -> np.ndarray:
    """R-X1-3..5: as many types of each cost as there are slots; fewer only during the draft."""
    on_board = (states["board"] > 0)[:, :, None]
    costs = rules["cost"][:, :, None] == np.arange(rules["draft_slots"].shape[1])
    chosen = (on_board & costs).sum(axis=1)
    drafting = (states["phase"] == Phase.DRAFT)[:, None]
    fits = (chosen == rules["draft_slots"]) | (drafting & (chosen < rules["draft_slots"]))
    return fits.all(axis=1) & (states["board"] <= rules["draft_pool"]).all(axis=1)


# -- bounds and shape (F.2) ------------------------------------------------------------------------

COUNTS: Final = (
    "round", "picks", "worker_supply", "register_workers", "goods_supply", "quarries", "row",
    "discard", "deck_size", "building_supply", "ship_load", "house", "coins", "vp", "goods",
    "owned", "workers", "portrait_workers", "island_used", "city_used", "role_coins", "produced",
    "citizen_supply", "register_citizens", "citizens", "portrait_citizens", "hand_workers",
    "hand_citizens", "forests", "own_forests", "forest_kinds", "festival_goods",
)  # fmt: skip


def no_count_is_negative(rules: Rows, states: States) -> np.ndarray:
    """I-10: nothing is counted below zero, but for the VP pool and the bank."""
    num_games = len(states)
    return np.all(
        [(states[name].reshape(num_games, -1) >= 0).all(axis=1) for name in COUNTS], axis=0
    )


def tiles_fit_their_spaces(rules: Rows, states: States) -> np.ndarray:
    """I-11: island and city hold 12 spaces, and a building stands once."""
    island = states["owned"][:, :, :FIRST_BUILDING].sum(axis=2) + states["own_forests"]
    owned = states["owned"][:, :, FIRST_BUILDING:]
    city = (owned * rules["spaces"][:, None, :]).sum(axis=2)
    fits = (island <= MAX_SPACES) & (city <= MAX_SPACES) & (owned.max(axis=2) <= 1)
    counted = (island == states["island_used"]) & (city == states["city_used"])
    return (fits & counted).all(axis=1)


def units_fit_their_circles(rules: Rows, states: States) -> np.ndarray:
    """I-12: no more units on a spot than it has circles."""
    circles = states["owned"].astype(int) * rules["circles"][:, None, :]
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
    offices = (rules["power"] == Power.SELL_ANY_KIND)[:, None, :]
    has_office = (states["owned"][:, :, FIRST_BUILDING:] * offices).any(axis=(1, 2))
    one_each = (states["house"] <= 1).all(axis=1) | has_office
    return one_each & ((barrels < HOUSE_SLOTS) | (trading & (barrels == HOUSE_SLOTS)))


def the_row_is_no_longer_than_a_full_one(rules: Rows, states: States) -> np.ndarray:
    """I-15: a row of n+1; shorter outside the settler phase only if no tile was left to draw.

    Where sold or won tiles go into the row it may be longer; where they go elsewhere, tiles may
    come to the deck while the row is short. Before the draft is over nothing is dealt.
    """
    tiles = states["row"].sum(axis=1)
    none_left = (states["deck_size"] == 0) & (states["discard"].sum(axis=1) == 0)
    settling = states["phase"] == Phase.SETTLER
    returns = (rules["citizens"] > 0) | (rules["festival"] > 0)
    to_row = (rules["citizens"] > 0) & (rules["land_office_sale_to_is_face_up_row"] > 0)
    to_row |= (rules["festival"] > 0) & (rules["festival_estate_returns_to_is_face_up_row"] > 0)
    shorter = (tiles < rules["row_size"]) & (none_left | settling | returns)
    dealt = (tiles == rules["row_size"]) | shorter | ((tiles > rules["row_size"]) & to_row)
    return np.where(states["phase"] == Phase.DRAFT, tiles == 0, dealt)


def each_role_is_taken_once(rules: Rows, states: States) -> np.ndarray:
    """I-16, I-17: cards in play are free or taken by a seat, as often as was picked.

    A captured role played at the end of the round was taken and not picked.
    """
    owner, in_play = states["role_owner"], rules["role_in_play"] > 0
    seats = rules["num_players"][:, None]
    proper = np.where(in_play, (owner >= -1) & (owner < seats), owner < -1).all(axis=1)
    taken = (owner >= 0).sum(axis=1)
    late = (states["captured"] > 0) | (states["phase"] == Phase.END)
    captives = (states["role_captor"] >= 0).sum(axis=1)
    counted = (states["picks"] <= rules["picks_per_round"]) & (
        (taken == states["picks"]) | (late & (captives == 1) & (taken == states["picks"] + 1))
    )
    over = states["outcome"] != Outcome.RUNNING
    return proper & (counted | over) & (states["role_coins"][:, Role.SMUGGLER] == 0)


def the_smuggler_holds_the_tile(rules: Rows, states: States) -> np.ndarray:
    """I-19: who took the card this round has the tile, and has captured at most one role."""
    tile, smuggler = states["smuggler_tile"], states["role_owner"][:, Role.SMUGGLER]
    seats = np.where(rules["role_in_play"][:, Role.SMUGGLER] > 0, rules["num_players"], 0)
    captor, owner = states["role_captor"], states["role_owner"]
    proper = (tile >= -1) & (tile < seats) & ((smuggler < 0) | (smuggler == tile))
    theirs = ((captor == -1) | (captor == smuggler[:, None])).all(axis=1)
    one = (captor >= 0).sum(axis=1) <= 1
    playing = (states["captured"] == 0) | ((captor >= 0) & (captor == owner)).any(axis=1)
    return proper & theirs & one & playing & (captor[:, Role.SMUGGLER] == -1)


def one_seat_governs(rules: Rows, states: States) -> np.ndarray:
    """I-18: exactly one governor, and a seat to decide while the game runs."""
    seats, running = rules["num_players"], states["outcome"] == Outcome.RUNNING
    governed = (states["governor"] >= 0) & (states["governor"] < seats)
    turn = states["turn"]
    return governed & np.where(running, (turn >= 0) & (turn < seats), turn == -1)


def empty_seats_own_nothing(rules: Rows, states: States) -> np.ndarray:
    """Seats that nobody plays, and the rooms of expansions not in the game, stay blank."""
    empty = ~_seats_in_play(rules, states)
    blank = np.ones(len(states), dtype=bool)
    for name in ("coins", "vp", "portrait_workers", "portrait_citizens", "island_used",
                 "city_used", "own_forests", "used_once", "small_wharf_used"):  # fmt: skip
        blank &= ((states[name] == 0) | ~empty).all(axis=1)
    for name in ("goods", "owned", "workers", "citizens", "forest_kinds", "forest_blind"):
        blank &= ((states[name] == 0).all(axis=2) | ~empty).all(axis=1)
    unknown = np.arange(states["owned"].shape[2]) >= rules["num_spots"][:, None]
    return blank & ((states["owned"] == 0).all(axis=1) | ~unknown).all(axis=1)


def goals_are_open_or_won(rules: Rows, states: States) -> np.ndarray:
    """R-FES-1..9: each goal is as it was drawn, or gone; an open one is met by nobody."""
    estate, building = states["festival_estate"], states["festival_building"]
    barrels = states["festival_goods"].sum(axis=1)
    games = np.arange(len(states))
    asked = rules["festival_pool"][games, np.maximum(building, 0)] > 0
    proper = (estate < NUM_GOODS) & ((building < 0) | asked) & np.isin(barrels, (0, 3))
    tiles = np.take_along_axis(
        states["owned"].astype(int), np.maximum(estate, 0)[:, None, None].astype(int), axis=2
    )
    unmet = (estate < 0) | (tiles < 3).all(axis=(1, 2))
    closed = (estate == -1) & (building == -1) & (barrels == 0)
    return np.where(rules["festival"] > 0, proper & unmet, closed)


def hands_are_empty_but_at_hand(rules: Rows, states: States) -> np.ndarray:
    """R-SMG-6, R-FES-7: units in hand are placed at once."""
    in_hand = states["hand_workers"] + states["hand_citizens"]
    return (in_hand == 0) | np.isin(
        states["decision_point"], (DecisionPoint.GATHER, DecisionPoint.PLACE_UNITS)
    )


def coins_go_first_at_the_black_market(rules: Rows, states: States) -> np.ndarray:
    """I-27: who returns resources has no coins left."""
    coins = states["coins"][np.arange(len(states)), states["turn"]]
    return (states["decision_point"] != DecisionPoint.PAY) | (coins == 0)


def powers_are_those_of_occupied_buildings(rules: Rows, states: States) -> np.ndarray:
    """R-GEN-2: what occupied buildings give, summed up anew; two-sided ones by their unit."""
    workers = states["workers"][:, :, FIRST_BUILDING:] > 0
    citizens = (states["citizens"][:, :, FIRST_BUILDING:] > 0) & ~workers
    power, amount = rules["power"][:, None, :].astype(int), rules["power_amount"][:, None, :]
    sides = np.isin(power, (Power.LAND_TRADE, Power.CHAPEL, Power.HUNT, Power.NOTARY))
    given = workers * np.where(sides, int(Side.WORKER), amount)
    given += citizens * np.where(sides, int(Side.CITIZEN), amount)
    seat = np.arange(given[:, :, 0].size).reshape(len(states), -1, 1)
    place = (seat * len(Power) + np.maximum(power, 0)).ravel()
    expected = np.bincount(place, (given * (power >= 0)).ravel(), seat.size * len(Power))
    return (states["powers"] == expected.reshape(states["powers"].shape)).all(axis=(1, 2))


# -- moments that one record shows (F.3) -----------------------------------------------------------


def _empty_circles(rules: Rows, states: States) -> np.ndarray:
    """Empty circles by seat and spot, shape ``(num_games, seats, num_spots)``."""
    circles = states["owned"].astype(int) * rules["circles"][:, None, :]
    return circles - states["workers"] - states["citizens"]


def _has_no_idle_worker(rules: Rows, states: States) -> np.ndarray:
    """By seat: no unit on the portrait, or no circle empty."""
    idle = states["portrait_workers"] + states["portrait_citizens"]
    return (idle == 0) | (_empty_circles(rules, states).sum(axis=2) == 0)


def workers_are_set_in_turn(rules: Rows, states: States) -> np.ndarray:
    """I-20, I-21: while a seat places, the register is empty and earlier seats hold nobody back."""
    placing = np.isin(states["decision_point"], (DecisionPoint.RECALL, DecisionPoint.PLACE))
    seats = rules["num_players"][:, None]
    everyone = np.arange(states["coins"].shape[1])
    distance = (everyone - states["actor"][:, None]) % seats
    reached = (states["turn"] - states["actor"])[:, None] % seats
    earlier = (distance < reached) & (everyone < seats)
    holds = (_has_no_idle_worker(rules, states) | ~earlier).all(axis=1)
    register = states["register_workers"] + states["register_citizens"]
    return ~placing | (holds & (register == 0))


def full_ships_sail(rules: Rows, states: States) -> np.ndarray:
    """I-23: outside the captain phase no ship is full."""
    at_sea = np.isin(states["phase"], (Phase.CAPTAIN, Phase.STORAGE))
    full = (states["ship_load"] == rules["ship_size"]) & (rules["ship_size"] > 0)
    return at_sea | ~full.any(axis=1)


def capacities(rules: Rows, states: States) -> np.ndarray:
    """What each seat could produce by kind (R-CRA-1), shape ``(num_games, seats, num_goods)``."""
    units = states["workers"].astype(int) + states["citizens"]
    crop = (rules["crop"][:, :, None] == np.arange(NUM_GOODS)).astype(int)
    in_plants = np.einsum("gsb,gbk->gsk", units[:, :, FIRST_BUILDING:], crop)
    on_tiles = units[:, :, :NUM_GOODS]
    limit = np.minimum(on_tiles, in_plants)
    limit[:, :, 0] = on_tiles[:, :, 0]
    return limit + _aqueduct_barrels(rules, states, units, limit)


def _aqueduct_barrels(rules: Rows, states: States, units: Any, limit: Any) -> np.ndarray:
    """R-AQU-1..3: one more indigo and sugar for who makes some with the large plant."""
    kinds = np.arange(NUM_GOODS)
    watered = (kinds == Good.INDIGO) | (kinds == Good.SUGAR)
    large = (rules["building_class"] == BuildingClass.LARGE_PRODUCTION)[:, :, None]
    large = (large & (rules["crop"][:, :, None] == kinds) & watered).astype(int)
    in_large = np.einsum("gsb,gbk->gsk", units[:, :, FIRST_BUILDING:], large)
    has_aqueduct = states["powers"][:, :, Power.EXTRA_CROP][:, :, None] > 0
    return (has_aqueduct & (in_large > 0) & (limit > 0)).astype(int)


def nobody_makes_more_than_they_can(rules: Rows, states: States) -> np.ndarray:
    """I-32: production stays within capacity, the privilege within one barrel, or two."""
    producing = states["phase"] == Phase.CRAFTSMAN
    within = (states["produced"] <= capacities(rules, states)).all(axis=(1, 2))
    library = states["powers"][:, :, Power.DOUBLE_PRIVILEGE]
    actor = np.maximum(states["actor"], 0)
    doubled = library[np.arange(len(states)), actor] > 0
    doubled &= (states["captured"] == 0) | (rules["smuggler_affected_by_buildings"] > 0)
    few = states["privilege_goods"].sum(axis=1) <= 1 + doubled
    same = (rules["library_two_same_goods"] > 0) | (states["privilege_goods"] <= 1).all(axis=1)
    return ~producing | (within & few & same)


CHECKS: Final[tuple[Callable[[Rows, States], np.ndarray], ...]] = (
    goods_are_conserved,
    workers_are_conserved,
    citizens_are_conserved,
    plantations_are_conserved,
    quarries_are_conserved,
    forests_are_conserved,
    coins_are_conserved,
    vp_are_conserved,
    buildings_are_conserved,
    the_board_fills_its_slots,
    no_count_is_negative,
    tiles_fit_their_spaces,
    units_fit_their_circles,
    ships_carry_one_kind_each,
    the_house_holds_at_most_four,
    the_row_is_no_longer_than_a_full_one,
    each_role_is_taken_once,
    the_smuggler_holds_the_tile,
    one_seat_governs,
    empty_seats_own_nothing,
    goals_are_open_or_won,
    hands_are_empty_but_at_hand,
    coins_go_first_at_the_black_market,
    powers_are_those_of_occupied_buildings,
    workers_are_set_in_turn,
    full_ships_sail,
    nobody_makes_more_than_they_can,
)


# -- from step to step -----------------------------------------------------------------------------


class Span(NamedTuple):
    """From the choice of a role to the next one: a phase, and a captured role played after it.

    Attributes:
        role: The role that was picked.
        actor: Who picked it.
        taken: The role that it captured, -1 none.
        captured: The captured role played after it, -1 none.
        captor: Who played that.
        last: The role played last, of those two.
    """

    role: np.ndarray
    actor: np.ndarray
    taken: np.ndarray
    captured: np.ndarray
    captor: np.ndarray
    last: np.ndarray

    def of(self, games: np.ndarray) -> "Span":
        """The spans of the games that are marked."""
        return Span(*(part[games] for part in self))

    def played(self, role: int) -> np.ndarray:
        """Where a role was played, picked or captured."""
        return (self.role == role) | (self.captured == role)

    def acted(self, role: int, seats: int) -> np.ndarray:
        """Who took or captured the role that was played, by seat."""
        everyone = np.arange(seats)
        picked = (self.role == role)[:, None] & (everyone == self.actor[:, None])
        return picked | ((self.captured == role)[:, None] & (everyone == self.captor[:, None]))


class Watch:
    """Follows games from step to step.

    Args:
        table: Rules table that the records point into.
        states: The games where the watch begins, all at a role choice or at the draft.
    """

    def __init__(self, table: np.ndarray, states: np.ndarray) -> None:
        self._table = table
        self._before = states.copy()
        self._opening = states.copy()
        num_games = len(states)
        self._role = np.full(num_games, -1)
        self._actor = np.full(num_games, -1)
        self._captured = np.full(num_games, -1)
        self._captor = np.full(num_games, -1)
        self._steps = np.zeros(num_games, dtype=int)

    def see(self, actions: np.ndarray, states: np.ndarray) -> list[str]:
        """Check the step that led here, and every phase that it ended.

        Args:
            actions: What was done, shape ``(num_games,)``; only in games that were running.
            states: The games now.
        """
        before, after = self._before, states.copy()
        rules = self._table[after["rules"]]
        running = before["outcome"] == Outcome.RUNNING
        picking = running & (before["phase"] == Phase.ROLE)
        chosen = np.maximum(actions, 0)
        self._role = np.where(picking, PICKED_ROLE[chosen], self._role)
        self._actor = np.where(picking, before["turn"], self._actor)
        capturing = running & (CAPTURED_ROLE[chosen] >= 0)
        self._captured = np.where(capturing, CAPTURED_ROLE[chosen], self._captured)
        self._captor = np.where(capturing, before["turn"], self._captor)
        self._captured[picking & (self._captured == self._role)] = -1
        self._opening[picking] = before[picking]
        self._steps = np.where(picking, 0, self._steps + 1)
        complaints = _complaints(STEP_CHECKS, rules, before, after, actions)
        if (self._steps > MAX_PHASE_STEPS).any():
            complaints.append("I-33: a phase goes on for ever.")
        done = running & ((after["phase"] != before["phase"]) | picking)
        done &= np.isin(after["phase"], (Phase.ROLE, Phase.OVER))
        done &= before["phase"] != Phase.DRAFT
        if done.any():
            phase = (rules[done], self._opening[done], after[done], self._span(rules).of(done))
            complaints += _complaints(PHASE_CHECKS, *phase)
            last = self._opening["picks"] + 1 == rules["picks_per_round"]
            self._captured[done & last] = -1
        self._before = after
        return complaints

    def _span(self, rules: Rows) -> Span:
        """What has been played since the last choice of a role, in every game."""
        last = self._opening["picks"] + 1 == rules["picks_per_round"]
        captured = np.where(last, self._captured, -1)
        final = np.where(captured >= 0, captured, self._role)
        taken = np.where(self._role == Role.SMUGGLER, self._captured, -1)
        return Span(self._role, self._actor, taken, captured, self._captor, final)


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
    passed = (before["decision_point"] == DecisionPoint.LOAD) & (actions == PASS)
    passed &= before["outcome"] == Outcome.RUNNING
    held = before["goods"][np.arange(len(before)), before["turn"]] > 0
    good, load, size = before["ship_good"], before["ship_load"], rules["ship_size"]
    aboard = good[:, :, None] == np.arange(NUM_GOODS)
    has_room = (aboard & (load < size)[:, :, None]).any(axis=1)
    empty_ship = ((load == 0) & (size > 0)).any(axis=1)[:, None]
    loadable = held & (has_room | (~aboard.any(axis=1) & empty_ship))
    return ~passed | ~loadable.any(axis=1)


def vp_are_spent_at_the_black_market(
    rules: Rows, before: States, after: States, actions
) -> np.ndarray:
    """I-31: nobody loses a VP but for a building, through the black market."""
    lost = (after["vp"] < before["vp"]).any(axis=1)
    return ~lost | np.isin(before["decision_point"], (DecisionPoint.BUY, DecisionPoint.PAY))


def the_black_market_takes_the_last_coin(
    rules: Rows, before: States, after: States, actions
) -> np.ndarray:
    """I-27: a purchase through the black market leaves no coins."""
    paid = (before["decision_point"] == DecisionPoint.PAY) & (after["phase"] == Phase.BUILDER)
    coins = after["coins"][np.arange(len(after)), before["turn"]]
    return ~paid | (coins == 0)


STEP_CHECKS: Final = (
    the_end_stays_triggered,
    the_governor_card_goes_clockwise,
    a_pass_means_that_nothing_could_be_loaded,
    vp_are_spent_at_the_black_market,
    the_black_market_takes_the_last_coin,
)


# -- from the choice of a role to the next ---------------------------------------------------------


def _owns(rules: Rows, states: States, power: int) -> np.ndarray:
    """By seat: whether it has the building of a power, occupied or not."""
    gives = (rules["power"] == power)[:, None, :]
    return (states["owned"][:, :, FIRST_BUILDING:] * gives).any(axis=2)


def _may_use(rules: Rows, opening: States, after: States, power: int) -> np.ndarray:
    """By seat: whether an occupied building gave a power before, after, or to a guest who came.

    A role may be captured after a mayor phase that staffed the building, or before one.
    """
    came = _owns(rules, after, power) & (rules["guest_windows"] > 0)[:, None]
    return (opening["powers"][:, :, power] > 0) | (after["powers"][:, :, power] > 0) | came


def the_register_is_filled_again(
    rules: Rows, opening: States, after: States, span: Span
) -> np.ndarray:
    """I-20, I-22: nobody is idle, and a register that falls short ends the game without citizens.

    Who was alone in a captured role placed alone.
    """
    empty = _empty_circles(rules, after)[:, :, FIRST_BUILDING:].sum(axis=(1, 2))
    required = np.maximum(rules["num_players"], empty)
    workers, citizens = after["register_workers"], after["register_citizens"]
    noble = citizens == np.minimum(1, after["citizen_supply"] + citizens)
    room = required - citizens
    filled = noble & (workers == np.minimum(room, after["worker_supply"] + workers))
    ended = (workers == room) | (after["end_reasons"] != 0) | (rules["citizens"] > 0)
    alone = (span.captured == Role.MAYOR) & (rules["capture_others_act"] == 0)
    everyone = np.arange(after["coins"].shape[1])
    waits = alone[:, None] & (everyone != span.captor[:, None])
    placed = (_has_no_idle_worker(rules, after) | waits).all(axis=1)
    return (span.last != Role.MAYOR) | (filled & ended & placed)


def stores_hold_what_they_may(
    rules: Rows, opening: States, after: States, span: Span
) -> np.ndarray:
    """I-23: beside the kinds of the warehouses each seat keeps single barrels."""
    whole = after["powers"][:, :, Power.STORE_KINDS]
    single = 1 + after["powers"][:, :, Power.STORE_BARRELS]
    fewest_first = np.sort(after["goods"], axis=2)
    loose = np.arange(NUM_GOODS) < NUM_GOODS - whole[:, :, None]
    fits = (fewest_first * loose).sum(axis=2) <= single
    alone = (span.captured == Role.CAPTAIN) & (rules["capture_others_act"] == 0)
    everyone = np.arange(after["coins"].shape[1])
    fits |= alone[:, None] & (everyone != span.captor[:, None])
    return (span.last != Role.CAPTAIN) | fits.all(axis=1)


def each_seat_builds_once(rules: Rows, opening: States, after: States, span: Span) -> np.ndarray:
    """I-25: at most one new building a seat, and only in the builder phase."""
    owned = [states["owned"][:, :, FIRST_BUILDING:].sum(axis=2) for states in (opening, after)]
    new = owned[1] - owned[0]
    most = span.played(Role.BUILDER).astype(int)[:, None]
    return ((new >= 0) & (new <= most)).all(axis=1)


def each_seat_settles_once(rules: Rows, opening: States, after: States, span: Span) -> np.ndarray:
    """R-STL-1, R-HAC-1, R-LIB-4, R-LND-1, R-LDG-1: how many tiles come and go.

    A tile, one more with a hacienda, and with a library one more for the actor; a land office buys
    or sells one, and a hunting lodge removes one.
    """
    quarries = after["owned"][:, :, QUARRY].astype(int) - opening["owned"][:, :, QUARRY]
    new = [
        states["owned"][:, :, :FIRST_BUILDING].sum(axis=2) + states["own_forests"]
        for states in (opening, after)
    ]
    change = new[1] - new[0]
    settling = span.played(Role.SETTLER)[:, None]
    picked = span.acted(Role.SETTLER, change.shape[1])
    twice = picked & _may_use(rules, opening, after, Power.DOUBLE_PRIVILEGE)
    normal = settling + twice.astype(int)
    drawn = settling & _may_use(rules, opening, after, Power.EXTRA_TILE)
    trading = span.played(Role.TRADER)[:, None]
    traded = trading & _may_use(rules, opening, after, Power.LAND_TRADE)
    hunted = settling & _may_use(rules, opening, after, Power.HUNT)
    few = (change <= normal + drawn + traded) & (change >= -traded.astype(int) - hunted)
    return (few & (quarries >= 0) & (quarries <= normal)).all(axis=1)


def units_stay_where_they_are(
    rules: Rows, opening: States, after: States, span: Span
) -> np.ndarray:
    """I-29: outside the mayor phase units come and go only as R-MAY-10 lists.

    They come by hospice, university, poach and festival, go through the black market, and move
    from a guest house or from a tile that is removed.
    """
    on_spots = [states["workers"].astype(int) + states["citizens"] for states in (opening, after)]
    on_portrait = [
        states["portrait_workers"].astype(int) + states["portrait_citizens"]
        for states in (opening, after)
    ]
    change = on_spots[1] - on_spots[0]
    total = change.sum(axis=2) + on_portrait[1] - on_portrait[0]
    settling, building = span.played(Role.SETTLER)[:, None], span.played(Role.BUILDER)[:, None]
    trading = span.played(Role.TRADER)[:, None]
    won = (opening["festival_estate"] >= 0) & (after["festival_estate"] < 0)
    most = (settling & _may_use(rules, opening, after, Power.STAFF_TILE)).astype(int)
    most += building & _may_use(rules, opening, after, Power.STAFF_BUILDING)
    most += np.where(span.acted(Role.SMUGGLER, total.shape[1]), MOST_POACHED, 0)
    rewarded = (settling | trading) & won[:, None]
    most += np.where(rewarded, FESTIVAL_WORKERS, 0)
    sold = building & _may_use(rules, opening, after, Power.BARTER)
    few = (total >= -sold.astype(int)) & (total <= most)

    numbers = np.arange(change.shape[2])
    loses = np.zeros(change.shape, dtype=bool)
    house = FIRST_BUILDING + np.argmax(rules["power"] == Power.GUESTS, axis=1)
    loses |= (rules["guest_windows"] > 0)[:, None, None] & (numbers == house[:, None, None])
    removing = (settling & _may_use(rules, opening, after, Power.HUNT)) | (
        trading & _may_use(rules, opening, after, Power.LAND_TRADE)
    )
    loses |= removing[:, :, None] & (numbers < NUM_GOODS)
    loses |= sold[:, :, None]
    stay = ((change >= 0) | loses).all(axis=2)
    idle = (on_portrait[0] == on_portrait[1]) | (rules["expansions"] > 0)[:, None]
    return span.played(Role.MAYOR) | (few & stay & idle).all(axis=1)


def barrels_come_from_the_craftsman(
    rules: Rows, opening: States, after: States, span: Span
) -> np.ndarray:
    """I-32: what a seat gains is within its capacity and the privilege, or raided from a ship."""
    gained = after["goods"].astype(int) - opening["goods"]
    seats = gained.shape[1]
    extra = np.where(span.acted(Role.SMUGGLER, seats), MOST_RAIDED, 0)
    raided = (gained.clip(0).sum(axis=2) <= extra).all(axis=1)
    guests = (rules["guest_windows"] > 0)[:, None, None]
    limit = capacities(rules, opening)
    limit = np.where(guests, np.maximum(limit, capacities(rules, after)), limit)
    crafters = span.acted(Role.CRAFTSMAN, seats)
    doubled = crafters & _may_use(rules, opening, after, Power.DOUBLE_PRIVILEGE)
    privilege = crafters.astype(int) + doubled
    over = np.maximum(gained - limit, 0).sum(axis=2)
    supplied = (
        gained.clip(0).sum(axis=1)
        <= opening["goods_supply"].astype(int) + (opening["festival_goods"])
    )
    crafted = (over <= privilege).all(axis=1) & supplied.all(axis=1)
    crafted &= (gained >= 0).all(axis=(1, 2)) | (span.captured >= 0)
    both = span.captured >= 0  # what a second phase does to units and barrels is not seen apart
    return np.where(span.played(Role.CRAFTSMAN), crafted | both, raided)


def vp_come_from_what_brings_them(
    rules: Rows, opening: States, after: States, span: Span
) -> np.ndarray:
    """I-31: VP come from barrels shipped, and from the buildings and goals that the rules name."""
    gained = after["vp"].astype(int) - opening["vp"]
    seats = gained.shape[1]
    held = opening["goods"].astype(int).sum(axis=2)
    pairs = (opening["goods"] // 2).sum(axis=2)
    sailing, building = span.played(Role.CAPTAIN)[:, None], span.played(Role.BUILDER)[:, None]
    harbor = 1 + _may_use(rules, opening, after, Power.LOAD_VP)
    captain = span.acted(Role.CAPTAIN, seats)
    two = captain & _may_use(rules, opening, after, Power.DOUBLE_PRIVILEGE)
    hall = _may_use(rules, opening, after, Power.PAIR_VP)
    shipped = held * harbor + captain.astype(int) + two + pairs * hall
    both = (span.captured >= 0)[:, None]  # barrels of the first phase may be shipped in the second
    most = np.where(sailing, np.where(both, 200, shipped), 0)
    church = building & _may_use(rules, opening, after, Power.BUILD_VP)
    most += np.where(church, 2, 0)
    goal = (opening["festival_building"] >= 0) & (after["festival_building"] < 0)
    most += np.where(building & goal[:, None], FESTIVAL_VP, 0)
    crafting = span.played(Role.CRAFTSMAN)[:, None]
    most += crafting & _may_use(rules, opening, after, Power.CHAPEL)
    settling = span.played(Role.SETTLER)[:, None]
    most += np.where(settling & _may_use(rules, opening, after, Power.HUNT), LODGE_VP, 0)
    most += np.where(span.acted(Role.SMUGGLER, seats), HOUSE_SLOTS - 1, 0)
    market = building & _may_use(rules, opening, after, Power.BARTER)
    return ((gained <= most) & (gained >= -market.astype(int))).all(axis=1)


def the_row_is_full_again(rules: Rows, opening: States, after: States, span: Span) -> np.ndarray:
    """I-15: after the settler phase n+1 tiles lie in the row, while there are any."""
    tiles = after["row"].sum(axis=1)
    none_left = (after["deck_size"] == 0) & (after["discard"].sum(axis=1) == 0)
    return (span.last != Role.SETTLER) | (tiles == rules["row_size"]) | none_left


def coins_wait_on_roles_not_taken(
    rules: Rows, opening: States, after: States, span: Span
) -> np.ndarray:
    """R-EOR-2: a round's last phase puts a coin on every card left over; else cards only empty.

    Who captures a role takes its coins, and a captured role that is played was used (R-SMG-15).
    """
    change = after["role_coins"].astype(int) - opening["role_coins"]
    cards = np.arange(change.shape[1])
    took = cards == span.role[:, None]
    emptied = took | (cards == span.taken[:, None])
    last = opening["picks"] + 1 == rules["picks_per_round"]
    was_free = (opening["role_owner"] == -1) & ~took & (cards != span.captured[:, None])
    added = np.where(was_free & last[:, None] & (cards != Role.SMUGGLER), 1, 0)
    expected = added - np.where(emptied, opening["role_coins"], 0)
    limited = rules["bank_limited"] > 0
    return (change == expected).all(axis=1) | (limited & (change <= expected).all(axis=1))


PHASE_CHECKS: Final = (
    the_register_is_filled_again,
    stores_hold_what_they_may,
    each_seat_builds_once,
    each_seat_settles_once,
    units_stay_where_they_are,
    barrels_come_from_the_craftsman,
    vp_come_from_what_brings_them,
    the_row_is_full_again,
    coins_wait_on_roles_not_taken,
)
