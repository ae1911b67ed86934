"""Why an action is not allowed: the rule that stands against it, in one clause."""

from prico_env.actions import (
    BUILD_ACTION,
    LOAD,
    PASS,
    PRIVILEGE,
    ROLE,
    SELL,
    TAKE,
    TAKE_QUARRY,
    TARGET,
    WHARF,
    block_of,
)
from prico_env.phases import builder, captain, settler, trader
from prico_env.ruleset import RuleSet
from prico_env.state import State
from prico_env.vocabulary import (
    BUILDINGS,
    CITY_SPACES,
    GOODS,
    HOUSE_SLOTS,
    ISLAND_SPACES,
    NOBODY,
    NUM_SHIPS,
    NUM_TILES,
    ROLES,
    SPOTS,
    TILES,
    Point,
    Power,
)


def why_not(rules: RuleSet, state: State, action: int) -> str:
    """Say why the seat to act may not take an action of the phase it is in."""
    kind = block_of(action).kind
    seat = int(state["turn"])
    if action == PASS:
        return _why_not_pass(state)
    if kind == "role":
        return _why_not_role(state, action - ROLE)
    if kind == "take":
        return _why_not_take(state, seat, action - TAKE)
    if action in BUILD_ACTION:
        return _why_not_build(rules, state, seat, int(TARGET[action]))
    if kind == "sell":
        return _why_not_sell(state, seat, action - SELL)
    if kind == "load":
        good, ship = divmod(action - LOAD, NUM_SHIPS)
        return _why_not_load(rules, state, seat, good, ship)
    if kind == "wharf":
        return _why_not_wharf(state, seat, action - WHARF)
    if kind == "privilege":
        return f"no {GOODS[action - PRIVILEGE]} was produced, or none is left in the supply"
    if kind in ("recall", "place"):
        return (
            f"{SPOTS[TARGET[action]]} has no unit or circle for it, its place in the order has "
            "passed, or the workers in hand would not all find a circle"
        )
    return "the rules do not allow it here"


def _why_not_pass(state: State) -> str:
    if state["point"] == Point.CHOOSE_ROLE:
        return "a role must be taken (R-ROL-1)"
    if state["point"] == Point.LOAD:
        return "goods that a cargo ship can take must be loaded (R-CAP-2)"
    if state["point"] == Point.PLACE:
        return "no worker is held back while a circle is empty (R-MAY-7)"
    return "this choice is not optional"


def _why_not_role(state: State, role: int) -> str:
    owner = state["role_owner"][role]
    if owner < NOBODY:
        return f"{ROLES[role]} is not in play with so many players"
    return f"seat {owner} has taken {ROLES[role]} this round (R-ROL-2)"


def _why_not_take(state: State, seat: int, tile: int) -> str:
    if state["island_used"][seat] == ISLAND_SPACES:
        return "all twelve island spaces are filled (R-STL-4)"
    if TAKE + tile != TAKE_QUARRY:
        return f"no {TILES[tile]} lies in the row"
    if state["quarries"] == 0:
        return "no quarry is left (R-STL-5)"
    if not settler.can_take_quarry(state, seat):
        return "only the actor or an occupied construction hut may take a quarry (R-STL-2)"
    return "a tile is drawn or declined first"


def _why_not_build(rules: RuleSet, state: State, seat: int, building: int) -> str:
    name = BUILDINGS[building]
    table = rules.table[0]
    if state["tiles"][seat, NUM_TILES + building]:
        return f"seat {seat} has a {name} already (R-BLD-2)"
    if state["building_supply"][building] == 0:
        return f"no {name} is left to buy (R-BLD-2)"
    free = CITY_SPACES - int(state["city_used"][seat])
    if table["spaces"][building] > free:
        return f"{name} takes {table['spaces'][building]} city spaces and {free} are free (R-BLD-3)"
    price = builder.price(table, state, seat, building)
    return f"{name} costs {price} and seat {seat} has {state['coins'][seat]} coins (R-BLD-4)"


def _why_not_sell(state: State, seat: int, good: int) -> str:
    if state["goods"][seat, good] == 0:
        return f"seat {seat} has no {GOODS[good]}"
    if trader.barrels_in_house(state) == HOUSE_SLOTS:
        return "the trading house is full (R-TRA-2)"
    return f"the trading house holds {GOODS[good]} already (R-TRA-3)"


def _why_not_load(rules: RuleSet, state: State, seat: int, good: int, ship: int) -> str:
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


def _why_not_wharf(state: State, seat: int, good: int) -> str:
    if state["powers"][seat, Power.OWN_SHIP] == 0:
        return f"seat {seat} has no occupied wharf (R-WHF-1)"
    if state["wharf_used"][seat]:
        return "the wharf works once a phase (R-WHF-1)"
    return f"seat {seat} has no {GOODS[good]}"
