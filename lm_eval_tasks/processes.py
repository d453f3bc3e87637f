"""What the harness asks of a model that runs in several processes, over torch and gloo.

The harness deals the documents out by rank and gathers what each process found. Its
0.4.10 asks a model's `accelerator` for that, its 0.4.13 the model itself.
"""

from __future__ import annotations

import atexit
from typing import Any

import torch
from torch import distributed


class Processes:
    """The processes that torchrun or accelerate started, on the CPU."""

    device = torch.device("cpu")

    def __init__(self) -> None:
        if not distributed.is_initialized():
            distributed.init_process_group("gloo")
            atexit.register(distributed.destroy_process_group)
        self.rank = distributed.get_rank()
        self.size = distributed.get_world_size()

    def gather(self, tensor: torch.Tensor) -> torch.Tensor:
        """Return the tensors of every process, by rank, in one of one dimension."""
        tensors = [torch.zeros_like(tensor) for _ in range(self.size)]
        distributed.all_gather(tensors, tensor)
        return torch.stack(tensors).flatten()

    def collect(self, value: Any, rank: int) -> list[Any] | None:
        """Return the values of every process on one of them, `None` on the others."""
        values = [None] * self.size if self.rank == rank else None
        distributed.gather_object(value, values, dst=rank)
        return values

    def wait_for_everyone(self) -> None:
        """Wait until every process is here."""
        distributed.barrier()
