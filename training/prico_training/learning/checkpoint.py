"""Checkpoints of a run: whatever happens, the newest one on disk is whole.

A checkpoint is a folder. It is written under another name and then renamed, and only after that
the file ``latest`` of the run points to it. It holds the policy as anybody can play it, and beside
it what only going on needs: the value network, the optimizer and the counters. All of it is arrays
and JSON, so reading one never runs code from it.

``training.json`` holds the counters, and digests of them and of the other files: what was damaged,
or changed by hand, is refused. The checkpoint before the newest is kept for that.
"""

import contextlib
import hashlib
import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load, save

from prico_agents.input_files import read_bytes, read_json
from prico_agents.neural.checkpoint import (
    ABOUT_FILE,
    LATEST_FILE,
    CheckpointError,
    SavedPolicy,
    find_policy,
    load_policy,
    refuse_not_finite,
    save_policy,
)
from prico_agents.neural.entity_inputs import axes_of
from prico_agents.neural.layout import network_layout, rearranged
from prico_training.errors import StorageError
from prico_training.files import new_folder, remove_folder, write_text

ARRAYS_FILE: Final = "training.safetensors"
COUNTERS_FILE: Final = "training.json"
CHECKPOINTS: Final = "checkpoints"
_PER_FEATURE: Final = re.compile(r"(layers\.0\.weight|/mean|/scale|optimizer/0/\w+)$")
"""Names of the arrays of a network and its optimizer that have a last axis of features."""
KEPT: Final = 2
"""Checkpoints kept in a run: the newest, and the one before it."""
_DIGESTS: Final = {"arrays_sha256", "counters_sha256", "policy_sha256"}
"""What the file of counters says beside them; older versions wrote the first one alone."""
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
    """Write the newest checkpoint of a run, and remove those that are no longer needed.

    Where the newest one holds the same arrays, its counters alone are written anew.

    Raises:
        CheckpointError: Some of its numbers are not finite: learning has diverged.
        StorageError: It cannot be written; the newest one is still the one before.
    """
    before = _newest_name(run)
    folder = run / CHECKPOINTS / decisions_name(checkpoint.counters["decisions"])
    refuse_not_finite(folder, checkpoint.arrays)
    blob = save({name: np.ascontiguousarray(a) for name, a in checkpoint.arrays.items()})
    page = _read_page(folder) if folder.name == before else {}
    if page.get("arrays_sha256") == _sha256(blob):
        page |= _of_counters(checkpoint.counters)
        write_text(folder / COUNTERS_FILE, json.dumps(page, indent=1))
        return folder
    with new_folder(folder) as beside:
        save_policy(beside, checkpoint.policy)
        (beside / ARRAYS_FILE).write_bytes(blob)
        digests = {
            "arrays_sha256": _sha256(blob),
            "policy_sha256": _sha256((beside / ABOUT_FILE).read_bytes()),
        }
        page = digests | _of_counters(checkpoint.counters)
        (beside / COUNTERS_FILE).write_text(json.dumps(page, indent=1), encoding="utf-8")
    write_text(run / LATEST_FILE, f"{CHECKPOINTS}/{folder.name}\n")
    remove_others(run / CHECKPOINTS, {folder.name, before or ""})
    return folder


def remove_others(folder: Path, kept: set[str]) -> None:
    """Remove what was saved in a folder but for some; what is in use then stays a little longer."""
    for old in folder.glob("decisions_*"):
        if old.name not in kept:
            with contextlib.suppress(StorageError):
                remove_folder(old)


def read_checkpoint(run: Path) -> Checkpoint:
    """Read the newest checkpoint of a run.

    Raises:
        CheckpointError: There is none, it is damaged, or its numbers mean something else now.
    """
    if not (run / LATEST_FILE).is_file():
        raise CheckpointError(f"{run} is not a training run: it holds no checkpoint")
    return _read(find_policy(run))


def newest_whole_checkpoint(run: Path) -> Checkpoint:
    """Read the newest checkpoint of a run that can be read, and make it the newest one.

    A person is told if there was a newer one.

    Raises:
        CheckpointError: None can be read; it says why the newest one cannot.
    """
    try:
        return read_checkpoint(run)
    except CheckpointError as error:
        for name in _names(run):
            try:
                checkpoint = _read(run / CHECKPOINTS / name)
            except CheckpointError:
                continue
            _say(f"prico: {error}; going on from {name}, the newest one that is whole")
            write_text(run / LATEST_FILE, f"{CHECKPOINTS}/{name}\n")
            return checkpoint
        raise


def has_checkpoint(run: Path) -> bool:
    """Whether a run has come to a first checkpoint, whole or not."""
    return (run / LATEST_FILE).exists() or bool(_names(run))


def _read(folder: Path) -> Checkpoint:
    policy, page = load_policy(folder), _read_page(folder)
    blob = _read_bytes(folder / ARRAYS_FILE, page["arrays_sha256"])
    if "policy_sha256" in page:
        _read_bytes(folder / ABOUT_FILE, page["policy_sha256"])
    try:
        arrays = {_renamed(name): array for name, array in load(blob).items()}
    except SafetensorError as error:
        raise CheckpointError(f"{folder / ARRAYS_FILE} is damaged: {error}") from None
    refuse_not_finite(folder / ARRAYS_FILE, arrays)
    return Checkpoint(policy, _renumbered(policy, arrays), _renamed_keys(page["counters"]))


def _read_page(folder: Path) -> dict[str, Any]:
    """The counters with the digests beside them, which fit them."""
    path = folder / COUNTERS_FILE
    page: dict[str, Any] = read_json(path, CheckpointError)
    known = ({"counters", *_DIGESTS}, {"counters", "arrays_sha256"})
    if not isinstance(page, dict) or page.keys() not in known:
        raise CheckpointError(f"{path} is damaged: it does not hold counters and their digests")
    if not isinstance(page["counters"], dict):
        raise CheckpointError(f"{path} is damaged: its counters have no names")
    if page.get("counters_sha256", "") not in ("", _digest(page["counters"])):
        raise CheckpointError(f"{path} is damaged: its counters are not those that were saved")
    return page


def _read_bytes(path: Path, digest: object) -> bytes:
    blob = read_bytes(path, CheckpointError)
    if _sha256(blob) != digest:
        raise CheckpointError(f"{path} is damaged: its bytes are not those saved")
    return blob


def _of_counters(counters: dict[str, Any]) -> dict[str, Any]:
    return {"counters_sha256": _digest(counters), "counters": counters}


def _digest(values: dict[str, Any]) -> str:
    return _sha256(json.dumps(values, sort_keys=True).encode())


def _sha256(blob: bytes) -> str:
    return hashlib.sha256(blob).hexdigest()


def _names(run: Path) -> list[str]:
    """The checkpoints of a run, newest first."""
    return sorted((path.name for path in (run / CHECKPOINTS).glob("decisions_*")), reverse=True)


def _newest_name(run: Path) -> str | None:
    """The checkpoint that the run points to, if it does."""
    try:
        return find_policy(run).name
    except CheckpointError:
        return None


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def decisions_name(decisions: int) -> str:
    """Name of what was saved after so many decisions; names sort by age."""
    return f"decisions_{decisions:012d}"


def _renumbered(policy: SavedPolicy, arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Move what belongs to features to where this version has them; new ones weigh nothing."""
    if policy.axes is not None:
        if policy.axes != axes_of(policy.rules):
            raise CheckpointError(
                "this run is of a version with other features or actions, and an entity network "
                "that learns cannot take them over; start another from it, with network.start=RUN"
            )
        return arrays
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
