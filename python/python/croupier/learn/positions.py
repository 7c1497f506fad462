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
        What each move turned out to be worth, by the results of those who chose it and by the critic; 0 for illegal ones.
    choices : ndarray of float32, shape (N,)
        How many choices of equal weight that comes from (the effective sample size); 0 where nobody has chosen since.
    """

    player: npt.NDArray[np.int64]
    observation: npt.NDArray[np.uint8]
    mask: npt.NDArray[np.bool_]
    worth: npt.NDArray[np.float32]
    choices: npt.NDArray[np.float32]

    @classmethod
    def of(cls, finished: Finished) -> Positions:
        """The information sets of choices whose matches have ended.

        Every move is worth what the critic says, on the average, and what those who chose it gained beyond that, on the average. The weights make hidden
        states as likely as they are under the policies of the others, and which of its moves a player chose tells nothing of them: so this is
        right whatever the critic says, where somebody has chosen the move. To divide each gain by the probability of the move, and take the mean over all
        choices, would be right as well, and far less exact for moves that are hardly ever chosen.
        """
        choices = finished.choices
        alike, weight = Alike.of(choices.player, choices.observation, choices.mask), choices.weight[:, None]
        chosen = choices.move[:, None] == np.arange(choices.mask.shape[1])
        first, weights, weights_of_moves = alike.first, alike.sums(weight), alike.sums(weight * chosen)
        gained = alike.sums(weight * chosen * finished.surprise[:, None]) / np.maximum(weights_of_moves, np.float32(1e-20))
        worth, count = alike.sums(weight * choices.worth) / weights + gained, np.square(weights) / alike.sums(np.square(weight))
        known = choices.player[first], choices.observation[first], choices.mask[first]
        return cls(*known, worth.astype(np.float32), count[:, 0].astype(np.float32))

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
