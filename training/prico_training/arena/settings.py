"""What a tournament is: who plays, what is played, and how much of it.

Each setting has its sentence here and its value in a file of `configs/tournaments/` or an option of
`prico arena`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from prico_agents import agent_label
from prico_env import RuleSet
from prico_env.arguments import words
from prico_env.core.rng import MAX_SEED
from prico_env.errors import did_you_mean, quoted
from prico_env.serialization import unwritable
from prico_training.errors import ConfigError
from prico_training.sections import (
    Integer,
    Names,
    Rules,
    Whole,
    check_unchanged,
    from_dict,
    section,
    to_plain,
)

FORMATS: Final = ("copies", "mixed")
"""What can be played; see `schedule`."""
SEATINGS: Final = ("rotations", "all")
"""How agents change seats at mixed tables."""
_NAMED: Final = re.compile(r"([\w.+-]+)=(.+)")
"""`NAME=AGENT` on the command line; a name holds no colon, so `mcts:simulations=400` is none."""
_FREE: Final = frozenset({"deals", "processes"})
"""Settings that may change when a tournament goes on; `deals` may only grow."""
_LEAST_AGENTS: Final = 2


@section()
class Entry:
    """Somebody who takes part."""

    agent: str
    """Who it is, as `agents.load_agent` understands it."""
    name: str = ""
    """What tables call it; by default what `agent` says, without folders."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """What the agent is made with."""

    def __post_init__(self) -> None:
        """Find the name."""
        object.__setattr__(self, "name", self.name or agent_label(self.agent))

    @classmethod
    def of(cls, word: str) -> "Entry":
        """Read ``AGENT`` or ``NAME=AGENT``, as a person writes it on a command line."""
        named = _NAMED.fullmatch(words(word, "somebody who takes part", ConfigError))
        return cls(word) if named is None else cls(named[2], named[1])

    @classmethod
    def several(cls, text: str) -> "tuple[Entry, ...]":
        """Read such words with commas between; what follows a colon may hold commas, too.

        >>> [entry.agent for entry in Entry.several("corn,mcts:200,network=governor,planner")]
        ['corn', 'mcts:200,network=governor', 'planner']
        """
        found: list[str] = []
        for word in words(text, "who takes part", ConfigError).split(","):
            if found and ":" in found[-1] and _NAMED.fullmatch(word):
                found[-1] += f",{word}"
            else:
                found.append(word.strip())
        return tuple(cls.of(word) for word in found if word or len(found) == 1)


@section()
class Tournament:
    """The settings of a tournament."""

    agents: tuple[Entry, ...] = ()
    """Who plays: names, or a name with `agent` and `settings`."""
    game: Rules = field(default_factory=RuleSet)
    """The rule set: players, edition and options; or a file of `configs/games/`."""
    deals: Integer = 50
    """Deals that every line-up plays."""
    seed: Integer = 1
    """The first deal is that of this seed, the second of the next one, and so on."""
    formats: tuple[Literal["copies", "mixed"], ...] = FORMATS
    """`copies`: each alone among copies of each other one; `mixed`: different ones together."""
    against: Names = ()
    """Names of those whose copies surround the others in `copies`; by default everybody is both."""
    seatings: str = "rotations"
    """Of mixed tables. `rotations`: each deal from every seat, and who sits left of whom changes
    from deal to deal. `all`: each deal in every order."""
    move_seconds: Annotated[float, Field(strict=True, gt=0, le=1_000_000)] = 60.0
    """Longest time for one decision; who takes longer loses the game."""
    processes: Annotated[Whole, Field(le=1_024)] = 0
    """Processes that play; 0 takes all cores."""
    max_faults: Whole = 0
    """Games an agent may break before it is not asked any more and loses the rest at once; 0 asks
    it for ever. With a limit, results may depend on which games end first."""

    def __post_init__(self) -> None:
        """Refuse values that cannot work, before any time is spent."""
        _check(self)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, as `tournament_from` reads them."""
        return to_plain(self)

    @property
    def names(self) -> tuple[str, ...]:
        """What tables call the agents."""
        return tuple(entry.name for entry in self.agents)


def tournament_from(fields: Mapping[str, Any]) -> Tournament:
    """Make a tournament from plain values; what is left out has its default.

    Raises:
        ConfigError: A name is unknown or a value cannot be used.
    """
    fields = dict(fields)
    agents = fields.get("agents") or []
    if not isinstance(agents, list):
        raise ConfigError(f"agents must be a list, such as [random, mcts], not {quoted(agents)}")
    fields["agents"] = [{"agent": entry} if isinstance(entry, str) else entry for entry in agents]
    for number, entry in enumerate(fields["agents"]):
        if not isinstance(entry, dict) or "agent" not in entry:
            raise ConfigError(f"agents[{number}] must name an agent, such as 'agent: random'")
    return from_dict(fields, Tournament)


def check_goes_on(before: Tournament, now: Tournament, folder: object) -> None:
    """Refuse to go on with a tournament as if it were another one.

    Raises:
        ConfigError: A setting has changed on which the games depend.
    """
    kept = {name: value for name, value in now.to_dict().items() if name not in _FREE}
    instead = "choose another folder, or the settings it began with"
    check_unchanged(folder, "a tournament", before.to_dict(), kept, instead)
    if now.deals < before.deals:
        raise ConfigError(
            f"{folder} holds a tournament of {before.deals} deals, which cannot become {now.deals}"
        )


def _check(tournament: Tournament) -> None:
    names = tournament.names
    twice = next((name for number, name in enumerate(names) if name in names[:number]), None)
    rules: Sequence[tuple[bool, str]] = (
        (len(names) >= _LEAST_AGENTS, f"a tournament needs at least two agents, not {len(names)}"),
        (
            twice is None,
            f"a tournament needs different agents, and {twice!r} is named twice; "
            f"write other={twice} to give one of them another name",
        ),
        (tournament.deals >= 1, f"a tournament needs at least one deal, not {tournament.deals}"),
        (
            0 <= tournament.seed <= MAX_SEED,
            f"seed runs from 0 to 2**63 - 1, and {tournament.seed} does not",
        ),
        (bool(tournament.formats), f"formats must name some of {', '.join(FORMATS)}"),
        (
            not any(entry.agent.partition(":")[0] == "human" for entry in tournament.agents),
            "a person cannot take part in a tournament; `prico play` has a seat",
        ),
    )
    for holds, complaint in rules:
        if not holds:
            raise ConfigError(complaint)
    for text in (*names, *(entry.agent for entry in tournament.agents)):
        if problem := unwritable(text):
            raise ConfigError(f"the agent {problem}")
    _check_word("against", tournament.against, names)
    _check_word("seatings", (tournament.seatings,), SEATINGS)


def _check_word(setting: str, words: Sequence[str], known: Sequence[str]) -> None:
    for word in words:
        if word not in known:
            raise ConfigError(
                f"{setting} may be {' or '.join(known)}, not {quoted(word)}"
                f"{did_you_mean(word, known)}"
            )
