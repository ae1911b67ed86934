"""Reading a data set in Torch, by processes beside the one that learns."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from prico_env.arguments import flag, instance, whole
from prico_env.errors import from_extra
from prico_training.datasets.dataset import Dataset
from prico_training.errors import DatasetError

with from_extra("train", "a TorchLoader"):
    import torch
    from torch import Tensor
    from torch.utils.data import DataLoader, IterableDataset, get_worker_info


class TorchLoader:
    """The batches of a data set as tensors: each pass is an epoch, shuffled in another order.

    Attributes:
        epoch: How many passes were begun; set it to go on where a run was stopped.
    """

    def __init__(
        self,
        data: Dataset,
        batch_size: int,
        *,
        seed: int | None = 0,
        workers: int = 0,
        pin_memory: bool | None = None,
        part: tuple[int, int] = (0, 1),
        **how: Any,
    ) -> None:
        """Read nothing yet.

        Args:
            data: The data set, or a part of a `Dataset.split`.
            batch_size: Decisions in a batch; the last ones of an epoch may be smaller.
            seed: Decides, with the epoch, the order; None: as they were played.
            workers: Processes that read; 0: the one that learns does.
            pin_memory: Whether batches lie in page-locked memory, from which a GPU copies faster;
                None: where there is one.
            part: This one of so many parts, for ranks that learn together: ``(rank, ranks)``.
            **how: ``columns``, ``scaling`` and ``transitions``, as `Dataset.batches` takes them.
        """
        self.epoch = 0
        self._data = instance(data, Dataset, "what is loaded is a Dataset", DatasetError)
        self._how = {"batch_size": batch_size, "part": part, **how}
        self._seed = None if seed is None else whole(seed, "seed")
        self._workers = whole(workers, "workers", 0)
        there_is_one = torch.cuda.is_available()
        self._pin = there_is_one if pin_memory is None else flag(pin_memory, "pin_memory")
        self._data.batches(**self._how)  # says now what is wrong

    def __iter__(self) -> Iterator[dict[str, Tensor]]:
        """Begin the next epoch: dicts of tensors by column, one row for each decision."""
        how = dict(self._how)
        if self._seed is not None:
            mixed = np.random.SeedSequence([self._seed, self.epoch])
            how["seed"] = int(mixed.generate_state(1)[0])
        self.epoch += 1
        batches = _TorchBatches(self._data, how)
        loader: DataLoader[dict[str, Tensor]] = DataLoader(
            batches, batch_size=None, num_workers=self._workers, pin_memory=self._pin
        )
        return iter(loader)


class _TorchBatches(IterableDataset[dict[str, Tensor]]):
    """One epoch, of which each process reads the row groups that fall to it."""

    def __init__(self, data: Dataset, how: dict[str, Any]) -> None:
        self._data = data
        self._how = how

    def __iter__(self) -> Iterator[dict[str, Tensor]]:
        how, worker = dict(self._how), get_worker_info()
        if worker is not None:
            part, parts = how["part"]
            how["part"] = (part + parts * worker.id, parts * worker.num_workers)
        for batch in self._data.batches(**how):
            yield {
                name: torch.from_numpy(np.ascontiguousarray(rows)) for name, rows in batch.items()
            }
