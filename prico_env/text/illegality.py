"""Why an action is not allowed: the rule that stands against it, in one clause."""

from collections.abc import Callable
from typing import Final

from prico_env.actions import (
    CAPTURE,
    DEAL_WORKER,
    FOREST_FROM_ROW,
    HOSPICE_DRAWN,
    IS_GUEST_MOVE,
    LOAD,
    NAMES,
    PASS,
    POST,
    PRIVILEGE,
    RAID,
    ROLE,
    ROLE_SMUGGLER,
    SELL,
    SMALL_WHARF,
    SUPPLY,
    TAKE,
    TAKE_QUARRY,
    TARGET,
    UNIT,
    WHARF,
    block_of,
)
from prico_env.core.bank import barrels_in_house, can_hire
from prico_env.core.phases import builder, captain, draft, storage
from prico_env.core.phases.settler import has_quarry_right
from prico_env.core.state import State
from prico_env.core.units import count_citizens, empty_circles
from prico_env.ruleset import RuleSet
from prico_env.vocabulary import (
    BUILDINGS,
    CITY_SPACES,
    DECISION_POINTS,
    GOODS,
    HOUSE_SLOTS,
    ISLAND_SPACES,
    NOBODY,
    NUM_SHIPS,
    NUM_SPOTS,
    NUM_TILES,
    PORTRAIT,
    ROLES,
    SPOTS,
    TILES,
    DecisionPoint,
    Phase,
    Power,
    Role,
    Side,
    Unit,
    UsedOnce,
)

_UNIT_NAMES: Final = ("worker", "citizen")


def why_not(rules: RuleSet, state: State, action: int) -> str:
    """Say why the seat to act may not take an action of the phase it is in."""
    verb = block_of(action).verb
    seat = int(state["turn"])
    if action == PASS:
        return _why_not_pass(state)
    if IS_GUEST_MOVE[action]:
        return _why_not_guest(rules, state, seat, action)
    if verb in _POINTS and state["decision_point"] not in _POINTS[verb]:
        return _why_not_here(state, verb)
    reason = _REASONS.get(verb)
    return reason(rules, state, seat, action) if reason else "the rules do not allow it here"


_POINTS: Final = {
    "build": (DecisionPoint.BUY,),
    "pay": (DecisionPoint.PAY,),
    "use": (DecisionPoint.USE_TILE,),
    "lodge": (DecisionPoint.HUNT,),
    "forest": (DecisionPoint.TAKE_TILE, DecisionPoint.TAKE_AGAIN),
    "draw": (DecisionPoint.DRAW_TILE,),
    "raid": (DecisionPoint.SMUGGLE,),
    "plunder": (DecisionPoint.SMUGGLE,),
    "poach": (DecisionPoint.SMUGGLE,),
    "capture": (DecisionPoint.SMUGGLE,),
    "villa": (DecisionPoint.DEAL,),
    "land": (DecisionPoint.SELL,),
    "sell": (DecisionPoint.SELL,),
    "post": (DecisionPoint.SELL,),
    "small_wharf": (DecisionPoint.LOAD, DecisionPoint.SMALL_SHIP),
    "supply": (DecisionPoint.SUPPLY,),
    "deal": (DecisionPoint.DEAL, DecisionPoint.HIRE, DecisionPoint.GATHER),
    "load": (DecisionPoint.LOAD,),
    "wharf": (DecisionPoint.LOAD,),
    "privilege": (DecisionPoint.CRAFTSMAN_PRIVILEGE,),
    "recall": (DecisionPoint.RECALL,),
    "place": (DecisionPoint.PLACE, DecisionPoint.STAFF_BUILDING, DecisionPoint.PLACE_UNITS),
}
"""Where the actions of each verb are asked for at all, within their phase."""

_COMES_FIRST: Final = {
    DecisionPoint.PAY: "the building bought is paid for first, through the black market (R-BLK-3)",
    DecisionPoint.USE_TILE: "it is decided first how the tile drawn is laid (R-FOH-3)",
    DecisionPoint.HIRE: "it is decided first which kind of unit is taken (R-X2-7)",
    DecisionPoint.GATHER: "it is decided first which kinds of units are taken (Q-129)",
    DecisionPoint.PLACE_UNITS: "the units in hand are placed first",
    DecisionPoint.SMALL_SHIP: (
        "the small wharf's barrels are chosen first; pass when they are (R-SWF-1)"
    ),
    DecisionPoint.SUPPLY: "the royal supplier comes before loading; pass when it is done (R-RSP-1)",
    DecisionPoint.RAID: "the barrels of the raid are chosen first (R-SMG-4)",
    DecisionPoint.HUNT: "only the hunting lodges are left in this phase (R-LDG-3)",
    DecisionPoint.TAKE_AGAIN: "the library's second tile is chosen first (R-LIB-4)",
    DecisionPoint.OPEN_WINDOW: "only guests move as a phase opens (R-GST-3)",
    DecisionPoint.TURN_WINDOW: "only guests move before the effects of a first turn (R-GST-3)",
    DecisionPoint.CLOSE_WINDOW: "only guests move as a phase closes (R-GST-3)",
    DecisionPoint.GAIN_COINS: "an offer is taken or declined first (R-ROL-9)",
    DecisionPoint.GAIN_VP: "an offer is taken or declined first (R-ROL-9)",
    DecisionPoint.GAIN_UNITS: "an offer is taken or declined first (R-ROL-9)",
    DecisionPoint.DEAL: "the units of the register are dealt first (R-MAY-4)",
    DecisionPoint.DRAW_TILE: "a tile is drawn or declined first (R-STL-7)",
    DecisionPoint.TAKE_TILE: "a tile is taken or declined first (R-STL-8)",
    DecisionPoint.STAFF_TILE: "only the hospice's worker is left to be placed (R-HOS-1)",
    DecisionPoint.STAFF_BUILDING: "only the university's worker is left to be placed (R-UNI-1)",
    DecisionPoint.RECALL: "pass first: units are taken back before any is put down (R-MAY-5)",
    DecisionPoint.PLACE: (
        "the units in hand are put down now, and nobody is taken back any more (R-MAY-5)"
    ),
}


_NOT_NOW: Final = {
    "pay": "resources are returned only while a building is being paid for (R-BLK-1)",
    "use": "no tile has just been drawn (R-FOH-3)",
    "supply": "the royal supplier works once, before the loading (R-RSP-1)",
    "deal": "no unit is being dealt or handed out here (R-X2-6)",
    "place": "no unit is in hand here (R-MAY-10)",
    "recall": "the units of the register are dealt first (R-MAY-4)",
    "lodge": "the hunting lodges work as the phase closes (R-LDG-3)",
    "draw": "the draw comes once, before the normal action (R-STL-7, R-HAC-6)",
    "villa": "the villa works while the register is being dealt (R-VIL-1)",
    "privilege": "the privilege comes when all have produced (R-CRA-7)",
}
"""Why a kind of action is not asked here, where nothing in particular comes first."""


def _why_not_here(state: State, verb: str) -> str:
    point = DecisionPoint(state["decision_point"])
    otherwise = _NOT_NOW.get(
        verb, f"this is not asked here; the game waits at {DECISION_POINTS[point]!r}"
    )
    if verb == "draw" and point in (DecisionPoint.TAKE_TILE, DecisionPoint.STAFF_TILE):
        return otherwise  # too late for it, whatever comes first
    return _COMES_FIRST.get(point, otherwise)


_NO_PASSING: Final = {
    DecisionPoint.CHOOSE_ROLE: "a role must be taken (R-ROL-1)",
    DecisionPoint.LOAD: "goods that a cargo ship can take must be loaded (R-CAP-2)",
    DecisionPoint.PLACE: "no worker is held back while a circle is empty (R-MAY-7)",
    DecisionPoint.RECALL: (
        "as many circles as there are units for must be filled in the end (R-MAY-7)"
    ),
    DecisionPoint.DRAFT: "everybody chooses a building; nobody passes (R-X1-4)",
    DecisionPoint.PAY: "the rest of the price is still missing (R-BLK-3)",
    DecisionPoint.USE_TILE: "the tile drawn must be laid one way or the other (R-HAC-2)",
    DecisionPoint.DEAL: "a unit must be taken, and only its kind can be chosen (R-MAY-3)",
    DecisionPoint.HIRE: "a unit is being taken, and only its kind can be chosen (R-X2-7)",
    DecisionPoint.GATHER: "the units are being taken, and only their kinds can be chosen (Q-129)",
    DecisionPoint.SUPPLY: "exactly one barrel is returned for each citizen (R-RSP-5)",
    DecisionPoint.STORE: "as much as may be kept must be kept (R-CAP-11)",
}


def _why_not_pass(state: State) -> str:
    return _NO_PASSING.get(DecisionPoint(state["decision_point"]), "this choice is not optional")


# -- role cards and the draft ----------------------------------------------------------------------


def _why_not_role(rules: RuleSet, state: State, seat: int, action: int) -> str:
    role = Role.SMUGGLER if action == ROLE_SMUGGLER else action - ROLE
    owner = state["role_owner"][role]
    if owner < NOBODY:
        return f"{ROLES[role]} is not in play with so many players"
    if owner != NOBODY:
        return f"seat {owner} has taken {ROLES[role]} this round (R-ROL-2)"
    if role == Role.SMUGGLER:
        return f"seat {seat} has the smuggler tile and waits until somebody takes it (R-SMG-3)"
    return (
        f"seat {seat} has captured {ROLES[role]} and plays it at the end of the round, unless "
        "somebody else takes it (R-SMG-12)"
    )


def _why_not_board(rules: RuleSet, state: State, seat: int, action: int) -> str:
    building = int(TARGET[action])
    name, table = BUILDINGS[building], rules.table[0]
    if not table["draft_pool"][building]:
        return f"{name} is in every game and is not drafted (R-X1-1)"
    if state["board"][building]:
        return f"{name} has been chosen already (R-X1-4)"
    cost = int(table["cost"][building])
    if draft.slots_left(table, state, cost) == 0:
        return f"the board has no place left for a building that costs {cost} (R-X1-3)"
    return _why_not_here(state, "board")


# -- settler ---------------------------------------------------------------------------------------


def _why_not_take(rules: RuleSet, state: State, seat: int, action: int) -> str:
    again = state["decision_point"] == DecisionPoint.TAKE_AGAIN
    if state["island_used"][seat] == ISLAND_SPACES:
        return "all twelve island spaces are filled (R-STL-4)"
    if action != TAKE_QUARRY and state["row"][action - TAKE] == 0:
        return f"no {TILES[action - TAKE]} lies in the row"
    if action == TAKE_QUARRY and state["quarries"] == 0:
        return "no quarry is left (R-STL-5)"
    if action == TAKE_QUARRY and not has_quarry_right(state, seat):
        if again:
            return "the second tile is a quarry only with an occupied construction hut (R-LIB-5)"
        if seat != state["actor"]:
            return "only the actor or an occupied construction hut may take a quarry (R-STL-2)"
    if state["decision_point"] == DecisionPoint.DRAW_TILE:
        return "a tile is drawn or declined first"
    return _why_not_here(state, "take")


def _why_not_draw(rules: RuleSet, state: State, seat: int, action: int) -> str:
    if state["powers"][seat, Power.EXTRA_TILE] == 0:
        return f"seat {seat} has no occupied hacienda (R-HAC-1)"
    if state["island_used"][seat] == ISLAND_SPACES:
        return "all twelve island spaces are filled (R-HAC-3)"
    return "no plantation is left to draw (R-STL-13)"


def _why_not_hospice(rules: RuleSet, state: State, seat: int, action: int) -> str:
    drawn = action == HOSPICE_DRAWN
    tile = state["drawn"] if drawn else state["taken"]
    if state["decision_point"] != DecisionPoint.STAFF_TILE:
        return _why_not_here(state, "hospice")
    if state["powers"][seat, Power.STAFF_TILE] == 0:
        return f"seat {seat} has no occupied hospice (R-HOS-1)"
    if not can_hire(rules.table[0], state):
        return "no unit is left in supply and register (R-HOS-2)"
    if drawn and not rules.table[0]["hospice_scope_is_either_tile_once"]:
        return "in this game the hospice serves the tile taken only (R-HOS-3)"
    if tile == NOBODY:
        return f"no tile was {'drawn' if drawn else 'taken'} this turn (R-HOS-1)"
    if drawn and state["drawn"] == state["taken"]:
        return "it is the same as hospice:taken, for both tiles are of one kind (R-HOS-3)"
    return "the tile has a unit already (R-HOS-1)"


def _why_not_forest(rules: RuleSet, state: State, seat: int, action: int) -> str:
    table = rules.table[0]
    from_row = action < FOREST_FROM_ROW + len(GOODS)
    if from_row and table["forest_source_is_own_stack_12"]:
        return "in this game forests come from a stack of their own: take 'forest' (R-FOH-1)"
    if not from_row and not table["forest_source_is_own_stack_12"]:
        return "in this game a tile of the row becomes the forest: 'forest:corn' ... (R-FOH-2)"
    if state["powers"][seat, Power.FOREST] == 0:
        return f"seat {seat} has no occupied forest_house (R-FOH-1)"
    if state["island_used"][seat] == ISLAND_SPACES:
        return "all twelve island spaces are filled (R-STL-4)"
    if not from_row:
        return "no forest is left in the stack (R-FOH-1)"
    return f"no {GOODS[action - FOREST_FROM_ROW]} lies in the row"


def _why_not_lodge(rules: RuleSet, state: State, seat: int, action: int) -> str:
    if state["powers"][seat, Power.HUNT] != Side.WORKER:
        return f"seat {seat} has no worker on a hunting_lodge (R-LDG-1)"
    return f"seat {seat} has no {_tile_named(action)} on its island (R-LDG-1)"


def _tile_named(action: int) -> str:
    return NAMES[action].rpartition(":")[2]


# -- mayor and units -------------------------------------------------------------------------------


def _why_not_staffing(rules: RuleSet, state: State, seat: int, action: int) -> str:
    spot, unit = int(TARGET[action]), int(UNIT[action])
    point, name = state["decision_point"], SPOTS[spot]
    if point == DecisionPoint.STAFF_BUILDING:
        return "the university's worker goes on the building just bought (R-UNI-1)"
    if point == DecisionPoint.PLACE_UNITS:
        in_hand = state["hand_citizens"] if unit == Unit.CITIZEN else state["hand_workers"]
        if in_hand == 0:
            return f"no {_UNIT_NAMES[unit]} is in hand"
        if empty_circles(rules.table[0], state, seat, spot) <= 0:
            return f"seat {seat} has no empty circle on {name} (R-MAY-6)"
        return f"spots are chosen in ascending order, and the place of {name} has passed"
    return _why_not_edit(rules, state, seat, spot, unit)


def _why_not_edit(rules: RuleSet, state: State, seat: int, spot: int, unit: int) -> str:
    """Why a unit is not taken back from a spot, or not put there, in the mayor phase."""
    name, kind = SPOTS[spot], _UNIT_NAMES[unit]
    field = "citizens" if unit == Unit.CITIZEN else "workers"
    recalls = state["decision_point"] == DecisionPoint.RECALL
    if recalls and state[field][seat, spot] <= 0:
        return f"seat {seat} has no {kind} on {name} (R-MAY-5)"
    if not recalls and state[f"portrait_{field}"][seat] <= 0:
        return f"seat {seat} has no {kind} in hand (R-MAY-5)"
    if not recalls and empty_circles(rules.table[0], state, seat, spot) <= 0:
        return f"seat {seat} has no empty circle on {name} (R-MAY-6)"
    if not recalls and state["recalled"][spot] & (1 << unit):
        return f"no {kind} returns to {name}, where one was taken back in this phase"
    if spot + unit * NUM_SPOTS < state["cursor"]:
        return f"spots are chosen in ascending order, and the place of {name} has passed"
    return "the units in hand would not all find a circle (R-MAY-7)"


def _why_not_deal(rules: RuleSet, state: State, seat: int, action: int) -> str:
    unit = _UNIT_NAMES[action - DEAL_WORKER]
    if (
        state["decision_point"] == DecisionPoint.GATHER
        and unit == "citizen"
        and state["hand_workers"] > 0
    ):
        return "citizens are taken before workers (Q-129)"
    if state["decision_point"] == DecisionPoint.GATHER:
        return f"there are not enough {unit}s where the units are taken from (Q-129)"
    if state["decision_point"] == DecisionPoint.DEAL:
        return f"no {unit} is on the register (R-X2-6)"
    return f"no {unit} may be taken from the supply, or from the register behind it (R-X2-7)"


def _why_not_villa(rules: RuleSet, state: State, seat: int, action: int) -> str:
    if state["powers"][seat, Power.VILLA] == 0:
        return f"seat {seat} has no occupied villa (R-VIL-1)"
    if rules.table[0]["villa_mode_is_extra"]:
        return "in this game the villa's unit comes on top, without a choice (R-VIL-1)"
    if state["citizen_supply"] + state["worker_supply"] == 0:
        return "no unit is left in the supply (R-VIL-2)"
    return "the villa works on its owner's first turn only (R-VIL-1)"


def _why_not_guest(rules: RuleSet, state: State, seat: int, action: int) -> str:
    spot, unit = int(TARGET[action]), int(UNIT[action])
    table = rules.table[0]
    house = int(table["power_spot"][Power.GUESTS])
    if not table["guest_windows"]:
        return "nobody can be a guest in this game"
    units = state["citizens"] if unit == Unit.CITIZEN else state["workers"]
    if units[seat, house] == 0:
        return f"seat {seat} has no {_UNIT_NAMES[unit]} on a guest_house (R-GST-2)"
    if spot == house:
        return "a guest moves to another building or tile (R-GST-2)"
    if empty_circles(table, state, seat, spot) <= 0:
        return f"seat {seat} has no empty circle on {SPOTS[spot]} (R-GST-2)"
    if state["phase"] in (Phase.MAYOR, Phase.SMUGGLER):
        return "guests do not move in this phase (R-GST-3, Q-138)"
    return "guests move as a phase opens or closes, and at the decisions of an own turn (R-GST-3)"


# -- builder ---------------------------------------------------------------------------------------


def _why_not_build(rules: RuleSet, state: State, seat: int, action: int) -> str:
    building = int(TARGET[action])
    name, table = BUILDINGS[building], rules.table[0]
    if state["owned"][seat, NUM_TILES + building]:
        return f"seat {seat} has a {name} already (R-BLD-2)"
    if table["draft_pool"][building] and not state["board"][building]:
        return f"{name} is not on the board of this game (R-X1-4)"
    if state["building_supply"][building] == 0:
        return f"no {name} is left to buy (R-BLD-2)"
    free = CITY_SPACES - int(state["city_used"][seat])
    if table["spaces"][building] > free:
        return f"{name} takes {table['spaces'][building]} city spaces and {free} are free (R-BLD-3)"
    price = builder.price(table, state, seat, building)
    has = f"{name} costs {price} and seat {seat} has {state['coins'][seat]} coins"
    if state["powers"][seat, Power.BARTER] == 0:
        return f"{has} (R-BLD-4)"
    barter = builder.barter(table, state, seat)
    return f"{has}, and its black market makes up for {barter} more at most (R-BLK-3)"


def _why_not_pay(rules: RuleSet, state: State, seat: int, action: int) -> str:
    kind, word = block_of(action).kind, NAMES[action].rpartition(":")[2]
    order = "what is left to return would not make up for the missing coins, or its turn has passed"
    if kind == "pay_vp":
        return f"seat {seat} has no VP" if state["vp"][seat] <= 0 else f"{order} (R-BLK-3)"
    if kind == "pay_good":
        if state["goods"][seat, GOODS.index(word)] == 0:
            return f"seat {seat} has no {word}"
        return f"one barrel at most is returned, after the unit: {order} (R-BLK-2, R-BLK-3)"
    spot, unit = int(TARGET[action]), int(UNIT[action])
    field = "citizens" if unit == Unit.CITIZEN else "workers"
    portrait = spot == PORTRAIT
    units = state[f"portrait_{field}"][seat] if portrait else state[field][seat, spot]
    if units <= 0:
        return f"seat {seat} has no {_UNIT_NAMES[unit]} there: {word} (R-BLK-5)"
    if spot == rules.table[0]["power_spot"][Power.BARTER]:
        return "the unit on the black market itself cannot be returned (R-BLK-5)"
    return f"one unit at most is returned, and first of all: {order} (R-BLK-2, R-BLK-3)"


# -- what is offered, and storage ------------------------------------------------------------------


def _why_not_gain(rules: RuleSet, state: State, seat: int, action: int) -> str:
    return "nothing is offered here (R-ROL-9)"


def _why_not_keep(rules: RuleSet, state: State, seat: int, action: int) -> str:
    good = NAMES[action].rpartition(":")[2]
    if state["goods"][seat, GOODS.index(good)] == 0:
        return f"seat {seat} has no {good}"
    if block_of(action).kind == "store" and storage.kinds_to_store(state, seat) == 0:
        return f"seat {seat} has no occupied warehouse (R-CAP-10)"
    return f"no more {good} may be kept, or its place in the ascending order has passed (R-CAP-10)"


# -- craftsman and trader --------------------------------------------------------------------------


def _why_not_privilege(rules: RuleSet, state: State, seat: int, action: int) -> str:
    good = action - PRIVILEGE
    if state["privilege_goods"][good] and not rules.table[0]["library_two_same_goods"]:
        return f"the library's second barrel is of another kind than {GOODS[good]} (R-LIB-7)"
    return f"no {GOODS[good]} was produced, or none is left in the supply"


def _why_not_sell(rules: RuleSet, state: State, seat: int, action: int) -> str:
    good = action - SELL
    if state["used_once"][seat] & UsedOnce.SOLD:
        return f"seat {seat} has sold a barrel already (R-TRA-1)"
    if state["goods"][seat, good] == 0:
        return f"seat {seat} has no {GOODS[good]}"
    if barrels_in_house(state) == HOUSE_SLOTS:
        return "the trading house is full (R-TRA-2)"
    return f"the trading house holds {GOODS[good]} already (R-TRA-3)"


def _why_not_post(rules: RuleSet, state: State, seat: int, action: int) -> str:
    good = action - POST
    if state["powers"][seat, Power.OWN_MARKET] == 0:
        return f"seat {seat} has no occupied trading_post (R-TPO-1)"
    if state["used_once"][seat] & UsedOnce.SOLD:
        return f"seat {seat} has sold a barrel already (R-TRA-1)"
    if state["goods"][seat, good] == 0:
        return f"seat {seat} has no {GOODS[good]}"
    return "in this game the trading post closes with a full trading house (R-TPO-5)"


def _why_not_land(rules: RuleSet, state: State, seat: int, action: int) -> str:
    buys = block_of(action).kind == "land_buy"
    side, unit = (Side.WORKER, "worker") if buys else (Side.CITIZEN, "citizen")
    rule = "R-LND-2" if buys else "R-LND-3"
    if state["used_once"][seat] & UsedOnce.LAND:
        return "the land office trades once a phase (R-LND-1)"
    if state["powers"][seat, Power.LAND_TRADE] != side:
        return f"seat {seat} has no {unit} on a land_office ({rule})"
    if not buys and _tile_named(action) == "forest":
        if not rules.table[0]["land_office_sells_forest"]:
            return "in this game forests are not sold (R-LND-3)"
        return f"seat {seat} has no forest on its island (R-LND-3)"
    if not buys:
        return f"seat {seat} has no {_tile_named(action)} on its island (R-LND-3)"
    if state["coins"][seat] <= 0:
        return f"a tile costs 1 coin, and seat {seat} has none (R-LND-2)"
    if state["island_used"][seat] == ISLAND_SPACES:
        return "all twelve island spaces are filled (R-LND-2)"
    return "no plantation is left to draw (R-LND-2)"


# -- captain ---------------------------------------------------------------------------------------


def _why_not_load(rules: RuleSet, state: State, seat: int, action: int) -> str:
    good, ship = divmod(action - LOAD, NUM_SHIPS)
    table = rules.table[0]
    if ship >= table["num_ships"]:
        return f"there are only {table['num_ships']} ships"
    if state["goods"][seat, good] == 0:
        return f"seat {seat} has no {GOODS[good]}"
    carrier = captain.ship_that_carries(state, good)
    if carrier != NOBODY and carrier != ship:
        return f"ship {carrier + 1} carries {GOODS[good]} (R-CAP-3)"
    if state["ship_good"][ship] not in (NOBODY, good):
        return f"ship {ship + 1} carries {GOODS[state['ship_good'][ship]]} (R-CAP-3)"
    if captain.free_space(table, state, ship) == 0:
        return f"ship {ship + 1} is full (R-CAP-3)"
    return f"another empty ship takes more {GOODS[good]} (R-CAP-3)"


def _why_not_wharf(rules: RuleSet, state: State, seat: int, action: int) -> str:
    if state["powers"][seat, Power.OWN_SHIP] == 0:
        return f"seat {seat} has no occupied wharf (R-WHF-1)"
    if state["wharf_used"][seat]:
        return "the wharf works once a phase (R-WHF-1)"
    return f"seat {seat} has no {GOODS[action - WHARF]}"


def _why_not_small_wharf(rules: RuleSet, state: State, seat: int, action: int) -> str:
    good = action - SMALL_WHARF
    if state["decision_point"] == DecisionPoint.SMALL_SHIP and state["goods"][seat, good] > 0:
        return f"kinds are chosen in ascending order, and the place of {GOODS[good]} has passed"
    if (
        state["decision_point"] == DecisionPoint.LOAD
        and state["powers"][seat, Power.SMALL_SHIP] == 0
    ):
        return f"seat {seat} has no occupied small_wharf (R-SWF-1)"
    if state["decision_point"] == DecisionPoint.LOAD and state["small_wharf_used"][seat]:
        return "the small wharf works once a phase (R-SWF-1)"
    return f"seat {seat} has no {GOODS[good]}"


def _why_not_supply(rules: RuleSet, state: State, seat: int, action: int) -> str:
    good = action - SUPPLY
    if state["powers"][seat, Power.SUPPLY] == 0:
        return f"seat {seat} has no occupied royal_supplier (R-RSP-1)"
    citizens = int(count_citizens(state, seat))
    if state["value"] >= citizens:
        return f"one barrel is returned for each citizen, and seat {seat} has {citizens} (R-RSP-1)"
    if state["goods"][seat, good] == 0:
        return f"seat {seat} has no {GOODS[good]}"
    if good < state["cursor"]:
        return (
            "the barrels are of different kinds, chosen in ascending order, and the place of "
            f"{GOODS[good]} has passed (R-RSP-1)"
        )
    return "the barrels must be exactly as many as the citizens (R-RSP-5)"


# -- smuggler --------------------------------------------------------------------------------------


def _why_not_raid(rules: RuleSet, state: State, seat: int, action: int) -> str:
    if action - RAID >= rules.table[0]["num_ships"]:
        return f"there are only {rules.table[0]['num_ships']} ships"
    return f"ship {action - RAID + 1} is empty (R-SMG-4, Q-126)"


def _why_not_plunder(rules: RuleSet, state: State, seat: int, action: int) -> str:
    return "the trading house is empty (R-SMG-5, Q-127)"


def _why_not_poach(rules: RuleSet, state: State, seat: int, action: int) -> str:
    units = int(state["register_workers"] + state["register_citizens"])
    return (
        f"{rules.players} units stay on the register, and it has {units}, so none can be taken "
        "(R-SMG-6)"
    )


def _why_not_capture(rules: RuleSet, state: State, seat: int, action: int) -> str:
    role = action - CAPTURE
    if state["role_owner"][role] < NOBODY:
        return f"{ROLES[role]} is not in play with so many players"
    return f"seat {state['role_owner'][role]} has taken {ROLES[role]} this round (R-SMG-7)"


_REASONS: Final[dict[str, Callable[[RuleSet, State, int, int], str]]] = {
    "role": _why_not_role, "board": _why_not_board, "take": _why_not_take, "draw": _why_not_draw,
    "hospice": _why_not_hospice, "forest": _why_not_forest,
    "lodge": _why_not_lodge, "recall": _why_not_staffing, "place": _why_not_staffing,
    "deal": _why_not_deal, "villa": _why_not_villa, "build": _why_not_build,
    "pay": _why_not_pay, "gain": _why_not_gain, "store": _why_not_keep, "keep": _why_not_keep,
    "privilege": _why_not_privilege, "sell": _why_not_sell,
    "post": _why_not_post, "land": _why_not_land,
    "load": _why_not_load, "wharf": _why_not_wharf, "small_wharf": _why_not_small_wharf,
    "supply": _why_not_supply, "raid": _why_not_raid, "plunder": _why_not_plunder,
    "poach": _why_not_poach, "capture": _why_not_capture,
}  # fmt: skip
"""What may stand against the actions of each verb."""
