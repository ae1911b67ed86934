"""How a player is found by what a person writes.

``random`` is a built-in agent by its short name, ``mcts:400`` one with its usual setting,
``mcts:simulations=400,leaf=static`` one with several, ``governor`` a trained policy that comes
along, ``my_module:MyAgent`` a class of one's own, of an installed module or one in the current
folder, the folder of a checkpoint or a training run the policy in it, and a YAML file the agent and
the settings it holds. Settings may follow each of them after a colon.
"""

import contextlib
import functools
import importlib
import inspect
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from prico_agents.agent_settings import Player, check_settings, read_settings
from prico_agents.base import Agent, AgentError
from prico_agents.batch_players import AgentOpponent
from prico_agents.compiled import CompiledAgent, playout_policy
from prico_agents.input_files import read_yaml
from prico_agents.neural.checkpoint import CheckpointError, find_policy, policy_names
from prico_agents.neural.policy import Policy
from prico_env.arguments import instance
from prico_env.envs.opponents import Opponent
from prico_env.errors import did_you_mean
from prico_env.playouts import PlayoutPolicy
from prico_env.text.localization import load, spoken

_HOME: Final = Path(__file__).parent
_PLAYERS: Final = (
    "random.py",
    "human.py",
    "heuristics/*.py",
    "search/mcts.py",
    "neural/governor.py",
)
"""Where the built-in agents are, one a file. All other files of this package help them."""
ALIASES: Final = {"heuristic": "planner"}
"""Other words for a built-in agent."""
_NETWORKS: Final = ("governor", "generalist")
"""Trained policies that a table calls something else: their names are also pieces of the game."""
_FILE_ENDINGS: Final = (".yaml", ".yml")


class UnknownAgentError(AgentError, LookupError):
    """No agent has this name."""


@dataclass(frozen=True)
class AgentOrder:
    """What a name stands for: who plays, and with what it is made."""

    player: Player
    """The class."""
    settings: Mapping[str, Any]
    """What the class is told."""
    place: tuple[Path, ...] = ()
    """The folder of the policy that plays, if it is one."""


def agent_files() -> dict[str, str]:
    """Short names of the built-in agents and the modules that hold them."""
    files = sorted(path for pattern in _PLAYERS for path in _HOME.glob(pattern))
    return {
        path.stem: ".".join(("prico_agents", *path.relative_to(_HOME).with_suffix("").parts))
        for path in files
        if path.stem != "__init__"
    }


def agent_names() -> list[str]:
    """Short names of the built-in agents."""
    return sorted(agent_files())


def known_names() -> list[str]:
    """Every name that is an agent by itself: built-in agents, policies that come along, aliases."""
    return [*agent_names(), *policy_names(), *ALIASES]


def agent_class(name: str) -> Player:
    """Return the class behind a short name or a ``"module:Class"`` path."""
    module_name, _, class_name = name.partition(":")
    if class_name:
        return _member(name, module_name, class_name)
    short = ALIASES.get(name, name)
    if short not in agent_files():
        raise UnknownAgentError(_unknown(name))
    return _only_player(_module(name, agent_files()[short]))


def load_agent(name: str, /, **settings: Any) -> Agent:
    """Make an agent from what a person writes on a command line or in a settings file.

    Args:
        name: A short name, that of a policy that comes along, a ``"module:Class"`` path, a
            checkpoint or run folder, or a YAML file that holds ``agent:`` and ``settings:``;
            settings may follow after a colon.
        **settings: More settings.

    Raises:
        AgentError: There is no such agent, or it does not take these settings.
        CheckpointError: The checkpoint is damaged, or of another version of the numbers.
    """
    order = find_agent(name)
    settings = _joined(name, order.settings, _plain(settings))
    check_settings(name, order.player, settings)
    try:
        inspect.signature(order.player).bind(*order.place, **settings)
    except TypeError as error:
        raise AgentError(f"the agent {name!r} cannot be made: {error}") from None
    agent: Agent = order.player(*order.place, **settings)
    return agent


def agent_label(name: str) -> str:
    """A name as a table prints it: that of a run or a file without the folders around it."""
    _check_name(name)
    found = _split_place(name)
    if found is None:
        return name
    place, text = found
    short = place.stem if place.suffix in _FILE_ENDINGS else place.resolve().name
    return f"{short}:{text}" if text else short


def display_name(name: str, edition: str | None = None) -> str:
    """A name as people at a table read it: no piece of the game, and no packages before a module.

    >>> display_name("governor"), display_name("mcts:400"), display_name("heuristic")
    ('base network', 'mcts:400', 'planner')
    >>> display_name("governor", "1897-de")
    'Basisnetz'

    Args:
        name: What the agent is found by.
        edition: What is played, in whose language it is read unless another is spoken.
    """
    return _display_name(name, spoken(edition))


@functools.lru_cache(maxsize=256)
def _display_name(name: str, language: str) -> str:
    head, colon, text = agent_label(name).partition(":")
    usual = ALIASES.get(head, head)
    if head in _NETWORKS:
        usual = load(language).page[f"name_{head}"]
    return f"{usual.rpartition('.')[2] if colon else usual}{colon}{text}"


def as_opponent(name: str) -> Opponent:
    """An agent as the environments want their opponents: ``(game, seat, rng) -> action``.

    Raises:
        LookupError: There is no such agent.
    """
    return AgentOpponent(load_agent(name))


def as_playout(name: str) -> PlayoutPolicy:
    """A compiled agent as `Games.playout` wants it: it plays games on by itself.

    Raises:
        LookupError: There is no such agent.
        AgentError: It is not compiled.
    """
    agent = load_agent(name)
    what = f"games are played on by compiled agents, such as 'corn', and {name!r} is none of them"
    return playout_policy(instance(agent, CompiledAgent, what, AgentError))


# -- what a name stands for ------------------------------------------------------------------------


def _check_name(name: object) -> None:
    """Check that an agent is named by a text."""
    instance(name, str, "an agent is named by text, such as 'planner'", UnknownAgentError)


def find_agent(name: str) -> AgentOrder:
    """Return what a name stands for; see `load_agent`.

    Raises:
        AgentError: There is no such agent, or it does not take the settings behind its name.
    """
    _check_name(name)
    head, colon, text = name.partition(":")
    if ALIASES.get(head, head) in agent_files():
        return _order(name, agent_class(head), text if colon else None)
    found = _split_place(name)
    if found is not None:
        return _from_place(name, *found)
    if not colon:
        raise UnknownAgentError(_unknown(name))
    class_name, colon, text = text.partition(":")
    return _order(name, _member(name, head, class_name), text if colon else None)


def _order(name: str, player: Player, text: str | None, place: tuple[Path, ...] = ()) -> AgentOrder:
    """An order with the settings that follow a name, if any do."""
    return AgentOrder(player, {} if text is None else read_settings(name, player, text), place)


def _split_place(name: str) -> tuple[Path, str | None] | None:
    """The file or folder that a name stands for, and the settings behind it; None for neither."""
    if name and (os.path.exists(name) or name in policy_names()):
        return Path(name), None
    head, _, text = name.rpartition(":")
    # A folder may also be the package of a "module:Class".
    if os.path.isfile(head) or (head and _holds_policy(Path(head))):
        return Path(head), text
    return None


def _holds_policy(place: Path) -> bool:
    try:
        find_policy(place)
    except CheckpointError:
        return False
    return True


def _from_place(name: str, place: Path, text: str | None) -> AgentOrder:
    if place.suffix not in _FILE_ENDINGS:
        return _order(name, Policy, text, (place,))
    agent, settings = _read_file(place)
    if agent.partition(":")[0].endswith(_FILE_ENDINGS):
        raise AgentError(f"{place} must name an agent itself, not another file such as {agent!r}")
    order = find_agent(agent)
    more = {} if text is None else read_settings(name, order.player, text)
    return AgentOrder(order.player, _joined(name, order.settings, settings, more), order.place)


def _read_file(path: Path) -> tuple[str, dict[str, Any]]:
    """What stands under `agent:` and `settings:` of a YAML file."""
    page = read_yaml(path, AgentError)
    if not isinstance(page, dict) or not isinstance(page.get("agent"), str):
        raise AgentError(f"{path} must name an agent, such as 'agent: mcts'")
    settings = page.get("settings") or {}
    is_named = isinstance(settings, dict) and all(isinstance(key, str) for key in settings)
    if set(page) - {"agent", "settings"} or not is_named:
        raise AgentError(f"{path} may hold 'agent' and 'settings' only, and settings by name")
    return page["agent"], settings


def _plain(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings with numbers of NumPy as Python's own."""
    return {
        key: value.item() if isinstance(value, np.number) else value
        for key, value in settings.items()
    }


def _joined(name: str, *parts: Mapping[str, Any]) -> dict[str, Any]:
    """Settings from several places, each set in one of them only."""
    joined: dict[str, Any] = {}
    for part in parts:
        for key, value in part.items():
            if key in joined:
                raise AgentError(f"{name!r} sets {key} twice")
            joined[key] = value
    return joined


# -- modules and what is in them -------------------------------------------------------------------


def _module(name: str, module_name: str) -> Any:
    try:
        return importlib.import_module(module_name)
    except ImportError as error:
        hint = did_you_mean(name.partition(":")[0], known_names())
        raise AgentError(f"the agent {name!r} cannot be loaded: {error}{hint}") from None


def _member(name: str, module_name: str, member: str) -> Player:
    """What a ``"module:Class"`` path leads to."""
    if not all(word.isidentifier() for word in (*module_name.split("."), member)):
        is_drive = member[:1] in ("/", "\\")  # of Windows: the name is a path as a whole
        raise UnknownAgentError(_unknown(name if is_drive else module_name or name))
    _search_current_folder()
    module = _module(name, module_name)
    if not hasattr(module, member):
        raise AgentError(f"{module_name} has no agent {member!r}")
    player: Player = getattr(module, member)
    if not (isinstance(player, type) and issubclass(player, Agent)):
        raise AgentError(f"{name!r} is no agent: it needs the methods reset and act")
    return player


def _search_current_folder() -> None:
    """Let modules be found in the current folder, after all that is installed.

    A console script does not look there, while ``python -m`` does. The folder stays on the path,
    for what an agent imports later and for worker processes, which take over the path.
    """
    with contextlib.suppress(FileNotFoundError):  # the current folder may have been removed
        folder = os.getcwd()
        if folder not in sys.path:
            sys.path.append(folder)
    importlib.invalidate_caches()  # a file may have been written since the folder was last read


def _only_player(module: Any) -> Player:
    """The class of a module that can act; a file of this package holds just one."""
    players = [
        member
        for name, member in inspect.getmembers(module, inspect.isclass)
        if member.__module__ == module.__name__ and issubclass(member, Agent) and name[0] != "_"
    ]
    if len(players) != 1:
        raise AgentError(f"{module.__name__} holds {len(players)} agents where one belongs")
    return players[0]


def _unknown(name: str) -> str:
    if any(sign in name for sign in "/\\."):
        return f"there is no agent, no file and no checkpoint folder {name!r}"
    known = known_names()
    return f"no agent is called {name!r}{did_you_mean(name, known)} (there are: {', '.join(known)})"
