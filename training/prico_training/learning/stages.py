"""A run in stages: runs one after the other, each from the weights that the one before came to.

Every stage is a run like any other, in a folder of its own below that of the whole: it can be
looked at, resumed and played against by itself. A stage may begin anew, such as an exploiter that
later stages meet as an opponent. What plays as the whole is the last stage that there is of those
whose weights the final one goes back to.
"""

import dataclasses
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

import yaml

from prico_agents.neural.checkpoint import LATEST_FILE, CheckpointError, newest
from prico_training.config import STAGE, Config, with_stages
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
from prico_training.sections import from_dict, to_plain

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
    homes = list(_homes(folder, config).values())
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
    homes, ranks, outcome = _homes(folder, config), Ranks.join(), None
    for stage in config.stage_configs():
        home = homes[stage.name]
        if is_finished(home):
            continue
        if (home / CONFIG_FILE).is_file():
            ranks.by_first(partial(_find_stages_again, home, stage, homes))
            outcome = resume_run(home, _NONE)
        else:
            outcome = start_run(from_dict(_located(to_plain(stage), homes), Config), home)
        if outcome.to_tell:
            _tell(folder, config)
        if outcome.interrupted:
            break
    assert outcome is not None  # else all were finished
    return dataclasses.replace(outcome, folder=folder)


def _located(settings: Any, homes: Mapping[str, Path]) -> Any:
    """Settings in which earlier stages are called by their folders."""
    return with_stages(settings, lambda name: str(homes[name]))


def _find_stages_again(home: Path, stage: Config, homes: Mapping[str, Path]) -> None:
    """Write where earlier stages lie now into the settings of one that goes on."""
    settings = to_plain(stage)
    names = _changes(settings, _located(settings, homes))
    before, now = resumed_config(home, _NONE), resumed_config(home, names)
    if now != before:
        write_text(home / CONFIG_FILE, yaml.safe_dump(to_plain(now), sort_keys=False))


def _changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that differ, nested by section."""
    return {
        name: _changes(before[name], value) if isinstance(value, dict) else value
        for name, value in now.items()
        if value != before[name]
    }


def _homes(folder: Path, config: Config) -> dict[str, Path]:
    """The folder of each stage by its name."""
    return {
        stage["name"]: folder / f"{n}-{stage['name']}" for n, stage in enumerate(config.stages, 1)
    }


def _line(config: Config) -> set[str]:
    """The last stage, and all whose weights it goes back to."""
    starts = {stage.name: stage.network.start for stage in config.stage_configs()}
    line, left = set[str](), [config.stages[-1]["name"]]
    while left:
        name = left.pop()
        line.add(name)
        left += [start.removeprefix(STAGE) for start in starts[name] if start.startswith(STAGE)]
    return line


def _tell(folder: Path, config: Config) -> None:
    """Write what plays as the whole run, and a page that leads to those of the stages."""
    lines = [f"# {config.name}", "", "Stages, one after the other:", ""]
    line = _line(config)
    for name, home in _homes(folder, config).items():
        try:
            policy = newest(home)
        except CheckpointError:
            lines.append(f"- {home.name}: not begun yet")
            continue
        if name in line:
            write_text(folder / LATEST_FILE, f"{policy.relative_to(folder).as_posix()}\n")
        state = "" if is_finished(home) else ", not finished yet"
        lines.append(f"- [{home.name}]({home.name}/{REPORT_FILE}){state}")
    write_text(folder / REPORT_FILE, "\n".join([*lines, ""]))
