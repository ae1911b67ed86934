"""Who finds the right actions of puzzles, how often, and how sure that is."""

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from prico_agents import Agent, View, load_agent
from prico_agents.base import AgentError
from prico_agents.human import Human
from prico_agents.neural.checkpoint import policy_names
from prico_env.arguments import instance
from prico_env.game import check_seed
from prico_env.vocabulary import DecisionPoint
from prico_training.arena.settings import Entry
from prico_training.arena.statistics import NOTHING, Estimate, wilson
from prico_training.puzzles.puzzle import SOURCES, Puzzle, PuzzleError, read_puzzles

_BUILT_IN: Final = ("random", "corn", "builder", "trader", "planner")
_SEARCH: Final = "mcts:200"


@dataclass(frozen=True)
class Agreement:
    """What an agent chose in puzzles.

    Attributes:
        name: What tables call it.
        agent: Who it is, as `load_agent` understands it.
        seed: Decided what it drew.
        choices: Names of its actions by the name of the puzzle; None where it does not know the
            rule set.
    """

    name: str
    agent: str
    seed: int
    choices: Mapping[str, str | None]

    def share(self, puzzles: Iterable[Puzzle]) -> Estimate:
        """The share of puzzles that it agrees with, of those whose rule sets it knows.

        Returns:
            The share with Wilson's interval at 95 %, each puzzle counting as independent.
        """
        chosen = [(self.choices.get(puzzle.name), puzzle.answers) for puzzle in puzzles]
        agreed = [choice in answers for choice, answers in chosen if choice is not None]
        if not agreed:
            return NOTHING
        count, share = len(agreed), sum(agreed) / len(agreed)
        error = math.sqrt(share * (1 - share) / count)
        return Estimate(share, *wilson(share, count), error, count, count)


def usual_agents() -> list[str]:
    """The agents that come along: heuristics, trained policies, and searches with and without."""
    policies = policy_names()
    searches = [_SEARCH, *(f"{_SEARCH},network={name}" for name in policies)]
    return [*_BUILT_IN, *policies, *searches]


def ask_agent(agent: str, puzzles: dict[str, Puzzle] | None = None, seed: int = 1) -> Agreement:
    """Let an agent decide in every puzzle.

    >>> agreement = ask_agent("corn")
    >>> len(agreement.choices), agreement.share(read_puzzles().values()).count
    (56, 56)

    Args:
        agent: Who is asked, as `prico arena` takes it: an agent, or NAME=AGENT.
        puzzles: Puzzles by name; those that come along when left out.
        seed: Decides what agents draw; each puzzle has chance of its own.

    Raises:
        AgentError: There is no such agent.
        PuzzleError: It cannot decide, or what it chooses is not allowed.
    """
    seed = check_seed(seed)
    entry = Entry.of(agent)
    puzzles = read_puzzles() if puzzles is None else puzzles
    for puzzle in instance(puzzles, dict, "puzzles are a dict by name", PuzzleError).values():
        instance(puzzle, Puzzle, "the values of the dict are puzzles", PuzzleError)
    player = load_agent(entry.agent)
    if isinstance(player, Human):
        raise PuzzleError("puzzles are for agents that decide by themselves, and 'human' asks you")
    choices = {
        puzzle.name: _choice(player, entry.name, puzzle, seed * len(puzzles) + number)
        for number, puzzle in enumerate(puzzles.values())
    }
    return Agreement(entry.name, entry.agent, seed, choices)


def _choice(player: Agent, name: str, puzzle: Puzzle, seed: int) -> str | None:
    """What an agent chooses; None where it refuses the rule set."""
    game = puzzle.game()
    try:
        player.reset(game.turn, game.rules, seed)
    except AgentError:
        return None
    try:
        action = player.act(View.of(game))
    except Exception as error:  # agents may be anybody's
        kind = type(error).__name__
        raise PuzzleError(
            f"{name} cannot decide in puzzle {puzzle.name!r}: {kind}: {error}"
        ) from error
    if action not in game.legal_actions():
        raise PuzzleError(f"{name} chooses {action!r} in puzzle {puzzle.name!r}: not allowed there")
    return game.name(int(action))


def to_json(agreements: Sequence[Agreement], puzzles: Mapping[str, Puzzle]) -> str:
    """Write agreements as JSON: every choice, and the shares by source and by kind of decision."""
    sources, kinds = by_source(puzzles), by_kind(puzzles)
    found = [
        {
            **vars(each),
            "sources": {name: each.share(some).to_dict() for name, some in sources.items()},
            "kinds": {name: each.share(some).to_dict() for name, some in kinds.items()},
        }
        for each in agreements
    ]
    return json.dumps(found, indent=1) + "\n"


def read_agreements(text: str) -> list[Agreement]:
    """Read what `to_json` wrote.

    Raises:
        PuzzleError: It is something else.
    """
    try:
        return [
            Agreement(each["name"], each["agent"], each["seed"], dict(each["choices"]))
            for each in json.loads(text)
        ]
    except (ValueError, TypeError, KeyError) as error:
        raise PuzzleError(f"this is no agreement: {error}") from None


def by_source(puzzles: Mapping[str, Puzzle]) -> dict[str, list[Puzzle]]:
    """The puzzles from each of `SOURCES` that has any."""
    return _grouped(puzzles, SOURCES, lambda puzzle: puzzle.source)


def by_kind(puzzles: Mapping[str, Puzzle]) -> dict[str, list[Puzzle]]:
    """The puzzles of each kind of decision that has any, a `DecisionPoint` in lower case."""
    kinds = [kind.name.lower() for kind in DecisionPoint]
    return _grouped(puzzles, kinds, lambda puzzle: puzzle.kind.name.lower())


def _grouped(
    puzzles: Mapping[str, Puzzle], names: Sequence[str], name_of: Callable[[Puzzle], str]
) -> dict[str, list[Puzzle]]:
    groups: dict[str, list[Puzzle]] = {name: [] for name in names}
    for puzzle in puzzles.values():
        groups[name_of(puzzle)].append(puzzle)
    return {name: group for name, group in groups.items() if group}
