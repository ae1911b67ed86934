"""Learn by self-play with TorchRL: REINFORCE, one network at every seat, masks respected.

    pip install "prico[torchrl]"
    python -m prico_training.examples.torchrl_reinforce --games 40

Tried with torchrl 0.14.1, tensordict 0.14.3, torch 2.13.0 and PettingZoo 1.27.0 (TorchRL warns that
it is tested with 1.24.3). It shows how the pieces fit, not how to learn fast: TorchRL steps one
game in Python, a few hundred decisions a second. After ``--games 150`` it wins 67 % among two
random players, with ``--scaling range`` 56 % (33 % at first; ``--measured 1000``).
"""

import argparse
from collections.abc import Sequence

import numpy as np

from prico_env import env
from prico_env.envs import PuertoRicoVectorEnv
from prico_env.errors import from_extra
from prico_env.feature_scaling import SCALINGS, ScalingKind

with from_extra("torchrl", "this example"):
    import torch
    from tensordict import TensorDict
    from tensordict.nn import InteractionType, TensorDictModule
    from torchrl.envs import MarlGroupMapType, PettingZooWrapper
    from torchrl.modules import MLP, MaskedCategorical, ProbabilisticActor


def make_game(players: int, seed: int, scaling: ScalingKind = "standard") -> PettingZooWrapper:
    """Make the environment: all seats are one group, of which one acts at a time.

    In every step ``("agents", "mask")``, shape ``(players,)``, says which seat acts, and
    ``("agents", "action_mask")``, shape ``(players, num_actions)``, what it may do.
    """
    return PettingZooWrapper(
        env(players=players, scaling=scaling),
        use_mask=True,
        categorical_actions=True,
        group_map=MarlGroupMapType.ALL_IN_ONE_GROUP,
        seed=seed,
    )


def make_policy(game: PettingZooWrapper) -> ProbabilisticActor:
    """Make a policy that draws allowed actions only."""
    num_features = game.observation_spec["agents", "observation", "observation"].shape[-1]
    num_actions = game.full_action_spec["agents", "action"].space.n
    network = MLP(num_features, num_actions, num_cells=[128, 128], activation_class=torch.nn.ReLU)
    return ProbabilisticActor(
        TensorDictModule(
            network,
            in_keys=[("agents", "observation", "observation")],
            out_keys=[("agents", "logits")],
        ),
        in_keys={"logits": ("agents", "logits"), "mask": ("agents", "action_mask")},
        out_keys=[("agents", "action")],
        distribution_class=MaskedCategorical,
        default_interaction_type=InteractionType.RANDOM,  # draws; by default it has favourites
    )


def play(game: PettingZooWrapper, policy: ProbabilisticActor, most: int = 10_000) -> TensorDict:
    """Play a game to the end, or ``most`` decisions of it; batch size ``(decisions,)``."""
    with torch.no_grad():
        return game.rollout(most, policy)


def loss_of(played: TensorDict, policy: ProbabilisticActor) -> torch.Tensor:
    """Return the loss whose gradient makes the decisions of winners more likely.

    What a game pays sums to 0 over the seats, so that it needs no baseline.
    """
    paid = played["next", "agents", "reward"].sum(dim=0).squeeze(-1)
    chances = policy.get_dist(played).log_prob(played["agents", "action"])
    return -(chances * paid)[played["agents", "mask"]].mean()


def win_rate(
    policy: ProbabilisticActor, players: int, games: int, scaling: ScalingKind = "standard"
) -> float:
    """Return the share of victories of a policy, which draws its actions, among random players."""
    tables = PuertoRicoVectorEnv(games, players=players, seat="rotate", scaling=scaling)
    seen, _ = tables.reset(seed=10**6)
    wins = np.full(games, np.nan)
    while np.isnan(wins).any():
        views = {key: torch.from_numpy(rows)[:, None] for key, rows in seen.items()}
        given = TensorDict(
            {
                ("agents", "observation", "observation"): views["observation"],
                ("agents", "action_mask"): views["action_mask"].bool(),
            }
        )
        with torch.no_grad():
            actions = policy(given)["agents", "action"][:, 0].numpy()
        seen, _, _, _, info = tables.step(actions)
        if "episode" in info:
            first = info["_episode"] & np.isnan(wins)
            wins[first] = info["episode"]["win"][first]
    return float(wins.mean())


def main(arguments: Sequence[str] | None = None) -> None:
    """Play and learn, one game after another; say how often it wins before and after."""
    parser = argparse.ArgumentParser(prog="python -m prico_training.examples.torchrl_reinforce")
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--scaling", default="standard", help=" or ".join(SCALINGS))
    parser.add_argument("--measured", type=int, default=300, help="games of a win rate")
    options = parser.parse_args(arguments)
    torch.manual_seed(1)
    game = make_game(options.players, seed=1, scaling=options.scaling)
    policy = make_policy(game)
    measured = policy, options.players, options.measured, options.scaling
    print(f"before: wins {win_rate(*measured):.0%} among random players")
    optimizer = torch.optim.Adam(policy.parameters(), lr=1e-3)
    for number in range(1, options.games + 1):
        played = play(game, policy)
        loss = loss_of(played, policy)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        print(f"game {number}: {len(played)} decisions, loss {loss.item():+.3f}")
    print(f"after: wins {win_rate(*measured):.0%} among random players")


if __name__ == "__main__":
    main()
