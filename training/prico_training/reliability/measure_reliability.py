"""From the name of a policy to how reliable its win probabilities are."""

from collections.abc import Callable, Sequence
from typing import Final

from prico_agents import Agent, load_agent
from prico_agents.human import Human
from prico_agents.neural.network import VALUE
from prico_agents.neural.policy import Policy
from prico_env import RuleSet
from prico_env.arguments import texts, whole
from prico_env.game import check_seed
from prico_env.ruleset import check_rules
from prico_training.arena.settings import Entry
from prico_training.reliability.calibration import Reliability, measure, measure_stages
from prico_training.reliability.forecasts import (
    EVERY,
    SEED,
    ReliabilityError,
    collect_forecasts,
)
from prico_training.rule_sets import rule_set_name

DEALS: Final = 50
"""Deals of each rule set, unless it is told."""
_MOST_DEALS: Final = 100_000


def measure_reliability(
    policy: str | Entry,
    opponents: Sequence[str] = ("planner",),
    rule_sets: RuleSet | Sequence[RuleSet] | None = None,
    deals: int = DEALS,
    seed: int = SEED,
    every: int = EVERY,
    begin: Callable[[RuleSet], object] = lambda rules: None,
) -> Reliability:
    """Measure how reliable the win probabilities of a trained policy are, for every seat.

    It plays each deal from every seat; the other seats are the opponents', by turns. At every
    fourth of its decisions the network says how likely each seat is to win, and that is compared
    with how the game ends.

    >>> found = measure_reliability("governor", ["corn"], RuleSet(2), deals=2)
    >>> found.whole.games, found.whole.log_loss < found.whole.even_log_loss
    (4, True)

    Args:
        policy: A trained policy, as `prico arena` takes it: an agent, or NAME=AGENT.
        opponents: Who it plays with, as `load_agent` understands them.
        rule_sets: What is played; None for the rule set in which the policy was ranked.
        deals: Deals of each rule set.
        seed: The first deal; also decides what players draw.
        every: Of so many decisions of a game one is noted.
        begin: Told each rule set before its games.

    Raises:
        AgentError: There is no such agent, or one cannot play such a rule set.
        ReliabilityError: The policy is none, or has no value head; or nobody won.
    """
    entry = policy if isinstance(policy, Entry) else Entry.of(policy)
    network = _load_network(entry)
    opponents = texts(opponents, "opponents", ReliabilityError)
    others = [_opponent(name) for name in opponents]
    if not others:
        raise ReliabilityError("a policy needs opponents, such as 'planner'")
    deals = whole(deals, "the number of deals", 1, _MOST_DEALS)
    seed, every = check_seed(seed), whole(every, "every", 1)
    played = _rule_sets(network, rule_sets)
    for rules in played:
        for player in (network, *others):
            player.reset(0, rules, seed)
    found = {}
    for rules in played:
        begin(rules)
        found[rules] = collect_forecasts(network, others, rules, deals, seed, every)
    collected = list(found.values())
    return Reliability(
        policy=entry.name,
        opponents=tuple(opponents),
        deals=deals,
        seed=seed,
        every=every,
        whole=measure(collected),
        stages=measure_stages(collected),
        rule_sets={rule_set_name(rules): measure([one]) for rules, one in found.items()},
    )


def _load_network(entry: Entry) -> Policy:
    """Load a trained policy that has a value head.

    Raises:
        AgentError: There is no such agent.
        ReliabilityError: It is no trained policy, or has no value head.
    """
    agent = load_agent(entry.agent, **entry.settings)
    if not isinstance(agent, Policy):
        raise ReliabilityError(
            f"win probabilities are those of a trained policy, such as 'governor' or a run folder; "
            f"{entry.agent!r} has no value head"
        )
    if f"{VALUE}.weight" not in agent.saved.weights:
        raise ReliabilityError(
            f"the policy {entry.agent!r} has no value head, and forecasts nothing"
        )
    return agent


def _opponent(name: str) -> Agent:
    agent = load_agent(name)
    if isinstance(agent, Human):
        raise ReliabilityError("games are played by agents that decide by themselves, not 'human'")
    return agent


def _rule_sets(policy: Policy, given: RuleSet | Sequence[RuleSet] | None) -> tuple[RuleSet, ...]:
    """The rule sets that are played, each once."""
    if given is None:
        settings = policy.saved.about.get("settings")
        game = settings.get("game") if isinstance(settings, dict) else None
        return (policy.saved.rules if game is None else RuleSet.from_dict(game),)
    if isinstance(given, list | tuple):
        if not given:
            raise ReliabilityError(
                "name at least one rule set, or none for that of the policy's run"
            )
        return tuple(dict.fromkeys(check_rules(each) for each in given))
    return (check_rules(given),)
