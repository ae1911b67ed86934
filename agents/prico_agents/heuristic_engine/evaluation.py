"""Static evaluation: the expected final score of each seat, and its win probability.

A score is what lies on the table, and what it will still earn: barrels to be produced, shipped and
sold, coins to be spent, powers to be used, bonuses to grow, each as often as its phase is still
played. Only what everybody sees is counted. A thing is worth what the score gains by it, so this
one sum prices tiles, buildings, barrels and coins alike.
"""

import math
from typing import Any, Final

from prico_agents.heuristic_engine.horizon import Horizon, fill_horizon
from prico_agents.heuristic_engine.power_values import IN_COINS, IS_BONUS, PHASE_OF
from prico_env.core.api import (
    Rules,
    State,
    count_citizens,
    count_units,
    fill_ranking,
    free_circles,
    kernel,
    units_on,
)
from prico_env.vocabulary import (
    CITY_SPACES,
    ISLAND_SPACES,
    NUM_CROP_BUILDINGS,
    NUM_GOODS,
    NUM_TILES,
    QUARRY,
    BuildingClass,
    Good,
    Outcome,
    Power,
)

_FIRST_QUARRIES: Final = 3
_UNITS_PER_VP: Final = 3
_VP_PER_VP: Final = 4
_TILES_PER_SET: Final = 3
_MOST_LOADS: Final = 3.0


@kernel
def evaluate(rules: Rules, state: State, weights: Any, scratch: Any, scores: Any) -> None:
    """Write the expected final score of every seat, float64, shape ``(seats,)``."""
    fill_horizon(rules, state, weights, scratch.horizon)
    for player in range(rules["num_players"]):
        scores[player] = evaluate_seat(rules, state, player, weights, scratch.horizon)


@kernel
def fill_win_probabilities(
    rules: Rules, state: State, weights: Any, scratch: Any, probabilities: Any
) -> None:
    """Write the win probability of every seat; exact when the game is over.

    It is a softmax of the expected scores, whose temperature falls towards the end.
    """
    players = rules["num_players"]
    if state["outcome"] != Outcome.RUNNING:
        _split_victory(rules, state, scratch, probabilities)
        return
    evaluate(rules, state, weights, scratch, probabilities)
    best = probabilities[0]
    for player in range(1, players):
        best = max(best, probabilities[player])
    temperature = (
        weights["temperature"] + weights["temperature_by_round"] * scratch.horizon[Horizon.ROUNDS]
    )
    total = 0.0
    for player in range(players):
        probabilities[player] = math.exp((probabilities[player] - best) / temperature)
        total += probabilities[player]
    for player in range(players):
        probabilities[player] /= total


@kernel
def _split_victory(rules: Rules, state: State, scratch: Any, probabilities: Any) -> None:
    """Share the victory of a game that is over among those in first place (R-SCO-4)."""
    places = scratch.places
    fill_ranking(rules, state, places)
    winners = 0
    for player in range(rules["num_players"]):
        winners += places[player] == 1
    for player in range(rules["num_players"]):
        probabilities[player] = 1.0 / winners if places[player] == 1 else 0.0


@kernel
def evaluate_seat(rules: Rules, state: State, player: int, weights: Any, horizon: Any) -> float:
    """The expected final score of a seat."""
    tiles = state["owned"][player]
    coin = horizon[Horizon.COIN]
    score = state["vp"][player] + coin * state["coins"][player]
    spaces = CITY_SPACES - state["city_used"][player]
    score += weights["space"] * horizon[Horizon.BUILDERS] * spaces
    if rules["citizens"]:
        score += float(count_citizens(state, player))
    staffed = _staffing_probability(rules, state, player, weights, horizon)
    kinds, barrels, best_price, second_price = 0.0, 0.0, 0.0, 0.0
    for good in range(NUM_GOODS):
        made = _expected_harvest(rules, state, player, good, staffed, weights)
        held = float(state["goods"][player, good])
        barrels += weights["stock"] * held
        barrels += weights["crop"][good] * horizon[Horizon.CRAFTSMEN] * made
        kinds += min(1.0, made)
        price = rules["good_price"][good] * min(1.0, made + held)
        if price > best_price:
            best_price, second_price = price, best_price
        elif price > second_price:
            second_price = price
    hold, selling = weights["hold"], 1.0
    for building in range(rules["num_buildings"]):
        spot = NUM_TILES + building
        if tiles[spot] == 0:
            continue
        score += rules["vp"][building]
        power = rules["power"][building]
        if power < 0:
            continue
        chance = 1.0 if units_on(state, player, spot) > 0 else staffed
        if power == Power.OWN_SHIP:
            hold += chance * weights["hold_own_ship"]
        elif power == Power.SALE_BONUS:
            best_price += chance * rules["power_amount"][building]
        elif power == Power.SELL_ANY_KIND:
            selling += chance * weights["sale_any_kind"]
        else:
            score += chance * power_value(rules, state, player, building, kinds, weights, horizon)
    room = horizon[Horizon.CAPTAINS] * hold
    if room > 0.0:
        score += barrels / math.sqrt(1.0 + (barrels / room) ** 2)
    sales = weights["sale"] * selling * horizon[Horizon.TRADERS]
    score += sales * (best_price + weights["second_kind"] * second_price) * coin
    return score + _quarries(state, player, staffed, weights, horizon)


@kernel
def _staffing_probability(
    rules: Rules, state: State, player: int, weights: Any, horizon: Any
) -> float:
    """The probability that an empty circle of a seat is staffed while it is still of use."""
    circles = free_circles(rules, state, player)
    if circles <= 0:
        return 0.0
    hand = state["portrait_workers"][player] + state["portrait_citizens"][player]
    mayors = horizon[Horizon.MAYORS]
    units = min(1.0, mayors) * hand + weights["units_in_phase"] * mayors
    return weights["vacant"] * min(1.0, units / circles)


@kernel
def _expected_harvest(
    rules: Rules, state: State, player: int, good: int, staffed: float, weights: Any
) -> float:
    """Barrels of a kind that a seat may expect of a craftsman phase."""
    fields = int(state["owned"][player, good])
    workers = int(units_on(state, player, good))
    if good == Good.CORN:
        return workers + staffed * (fields - workers)
    circles, processing = 0, 0
    for building in range(NUM_CROP_BUILDINGS):
        spot = NUM_TILES + building
        if rules["crop"][building] == good and state["owned"][player, spot] > 0:
            circles += int(rules["circles"][spot])
            processing += int(units_on(state, player, spot))
    pairs = min(fields, circles)
    running = min(workers, processing)
    alone = _first_counts(weights["field_alone"], fields - pairs)
    alone += _first_counts(weights["plant_alone"], circles - pairs)
    return running + staffed * (pairs - running + alone)


@kernel
def _first_counts(worth: float, number: int) -> float:
    """The worth of several things of which each counts less than the one before."""
    return worth * number / (1 + number)


@kernel
def _quarries(state: State, player: int, staffed: float, weights: Any, horizon: Any) -> float:
    """VP that quarries will save: the first few more often than the others."""
    saved = 0.0
    workers = units_on(state, player, QUARRY)
    for number in range(state["owned"][player, QUARRY]):
        worth = quarry_value(number, weights, horizon)
        saved += worth if number < workers else staffed * worth
    return saved


@kernel
def quarry_value(others: int, weights: Any, horizon: Any) -> float:
    """VP that a quarry will save beside so many others."""
    often = weights["quarry"] if others < _FIRST_QUARRIES else weights["quarry_later"]
    return often * horizon[Horizon.BUILDERS] * horizon[Horizon.COIN]


@kernel
def power_value(
    rules: Rules,
    state: State,
    player: int,
    building: int,
    kinds: float,
    weights: Any,
    horizon: Any,
) -> float:
    """VP that the power of a building will bring its owner, who makes so many kinds of goods."""
    power = rules["power"][building]
    if IS_BONUS[power]:
        return weights["power"][power] * _bonus(rules, state, player, power, weights, horizon)
    rate = weights["power"][power] * horizon[PHASE_OF[power]]
    if IN_COINS[power]:
        rate *= horizon[Horizon.COIN]
    if power == Power.LOAD_VP:
        return rate * rules["power_amount"][building] * min(_MOST_LOADS, kinds + 0.5)
    if power == Power.STORE_KINDS:
        return rate * min(float(rules["power_amount"][building]), kinds)
    if power == Power.KIND_INCOME:
        return rate * _income_of_kinds(rules, kinds)
    if power == Power.EXTRA_TILE or power == Power.QUARRY_RIGHT or power == Power.STAFF_TILE:
        return rate if state["island_used"][player] < ISLAND_SPACES - 1 else 0.0
    return rate


@kernel
def _income_of_kinds(rules: Rules, kinds: float) -> float:
    """Coins of a factory, for a number of kinds that need not be whole."""
    whole = int(kinds)
    income = float(rules["kind_income"][whole])
    if whole < NUM_GOODS:
        income += (kinds - whole) * (rules["kind_income"][whole + 1] - income)
    return income


@kernel
def _bonus(
    rules: Rules, state: State, player: int, power: int, weights: Any, horizon: Any
) -> float:
    """VP of a large building at the end of the game."""
    builders = horizon[Horizon.BUILDERS]
    if power == Power.SCORE_UNITS:
        to_come = weights["units_in_phase"] * horizon[Horizon.MAYORS]
        return (count_units(state, player) + to_come) / _UNITS_PER_VP
    if power == Power.SCORE_VP:
        to_come = weights["vp_to_come"] * horizon[Horizon.CAPTAINS]
        return (state["vp"][player] + to_come) / _VP_PER_VP
    if power == Power.SCORE_ISLAND:
        filled = state["island_used"][player] + horizon[Horizon.SETTLERS]
        return float(rules["island_score"][min(ISLAND_SPACES, int(filled))])
    if power == Power.SCORE_SETS:
        sets = state["own_forests"][player] // _TILES_PER_SET
        for kind in range(NUM_TILES):
            sets += state["owned"][player, kind] // _TILES_PER_SET
        return sets * (sets + 1) / 2.0
    if power == Power.SCORE_CITIZENS:
        return float(count_citizens(state, player))
    return _bonus_on_buildings(rules, state, player, power, weights, builders)


@kernel
def _bonus_on_buildings(
    rules: Rules, state: State, player: int, power: int, weights: Any, builders: float
) -> float:
    """VP for the buildings of a seat, by their class, and for those still to come."""
    plants, commerce = 0, 0
    for building in range(rules["num_buildings"]):
        if state["owned"][player, NUM_TILES + building] > 0:
            kind = rules["building_class"][building]
            if kind >= BuildingClass.SMALL_COMMERCIAL:
                commerce += 1
            else:
                plants += 1 + (kind == BuildingClass.LARGE_PRODUCTION)
    if power == Power.SCORE_COMMERCE:
        return commerce + weights["commerce_to_come"] * builders
    return plants + weights["plants_to_come"] * builders
