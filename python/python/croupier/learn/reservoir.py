"""A sample of bounded size from all rows that were added."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import torch


class Reservoir:
    """Rows of a network's inputs and targets: a uniform sample of all rows that were added.

    J. S. Vitter, "Random Sampling with a Reservoir", ACM Transactions on Mathematical Software 11(1), 1985: algorithm R.

    Parameters
    ----------
    capacity : int
        Maximum number of rows kept.
    inputs_count, outputs_count : int
        Columns of the network.
    draws : numpy.random.Generator
        The generator for sampling.
    """

    def __init__(self, capacity: int, inputs_count: int, outputs_count: int, draws: np.random.Generator) -> None:
        self._capacity, self._draws = capacity, draws
        self._sizes = inputs_count, outputs_count
        self._inputs = np.zeros((0, inputs_count), np.uint8)
        self._mask = np.zeros((0, outputs_count), np.bool_)
        self._target = np.zeros((0, outputs_count), np.float32)
        self._weight = np.zeros(0, np.float32)
        self.added = 0

    def __len__(self) -> int:
        return min(self.added, self._capacity)

    def add(
        self,
        inputs: npt.NDArray[np.uint8],
        mask: npt.NDArray[np.bool_],
        target: npt.NDArray[np.float32],
        weight: float,
    ) -> None:
        """Add rows.

        Parameters
        ----------
        inputs : ndarray of uint8, shape (N, inputs_count)
        mask : ndarray of bool, shape (N, outputs_count)
            Legal moves.
        target : ndarray of float32, shape (N, outputs_count)
        weight : float
            The weight of each row.
        """
        self._grow(len(inputs))
        for row in range(len(inputs)):
            place = self.added if self.added < self._capacity else int(self._draws.integers(self.added + 1))
            self.added += 1
            if place < self._capacity:
                self._inputs[place], self._mask[place] = inputs[row], mask[row]
                self._target[place], self._weight[place] = target[row], weight

    def _grow(self, more: int) -> None:
        rows = min(self._capacity, max(self.added + more, 1024))
        if rows <= len(self._weight):
            return
        rows = min(self._capacity, max(rows, 2 * len(self._weight)))

        def longer(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
            new = np.zeros((rows, *array.shape[1:]), array.dtype)
            new[: len(array)] = array
            return new

        self._inputs, self._mask = longer(self._inputs), longer(self._mask)
        self._target, self._weight = longer(self._target), longer(self._weight)

    def batch(self, size: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        """Rows drawn with replacement: inputs, mask, targets, and weights over the mean weight of all rows."""
        places = self._draws.integers(len(self), size=size)
        mean = self._weight[: len(self)].mean()
        return (
            torch.from_numpy(self._inputs[places]).float(),
            torch.from_numpy(self._mask[places]),
            torch.from_numpy(self._target[places]),
            torch.from_numpy(self._weight[places] / mean),
        )
