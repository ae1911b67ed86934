"""Who plays, by content: digests of what decides how an agent plays, and of how it does play."""

import functools
import hashlib
import inspect
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import prico_agents
import prico_env
from prico_agents import Agent, load_agent
from prico_agents.compiled import CompiledAgent
from prico_agents.heuristic_engine.weights import describe_weights
from prico_agents.neural.checkpoint import SavedPolicy, find_policy, load_policy
from prico_agents.neural.policy import Policy, can_play
from prico_agents.registry import find_agent
from prico_env import ALL_EXPANSIONS, RuleSet
from prico_env.catalog.model import PLAYER_COUNTS
from prico_training.arena.game_table import LATER_FIELDS
from prico_training.arena.match import Contestant, game_lines, play, play_compiled
from prico_training.arena.schedule import LineUp, deal_seed
from prico_training.arena.settings import Entry
from prico_training.benchmark.suites import EDITIONS, Opponent, Suite, digest_of
from prico_training.errors import ConfigError

SAMPLE: Final = (
    *(RuleSet(players, edition) for edition in EDITIONS for players in PLAYER_COUNTS),
    RuleSet(2, "classic", ("buildings",)),
    RuleSet(3, "classic", ("buildings", "citizens")),
    RuleSet(4, "1897-de", ("citizens",)),
    RuleSet(5, "1897-en", ("smuggler",)),
    RuleSet(3, "1897-de", ("festival",)),
    RuleSet(4, "1897-en", ALL_EXPANSIONS),
    RuleSet(2, "1897-de", ALL_EXPANSIONS),
)
"""Rule sets of the games by which an agent's play is known: each edition, number of players and
expansion."""
_SAMPLE_DEALS: Final = 4
_SAMPLE_SEED: Final = 20_250_000
_LATER: Final = ("leader_weight",)
"""Weights that are younger than the digests of suites: at 0, where they change nothing, they do not
count."""
_NOT_COVERED: Final = LATER_FIELDS | {"seconds"}
"""Fields of a game's line younger than the digests of suites, and the one the clock decides."""


def parameters_digest(agent: Agent) -> str:
    """Digest of the weights of a compiled agent or of a network; empty where there are none."""
    if isinstance(agent, CompiledAgent):
        weights = {
            name: value
            for name, value, _ in describe_weights(agent.weights)
            if value or name not in _LATER
        }
        return digest_of({"strategy": agent.strategy.name, "weights": weights})
    if isinstance(agent, Policy):
        return digest_of({"greedy": agent.greedy, "weights": _weights_digest(agent.saved)})
    return ""


def play_digest(agent: str) -> str:
    """Digest of the games that an agent plays against itself in the rule sets of `SAMPLE`.

    It covers scores, places, decisions, roles taken and buildings of every seat, not the code, so
    that a faster program with the same play is the same opponent.

    Args:
        agent: As `load_agent` understands it: a compiled agent, or a trained policy.
    """
    player, games = load_agent(agent), []
    for rules in SAMPLE:
        if isinstance(player, Policy) and not can_play(player.saved, rules):
            continue
        contestant = Contestant.of(agent, agent)
        line_up, deals = LineUp(0, "copies", (agent,) * rules.players), range(_SAMPLE_DEALS)
        seeds = [deal_seed(_SAMPLE_SEED, deal) for deal in deals]
        play_them = play_compiled if isinstance(player, CompiledAgent) else play
        finished = play_them(rules, [contestant] * rules.players, seeds)
        lines = game_lines(rules, line_up, _SAMPLE_SEED, deals, finished)
        games += [
            {name: value for name, value in line.items() if name not in _NOT_COVERED}
            for line in lines
        ]
    return digest_of(games)


@functools.cache
def opponent_now(name: str) -> Opponent:
    """What an opponent is in this version."""
    return Opponent(name, parameters_digest(load_agent(name)), play_digest(name))


def check_opponents(suite: Suite) -> list[str]:
    """See that the opponents at hand are those of a suite.

    Returns:
        What is different and may be, in words: a network's floating-point numbers differ in their
        last digits from machine to machine, so a decision may, too.

    Raises:
        ConfigError: One of them is another one.
    """
    notes = []
    for name, wanted in suite.contents.items():
        found = opponent_now(name)
        if wanted.parameters == found.parameters and isinstance(load_agent(name), Policy):
            if wanted.play != found.play:
                notes.append(f"{name} has the same weights, but decides otherwise on this machine")
        elif wanted != found:
            raise ConfigError(
                f"{name} is not the opponent of {suite.name}: its content is {found}, not "
                f"{wanted}; play the suite with the version of prico that has it"
            )
    return notes


# -- the candidate ---------------------------------------------------------------------------------


def candidate_identity(entry: Entry) -> dict[str, Any]:
    """Say who a candidate is: its name, how it is made, and a digest of its content.

    The digest covers the class, its settings, the weights of compiled agents and of networks, those
    that a setting names among them, files that settings name, and the source file of a class that
    is not ours. What that file imports is not covered.

    Raises:
        PricoError: There is no such agent, or it cannot be made.
    """
    if entry.agent.partition(":")[0] == "human":
        raise ConfigError("a person cannot take part in a benchmark; `prico play` has a seat")
    order, agent = find_agent(entry.agent), load_agent(entry.agent, **entry.settings)
    settings = {**order.settings, **entry.settings}
    module, of = order.player.__module__, {"class": order.player.__qualname__}
    parts: dict[str, Any] = {"module": module, **of, "settings": repr(sorted(settings.items()))}
    if parameters := parameters_digest(agent):
        parts["parameters"] = parameters
    for name, value in settings.items():
        if isinstance(value, str) and (weights := _policy_digest(value)):
            parts[f"weights of {name}"] = weights
        elif isinstance(value, str) and os.path.isfile(value):
            parts[f"file of {name}"] = _file_digest(Path(value))
    if not module.startswith("prico_"):
        source = inspect.getsourcefile(order.player)
        parts["source"] = _file_digest(Path(source)) if source else ""
    return {
        "name": entry.name,
        "agent": entry.agent,
        "class": f"{module}:{order.player.__qualname__}",
        "hash": digest_of(parts),
        "covers": [name for name in parts if name not in ("module", "class")],
    }


def sources_digest() -> str:
    """Digest of the sources of the game and its agents: the version, told without Git."""
    digest = hashlib.sha256()
    for package in (prico_env, prico_agents):
        home = Path(package.__path__[0])
        for path in sorted(home.rglob("*.py")):
            digest.update(path.relative_to(home).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def refused_rule_sets(entry: Entry, suite: Suite) -> Iterator[RuleSet]:
    """Yield the rule sets of a suite at which a candidate does not sit down.

    An agent refuses a rule set with an `AgentError`, as trained policies do; every other error is
    one that loses games.
    """
    agent = load_agent(entry.agent, **entry.settings)
    for rules in suite.rule_sets:
        try:
            agent.reset(0, rules, 0)
        except prico_agents.AgentError:
            yield rules
        except Exception:  # it is asked again where it counts, under supervision
            continue


def _weights_digest(saved: SavedPolicy) -> str:
    names = {"features": list(saved.layout.features), "actions": list(saved.layout.actions)}
    digest = hashlib.sha256(digest_of(names).encode())
    for name, weights in sorted(saved.weights.items()):
        digest.update(f"{name} {weights.shape}".encode() + weights.tobytes())
    return digest.hexdigest()


def _policy_digest(place: str) -> str:
    """Digest of the weights of a policy; empty where a text names none."""
    try:
        return _weights_digest(load_policy(find_policy(Path(place))))
    except (ValueError, OSError):  # every error of ours is a ValueError
        return ""


def _file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
