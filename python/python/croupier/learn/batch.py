"""What objectives are given: choices that were made, how likely they were, and what came of them."""

from __future__ import annotations

from dataclasses import dataclass, fields

import torch

from .space import Space
from .trajectories import Finished


@dataclass(frozen=True)
class Batch:
    """Choices of matches that have ended, a row each.

    Attributes
    ----------
    inputs : Tensor of float32, shape (N, inputs_count)
        What the player knew.
    state : Tensor of float32, shape (N, fluents)
        What was true.
    mask : Tensor of bool, shape (N, moves)
        What was legal.
    move : Tensor of int64, shape (N,)
        What was played.
    chance : Tensor of float32, shape (N,)
        How likely that was, exploration included.
    old : Tensor of float32, shape (N, moves)
        Logarithms of the policy's probabilities, without exploration.
    worth : Tensor of float32, shape (N, moves)
        What moves were thought to be worth, less their mean under those probabilities; 0 for illegal ones.
    surprise : Tensor of float32, shape (N,)
        How much more the move that was played turned out to be worth.
    result : Tensor of float32, shape (N,)
        What it turned out to be worth.
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
            torch.from_numpy(choices.played_worth() + finished.surprise),
        )

    def rows(self, places: torch.Tensor) -> Batch:
        """Some of its rows; `places` is a Tensor of int64."""
        return Batch(*(getattr(self, field.name)[places] for field in fields(self)))

    def ratio(self, new: torch.Tensor) -> torch.Tensor:
        """How much likelier than when they were drawn the moves are: Tensor of shape (N,) from logarithms of shape (N, moves)."""
        return torch.exp(self.of_move(new)) / self.chance

    def of_move(self, by_move: torch.Tensor) -> torch.Tensor:
        """The entries of the moves that were played: Tensor of shape (N,) from one of shape (N, moves)."""
        return by_move.gather(1, self.move[:, None])[:, 0]

    def __len__(self) -> int:
        return len(self.move)
