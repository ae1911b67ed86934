"""Data sets: whole games in Parquet files, decision by decision, for offline learning.

`write_dataset` plays and writes them, `Dataset` reads them in NumPy, `torch_loader.TorchLoader`
in Torch, and `to_minari` hands them on to Minari. ``docs/data_sets.md`` says what columns mean.
"""

from prico_env.errors import from_extra

with from_extra("data", "a data set"):
    import pyarrow  # noqa: F401

from prico_training.datasets.dataset import Dataset
from prico_training.datasets.minari_export import to_minari
from prico_training.datasets.settings import DatasetSettings
from prico_training.datasets.writer import WrittenDataset, write_dataset

__all__ = [
    "Dataset",
    "DatasetSettings",
    "WrittenDataset",
    "to_minari",
    "write_dataset",
]
