"""Magnetic mirror descent, as an objective for networks.

Source: S. Sokota, R. D'Orazio, J. Z. Kolter, N. Loizou, M. Lanctot, I. Mitliagkas, N. Brown and C. Kroer, "A Unified Approach to
Reinforcement Learning, Quantal Response Equilibria, and Two-Player Zero-Sum Games", ICLR 2023. Every update wants

    max over policies p of  <p, Q> - temperature * KL(p, magnet) - KL(p, old) / step size

With a uniform magnet and a temperature that stays, it converges to a quantal response equilibrium, exponentially fast in
normal form; with one that falls, towards a Nash equilibrium. A few epochs of gradient steps take the place of the maximum, as in
PPO, and <p, Q> is estimated by what the critic says of all moves, corrected for the move that was played:

    <p, q> + p(move) / old(move) * (what it turned out to be worth - q(move))

which is right on average whatever the critic says, and has less noise the more it knows.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from .batch import Batch
from .schedule import annealed


@dataclass(frozen=True)
class Mmd:
    """The objective of magnetic mirror descent with a uniform magnet.

    Parameters
    ----------
    temperature : float
        Weight of the divergence from the uniform policy, in nats, beside rewards of standard deviation 1; at the first update.
    step : float
        Step size: the divergence from the policy that made the choices weighs `1 / step`. At the first update.
    annealing : float
        At update t both are divided by `(1 + t / annealing) ** 0.5`.
    """

    temperature: float = 0.3
    step: float = 0.5
    annealing: float = 30.0

    name = "mmd"

    def loss(self, new: torch.Tensor, batch: Batch, update: int) -> torch.Tensor:
        """What is minimised.

        Parameters
        ----------
        new : Tensor of float32, shape (N, moves)
            Logarithms of the network's probabilities.
        batch : Batch
        update : int
            Updates before this one.
        """
        probabilities = new.exp()
        ratio = torch.exp(batch.of_move(new - batch.old))
        gained = (probabilities * batch.worth).sum(1) + ratio * batch.surprise
        # The divergence from uniform but for a constant; illegal moves have the probability 0 in both policies.
        from_magnet = (probabilities * new).sum(1)
        from_old = (probabilities * (new - batch.old)).sum(1)
        temperature = annealed(self.temperature, self.annealing, update)
        step = annealed(self.step, self.annealing, update)
        return (-gained + temperature * from_magnet + from_old / step).mean()
