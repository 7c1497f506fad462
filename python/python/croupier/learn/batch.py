"""The input of objectives: choices, their probabilities, and their results."""

from __future__ import annotations

from dataclasses import dataclass, fields

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
    state : Tensor of float32, shape (N, fluents)
        The true state.
    mask : Tensor of bool, shape (N, moves)
        The legal moves.
    move : Tensor of int64, shape (N,)
        The chosen move.
    chance : Tensor of float32, shape (N,)
        Its probability, exploration included.
    old : Tensor of float32, shape (N, moves)
        Logarithms of the policy's probabilities, without exploration.
    worth : Tensor of float32, shape (N, moves)
        Estimated values of the moves, minus their mean under those probabilities; 0 for illegal ones.
    surprise : Tensor of float32, shape (N,)
        How much higher the value of the chosen move turned out than estimated.
    result : Tensor of float32, shape (N,)
        The value that it turned out to have.
    """

    inputs: torch.Tensor
    state: torch.Tensor
    mask: torch.Tensor
    move: torch.Tensor
    chance: torch.Tensor
    old: torch.Tensor
    worth: torch.Tensor
    surprise: torch.Tensor
    result: torch.Tensor

    @classmethod
    def of(cls, space: Space, finished: Finished) -> Batch:
        """The tensors of choices whose matches have ended."""
        choices = finished.choices
        worth = (choices.worth - choices.expected_worth()[:, None]) * choices.mask
        return cls(
            space.inputs(choices.player, choices.observation),
            torch.from_numpy(choices.state).float(),
            torch.from_numpy(choices.mask),
            torch.from_numpy(choices.move),
            torch.from_numpy(choices.chance),
            torch.from_numpy(choices.log_probabilities),
            torch.from_numpy(worth),
            torch.from_numpy(finished.surprise),
            torch.from_numpy(finished.outcome()),
        )

    def rows(self, places: torch.Tensor) -> Batch:
        """Some of its rows; `places` is a Tensor of int64."""
        return Batch(*(getattr(self, field.name)[places] for field in fields(self)))

    def ratio(self, new: torch.Tensor) -> torch.Tensor:
        """The ratio of the moves' probabilities to those with which they were drawn: Tensor of shape (N,) from logarithms of shape (N, moves)."""
        return torch.exp(self.of_move(new)) / self.chance

    def of_move(self, by_move: torch.Tensor) -> torch.Tensor:
        """The entries of the chosen moves: Tensor of shape (N,) from one of shape (N, moves)."""
        return of_moves(by_move, self.move)

    def to(self, device: torch.device | str) -> Batch:
        """The same on another device."""
        return Batch(*(getattr(self, field.name).to(device) for field in fields(self)))

    def __len__(self) -> int:
        return len(self.move)
