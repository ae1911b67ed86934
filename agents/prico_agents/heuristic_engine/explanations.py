"""Explanations of heuristic players: the values they compare, and why one move is the best.

Nothing is evaluated anew here: the numbers are those of the decision itself.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prico_agents.analysis import Analysis, Candidate, brief, compare, only_choice
from prico_agents.heuristic_engine.evaluation import evaluate_seat, fill_win_probabilities
from prico_agents.heuristic_engine.greedy import greedy_action, role_value, value_after
from prico_agents.heuristic_engine.lookahead import GREEDY_POINTS, lookahead_value
from prico_agents.heuristic_engine.scratch import TRIAL, Scratch
from prico_env import Game, RuleSet
from prico_env.actions import ROLE, ROLE_SMUGGLER
from prico_env.core.api import fill_scores, states_in
from prico_env.text.localization import edition_words
from prico_env.text.terms import count_of, explanation, printed
from prico_env.vocabulary import (
    BUILDINGS,
    GOODS,
    NUM_BASE_ROLES,
    NUM_TILES,
    QUARRY,
    TILES,
    DecisionPoint,
    Outcome,
    Role,
)

_LEAST_VP: Final = 0.05
"""VP that are worth a word."""
_LEAST_CHANCE: Final = 0.001
"""A difference in chances that is."""
_MOST_NAMED: Final = 4
"""Things that a sentence names at most."""


class Afterstate(NamedTuple):
    """The position after a move and the rollout of a lookahead.

    Attributes:
        action: The move.
        worth: What the lookahead compares.
        chances: The chance to win of every seat, float64, shape ``(seats,)``.
        state: The position there, shape ``(1,)``.
        horizon: See `horizon.fill_horizon`.
    """

    action: int
    worth: float
    chances: NDArray[np.float64]
    state: NDArray[Any]
    horizon: NDArray[np.float64]

    @property
    def is_over(self) -> bool:
        """Whether the game is over by then."""
        return bool(self.state["outcome"][0] != Outcome.RUNNING)


def explain_lookahead(
    guess: Game, legal: NDArray[np.bool_], weights: NDArray[Any], scratch: Scratch
) -> Analysis:
    """Analyse a decision as `lookahead_action` makes it.

    Args:
        guess: The game as its seat may imagine it.
        legal: What is allowed there.
        weights: A record of `WEIGHTS`, shape ``(1,)``.
        scratch: A `Scratch`; written over.
    """
    if GREEDY_POINTS[guess.state["decision_point"][0]]:
        return explain_greedy(guess, legal, weights, scratch)
    found = [_look(guess, action, weights, scratch) for action in np.flatnonzero(legal).tolist()]
    found.sort(key=lambda afterstate: -afterstate.worth)
    candidates = tuple(
        Candidate(each.action, None, tuple(each.chances), guess.describe(each.action))
        for each in found
    )
    reasons = tuple(_reasons(guess, found, candidates, weights))
    return Analysis(guess.turn, found[0].action, candidates, candidates[0].chances, reasons)


def explain_greedy(
    guess: Game, legal: NDArray[np.bool_], weights: NDArray[Any], scratch: Scratch
) -> Analysis:
    """Analyse a decision as `greedy_action` makes it; see `explain_lookahead`."""
    rules, state = guess.rules.table[0], guess.state[0]
    action = int(greedy_action(rules, state, legal, weights[0], scratch))
    qvalues = {action: 0.0}
    if DecisionPoint(state["decision_point"]) not in _RULES_OF_THUMB:
        qvalues = _greedy_values(guess, np.flatnonzero(legal).tolist(), weights, scratch)
    fill_win_probabilities(rules, state, weights[0], scratch, scratch.win_probabilities)
    chances = tuple(scratch.win_probabilities[: guess.rules.players])
    order = sorted(qvalues, key=lambda each: -qvalues[each])
    candidates = tuple(Candidate(each, words=guess.describe(each)) for each in order)
    why = _greedy_reason(guess, candidates, [qvalues[each] for each in order])
    if legal.sum() == 1:
        why = only_choice(guess.rules.edition, candidates[0])
    return Analysis(guess.turn, action, candidates, chances, (why,))


def _greedy_values(
    guess: Game, actions: Sequence[int], weights: NDArray[Any], scratch: Scratch
) -> dict[int, float]:
    """What the greedy policy compares; guests do not move where a role is chosen."""
    table, seat, horizon = guess.rules.table[0], guess.turn, scratch.horizon
    if guess.state["decision_point"][0] != DecisionPoint.CHOOSE_ROLE:
        return {
            each: value_after(table, guess.clone().state[0], each, seat, weights[0], horizon)
            for each in actions
        }
    roles = {ROLE + role: role for role in range(NUM_BASE_ROLES)} | {ROLE_SMUGGLER: Role.SMUGGLER}
    return {
        each: role_value(table, guess.state[0], seat, int(roles[each]), weights[0], horizon)
        for each in actions
        if each in roles
    }


def _greedy_reason(guess: Game, candidates: Sequence[Candidate], qvalues: Sequence[float]) -> str:
    """Why the greedy policy takes the first of the candidates."""
    point, edition = DecisionPoint(guess.state["decision_point"][0]), guess.rules.edition
    best = brief(candidates[0].words)
    if point in _RULES_OF_THUMB:
        return explanation(edition, f"greedy_{point.name.lower()}", move=best)
    against = ""
    if len(qvalues) > 1:
        other = brief(candidates[1].words)
        against = explanation(edition, "greedy_against", value=qvalues[1], other=other)
    key = "greedy_role" if point == DecisionPoint.CHOOSE_ROLE else "greedy"
    return explanation(edition, key, move=best, value=qvalues[0], against=against)


_RULES_OF_THUMB: Final = (
    DecisionPoint.RECALL,
    DecisionPoint.PLACE,
    DecisionPoint.STORE,
    DecisionPoint.DRAW_TILE,
)
"""Where the greedy policy compares no values."""


def _look(guess: Game, action: int, weights: NDArray[Any], scratch: Scratch) -> Afterstate:
    """Try a move as `lookahead_action` does."""
    worth = lookahead_value(
        guess.rules.table[0], guess.state[0], action, guess.turn, weights[0], scratch
    )
    state = states_in(bytearray(scratch.states[TRIAL : TRIAL + 1].tobytes()))
    chances = scratch.win_probabilities[: guess.rules.players].copy()
    return Afterstate(action, worth, chances, state, scratch.horizon.copy())


# -- why -------------------------------------------------------------------------------------------


def _reasons(
    guess: Game,
    found: Sequence[Afterstate],
    candidates: Sequence[Candidate],
    weights: NDArray[Any],
) -> Iterator[str]:
    """Why the first afterstate and not the second."""
    edition, seat = guess.rules.edition, guess.turn
    if len(found) == 1:
        yield only_choice(edition, candidates[0])
        return
    best, other = found[:2]
    yield _compare(edition, seat, *candidates[:2])
    if best.worth == other.worth:
        yield explanation(edition, "no_difference")
    if best.is_over or other.is_over:
        yield from _ends(guess.rules, best, other)
    else:
        yield from _differences_in_score(guess.rules, seat, best, other, weights)
    yield from _differences_on_board(guess.rules, seat, best, other)
    yield from _who_pays(edition, seat, *candidates[:2])


def _compare(edition: str, seat: int, best: Candidate, other: Candidate) -> str:
    """The sentence about the chances; points may make the move with the smaller one the better."""
    here, there = best.chances[seat], other.chances[seat]
    if here >= there:
        return compare(edition, seat, best, other)
    moves = {"move": brief(best.words), "other": brief(other.words)}
    return explanation(edition, "for_points", here=here, there=there, **moves)


def _ends(rules: RuleSet, best: Afterstate, other: Afterstate) -> Iterator[str]:
    """Whether the game ends, and how."""
    if best.is_over:
        scores = np.zeros(rules.players, np.int64)
        fill_scores(rules.table[0], best.state[0], scores)
        result = explanation(rules.edition, "versus").join(map(str, scores.tolist()))
        yield explanation(rules.edition, "game_over", result=result)
    if not other.is_over:
        yield explanation(rules.edition, "goes_on")
    elif not best.is_over:
        yield explanation(rules.edition, "other_ends")


def _differences_in_score(
    rules: RuleSet, seat: int, best: Afterstate, other: Afterstate, weights: NDArray[Any]
) -> Iterator[str]:
    """What is different in the final score that the seat may expect."""
    here, there = (score_breakdown(rules, seat, each, weights) for each in (best, other))
    gaps = {part: here[part] - there[part] for part in here}
    named = [part for part in _PARTS if abs(gaps[part]) >= _LEAST_VP]
    named.sort(key=lambda part: -gaps[part])
    if not named:
        return
    edition = rules.edition
    parts = ", ".join(
        explanation(edition, "part", gap=gaps[part], part=explanation(edition, f"part_{part}"))
        for part in named
    )
    score, gap = sum(here.values()), sum(gaps.values())
    yield explanation(edition, "expects", seat=seat, score=score, gap=gap, parts=parts)


def _differences_on_board(
    rules: RuleSet, seat: int, best: Afterstate, other: Afterstate
) -> Iterator[str]:
    """What the seat has after the phases that are played out, and would not have otherwise."""
    here, there = (_belongings(rules, seat, each.state) for each in (best, other))
    more = [_counted(rules, thing, here[thing] - there[thing]) for thing in here]
    less = [_counted(rules, thing, there[thing] - here[thing]) for thing in here]
    changes = {
        key: explanation(rules.edition, key, things=_listed(rules.edition, texts))
        for key, texts in (("more", list(filter(None, more))), ("less", list(filter(None, less))))
        if texts
    }
    if changes.keys() == {"more", "less"}:
        changes = {"both": explanation(rules.edition, "more_and_less", **changes)}
    for said in changes.values():
        yield explanation(rules.edition, "ahead", seat=seat, changes=said)


def _who_pays(edition: str, seat: int, best: Candidate, other: Candidate) -> Iterator[str]:
    """Which other seat loses most by the move."""
    gaps = np.subtract(best.chances, other.chances)
    gaps[seat] = np.inf
    loser = int(gaps.argmin())
    if gaps[loser] <= -_LEAST_CHANCE:
        here, there = best.chances[loser], other.chances[loser]
        yield explanation(edition, "costs", seat=loser, here=here, there=there)


# -- the parts of a score --------------------------------------------------------------------------

_PARTS: Final = ("vp", "coins", "barrels", "workers", "tiles", "buildings")


def score_breakdown(
    rules: RuleSet, seat: int, afterstate: Afterstate, weights: NDArray[Any]
) -> dict[str, float]:
    """What each kind of thing adds to the score that a seat may expect; they sum to it.

    A thing is worth what the score loses without it. Some are worth little without others, as a
    plantation without its building: so things are taken away in both orders, and the mean counts.
    """
    parts = dict.fromkeys((*_PARTS, "space"), 0.0)
    for order in (_PARTS, _PARTS[::-1]):
        state = states_in(bytearray(afterstate.state.tobytes()))
        score = evaluate_seat(rules.table[0], state[0], seat, weights[0], afterstate.horizon)
        for part in order:
            _take_away(state[0], seat, part)
            left = evaluate_seat(rules.table[0], state[0], seat, weights[0], afterstate.horizon)
            parts[part] += (score - left) / 2
            score = left
        parts["space"] += score / 2
    return parts


def _take_away(state: Any, seat: int, part: str) -> None:
    """Take all of a kind from a seat; who worked there stands idle."""
    if part in ("vp", "coins"):
        state[part][seat] = 0
    elif part == "barrels":
        state["goods"][seat] = 0
    elif part == "workers":
        for field in ("workers", "citizens", "portrait_workers", "portrait_citizens"):
            state[field][seat] = 0
    else:
        spots = slice(NUM_TILES, None) if part == "buildings" else slice(NUM_TILES)
        state["owned"][seat, spots] = 0
        state["city_used" if part == "buildings" else "island_used"][seat] = 0
        for unit in ("workers", "citizens"):
            state[f"portrait_{unit}"][seat] += state[unit][seat, spots].sum()
            state[unit][seat, spots] = 0


# -- what lies on a board --------------------------------------------------------------------------


def _belongings(rules: RuleSet, seat: int, states: NDArray[Any]) -> dict[str, int]:
    """What a seat has, by what it is."""
    state = states[0]
    names = (*TILES, *BUILDINGS)
    owned = zip(names, state["owned"][seat].tolist(), strict=False)
    barrels = zip(GOODS, state["goods"][seat].tolist(), strict=True)
    return {
        **{f"board {name}": count for name, count in owned},
        **{f"store {good}": count for good, count in barrels},
        "vp": int(state["vp"][seat]),
        "coin": int(state["coins"][seat]),
    }


def _counted(rules: RuleSet, thing: str, count: int) -> str:
    """So many of a thing in the edition's words; empty for none."""
    if count <= 0:
        return ""
    terms, (place, _, name) = edition_words(rules.edition).terms, thing.partition(" ")
    if place in ("vp", "coin"):
        return count_of(terms, place, count)
    word = printed(rules.edition, name)
    if place == "store":
        things = count_of(terms, "barrel", count)
        return explanation(rules.edition, "barrels_of", things=things, word=word)
    if name == TILES[QUARRY]:
        return count_of(terms, "quarry", count)
    if name in GOODS:
        things = terms["plantation" if count == 1 else "plantations"]
        return explanation(rules.edition, "plantations_of", count=count, word=word, things=things)
    return word


def _listed(edition: str, texts: Sequence[str]) -> str:
    """Some of them with commas, and how many more."""
    named = ", ".join(texts[:_MOST_NAMED])
    more = len(texts) - _MOST_NAMED
    return explanation(edition, "and_others", things=named, count=more) if more > 0 else named
