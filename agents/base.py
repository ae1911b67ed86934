"""What a player sees, what a player must be able to do, and how a player is found by name."""

import functools
import importlib
import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Protocol, runtime_checkable

import numpy as np

from prico_env import Game, Games, RuleSet
from prico_env.envs.opponents import Opponent
from prico_env.errors import PricoError, did_you_mean

_HOME: Final = Path(__file__).parent
_NOT_PLAYERS: Final = frozenset({"base", "checkpoint", "network", "policy"})
"""Files of this package that are no players by themselves; a policy needs its checkpoint."""
NICKNAMES: Final = {"heuristic": "merchant"}
"""Other words for a built-in agent."""


class AgentError(PricoError):
    """An agent cannot be found or cannot be made."""


class View:
    """What one seat may know when it has to decide.

    A view holds for one decision: it looks into a game that goes on afterwards.

    Attributes:
        seat: Whose decision it is.
        rules: The rule set of the game.
        legal: Which actions are allowed, shape ``(num_actions,)``; true means allowed.
    """

    __slots__ = ("_game", "_open", "_see", "_vector", "legal", "rules", "seat")

    def __init__(
        self,
        seat: int,
        rules: RuleSet,
        legal: np.ndarray,
        open_game: Callable[[], Game],
        see: Callable[[], np.ndarray],
    ) -> None:
        """Use :meth:`of` or :meth:`in_batch` instead of this."""
        self.seat = seat
        self.rules = rules
        self.legal = legal
        self._open = open_game
        self._see = see
        self._game: Game | None = None
        self._vector: np.ndarray | None = None

    @classmethod
    def of(cls, game: Game, seat: int | None = None) -> "View":
        """See a single game through the eyes of a seat; by default of the seat to decide."""
        seat = game.turn if seat is None else seat
        return cls(
            seat, game.rules, game.mask(), lambda: game, functools.partial(game.observation, seat)
        )

    @classmethod
    def in_batch(cls, games: Games, number: int, rules: RuleSet) -> "View":
        """See game ``number`` of a batch through the eyes of the seat to decide there."""
        return cls(
            int(games.turn[number]),
            rules,
            games.masks[number],
            functools.partial(games.__getitem__, number),
            lambda: games.observations[number].copy(),
        )

    @property
    def game(self) -> Game:
        """A copy of the game in which everything this seat cannot see is dealt at random.

        What is public is as it is on the table, so reading ``view.game.state`` is fair. The hidden
        rest is one possibility among many: ``view.game.determinize(view.seat, seed)`` gives more.
        """
        if self._game is None:
            self._game = self._open().determinize(self.seat, 0)
        return self._game

    @property
    def observation(self) -> np.ndarray:
        """The game as this seat sees it, shape ``(num_features,)``, small integers."""
        if self._vector is None:
            self._vector = self._see()
        return self._vector

    @property
    def choices(self) -> list[int]:
        """The allowed actions, ascending."""
        return np.flatnonzero(self.legal).tolist()


@runtime_checkable
class Agent(Protocol):
    """A player. It is told where it sits, and then asked for its decisions."""

    def reset(self, seat: int, rules: RuleSet, seed: int) -> None:
        """Sit down for a new game; all chance of this player comes from ``seed``."""

    def act(self, view: View) -> int:
        """Choose one of the allowed actions."""


@runtime_checkable
class BatchAgent(Agent, Protocol):
    """A player that is much faster when many games ask at once."""

    def act_batch(self, observations: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """Choose an action in each game.

        Args:
            observations: Small integers, shape ``(num_games, num_features)``.
            legal: Allowed actions, shape ``(num_games, num_actions)``.

        Returns:
            Action numbers, shape ``(num_games,)``.
        """


def agent_files() -> dict[str, str]:
    """Short names of the built-in agents and the modules that hold them."""
    files = sorted(path for path in _HOME.rglob("*.py") if not path.stem.startswith("_"))
    return {
        path.stem: ".".join(("agents", *path.relative_to(_HOME).with_suffix("").parts))
        for path in files
        if path.stem not in _NOT_PLAYERS
    }


def agent_names() -> list[str]:
    """Short names of the built-in agents."""
    return list(agent_files())


def agent_class(name: str) -> type[Any]:
    """Return the class behind a short name or a ``"module:Class"`` path."""
    module_name, _, class_name = name.partition(":")
    if not class_name:
        module_name = agent_files().get(NICKNAMES.get(name, name), "")
    if not module_name:
        raise AgentError(_unknown(name))
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        raise AgentError(f"the agent {name!r} cannot be loaded: {error}") from None
    if class_name:
        if not hasattr(module, class_name):
            raise AgentError(f"{module_name} has no agent {class_name!r}")
        return getattr(module, class_name)
    return _only_player(module)


def load_agent(name: str, **settings: Any) -> Agent:
    """Make an agent from what a person writes on a command line or in a settings file.

    Args:
        name: A short name (``"random"``), a path (``"my_module:MyAgent"``), or the folder of a
            checkpoint or training run, whose policy then plays.
        **settings: Handed to the class.

    Raises:
        AgentError: There is no such agent, or it does not take these settings.
    """
    if ":" not in name and name not in agent_files() and Path(name).exists():
        from agents.neural.policy import Policy  # a checkpoint brings a larger library along

        return Policy(name, **settings)
    try:
        agent = agent_class(name)(**settings)
    except TypeError as error:
        raise AgentError(f"the agent {name!r} cannot be made: {error}") from None
    if not isinstance(agent, Agent):
        raise AgentError(f"{name!r} is no agent: it needs the methods reset and act")
    return agent


def as_opponent(name: str) -> Opponent:
    """An agent as the environments want their opponents: ``(game, seat, rng) -> action``.

    Raises:
        LookupError: There is no such agent.
    """
    try:
        agent = load_agent(name)
    except AgentError as error:
        raise LookupError(str(error)) from None

    def choose(game: Game, seat: int, rng: np.random.Generator) -> int:
        agent.reset(seat, game.rules, int(rng.integers(2**31)))
        return agent.act(View.of(game, seat))

    return choose


def _only_player(module: Any) -> type[Any]:
    """The class of a module that can act; a file of this package holds just one."""
    for _, member in inspect.getmembers(module, inspect.isclass):
        if member.__module__ == module.__name__ and hasattr(member, "act"):
            return member
    raise AgentError(f"{module.__name__} holds no agent")


def _unknown(name: str) -> str:
    if re.search(r"[/\\.]", name):
        return f"there is no agent and no checkpoint folder {name!r}"
    known = [*agent_names(), *NICKNAMES]
    return f"no agent is called {name!r}{did_you_mean(name, known)} (there are: {', '.join(known)})"
