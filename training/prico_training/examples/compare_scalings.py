"""Learn to play like a player of ours from its games, with each way to scale what it sees.

    pip install "prico[train]"
    python -m prico_training.examples.compare_scalings --games 1000

Tried with torch 2.13.0. It is plain supervised learning: observations, masks and actions of
recorded games, a network of two layers, cross-entropy, and Adam. Printed is how often the network
chooses as the player does in games it has not seen, after each pass over the data; and how many
features hardly vary with each scaling, which is why ``range`` learns slowest.
"""

import argparse
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from prico_agents import load_agent
from prico_agents.batch_players import Demonstrations, Demonstrator
from prico_env import RuleSet
from prico_env.errors import from_extra
from prico_env.feature_scaling import SCALINGS, ScalingKind

with from_extra("train", "this example"):
    import torch
    from torch import nn

HARDLY = 0.05
"""A feature of a smaller standard deviation hardly varies."""
_ROWS = 512


def record(rules: RuleSet, teacher: str, games: int, number: int) -> Demonstrations:
    """Let a player of ours play at every seat; 5 % of its actions are replaced by random ones."""
    agent: Any = load_agent(teacher)
    return Demonstrator(rules, agent, [], games, epsilon=0.05, seed=1).show(number)


def make_network(rules: RuleSet, width: int) -> nn.Module:
    """Make a network from scaled features to one logit for each action."""
    return nn.Sequential(
        nn.Linear(rules.observation.num_features, width),
        nn.ReLU(),
        nn.Linear(width, width),
        nn.ReLU(),
        nn.Linear(width, rules.num_actions),
    )


def log_chances(
    network: nn.Module, rules: RuleSet, games: Demonstrations, rows: Any, scaling: ScalingKind
) -> torch.Tensor:
    """Return the log probability of each action, forbidden ones aside, ``(rows, actions)``."""
    seen = rules.observation.scale(games.observations[rows], scaling).astype(np.float32)
    logits = network(torch.from_numpy(seen))
    forbidden = torch.from_numpy(~games.masks[rows])
    return torch.log_softmax(logits.masked_fill(forbidden, -torch.inf), dim=1)


def agreements(
    rules: RuleSet,
    examples: Demonstrations,
    held_out: Demonstrations,
    scaling: ScalingKind,
    width: int,
    epochs: int,
) -> Iterator[float]:
    """Learn; give the share of held-out decisions that the network makes as its teacher did."""
    torch.manual_seed(1)
    shuffler = np.random.default_rng(1)
    network = make_network(rules, width)
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)
    actions = torch.from_numpy(examples.actions)
    for _ in range(epochs):
        order = shuffler.permutation(len(actions))
        for rows in np.array_split(order, len(order) // _ROWS):
            found = log_chances(network, rules, examples, rows, scaling)
            loss = nn.functional.nll_loss(found, actions[rows])
            optimizer.zero_grad()
            torch.autograd.backward(loss)
            optimizer.step()
        with torch.no_grad():
            chosen = log_chances(network, rules, held_out, slice(None), scaling).argmax(dim=1)
        yield float((chosen.numpy() == held_out.actions).mean())


def main(arguments: Sequence[str] | None = None) -> None:
    """Record, learn with each scaling, and say how often the network agrees with its teacher."""
    parser = argparse.ArgumentParser(prog="python -m prico_training.examples.compare_scalings")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--teacher", default="planner", help="a compiled player of ours")
    parser.add_argument("--games", type=int, default=1000, help="to learn from")
    parser.add_argument("--epochs", type=int, default=3, help="passes over them")
    parser.add_argument("--width", type=int, default=128, help="of both hidden layers")
    options = parser.parse_args(arguments)
    rules = RuleSet(options.players)
    examples = record(rules, options.teacher, options.games, 0)
    held_out = record(rules, options.teacher, max(10, options.games // 5), 1)
    print(f"{len(examples.actions):,} decisions to learn from, {len(held_out.actions):,} held out")
    for scaling in SCALINGS:
        spread = rules.observation.scale(examples.observations, scaling).std(axis=0)
        found = agreements(rules, examples, held_out, scaling, options.width, options.epochs)
        shares = " ".join(f"{share:.3f}" for share in found)
        print(
            f"{scaling:9}agreement {shares}; {(spread < HARDLY).sum()} of {len(spread)} features "
            f"have a standard deviation under {HARDLY}"
        )


if __name__ == "__main__":
    main()
