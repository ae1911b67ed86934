"""Self-play PPO in one file, to be copied; docs/rewards.md explains it and shows what it learns.

python -m prico_training.examples.ppo_selfplay --out ppo_selfplay.pt | tee ppo_selfplay.csv
prico arena prico_training.examples.ppo_selfplay:Player:path=ppo_selfplay.pt corn --deals 100
"""

import argparse
import time
from collections.abc import Iterator

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
    seen, wins = envs.reset(seed=10**9)[0], np.full(games, np.nan)
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


def rollouts(network: Network, envs: VectorEnv, seed: int, steps: int) -> Iterator[list[Tensor]]:
    """Play for ever; yield features, masks, actions, log-probabilities, advantages and returns."""
    seen, info = envs.reset(seed=seed)
    before = leads(envs.games)
    while True:
        rows: list[list[np.ndarray | Tensor]] = []
        for _ in range(steps + 1):  # the last row only tells what was to come
            shown, seats = (seen["observation"], seen["action_mask"].view(np.bool_)), info["turn"]
            with torch.no_grad():
                log_policy, values = network(*map(torch.from_numpy, shown))
            if len(rows) == steps:
                break
            actions = torch.multinomial(log_policy.exp(), 1)[:, 0]
            log_probs = log_policy.gather(1, actions[:, None])[:, 0]
            seen, _, ends, cuts, info = envs.step(actions.numpy())
            after = leads(envs.games)  # rewards are of every seat, not of who moved alone
            rewards, before = info["rewards"] + after - before, after
            rows.append([*shown, actions, log_probs, rewards, ends | cuts, values, seats])
        *arrays, rewards, ended, all_values, all_seats = map(np.stack, zip(*rows, strict=True))
        all_values, all_seats = np.vstack([all_values, values]), np.vstack([all_seats, seats])
        advantages, returns, known = gae(rewards, all_values, all_seats, ended, gae_lambda=0.95)
        yield [torch.from_numpy(each[known]) for each in (*arrays, advantages, returns)]


def main(arguments: list[str] | None = None) -> None:
    """Learn; every so many updates the weights are saved, and a row of the curve is printed."""
    parser = argparse.ArgumentParser(prog="python -m prico_training.examples.ppo_selfplay")
    for name, usual, text in (
        ("players", 4, "2 to 5"), ("decisions", 8_000_000, "to learn from"), ("seed", 1, "of all"),
        ("games", 256, "of self-play side by side"), ("sparring", 256, "games among the opponent"),
        ("steps", 64, "of a rollout"), ("epochs", 2, "over it"), ("batch", 4096, "of a gradient"),
        ("rate", 1e-3, "falls to 0"), ("entropy", 0.01, "falls to 0"), ("every", 20, "a point"),
        ("measured", 256, "games"), ("opponent", "corn", ""), ("out", "ppo_selfplay.pt", "weights"),
    ):  # fmt: skip
        parser.add_argument(f"--{name}", type=type(usual), default=usual, help=f"{text} ({usual})")
    o = parser.parse_args(arguments)
    torch.set_num_threads(1)
    torch.manual_seed(o.seed)
    rng, rules = np.random.default_rng(o.seed), RuleSet(players=o.players)
    network, options = Network(rules), {"seat": "rotate", "opponents": o.opponent}
    batches = [VectorEnv(o.games, rules), VectorEnv(o.sparring, rules, **options)]
    players = [rollouts(network, envs, o.seed, o.steps) for envs in batches]
    optimizer = torch.optim.Adam(network.parameters(), o.rate, eps=1e-5)
    a_rollout, spent = o.steps * (o.games + o.sparring), 0.0
    updates = max(1, o.decisions // a_rollout)
    print("decisions,cpu_seconds,win_rate,games")
    for update in range(1, updates + 1):
        began, left = time.process_time(), 1 - (update - 1) / updates
        optimizer.param_groups[0]["lr"] = o.rate * left
        flat = [torch.cat(parts) for parts in zip(*map(next, players), strict=True)]
        flat[4] = (flat[4] - flat[4].mean()) / (flat[4].std() + 1e-8)
        count = len(flat[0])
        for _ in range(o.epochs):
            for batch in np.array_split(rng.permutation(count), -(-count // o.batch)):
                features, masks, actions, old, gained, targets = (each[batch] for each in flat)
                log_policy, value = network(features, masks)
                ratio = (log_policy.gather(1, actions[:, None])[:, 0] - old).exp()
                gain = torch.minimum(ratio * gained, ratio.clamp(0.8, 1.2) * gained).mean()
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
            print(f"{update * a_rollout},{spent:.0f},{won:.4f},{o.measured}", flush=True)


if __name__ == "__main__":
    main()
