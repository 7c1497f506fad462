"""The input of an objective: choices, their probabilities, and what they gained."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
import torch

from .losses import of_moves
from .space import Space
from .trajectories import Finished


@dataclass(frozen=True)
class Batch:
    """Choices of finished matches, one per row.

    Attributes
    ----------
    inputs : Tensor of float32, shape (N, inputs_count)
        The player's knowledge.
    mask : Tensor of bool, shape (N, moves)
        The legal moves.
    move : Tensor of int64, shape (N,)
        The chosen move.
    chance : Tensor of float32, shape (N,)
        Its probability, exploration included.
    advantage : Tensor of float32, shape (N,)
        How much more it turned out to be worth than what the policy was expected to have.
    """

    inputs: torch.Tensor
    mask: torch.Tensor
    move: torch.Tensor
    chance: torch.Tensor
    advantage: torch.Tensor

    @classmethod
    def of(cls, space: Space, finished: Finished) -> Batch:
        """The tensors of choices whose matches have ended."""
        choices = finished.choices
        advantage = finished.outcome() - choices.expected_worth()
        return cls(
            space.inputs(choices.player, choices.observation),
            *(torch.from_numpy(array) for array in (choices.mask, choices.move, choices.chance, advantage.astype(np.float32))),
        )

    def rows(self, places: torch.Tensor) -> Batch:
        """Some of its rows; `places` is a Tensor of int64."""
        return Batch(*(getattr(self, field.name)[places] for field in fields(self)))

    def ratio(self, new: torch.Tensor) -> torch.Tensor:
        """The ratio of the moves' probabilities to those with which they were drawn: Tensor of shape (N,) from logarithms of shape (N, moves)."""
        return torch.exp(of_moves(new, self.move)) / self.chance

    def to(self, device: torch.device | str) -> Batch:
        """The same on another device."""
        return Batch(*(getattr(self, field.name).to(device) for field in fields(self)))

    def __len__(self) -> int:
        return len(self.move)
