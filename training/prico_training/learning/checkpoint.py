"""Checkpoints of a run: whatever happens, the newest one on disk is whole.

A checkpoint is a folder. It is written under another name and then renamed, and only after that
the file ``latest`` of the run points to it. It holds the policy as anybody can play it, and beside
it what only going on needs: the value network, the optimizer and the counters. All of it is arrays
and JSON, so reading one never runs code from it.
"""

import hashlib
import json
import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load, save

from prico_agents.neural.checkpoint import (
    LATEST_FILE,
    CheckpointError,
    SavedPolicy,
    load_policy,
    save_policy,
)
from prico_agents.neural.layout import network_layout, rearranged

ARRAYS_FILE: Final = "training.safetensors"
COUNTERS_FILE: Final = "training.json"
CHECKPOINTS: Final = "checkpoints"
KEPT: Final = 2
"""Checkpoints kept in a run."""
_PER_FEATURE: Final = re.compile(r"(layers\.0\.weight|/middle|/scale|optimizer/0/\w+)$")
"""Names of the arrays of a network and its optimizer that have a last axis of features."""


@dataclass(frozen=True)
class Checkpoint:
    """What a run needs to go on.

    Attributes:
        policy: What plays.
        arrays: Weights of policy and value network and the optimizer's memory, by name.
        counters: Decisions, games, seconds, and the names of the past selves.
    """

    policy: SavedPolicy
    arrays: dict[str, np.ndarray]
    counters: dict[str, Any]


def write_text(path: Path, text: str) -> None:
    """Replace a text file in one moment: readers see the old one or the new one."""
    beside = path.with_name(f".{path.name}.new")
    try:
        beside.write_text(text, encoding="utf-8")
        os.replace(beside, path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def write_policy(folder: Path, policy: SavedPolicy) -> None:
    """Write a policy folder in one moment; one of this name is left as it is."""
    if folder.exists():
        return
    beside = fresh_beside(folder)
    save_policy(beside, policy)
    beside.rename(folder)


def write_checkpoint(run: Path, checkpoint: Checkpoint) -> Path:
    """Write the newest checkpoint of a run, and remove those that are no longer needed."""
    folder = run / CHECKPOINTS / decisions_name(checkpoint.counters["decisions"])
    if not folder.exists():
        beside = fresh_beside(folder)
        save_policy(beside, checkpoint.policy)
        blob = save({name: np.ascontiguousarray(a) for name, a in checkpoint.arrays.items()})
        page = {
            "arrays_sha256": hashlib.sha256(blob).hexdigest(),
            "counters": checkpoint.counters,
        }
        (beside / ARRAYS_FILE).write_bytes(blob)
        (beside / COUNTERS_FILE).write_text(json.dumps(page, indent=1), encoding="utf-8")
        beside.rename(folder)
    write_text(run / LATEST_FILE, f"{CHECKPOINTS}/{folder.name}\n")
    for old in sorted((run / CHECKPOINTS).glob("decisions_*"))[:-KEPT]:
        shutil.rmtree(old)
    return folder


def read_checkpoint(run: Path) -> Checkpoint:
    """Read the newest checkpoint of a run.

    Raises:
        CheckpointError: There is none, it is damaged, or its numbers mean something else now.
    """
    if not (run / LATEST_FILE).is_file():
        raise CheckpointError(f"{run} is not a training run: it holds no checkpoint")
    policy = load_policy(run)
    folder = run / (run / LATEST_FILE).read_text(encoding="utf-8").strip()
    try:
        page = json.loads((folder / COUNTERS_FILE).read_text(encoding="utf-8"))
        blob = (folder / ARRAYS_FILE).read_bytes()
        counters, digest = dict(page["counters"]), page["arrays_sha256"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CheckpointError(f"{folder} is damaged: {error}") from None
    if hashlib.sha256(blob).hexdigest() != digest:
        raise CheckpointError(f"{folder / ARRAYS_FILE} is damaged: its bytes are not those saved")
    try:
        return Checkpoint(policy, _renumbered(policy, load(blob)), counters)
    except SafetensorError as error:
        raise CheckpointError(f"{folder / ARRAYS_FILE} is damaged: {error}") from None


def _renumbered(policy: SavedPolicy, arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Move what belongs to features to where this version has them; new ones weigh nothing."""
    theirs, ours = policy.layout.features, network_layout(policy.rules).features
    for name, array in arrays.items():
        if theirs != ours and _PER_FEATURE.search(name) and array.shape[-1:] == (len(theirs),):
            fill = 1.0 if name.endswith("/scale") else 0.0
            arrays[name] = rearranged(array, theirs, ours, array.ndim - 1, fill)
    return arrays


def decisions_name(decisions: int) -> str:
    """Name of what was saved after so many decisions; names sort by age."""
    return f"decisions_{decisions:012d}"


def fresh_beside(folder: Path) -> Path:
    """An empty folder beside another, for writing what will take its name."""
    beside = folder.with_name(f".{folder.name}.new")
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir(parents=True)
    return beside
