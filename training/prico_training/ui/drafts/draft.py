"""What all drafts share: places with numbers, and the way from numbers to decisions."""

import abc
import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from prico_agents import Agent, View
from prico_env import Game, RuleSet
from prico_env.actions import PASS, block_of
from prico_env.arguments import as_integer
from prico_env.errors import IllegalActionError, PricoError, did_you_mean, quoted
from prico_env.game import Move
from prico_env.text import terms
from prico_env.text.localization import edition_words
from prico_env.vocabulary import TILES, DecisionPoint
from prico_training.ui.sequences import draws_at_random

Counts = dict[str, int]
"""How many pieces there are, or are to be, at each place, by its key."""


class DraftError(PricoError):
    """No allowed decisions lead to what is wanted; the message says why, in the edition's words."""


class Place(NamedTuple):
    """A place of a draft: one kind of piece at one spot."""

    key: str
    """Its name among the counts, such as ``"worker:hospice"`` or ``"corn"``."""
    unit: str
    """What lies there: ``"worker"``, ``"citizen"``, ``"barrel"`` or ``"vp"``."""
    spot: str
    """Where it is; places of one spot share its room."""
    least: int
    """The fewest pieces that may be there in the end."""
    most: int
    """The most, whatever is at other places."""


class Pool(NamedTuple):
    """What the places of one kind of piece share."""

    name: str
    size: int
    """How many pieces there are, in hand and on the places; or how many are to be named."""


class Suggestion(NamedTuple):
    """What an agent would do."""

    actions: list[int]
    counts: Counts


@dataclass(frozen=True)
class Sketch:
    """A game as it would look with a draft carried out, to be drawn; nobody can play it."""

    rules: RuleSet
    state: np.ndarray
    history: Sequence[Move]
    _scores: list[int]
    _ranking: list[int]

    def scores(self) -> list[int]:
        """The scores as they stand in the game itself."""
        return self._scores

    def ranking(self) -> list[int]:
        """The places as they stand in the game itself."""
        return self._ranking


class Draft(abc.ABC):
    """A run of decisions of the seat to act, as the numbers of pieces that it leads to.

    Attributes:
        kind: What is drafted, for programs.
        seat: Whose decisions they are.
        places: Where pieces may be put, taken, kept or paid from.
        rooms: How many pieces a spot holds together, where that is a limit.
        pools: What the places share, by the name of a pool.
        counts: The numbers as they stand.
    """

    kind: ClassVar[str]
    verbs: ClassVar[frozenset[str]]
    """What the names of its actions begin with, the pass that ends it apart."""
    ends_by_pass: ClassVar[bool] = True
    """Whether a pass belongs to it."""

    def __init__(self, game: Game) -> None:
        self.game = game.clone()
        self._start = self.game.snapshot()
        self.rules, self.seat = game.rules, game.turn
        self.state = self.game.state[0]
        self.point = DecisionPoint(int(self.state["decision_point"]))
        self.places: tuple[Place, ...] = tuple(self._places())
        self.rooms: dict[str, int] = self._rooms()
        self.counts: Counts = self._counts_in(self.game)
        self.pools: tuple[Pool, ...] = tuple(self._pools())

    # -- what each kind of draft says --------------------------------------------------------------

    @abc.abstractmethod
    def _places(self) -> Iterable[Place]:
        """The places, in the order in which they are shown."""

    @abc.abstractmethod
    def _pools(self) -> Iterable[Pool]:
        """What the places share."""

    @abc.abstractmethod
    def _counts_in(self, game: Game) -> Counts:
        """The numbers in a game that is at this draft."""

    @abc.abstractmethod
    def _result(self, game: Game) -> Counts:
        """The numbers in a game to which decisions of the draft have led."""

    @abc.abstractmethod
    def _problem(self, counts: Counts) -> str:
        """What is wrong with numbers that are each within their limits; empty if nothing is."""

    @abc.abstractmethod
    def _next_action(self, game: Game, counts: Counts) -> int | None:
        """The next decision on the way to these numbers; None when they are reached."""

    @abc.abstractmethod
    def filled(self, counts: Mapping[str, int]) -> Counts:
        """Return numbers with what is missing added, in an order that is sensible."""

    @abc.abstractmethod
    def _sketch(self, state: Any, counts: Counts) -> None:
        """Write the numbers into a record that is only drawn."""

    def _rooms(self) -> dict[str, int]:
        return {}

    def pool_of(self, place: Place) -> str:
        """The name of the pool that a place belongs to."""
        return place.unit

    @property
    def is_single(self) -> bool:
        """Whether one piece is all that there is to choose, so that one tap says everything."""
        return sum(self.in_hand(self.counts).values()) == 1

    @property
    def rule(self) -> str:
        """What must be kept to, in words; empty if the numbers say it."""
        return ""

    # -- numbers -----------------------------------------------------------------------------------

    def checked(self, counts: Mapping[str, Any]) -> Counts:
        """Return numbers with those that are not named as they stand.

        Raises:
            PricoError: There is no such place, or that is no number.
        """
        known = {place.key for place in self.places}
        for key, count in counts.items():
            if key not in known:
                raise PricoError(
                    f"there is no place {quoted(key)} here{did_you_mean(str(key), sorted(known))}"
                )
            if as_integer(count) is None or not 0 <= count < 2**31:
                raise PricoError(f"{key!r} is a number of pieces, not {quoted(count)}")
        return self.counts | {key: int(count) for key, count in counts.items()}

    def in_hand(self, counts: Mapping[str, int]) -> dict[str, int]:
        """What is left of each pool; below zero where more is wanted than there is."""
        left = {pool.name: pool.size for pool in self.pools}
        for place in self.places:
            pool = self.pool_of(place)
            if pool in left:
                left[pool] -= counts[place.key]
        return left

    def problem(self, counts: Mapping[str, int]) -> str:
        """Say what is wrong with an arrangement; empty if nothing is."""
        return self.way_to(counts)[1]

    def way_to(self, counts: Mapping[str, int]) -> tuple[list[int], str]:
        """Return the decisions that lead to an arrangement; none where there are none, and why."""
        try:
            return self.actions_to(counts), ""
        except DraftError as error:
            return [], str(error)

    def cleared(self) -> Counts:
        """The fewest pieces everywhere."""
        return {place.key: place.least for place in self.places}

    # -- decisions ---------------------------------------------------------------------------------

    def actions_to(self, counts: Mapping[str, int]) -> list[int]:
        """Return the decisions that lead to an arrangement; none if it is reached.

        Raises:
            PricoError: There is no such place, or that is no number.
            DraftError: No allowed decisions lead there.
        """
        wanted = self.checked(counts)
        if problem := self._limit_problem(wanted) or self._problem(wanted):
            raise DraftError(problem)
        game, actions = self.game.clone(), list[int]()
        while self.is_at(game) and (action := self._next_action(game, wanted)) is not None:
            if actions and draws_at_random(self.game, game):
                raise DraftError(self.say("draft_chance", move=game.describe(actions[-1])))
            try:
                game.step(action)
            except IllegalActionError as error:
                raise DraftError(str(error)) from None
            actions.append(action)
            if self.is_ended(game, action):
                break
        # What is forced behind a random draw is no part of the draft, and tells what was drawn.
        if not draws_at_random(self.game, game) and self._result(game) != wanted:
            raise DraftError(self.say("draft_unreachable"))
        return actions

    def before(self, actions: Sequence[int]) -> Counts:
        """The numbers before decisions of the draft that were made already, by themselves."""
        return self.counts

    def counts_after(self, actions: Sequence[int]) -> Counts:
        """Return the numbers that decisions of this draft lead to.

        Raises:
            IllegalActionError: One of them is not allowed.
        """
        game = self.game.clone()
        for action in actions:
            game.step(action)
        return self._result(game)

    def suggested_by(self, agent: Agent) -> Suggestion:
        """Let an agent make the decisions on a copy of the game; return them, and the numbers."""
        game, actions = self.game.clone(), list[int]()
        while self.is_at(game) and not (actions and draws_at_random(self.game, game)):
            action = int(agent.act(View.of(game, self.seat)))
            if not self.belongs(action):
                break
            game.step(action)
            actions.append(action)
            if self.is_ended(game, action):
                break
        return Suggestion(actions, self._result(game))

    def _made(self, game: Game) -> list[int]:
        """The decisions of the draft that led to a game, forced ones included."""
        moves = game.history_since(self._start)
        own = itertools.takewhile(lambda one: one.seat == self.seat and self.belongs(one[0]), moves)
        return [move.action for move in own]

    def is_at(self, game: Game) -> bool:
        """Whether a game that began at this draft has not left it."""
        return not game.over and game.turn == self.seat and self._is_point(game)

    def _is_point(self, game: Game) -> bool:
        return int(game.state[0]["decision_point"]) == self.point

    def belongs(self, action: int) -> bool:
        """Whether a decision at this draft is one of those that it is made of."""
        if action == PASS:
            return self.ends_by_pass
        return block_of(action).verb in self.verbs

    def is_ended(self, game: Game, action: int) -> bool:
        """Whether the draft is over in a game to which an action has led."""
        return not self.is_at(game) or self._is_last(game, action)

    def _is_last(self, game: Game, action: int) -> bool:
        """Whether an action ended the draft, though the seat decides the like again."""
        return action == PASS

    def _limit_problem(self, counts: Counts) -> str:
        for place in self.places:
            if counts[place.key] > place.most:
                return self._above(place, counts[place.key])
            if counts[place.key] < place.least:
                return self.say("draft_stays", place=self.title(place))
        return ""

    def _above(self, place: Place, count: int) -> str:
        return self.say("draft_full", place=self.title(place), count=place.most)

    # -- words and pictures ------------------------------------------------------------------------

    def say(self, key: str, **figures: object) -> str:
        """A sentence about the draft, in the words of the edition."""
        return terms.page_words(self.rules.edition, key, **figures)

    def describe(self, actions: Sequence[int]) -> list[str]:
        """Say in words what decisions do, each as it stands before it."""
        game, said = self.game.clone(), []
        for action in actions:
            said.append(game.describe(action))
            game.step(action)
        return said

    def pool_title(self, pool: Pool) -> str:
        """What is in a pool, as a general word."""
        return self.term(f"{pool.name}s")

    def title(self, place: Place) -> str:
        """What a place is called: by its spot, or by its piece."""
        printed = terms.printed_words(self.rules.edition)
        for kind in ("tile", "building", "portrait"):
            if place.spot in printed[kind]:
                return printed[kind][place.spot]
        return self.term(place.spot)

    def term(self, name: str) -> str:
        """A general word of the edition."""
        return edition_words(self.rules.edition).terms[name]

    def anchor(self, place: Place) -> str:
        """Which part of the drawing a place belongs to."""
        if place.unit == "vp":
            return f"vp-{self.seat}"
        if place.unit == "barrel":
            return f"goods-{self.seat}-{place.spot}"
        if place.spot == "portrait":
            return f"portrait-{self.seat}"
        return f"{'island' if place.spot in TILES else 'city'}-{self.seat}-{place.spot}"

    def sketch(self, counts: Mapping[str, Any]) -> Sketch:
        """The game as it would look with these numbers."""
        game = self.game.clone()
        self._sketch(game.state[0], self.checked(counts))
        return Sketch(self.rules, game.state, game.history, self.game.scores(), self.game.ranking())
