"""One training run from beginning to end: set the tables, play and learn, measure, rank, report.

In every game one seat, by turns, is the learner's and yields one transition for each of its own
decisions. The environment plays the other seats inside, by the learner's present and past selves.
So each step leads from one decision of a seat to the next decision of the same seat, and what a
game pays reaches its learner whoever made the last move.
"""

import dataclasses
import shutil
import time
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
import yaml

from agents.neural.checkpoint import CheckpointError, SavedPolicy, load_policy
from agents.neural.network import Network
from prico_env import RuleSet
from prico_env.envs.sb3 import PuertoRicoVecEnv
from training.arena.columns import GameTable
from training.arena.comparisons import Showing, matrix
from training.arena.match import Contestant, game_lines, play
from training.arena.report import write_report as write_arena_report
from training.arena.schedule import LineUp
from training.arena.settings import Entry, Tournament
from training.arena.summary import Summary
from training.arena.tournament import play_tournament
from training.checkpoint import (
    Checkpoint,
    decisions_name,
    read_checkpoint,
    write_checkpoint,
    write_policy,
    write_text,
)
from training.config import Config, ConfigError, from_dict
from training.interrupt import Interruptions
from training.learner import Learner
from training.metrics import Row, read_metrics, write_metrics
from training.opponents import Pool
from training.progress import Progress
from training.report import write_report

PAST: Final = "past"
"""Folder of the past selves in a run."""
CONFIG_FILE: Final = "config.yaml"
METRICS_FILE: Final = "metrics.csv"
ARENA: Final = "arena"
"""Folder of the tournament at the end of a run."""
TRAINED: Final = "trained"
"""What the tournament calls the agent of the run."""
CURVE_SEED: Final = 1_000_000_000
"""First deal of the learning curve; training never gets there."""
RANKING_SEED: Final = 2_000_000_000
"""First deal of the ranking; neither training nor the curve gets there."""
_RESUME_STRIDE: Final = 1_000_003
"""Keeps the deals of a resumed run apart from those already played."""


@dataclass
class Counters:
    """How far a run has come.

    Attributes:
        decisions: Decisions of the learner's seats.
        games: Games finished.
        updates: Gradient steps as MaskablePPO counts them: passes over a batch.
        seconds: Time spent learning.
        parts: How often the run was started.
    """

    decisions: int = 0
    games: int = 0
    updates: int = 0
    seconds: float = 0.0
    parts: int = 1


@dataclass(frozen=True)
class Outcome:
    """What a run leaves behind.

    Attributes:
        folder: The run folder.
        ranking: What the tournament at the end says; None when there was none.
        interrupted: Whether a person stopped it.
    """

    folder: Path
    ranking: Summary | None
    interrupted: bool


def start_run(config: Config) -> Outcome:
    """Train from scratch in a new run folder."""
    folder = _new_folder(config)
    write_text(folder / CONFIG_FILE, config.to_yaml())
    return _Run(config, folder, None).go()


def resume_run(folder: Path, overrides: dict[str, Any]) -> Outcome:
    """Go on with a run from its newest checkpoint.

    Args:
        folder: The run folder.
        overrides: Settings that change from here on, nested by section.

    Raises:
        CheckpointError: The folder holds no checkpoint, or a damaged one.
        ConfigError: The budget of the run is used up, or the network would change.
    """
    checkpoint = read_checkpoint(folder)
    config = resumed_config(folder, overrides)
    if config.game != checkpoint.policy.rules:
        raise ConfigError(
            f"this run plays {checkpoint.policy.rules}; a run keeps its rule set to the end"
        )
    counters = Counters(**checkpoint.counters["counts"])
    if spent_share(config, counters) >= 1:
        raise ConfigError(
            f"this run has used its budget ({counters.seconds / 60:.1f} minutes, "
            f"{counters.decisions:,} decisions); give it more, such as "
            f"budget.minutes={config.budget.minutes * 2:g}"
        )
    run = _Run(config, folder, checkpoint)  # may refuse; the settings are replaced after that
    write_text(folder / CONFIG_FILE, config.to_yaml())
    return run.go()


def resumed_config(folder: Path, overrides: dict[str, Any]) -> Config:
    """The settings of a run with what changes from here on."""
    try:
        fields = yaml.safe_load((folder / CONFIG_FILE).read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError) as error:
        raise CheckpointError(f"{folder / CONFIG_FILE} cannot be read: {error}") from None
    for name, value in overrides.items():
        if isinstance(value, dict) and isinstance(fields.get(name), dict):
            fields[name].update(value)
        else:
            fields[name] = value
    return from_dict(fields, Config)


def spent_share(config: Config, counters: Counters) -> float:
    """How much of the budget is used, 0 to 1 and beyond."""
    shares = [0.0]
    if config.budget.minutes > 0:
        shares.append(counters.seconds / (60 * config.budget.minutes))
    if config.budget.decisions > 0:
        shares.append(counters.decisions / config.budget.decisions)
    return max(shares)


class _Run:
    """A run in progress."""

    def __init__(self, config: Config, folder: Path, checkpoint: Checkpoint | None) -> None:
        torch.set_num_threads(config.threads)
        self.config = config
        self.folder = folder
        self.counters = Counters()
        if checkpoint is not None:
            self.counters = Counters(**checkpoint.counters["counts"])
            self.counters.parts += 1
        deals = config.seed + _RESUME_STRIDE * (self.counters.parts - 1)
        self.env, self.learner, self.pool = make_table(config, deals)
        self.rows: list[Row] = []
        self.finished: list[dict[str, float]] = []
        self._before = (0.0, 0)
        if checkpoint is not None:
            self._go_on(checkpoint)

    def go(self) -> Outcome:
        """Learn until the budget is used or somebody stops it, then rank and report."""
        with Interruptions(self._ask_to_stop) as interruptions:
            spent = spent_share(self.config, self.counters)
            with Progress.of_learning(spent, self.counters.decisions) as progress:
                self._learn(progress, interruptions)
            self._save()
        interrupted, ranking = interruptions.happened, None
        if not interrupted and self.config.evaluation.deals > 0:
            ranking = self._rank()
            interrupted = ranking is None
        counts = dataclasses.asdict(self.counters)
        write_report(self.folder, self.config, counts, self.rows, ranking)
        return Outcome(self.folder, ranking, interrupted)

    def _learn(self, progress: Progress, interruptions: Interruptions) -> None:
        """Play and learn, with a point of the curve and a checkpoint from time to time."""
        offset = self.counters.seconds
        started = time.perf_counter()
        self._before = (offset, self.counters.decisions)
        next_point = offset if not self.rows else offset + self.config.evaluation.every_seconds
        next_save = offset + self.config.checkpoint_seconds
        next_snapshot = self.counters.decisions + self.config.self_play.snapshot_every
        while not interruptions.happened and spent_share(self.config, self.counters) < 1:
            if self.counters.seconds >= next_point:
                self._measure(progress)
                next_point = self.counters.seconds + self.config.evaluation.every_seconds
            self.learner.learn(spent_share(self.config, self.counters))
            self._count(offset + time.perf_counter() - started)
            progress.advance(spent_share(self.config, self.counters), self.counters.decisions)
            if self.counters.decisions >= next_snapshot:
                self._remember()
                next_snapshot += self.config.self_play.snapshot_every
            if self.counters.seconds >= next_save:
                self._save()
                next_save = self.counters.seconds + self.config.checkpoint_seconds
        if not interruptions.happened:
            self._measure(progress)

    def _count(self, seconds: float) -> None:
        model = self.learner.model
        episodes = list(model.ep_info_buffer or ())
        if model.ep_info_buffer is not None:
            model.ep_info_buffer.clear()
        self.finished += episodes
        self.counters.games += len(episodes)
        self.counters.decisions = self.learner.decisions
        self.counters.updates = int(model._n_updates)
        self.counters.seconds = seconds

    def _measure(self, progress: Progress) -> None:
        """Add a point to the learning curve: play against random, deals always the same."""
        seats = self.config.game.players
        deals = max(1, self.config.evaluation.curve_games // seats)
        policy = Contestant("learner", lambda: _Present(self.learner))
        showing = among_random(self.config.game, policy, deals)
        self.rows.append(self._row(showing))
        progress.point(self.rows[-1])
        write_metrics(self.folder / METRICS_FILE, self.rows)

    def _row(self, showing: Showing) -> Row:
        seconds, decisions = self._before
        self._before = (self.counters.seconds, self.counters.decisions)
        elapsed = max(1e-9, self.counters.seconds - seconds)
        figures, rate = self.learner.figures, showing.win
        games, self.finished = self.finished, []
        return {
            "seconds": self.counters.seconds,
            "decisions": self.counters.decisions,
            "games": self.counters.games,
            "updates": self.counters.updates,
            "decisions_per_second": (self.counters.decisions - decisions) / elapsed,
            "win_rate": rate.mean,
            "win_rate_low": rate.low,
            "win_rate_high": rate.high,
            "score": showing.score.mean,
            "lead": showing.margin_others.mean,
            "self_play_wins": _mean([game["win"] for game in games]),
            "self_play_length": _mean([game["l"] for game in games]),
            "entropy": -figures.get("train/entropy_loss", float("nan")),
            "value_explained": figures.get("train/explained_variance", float("nan")),
            "policy_change": figures.get("train/approx_kl", float("nan")),
            "clipped": figures.get("train/clip_fraction", float("nan")),
            "learning_rate": self.learner.rate,
        }

    def _remember(self) -> None:
        """Let the present self join the pool, and keep it on disk for going on."""
        name = decisions_name(self.counters.decisions)
        weights = self.learner.policy_weights()
        write_policy(self.folder / PAST / name, self.config.game, weights, self._about())
        self.pool.add(name, weights)

    def _save(self) -> None:
        policy = SavedPolicy(self.config.game, self.learner.policy_weights(), self._about())
        counters = {
            "decisions": self.counters.decisions,
            "counts": dataclasses.asdict(self.counters),
            "pool": self.pool.names,
        }
        write_checkpoint(self.folder, Checkpoint(policy, self.learner.arrays(), counters))
        for folder in (self.folder / PAST).glob("decisions_*"):
            if folder.name not in self.pool.names:
                shutil.rmtree(folder)
        write_metrics(self.folder / METRICS_FILE, self.rows)

    def _go_on(self, checkpoint: Checkpoint) -> None:
        self.learner.restore(checkpoint.arrays, self.counters.decisions, self.counters.updates)
        for name in checkpoint.counters["pool"]:
            self.pool.add(name, load_policy(self.folder / PAST / name).weights)
        self.rows = read_metrics(self.folder / METRICS_FILE, self.counters.decisions)

    def _about(self) -> dict[str, Any]:
        return {
            "name": self.config.name,
            "seed": self.config.seed,
            "decisions": self.counters.decisions,
            "games": self.counters.games,
            "settings": self.config.to_dict(),
        }

    def _rank(self) -> Summary | None:
        """Play the trained agent against the others; None when somebody stops that."""
        others = (Entry(name) for name in self.config.evaluation.opponents)
        tournament = Tournament(
            agents=(Entry(str(self.folder), TRAINED), *others),
            game=self.config.game,
            deals=self.config.evaluation.deals,
            seed=RANKING_SEED,
            formats=("copies",),
        )
        folder = self.folder / ARENA
        shutil.rmtree(folder, ignore_errors=True)  # of the agent as it was before
        outcome = play_tournament(tournament, folder)
        return None if outcome.interrupted else write_arena_report(folder)

    def _ask_to_stop(self) -> None:
        self.learner.stopper.stop = True


class _Present:
    """The learner as it is now, playing what it likes best."""

    def __init__(self, learner: Learner) -> None:
        self._network = Network(learner.policy_weights())

    def reset(self, seat: int, rules: RuleSet, seed: int) -> None:
        """Sit down; nothing here is left to chance."""

    def act(self, view: Any) -> int:
        """Choose one of the allowed actions."""
        return int(self.act_batch(view.observation[None], view.legal[None])[0])

    def act_batch(self, observations: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """Choose an action in each game."""
        return self._network.logits(observations, legal).argmax(axis=1)


def among_random(rules: RuleSet, policy: Contestant, deals: int) -> Showing:
    """Play deals from every seat alone among random players; they are the same every time."""
    rivals = Contestant.of("random", "random")
    lines = []
    for seat in range(rules.players):
        table = [policy if here == seat else rivals for here in range(rules.players)]
        line_up = LineUp(seat, "copies", tuple(each.name for each in table))
        ended = play(rules, table, [CURVE_SEED + deal for deal in range(deals)])
        lines += game_lines(rules, line_up, CURVE_SEED, range(deals), ended)
    return matrix(GameTable.of(lines))[policy.name, rivals.name]


def make_table(config: Config, deals: int) -> tuple[PuertoRicoVecEnv, Learner, Pool]:
    """Set up the games, the learner and the players of the other seats.

    Args:
        config: The settings.
        deals: Seed of the first deals.
    """
    play = config.self_play
    pool = Pool(play, deals)
    env = PuertoRicoVecEnv(
        play.games,
        config.game,
        seat="rotate",
        opponents=pool,
        reward=play.reward,
        shaping=play.shaping,
        scaled=False,
        seed=deals,
        threads=1,
    )
    learner = Learner(config, env)
    pool.learner = Network(learner.policy_weights())
    return env, learner, pool


def _new_folder(config: Config) -> Path:
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    folder = Path(config.runs) / f"{stamp}-{config.name}"
    number = 1
    while folder.exists():
        number += 1
        folder = Path(config.runs) / f"{stamp}-{config.name}-{number}"
    folder.mkdir(parents=True)
    return folder


def _mean(numbers: list[float]) -> float:
    return float(np.mean(numbers)) if numbers else float("nan")
