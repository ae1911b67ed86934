"""Playing games to their end, whatever the agents do.

An agent that breaks a game loses it: its seat is played on at random so that the others still have
their game, and it is placed last. What counts as breaking is the supervisor's business; the one
here trusts everybody, that of `prico_training.arena.worker` nobody.
"""

import functools
import itertools
import random
import time
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar, cast

import numpy as np

from prico_agents import Agent, BatchAgent, View, load_agent
from prico_agents.compiled import CompiledAgent, play_games
from prico_env import Game, IllegalActionError, RuleSet
from prico_env.actions import ROLE, ROLE_SMUGGLER, TARGET
from prico_env.arguments import instance, instance_or_none, items, whole_numbers, words
from prico_env.core.api import fill_ranking, fill_score_parts, kernel, states_in
from prico_env.core.scoring import NUM_SCORE_PARTS, SCORE_PARTS
from prico_env.errors import PricoError, quoted
from prico_env.game import check_seed
from prico_env.ruleset import check_rules
from prico_env.vocabulary import (
    BUILDINGS,
    NUM_BASE_ROLES,
    NUM_BUILDINGS,
    NUM_ROLES,
    NUM_TILES,
    DecisionPoint,
    EndReason,
    Outcome,
    Role,
)
from prico_training.arena.results import FaultLine, GameLine
from prico_training.arena.schedule import LineUp, agent_seed, deal_seed

_ROLE_OF: Final = {
    **{ROLE + role: role for role in range(NUM_BASE_ROLES)},
    ROLE_SMUGGLER: int(Role.SMUGGLER),
}
"""The role that an action takes."""
_ENDS: Final = ((EndReason.CITY, "city"), (EndReason.VP, "vp"), (EndReason.WORKERS, "workers"))
_QUOTED: Final = 80
"""Letters of a strange answer that are quoted."""
_QUOTED_LINE: Final = 500
"""Letters of an error that are quoted."""
_QUOTED_END: Final = 2000
"""Letters of a traceback that are kept, its end being the telling part."""
_DIGITS: Final = 6
"""Of a time in seconds."""

T = TypeVar("T")


@dataclass(frozen=True)
class Fault:
    """What an agent did wrong."""

    kind: str
    """``"error"``, ``"timeout"``, ``"illegal"`` or ``"crash"``."""
    text: str
    """What failed first, in a line; with an error, its traceback follows."""
    decision: int = 0
    """Which of its decisions in the game it was, from 0."""


def what_failed(text: str) -> str:
    """What failed first, from the text of a fault.

    It is the first line; texts of earlier versions are tracebacks alone, which end with it.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()] or [""]
    return lines[-1] if lines[0].startswith("Traceback") else lines[0]


def error_text(error: BaseException) -> str:
    """What an agent raised: in a line what failed first, then the end of the traceback.

    Libraries raise errors of their own on top of what failed, and end them with advice.
    """
    first = error
    while cause := first.__cause__ or (None if first.__suppress_context__ else first.__context__):
        first = cause
    said = next((line.strip() for line in str(first).splitlines() if line.strip()), "")
    head = f"{type(first).__name__}: {said}" if said else type(first).__name__
    return f"{head[:_QUOTED_LINE]}\n{''.join(traceback.format_exception(error))[-_QUOTED_END:]}"


class FaultError(Exception):
    """An agent did something wrong while it was asked."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind
        self.text = text


class BatchFaultError(Exception):
    """An agent broke many games at once; played one by one it breaks only its own."""


class Request(NamedTuple):
    """What an agent is asked for."""

    call: str
    """``"make"``, ``"reset"`` or ``"act"``; workers know more."""
    agent: str
    """Its name."""
    game: int = 0
    """In which game of those played together."""
    seat: int = 0
    """At which seat."""
    decision: int = 0
    """For which of its decisions there, from 0."""
    games: int = 1
    """For how many games at once."""


class Supervisor:
    """Asks the agents. This one trusts them: their errors are ours, and their time is free."""

    def ask(self, request: Request, call: Callable[[], T]) -> T:
        """Return an agent's answer.

        Raises:
            FaultError: There is none, and the agent is to blame.
        """
        return call()


@dataclass
class Contestant:
    """Somebody who can be seated many times.

    Attributes:
        name: As tables print it.
        make: Makes one player.
        disqualified: Why it cannot take part at all; then it loses every game it is in.
    """

    name: str
    make: Callable[[], Agent]
    disqualified: Fault | None = None
    _idle: list[Agent] = field(default_factory=list, init=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse what could not be seated."""
        words(self.name, "the name of a contestant")
        if not callable(self.make):
            raise PricoError(f"what makes a contestant is a function, not {quoted(self.make)}")
        instance_or_none(self.disqualified, Fault, "why it cannot take part is a Fault")

    @classmethod
    def of(cls, name: str, agent: str, **settings: Any) -> "Contestant":
        """Somebody whom `agents.load_agent` finds."""
        words(agent, "the name of an agent")
        return cls(name, functools.partial(load_agent, agent, **settings))

    def acquire(self, supervisor: Supervisor) -> Agent:
        """Take a player to the table, an idle one if there is any."""
        if self._idle:
            return self._idle.pop()
        return supervisor.ask(Request("make", self.name), self.make)

    def release(self, player: Agent) -> None:
        """Keep a player who did nothing wrong for its next game."""
        self._idle.append(player)

    def kind(self, supervisor: Supervisor) -> str:
        """Return ``"compiled"``, ``"batched"`` (for many games at once) or ``"single"``."""
        player = self.acquire(supervisor)
        self.release(player)
        if isinstance(player, CompiledAgent):
            return "compiled"
        return "batched" if isinstance(player, BatchAgent) else "single"


class FinishedGames(NamedTuple):
    """Games that are over."""

    states: np.ndarray
    """Their records, shape ``(n,)``."""
    roles: np.ndarray
    """How often each seat took each role, shape ``(n, seats, num_roles)``."""
    bought: np.ndarray
    """The round in which each seat bought each building, 0 for those it did not buy, shape
    ``(n, seats, num_buildings)``."""
    decisions: np.ndarray
    """Decisions that left a choice, shape ``(n, seats)``."""
    seconds: np.ndarray
    """Time each seat thought, shape ``(n, seats)``."""
    faults: dict[tuple[int, int], Fault]
    """What went wrong, by game and seat."""


def table_kind(kinds: Sequence[str]) -> str:
    """How a table is played whose agents are of these kinds; see `schedule.BATCH_SIZES`."""
    return next((kind for kind in ("single", "batched") if kind in kinds), "compiled")


def play(
    rules: RuleSet,
    line_up: Sequence[Contestant],
    seeds: Iterable[int],
    supervisor: Supervisor | None = None,
    known: dict[tuple[int, int], Fault] | None = None,
) -> FinishedGames:
    """Play one game of each seed to its end.

    Args:
        rules: What is played.
        line_up: Who sits where; one object at several seats may decide for all of them at once.
        seeds: What the games are dealt from.
        supervisor: Who asks the agents.
        known: Which seats of which games will go wrong, and when: they are not asked again.

    Raises:
        BatchFaultError: An agent broke several games at once.
    """
    line_up = items(line_up, "contestants")
    for contestant in line_up:
        instance(contestant, Contestant, "who plays is a Contestant")
    if len(line_up) != check_rules(rules).players:
        raise PricoError(f"{rules.players} contestants sit down, not {len(line_up)}")
    seeds = [check_seed(seed) for seed in items(seeds, "seeds")]
    instance_or_none(supervisor, Supervisor, "who asks is a Supervisor")
    known = instance_or_none(known, dict, "what will go wrong comes in a dict") or {}
    return _RunningGames(rules, line_up, seeds, supervisor or Supervisor(), known).finish()


def play_compiled(
    rules: RuleSet, line_up: Sequence[Contestant], seeds: Sequence[int]
) -> FinishedGames:
    """Play games among compiled agents, in one call and the same as `play` would."""
    players = {id(contestant): contestant.acquire(Supervisor()) for contestant in line_up}
    table = [cast(CompiledAgent, players[id(contestant)]) for contestant in line_up]
    chances = [[agent_seed(seed, seat) for seat in range(rules.players)] for seed in seeds]
    played = play_games(rules, table, np.array(seeds), np.array(chances))
    for contestant in _each_once(line_up):
        contestant.release(players[id(contestant)])
    states, roles, bought, decisions, seconds = played.games.state, *played[1:]
    return FinishedGames(states, roles, bought, decisions, seconds, {})


def _each_once(line_up: Sequence[Contestant]) -> list[Contestant]:
    return list({id(contestant): contestant for contestant in line_up}.values())


_Place: TypeAlias = tuple[int, int]
"""A game and a seat in it."""


class _RunningGames:
    """Games on their way."""

    def __init__(
        self,
        rules: RuleSet,
        line_up: Sequence[Contestant],
        seeds: Sequence[int],
        supervisor: Supervisor,
        known: dict[_Place, Fault],
    ) -> None:
        self._rules = rules
        self._line_up = line_up
        self._contestants = _each_once(line_up)
        self._seeds = seeds
        self._supervisor = supervisor
        self._known = known
        self._games = [Game(rules, seed) for seed in seeds]
        self._bought = np.zeros((len(seeds), rules.players, NUM_BUILDINGS), np.int16)
        self._decisions = [[0] * rules.players for _ in seeds]
        self._seconds = [[0.0] * rules.players for _ in seeds]
        self._faults: dict[_Place, Fault] = {}
        self._replacements: dict[_Place, random.Random] = {}
        self._players: dict[_Place, Agent] = {}
        self._batched: dict[str, BatchAgent] = {}

    def finish(self) -> FinishedGames:
        """Seat everybody and play."""
        for contestant in self._contestants:
            self._seat(contestant)
        running = [number for number, game in enumerate(self._games) if not game.over]
        while running:
            batches: dict[str, list[_Place]] = {}
            for number in running:
                place = (number, self._games[number].turn)
                name = self._line_up[place[1]].name
                if self._is_out(place):
                    self._make_random_move(place)
                elif name in self._batched:
                    batches.setdefault(name, []).append(place)
                else:
                    self._decide(name, place)
            for name, places in batches.items():
                self._decide_batch(name, places)
            running = [number for number in running if not self._games[number].over]
        self._release_players()
        return FinishedGames(
            states_in(bytearray(b"".join(game.state.tobytes() for game in self._games))),
            np.array([_roles_taken(game) for game in self._games], np.int16),
            self._bought,
            np.array(self._decisions, np.int32),
            np.array(self._seconds),
            self._faults,
        )

    # -- asking ------------------------------------------------------------------------------------

    def _ask(self, places: Sequence[_Place], request: Request, call: Callable[[], T]) -> T | None:
        """Return an agent's answer; None after a fault, which loses it these places."""
        try:
            return self._supervisor.ask(request, call)
        except FaultError as error:
            for place in places:
                self._replace(place, Fault(error.kind, error.text, request.decision))
            return None

    def _replace(self, place: _Place, fault: Fault) -> None:
        """Let chance play on at a seat, and note why."""
        number, seat = place
        self._faults[place] = fault
        self._players.pop(place, None)
        self._replacements[place] = random.Random(agent_seed(self._seeds[number], seat))

    # -- sitting down and getting up ---------------------------------------------------------------

    def _seat(self, contestant: Contestant) -> None:
        """Bring an agent to all its seats in all games."""
        seats = [seat for seat, each in enumerate(self._line_up) if each is contestant]
        places = []
        for place in itertools.product(range(len(self._games)), seats):
            fault = contestant.disqualified or self._known.get(place)
            if fault is not None and fault.decision == 0:
                self._replace(place, fault)
            else:
                places.append(place)
        if not places:
            return
        player = self._acquire(contestant, places)
        if isinstance(player, BatchAgent):
            if self._reset(player, contestant.name, places):
                self._batched[contestant.name] = player
        elif player is not None:
            contestant.release(player)
            for place in places:
                player = self._acquire(contestant, [place])
                if player is not None and self._reset(player, contestant.name, [place]):
                    self._players[place] = player

    def _acquire(self, contestant: Contestant, places: Sequence[_Place]) -> Agent | None:
        try:
            return contestant.acquire(self._supervisor)
        except FaultError as error:
            for place in places:
                self._replace(place, Fault(error.kind, error.text))
            return None

    def _reset(self, player: Agent, name: str, places: Sequence[_Place]) -> bool:
        """Tell a player its first place; say whether that went well."""
        number, seat = places[0]
        chance = agent_seed(self._seeds[number], seat)

        def reset() -> bool:
            player.reset(seat, self._rules, chance)
            return True

        return self._ask(places, Request("reset", name, number, seat), reset) is not None

    def _release_players(self) -> None:
        """Keep those who did nothing wrong for their next game."""
        for (_, seat), player in self._players.items():
            self._line_up[seat].release(player)
        wrong = {self._line_up[seat].name for _, seat in self._faults}
        for contestant in self._contestants:
            if contestant.name in self._batched and contestant.name not in wrong:
                contestant.release(self._batched[contestant.name])

    # -- deciding ----------------------------------------------------------------------------------

    def _decide(self, name: str, place: _Place) -> None:
        """Let a seat decide, by itself."""
        number, seat = place
        request = Request("act", name, number, seat, self._decisions[number][seat])
        view = View.of(self._games[number], seat)
        began = time.perf_counter()
        action = self._ask([place], request, functools.partial(self._players[place].act, view))
        self._seconds[number][seat] += time.perf_counter() - began
        self._move(place, action)

    def _decide_batch(self, name: str, places: Sequence[_Place]) -> None:
        """Let an agent decide in many games at once."""
        observations = np.stack([self._games[number].observation(seat) for number, seat in places])
        legal = np.stack([self._games[number].mask() for number, _ in places])
        number, seat = places[0]
        request = Request("act", name, number, seat, self._decisions[number][seat], len(places))
        call = functools.partial(_act_batch, self._batched[name], observations, legal)
        began = time.perf_counter()
        actions = self._ask(places, request, call)
        if actions is None and len(self._games) > 1:
            raise BatchFaultError(self._faults[places[0]].text)
        share = (time.perf_counter() - began) / len(places)
        for place, action in zip(places, actions or [None], strict=True):
            self._seconds[place[0]][place[1]] += share
            self._move(place, action)

    def _is_out(self, place: _Place) -> bool:
        """Whether a seat is played at random by now."""
        if place in self._replacements:
            return True
        known = self._known.get(place)
        if known is None or self._decisions[place[0]][place[1]] < known.decision:
            return False
        self._replace(place, known)
        return True

    def _move(self, place: _Place, action: Any) -> None:
        """Carry out an answer; one that is no legal action is a fault as well."""
        number, seat = place
        if place not in self._replacements:
            try:
                self._step(place, _as_number(action))
            except (FaultError, IllegalActionError) as error:
                self._replace(place, Fault("illegal", str(error), self._decisions[number][seat]))
            else:
                return
        self._make_random_move(place)

    def _make_random_move(self, place: _Place) -> None:
        legal = self._games[place[0]].legal_actions()
        self._step(place, self._replacements[place].choice(legal))

    def _step(self, place: _Place, action: int) -> None:
        """Carry out an action, and note what it buys."""
        number, seat = place
        game = self._games[number]
        buys, now = game.state["decision_point"][0] == DecisionPoint.BUY, game.round
        game.step(action)
        if buys and TARGET[action] >= 0:
            self._bought[number, seat, TARGET[action]] = now
        self._decisions[number][seat] += 1


def _act_batch(player: BatchAgent, observations: np.ndarray, legal: np.ndarray) -> list[Any]:
    """Ask for many actions, and see that there are as many answers."""
    answers = np.asarray(player.act_batch(observations, legal))
    if answers.shape != (len(legal),):
        raise FaultError(
            "illegal",
            f"act_batch must return one action for each of {len(legal)} games, not an array of "
            f"shape {answers.shape}",
        )
    return answers.tolist()


def _as_number(action: Any) -> int:
    if isinstance(action, int | np.integer) and not isinstance(action, bool):
        return int(action)
    is_plain = isinstance(action, str | float | bool | None)
    words = repr(action)[:_QUOTED] if is_plain else f"an object of {type(action).__name__}"
    raise FaultError("illegal", f"an action is a whole number, not {words}")


def _roles_taken(game: Game) -> list[list[int]]:
    taken = [[0] * NUM_ROLES for _ in range(game.rules.players)]
    for action, _, seat in game.history:
        role = _ROLE_OF.get(action)
        if role is not None:
            taken[seat][role] += 1
    return taken


# -- what came out ---------------------------------------------------------------------------------


@kernel
def _itemise_games(table: Any, states: Any, parts: Any, places: Any) -> None:
    """Write what scores are made of, and places, for every seat of every game."""
    for game in range(states.shape[0]):
        for seat in range(table[0]["num_players"]):
            fill_score_parts(table[0], states[game], seat, parts[game, seat])
        fill_ranking(table[0], states[game], places[game])


def game_lines(
    rules: RuleSet, line_up: LineUp, seed: int, deals: Iterable[int], finished: FinishedGames
) -> list[GameLine]:
    """Describe finished games for the file of results.

    Args:
        rules: What was played.
        line_up: Who sat where.
        seed: Of the tournament's first deal.
        deals: Which deals were played.
        finished: How the games ended, one for each deal.
    """
    instance(finished, FinishedGames, "finished games are what play returns")
    instance(line_up, LineUp, "who sat where is a LineUp")
    states, seats = finished.states, check_rules(rules).players
    played = whole_numbers(items(deals, "deals"), "deals", (len(states),)).tolist()
    parts = np.zeros((len(states), seats, NUM_SCORE_PARTS), np.int64)
    places = np.zeros((len(states), seats), np.int64)
    _itemise_games(rules.table, states, parts, places)
    broken = np.zeros(places.shape, bool)
    for place in finished.faults:
        broken[place] = True
    truncated = states["outcome"] == Outcome.TRUNCATED
    owned = states["owned"][:, :seats, NUM_TILES:] > 0
    places = places_with_broken_last(places, broken)
    columns: dict[str, Sequence[Any]] = {
        "deal": played,
        "seed": [deal_seed(seed, deal) for deal in played],
        "outcome": _outcomes(truncated, broken),
        "rounds": states["round"].tolist(),
        "end": [[word for bit, word in _ENDS if bits & bit] for bits in states["end_reasons"]],
        "decisions": finished.decisions.tolist(),
        "seconds": finished.seconds.round(_DIGITS).tolist(),
        "wins": _shares(places, broken, truncated).tolist(),
        "places": places.tolist(),
        "scores": parts.sum(axis=2).tolist(),
        "coins": states["coins"][:, :seats].tolist(),
        "goods": states["goods"][:, :seats].sum(axis=2).tolist(),
        "parts": [
            dict(zip(SCORE_PARTS, rows, strict=True)) for rows in parts.transpose(0, 2, 1).tolist()
        ],
        "roles": finished.roles.tolist(),
        "built": _named_buildings(owned),
        "bought": _purchases(finished.bought),
        "unstaffed": _named_buildings(owned & _without_units(rules, states)),
        "faults": _fault_lines(line_up, len(states), finished.faults),
    }
    table = {"line_up": line_up.number, "table": list(line_up.table), "format": line_up.format}
    return [
        cast(GameLine, table | dict(zip(columns, row, strict=True)))
        for row in zip(*columns.values(), strict=True)
    ]


def places_with_broken_last(places: np.ndarray, broken: np.ndarray) -> np.ndarray:
    """Rank those who played to the end among themselves, and the others behind them.

    Args:
        places: As the rules say, shape ``(games, seats)``.
        broken: Which seats an agent broke, shape ``(games, seats)``.
    """
    sound = ~broken
    ahead = (places[:, None, :] < places[:, :, None]) & sound[:, None, :]
    among_sound = 1 + ahead.sum(axis=2)
    return np.where(sound, among_sound, 1 + sound.sum(axis=1, keepdims=True))


def _shares(places: np.ndarray, broken: np.ndarray, truncated: np.ndarray) -> np.ndarray:
    """The share of the win of each seat, shape ``(games, seats)``."""
    first = (places == 1) & ~broken & ~truncated[:, None]
    return first / np.maximum(1, first.sum(axis=1, keepdims=True))


def _outcomes(truncated: np.ndarray, broken: np.ndarray) -> list[str]:
    words = np.where(broken.any(axis=1), "broken", "finished")
    return np.where(truncated, "truncated", words).tolist()


def _without_units(rules: RuleSet, states: np.ndarray) -> np.ndarray:
    """Which buildings have circles and nobody on any, shape ``(games, seats, buildings)``."""
    seats, buildings = slice(rules.players), slice(NUM_TILES, None)
    empty = (states["workers"] + states["citizens"])[:, seats, buildings] == 0
    return empty & (rules.table[0]["circles"][buildings] > 0)


def _purchases(bought: np.ndarray) -> list[list[dict[str, int]]]:
    """The rounds in which each seat of each game bought buildings, by name."""
    found: list[list[dict[str, int]]] = [[{} for _ in seats] for seats in bought]
    for game, seat, building in zip(*(axis.tolist() for axis in np.nonzero(bought)), strict=True):
        found[game][seat][BUILDINGS[building]] = int(bought[game, seat, building])
    return found


def _named_buildings(chosen: np.ndarray) -> list[list[list[str]]]:
    """The names of the buildings chosen at each seat of each game, by number."""
    names: list[list[list[str]]] = [[[] for _ in seats] for seats in chosen]
    for game, seat, building in zip(*(axis.tolist() for axis in np.nonzero(chosen)), strict=True):
        names[game][seat].append(BUILDINGS[building])
    return names


def _fault_lines(line_up: LineUp, games: int, faults: dict[_Place, Fault]) -> list[list[FaultLine]]:
    lines: list[list[FaultLine]] = [[] for _ in range(games)]
    for (game, seat), fault in sorted(faults.items()):
        line = {"seat": seat, "agent": line_up.table[seat], **vars(fault)}
        lines[game].append(cast(FaultLine, line))
    return lines
