"""Proximal policy optimisation.

Sources: J. Schulman, F. Wolski, P. Dhariwal, A. Radford and O. Klimov, "Proximal Policy Optimization Algorithms", 2017: the
clipped objective. M. Rudolph et al., "Reevaluating Policy Gradient Methods for Imperfect-Information Games", 2025: with much
more entropy than usual it is competitive with methods designed for hidden information.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from .batch import Batch
from .losses import clipped_gain, entropy
from .schedule import annealed


@dataclass(frozen=True)
class Ppo:
    """The clipped objective, with an entropy bonus.

    Parameters
    ----------
    clip : float
        Relative change of a move's probability beyond which it is no longer pushed.
    entropy : float
        Weight of the entropy, in nats, relative to rewards of standard deviation 1; at the first update. Advantages are not
        normalised by their own deviation: near an equilibrium they are almost pure noise, which would drown the entropy bonus.
    annealing : float
        The weight at update t is `entropy / (1 + t / annealing) ** 0.5`.
    """

    clip: float = 0.2
    entropy: float = 0.3
    annealing: float = 30.0

    name = "ppo"

    def loss(self, new: torch.Tensor, batch: Batch, update: int) -> torch.Tensor:
        """The loss to minimise.

        Parameters
        ----------
        new : Tensor of float32, shape (N, moves)
            Logarithms of the network's probabilities.
        batch : Batch
        update : int
            Number of earlier updates.
        """
        ratio = batch.ratio(new)
        advantage = batch.of_move(batch.worth) + batch.surprise
        gained = clipped_gain(ratio, advantage, self.clip)
        return -gained - annealed(self.entropy, self.annealing, update) * entropy(new)
