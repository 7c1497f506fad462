"""Information sets in which choices were made, and what moves turned out to be worth there."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Self

import numpy as np
import numpy.typing as npt

from .alike import Alike
from .trajectories import Finished

#: How many results it takes for half of the weight that is given to their mean.
DOUBT = 5.0


@dataclass(frozen=True)
class Positions:
    """Information sets, one per row, none twice. Where observations do not tell two apart, legal moves may.

    Attributes
    ----------
    player : ndarray of int64, shape (N,)
        Who chooses.
    observation : ndarray of uint8, shape (N, features)
        What that player knows.
    mask : ndarray of bool, shape (N, moves)
        The legal moves.
    worth : ndarray of float32, shape (N, moves)
        The mean of what each move turned out to be worth, by the results where it was chosen and by the critic elsewhere; 0 for illegal ones.
    choices : ndarray of float32, shape (N,)
        How many choices that is the mean of; 0 where nobody has chosen since.
    """

    player: npt.NDArray[np.int64]
    observation: npt.NDArray[np.uint8]
    mask: npt.NDArray[np.bool_]
    worth: npt.NDArray[np.float32]
    choices: npt.NDArray[np.float32]

    @classmethod
    def of(cls, finished: Finished) -> Positions:
        """The information sets of choices whose matches have ended.

        With q the critic's values, a choice says of all moves that they are worth q, and of the chosen one

            q + (what it turned out to be worth - q) / probability of drawing it,

        whose mean is what the moves are worth, whatever the critic says; the better it is, the less variance there is.
        """
        choices = finished.choices
        worth = choices.worth.copy()
        worth[np.arange(len(choices)), choices.move] += finished.surprise / choices.chance
        alike = Alike.of(choices.player, choices.observation, choices.mask)
        first = alike.first
        return cls(choices.player[first], choices.observation[first], choices.mask[first], alike.means(worth), alike.counts())

    def with_earlier(self, earlier: Self | None, most: int) -> Positions:
        """These, and after them those of the earlier ones that are not among them, as if nobody had chosen there; no more than `most`, or these."""
        if earlier is None:
            return self
        behind = replace(earlier, worth=np.zeros_like(earlier.worth), choices=np.zeros_like(earlier.choices))
        both = Positions(*(np.concatenate([getattr(self, field.name), getattr(behind, field.name)]) for field in fields(self)))
        first = np.sort(Alike.of(both.player, both.observation, both.mask).first)
        return both.rows(first[: max(len(self), most)])

    def rows(self, places: npt.NDArray[np.int64]) -> Positions:
        """Some of its rows."""
        return Positions(*(getattr(self, field.name)[places] for field in fields(self)))

    def __len__(self) -> int:
        return len(self.player)
