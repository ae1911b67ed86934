"""Who plays: agents and how they are found by name."""

from prico_agents.analysis import Opinion, opinion_of
from prico_agents.base import Agent, AgentError, BatchAgent, View
from prico_agents.registry import agent_label, agent_names, as_opponent, load_agent
from prico_env.envs.opponents import register_opponent_loader

__all__ = [
    "Agent",
    "AgentError",
    "BatchAgent",
    "Opinion",
    "View",
    "agent_label",
    "agent_names",
    "as_opponent",
    "load_agent",
    "opinion_of",
]

register_opponent_loader(as_opponent)
