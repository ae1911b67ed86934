"""Who plays: agents and how they are found by name."""

import warnings
from typing import Any, Final

from prico_agents.analysis import Analysis, analysis_of
from prico_agents.base import Agent, AgentError, BatchAgent, View
from prico_agents.registry import agent_label, agent_names, as_opponent, as_playout, load_agent
from prico_env.envs.opponents import register_opponent_loader
from prico_env.playouts import register_playout_loader

__all__ = [
    "Agent",
    "AgentError",
    "Analysis",
    "BatchAgent",
    "View",
    "agent_label",
    "agent_names",
    "analysis_of",
    "as_opponent",
    "as_playout",
    "load_agent",
]

_DEPRECATED: Final = {"Opinion": "Analysis", "opinion_of": "analysis_of"}
"""Former names of this package, and the present ones."""

register_opponent_loader(as_opponent)
register_playout_loader(as_playout)


def __getattr__(name: str) -> Any:
    """Answer to a former name, with a warning."""
    if name not in _DEPRECATED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    new = _DEPRECATED[name]
    warnings.warn(f"prico_agents.{name} is called {new} now", DeprecationWarning, stacklevel=2)
    return globals()[new]
