"""Checkpoints of a run: whatever happens, the newest one on disk is whole.

A checkpoint is a folder. It is written under another name and then renamed, and only after that
the file ``latest`` of the run points to it. It holds the policy as anybody can play it, and beside
it what only going on needs: the value network, the optimizer and the counters. All of it is arrays
and JSON, so reading one never runs code from it.
"""

import hashlib
import json
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
from prico_training.files import new_folder, write_text

ARRAYS_FILE: Final = "training.safetensors"
COUNTERS_FILE: Final = "training.json"
CHECKPOINTS: Final = "checkpoints"
_PER_FEATURE: Final = re.compile(r"(layers\.0\.weight|/mean|/scale|optimizer/0/\w+)$")
"""Names of the arrays of a network and its optimizer that have a last axis of features."""
KEPT: Final = 2
"""Checkpoints kept in a run."""
_RENAMED: Final = {
    "imitation": "behaviour_cloning",
    "lessons": "batches",
    "student": "learner",
    "workers": "ray_actors",
    "wins": "win_rates",
    "middle": "mean",
    "noted": "added",
    "known": "complete",
    "_warm": "_is_cloning",
}
"""Parts of names in checkpoints of older versions, and what they are called now."""


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


def write_policy(folder: Path, policy: SavedPolicy) -> None:
    """Write a policy folder in one moment; one of this name is left as it is."""
    if folder.exists():
        return
    with new_folder(folder) as beside:
        save_policy(beside, policy)


def write_checkpoint(run: Path, checkpoint: Checkpoint) -> Path:
    """Write the newest checkpoint of a run, and remove those that are no longer needed."""
    folder = run / CHECKPOINTS / decisions_name(checkpoint.counters["decisions"])
    if not folder.exists():
        blob = save({name: np.ascontiguousarray(a) for name, a in checkpoint.arrays.items()})
        page = {
            "arrays_sha256": hashlib.sha256(blob).hexdigest(),
            "counters": checkpoint.counters,
        }
        with new_folder(folder) as beside:
            save_policy(beside, checkpoint.policy)
            (beside / ARRAYS_FILE).write_bytes(blob)
            (beside / COUNTERS_FILE).write_text(json.dumps(page, indent=1), encoding="utf-8")
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
        counters, digest = _renamed_keys(page["counters"]), page["arrays_sha256"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CheckpointError(f"{folder} is damaged: {error}") from None
    if hashlib.sha256(blob).hexdigest() != digest:
        raise CheckpointError(f"{folder / ARRAYS_FILE} is damaged: its bytes are not those saved")
    try:
        arrays = {_renamed(name): array for name, array in load(blob).items()}
        return Checkpoint(policy, _renumbered(policy, arrays), counters)
    except SafetensorError as error:
        raise CheckpointError(f"{folder / ARRAYS_FILE} is damaged: {error}") from None


def decisions_name(decisions: int) -> str:
    """Name of what was saved after so many decisions; names sort by age."""
    return f"decisions_{decisions:012d}"


def _renumbered(policy: SavedPolicy, arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Move what belongs to features to where this version has them; new ones weigh nothing."""
    theirs, ours = policy.layout.features, network_layout(policy.rules).features
    for name, array in arrays.items():
        if theirs != ours and _PER_FEATURE.search(name) and array.shape[-1:] == (len(theirs),):
            fill = 1.0 if name.endswith("/scale") else 0.0
            arrays[name] = rearranged(array, theirs, ours, array.ndim - 1, fill)
    return arrays


def _renamed(name: str) -> str:
    """The name of an array or a value in a checkpoint, as it is called now."""
    parts = (_RENAMED.get(part, part) for part in name.split("/"))
    return "/".join(re.sub("^window_", "buffer_", part) for part in parts)


def _renamed_keys(values: Any) -> Any:
    if isinstance(values, list):
        return [_renamed_keys(each) for each in values]
    if not isinstance(values, dict):
        return values
    return {_renamed(name): _renamed_keys(value) for name, value in values.items()}
