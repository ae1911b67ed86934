"""Puzzles for a person: which ones are asked, and what is said to an answer.

Asked are puzzles in which natural players err: one of the heuristics at least would choose
otherwise. To an answer is said whether it is right, how sure that is, what a search expects after
it, and by what the best choice is better on the board.
"""

import hashlib
import itertools
import json
import random
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from prico_agents import Analysis, View, analysis_of, load_agent
from prico_agents.analysis import brief
from prico_agents.registry import display_name
from prico_agents.search.search_report import SearchReport
from prico_env import Game, RuleSet
from prico_env.text.terms import explanation, page_words
from prico_training.puzzles.make_puzzles import (
    MOST_OF_KIND,
    RULE_SETS,
    SEARCHES,
    draw_positions,
    judge,
)
from prico_training.puzzles.puzzle import Puzzle, PuzzleError, read_puzzles

NATURAL_PLAYERS: Final = ("corn", "builder", "trader", "planner")
"""Players that go by what looks good; where they err, people may, too."""
EXPLAINER: Final = "mcts:1000"
"""The search that says what may be expected after a choice."""
KINDS: Final = tuple(kind.name.lower() for kind in MOST_OF_KIND)
"""The kinds of decisions that puzzles are about."""
_COMPARER: Final = "planner"
"""Who says by what a choice is better on the board."""
_SEED: Final = 1


@dataclass(frozen=True)
class Verdict:
    """What is said to an answer.

    Attributes:
        is_right: Whether it is right.
        best: The action that is right; what was chosen if it is.
        headline: Whether it is right, and what is, in a sentence.
        reasons: Why, in sentences.
    """

    is_right: bool
    best: int
    headline: str
    reasons: tuple[str, ...]


def quiz_puzzles(
    puzzles: Mapping[str, Puzzle] | None = None,
    kind: str | None = None,
    seed: int = _SEED,
    easy: bool = False,
) -> list[Puzzle]:
    """Return the puzzles for a person, in an order drawn from a seed.

    >>> len(quiz_puzzles()), len(quiz_puzzles(kind="sell")), len(quiz_puzzles(easy=True))
    (27, 1, 56)

    Args:
        puzzles: Puzzles by name; those that come along when left out.
        kind: Those of one kind of decision, one of `KINDS`; None for all.
        seed: Decides the order.
        easy: Whether to ask those, too, in which no natural player errs.

    Raises:
        PuzzleError: There is no such kind, or no such puzzle.
    """
    if kind is not None and kind not in KINDS:
        raise PuzzleError(
            f"there is no kind of decision {kind!r}; the kinds are {', '.join(KINDS)}"
        )
    given = read_puzzles() if puzzles is None else puzzles
    chosen = [
        puzzle
        for puzzle in given.values()
        if kind in (None, puzzle.kind.name.lower()) and (easy or misled_players(puzzle))
    ]
    if not chosen:
        raise PuzzleError(
            f"no puzzle{'' if kind is None else f' of the kind {kind}'} misleads a natural player; "
            "--easy asks the others, too, and --new finds more"
        )
    random.Random(seed).shuffle(chosen)
    return chosen


def puzzle_key(puzzle: Puzzle) -> str:
    """A short name of a puzzle that is another one for another position."""
    text = json.dumps(puzzle.position, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def misled_players(puzzle: Puzzle) -> tuple[str, ...]:
    """The natural players that choose wrongly in a puzzle."""
    game = puzzle.game()
    choices = _natural_choices(game)
    return tuple(name for name in choices if game.name(choices[name]) not in puzzle.answers)


def judge_answer(puzzle: Puzzle, action: int) -> Verdict:
    """Say to an answer whether it is right, and why.

    Args:
        puzzle: The puzzle.
        action: The number of an action that is allowed there.

    Raises:
        IllegalActionError: It is not allowed.
    """
    game = puzzle.game()
    game.clone().step(action)
    right = [game.parse(name) for name in puzzle.answers]
    is_right = action in right
    best = action if is_right else right[0]
    edition = game.rules.edition
    words = {"best": brief(game.describe(best)), "chosen": brief(game.describe(action))}
    headline = page_words(edition, "puzzle_right" if is_right else "puzzle_wrong", **words)
    report = _analyse(game, EXPLAINER)
    reasons = [
        *_how_sure(puzzle, edition),
        *_chances(game, report, best, action),
        *_differences(game, best, action, report),
        *_variation(game, report, best),
        *_misled(puzzle, edition),
    ]
    return Verdict(is_right, best, headline, tuple(reasons))


def fresh_puzzles(
    seed: int, goes_on: Callable[[], bool], rule_sets: Sequence[RuleSet] = RULE_SETS
) -> Iterator[Puzzle | None]:
    """Look for puzzles in games among the agents, in which natural players err.

    They are judged like those that come along; see `make_puzzles`.

    Args:
        seed: Decides all chance.
        goes_on: Whether to look at another position.
        rule_sets: What is played, one game after the other.

    Yields:
        A puzzle, or None for a position that is none.
    """
    for number in itertools.count():
        deal = seed * 1_000 + number
        positions = draw_positions(rule_sets[number % len(rule_sets)], deal)
        for position in positions.values():
            if not goes_on():
                return
            name = f"fresh {deal}"
            is_clear = len(set(_natural_choices(position.game).values())) == 1
            puzzle = None if is_clear else judge(name, position, deal)
            if puzzle is not None and misled_players(puzzle):
                yield puzzle
                break  # one of a game
            yield None


def deadline(minutes: float) -> Callable[[], bool]:
    """Whether so many minutes are not over yet."""
    end = time.monotonic() + 60 * minutes
    return lambda: time.monotonic() < end


def _natural_choices(game: Game) -> dict[str, int]:
    choices = {}
    for name in NATURAL_PLAYERS:
        player = load_agent(name)
        player.reset(game.turn, game.rules, _SEED)
        choices[name] = int(player.act(View.of(game)))
    return choices


# -- why -------------------------------------------------------------------------------------------


def _analyse(game: Game, name: str, only: Collection[int] = ()) -> Analysis:
    """What a player thinks of a decision, or of a few of its choices."""
    player = load_agent(name)
    player.reset(game.turn, game.rules, _SEED)
    view = View.of(game)
    if only:
        view.legal = np.isin(np.arange(len(view.legal)), list(only))
    analysis = analysis_of(player, view)
    assert analysis is not None
    return analysis


def _how_sure(puzzle: Puzzle, edition: str) -> Iterator[str]:
    """How clear the best choice is to the searches that judged the puzzle."""
    sure = puzzle.searches[: len(SEARCHES)]
    if sure:
        lead = min(each["lead"] for each in sure)
        yield page_words(edition, "puzzle_sure", count=len(sure), lead=lead)


def _chances(game: Game, report: Analysis, best: int, chosen: int) -> Iterator[str]:
    """What may be expected after the best choice and after the other one."""
    seat, edition = report.seat, game.rules.edition
    chances = {each.action: each.chances[seat] for each in report.candidates if each.chances}
    others = [action for action in chances if action != best]
    other = chosen if chosen != best else max(others, key=lambda each: chances[each], default=best)
    here, there = chances.get(best), chances.get(other)
    if other != best and here is not None and there is not None and here > there:
        moves = {each: brief(game.describe(each)) for each in (best, other)}
        figures = {"here": here, "there": there, "other": moves[other], "move": moves[best]}
        yield page_words(edition, "puzzle_chances", **figures)


def _differences(game: Game, best: int, chosen: int, report: Analysis) -> Iterator[str]:
    """By what the best choice is better on the board, as far as the planner sees that."""
    others = [each.action for each in report.candidates if each.action != best]
    other = chosen if chosen != best else next(iter(others), best)
    analysis = _analyse(game, _COMPARER, (best, other))
    if analysis.action == best and analysis.candidates[0].chances:
        yield from analysis.reasons[1:3]  # others have chances that are not those of the search


def _variation(game: Game, report: Analysis, best: int) -> Iterator[str]:
    """How the search expects the game to go on after the best choice."""
    if not isinstance(report, SearchReport) or report.action != best:
        return
    if len(report.principal_variation) > 1:
        edition, way = game.rules.edition, report.principal_variation[1:7]
        steps = (explanation(edition, "step", seat=who, move=brief(words)) for who, words in way)
        move = brief(game.describe(best))
        yield explanation(edition, "variation", move=move, steps="; ".join(steps))


def _misled(puzzle: Puzzle, edition: str) -> Iterator[str]:
    """Who would have chosen wrongly."""
    names = [display_name(name, edition) for name in misled_players(puzzle)]
    if names:
        key = "puzzle_misled_one" if len(names) == 1 else "puzzle_misled"
        yield page_words(edition, key, names=", ".join(names))
