"""Magnetic mirror descent, as an objective for networks.

Source: S. Sokota, R. D'Orazio, J. Z. Kolter, N. Loizou, M. Lanctot, I. Mitliagkas, N. Brown and C. Kroer, "A Unified Approach to
Reinforcement Learning, Quantal Response Equilibria, and Two-Player Zero-Sum Games", ICLR 2023. Every update aims for

    max over policies p of  <p, Q> - temperature * KL(p, magnet) - KL(p, old) / step size

With a uniform magnet and a constant temperature it converges to a quantal response equilibrium, exponentially fast in
normal form; with a decreasing temperature, towards a Nash equilibrium. A few epochs of gradient steps replace the maximum, as in
PPO, and <p, Q> is estimated from the critic's values of all moves, corrected for the chosen move:

    <p, q> + p(move) / probability of drawing it * (the value it turned out to have - q(move))

which is unbiased whatever the critic's values are, and has less variance the better they are.

The gradient of this with respect to a logit is proportional to the probability of the move. So a move that is bad early on and
nearly abandoned would never come back, however good it becomes: bluffs with the worst hand are such moves. The exact maximum has no
such factor. So the logits of moves that are far less likely than in uniform play are updated as if they were more likely, as in
D. Hennes et al., "Neural Replicator Dynamics", AAMAS 2020; their values there come from the critic, which learns them through
exploration.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from .batch import Batch
from .schedule import annealed

#: How far the difference in worth counts by which a move is pushed that is hardly played, in standard deviations of results.
_PUSH_MAX = 1.0

#: The logarithm of a probability below which no move is pushed further down.
_LOWEST = -8.0


@dataclass(frozen=True)
class Mmd:
    """The objective of magnetic mirror descent with a uniform magnet.

    Parameters
    ----------
    temperature : float
        Weight of the divergence from the uniform policy, in nats, relative to rewards of standard deviation 1; at the first update.
    step : float
        Step size: the divergence from the policy that made the choices has the weight `1 / step`. At the first update.
    annealing : float
        At update t both are divided by `(1 + t / annealing) ** 0.5`.
    revival : float
        Moves that are less likely than this share of their probability in uniform play are updated as if they had it; 0 uses the plain
        gradient.
    """

    temperature: float = 0.3
    step: float = 0.5
    annealing: float = 30.0
    revival: float = 0.25

    name = "mmd"

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
        probabilities = new.exp()
        gained = (probabilities * batch.worth).sum(1) + batch.ratio(new) * batch.surprise
        # The divergence from uniform but for a constant; illegal moves have the probability 0 in both policies.
        from_magnet = (probabilities * new).sum(1)
        from_old = (probabilities * (new - batch.old)).sum(1)
        temperature = annealed(self.temperature, self.annealing, update)
        step = annealed(self.step, self.annealing, update)
        revived = self._revived(new, batch, temperature) if self.revival > 0 else 0.0
        return (-gained - revived + temperature * from_magnet + from_old / step).mean()

    def _revived(self, new: torch.Tensor, batch: Batch, temperature: float) -> torch.Tensor:
        """The term that pushes the logits of rarely played moves: Tensor of float32, shape (N,)."""
        count = batch.mask.sum(1, keepdim=True)
        with torch.no_grad():
            probabilities = new.exp()
            lacking = (self.revival / count - probabilities).clamp(min=0) * batch.mask
            worth = (batch.worth - temperature * new) * batch.mask
            advantage = (worth - (probabilities * worth).sum(1, keepdim=True)).clamp(-_PUSH_MAX, _PUSH_MAX)
            # Nothing is pushed down without end.
            force = lacking * advantage * ((new > _LOWEST) | (advantage > 0))
        mean = (new * batch.mask).sum(1, keepdim=True) / count
        return (force * (new - mean)).sum(1)
