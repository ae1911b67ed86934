"""One run by several processes at once, on one machine or many: data-parallel learning.

Each process is a rank and plays games of its own. Before every step of the optimizer the ranks
average their gradients, so that all make the same step and hold the same weights at all times (the
way of DD-PPO, Wijmans et al. 2020). What only one can decide or write is up to rank 0. A process
that is alone is rank 0 of one, and all of this costs it nothing.

`torchrun` starts the ranks and tells each who it is. They talk through gloo, and through NCCL about
what lies on GPUs.
"""

import atexit
import datetime
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import distributed, nn

from prico_env.errors import PricoError
from prico_training.errors import ConfigError
from prico_training.parent import end_with_parent

_PATIENCE: Final = datetime.timedelta(hours=2)
"""How long a rank waits for the others: rank 0 alone measures how well is played."""
_REST_SECONDS: Final = 0.2
"""Time for a thread to come to rest."""
_TOLD: Final = ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT")
"""Names in the environment by which `torchrun` tells a process who it is."""

T = TypeVar("T")


class Ranks:
    """The processes of a run, as one of them sees them. Everything here is done by all at once.

    Attributes:
        rank: Which one this is.
        size: How many there are.
    """

    def __init__(self, rank: int = 0, size: int = 1) -> None:
        """Take a place among processes that are connected already."""
        self.rank = rank
        self.size = size

    @classmethod
    def join(cls) -> "Ranks":
        """Connect with the others if `torchrun` started this process; else be alone.

        The connection lasts as long as the process: it can be made only once.
        """
        if any(name not in os.environ for name in _TOLD):
            return ALONE
        if not distributed.is_initialized():
            if "TORCHELASTIC_RUN_ID" in os.environ:  # the parent is torchrun, not some shell
                end_with_parent(os.getppid())
            _connect()
        return cls(distributed.get_rank(), distributed.get_world_size())

    @property
    def is_first(self) -> bool:
        """Whether this is the one that writes files and talks to people."""
        return self.rank == 0

    def refuse_to_share(self, device: torch.device) -> None:
        """Refuse to let two ranks compute on one GPU.

        Raises:
            ConfigError: There are fewer GPUs here than ranks.
        """
        gpus = torch.cuda.device_count()
        if self.size > 1 and device.type == "cuda" and _local_rank() >= gpus:
            raise ConfigError(
                f"each rank needs a GPU of its own, and this machine has {gpus}; start as many "
                "ranks, or set device=cpu"
            )

    # -- numbers -----------------------------------------------------------------------------------

    def all_reduce_gradients(self, network: nn.Module) -> None:
        """Replace gradients by their mean over all ranks (an all-reduce)."""
        if self.size == 1:
            return
        parameters = list(network.parameters())
        gradients = [torch.zeros_like(p) if p.grad is None else p.grad for p in parameters]
        together = torch.cat([gradient.reshape(-1) for gradient in gradients])
        distributed.all_reduce(together)
        together /= self.size
        parts = torch.split(together, [p.numel() for p in parameters])
        for parameter, part in zip(parameters, parts, strict=True):
            parameter.grad = part.view_as(parameter)

    def broadcast_weights(self, network: nn.Module) -> None:
        """Give all ranks the weights and buffers of rank 0."""
        if self.size > 1:
            for tensor in network.state_dict().values():
                distributed.broadcast(tensor, src=0)

    def sum(self, numbers: ArrayLike) -> NDArray[np.float64]:
        """Add numbers up over all ranks."""
        own = np.array(numbers, np.float64)
        if self.size > 1:
            distributed.all_reduce(torch.from_numpy(own))
        return own

    def any(self, holds: bool) -> bool:
        """Whether it holds for any rank."""
        return bool(self.sum(float(holds)) > 0)

    # -- objects -----------------------------------------------------------------------------------

    def broadcast(self, value: T) -> T:
        """Return the value of rank 0 to all."""
        values = [value]
        if self.size > 1:
            distributed.broadcast_object_list(values, src=0)
        return values[0]

    def by_first(self, work: Callable[[], T]) -> T:
        """Have rank 0 do something, and return to all what came of it.

        Raises:
            PricoError: What rank 0 was refused.
        """
        outcome: T | PricoError
        if not self.is_first:
            outcome = self.broadcast(None)  # type: ignore[assignment]
        else:
            try:
                outcome = work()
            except PricoError as error:
                outcome = error
            outcome = self.broadcast(outcome)
        if isinstance(outcome, PricoError):
            raise outcome
        return outcome

    def gather(self, value: T) -> list[T]:
        """Return the values of all ranks in their order to rank 0; nothing to the others."""
        if self.size == 1:
            return [value]
        values: list[Any] | None = [None] * self.size if self.is_first else None
        distributed.gather_object(value, values, dst=0)
        return values or []


ALONE: Final = Ranks()
"""A run by one process."""


def start_ranks(number: int, words: Sequence[str]) -> None:
    """Become `torchrun` with so many ranks on this machine; does not return.

    Args:
        number: How many.
        words: What stands after `prico`.
    """
    torchrun = ["-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={number}"]
    command = [sys.executable, *torchrun, "-m", "prico_training", *words]
    if sys.platform == "win32":  # there a program that becomes another one ends for its terminal
        sys.exit(subprocess.run(command, check=False).returncode)
    os.execv(sys.executable, command)


def _connect() -> None:
    gpus = torch.cuda.device_count()
    if gpus:
        torch.cuda.set_device(_local_rank() % gpus)
    distributed.init_process_group("cpu:gloo,cuda:nccl" if gpus else "gloo", timeout=_PATIENCE)
    atexit.register(_leave)


def _leave() -> None:
    """Disconnect, and let torch's threads let go of what they were told last.

    One that lets go of a tensor of NumPy's while the interpreter shuts down aborts the process.
    """
    distributed.destroy_process_group()
    time.sleep(_REST_SECONDS)


def _local_rank() -> int:
    return int(os.environ.get("LOCAL_RANK", "0"))
