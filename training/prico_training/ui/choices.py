"""What the page may ask for: games that can be played, and agents that can sit at its table.

A request names agents, and naming one may load code and files. So the page may name the agents that
come along, and those that were allowed when the table was opened, and no others.
"""

import re
import reprlib
from collections.abc import Sequence
from typing import Any, Final

from prico_agents import AgentError
from prico_agents.neural.checkpoint import policy_names
from prico_agents.registry import agent_class, agent_files, display_name, load_agent
from prico_env import RuleSet, catalog
from prico_env.catalog.model import PLAYER_COUNTS
from prico_env.errors import PricoError, did_you_mean
from prico_env.ruleset import DRAFT_BOARD, RANDOM_BOARD
from prico_env.text.localization import language_of
from prico_env.text.terms import capital, page_words
from prico_training.ui.limits import USUAL
from prico_training.ui.session import PERSON, USUAL_ADVISER

_SEARCHES: Final = ("mcts:400", "mcts:1600")
_SEARCH: Final = re.compile(r"mcts:([1-9][0-9]{0,5})")
_COMPILED: Final = ("prico_agents.heuristics.", "prico_agents.random")
"""Where the agents are that decide at once."""


class Choices:
    """The agents that may be named, each with a sentence about it."""

    def __init__(self, more: Sequence[str] = (), most_simulations: int = USUAL.simulations) -> None:
        """Choose what comes along and more.

        Args:
            more: Names of further agents, such as folders of training runs.
            most_simulations: Simulations that a search may have, and all of one table together.

        Raises:
            AgentError: One of them cannot be found, or cannot be made.
        """
        for name in more:
            load_agent(name)
        built_in = [name for name, home in agent_files().items() if home.startswith(_COMPILED)]
        policies = policy_names()
        self._most = most_simulations
        self._offered = frozenset(more)
        self._quick = frozenset((*built_in, *policies))
        self._about = {
            **{name: f"about_{name}" for name in sorted(built_in, key=_order)},
            **{
                name: f"about_{name}"
                for name in _SEARCHES
                if self._simulations(name) <= most_simulations
            },
            **dict.fromkeys(policies, "about_network"),
            **dict.fromkeys(more, "about_allowed"),
        }

    def choices(self) -> dict[str, Any]:
        """Everything there is to choose for a new game, JSON-ready."""
        return {
            "editions": [
                {
                    "name": key,
                    "title": said(f"edition_{key}", catalog.load(key).title),
                    "expansions": [
                        {"name": name, "title": page_words(None, f"expansion_{name}")}
                        for name in catalog.load(key).expansions
                    ],
                }
                for key in catalog.names()
            ],
            "usual_edition": RuleSet().edition,
            "players": list(PLAYER_COUNTS),
            "boards": [DRAFT_BOARD, RANDOM_BOARD],
            "agents": [
                {"name": name, "title": display_name(name), "about": said(key, _about(name))}
                for name, key in self._about.items()
            ],
            "usual_agent": USUAL_ADVISER,
            "most_simulations": self._most,
        }

    def decides_at_once(self, name: str) -> bool:
        """Whether it takes an agent no time to decide."""
        return name in self._quick

    def allows(self, name: str) -> bool:
        """Whether the page may name this agent."""
        return name in self._about or 0 < self._simulations(name) <= self._most

    def check(self, name: str) -> str:
        """Return the name of an agent that may be named here.

        Raises:
            AgentError: It may not; the message lists those that may.
        """
        if not self.allows(name):
            raise AgentError(
                f"no agent {shown(name)} is offered at this table"
                f"{did_you_mean(name, self._about)}; there are {', '.join(self._about)}, "
                f"mcts:N with N up to {self._most}, and what `prico serve --agent` allows"
            )
        return name

    def check_players(self, names: Sequence[str]) -> list[str]:
        """Return who is to sit at the table: people, and agents that may be named here.

        Raises:
            AgentError: One of them may not be named, or they would search too much together.
        """
        players = [name if name == PERSON else self.check(name) for name in names]
        if (together := sum(map(self._simulations, players))) > self._most:
            raise AgentError(
                f"the agents of this table would search with {together:,} simulations together, "
                f"and may with {self._most:,}; choose mcts:N with a smaller N, or agents that do "
                "not search"
            )
        return players

    def players_of_record(self, names: Sequence[str]) -> list[str]:
        """Return who is to play a recorded game on: whom it names, others where they may not."""
        players, left = [], self._most
        for name in names:
            simulations = self._simulations(name)
            may_sit = name == PERSON or (self.allows(name) and simulations <= left)
            players.append(name if may_sit else USUAL_ADVISER)
            left -= simulations * may_sit
        return players

    def _simulations(self, name: str) -> int:
        """Simulations that the page asks of a search for each decision; 0 of other agents."""
        search = None if name in self._offered else _SEARCH.fullmatch(name)
        return int(search[1]) if search else 0


def rule_set(asked: dict[str, Any]) -> RuleSet:
    """The rule set that a request asks for, by edition, players, expansions and board.

    Raises:
        PricoError: There is none such.
    """
    expansions = asked["expansions"]
    if not all(isinstance(name, str) for name in expansions):
        raise PricoError(f"expansions are named by words, not as {shown(expansions)}")
    fields = {"board": asked["board"]} if "buildings" in expansions else {}
    if asked.get("vp_hidden") is not None:
        fields["vp_hidden"] = asked["vp_hidden"]
    return RuleSet(len(asked["players"]), asked["edition"], expansions, **fields)


def said(key: str, otherwise: str) -> str:
    """What the page says, or what somebody's own edition or agent says of itself."""
    return page_words(None, key) if key in language_of().page else otherwise


def title_of(rules: RuleSet) -> str:
    """What is played, in words: an edition and its expansions.

    >>> title_of(RuleSet(4, "1897-en", ["festival"]))
    'The 1897 edition, in English, IV Festival'
    """
    words = language_of(rules.edition).page
    edition = words.get(f"edition_{rules.edition}", catalog.load(rules.edition).title)
    expansions = (words[f"expansion_{name}"] for name in rules.expansions)
    return capital(", ".join((edition, *expansions)))


def _about(name: str) -> str:
    """What a built-in agent says of itself, for one that no language has words for."""
    is_built_in = name in agent_files()
    return (agent_class(name).__doc__ or "").splitlines()[0] if is_built_in else ""


def _order(name: str) -> tuple[bool, bool, str]:
    """The usual agent first, the random one last."""
    return name != USUAL_ADVISER, name == "random", name


def shown(value: object) -> str:
    """A value that somebody sent, short enough for a line."""
    return reprlib.repr(value)
