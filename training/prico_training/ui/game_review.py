"""The review of a finished game by one agent, the adviser, as chess sites review theirs.

The adviser sits at every seat in turn, sees what that seat may see, and judges every decision that
was one: the chance of every seat to win, what it would choose, and what the choice that was made
cost. One agent judges all positions, so its curves hold together.

What a decision cost is how much lower the chance of the seat to decide is after it than after the
adviser's choice. It is read from the adviser's candidates where it has judged both well. Where it
has not, both are played, and the adviser judges the positions after them. Workers that a seat puts
down one after the other are one decision here: only where all of them end up is judged.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from rich.console import Console

from prico_agents import AgentError, View, analysis_of, load_agent
from prico_agents.analysis import Analysis
from prico_env import Game
from prico_env.arguments import words
from prico_env.errors import IllegalActionError
from prico_env.serialization import unwritable
from prico_env.vocabulary import DecisionPoint
from prico_training.arena.schedule import agent_seed
from prico_training.progress import new_bar
from prico_training.ui.transcripts import Recorded, agents_seed

USUAL_REVIEWER: Final = "mcts:100"
"""Who reviews a game when nobody else is asked: a search that needs a few seconds for a game. The
planner, which is quicker, follows one line of play and so takes much for won that is not."""
MOST_COSTLY: Final = 5
"""Decisions that a review points out."""
LEAST_LOSS: Final = 0.001
"""A smaller loss of the chance to win is none: as good as the adviser's choice."""
_LINE: Final = 6
"""Decisions of a line that is told."""
_LONGEST_SEQUENCE: Final = 60
"""Decisions of a sequence after which it is not followed any further."""
_LEAST_SHARE: Final = 0.05
"""A candidate that a search has tried less is judged by a search of its own."""
_SEQUENCES: Final = (DecisionPoint.RECALL, DecisionPoint.PLACE, DecisionPoint.STORE)
"""Kinds of decisions that a seat makes several of, which only mean something together."""
_ACCURACY: Final = (103.1668, -0.04354, -3.1669)
"""The figures of `accuracy_of`, which Lichess has fitted to games of chess."""


class Step(NamedTuple):
    """A decision of a line: the seat, and what it does in the words of the edition."""

    seat: int
    words: str


@dataclass(frozen=True)
class Judgement:
    """What the adviser says of one decision.

    Attributes:
        analysis: Its analysis.
        best: What it would have chosen; see `Analysis.likeliest`.
        loss: How much of the chance to win of the seat to decide was lost, from 0 to 1; None where
            the adviser cannot say, or another decision of the same sequence says it.
        line: How the game would have gone on by its choices; told of the costliest only.
    """

    analysis: Analysis
    best: int
    loss: float | None = None
    line: tuple[Step, ...] = ()


@dataclass(frozen=True)
class Accuracy:
    """How close a seat came to the adviser's choices.

    Attributes:
        decisions: Decisions that were judged; a sequence of workers is one.
        agreed: How many of them were as good as the adviser's choice.
        mean_loss: The chance to win that a decision lost on the mean, from 0 to 1.
        accuracy: The mean of `accuracy_of` the decisions, from 0 to 100.
    """

    decisions: int
    agreed: int
    mean_loss: float
    accuracy: float


@dataclass(frozen=True)
class Review:
    """What the adviser says of a game.

    Attributes:
        reviewer: Its name.
        judgements: Of each decision that was one, by its place in the history.
        costliest: The places of the decisions that cost most, the costliest first.
        accuracies: Of each seat; None for a seat none of whose decisions were judged.
    """

    reviewer: str
    judgements: Mapping[int, Judgement]
    costliest: tuple[int, ...]
    accuracies: tuple[Accuracy | None, ...]


def accuracy_of(loss: float) -> float:
    """The accuracy of a decision, from 0 to 100, as https://lichess.org/page/accuracy computes it.

    Its figures were fitted to games of chess between two; here they only set a scale, on which
    decisions, players and games can be compared with each other.

    >>> [round(accuracy_of(loss)) for loss in (0, 0.01, 0.05, 0.2, 1)]
    [100, 96, 80, 40, 0]

    Args:
        loss: The chance to win that was lost, from 0 to 1.
    """
    factor, rate, offset = _ACCURACY
    return min(100.0, max(0.0, factor * math.exp(rate * 100 * loss) + offset))


def review_game(
    recorded: Recorded, reviewer: str = USUAL_REVIEWER, console: Console | None = None
) -> Review:
    """Let an agent review a game.

    Args:
        recorded: The game.
        reviewer: The agent's name.
        console: Where progress is shown; None for nowhere.

    Raises:
        AgentError: There is no such agent, it cannot play this game, or it has no analyses.
        RecordError: The game does not replay.
    """
    if problem := unwritable(words(reviewer, "the name of an agent")):
        raise AgentError(f"the agent {problem}")
    adviser, game = _Adviser(recorded, reviewer), Game.begin(recorded.rules, recorded.start)
    with new_bar(console or Console(quiet=True)) as bar:
        task = bar.add_task(f"{reviewer} thinks", total=len(recorded.actions), note="")
        for place, (action, forced) in enumerate(recorded.actions):
            if not forced:
                adviser.judge(game, place)
                game.step(action)
            elif place == 0:
                game.settle()
            bar.update(task, completed=place + 1)
        costliest = adviser.costliest()
    if not adviser.judgements and not all(forced for _, forced in recorded.actions):
        raise AgentError(
            f"{reviewer!r} has no analyses of decisions that could be shown; planner, mcts:400, "
            f"governor and trained networks have"
        )
    accuracies = (adviser.accuracy(seat) for seat in range(recorded.rules.players))
    return Review(reviewer, adviser.judgements, costliest, tuple(accuracies))


class _Adviser:
    """An agent that judges the decisions of a game, one after the other.

    Attributes:
        judgements: Of each decision so far, by its place in the history.
    """

    def __init__(self, recorded: Recorded, name: str) -> None:
        self.judgements: dict[int, Judgement] = {}
        self._actions = recorded.actions
        self._positions: dict[int, Game] = {}  # as the seat to decide may imagine them
        self._agents = [load_agent(name) for _ in range(recorded.rules.players)]
        for seat, agent in enumerate(self._agents):
            agent.reset(seat, recorded.rules, agent_seed(agents_seed(recorded.start), seat))

    def judge(self, game: Game, place: int) -> None:
        """Judge the decision that stands; says nothing where the agent has no analysis."""
        analysis = self._analyse(game)
        if analysis is None:
            return
        self._positions[place] = View.of(game).game
        best = analysis.likeliest().action
        self.judgements[place] = Judgement(analysis, best, self._loss(analysis, best, place))

    def costliest(self) -> tuple[int, ...]:
        """Find the decisions that cost most, and tell the line of each."""
        losses = {place: judgement.loss or 0.0 for place, judgement in self.judgements.items()}
        order = sorted(losses, key=lambda place: (-losses[place], place))[:MOST_COSTLY]
        found = tuple(place for place in order if losses[place] >= LEAST_LOSS)
        for place in found:
            line = self._line(place)
            self.judgements[place] = replace(self.judgements[place], line=line)
        return found

    def accuracy(self, seat: int) -> Accuracy | None:
        """Compare what a seat chose with what the agent would have chosen."""
        losses = [
            judgement.loss
            for judgement in self.judgements.values()
            if judgement.analysis.seat == seat and judgement.loss is not None
        ]
        if not losses:
            return None
        count = len(losses)
        agreed = sum(loss < LEAST_LOSS for loss in losses)
        accuracy = sum(map(accuracy_of, losses)) / count
        return Accuracy(count, agreed, sum(losses) / count, accuracy)

    # -- what a decision cost ----------------------------------------------------------------------

    def _loss(self, analysis: Analysis, best: int, place: int) -> float | None:
        """How much of its chance to win the seat lost by what it chose."""
        seat, played = analysis.seat, self._actions[place].action
        if _is_in_sequence(self._positions[place]):
            is_judged = self._goes_on_from(place, seat)
            return None if is_judged else self._loss_by_trial(seat, best, place)
        if played == best:
            return 0.0
        here, there = (_chance_after(analysis, action) for action in (best, played))
        if here is None or there is None:
            return self._loss_by_trial(seat, best, place)
        return max(0.0, here - there)

    def _goes_on_from(self, place: int, seat: int) -> bool:
        """Whether a decision goes on with a sequence that has been judged where it began."""
        before = place - 1
        while before >= 0 and self._actions[before].forced:
            before -= 1
        earlier = self.judgements.get(before)
        return (
            earlier is not None
            and earlier.analysis.seat == seat
            and _is_in_sequence(self._positions[before])
        )

    def _loss_by_trial(self, seat: int, best: int, place: int) -> float | None:
        """Compare the position after what was played with that after the agent's choice."""
        played = self._play_on(
            place, [action for action, forced in self._actions[place:] if not forced]
        )
        advised = self._play_on(place, [best])
        if played is None or advised is None:
            return None
        if played.state.tobytes() == advised.state.tobytes():
            return 0.0
        here, there = self._chance(advised, seat), self._chance(played, seat)
        return None if here is None or there is None else max(0.0, here - there)

    def _play_on(self, place: int, actions: Sequence[int]) -> Game | None:
        """Play a decision, and the sequence that it begins, to its end.

        Args:
            place: Where the decision stands.
            actions: What is played; after it, what the agent would play.

        Returns:
            The position there; None where it cannot be played so.
        """
        game = self._positions[place].clone()
        seat, sequence, given = game.turn, _is_in_sequence(game), iter(actions)
        for _ in range(_LONGEST_SEQUENCE):
            analysis = None
            action = next(given, None)
            if action is None:
                analysis = self._analyse(game)
                if analysis is None:
                    return None
                action = analysis.likeliest().action
            try:
                game.step(action)
            except IllegalActionError:  # another deal of what is hidden may not allow it
                return None
            if not (sequence and game.turn == seat and _is_in_sequence(game)):
                break
        return game

    def _chance(self, game: Game, seat: int) -> float | None:
        """The chance of a seat to win, as the agent sees it."""
        if game.over:
            return win_shares(game)[seat]
        analysis = self._analyse(game)
        return analysis.chances[seat] if analysis is not None and analysis.chances else None

    # -- what the agent would have done ------------------------------------------------------------

    def _line(self, place: int) -> tuple[Step, ...]:
        """How the game would have gone on from a decision."""
        game, steps = self._positions[place].clone(), []
        action: int | None = self.judgements[place].best
        while action is not None:
            steps.append(Step(game.turn, game.describe(action)))
            game.step(action)
            if game.over or len(steps) == _LINE:
                break
            following = self._analyse(game)
            action = None if following is None else following.likeliest().action
        return tuple(steps)

    def _analyse(self, game: Game) -> Analysis | None:
        return analysis_of(self._agents[game.turn], View.of(game))


def win_shares(game: Game) -> list[float]:
    """The share of the victory that each seat has in a game that is over (R-SCO-4)."""
    places = game.ranking()
    return [(place == 1) / places.count(1) for place in places]


def _chance_after(analysis: Analysis, action: int) -> float | None:
    """The chance to win after a candidate; None where it was not compared, or hardly tried."""
    for each in analysis.candidates:
        if each.action == action and each.chances:
            is_known = each.share is None or each.share >= _LEAST_SHARE
            return each.chances[analysis.seat] if is_known else None
    return None


def _is_in_sequence(game: Game) -> bool:
    return not game.over and int(game.state["decision_point"][0]) in _SEQUENCES
