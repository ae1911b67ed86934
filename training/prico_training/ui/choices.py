"""What the page may ask for: games that can be played, and agents that can sit at its table.

A request names agents, and naming one may load code and files. So the page may name the agents that
come along, and those that were allowed when the table was opened, and no others.
"""

import re
from collections.abc import Sequence
from typing import Any, Final

from prico_agents import AgentError
from prico_agents.neural.checkpoint import policy_names
from prico_agents.registry import agent_class, agent_files, load_agent
from prico_env import RuleSet, catalog
from prico_env.catalog.model import PLAYER_COUNTS
from prico_env.errors import PricoError, did_you_mean
from prico_env.ruleset import DRAFT_BOARD, RANDOM_BOARD
from prico_training.ui.session import PERSON, USUAL_ADVISER

MOST_SIMULATIONS: Final = 20_000
"""Simulations that the page may ask of a search for each decision."""
EXPANSION_TITLES: Final = {
    "buildings": "I New buildings",
    "citizens": "II Citizens (nobles)",
    "smuggler": "III Smuggler",
    "festival": "IV Festival",
}
"""What the expansions are called on the page, by their numbers in the rulebooks."""
_SEARCHES: Final = {
    "mcts:400": "Searches ahead with 400 simulations a decision: strong, and quick enough.",
    "mcts:1600": "Searches ahead with 1600 simulations a decision: stronger, takes its time.",
}
_SEARCH: Final = re.compile(r"mcts:([1-9][0-9]{0,5})")
_COMPILED: Final = ("prico_agents.heuristics.", "prico_agents.random")
"""Where the agents are that decide at once."""


class Choices:
    """The agents that may be named, each with a sentence about it."""

    def __init__(self, more: Sequence[str] = ()) -> None:
        """Choices what comes along and more.

        Args:
            more: Names of further agents, such as folders of training runs.

        Raises:
            AgentError: One of them cannot be found, or cannot be made.
        """
        for name in more:
            load_agent(name)
        built_in = [name for name, home in agent_files().items() if home.startswith(_COMPILED)]
        self._about = {
            **{name: _about(name) for name in sorted(built_in, key=_order)},
            **_SEARCHES,
            **dict.fromkeys(policy_names(), "Plays what a network learnt, in the games it learnt."),
            **dict.fromkeys(more, "Allowed when the table was opened."),
        }

    def choices(self) -> dict[str, Any]:
        """Everything there is to choose for a new game, JSON-ready."""
        return {
            "editions": [
                {
                    "name": key,
                    "title": catalog.load(key).title,
                    "expansions": [
                        {"name": name, "title": EXPANSION_TITLES[name]}
                        for name in catalog.load(key).expansions
                    ],
                }
                for key in catalog.names()
            ],
            "usual_edition": RuleSet().edition,
            "players": list(PLAYER_COUNTS),
            "boards": [DRAFT_BOARD, RANDOM_BOARD],
            "agents": [{"name": name, "about": about} for name, about in self._about.items()],
            "usual_agent": USUAL_ADVISER,
            "most_simulations": MOST_SIMULATIONS,
        }

    def allows(self, name: str) -> bool:
        """Whether the page may name this agent."""
        search = _SEARCH.fullmatch(name)
        if search and name not in self._about:
            return int(search[1]) <= MOST_SIMULATIONS
        return name in self._about

    def check(self, name: str) -> str:
        """Return the name of an agent that may be named here.

        Raises:
            AgentError: It may not; the message lists those that may.
        """
        if not self.allows(name):
            raise AgentError(
                f"no agent {name!r} is offered at this table{did_you_mean(name, self._about)}; "
                f"there are {', '.join(self._about)}, mcts:N with N up to {MOST_SIMULATIONS}, and "
                "what `prico serve --agent` allows"
            )
        return name

    def check_players(self, names: Sequence[str]) -> list[str]:
        """Return who is to sit at the table: people, and agents that may be named here."""
        return [name if name == PERSON else self.check(name) for name in names]


def rule_set(asked: dict[str, Any]) -> RuleSet:
    """The rule set that a request asks for, by edition, players, expansions and board.

    Raises:
        PricoError: There is none such.
    """
    expansions = asked["expansions"]
    if not all(isinstance(name, str) for name in expansions):
        raise PricoError(f"expansions are named by words, not as {expansions!r}")
    fields = {"board": asked["board"]} if "buildings" in expansions else {}
    return RuleSet(len(asked["players"]), asked["edition"], expansions, **fields)


def _about(name: str) -> str:
    return (agent_class(name).__doc__ or "").splitlines()[0]


def _order(name: str) -> tuple[bool, bool, str]:
    """The usual agent first, the random one last."""
    return name != USUAL_ADVISER, name == "random", name
