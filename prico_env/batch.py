"""The same engine over many games at once: one array of records, one call for all of them.

Ranges of games run on several threads. What one game does depends on nothing but its own record.
"""

import copy
import itertools
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from prico_env.actions import NAMES
from prico_env.arguments import (
    as_integer,
    check_out,
    flag,
    instance,
    items,
    one_of,
    truth_values,
    whole,
    whole_numbers,
)
from prico_env.core.calls import (
    DEAL,
    LEAVE,
    SHOW,
    UNTOUCHED,
    Arrays,
    determinize_games,
    draw_seeds,
    first_illegal,
    observe_games,
    rank_games,
    sample_games,
    score_games,
    seed_samplers,
    step_games,
)
from prico_env.core.rng import MAX_SEED
from prico_env.core.scoring import REWARDS
from prico_env.core.state import STATE, copy_states, new_states, take_states
from prico_env.errors import IllegalActionError, OutOfRangeError, PricoError, RecordError, quoted
from prico_env.game import Game, check_scheme, check_seed
from prico_env.observation_layout import ObservationLayout, layout_for
from prico_env.playouts import PlayoutPolicy, find_playout
from prico_env.ruleset import RuleSet, rules_or_default
from prico_env.serialization import wrong_records
from prico_env.step_thread import StepThread
from prico_env.vocabulary import Outcome

__all__ = ["LEAVE", "Games"]

_MIN_GAMES_PER_THREAD: Final = 256
_LISTED_GAMES: Final = 5
_MOST_GAMES: Final = 2**24
"""More than any machine has had the memory for."""

_MOST_DECISIONS: Final = 2**31 - 1
"""More than a game can have."""
_NO_LOG: Final = np.zeros((0, 2), dtype=np.int16)
"""Nobody asks a batch for its forced decisions."""

BUFFERS: Final = ("state", "masks", "num_legal", "observations", "rewards", "ended", "seeds")
"""The arrays of a batch that may lie in memory of the caller."""
_PER_GAME: Final = (*BUFFERS[1:], "_samplers", "_sampled")
"""The arrays of a batch with a row for each game, beside the records."""


class Games:
    """Many games in one array, stepped by one call.

    The arrays are rewritten in place by every call, so copy what you want to keep.

    Args:
        rules: One rule set, or one for each game; a batch may mix player counts and editions.
        n: How many games.
        seed: Game ``i`` is dealt as ``Game(rules, seed + i)``, and its ``k``-th game after that
            with ``seed + i + k * n``; see ``seeds``.
        autoreset: Deal a game anew in the step in which it ends. Its ``rewards`` and ``ended`` are
            those of the game that ended, everything else belongs to the new one.
        reward: ``"win"``, ``"rank"`` or ``"margin"``.
        observe: Whether steps write observations; without, ``observations`` has no columns.
        threads: Threads to share the work among; by default the cores, where there is enough work.
        buffers: Memory of the caller's, shared or pinned, that the arrays of these names are to lie
            in, such as ``{"observations": array}``; `buffer_types` says which there are, and of
            what shape and type. The others are made here.

    Attributes:
        state: The records, structured, shape ``(n,)``; who writes to them calls :meth:`check`
            before anything else.
        masks: What the seat to act may do, bool, shape ``(n, num_actions)``.
        num_legal: How many choices that makes, int16, shape ``(n,)``; 0 when the game is over.
        observations: What the seat to act sees, uint8, shape ``(n, num_features)``.
        rewards: What the last step brought each seat, float32, shape ``(n, seats)``.
        ended: Which games ended in the last step, bool, shape ``(n,)``.
        seeds: The seed of the game in each slot, int64, shape ``(n,)``.
        rule_sets: The distinct rule sets of the batch.
        num_actions: Size of the action space.
        num_seats: Seats of the largest game.
        layout: What the features mean.
    """

    def __init__(  # noqa: PLR0913 - every option is a keyword of its own
        self,
        rules: RuleSet | Sequence[RuleSet] | None = None,
        n: int = 1,
        seed: int = 0,
        *,
        autoreset: bool = False,
        reward: str = "win",
        observe: bool = True,
        threads: int | None = None,
        buffers: Mapping[str, NDArray[Any]] | None = None,
    ) -> None:
        n = whole(n, "the number of games", 1, _MOST_GAMES)
        self._scheme = REWARDS.index(check_scheme(reward))
        seed = check_seed(seed)
        per_game = _rules_of_each(rules, n)
        self.rule_sets: tuple[RuleSet, ...] = tuple(dict.fromkeys(per_game))
        self.num_actions: int = max(rule_set.num_actions for rule_set in self.rule_sets)
        self.num_seats: int = max(rule_set.players for rule_set in self.rule_sets)
        self.layout: ObservationLayout = _layout_of(self.rule_sets)
        self.autoreset = flag(autoreset, "autoreset")
        self.reward = reward
        self._asked_threads = threads
        self.threads = _choose_threads(threads, n)
        self._pool: ThreadPoolExecutor | None = None
        self._sent = StepThread()
        self._table = np.concatenate([rule_set.table for rule_set in self.rule_sets])
        row_of = {rule_set: row for row, rule_set in enumerate(self.rule_sets)}
        arrays = _given_or_new(buffers, self.buffer_types(per_game, n, observe=observe))
        self.state: NDArray[Any] = arrays["state"]
        self.state["rules"] = [row_of[rule_set] for rule_set in per_game]
        self.masks: NDArray[np.bool_] = arrays["masks"]
        self.num_legal: NDArray[np.int16] = arrays["num_legal"]
        self.observations: NDArray[np.uint8] = arrays["observations"]
        self.rewards: NDArray[np.float32] = arrays["rewards"]
        self.ended: NDArray[np.bool_] = arrays["ended"]
        self.seeds: NDArray[np.int64] = arrays["seeds"]
        self._samplers = np.zeros((n, 4), dtype=np.uint32)
        self._sampled = np.zeros(n, dtype=np.int64)
        self.reset(seed=seed)

    @classmethod
    def of(cls, games: Sequence[Game], **settings: Any) -> "Games":
        """Return copies of single games as a batch, each where it stands: the way back of ``[]``.

        A game whose next decision is forced is taken to the next choice.

        Args:
            games: At least one :class:`Game`.
            **settings: Those of the class, such as ``threads``.
        """
        given = items(games, "games of a batch")
        for game in given:
            instance(game, Game, "each game of a batch is a Game")
        batch = cls([game.rules for game in given], len(given), **settings)
        rules = batch.state["rules"].copy()
        copy_states(np.concatenate([game.state for game in given]), batch.state)
        batch.state["rules"] = rules
        batch._run(step_games, batch._arrays(), np.full(len(batch), SHOW), 0, batch._scheme)
        return batch

    @staticmethod
    def buffer_types(
        rules: RuleSet | Sequence[RuleSet] | None = None, n: int = 1, *, observe: bool = True
    ) -> dict[str, tuple[tuple[int, ...], np.dtype[Any]]]:
        """Return the shape and dtype of each array that may lie in memory of the caller's.

        >>> types = Games.buffer_types(RuleSet(players=4), 256)
        >>> types["masks"], types["observations"]
        (((256, 140), dtype('bool')), ((256, 461), dtype('uint8')))

        Args:
            rules: As for a batch.
            n: Likewise.
            observe: Likewise.
        """
        n = whole(n, "the number of games", 1, _MOST_GAMES)
        rule_sets = set(_rules_of_each(rules, n))
        num_actions = max(rule_set.num_actions for rule_set in rule_sets)
        num_seats = max(rule_set.players for rule_set in rule_sets)
        num_features = _layout_of(rule_sets).num_features if flag(observe, "observe") else 0
        types: dict[str, tuple[tuple[int, ...], Any]] = {
            "state": ((n,), STATE),
            "masks": ((n, num_actions), np.bool_),
            "num_legal": ((n,), np.int16),
            "observations": ((n, num_features), np.uint8),
            "rewards": ((n, num_seats), np.float32),
            "ended": ((n,), np.bool_),
            "seeds": ((n,), np.int64),
        }
        return {name: (shape, np.dtype(dtype)) for name, (shape, dtype) in types.items()}

    def __len__(self) -> int:
        """How many games there are."""
        return len(self.state)

    @property
    def turn(self) -> NDArray[np.int8]:
        """The seat to act in each game, -1 when it is over, shape ``(n,)``."""
        turn: NDArray[np.int8] = self.state["turn"]
        return turn

    @property
    def over(self) -> NDArray[np.bool_]:
        """Which games have ended, shape ``(n,)``."""
        over: NDArray[np.bool_] = self.state["outcome"] != Outcome.RUNNING
        return over

    @property
    def truncated(self) -> NDArray[np.bool_]:
        """Which games were cut off by ``max_rounds``, shape ``(n,)``."""
        truncated: NDArray[np.bool_] = self.state["outcome"] == Outcome.TRUNCATED
        return truncated

    def reset(self, seed: int | None = None, where: ArrayLike | None = None) -> None:
        """Deal games anew.

        Args:
            seed: Start the seeds anew from here; without, every game moves on to its next seed.
            where: Which games, bool, shape ``(n,)``; all when left out.
        """
        self._sent.check_idle("reset()")
        n = len(self)
        chosen = np.ones(n, np.bool_) if where is None else truth_values(where, "where", (n,))
        self._deal(np.flatnonzero(chosen), None if seed is None else check_seed(seed))

    def _deal(self, rows: NDArray[np.int64], seed: int | None) -> None:
        """Deal some games anew, with seeds from a number on or with their next ones."""
        if seed is None:
            self._move_on(rows)
        else:
            fresh = (seed + np.arange(len(self), dtype=np.int64)) & MAX_SEED
            self.seeds[rows] = fresh[rows]
            seed_samplers(self._samplers, fresh)
        actions = np.full(len(self), UNTOUCHED, dtype=np.int64)
        actions[rows] = DEAL
        self._run(step_games, self._arrays(), actions, 0, self._scheme)

    def _move_on(self, rows: NDArray[np.int64]) -> None:
        """Give some games their next seeds."""
        self.seeds[rows] = (self.seeds[rows] + len(self)) & MAX_SEED

    def step(self, actions: ArrayLike) -> None:
        """Make one decision in every game; the arrays then show the next.

        Args:
            actions: Action numbers, shape ``(n,)``; -1 leaves a game as it is. A game that is over
                ignores its action until it is dealt anew.

        Raises:
            IllegalActionError: An action is not allowed; no game has moved.
        """
        self._sent.check_idle("step()")
        self._step(whole_numbers(actions, "actions", self.ended.shape))

    def _step(self, actions: NDArray[np.int64]) -> None:
        chosen = self._allowed(actions, may_leave=True)
        seed_stride = len(self) if self.autoreset else 0
        self._run(step_games, self._arrays(), chosen, seed_stride, self._scheme)

    def send(self, actions: ArrayLike) -> None:
        """Start a step on a thread and return at once; `recv` waits for its end.

        Until then the games and all their arrays belong to that thread: read none, and call nothing
        else of this batch.

        Args:
            actions: As for `step`; they are copied.

        Raises:
            PricoError: A step was sent before, and has not been received.
        """
        chosen = whole_numbers(actions, "actions", self.ended.shape)
        self._sent.send(self._step, chosen.copy())

    def recv(self) -> None:
        """Wait for the step that was sent; the arrays then show the next decisions.

        Raises:
            IllegalActionError: An action was not allowed; no game has moved.
            PricoError: No step was sent.
        """
        self._sent.recv()

    def close(self) -> None:
        """End the threads, after a step that may be under way; a later call starts them again."""
        self._sent.close()
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def check(self) -> None:
        """Check the records after writing to `state`, and bring the arrays up to date with them.

        Every game then stands at its next decision, as after a step. Kernels take records as they
        are: what was written and not checked may do anything.

        Raises:
            RecordError: Some records cannot be games; names them and says what is wrong with each
                of the first. No game has moved.
        """
        self._sent.check_idle("check()")
        wrong = wrong_records(self.rule_sets, self.state)
        if wrong:
            told = [f"game {game} ({what})" for game, what in wrong.items()][:_LISTED_GAMES]
            more = f" and {len(wrong) - _LISTED_GAMES} more" if len(wrong) > _LISTED_GAMES else ""
            raise RecordError(
                f"{len(wrong)} of {len(self)} records cannot be games: {', '.join(told)}{more}"
            )
        seed_stride = len(self) if self.autoreset else 0
        shown = np.full(len(self), SHOW, dtype=np.int64)
        self._run(step_games, self._arrays(), shown, seed_stride, self._scheme)

    def sample(self) -> NDArray[np.int64]:
        """Draw a random legal action for each game, int64, shape ``(n,)``; -1 where it is over."""
        self._sent.check_idle("sample()")
        self._run(sample_games, self.masks, self.num_legal, self._samplers, self._sampled)
        return self._sampled

    def observe(self, seats: ArrayLike, out: NDArray[np.uint8] | None = None) -> NDArray[np.uint8]:
        """Return what the given seats see of their games, uint8, shape ``(n, num_features)``.

        Args:
            seats: Seats that are in their games, shape ``(n,)``, or one for all.
            out: An array to write it to.
        """
        chosen = self._checked_seats(seats)
        shape = (len(self), self.layout.num_features)
        if out is None:
            out = np.zeros(shape, dtype=np.uint8)
        check_out(out, np.uint8, shape)
        observe_games(self._table, self.state, chosen, out)
        return out

    def scores(self) -> NDArray[np.int16]:
        """Return all scores as if the games ended now, int16, shape ``(n, seats)``."""
        scores = np.zeros((len(self), self.num_seats), dtype=np.int16)
        score_games(self._table, self.state, scores)
        return scores

    def places(self) -> NDArray[np.int8]:
        """Return all places, 1 the best, int8, shape ``(n, seats)``; 0 for a seat not in play."""
        places = np.zeros((len(self), self.num_seats), dtype=np.int8)
        rank_games(self._table, self.state, places)
        return places

    def __getitem__(self, game: int) -> Game:
        """Return a copy of one game as a :class:`Game` of its own.

        A batch does not keep decisions, so the copy knows none of those before it, and has no
        record.
        """
        number = as_integer(game)
        if number is None or not -len(self) <= number < len(self):
            raise OutOfRangeError(f"there is no game {quoted(game)} in a batch of {len(self)}")
        state = copy_states(self.state[number : number + 1 or None])
        rules = self.rule_sets[int(state["rules"][0])]
        state["rules"] = 0
        return Game._from_state(rules, state)

    def take(self, rows: ArrayLike) -> "Games":
        """Return games of this batch once more, each as often as it is named.

        Copies of a game go on by themselves, and the same actions lead them to the same future.

        Args:
            rows: Numbers of games, whole numbers, shape ``(m,)``.

        Raises:
            PricoError: They are no such numbers, or none.
        """
        self._sent.check_idle("take()")
        what = f"rows, numbers of games from 0 to {len(self) - 1},"
        chosen = whole_numbers(rows, what)
        if len(chosen) == 0 or chosen.min() < 0 or chosen.max() >= len(self):
            raise PricoError(f"{what} are at least one and in the batch, not {quoted(rows)}")
        games = copy.copy(self)
        games.state = take_states(self.state, chosen)
        for name in _PER_GAME:
            setattr(games, name, getattr(self, name)[chosen])
        games.threads = _choose_threads(self._asked_threads, len(chosen))
        games._sent = StepThread()
        return games

    # -- searches ----------------------------------------------------------------------------------

    def determinize(self, seats: ArrayLike, seeds: ArrayLike) -> None:
        """Deal anew what the given seats cannot see of their games (R-INF-2), in place.

        The same as :meth:`prico_env.Game.determinize` in every game: decks are shuffled, tiles
        that others alone have seen are dealt anew, and the games' generators are re-seeded. A seat
        that is to act sees and may do the same as before. ``seeds`` of the batch say how the games
        were dealt first. A game that is over stays as it is.

        Args:
            seats: Whose view stays the same, shape ``(n,)``, or one seat for all; ``games.turn``
                for the seats to act.
            seeds: Where the new deals come from, int64, shape ``(n,)``; one number ``s`` is
                ``s + i`` for game ``i``.

        Raises:
            PricoError: They are no such seats or seeds; no game has changed.
        """
        self._sent.check_idle("determinize()")
        over = self.over
        chosen = self._checked_seats(seats, but=over)
        self._run(determinize_games, self._table, self.state, chosen, self._checked_seeds(seeds))
        shown = np.where(over | (chosen == self.turn), np.int64(UNTOUCHED), np.int64(SHOW))
        if (shown == SHOW).any():  # whoever is to act may see other tiles of its own now
            self._run(step_games, self._arrays(), shown, 0, self._scheme)

    def play(
        self,
        policy: str | PlayoutPolicy = "random",
        limit: int | None = None,
        seeds: ArrayLike | None = None,
    ) -> NDArray[np.int32]:
        """Play every game on with a compiled policy at all seats, to the end or for a while.

        The arrays then show where the games stand; ``rewards`` and ``ended`` are of every game that
        is over. None is dealt anew, with ``autoreset`` neither.

        Args:
            policy: ``"random"``; with `prico_agents` imported also ``"corn"``, ``"planner"`` or any
                other compiled agent, with settings where it takes some; or a policy of one's own,
                such as a kernel: see `prico_env.playouts`.
            limit: The most decisions in each game, all seats counted; without, to its end.
            seeds: Where the players' chance comes from, int64, shape ``(n,)``; one number ``s`` is
                ``s + i`` for game ``i``. Without, it comes from the generators of :meth:`sample`,
                so that each call, and each copy of a game, goes another way.

        Returns:
            How many decisions were made, int32, shape ``(n,)``.

        Raises:
            PricoError: There is no such policy, limit or seed; no game has moved.
        """
        decisions = self._play_on(self.state, policy, limit, seeds)
        shown = np.full(len(self), SHOW, dtype=np.int64)
        self._run(step_games, self._arrays(), shown, 0, self._scheme)
        return decisions

    def playout(
        self,
        policy: str | PlayoutPolicy = "random",
        limit: int | None = None,
        seeds: ArrayLike | None = None,
    ) -> NDArray[np.int16]:
        """Return the scores that :meth:`play` would lead to; the games stay where they are.

        Players know no more than they may, but what the future brings lies in the records: where
        that must not be known, :meth:`determinize` copies of the games first (:meth:`take`).

        Args:
            policy: Who plays, as for :meth:`play`.
            limit: The most decisions in each game; what counts then is the score so far.
            seeds: Where the players' chance comes from.

        Returns:
            Scores, int16, shape ``(n, seats)``; 0 for a seat not in play.
        """
        states = copy_states(self.state)
        self._play_on(states, policy, limit, seeds)
        scores = np.zeros((len(self), self.num_seats), dtype=np.int16)
        score_games(self._table, states, scores)
        return scores

    def _play_on(
        self,
        states: NDArray[Any],
        policy: str | PlayoutPolicy,
        limit: int | None,
        seeds: ArrayLike | None,
    ) -> NDArray[np.int32]:
        """Play records of the batch on in place; return how many decisions that took."""
        self._sent.check_idle("a playout")
        play_games = find_playout(policy)
        most = -1 if limit is None else whole(limit, "the limit of decisions", 0, _MOST_DECISIONS)
        if seeds is None:
            chances = np.zeros(len(self), dtype=np.int64)
            draw_seeds(self._samplers, chances)
        else:
            chances = self._checked_seeds(seeds)
        decisions = np.zeros(len(self), dtype=np.int32)
        self._run(play_games, self._table, states, chances, most, decisions)
        return decisions

    def _checked_seats(
        self, seats: ArrayLike, but: NDArray[np.bool_] | None = None
    ) -> NDArray[np.int64]:
        """Return a seat of each game, whatever was given for some of them.

        Args:
            seats: What was given: a seat of each game, or one of all.
            but: The games of which it does not matter.
        """
        seat = as_integer(seats)
        given = seats if seat is None else np.broadcast_to(np.array(seat), self.ended.shape)
        chosen = whole_numbers(given, "seats", self.ended.shape)
        limit = np.array([rule_set.players for rule_set in self.rule_sets])[self.state["rules"]]
        wrong = (chosen < 0) | (chosen >= limit)
        if (wrong if but is None else wrong & ~but).any():
            raise PricoError(
                f"seats are seats that are in their games, 0 to {limit.max() - 1}, not "
                f"{quoted(seats)}"
            )
        return chosen

    def _checked_seeds(self, seeds: ArrayLike) -> NDArray[np.int64]:
        """Return a seed for each game: one for each was given, or the first of a row."""
        first = as_integer(seeds)
        if first is not None:
            return (check_seed(first) + np.arange(len(self), dtype=np.int64)) & MAX_SEED
        chosen = whole_numbers(seeds, "seeds", self.ended.shape)
        if (chosen < 0).any():
            raise PricoError(f"seeds run from 0 to 2**63 - 1, and {chosen.min()} is none")
        return chosen

    # -- how it is done ----------------------------------------------------------------------------

    def _arrays(self) -> Arrays:
        return Arrays(
            self._table,
            self.state,
            self.seeds,
            self.masks,
            self.num_legal,
            self.observations,
            self.rewards,
            self.ended,
            _NO_LOG,
        )

    def _run(self, work: Callable[..., None], *arguments: Any) -> None:
        """Run a kernel over all games, in ranges on several threads where that pays."""
        n = len(self)
        if self.threads == 1:
            work(*arguments, 0, n)
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads, thread_name_prefix="prico")
        bounds = [n * part // self.threads for part in range(self.threads + 1)]
        # The caller's thread does the first range itself.
        others = [
            self._pool.submit(work, *arguments, start, stop) for start, stop in pairwise(bounds[1:])
        ]
        work(*arguments, bounds[0], bounds[1])
        for other in others:
            other.result()

    def _allowed(self, actions: NDArray[np.int64], *, may_leave: bool) -> NDArray[np.int64]:
        """Return actions that kernels may carry out.

        Args:
            actions: What was chosen.
            may_leave: Whether -1 leaves a game as it is, or is not allowed.

        Raises:
            IllegalActionError: One is not allowed.
        """
        if first_illegal(self.masks, self.num_legal, actions, may_leave) < 0:
            return actions
        if not may_leave:
            actions = np.where(actions < 0, self.num_actions, actions)
        return self._without_ignored(actions)

    def _without_ignored(self, actions: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return actions that are `LEAVE` where a game is over: there any number is ignored.

        Raises:
            IllegalActionError: One is not allowed in a game that is not over; names the games.
        """
        running = ~self.over & (actions != LEAVE)
        in_range = (actions >= 0) & (actions < self.num_actions)
        allowed = np.zeros(len(self), dtype=np.bool_)
        allowed[in_range] = self.masks[np.flatnonzero(in_range), actions[in_range]]
        wrong = np.flatnonzero(running & ~allowed)
        if len(wrong) == 0:
            return np.where(running, actions, LEAVE)
        named = ", ".join(
            f"game {game} ({_name(int(actions[game]))} by seat {self.turn[game]})"
            for game in wrong[:_LISTED_GAMES]
        )
        more = f" and {len(wrong) - _LISTED_GAMES} more" if len(wrong) > _LISTED_GAMES else ""
        raise IllegalActionError(
            f"{len(wrong)} of {len(self)} actions are not allowed: {named}{more}; "
            "masks shows what is, and no game has moved"
        )

    def __getstate__(self) -> dict[str, Any]:
        """Leave the threads behind when a batch is copied or pickled."""
        return {**self.__dict__, "_pool": None}

    def __repr__(self) -> str:
        """Say what is played and how far it has come."""
        played = ", ".join(map(repr, self.rule_sets))
        return f"<{len(self)} games of {played}, {int(self.over.sum())} over>"


def _name(action: int) -> str:
    return NAMES[action] if 0 <= action < len(NAMES) else f"action {action}"


def _layout_of(rule_sets: Collection[RuleSet]) -> ObservationLayout:
    """Return the layout of the observations of games that may have different rule sets."""
    with_expansions = any(rule_set.expansions for rule_set in rule_sets)
    return layout_for(max(rule_set.players for rule_set in rule_sets), with_expansions)


def _given_or_new(
    buffers: Any, types: Mapping[str, tuple[tuple[int, ...], np.dtype[Any]]]
) -> dict[str, NDArray[Any]]:
    """Return the arrays of a batch: those of the caller, checked, and new ones for the rest.

    Raises:
        PricoError: One of the caller's does not go, two of them overlap, or it has an unknown name.
    """
    if not isinstance(buffers, Mapping | None):
        raise PricoError(f"buffers are arrays by name, not {quoted(buffers)}")
    given = buffers or {}
    for name in given:
        one_of(name, types, "buffer")
    arrays = {}
    for name, (shape, dtype) in types.items():
        if name in given:
            check_out(given[name], dtype, shape, f"buffers[{name!r}]")
            arrays[name] = given[name]
            arrays[name].view(np.uint8).fill(0)
        else:
            arrays[name] = new_states(*shape) if name == "state" else np.zeros(shape, dtype)
    for one, other in itertools.combinations(given, 2):
        if np.may_share_memory(arrays[one], arrays[other]):
            raise PricoError(f"buffers[{one!r}] and buffers[{other!r}] lie in the same memory")
    return arrays


def _choose_threads(threads: int | None, num_games: int) -> int:
    """Return how many threads to use: as asked, else the cores where there is enough work."""
    if threads is None:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        return max(1, min(cores or 1, num_games // _MIN_GAMES_PER_THREAD))
    return min(whole(threads, "the number of threads", 1), num_games)


def _rules_of_each(rules: object, num_games: int) -> list[RuleSet]:
    """Return the rule set of each game, given one for all or one for each."""
    if not isinstance(rules, Sequence) or isinstance(rules, str | bytes):
        return [rules_or_default(rules)] * num_games
    if len(rules) != num_games:
        raise PricoError(f"{len(rules)} rule sets were given for {num_games} games")
    return [rules_or_default(instance(each, RuleSet, "each game has a rule set")) for each in rules]
