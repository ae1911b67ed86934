"""One training run from beginning to end: learn, measure, keep, rank, report."""

import contextlib
import dataclasses
import importlib.util
import itertools
import operator
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

import torch
import yaml
from numpy.typing import NDArray
from rich.console import Console

from prico_agents.neural.checkpoint import (
    LATEST_FILE,
    CheckpointError,
    SavedPolicy,
    find_policy,
    load_policy,
)
from prico_env.arguments import instance, path
from prico_env.errors import PricoError
from prico_training.arena.report import write_report as write_arena_report
from prico_training.arena.settings import Entry, Tournament
from prico_training.arena.summary import Summary
from prico_training.arena.tournament import play_tournament, read_tournament
from prico_training.config import RENAMED, Config
from prico_training.errors import ConfigError, StorageError
from prico_training.files import remove_folder, remove_unfinished, write_text, writing
from prico_training.folder_lock import FolderLock
from prico_training.interrupt import Interruptions
from prico_training.learning.checkpoint import (
    CHECKPOINTS,
    Checkpoint,
    decisions_name,
    has_checkpoint,
    newest_whole_checkpoint,
    remove_others,
    write_checkpoint,
    write_policy,
)
from prico_training.learning.distributed import Ranks
from prico_training.learning.factory import make_curve_player, make_trainer
from prico_training.learning.learning_curve import Curve
from prico_training.learning.metrics import (
    MEAN_WIN,
    Row,
    columns_of,
    league_of,
    metrics_text,
    read_metrics,
    rows_of,
    write_metrics,
)
from prico_training.learning.networks import saved_policy
from prico_training.learning.report import is_reported, write_report
from prico_training.learning.run_progress import RunProgress, Standing
from prico_training.learning.time_estimate import estimate_seconds
from prico_training.learning.trainer import Trainer, Weights
from prico_training.reliability.calibration import Reliability
from prico_training.reliability.measure_reliability import measure_reliability
from prico_training.sections import from_dict, merged, read_fields, to_plain, translated

PAST: Final = "past"
"""Folder of the past selves in a run."""
BEST: Final = "best"
"""Folder of the policy with the best point of the curve in a run; an agent like the run itself."""
CONFIG_FILE: Final = "config.yaml"
METRICS_FILE: Final = "metrics.csv"
TENSORBOARD: Final = "tensorboard"
ARENA: Final = "arena"
"""Folder of the tournament at the end of a run."""
TRAINED: Final = "trained"
"""What the tournament calls the agent of the run."""
_ANSWER: Final = "prico: stopping after this update; what was learnt is kept"
"""What a person who stops is told at once."""
RANKING_SEED: Final = 2_000_000_000
"""First deal of the ranking; neither training nor the curve gets there."""
_RELIABILITY_DEALS: Final = 50
"""Deals at most on which the value head is judged: a few seconds among compiled opponents."""
_KEPT: Final = (
    "trainer",
    "games",
    "self_play.num_envs",
    "self_play.players",
    "opponents.agents",
    "opponents.pool_size",
    "network.kind",
    "network.hidden",
    "network.seat_width",
    "network.object_width",
    "network.values",
    "expert_iteration.buffer_size",
)
"""Settings that what a checkpoint holds depends on."""


@dataclass
class Clock:
    """How long a run has taken.

    Attributes:
        seconds: Time spent learning.
        parts: How often the run was started.
        best: The best mean win rate of a point of the curve; -1 before the first one.
        point_seconds: Time spent learning when the last point of the curve was asked for.
        point_decisions: Decisions learnt from then; -1 before the first one.
    """

    seconds: float = 0.0
    parts: int = 1
    best: float = -1.0
    point_seconds: float = 0.0
    point_decisions: int = -1


@dataclass(frozen=True)
class RunResult:
    """What a run leaves behind.

    Attributes:
        folder: The run folder.
        ranking: What the tournament at the end says; None when there was none.
        interrupted: Whether a person stopped it.
        to_tell: Whether this is the process that tells a person about it.
    """

    folder: Path
    ranking: Summary | None
    interrupted: bool
    to_tell: bool = True


@dataclass(frozen=True)
class PendingPoint:
    """A point of the learning curve that is to come.

    Attributes:
        policy: What plays it.
        moment: Columns of `metrics` that tell how the run was when it was asked for.
    """

    policy: SavedPolicy
    moment: Row


def start_run(config: Config, folder: str | os.PathLike[str] | None = None) -> RunResult:
    """Train from scratch in a new run folder.

    Args:
        config: The settings.
        folder: The run folder, which is made; None: one by the time and the name of the run.

    Raises:
        ConfigError: A setting names somebody who cannot play, or needs what is not installed.
        StorageError: The run folder cannot be written.
    """
    instance(config, Config, "the settings of a run are a Config", ConfigError)
    place = None if folder is None else path(folder, "a run folder", ConfigError)
    ranks = Ranks.join()
    run = _Run(config, ranks)  # may refuse; the folder is made after that
    run.folder = ranks.by_first(lambda: new_run_folder(config, place))
    with _locked(run.folder, ranks):
        return run.go()


def resume_run(folder: Path, overrides: dict[str, Any]) -> RunResult:
    """Go on with a run from its newest checkpoint, or begin anew where there is none yet.

    Args:
        folder: The run folder.
        overrides: Settings that change from here on, nested by section.

    Raises:
        CheckpointError: The folder is no run, or all its checkpoints are damaged.
        ConfigError: The budget of the run is used up, or what must stay would change.
        InUseError: Another process goes on with it.
        StorageError: It cannot be written.
    """
    ranks = Ranks.join()
    if not (folder / CONFIG_FILE).is_file():
        raise CheckpointError(f"{folder} is not a training run: it holds no {CONFIG_FILE}")
    with _locked(folder, ranks):
        config, checkpoint = ranks.by_first(lambda: _read_run(folder, overrides))
        run = _Run(config, ranks)
        run.folder = folder
        if checkpoint is not None:
            run.go_on(checkpoint)
        return run.go()


@contextmanager
def _locked(folder: Path, ranks: Ranks) -> Iterator[None]:
    """Keep all others from a run folder while this is open; rank 0 does."""
    with ExitStack() as stack:

        def lock() -> None:
            stack.enter_context(FolderLock(folder))

        ranks.by_first(lock)
        yield


def _read_run(folder: Path, overrides: dict[str, Any]) -> tuple[Config, Checkpoint | None]:
    """Settings and newest checkpoint of a run that can go on; none if it has none yet."""
    remove_unfinished(folder, *(folder / name for name in (CHECKPOINTS, PAST, BEST)))
    before, config = resumed_config(folder, {}), resumed_config(folder, overrides)
    if not has_checkpoint(folder):
        return config, None
    checkpoint = newest_whole_checkpoint(folder)
    if "clock" not in checkpoint.counters:
        raise CheckpointError(
            f"{folder} was trained by another version of prico; it can play, but not go on"
        )
    if config.largest != checkpoint.policy.rules:
        raise ConfigError(
            f"this run plays {checkpoint.policy.rules}; a run keeps its rule set to the end"
        )
    _refuse_changes(before, config)
    _tell_changes(
        translated(checkpoint.policy.about.get("settings", {}), RENAMED), to_plain(before)
    )
    seconds, decisions = checkpoint.counters["clock"]["seconds"], checkpoint.counters["decisions"]
    if _is_finished(folder, config, checkpoint):
        raise ConfigError(
            f"this run has used its budget ({seconds / 60:.1f} minutes, {decisions:,} decisions); "
            f"give it more, such as {config.budget.doubled}"
        )
    return config, checkpoint


def is_finished(folder: Path) -> bool:
    """Whether the run of a folder has used its budget, and was ranked and reported."""
    if not (folder / CONFIG_FILE).is_file() or not has_checkpoint(folder):
        return False
    return _is_finished(folder, resumed_config(folder, {}), newest_whole_checkpoint(folder))


def _is_finished(folder: Path, config: Config, checkpoint: Checkpoint) -> bool:
    seconds, decisions = checkpoint.counters["clock"]["seconds"], checkpoint.counters["decisions"]
    is_spent = spent_share(config, seconds, decisions) >= 1
    return is_spent and is_reported(folder, decisions, config.evaluation.deals > 0)


def resumed_config(folder: Path, overrides: dict[str, Any]) -> Config:
    """The settings of a run, of any version, with what changes from here on."""
    fields = translated(read_fields(folder / CONFIG_FILE, CheckpointError), RENAMED)
    return from_dict(merged(fields, overrides), Config)


def spent_share(config: Config, seconds: float, decisions: int) -> float:
    """How much of the budget is used, 0 to 1 and beyond."""
    shares = [0.0]
    if config.budget.minutes > 0:
        shares.append(seconds / (60 * config.budget.minutes))
    if config.budget.decisions > 0:
        shares.append(decisions / config.budget.decisions)
    return max(shares)


def _refuse_changes(before: Config, after: Config) -> None:
    """Refuse to go on with other games, seats or networks than those that were kept."""
    for name in _KEPT:
        old, new = (operator.attrgetter(name)(config) for config in (before, after))
        if old != new:
            raise ConfigError(f"a run keeps {name} to the end: it is {old}, not {new}")


def _tell_changes(saved: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Tell a person where the settings of a run are not those of its checkpoint.

    They were changed for a part of the run that came to no checkpoint, by hand, or by an accident.
    """
    old, new = _by_path(saved), _by_path(now)
    changed = [
        f"{path}={new[path]}, not {old[path]}"
        for path in new
        if new[path] != old.get(path, new[path])
    ]
    if changed:
        print(
            f"prico: {CONFIG_FILE} differs from the settings of the checkpoint, and holds from "
            f"here on: {'; '.join(changed)}",
            file=sys.stderr,
        )


def _by_path(values: Mapping[str, Any], home: str = "") -> dict[str, Any]:
    """Nested values by paths such as ``ppo.clip_range``."""
    found: dict[str, Any] = {}
    for name, value in values.items():
        inner = _by_path(value, f"{home}{name}.") if isinstance(value, dict) else {}
        found |= inner or {f"{home}{name}": value}
    return found


class _Run:
    """A run in progress, as one of its ranks sees it.

    All ranks have the same clock, and so they agree on what is due; rank 0 measures and writes.
    """

    folder: Path

    def __init__(self, config: Config, ranks: Ranks) -> None:
        torch.set_num_threads(config.threads)
        self.config = config
        self.ranks = ranks
        self.clock = Clock()
        self.rows: list[Row] = []
        self._columns = columns_of(config)
        self._figures: dict[str, float] = {}
        self._past_before: list[str] = []
        self._pending: PendingPoint | None = None
        if config.tensorboard and importlib.util.find_spec("tensorboard") is None:
            raise ConfigError("tensorboard=true needs TensorBoard: pip install tensorboard")
        test = config.evaluation
        curve = Curve(config.curve_rule_sets, test.curve, test.curve_deals)
        self.trainer: Trainer = make_trainer(config, ranks)
        self._curve_player = make_curve_player(config, curve)

    @property
    def spent(self) -> float:
        """How much of the budget is used."""
        return spent_share(self.config, self.clock.seconds, self.trainer.decisions)

    def go(self) -> RunResult:
        """Learn until the budget is used or somebody stops it, then rank and report."""
        try:
            return self._go()
        except StorageError as error:
            if not self.folder.exists():
                raise
            raise StorageError(
                f"{error}; {_what_is_kept(self.folder)}, go on with: "
                f"prico train --resume {self.folder}"
            ) from None

    def _go(self) -> RunResult:
        first, console = self.ranks.is_first, None
        if first:
            settings = yaml.safe_dump(to_plain(self.config), sort_keys=False)
            write_text(self.folder / CONFIG_FILE, settings)
        else:
            console = Console(quiet=True, force_terminal=False)
        try:
            with Interruptions(_ANSWER if first else "") as interruptions:
                with RunProgress(self.config, self._standing(), console) as progress:
                    self._tell_time(progress)
                    self._learn(progress, interruptions)
                self._save()
                interrupted, ranking = self.ranks.any(interruptions.happened), None
        finally:
            self._curve_player.close()
            self.trainer.close()
        if not first:
            return RunResult(self.folder, None, interrupted, to_tell=False)
        reliability = None
        if not interrupted and self.config.evaluation.deals > 0:
            reliability = self._measure_reliability()
            ranking = None if reliability is None else self._rank()
            interrupted = ranking is None
        write_report(self.folder, self.config, self._counts(), self.rows, ranking, reliability)
        return RunResult(self.folder, ranking, interrupted)

    def _tell_time(self, progress: RunProgress) -> None:
        """Tell a person how long the budget will take, where that can be measured beforehand."""
        if self.ranks.size > 1:
            return
        with torch.random.fork_rng():
            seconds = estimate_seconds(self.config, self.trainer.decisions)
        if seconds is not None:
            progress.estimate(self.config.budget.decisions - self.trainer.decisions, seconds)

    def _learn(self, progress: RunProgress, interruptions: Interruptions) -> None:
        """Play and learn, with a point of the curve and a checkpoint from time to time."""
        league = self.config.opponents
        take = partial(self._take_point, progress, lambda: not interruptions.happened)
        next_save = self.clock.seconds + self.config.checkpoint_seconds
        snapshots = self.trainer.decisions // league.snapshot_every
        while not (stopped := self.ranks.any(interruptions.happened)) and self.spent < 1:
            if self._is_point_due() and self._pending is None:
                self._ask_point()
            take(wait=False)
            began = time.perf_counter()
            self._figures = self.trainer.learn(self.spent)
            if self.trainer.decisions // league.snapshot_every > snapshots:
                snapshots = self.trainer.decisions // league.snapshot_every
                self._remember()
            self.clock.seconds += self.ranks.broadcast(time.perf_counter() - began)
            progress.show(self._standing())
            if self.clock.seconds >= next_save:
                self._save()
                next_save = self.clock.seconds + self.config.checkpoint_seconds
        take(wait=not stopped)
        is_measured = self.clock.point_decisions == self.trainer.decisions
        if not stopped and self._pending is None and not is_measured:
            self._ask_point()
            take(wait=True)

    def _is_point_due(self) -> bool:
        """Whether it is time for a point of the learning curve."""
        is_first = self.clock.point_decisions < 0
        next_one = self.clock.point_seconds + self.config.evaluation.every_seconds
        return is_first or self.clock.seconds >= next_one

    def _ask_point(self) -> None:
        """Ask for a point of the learning curve of the learner as it is now."""
        if not self.ranks.is_first:
            return
        elapsed = max(1e-9, self.clock.seconds - self.clock.point_seconds)
        learnt = self.trainer.decisions - max(0, self.clock.point_decisions)
        moment = (
            {
                "seconds": self.clock.seconds,
                "decisions": self.trainer.decisions,
                "games": self.trainer.games,
                "updates": self.trainer.updates,
                "decisions_per_second": learnt / elapsed,
            }
            | {league_of(name): share for name, share in self._league().items()}
            | self._figures
        )
        self._pending = PendingPoint(self._policy(self.trainer.weights()), moment)
        self._curve_player.ask(self._pending.policy)

    def _take_point(self, progress: RunProgress, go_on: Callable[[], bool], *, wait: bool) -> None:
        """Add the point that was asked for if it has come, and keep its policy if it is the best.

        Args:
            progress: Where a person sees it.
            go_on: See `learning_curve.CurvePlayer.answer`.
            wait: Whether to wait for it.
        """
        if self._pending is None:
            return
        point = self._curve_player.answer(go_on, wait=wait)
        if point is None:
            return
        asked, self._pending = self._pending, None
        if MEAN_WIN not in point:
            return
        self.clock.point_seconds = asked.moment["seconds"]
        self.clock.point_decisions = int(asked.moment["decisions"])
        self.rows.append(asked.moment | point)
        progress.point(self.rows[-1])
        write_metrics(self.folder / METRICS_FILE, self.rows, self._columns)
        if self.config.tensorboard:
            _write_tensorboard(self.folder / TENSORBOARD, self.rows[-1], self._columns)
        if point[MEAN_WIN] >= self.clock.best:
            self.clock.best = point[MEAN_WIN]
            self._keep_best(asked.policy)

    def _league(self) -> dict[str, float]:
        """The learner's win rate lately, alone among copies of each opponent."""
        league = self.trainer.league
        rates = 1 - league.win_rates[:, -1]
        named = dict(zip(league.names[: league.num_lasting], rates.tolist(), strict=False))
        past = rates[league.num_lasting :]
        return named | ({PAST: float(past.mean())} if len(past) else {})

    def _standing(self) -> Standing:
        return Standing(
            self.spent,
            self.trainer.decisions,
            self.trainer.games,
            self._league(),
            self._figures,
        )

    def _remember(self) -> None:
        """Let the present self join the league, and keep it on disk for going on."""
        if self.config.opponents.pool_size == 0 or self.trainer.games == 0:
            return
        name, weights = decisions_name(self.trainer.decisions), self.trainer.weights()
        if self.ranks.is_first:
            write_policy(self.folder / PAST / name, self._policy(weights))
        self.trainer.remember(name, weights)

    def _keep_best(self, policy: SavedPolicy) -> None:
        """Keep a policy as the best of the run, in place of the one before."""
        name = decisions_name(policy.about["decisions"])
        write_policy(self.folder / BEST / name, policy)
        write_text(self.folder / BEST / LATEST_FILE, f"{name}\n")
        remove_others(self.folder / BEST, {name})

    def _save(self) -> None:
        arrays, values = self.trainer.state()
        if not self.ranks.is_first:
            return
        policy = self._policy(self.trainer.weights())
        past = [name for name in self.trainer.league.names if name.startswith("decisions_")]
        counters = {
            "decisions": self.trainer.decisions,
            "clock": dataclasses.asdict(self.clock),
            "past": past,
            "trainer": values,
            "figures": self._figures,
            "metrics": metrics_text(self.rows, self._columns),
        }
        write_checkpoint(self.folder, Checkpoint(policy, arrays, counters))
        remove_others(self.folder / PAST, {*past, *self._past_before})
        self._past_before = past  # that of the checkpoint before the newest, which is kept too
        write_metrics(self.folder / METRICS_FILE, self.rows, self._columns)

    def go_on(self, checkpoint: Checkpoint) -> None:
        """Take over what the run of the folder had come to.

        Raises:
            CheckpointError: The checkpoint is not one of such a run.
        """
        try:
            self._restore(checkpoint.arrays, checkpoint.counters)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            if isinstance(error, PricoError):
                raise
            raise CheckpointError(
                f"the checkpoint of {self.folder} does not fit this version or its settings: "
                f"{error!r}"
            ) from None

    def _restore(self, arrays: Mapping[str, NDArray[Any]], counters: Mapping[str, Any]) -> None:
        for name in counters["past"]:
            past = self.ranks.by_first(partial(load_policy, self.folder / PAST / name))
            self.trainer.remember(name, past.renumbered().weights)
        self.trainer.restore(arrays, counters["trainer"])
        self._past_before = counters["past"]
        self._figures = dict(counters.get("figures", {}))
        self.clock = Clock(**counters["clock"])
        self.clock.parts += 1
        if "metrics" in counters:
            self.rows = rows_of(counters["metrics"])
        else:  # an older version
            self.rows = read_metrics(self.folder / METRICS_FILE, self.trainer.decisions)

    def _counts(self) -> dict[str, float]:
        return {
            "decisions": self.trainer.decisions,
            "games": self.trainer.games,
            "updates": self.trainer.updates,
            "seconds": self.clock.seconds,
            "parts": self.clock.parts,
        }

    def _policy(self, weights: Weights) -> SavedPolicy:
        about = {
            "name": self.config.name,
            "seed": self.config.seed,
            "decisions": self.trainer.decisions,
            "games": self.trainer.games,
            "seconds": round(self.clock.seconds),
            "settings": to_plain(self.config),
        }
        return saved_policy(self.config, weights, about)

    @property
    def _trained(self) -> Entry:
        """The agent of the run."""
        newest = self.folder / CHECKPOINTS / decisions_name(self.trainer.decisions)
        return Entry(str(newest), TRAINED)

    def _measure_reliability(self) -> Reliability | None:
        """Compare what the value head forecasts with what comes; None if that is stopped."""
        test = self.config.evaluation
        deals = min(test.deals, _RELIABILITY_DEALS)
        try:
            return measure_reliability(self._trained, test.curve, self.config.game, deals)
        except KeyboardInterrupt:
            return None

    def _rank(self) -> Summary | None:
        """Play the trained agent against the others, or go on with that; None if it is stopped."""
        others = (Entry(name) for name in self.config.evaluation.opponents)
        tournament = Tournament(
            agents=(self._trained, *others),
            game=self.config.game,
            deals=self.config.evaluation.deals,
            seed=RANKING_SEED,
            formats=("copies",),
        )
        folder = self.folder / ARENA
        if not _is_tournament(folder, tournament):
            remove_folder(folder)  # of the agent as it was before
        outcome = play_tournament(tournament, folder)
        return None if outcome.interrupted else write_arena_report(folder)


def _write_tensorboard(folder: Path, row: Row, columns: tuple[str, ...]) -> None:
    """Show a row of metrics in TensorBoard as well."""
    from torch.utils.tensorboard import SummaryWriter

    with writing(folder), SummaryWriter(str(folder)) as writer:
        for name in columns:
            if name in row:
                writer.add_scalar(name, row[name], int(row["decisions"]))


def _is_tournament(folder: Path, tournament: Tournament) -> bool:
    """Whether a folder holds this tournament, as far as it has been played."""
    try:
        return read_tournament(folder) == tournament
    except PricoError:
        return False


def _what_is_kept(folder: Path) -> str:
    """What a run that cannot be written any more has on disk."""
    try:
        return f"{find_policy(folder).name} is kept"
    except CheckpointError:
        return "no checkpoint had been written"


def new_run_folder(config: Config, folder: Path | None = None) -> Path:
    """Make a run folder: that which is named, or one by the time and the name of the run."""
    if folder is not None:
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
        return folder
    folder = Path(config.runs) / f"{datetime.now():%Y%m%d-%H%M%S}-{config.name}"
    named = folder
    for number in itertools.count(2):
        with writing(folder), contextlib.suppress(FileExistsError):
            folder.mkdir(parents=True)
            break
        folder = named.with_name(f"{named.name}-{number}")
    return folder
