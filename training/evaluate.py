"""Matches that are fair, and rankings that say how sure they are.

One agent sits alone among copies of another. Every deal is played once from every seat, so luck of
the deal and of the seat cancels, and the deals are the same for everybody. Games of one deal are
not independent, so intervals treat the deal, not the game, as the unit.
"""

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import yaml

from agents import Agent, BatchAgent, View, load_agent
from prico_env import Games, RuleSet
from training.config import ConfigError

NORMAL_95: Final = 1.959964
"""Half-width of a 95% interval, in standard errors."""


@dataclass(frozen=True)
class Contestant:
    """Somebody who can be seated many times.

    Attributes:
        name: As the table prints it.
        make: Makes one player.
    """

    name: str
    make: Callable[[], Agent]

    @classmethod
    def of(cls, text: str) -> "Contestant":
        """Find a contestant by what a person writes: see `agents.load_agent`.

        A YAML file with `agent:` and `settings:` works too.

        Raises:
            AgentError: There is no such agent.
        """
        if text.endswith((".yaml", ".yml")):
            return _from_file(Path(text))
        load_agent(text)  # complain now, not in the middle of a tournament
        name = Path(text).name if Path(text).is_dir() else text
        return cls(name, functools.partial(load_agent, text))


@dataclass(frozen=True)
class Estimate:
    """A mean with its 95% interval."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:.1%} [{self.low:.1%}, {self.high:.1%}]"


@dataclass(frozen=True)
class Match:
    """One agent alone among copies of another, each deal from every seat.

    Attributes:
        agent: Who sits alone.
        opponent: Whose copies sit at the other seats.
        wins: Share of the victory of the one alone, shape ``(deals, seats)``.
        scores: Its final scores, shape ``(deals, seats)``.
        leads: Its scores minus the mean of the others', shape ``(deals, seats)``.
    """

    agent: str
    opponent: str
    wins: np.ndarray
    scores: np.ndarray
    leads: np.ndarray

    @property
    def win_rate(self) -> Estimate:
        """Share of victories with its interval."""
        return clustered_share(self.wins)


@dataclass(frozen=True)
class Standing:
    """One line of a ranking."""

    agent: str
    win_rate: Estimate
    score: float
    lead: float
    against: dict[str, Estimate]


@dataclass(frozen=True)
class Ranking:
    """Every agent alone among copies of every other, best first."""

    rules: RuleSet
    deals: int
    seed: int
    standings: tuple[Standing, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "rules": self.rules.to_dict(),
            "deals": self.deals,
            "seats": self.rules.players,
            "seed": self.seed,
            "equal_share": 1 / self.rules.players,
            "standings": [
                {
                    "agent": line.agent,
                    "win_rate": vars(line.win_rate),
                    "score": line.score,
                    "lead": line.lead,
                    "against": {name: vars(rate) for name, rate in line.against.items()},
                }
                for line in self.standings
            ],
        }


@dataclass(frozen=True)
class Results:
    """How a batch of games with one seating ended.

    Attributes:
        wins: Share of the victory, shape ``(deals, seats)``; a cut-off game has no winner.
        scores: Final scores, shape ``(deals, seats)``.
    """

    wins: np.ndarray
    scores: np.ndarray


def play_deals(rules: RuleSet, line_up: Sequence[Contestant], deals: int, seed: int) -> Results:
    """Play one game of each deal to its end.

    Args:
        rules: What is played.
        line_up: Who sits where, one for each seat; one object at several seats plays as one batch.
        deals: How many games.
        seed: Deal ``i`` is that of ``Game(rules, seed + i)``.
    """
    games = Games(rules, deals, seed=seed)
    tables = [
        (_Table(contestant, rules, seats, deals, seed), np.isin(np.arange(rules.players), seats))
        for contestant, seats in _seats_of(line_up)
    ]
    actions = np.zeros(deals, np.int64)
    running = ~games.over
    while running.any():
        for table, sits in tables:
            waiting = np.flatnonzero(running & sits[games.turn])
            if waiting.size:
                actions[waiting] = table.act(games, waiting)
        games.step(actions)
        running = ~games.over
    first = (games.places() == 1) & ~games.truncated[:, None]
    wins = first / np.maximum(1, first.sum(axis=1, keepdims=True))
    return Results(wins, np.asarray(games.scores(), float))


def play_match(
    rules: RuleSet, agent: Contestant, opponent: Contestant, deals: int, seed: int
) -> Match:
    """Let an agent play every deal from every seat, alone among copies of another."""
    wins, scores, leads = (np.zeros((deals, rules.players)) for _ in range(3))
    for seat in range(rules.players):
        line_up = [agent if other == seat else opponent for other in range(rules.players)]
        results = play_deals(rules, line_up, deals, seed)
        own = results.scores[:, seat]
        others = (results.scores.sum(axis=1) - own) / (rules.players - 1)
        wins[:, seat], scores[:, seat], leads[:, seat] = results.wins[:, seat], own, own - others
    return Match(agent.name, opponent.name, wins, scores, leads)


def rank(
    rules: RuleSet,
    contestants: Sequence[Contestant],
    deals: int,
    seed: int,
    on_match: Callable[[Match], None] = lambda match: None,
) -> Ranking:
    """Rank agents by how often they win alone among copies of each other one.

    Args:
        rules: What is played.
        contestants: Two or more, with different names.
        deals: Deals of each match; every match has the same ones.
        seed: Of the first deal.
        on_match: Told of every finished match.
    """
    names = [contestant.name for contestant in contestants]
    if len(set(names)) < len(names):
        raise ConfigError(f"a ranking needs different agents, not {', '.join(names)}")
    matches = []
    for agent, opponent in itertools.permutations(contestants, 2):
        matches.append(play_match(rules, agent, opponent, deals, seed))
        on_match(matches[-1])
    standings = [_standing(name, [m for m in matches if m.agent == name]) for name in names]
    standings.sort(key=lambda line: -line.win_rate.mean)
    return Ranking(rules, deals, seed, tuple(standings))


def clustered_share(wins: np.ndarray) -> Estimate:
    """A share of victories with its 95% interval, rows being independent and their games not.

    It is Wilson's interval for as many games as would give the same spread if they were
    independent, so it stays inside 0 and 1 and does not shrink to nothing at either.

    Args:
        wins: Shares of victories, shape ``(deals, games_of_a_deal)``.
    """
    by_deal = wins.mean(axis=1)
    deals, mean = len(by_deal), float(by_deal.mean())
    variance = float(by_deal.var(ddof=1)) / deals if deals > 1 else 0.0
    spread = mean * (1 - mean)
    size = spread / variance if variance > 0 and spread > 0 else float(deals)
    size = min(size, float(wins.size))
    square = NORMAL_95**2
    middle = (mean + square / (2 * size)) / (1 + square / size)
    half = NORMAL_95 / (1 + square / size) * math.sqrt(spread / size + square / (4 * size**2))
    return Estimate(mean, max(0.0, min(mean, middle - half)), min(1.0, max(mean, middle + half)))


class _Table:
    """One contestant at its seats in every game of a batch."""

    def __init__(
        self, contestant: Contestant, rules: RuleSet, seats: Sequence[int], deals: int, seed: int
    ) -> None:
        self._rules = rules
        self._together: BatchAgent | None = None
        self._alone: dict[tuple[int, int], Agent] = {}
        agent = contestant.make()
        if isinstance(agent, BatchAgent):
            agent.reset(seats[0], rules, seed)
            self._together = agent
            return
        for deal, seat in itertools.product(range(deals), seats):
            agent = contestant.make()
            agent.reset(seat, rules, agent_seed(seed + deal, seat))
            self._alone[deal, seat] = agent

    def act(self, games: Games, waiting: np.ndarray) -> np.ndarray:
        """Choose for the games that wait for this contestant."""
        if self._together is not None:
            return self._together.act_batch(games.observations[waiting], games.masks[waiting])
        return np.array(
            [
                self._alone[deal, int(games.turn[deal])].act(
                    View.in_batch(games, deal, self._rules)
                )
                for deal in waiting.tolist()
            ]
        )


def agent_seed(deal_seed: int, seat: int) -> int:
    """The seed of the player at a seat, apart from that of the deal."""
    return deal_seed * 10 + seat + 1


def _seats_of(line_up: Sequence[Contestant]) -> list[tuple[Contestant, list[int]]]:
    """Each contestant once, with its seats."""
    found: list[tuple[Contestant, list[int]]] = []
    for seat, contestant in enumerate(line_up):
        for other, seats in found:
            if other is contestant:
                seats.append(seat)
                break
        else:
            found.append((contestant, [seat]))
    return found


def _standing(name: str, matches: Sequence[Match]) -> Standing:
    return Standing(
        agent=name,
        win_rate=clustered_share(np.concatenate([match.wins for match in matches], axis=1)),
        score=float(np.mean([match.scores for match in matches])),
        lead=float(np.mean([match.leads for match in matches])),
        against={match.opponent: match.win_rate for match in matches},
    )


def _from_file(path: Path) -> Contestant:
    """A contestant from `agent:` and `settings:` of a YAML file; its name is that of the file."""
    try:
        page = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
    except yaml.YAMLError as error:
        raise ConfigError(f"{path} is not a YAML file: {' '.join(str(error).split())}") from None
    if not isinstance(page, dict) or not isinstance(page.get("agent"), str):
        raise ConfigError(f"{path} must name an agent, such as 'agent: merchant'")
    strange = set(page) - {"agent", "settings"}
    settings = page.get("settings") or {}
    if strange or not isinstance(settings, dict):
        raise ConfigError(f"{path} may hold 'agent' and 'settings' only, and settings by name")
    make = functools.partial(load_agent, page["agent"], **settings)
    make()
    return Contestant(path.stem, make)
