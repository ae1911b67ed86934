"""A quick move at every point, without looking further than the next step.

Roles are chosen by rules of thumb and units by where they do most good. Everywhere else each move
is tried, and the one that leaves its seat with most is taken.
"""

from typing import Any, Final

from prico_agents.heuristic_engine.evaluation import appraise_seat
from prico_agents.heuristic_engine.horizon import Outlook, fill_outlook
from prico_agents.heuristic_engine.placement import staff
from prico_agents.heuristic_engine.scratch import STEP
from prico_env.actions import (
    DRAW,
    IS_GUEST_MOVE,
    KEEP,
    NUM_BASE_ACTIONS,
    PASS,
    ROLE,
    ROLE_SMUGGLER,
    STORE,
)
from prico_env.core.api import (
    Rules,
    State,
    advance,
    apply,
    capacity,
    copy_record,
    free_circles,
    kernel,
)
from prico_env.vocabulary import (
    CITY_SPACES,
    HOUSE_SLOTS,
    ISLAND_SPACES,
    NUM_BASE_ROLES,
    NUM_GOODS,
    NUM_SHIPS,
    DecisionPoint,
    Power,
    Role,
)

_NOT_YET: Final = -1.0e9
_CHEAPEST: Final = 2
_DEAREST: Final = 10
_SINGLE_BARREL: Final = 0.5
_SMUGGLER_WORTH: Final = 0.5
_RESTLESS: Final = 0.3
"""VP that the move of a guest must bring: guests could move for ever."""
_BARREL: Final = 0.8
"""VP of a barrel that a craftsman phase brings."""
_SOLD: Final = 0.4
"""The chance to sell the first of a kind."""


@kernel
def habit(rules: Rules, state: State, legal: Any, beliefs: Any, desk: Any) -> int:
    """Choose a move of the seat to act at once.

    Moves are tried on the record as it is, so hand a record whose hidden part is a guess
    (`determinize`).

    Args:
        rules: The rule set.
        state: The game.
        legal: What is allowed, at least one move.
        beliefs: A record of `BELIEFS`.
        desk: A `Desk`; its record ``STEP`` and its arrays are written over.
    """
    point, player = state["decision_point"], state["turn"]
    fill_outlook(rules, state, beliefs, desk.outlook)
    if point == DecisionPoint.RECALL or point == DecisionPoint.PLACE:
        return staff(rules, state, player, legal, beliefs, desk)
    if point == DecisionPoint.CHOOSE_ROLE:
        return _role(rules, state, player, legal, beliefs, desk.outlook)
    if point == DecisionPoint.STORE:
        return _store(rules, state, player, legal)
    if point == DecisionPoint.DRAW_TILE:
        return _draw(state, player, legal)
    return _try_all(rules, state, player, legal, beliefs, desk)


@kernel
def play_by_habit(
    rules: Rules, state: State, legal: Any, choices: int, roles: int, beliefs: Any, desk: Any
) -> None:
    """Play on until a role is to be chosen after so many others, or to the end.

    Args:
        rules: The rule set.
        state: The game, in which the seat to act has so many ``choices``.
        legal: What is allowed there; written over.
        choices: How many that are.
        roles: Choices of a role on the way.
        beliefs: A record of `BELIEFS`.
        desk: A `Desk`; see `habit`.
    """
    while choices > 0:
        if state["decision_point"] == DecisionPoint.CHOOSE_ROLE:
            if roles == 0:
                break
            roles -= 1
        apply(rules, state, habit(rules, state, legal, beliefs, desk))
        choices = advance(rules, state, legal, desk.forced_log, True)


@kernel
def _try_all(rules: Rules, state: State, player: int, legal: Any, beliefs: Any, desk: Any) -> int:
    """Carry out each move on a copy, and take the one after which this seat may expect most."""
    trial = desk.states[STEP]
    best, chosen = _NOT_YET, PASS
    for action in range(rules["num_actions"]):
        if legal[action]:
            copy_record(trial, state)
            worth = worth_after(rules, trial, action, player, beliefs, desk.outlook)
            if worth > best:
                best, chosen = worth, action
    return chosen


@kernel
def worth_after(
    rules: Rules, trial: State, action: int, player: int, beliefs: Any, outlook: Any
) -> float:
    """Carry out a move, and return the final score that a seat may expect then.

    ``outlook`` must be that before the move.
    """
    apply(rules, trial, action)
    worth = appraise_seat(rules, trial, player, beliefs, outlook)
    if action >= NUM_BASE_ACTIONS and IS_GUEST_MOVE[action]:
        worth -= _RESTLESS
    return worth


@kernel
def _store(rules: Rules, state: State, player: int, legal: Any) -> int:
    """Keep the most barrels, and the dearest of those left over."""
    best, chosen = _NOT_YET, PASS
    for good in range(NUM_GOODS):
        price = 0.1 * rules["good_price"][good]
        if legal[STORE + good] and state["goods"][player, good] + price > best:
            best, chosen = state["goods"][player, good] + price, STORE + good
        if legal[KEEP + good] and 1.0 + price > best:
            best, chosen = 1.0 + price, KEEP + good
    return chosen


@kernel
def _draw(state: State, player: int, legal: Any) -> int:
    """Draw a tile besides, as long as space is left for one of one's choice."""
    if legal[DRAW] and (state["island_used"][player] < ISLAND_SPACES - 1 or not legal[PASS]):
        return DRAW
    for action in range(PASS, DRAW):
        if legal[action]:
            return action
    return PASS


# -- roles -----------------------------------------------------------------------------------------


@kernel
def _role(rules: Rules, state: State, player: int, legal: Any, beliefs: Any, outlook: Any) -> int:
    """Take the role that brings most."""
    best, chosen = _NOT_YET, PASS
    for role in range(NUM_BASE_ROLES):
        if legal[ROLE + role]:
            worth = worth_of_role(rules, state, player, role, beliefs, outlook)
            if worth > best:
                best, chosen = worth, ROLE + role
    if rules["num_actions"] > ROLE_SMUGGLER and legal[ROLE_SMUGGLER]:
        if worth_of_role(rules, state, player, Role.SMUGGLER, beliefs, outlook) > best:
            chosen = ROLE_SMUGGLER
    return chosen


@kernel
def worth_of_role(
    rules: Rules, state: State, player: int, role: int, beliefs: Any, outlook: Any
) -> float:
    """VP that a role brings now: its coins, one's gain, less what others gain by it."""
    if role == Role.SMUGGLER:
        worth = beliefs["role"][role] + _SMUGGLER_WORTH
        return worth + state["role_coins"][role] * outlook[Outlook.COIN]
    players = rules["num_players"]
    own = gain(rules, state, player, role, True, beliefs, outlook)
    later = gain(rules, state, player, role, False, beliefs, outlook)
    others = 0.0
    for step in range(1, players):
        other = (player + step) % players
        others += gain(rules, state, other, role, False, beliefs, outlook)
    worth = own - beliefs["follow"] * later - beliefs["envy"] * others / (players - 1)
    return worth + (state["role_coins"][role] * outlook[Outlook.COIN] + beliefs["role"][role])


@kernel
def gain(
    rules: Rules, state: State, player: int, role: int, actor: bool, beliefs: Any, outlook: Any
) -> float:
    """VP that a role brings a seat now, roughly, as its actor or behind another."""
    if role == Role.SETTLER:
        if state["island_used"][player] >= ISLAND_SPACES:
            return 0.0
        return beliefs["tile"] * outlook[Outlook.CRAFTSMEN]
    if role == Role.MAYOR:
        return _gain_of_mayor(rules, state, player, actor, beliefs, outlook)
    if role == Role.BUILDER:
        return _gain_of_builder(state, player, actor, beliefs, outlook)
    if role == Role.CRAFTSMAN:
        return _gain_of_craftsman(rules, state, player, actor, beliefs, outlook)
    if role == Role.TRADER:
        return _gain_of_trader(rules, state, player, actor, outlook)
    if role == Role.CAPTAIN:
        return _gain_of_captain(rules, state, player, actor, beliefs)
    return outlook[Outlook.COIN] if actor else 0.0


@kernel
def _gain_of_mayor(
    rules: Rules, state: State, player: int, actor: bool, beliefs: Any, outlook: Any
) -> float:
    players = rules["num_players"]
    circles = free_circles(rules, state, player)
    units = (state["register_workers"] + state["register_citizens"]) // players + actor
    units += state["portrait_workers"][player] + state["portrait_citizens"][player]
    return beliefs["unit"] * min(units, circles) * outlook[Outlook.CRAFTSMEN]


@kernel
def _gain_of_builder(state: State, player: int, actor: bool, beliefs: Any, outlook: Any) -> float:
    coins = state["coins"][player] + actor
    if coins < _CHEAPEST or state["city_used"][player] >= CITY_SPACES:
        return 0.0
    gain = beliefs["spend"] * min(coins, _DEAREST)
    return gain + outlook[Outlook.COIN] if actor else gain


@kernel
def _gain_of_craftsman(
    rules: Rules, state: State, player: int, actor: bool, beliefs: Any, outlook: Any
) -> float:
    total, kinds = 0.0, 0
    for good in range(NUM_GOODS):
        made = min(capacity(rules, state, player, good), state["goods_supply"][good])
        if made > 0:
            kinds += 1
            total += made * _BARREL
            if state["goods"][player, good] == 0:
                total += _SOLD * rules["good_price"][good] * outlook[Outlook.COIN]
    if state["powers"][player, Power.KIND_INCOME] > 0:
        total += rules["kind_income"][kinds] * outlook[Outlook.COIN]
    return total + _BARREL if actor and kinds > 0 else total


@kernel
def _gain_of_trader(rules: Rules, state: State, player: int, actor: bool, outlook: Any) -> float:
    taken = 0
    for good in range(NUM_GOODS):
        taken += state["house"][good]
    if taken >= HOUSE_SLOTS:
        return 0.0
    best = 0.0
    for good in range(NUM_GOODS):
        if state["goods"][player, good] > 0:
            if state["house"][good] == 0 or state["powers"][player, Power.SELL_ANY_KIND] > 0:
                coins = rules["good_price"][good] + actor
                coins += state["powers"][player, Power.SALE_BONUS]
                best = max(best, coins * outlook[Outlook.COIN] - _SINGLE_BARREL)
    return best


@kernel
def _gain_of_captain(rules: Rules, state: State, player: int, actor: bool, beliefs: Any) -> float:
    shipped, loads = 0, 0
    empty = -1
    for ship in range(NUM_SHIPS):
        if rules["ship_size"][ship] > 0 and state["ship_load"][ship] == 0:
            empty = ship  # ships are in ascending order, so the last is the largest
    most_left, used_empty = 0, False
    for good in range(NUM_GOODS - 1, -1, -1):
        held = int(state["goods"][player, good])
        if held == 0:
            continue
        room = 0
        carried = False
        for ship in range(NUM_SHIPS):
            if state["ship_good"][ship] == good:
                carried = True
                room = int(rules["ship_size"][ship] - state["ship_load"][ship])
        if not carried and empty >= 0 and not used_empty:
            room, used_empty = int(rules["ship_size"][empty]), True
        here = min(held, room)
        shipped += here
        loads += here > 0
        most_left = max(most_left, held - here)
    if state["powers"][player, Power.OWN_SHIP] > 0 and most_left > 0:
        shipped += most_left
        loads += 1
    gain = beliefs["aboard"] * shipped + loads * state["powers"][player, Power.LOAD_VP]
    return gain + 1.0 if actor and loads > 0 else gain
