"""Self-play PPO in one file: one network plays every seat of many games, and learns from them all.

    python -m prico_training.examples.ppo_selfplay --out ppo_selfplay.pt | tee ppo_selfplay.csv
    prico arena prico_training.examples.ppo_selfplay:Player:path=ppo_selfplay.pt corn --deals 100

To be copied. docs/rewards.md says what seats are paid and when, and how often what it learns wins.
"""

import argparse
import time

import numpy as np
import torch
from torch import Tensor, nn

import prico_agents
from prico_env import Games, RuleSet
from prico_env.envs import PuertoRicoVectorEnv as VectorEnv
from prico_env.selfplay import gae


class Network(nn.Module):
    """Log-probabilities of the legal actions, and the value of the seat that observes."""

    def __init__(self, rules: RuleSet, width: int = 256) -> None:
        super().__init__()
        first, second = nn.Linear(rules.observation.num_features, width), nn.Linear(width, width)
        self.body = nn.Sequential(first, nn.ReLU(), second, nn.ReLU())
        self.actor, self.critic = nn.Linear(width, rules.num_actions), nn.Linear(width, 1)
        nn.init.orthogonal_(self.actor.weight, 0.01)

    def forward(self, features: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:  # noqa: D102
        with torch.autocast("cpu", torch.bfloat16, enabled=torch.cpu._is_avx512_bf16_supported()):
            hidden = self.body(features)
            logits, values = self.actor(hidden).float(), self.critic(hidden).float()
        return torch.where(masks, logits, -1e9).log_softmax(1), values[:, 0]


class Player:
    """What was learnt, as the arena seats it: it takes the likeliest action."""

    def __init__(self, path: str = "ppo_selfplay.pt") -> None:
        saved = torch.load(path, weights_only=True)
        self.rules = RuleSet(players=saved["players"])
        self.network = Network(self.rules)
        self.network.load_state_dict(saved["weights"])

    def reset(self, seat: int, rules: RuleSet, seed: int) -> None:
        """Sit down; there is nothing to remember."""

    def act(self, view: prico_agents.View) -> int:  # noqa: D102
        return int(self.act_batch(view.observation[None], view.legal[None])[0])

    @torch.no_grad()
    def act_batch(self, observations: np.ndarray, legal: np.ndarray) -> np.ndarray:  # noqa: D102
        features = torch.from_numpy(self.rules.observation.scale(observations))
        return self.network(features, torch.from_numpy(legal))[0].argmax(1).numpy()


def win_rate(player: Player, opponent: str, games: int) -> float:
    """Return its share of wins alone among copies of an opponent, on deals that it never learns."""
    envs = VectorEnv(games, player.rules, seat="rotate", opponents=opponent, scaling="raw")
    seen, _ = envs.reset(seed=10**9)
    wins = np.full(games, np.nan)
    while np.isnan(wins).any():
        actions = player.act_batch(seen["observation"], seen["action_mask"] > 0)
        seen, _, _, _, info = envs.step(actions)
        if "episode" in info:
            wins = np.where(info["_episode"] & np.isnan(wins), info["episode"]["win"], wins)
    return float(wins.mean())


def leads(games: Games) -> np.ndarray:
    """Return how far each seat is ahead of the mean; 40 points count as much as the win."""
    scores = games.scores().astype(np.float32)
    return (scores - scores.mean(axis=1, keepdims=True)) / 40


@torch.no_grad()
def play(network: Network, games: Games, steps: int) -> list[np.ndarray]:
    """Play on, and return arrays of a row for each step, values and seats with one more."""
    rows, before = [], leads(games)
    for _ in range(steps):
        features, masks = games.layout.scale(games.observations), games.masks.copy()
        log_policy, values = network(torch.from_numpy(features), torch.from_numpy(masks))
        actions = torch.multinomial(log_policy.exp(), 1)
        log_probs, seats = log_policy.gather(1, actions)[:, 0], games.turn.copy()
        games.step(actions[:, 0].numpy())
        rewards, ended = games.rewards + leads(games) - before, games.ended.copy()  # of all seats
        games.reset(where=ended)
        before = leads(games)
        rows.append((features, masks, actions[:, 0], log_probs, rewards, ended, values, seats))
    *arrays, values, seats = map(np.stack, zip(*rows, strict=True))
    features = games.layout.scale(games.observations)
    last = network(torch.from_numpy(features), torch.from_numpy(games.masks))[1].numpy()
    return [*arrays, np.vstack([values, last]), np.vstack([seats, games.turn])]


def main(arguments: list[str] | None = None) -> None:
    """Learn; every so many updates the weights are saved, and a row of the curve is printed."""
    parser = argparse.ArgumentParser(prog="python -m prico_training.examples.ppo_selfplay")
    for name, usual, text in (
        ("players", 4, "2 to 5"), ("decisions", 30_000_000, "to learn from"), ("seed", 1, "of all"),
        ("games", 512, "side by side"), ("steps", 64, "of each game in a rollout"),
        ("epochs", 2, "passes over a rollout"), ("batch", 4096, "decisions of a gradient step"),
        ("clip", 0.2, "of the probability ratio"), ("entropy", 0.01, "its weight, falls to 0"),
        ("rate", 1e-3, "learning rate, falls to 0"), ("gae-lambda", 0.95, "of the advantages"),
        ("every", 30, "updates between points"), ("measured", 256, "games of a point"),
        ("opponent", "corn", "who is met in them"), ("out", "ppo_selfplay.pt", "the weights"),
    ):  # fmt: skip
        parser.add_argument(f"--{name}", type=type(usual), default=usual, help=f"{text} ({usual})")
    o = parser.parse_args(arguments)
    torch.set_num_threads(1)
    torch.manual_seed(o.seed)
    rng, rules = np.random.default_rng(o.seed), RuleSet(players=o.players)
    network, games = Network(rules), Games(rules, o.games, o.seed, threads=1)
    optimizer = torch.optim.Adam(network.parameters(), o.rate, eps=1e-5)
    updates, spent = max(1, o.decisions // (o.steps * o.games)), 0.0
    print("decisions,cpu_seconds,win_rate,games")
    for update in range(1, updates + 1):
        began, left = time.process_time(), 1 - (update - 1) / updates
        optimizer.param_groups[0]["lr"] = o.rate * left
        *arrays, rewards, ended, values, seats = play(network, games, o.steps)
        advantages, returns, known = gae(rewards, values, seats, ended, gae_lambda=o.gae_lambda)
        flat = [torch.from_numpy(each[known]) for each in (*arrays, advantages, returns)]
        flat[4] = (flat[4] - flat[4].mean()) / (flat[4].std() + 1e-8)
        for _ in range(o.epochs):
            for batch in np.array_split(rng.permutation(known.sum()), -(-known.sum() // o.batch)):
                features, masks, actions, old, gained, targets = (each[batch] for each in flat)
                log_policy, value = network(features, masks)
                ratio = (log_policy.gather(1, actions[:, None])[:, 0] - old).exp()
                clipped = ratio.clamp(1 - o.clip, 1 + o.clip)
                gain = torch.minimum(ratio * gained, clipped * gained).mean()
                entropy = -(log_policy.exp() * log_policy).sum(1).mean()
                loss = 0.5 * (value - targets).square().mean() - gain - o.entropy * left * entropy
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(network.parameters(), 0.5)
                optimizer.step()
        spent += time.process_time() - began
        if update % o.every == 0 or update == updates:
            torch.save({"players": o.players, "weights": network.state_dict()}, o.out)
            won = win_rate(Player(o.out), o.opponent, o.measured)
            print(f"{update * o.steps * o.games},{spent:.0f},{won:.4f},{o.measured}", flush=True)


if __name__ == "__main__":
    main()
