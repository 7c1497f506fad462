"""Magnetic mirror descent, with a network that is fitted to the policy that each update aims for.

Source: S. Sokota, R. D'Orazio, J. Z. Kolter, N. Loizou, M. Lanctot, I. Mitliagkas, N. Brown and C. Kroer, "A Unified Approach to
Reinforcement Learning, Quantal Response Equilibria, and Two-Player Zero-Sum Games", ICLR 2023. Every update aims for

    max over policies p of  <p, Q> - temperature * KL(p, magnet) - KL(p, old) / step

in every information set. With a uniform magnet and a constant temperature it converges to a quantal response equilibrium, exponentially fast in
normal form; with a decreasing temperature, towards a Nash equilibrium. The maximum is known:

    log p = (log old + step * Q) / (1 + step * temperature)  and a constant.

The network's logits are fitted to it by least squares. A gradient of the maximum itself has two factors that this has not: how often a position
comes, so that rare ones would lag behind, and how likely a move is, so that one that is bad early on and nearly abandoned would never come back,
however good it becomes (D. Hennes et al., "Neural Replicator Dynamics", AAMAS 2020, drop the second). Bluffs with the worst hand are such moves.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from .losses import ILLEGAL
from .positions import DOUBT, Positions
from .schedule import annealed

#: The logarithm of the least probability that is aimed for; below it nothing changes what matches come to.
_LOWEST = -10.0


@dataclass(frozen=True)
class Targets:
    """What a network shall say in positions.

    Attributes
    ----------
    log_probabilities : Tensor of float32, shape (N, moves)
        The policy; 0 for illegal moves.
    weights : Tensor of float32, shape (N, moves)
        How much each of them counts: their sum is 1 in each row, or 0 where there is nothing to choose.
    """

    log_probabilities: torch.Tensor
    weights: torch.Tensor

    def to(self, device: torch.device | str) -> Targets:
        """The same on another device."""
        return Targets(self.log_probabilities.to(device), self.weights.to(device))

    def loss(self, logits: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
        """The mean over rows of the squares by which logits differ, whatever is added to all of a row.

        Parameters
        ----------
        logits : Tensor of float32, shape (K, moves)
        places : Tensor of int64, shape (K,)
            The rows that they are for.
        """
        weights = self.weights[places]
        differences = torch.where(weights > 0, logits - self.log_probabilities[places], 0.0)
        differences = differences - (weights * differences).sum(1, keepdim=True)
        return (weights * differences.square()).sum(1).mean()


@dataclass(frozen=True)
class Mmd:
    """Magnetic mirror descent with a uniform magnet.

    Parameters
    ----------
    temperature : float
        Weight of the divergence from the uniform policy, in nats, relative to rewards of standard deviation 1; at the first update.
    step : float
        Step size: the divergence from the policy that made the choices has the weight `1 / step`. At the first update, and where very many choices
        were made; where there were n, it is `n / (n + doubt)` of that.
    annealing : float
        At update t both are divided by `(1 + t / annealing) ** 0.5`.
    doubt : float
        How many choices it takes for half of the step.
    evenness : float
        A move counts by its probability, and at least as if it had this share of its probability in uniform play.
    """

    temperature: float = 0.15
    step: float = 0.5
    annealing: float = 30.0
    doubt: float = DOUBT
    evenness: float = 0.25

    name = "mmd"

    #: Share of uniform play in the moves that it learns from, if settings do not say.
    exploration = 0.25

    def targets(self, positions: Positions, old: torch.Tensor, update: int) -> Targets:
        """The policy that maximises the objective in each position.

        Parameters
        ----------
        positions : Positions
        old : Tensor of float32, shape (N, moves)
            Logarithms of the probabilities with which the choices were made, but for exploration.
        update : int
            Number of earlier updates.
        """
        mask, count = torch.from_numpy(positions.mask), torch.from_numpy(positions.choices)[:, None]
        temperature = annealed(self.temperature, self.annealing, update)
        step = annealed(self.step, self.annealing, update) * count / (count + self.doubt)
        aimed = (old + step * torch.from_numpy(positions.worth)) / (1 + step * temperature)
        logs = torch.log_softmax(aimed.masked_fill(~mask, ILLEGAL), 1).clamp(min=_LOWEST)
        legal = mask.sum(1, keepdim=True)
        weights = torch.maximum(logs.exp(), self.evenness / legal) * (mask & (legal > 1))
        return Targets(logs * mask, weights / weights.sum(1, keepdim=True).clamp(min=1e-9))
