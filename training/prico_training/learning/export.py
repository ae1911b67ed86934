"""A policy to hand on: small, and with everything that says where it comes from."""

import shutil
from pathlib import Path
from typing import Final

from prico_agents.neural.checkpoint import CheckpointError, load_policy, save_policy
from prico_training.files import new_folder, writing

RECORDS: Final = {"config.yaml": "config.yaml", "metrics.csv": "curve.csv"}
"""Files of a run that go along, and their names there."""


def export_policy(place: Path, folder: Path) -> Path:
    """Write a policy with weights of 16 bits, which load like any other.

    Args:
        place: A run, the folder `best` in it, or a checkpoint. From a run its settings and
            learning curve come along.
        folder: Where to; it must not exist yet.

    Returns:
        The folder.

    Raises:
        CheckpointError: There is no policy, or it is damaged, or the folder exists.
    """
    policy = load_policy(place)
    if folder.exists():
        raise CheckpointError(f"{folder} exists already; name a new folder")
    with writing(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
    with new_folder(folder) as beside:
        save_policy(beside, policy, half=True)
        for name, theirs in RECORDS.items():
            found = (home / name for home in (place, place.parent) if (home / name).is_file())
            if (path := next(found, None)) is not None:
                shutil.copyfile(path, beside / theirs)
    return folder
