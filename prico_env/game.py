"""One game for Python: what is legal, a step, scores, copies, words."""

from collections.abc import Iterable, Iterator, Mapping
from operator import index
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prico_env import serialization, text as words
from prico_env.actions import NAMES, NUM_ACTIONS
from prico_env.arguments import as_integer, check_out, instance, numbered, one_of, whole
from prico_env.core.calls import (
    COUNT_BITS,
    COUNT_MASK,
    FORCED_LOG_AT,
    GAME_BYTES,
    JUST_ADVANCE,
    LEGAL_AT,
    LOOK,
    REFUSED,
    blank_game,
    deal_game,
    determinize_game,
    observe_game,
    rank_game,
    reward_game,
    score_game,
    score_parts_of_game,
    step_game,
)
from prico_env.core.rng import MAX_SEED
from prico_env.core.scoring import NUM_SCORE_PARTS, REWARDS, SCORE_PARTS
from prico_env.core.state import STATE, states_in
from prico_env.errors import IllegalActionError, PricoError, RecordError, quoted
from prico_env.ruleset import RuleSet, check_rules, rules_or_default
from prico_env.text.seats import given_name
from prico_env.vocabulary import PHASES, Outcome

_LISTED_ACTIONS: Final = 12
_LOG_ROW_BYTES: Final = 4
_SNAPSHOT_BYTES: Final = LEGAL_AT + NUM_ACTIONS


class Move(NamedTuple):
    """One decision of a game's history.

    Attributes:
        action: The action number.
        forced: Whether the engine carried it out because nothing else was allowed.
        seat: Who decided.
    """

    action: int
    forced: bool
    seat: int


def action_number(action: object, kind: str = "a whole number") -> int:
    """Return an action as a number of Python's own, or say what it should have been."""
    number = as_integer(action)
    if number is None:
        raise IllegalActionError(f"an action is {kind}, not {quoted(action)}")
    return number


def check_seed(seed: object) -> int:
    """Return a seed that the generator takes, or say what is wrong with it."""
    return whole(seed, "a seed", 0, MAX_SEED)


def check_scheme(name: object) -> str:
    """Return the name of a reward scheme, or say which ones there are."""
    return one_of(name, REWARDS, "reward scheme")


class Snapshot(NamedTuple):
    """Where a game stood, to go back to it; see :meth:`Game.snapshot`."""

    record: bytes
    history: Any


def _checked_snapshot(snapshot: object) -> Snapshot:
    return instance(snapshot, Snapshot, "where a game stood is what Game.snapshot() returned")


class Game:
    """One game of Puerto Rico.

    >>> game = Game(RuleSet(players=3, edition="classic"), seed=7)
    >>> game.turn, game.phase
    (0, 'role')
    >>> game.step("role:prospector_1")
    Traceback (most recent call last):
    ...
    prico_env.errors.IllegalActionError: seat 0 may not take action 7 (role:prospector_1) in the \
role phase: prospector_1 is not in play with so many players. Legal: 1 = role:settler; \
2 = role:mayor; 3 = role:builder; 4 = role:craftsman; 5 = role:trader; 6 = role:captain
    >>> game.step("role:settler")
    >>> game.phase
    'settler'

    Args:
        rules: What is played; by default four players and the English 1897 edition.
        seed: Fixes every chance event, on every platform; 0 to 2**63 - 1.

    Attributes:
        rules: What is played.
        seed: What the game was dealt from; ``None`` when it began from a position.
    """

    __slots__ = (
        "_buffer",
        "_history",
        "_legal_view",
        "_loaded",
        "_snapshot_view",
        "_start",
        "_states",
        "_unforced_view",
        "rules",
        "seed",
    )

    rules: RuleSet
    seed: int | None
    _buffer: NDArray[np.uint8]  # what compiled calls take: a record of `calls.GAME` in bytes
    _states: NDArray[Any]  # the game's record in it
    _legal_view: NDArray[np.bool_] | None  # its choices in it, laid when first asked for
    _snapshot_view: NDArray[np.uint8] | None  # what a snapshot holds of it, likewise
    _unforced_view: NDArray[np.uint8] | None  # the log of a step after which nothing was forced
    _loaded: bytes  # the record at the first decision, if that comes after the start
    _history: Any
    _start: bytes  # the record that the history goes on from; empty if that is the deal

    def __init__(self, rules: RuleSet | None = None, seed: int = 0) -> None:
        dealt_from = check_seed(seed)
        self.rules = rules_or_default(rules)
        self.seed = dealt_from
        self._lie_in(blank_game(self.rules).copy())
        deal_game(self._buffer, dealt_from)
        self.settle()
        self._history = None
        self._start = b""

    @classmethod
    def _from_state(cls, rules: RuleSet, states: NDArray[Any], seed: int | None = None) -> "Game":
        """Make a game from a copy of a record, shape ``(1,)``, and go to its first decision."""
        game = cls.__new__(cls)
        game.rules = rules
        game.seed = seed
        game._lie_in(blank_game(rules).copy())
        game._buffer[: STATE.itemsize] = states.view(np.uint8)
        game._history = None
        game._start = states.tobytes()
        step_game(game._buffer, LOOK)
        decision = game._states.tobytes()
        game._loaded = decision if decision != game._start else b""
        return game

    def _lie_in(self, buffer: NDArray[np.uint8]) -> None:
        """Let the game be the one that lies in these bytes."""
        self._buffer = buffer
        self._states = np.ndarray(1, STATE, buffer)
        self._legal_view = self._snapshot_view = self._unforced_view = None

    @property
    def _legal(self) -> NDArray[np.bool_]:
        """The choices of the seat to act; clones in a search often never ask."""
        view = self._legal_view
        if view is None:
            shape = (self.rules.num_actions,)
            self._legal_view = view = np.ndarray(shape, np.bool_, self._buffer, LEGAL_AT)
        return view

    # -- where the game stands ---------------------------------------------------------------------

    @property
    def state(self) -> NDArray[Any]:
        """The record itself, structured, shape ``(1,)``; `core.state` explains its fields.

        Who writes to it calls :meth:`check` before anything else.
        """
        return self._states

    def check(self) -> None:
        """Check the record after writing to `state`, and find anew what is legal.

        Raises:
            RecordError: No game can be there; says what is wrong in one line.
        """
        serialization.check_record(self.rules, self._states)
        step_game(self._buffer, LOOK)

    @property
    def turn(self) -> int:
        """The seat to act, -1 when the game is over."""
        return int(self._states["turn"][0])

    @property
    def phase(self) -> str:
        """What is being played: ``"role"``, ``"settler"``, …, ``"storage"``, ``"over"``."""
        return PHASES[self._states["phase"][0]]

    @property
    def round(self) -> int:
        """The round being played, counted from 1."""
        return int(self._states["round"][0])

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        # As an int: NumPy's numbers take long to compare with an enum.
        return int(self._states["outcome"][0]) != Outcome.RUNNING

    @property
    def truncated(self) -> bool:
        """Whether the game was cut off by ``max_rounds``, so that nobody has won."""
        return int(self._states["outcome"][0]) == Outcome.TRUNCATED

    @property
    def num_actions(self) -> int:
        """Size of the action space."""
        return self.rules.num_actions

    # -- deciding ----------------------------------------------------------------------------------

    def mask(self) -> NDArray[np.bool_]:
        """Return which actions are allowed, bool, shape ``(num_actions,)``; none when over."""
        return self._legal.copy()

    def legal_actions(self) -> list[int]:
        """Return the allowed action numbers, ascending; none when the game is over."""
        return self._legal.nonzero()[0].tolist()

    def step(self, action: int | str) -> None:
        """Make a decision for the seat to act, then go on to the next one.

        Args:
            action: An action number, or a name such as ``"load:sugar:2"``.

        Raises:
            IllegalActionError: It is not allowed now; nothing has changed.
        """
        if type(action) is int:
            number = action
        else:  # numbers of NumPy come often enough to be spared a call
            number = index(action) if isinstance(action, np.integer) else self._number_of(action)
        if not 0 <= number < len(self._legal):
            self._refuse(number)
        result = step_game(self._buffer, number)
        if result == REFUSED:
            result = self._step_behind_forced(number)
        self._note((result >> COUNT_BITS) & COUNT_MASK)

    def _step_behind_forced(self, action: int) -> int:
        """Carry out forced decisions and then the one behind them, which a step may name as well.

        Only a position that was loaded waits at a forced decision.
        """
        before = self.snapshot()
        if self.rules.skip_forced and np.count_nonzero(self._legal) == 1:
            self._carry_out_forced()
        result = step_game(self._buffer, action)
        if result == REFUSED:
            self.restore(before)
            self._refuse(action)
        return result

    def _number_of(self, action: Any) -> int:
        """Return the number of an action that is given by name, or as a number of NumPy."""
        if isinstance(action, str):
            return self.parse(action)
        return action_number(action, "a number or a name such as 'role:mayor'")

    def settle(self) -> None:
        """Carry out forced decisions, as every step does by itself.

        Only a position that was loaded can be waiting for it.
        """
        self._carry_out_forced()
        self._loaded = b""

    def _carry_out_forced(self) -> None:
        num_forced = (step_game(self._buffer, JUST_ADVANCE) >> COUNT_BITS) & COUNT_MASK
        if num_forced:
            self._note(num_forced)

    def _note(self, num_forced: int) -> None:
        """Add what the log of the last step holds to the history."""
        log = self._unforced_view if num_forced == 0 else None
        if log is None:
            end = FORCED_LOG_AT + (2 + num_forced) * _LOG_ROW_BYTES
            log = self._buffer[FORCED_LOG_AT:end]
            if num_forced == 0:
                self._unforced_view = log
        self._history = (self._history, log.tobytes())

    def _refuse(self, action: int) -> None:
        """Raise the error that says what was asked, why not, and what would have worked."""
        if self.over:
            raise IllegalActionError(
                f"the game is over, so action {quoted(action)} cannot be taken; the ranking is "
                f"{self.ranking()}"
            )
        if not 0 <= action < self.num_actions:
            raise IllegalActionError(
                f"there is no action {quoted(action)}: actions run from 0 to "
                f"{self.num_actions - 1} in {self.rules!r}"
            )
        legal = self.legal_actions()
        listed = "; ".join(f"{number} = {NAMES[number]}" for number in legal[:_LISTED_ACTIONS])
        more = f"; and {len(legal) - _LISTED_ACTIONS} more" if len(legal) > _LISTED_ACTIONS else ""
        reason = words.why_not(self.rules, self._states[0], action)
        raise IllegalActionError(
            f"{given_name(self.turn) or f'seat {self.turn}'} may not take action {action} "
            f"({NAMES[action]}) in the {self.phase} phase: {reason}. Legal: {listed}{more}"
        )

    # -- who has won -------------------------------------------------------------------------------

    def scores(self) -> list[int]:
        """Return one score a seat, as if the game ended now (R-SCO-1)."""
        scores = np.zeros(self.rules.players, dtype=np.int64)
        score_game(self._buffer, scores)
        return scores.tolist()

    def score_table(self) -> list[dict[str, int]]:
        """Return the items of every seat's score, and their sum as ``"total"`` (R-SCO-1..3)."""
        rows = []
        parts = np.zeros(NUM_SCORE_PARTS, dtype=np.int64)
        for seat in range(self.rules.players):
            total = score_parts_of_game(self._buffer, seat, parts)
            rows.append(
                {**dict(zip(SCORE_PARTS, parts.tolist(), strict=True)), "total": int(total)}
            )
        return rows

    def ranking(self) -> list[int]:
        """Return one place a seat, 1 the best; who is tied to the end shares it (R-SCO-4)."""
        places = np.zeros(self.rules.players, dtype=np.int64)
        rank_game(self._buffer, places)
        return places.tolist()

    def rewards(self, scheme: str = "win") -> NDArray[np.float64]:
        """Return the rewards of the game, float64, shape ``(players,)``; zero unless it is over.

        Args:
            scheme: ``"win"``, ``"rank"`` or ``"margin"``, see `scoring.fill_rewards`.
        """
        number = REWARDS.index(check_scheme(scheme))
        rewards = np.zeros(self.rules.players, dtype=np.float64)
        reward_game(self._buffer, number, rewards)
        return rewards

    # -- copies ------------------------------------------------------------------------------------

    def clone(self) -> "Game":
        """Return an independent copy; the same actions lead both to the same future."""
        game = Game.__new__(Game)
        game.rules = self.rules
        game.seed = self.seed
        buffer = self._buffer
        game._lie_in(buffer.copy() if buffer.size == GAME_BYTES else buffer[:GAME_BYTES].copy())
        game._loaded = self._loaded
        game._history = self._history
        game._start = self._start
        return game

    __copy__ = clone

    def snapshot(self) -> Snapshot:
        """Return where the game stands, for :meth:`restore`; cheaper than a clone.

        >>> game = Game(seed=7)
        >>> before = game.snapshot()
        >>> game.step("role:mayor")
        >>> game.restore(before)
        >>> game.phase, len(game.history)
        ('role', 0)
        """
        view = self._snapshot_view
        if view is None:
            self._snapshot_view = view = self._buffer[:_SNAPSHOT_BYTES]
        return Snapshot(view.tobytes(), self._history)

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to where this game, or another of the same rules, stood."""
        _checked_snapshot(snapshot)
        self._buffer[:_SNAPSHOT_BYTES] = np.frombuffer(snapshot.record, np.uint8)
        self._history = snapshot.history

    def __deepcopy__(self, memo: dict[int, Any]) -> "Game":
        """Copy deeply; a clone shares nothing that changes."""
        return self.clone()

    def determinize(self, seat: int, seed: int) -> "Game":
        """Return this game with everything that ``seat`` cannot see dealt anew (R-INF-2).

        The deck is shuffled, the forests that others laid face down after a blind draw are dealt
        anew with it, and the generator is re-seeded; nothing else differs. This is what a search
        may look into.
        """
        seat, seed = self._checked_seat(seat), check_seed(seed)
        game = self.clone()
        game.seed = None
        game._history = None
        determinize_game(game._buffer, seat, seed)
        game._start = game._states.tobytes()
        return game

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as the record, its start and the history; the future stays the same."""
        moves = [(move.action, move.forced, move.seat) for move in self.history]
        here = self._states.tobytes()
        return _unpickle, (self.rules, here, self.seed, moves, self._loaded, self._start)

    # -- saved games -------------------------------------------------------------------------------

    def to_bytes(self) -> bytes:
        """Return the game as bytes with its rule set and a checksum."""
        return serialization.record_to_bytes(self.rules, self._states[0])

    @classmethod
    def from_bytes(cls, data: bytes) -> "Game":
        """Load a game from :meth:`to_bytes`.

        Raises:
            RecordError: The bytes are damaged, truncated or of another version, or no game can be
                as they say.
        """
        rules, states = serialization.record_from_bytes(data)
        return cls._from_state(rules, states)

    def to_dict(self) -> dict[str, Any]:
        """Return the position as a JSON-ready dict; see the page on positions.

        A position that was loaded is written as it was, until something is decided or settled.
        """
        states = self._states
        if self._loaded and self._loaded == states.tobytes():
            states = states_in(self._start)
        return serialization.position_to_dict(self.rules, states[0])

    @classmethod
    def from_dict(cls, position: dict[str, Any], seed: int = 0, *, check: bool = True) -> "Game":
        """Load a position; what is left out has its value at set-up.

        The game stands at the first decision of the position: what needs none lies behind it, and
        a forced one waits for the next :meth:`step` or :meth:`settle`.

        Args:
            position: The position dict.
            seed: Orders a deck that is given as counts, and what is drawn later.
            check: Whether to check the invariants that every real position holds.

        Raises:
            PositionError: A field is wrong or an invariant does not hold; it says which.
        """
        rules, states = serialization.position_from_dict(position, seed, check)
        return cls._from_state(rules, states)

    # -- history and records -----------------------------------------------------------------------

    @property
    def history(self) -> list[Move]:
        """Every decision since the game was dealt or loaded, forced ones included."""
        return self._moves_since(None)

    def history_since(self, snapshot: Snapshot) -> list[Move]:
        """Return the decisions made since a snapshot of this game was taken."""
        return self._moves_since(_checked_snapshot(snapshot).history)

    def _moves_since(self, mark: Any) -> list[Move]:
        """Return the decisions behind a node of the history, in order."""
        chunks = []
        node = self._history
        while node is not mark:
            if node is None:
                raise PricoError("the snapshot is of another game, or of moves taken back since")
            node, chunk = node
            chunks.append(chunk)
        moves: list[Move] = []
        for chunk in reversed(chunks):
            rows = np.frombuffer(chunk, dtype=np.int16).reshape(-1, 2).tolist()
            if rows[0][0] >= 0:
                moves.append(Move(rows[0][0], False, rows[0][1]))
            moves.extend(Move(action, True, seat) for action, seat in rows[2:])
        return moves

    @property
    def start(self) -> serialization.Start:
        """What :attr:`history` goes on from: the seed of the deal, or else a position, whole."""
        if self.seed is not None:
            return self.seed
        return serialization.position_to_dict(self.rules, states_in(self._start)[0])

    @classmethod
    def begin(cls, rules: RuleSet, start: serialization.Start) -> "Game":
        """Begin a game from its :attr:`start`: deal it, or load the position.

        Raises:
            PositionError: The position is wrong.
        """
        check_rules(rules)
        if isinstance(start, Mapping):
            return cls.from_dict({**start, "rules": rules.to_dict()})
        return cls(rules, start)

    def to_record(self) -> str:
        """Return the game as JSON Lines: rule set and start, then one line a decision.

        >>> game = Game.from_dict({"phase": "settler", "actor": 0, "row": {"corn": 4, "coffee": 1}})
        >>> game.step("take:coffee")
        >>> Game.from_record(game.to_record()).to_bytes() == game.to_bytes()
        True

        Raises:
            RecordError: The game began from a position that breaks the rules.
        """
        return (
            "\n".join(serialization.transcript_lines(self.rules, self.start, self.history)) + "\n"
        )

    @classmethod
    def from_record(cls, text: str) -> "Game":
        """Replay a record; the game's bytes come out the same.

        Raises:
            RecordError: The record is damaged, of another version, or does not replay.
        """
        instance(text, str, "the record of a game is text", RecordError)
        rules, start, actions = serialization.read_transcript(text)
        game = cls.begin(rules, start)
        serialization.replay_transcript(text, actions, game)
        return game

    # -- words and numbers -------------------------------------------------------------------------

    def name(self, action: int) -> str:
        """Return an action's name, such as ``"load:sugar:2"``."""
        return words.action_name(action)

    def parse(self, text: str) -> int:
        """Return the number of an action by its name, in our terms or an edition's words."""
        return words.parse_action(self.rules, text)

    def describe(self, action: int) -> str:
        """Say in the edition's words what an action does."""
        return words.describe_action(self.rules, action, self._states[0])

    def observation(
        self, seat: int | None = None, out: NDArray[np.uint8] | None = None
    ) -> NDArray[np.uint8]:
        """Return what a seat sees, uint8, shape ``(num_features,)``; by default the seat to act.

        Args:
            seat: Whose view.
            out: An array to write it to.
        """
        seat = max(0, self.turn) if seat is None else self._checked_seat(seat)
        shape = (self.rules.observation.num_features,)
        features = np.zeros(shape, dtype=np.uint8) if out is None else out
        check_out(features, np.uint8, shape)
        observe_game(self._buffer, seat, features)
        return features

    def text(self, seat: int | None = None) -> str:
        """Return the whole position in words, as a seat sees it; by default the seat to act."""
        seat = max(0, self.turn) if seat is None else self._checked_seat(seat)
        return words.position_text(self.rules, self._states[0], seat)

    def render(self, name: str = "ansi", seat: int | None = None, **options: Any) -> Any:
        """Show the board, see `prico_env.render.render`.

        Args:
            name: ``"ansi"`` for text, ``"svg"`` and ``"png"`` for a drawing, ``"rgb_array"`` for
                pixels, ``"human"`` to print it: a name of `prico_env.render.RENDERERS`.
            seat: The seat whose view is drawn; what everybody may see when left out.
            **options: What the renderer takes besides, such as ``layout="tall"`` of a drawing.

        Raises:
            PricoError: There is no such renderer or seat.
        """
        from prico_env import render  # only who looks at a game pays for loading this

        return render.render(self, name, seat, **options)

    def _repr_svg_(self) -> str:
        """Show the board in a notebook, as everybody may see it."""
        return str(self.render("svg"))

    def _checked_seat(self, seat: object) -> int:
        return numbered(seat, "seat", self.rules.players)

    def __repr__(self) -> str:
        """Say what is played and where the game stands."""
        where = "over" if self.over else f"seat {self.turn} to act in the {self.phase} phase"
        return f"<Game of {self.rules!r}, round {self.round}, {where}>"


def _unpickle(
    rules: RuleSet,
    data: bytes,
    seed: int | None,
    moves: Iterable[tuple[int, bool, int]],
    loaded: bytes,
    start: bytes,
) -> Game:
    """Rebuild a game from what :meth:`Game.__reduce__` wrote."""
    states = states_in(data)
    serialization.check_ranges(states)
    game = Game._from_state(rules, states, seed)
    game._loaded = loaded
    game._start = start
    for rows in _chunks(moves):
        game._history = (game._history, np.array(rows, dtype=np.int16).tobytes())
    return game


def _chunks(moves: Iterable[tuple[int, bool, int]]) -> Iterator[list[tuple[int, int]]]:
    """Group moves into decisions, each with the forced ones that followed it."""
    rows: list[tuple[int, int]] = []
    for action, forced, seat in moves:
        if not forced and rows:
            yield rows
            rows = []
        if not rows:
            rows = [(-1, 0), (0, 0)] if forced else [(action, seat), (0, 0)]
            if not forced:
                continue
        rows.append((action, seat))
    if rows:
        yield rows
