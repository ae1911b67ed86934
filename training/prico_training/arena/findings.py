"""What a tournament says in a few sentences, before all the tables."""

import itertools
import math
import textwrap
from collections.abc import Iterator
from typing import Final

from prico_env.arguments import instance
from prico_training.arena.comparisons import Comparison
from prico_training.arena.sample_size import ALPHA
from prico_training.arena.statistics import TOO_FEW, Estimate, as_p_value, as_percentage, counted
from prico_training.arena.summary import Summary

SURE: Final = 1 - ALPHA / 2
"""Share of resampled deals above which one agent counts as above another."""
FEW_DEALS: Final = 10
"""Deals below which the page warns."""
LONGEST_FAULT: Final = 160
"""Letters of a fault that are shown."""
MOST_NAMED: Final = 5
"""Pairs, cycles or faults that are named."""


def headline(summary: Summary) -> list[str]:
    """Say in sentences what matters, each on its own, as plain text."""
    instance(summary, Summary, "what is put into words is a Summary of games")
    return [
        *_who_is_best(summary),
        *_who_is_alike(summary),
        *_one_order(summary),
        *_seats(summary),
        *_warnings(summary),
    ]


def _who_is_best(summary: Summary) -> Iterator[str]:
    if summary.ratings is None:
        yield "Nobody is ranked: no game between different agents has a winner."
        return
    lines = summary.ratings.agents
    best = lines[0]
    names = ", ".join(line.agent for line in lines)
    if best.p_above_next is None:
        yield f"By rating the order is {names}; {TOO_FEW}, so this may be luck."
    elif best.p_above_next < SURE:
        yield (
            f"{best.agent} leads, but is not certainly above {lines[1].agent}: it is in "
            f"{best.p_above_next:.0%} of resampled deals. By rating the order is {names}."
        )
    else:
        unsure = any(
            one.better is None and {one.first, one.second} == {best.agent, lines[1].agent}
            for one in summary.comparisons
        )
        leads = "leads" if unsure else "is the strongest"
        yield f"{best.agent} {leads}; by rating the order is {names}."
    shares = [
        f"{as_percentage(performance.win_rate)} {where}"
        for where, performances in (
            ("alone among copies over all opponents", summary.alone),
            ("with a seat at mixed tables", summary.mixed),
        )
        for performance in performances
        if performance.agent == best.agent
    ]
    if shares:
        yield (
            f"{best.agent} wins {' and '.join(shares)}, where equals would win "
            f"{summary.even_share:.1%}."
        )


def _who_is_alike(summary: Summary) -> Iterator[str]:
    by_pair = {frozenset((one.first, one.second)): one for one in summary.comparisons}
    neighbours = (frozenset(pair) for pair in itertools.pairwise(summary.agents))
    unsure = [by_pair[pair] for pair in neighbours if pair in by_pair and not by_pair[pair].better]
    for one in unsure[:MOST_NAMED]:
        yield f"{one}."
    if len(unsure) > MOST_NAMED:
        yield f"{len(unsure) - MOST_NAMED} more neighbours in the order cannot be told apart."
    elif not unsure and summary.comparisons:
        yield (
            "Under the same conditions every agent is told apart from the next one in the order."
            if _all_sure(summary, by_pair)
            else "All neighbours in the order that played under the same conditions are told apart."
        )


def _all_sure(summary: Summary, by_pair: dict[frozenset[str], Comparison]) -> bool:
    """Whether each agent is better, under the same conditions, than the next in the order."""
    pairs = list(itertools.pairwise(summary.agents))
    return all(
        frozenset(pair) in by_pair and by_pair[frozenset(pair)].better == pair[0] for pair in pairs
    )


def _one_order(summary: Summary) -> Iterator[str]:
    if summary.transitivity is None:
        return
    sure = [cycle for cycle in summary.transitivity.cycles if cycle.p_value < ALPHA]
    for cycle in sure[:MOST_NAMED]:
        words = " beats ".join((*cycle.agents, cycle.agents[0]))
        yield f"No single order is right: {words} ({as_p_value(cycle.p_value)})."
    fit = summary.transitivity.bradley_terry
    if fit is None or math.isnan(fit.explained_deviance):
        return
    words = (
        f"One number for each agent explains {fit.explained_deviance:.1%} of who is placed before "
        f"whom; the largest gap is {fit.pair[0]} before {fit.pair[1]}, measured "
        f"{fit.measured:.1%}, predicted {fit.predicted:.1%}"
    )
    if math.isnan(fit.p_value):
        yield f"{words} (too few deals to tell whether that is chance)."
    elif fit.p_value < ALPHA:
        chance = as_p_value(fit.p_value)
        yield f"{words}: more than chance explains ({chance}), so see the matrix too."
    else:
        yield f"{words}: no more than chance explains ({as_p_value(fit.p_value)})."


def _seats(summary: Summary) -> Iterator[str]:
    if summary.ratings is None:
        return
    terms = summary.ratings.seats
    best, worst = (
        max(terms, key=lambda t: t.log_strength.mean),
        min(terms, key=lambda t: t.log_strength.mean),
    )
    words = (
        f"Among equals seat {best.seat} wins {as_percentage(best.win_rate)} and seat {worst.seat} "
        f"{as_percentage(worst.win_rate)}"
    )
    yield (
        f"{words}."
        if _apart(best.log_strength, worst.log_strength)
        else f"{words}: no seat is certainly better."
    )


def _apart(upper: Estimate, lower: Estimate) -> bool:
    return upper.has_interval and upper.low > lower.high


def _warnings(summary: Summary) -> Iterator[str]:
    faulty = [one for one in summary.timing if one.faults]
    for one in faulty[:MOST_NAMED]:
        kinds = ", ".join(f"{number} {kind}" for kind, number in one.faults.items())
        games = counted(one.games_broken, "game")
        yield f"{one.agent} broke {games} ({kinds}), which it lost."
    if len(faulty) > MOST_NAMED:
        yield f"{len(faulty) - MOST_NAMED} more agents broke games; see the table of faults."
    for where, text in list(summary.first_faults.items())[:MOST_NAMED]:
        yield f"The first fault of {where}: {textwrap.shorten(text, LONGEST_FAULT)}"
    truncated = summary.endings.outcomes["truncated"]
    if truncated.mean > 0:
        yield (
            f"{truncated.mean:.1%} of the games were cut off and have no winner, so win "
            "rates sum to less than 1."
        )
    if summary.deals == 1:
        yield f"There is one deal only: {TOO_FEW}."
    elif summary.deals < FEW_DEALS:
        yield f"There are only {summary.deals} deals, so intervals are wide."
