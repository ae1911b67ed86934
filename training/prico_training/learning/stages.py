"""A run in stages: runs one after the other, each from the weights that the one before came to.

Every stage is a run like any other, in a folder of its own below that of the whole: it can be
looked at, resumed and played against by itself. What plays as the whole is the last one that there
is.
"""

import dataclasses
from pathlib import Path
from typing import Any, Final

import yaml

from prico_agents.neural.checkpoint import LATEST_FILE, CheckpointError, newest
from prico_training.config import Config
from prico_training.errors import ConfigError
from prico_training.files import write_text
from prico_training.learning.distributed import Ranks
from prico_training.learning.report import REPORT_FILE
from prico_training.learning.run import (
    CONFIG_FILE,
    RunResult,
    is_finished,
    new_run_folder,
    resume_run,
    resumed_config,
    start_run,
)
from prico_training.sections import to_plain

_NONE: Final[dict[str, Any]] = {}


def start(config: Config) -> RunResult:
    """Train in a new run folder: all stages, or the one run where there are none.

    Raises:
        ConfigError: A setting names somebody who cannot play, or needs what is not installed.
        StorageError: The run folder cannot be written.
    """
    if not config.stages:
        return start_run(config)
    ranks = Ranks.join()
    folder = ranks.by_first(lambda: new_run_folder(config))
    if ranks.is_first:
        settings = yaml.safe_dump(to_plain(config), sort_keys=False)
        write_text(folder / CONFIG_FILE, settings)
    return _go(folder, config)


def resume(folder: Path, overrides: dict[str, Any]) -> RunResult:
    """Go on with a run, in stages or not.

    Args:
        folder: The run folder.
        overrides: Settings that change from here on, nested by section.

    Raises:
        CheckpointError: The folder is no run, or all checkpoints of a stage are damaged.
        ConfigError: It has come to its end, or what must stay would change.
        InUseError: Another process goes on with it.
        StorageError: It cannot be written.
    """
    if not (folder / CONFIG_FILE).is_file():
        return resume_run(folder, overrides)  # which says what is wrong
    config = resumed_config(folder, _NONE)
    if not config.stages:
        return resume_run(folder, overrides)
    homes = _homes(folder, config)
    if overrides:
        raise ConfigError(
            f"{folder} is a run in stages, whose settings stand in its {CONFIG_FILE}; a stage goes "
            f"on with others by itself: prico train --resume {homes[0]} budget.decisions=..."
        )
    if all(map(is_finished, homes)):
        raise ConfigError(
            f"all stages of this run have used their budgets; the last is {homes[-1]}"
        )
    return _go(folder, config)


def _go(folder: Path, config: Config) -> RunResult:
    """Go through the stages that are not finished yet."""
    homes, outcome = _homes(folder, config), None
    for number, (home, stage) in enumerate(zip(homes, config.stage_configs(), strict=True)):
        if is_finished(home):
            continue
        start_from = {"network": {"start": str(homes[number - 1])}} if number else _NONE
        if (home / CONFIG_FILE).is_file():
            outcome = resume_run(home, start_from)
        else:
            network = dataclasses.replace(stage.network, **start_from.get("network", {}))
            outcome = start_run(dataclasses.replace(stage, network=network), home)
        if outcome.to_tell:
            _tell(folder, config)
        if outcome.interrupted:
            break
    assert outcome is not None  # else all were finished
    return dataclasses.replace(outcome, folder=folder)


def _homes(folder: Path, config: Config) -> list[Path]:
    """The folder of each stage."""
    return [folder / f"{n}-{stage['name']}" for n, stage in enumerate(config.stages, 1)]


def _tell(folder: Path, config: Config) -> None:
    """Write what plays as the whole run, and a page that leads to those of the stages."""
    lines = [f"# {config.name}", "", "Stages, each from the weights of the one before:", ""]
    for home in _homes(folder, config):
        try:
            policy = newest(home)
        except CheckpointError:
            lines.append(f"- {home.name}: not begun yet")
            continue
        write_text(folder / LATEST_FILE, f"{policy.relative_to(folder).as_posix()}\n")
        state = "" if is_finished(home) else ", not finished yet"
        lines.append(f"- [{home.name}]({home.name}/{REPORT_FILE}){state}")
    write_text(folder / REPORT_FILE, "\n".join([*lines, ""]))
