"""The greedy policy and its rollouts: a move at once, without looking further than the next step.

Roles are chosen by what they bring now and units placed where they do most good. Everywhere else
each move is tried, and the one with the best static evaluation for its seat is taken.
"""

from typing import Any, Final

from prico_agents.heuristic_engine.evaluation import evaluate_seat
from prico_agents.heuristic_engine.horizon import Horizon, fill_horizon
from prico_agents.heuristic_engine.scratch import STEP
from prico_agents.heuristic_engine.unit_placement import staff
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
    NUM_GOODS,
    NUM_ROLES,
    NUM_SHIPS,
    DecisionPoint,
    Power,
    Role,
)

_LOWEST: Final = -1.0e9
_CHEAPEST: Final = 2
_DEAREST: Final = 10
_SINGLE_BARREL: Final = 0.5
_SMUGGLER_WORTH: Final = 0.5
_GUEST_MOVE_COST: Final = 0.3
"""VP that a move of a guest must bring: guests could move for ever."""
_BARREL: Final = 0.8
"""VP of a barrel that a craftsman phase brings."""
_SOLD: Final = 0.4
"""The chance to sell the first of a kind."""

_LOOKS: Final = sum(
    1 << point
    for point in (
        DecisionPoint.RECALL,
        DecisionPoint.PLACE,
        DecisionPoint.CHOOSE_ROLE,
        DecisionPoint.STORE,
        DecisionPoint.DRAW_TILE,
    )
)
"""Decision points where it looks at the table and tries nothing, as bits of one number."""


@kernel
def greedy_action(rules: Rules, state: State, legal: Any, weights: Any, scratch: Any) -> int:
    """Choose the move of the greedy policy for the seat to act.

    Moves are tried on the record as it is, so hand a record whose hidden part is a guess
    (`determinize`).

    Args:
        rules: The rule set.
        state: The game.
        legal: What is allowed, at least one move.
        weights: A record of `WEIGHTS`.
        scratch: A `Scratch`; its record ``STEP`` and its arrays are written over.
    """
    point, player = state["decision_point"], state["turn"]
    fill_horizon(rules, state, weights, scratch.horizon)
    if tries_moves(point):
        return _try_all(rules, state, player, legal, weights, scratch)
    if point == DecisionPoint.RECALL or point == DecisionPoint.PLACE:
        return staff(rules, state, player, legal, weights, scratch)
    if point == DecisionPoint.CHOOSE_ROLE:
        return _role(rules, state, player, legal, weights, scratch.horizon)
    if point == DecisionPoint.STORE:
        return _store(rules, state, player, legal)
    return _draw(state, player, legal)


@kernel
def tries_moves(point: int) -> bool:
    """Whether the greedy policy carries out moves to choose one at a decision point.

    Elsewhere it looks only at what lies open, so that a record needs no guess at the rest.
    """
    return not (_LOOKS >> int(point)) & 1


@kernel
def greedy_rollout(
    rules: Rules, state: State, legal: Any, choices: int, roles: int, weights: Any, scratch: Any
) -> None:
    """Play greedily until a role is to be chosen after so many others, or to the end.

    Args:
        rules: The rule set.
        state: The game, in which the seat to act has so many ``choices``.
        legal: What is allowed there; written over.
        choices: How many that are.
        roles: Choices of a role on the way.
        weights: A record of `WEIGHTS`.
        scratch: A `Scratch`; see `greedy_action`.
    """
    while choices > 0:
        if state["decision_point"] == DecisionPoint.CHOOSE_ROLE:
            if roles == 0:
                break
            roles -= 1
        apply(rules, state, greedy_action(rules, state, legal, weights, scratch))
        choices = advance(rules, state, legal, scratch.forced_log, True)


@kernel
def _try_all(
    rules: Rules, state: State, player: int, legal: Any, weights: Any, scratch: Any
) -> int:
    """Carry out each move on a copy, and take the one after which this seat may expect most."""
    trial = scratch.states[STEP]
    best, chosen = _LOWEST, PASS
    for action in range(rules["num_actions"]):
        if legal[action]:
            copy_record(trial, state)
            worth = value_after(rules, trial, action, player, weights, scratch.horizon)
            if worth > best:
                best, chosen = worth, action
    return chosen


@kernel
def value_after(
    rules: Rules, trial: State, action: int, player: int, weights: Any, horizon: Any
) -> float:
    """Carry out a move, and return the final score that a seat may expect then.

    ``horizon`` must be that before the move.
    """
    apply(rules, trial, action)
    worth = evaluate_seat(rules, trial, player, weights, horizon)
    if action >= NUM_BASE_ACTIONS and IS_GUEST_MOVE[action]:
        worth -= _GUEST_MOVE_COST
    return worth


@kernel
def _store(rules: Rules, state: State, player: int, legal: Any) -> int:
    """Keep the most barrels, and the dearest of those left over."""
    best, chosen = _LOWEST, PASS
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
def _role(rules: Rules, state: State, player: int, legal: Any, weights: Any, horizon: Any) -> int:
    """Take the role that brings most."""
    best, chosen = _LOWEST, PASS
    for role in range(NUM_ROLES):
        action = ROLE_SMUGGLER if role == Role.SMUGGLER else ROLE + role
        if action < rules["num_actions"] and legal[action]:
            value = role_value(rules, state, player, role, weights, horizon)
            if value > best:
                best, chosen = value, action
    return chosen


@kernel
def role_value(
    rules: Rules, state: State, player: int, role: int, weights: Any, horizon: Any
) -> float:
    """VP that a role brings now: its coins, one's gain, less what others gain by it."""
    if role == Role.SMUGGLER:
        worth = weights["role"][role] + _SMUGGLER_WORTH
        return worth + state["role_coins"][role] * horizon[Horizon.COIN]
    players = rules["num_players"]
    own = gain(rules, state, player, role, True, weights, horizon)
    later = gain(rules, state, player, role, False, weights, horizon)
    others = 0.0
    for step in range(1, players):
        other = (player + step) % players
        others += gain(rules, state, other, role, False, weights, horizon)
    worth = (
        own - weights["taken_later"] * later - weights["opponent_weight"] * others / (players - 1)
    )
    if weights["leader_weight"] != 0.0:
        leader = _leader(rules, state, player, weights, horizon)
        rival = gain(rules, state, leader, role, False, weights, horizon)
        worth -= weights["leader_weight"] * rival
    return worth + (state["role_coins"][role] * horizon[Horizon.COIN] + weights["role"][role])


@kernel
def _leader(rules: Rules, state: State, player: int, weights: Any, horizon: Any) -> int:
    """Who of the others may expect the highest final score."""
    players = rules["num_players"]
    best, leader = _LOWEST, player
    for step in range(1, players):
        other = (player + step) % players
        score = evaluate_seat(rules, state, other, weights, horizon)
        if score > best:
            best, leader = score, other
    return leader


@kernel
def gain(
    rules: Rules, state: State, player: int, role: int, actor: bool, weights: Any, horizon: Any
) -> float:
    """VP that a role brings a seat now, roughly, as its actor or behind another."""
    if role == Role.SETTLER:
        if state["island_used"][player] >= ISLAND_SPACES:
            return 0.0
        return weights["tile"] * horizon[Horizon.CRAFTSMEN]
    if role == Role.MAYOR:
        return _gain_of_mayor(rules, state, player, actor, weights, horizon)
    if role == Role.BUILDER:
        return _gain_of_builder(state, player, actor, weights, horizon)
    if role == Role.CRAFTSMAN:
        return _gain_of_craftsman(rules, state, player, actor, weights, horizon)
    if role == Role.TRADER:
        return _gain_of_trader(rules, state, player, actor, horizon)
    if role == Role.CAPTAIN:
        return _gain_of_captain(rules, state, player, actor, weights)
    return horizon[Horizon.COIN] if actor else 0.0


@kernel
def _gain_of_mayor(
    rules: Rules, state: State, player: int, actor: bool, weights: Any, horizon: Any
) -> float:
    players = rules["num_players"]
    circles = free_circles(rules, state, player)
    units = (state["register_workers"] + state["register_citizens"]) // players + actor
    units += state["portrait_workers"][player] + state["portrait_citizens"][player]
    return weights["unit"] * min(units, circles) * horizon[Horizon.CRAFTSMEN]


@kernel
def _gain_of_builder(state: State, player: int, actor: bool, weights: Any, horizon: Any) -> float:
    coins = state["coins"][player] + actor
    if coins < _CHEAPEST or state["city_used"][player] >= CITY_SPACES:
        return 0.0
    gain = weights["spend"] * min(coins, _DEAREST)
    return gain + horizon[Horizon.COIN] if actor else gain


@kernel
def _gain_of_craftsman(
    rules: Rules, state: State, player: int, actor: bool, weights: Any, horizon: Any
) -> float:
    total, kinds = 0.0, 0
    for good in range(NUM_GOODS):
        made = min(capacity(rules, state, player, good), state["goods_supply"][good])
        if made > 0:
            kinds += 1
            total += made * _BARREL
            if state["goods"][player, good] == 0:
                total += _SOLD * rules["good_price"][good] * horizon[Horizon.COIN]
    if state["powers"][player, Power.KIND_INCOME] > 0:
        total += rules["kind_income"][kinds] * horizon[Horizon.COIN]
    return total + _BARREL if actor and kinds > 0 else total


@kernel
def _gain_of_trader(rules: Rules, state: State, player: int, actor: bool, horizon: Any) -> float:
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
                best = max(best, coins * horizon[Horizon.COIN] - _SINGLE_BARREL)
    return best


@kernel
def _gain_of_captain(rules: Rules, state: State, player: int, actor: bool, weights: Any) -> float:
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
    gain = weights["aboard"] * shipped + loads * state["powers"][player, Power.LOAD_VP]
    return gain + 1.0 if actor and loads > 0 else gain
