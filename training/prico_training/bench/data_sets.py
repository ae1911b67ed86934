"""How fast games become a data set, and how small it is."""

import importlib.util
import statistics
import tempfile
import time
from pathlib import Path
from typing import Final

from prico_training.bench.figures import Effort, Figure

WRITTEN: Final = 20_000
"""Decisions of the planner in a second of one core, played and written."""
DECISION_BYTES: Final = 30
"""Bytes that a decision may take on the disk."""
_GAMES: Final = 250
"""Games for each second of effort; some 265 decisions each."""


def data_sets(effort: Effort) -> list[Figure]:
    """Decisions a second of a core, writing included, and bytes; nothing without pyarrow."""
    if importlib.util.find_spec("pyarrow") is None:
        return []
    from prico_training.datasets import DatasetSettings
    from prico_training.datasets.shards import shard_path, write_shard

    games = int(_GAMES * max(0.2, effort.seconds))
    settings = DatasetSettings(games=games, epsilon=0.02, shard_games=games)
    rates, sizes = [], []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_shard(settings, folder, 0)  # compiles and warms up
        for _ in range(effort.runs):
            began = time.process_time()  # of all threads
            decisions = write_shard(settings, folder, 0)
            rates.append(decisions / (time.process_time() - began))
            sizes.append(shard_path(folder, 0).stat().st_size / decisions)
    rate, size = statistics.median(rates), statistics.median(sizes)
    return [
        Figure("planner's games as a data set, one core", rate, "decisions/s", WRITTEN),
        Figure("the same on the disk, for a decision", size, "bytes", DECISION_BYTES),
    ]
