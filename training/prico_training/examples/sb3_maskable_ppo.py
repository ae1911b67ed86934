"""Learn with MaskablePPO of sb3-contrib at one seat, among built-in players at the others.

    pip install "prico[train]"
    python -m prico_training.examples.sb3_maskable_ppo --players 4

Tried with sb3-contrib 2.9.2, stable-baselines3 2.9.2, torch 2.13.0 and gymnasium 1.4.0: 100,000
decisions, half a minute on one core, took it from 5 % to 99 % of victories among three random
players (600 games; with ``--scaling range`` to 79 %). It takes far more to beat the others; our
trainer has MaskablePPO too, with teachers and a league: ``prico train trainer=maskable_sb3``.

All games are one batch (`PuertoRicoVecEnv`). Single environments go as well, at about half the
speed: ``make_vec_env("prico/PuertoRico-v0", 32, env_kwargs={"flat": True})`` of SB3.
"""

import argparse
from collections.abc import Sequence

import numpy as np

import prico_agents  # noqa: F401 - so that opponents can be named
from prico_env.envs.sb3 import PuertoRicoVecEnv
from prico_env.errors import from_extra
from prico_env.feature_scaling import SCALINGS, ScalingKind

with from_extra("train", "this example"):
    from sb3_contrib import MaskablePPO


def make_games(
    players: int, opponents: str, games: int, seed: int, scaling: ScalingKind = "standard"
) -> PuertoRicoVecEnv:
    """Make games side by side; the learner's seat goes round from game to game."""
    return PuertoRicoVecEnv(
        games,
        players=players,
        seat="rotate",
        opponents=opponents,
        shaping=0.01,
        scaling=scaling,
        seed=seed,
    )


def make_learner(env: PuertoRicoVecEnv, seed: int) -> MaskablePPO:
    """Make a learner that looks to the end of the game, where the reward is paid."""
    return MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=128,
        batch_size=512,
        n_epochs=4,
        learning_rate=1e-3,
        gamma=1.0,
        seed=seed,
        device="cpu",
        policy_kwargs={"net_arch": [128, 128]},
    )


def win_rate(model: MaskablePPO, env: PuertoRicoVecEnv, games: int) -> float:
    """Return the share of victories of a learner's favourite actions in the next games to end."""
    wins: list[float] = []
    observations = env.reset()
    while len(wins) < games:
        actions, _ = model.predict(
            observations, deterministic=True, action_masks=env.action_masks()
        )
        observations, _, _, infos = env.step(actions)
        wins += [info["episode"]["win"] for info in infos if "episode" in info]
    return float(np.mean(wins))


def main(arguments: Sequence[str] | None = None) -> None:
    """Learn, and say how often the learner wins before and after."""
    parser = argparse.ArgumentParser(prog="python -m prico_training.examples.sb3_maskable_ppo")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--opponents", default="random", help="a player of ours, such as corn")
    parser.add_argument("--decisions", type=int, default=100_000, help="to learn from")
    parser.add_argument("--games", type=int, default=32, help="side by side")
    parser.add_argument("--measured", type=int, default=200, help="games of a win rate")
    parser.add_argument("--scaling", default="standard", help=" or ".join(SCALINGS))
    options = parser.parse_args(arguments)
    shape = options.players, options.opponents, options.games
    env = make_games(*shape, seed=1, scaling=options.scaling)
    others = make_games(*shape, seed=10**6, scaling=options.scaling)
    model = make_learner(env, seed=1)
    print(f"before: wins {win_rate(model, others, options.measured):.0%}")
    model.learn(options.decisions)
    print(f"after: wins {win_rate(model, others, options.measured):.0%}")


if __name__ == "__main__":
    main()
