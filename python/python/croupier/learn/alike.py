"""Rows that are alike, so that what is the same is computed once.

In many games few things happen often: sixteen thousand choices of phantom tic-tac-toe are made in fifteen hundred information sets. A network is
asked once for each of them, and what was found out in all of them together is learned once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

#: An odd number by which words are mixed: 2**64 over the golden ratio.
_MIXER = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class Alike:
    """Which rows of a table are equal.

    Attributes
    ----------
    first : ndarray of int64, shape (K,)
        For each kind of row, where it occurs first.
    kind : ndarray of int64, shape (N,)
        The kind of each row.
    """

    first: npt.NDArray[np.int64]
    kind: npt.NDArray[np.int64]

    @classmethod
    def of(cls, *columns: npt.NDArray[np.generic]) -> Alike:
        """The kinds of rows.

        Parameters
        ----------
        columns : ndarrays of whole numbers or truth values, shape (N,) or (N, any)
            Next to each other they are the rows.
        """
        words = np.concatenate([_words(column) for column in columns], 1)
        key = np.zeros(len(words), np.uint64)
        for word in words.T:
            key = (key ^ word) * _MIXER
            key ^= key >> np.uint64(29)
        _, first, kind = np.unique(key, return_index=True, return_inverse=True)
        if not np.array_equal(words[first][kind], words):
            # Rows that differ had the same key, which has hardly ever happened to anybody: then none is taken to be like another.
            first = kind = np.arange(len(words))
        return cls(first, kind)

    def counts(self) -> npt.NDArray[np.float32]:
        """How many rows are of each kind: float32, shape (K,)."""
        return np.bincount(self.kind, minlength=len(self)).astype(np.float32)

    def means(self, numbers: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """The mean over the rows of each kind: float32 of shape (K,) or (K, M) from (N,) or (N, M)."""
        columns = numbers.reshape(len(self.kind), -1).T
        sums = np.stack([np.bincount(self.kind, column, len(self)) for column in columns], 1)
        found: npt.NDArray[np.float32] = (sums / self.counts()[:, None]).astype(np.float32)
        return found.reshape(len(self), *numbers.shape[1:])

    def __len__(self) -> int:
        """The number of kinds."""
        return len(self.first)


def _words(column: npt.NDArray[np.generic]) -> npt.NDArray[np.uint64]:
    """The same rows as words, with zeros behind them: shape (N, any)."""
    flat = np.ascontiguousarray(column).reshape(len(column), math.prod(column.shape[1:])).view(np.uint8)
    spare = -flat.shape[1] % 8
    return np.ascontiguousarray(np.pad(flat, ((0, 0), (0, spare)))).view(np.uint64)
