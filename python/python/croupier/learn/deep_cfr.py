"""Deep counterfactual regret minimisation.

Source: N. Brown, A. Lerer, S. Gross and T. Sandholm, "Deep Counterfactual Regret Minimization", ICML 2019. In each iteration the game is
walked by external sampling for each player in turn; a network learns the player's regrets from all iterations so
far, and regret matching on it gives the next strategy. The average of the strategies converges to an equilibrium in two-player
zero-sum games; a second network learns it from the other players' moves. Iterations are weighted linearly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import torch

from .._native import Game, load
from .net import Net
from .reservoir import Reservoir
from .space import Space
from .walks import Strategies, walk

#: What a network loses in rows of a memory.
_Loss = Callable[[Net, torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]

#: The power with which the weight of an iteration grows: linear CFR.
_WEIGHT = 1.0


@dataclass(frozen=True)
class DeepCfrSettings:
    """The amount of walking and learning.

    Parameters
    ----------
    walks : int
        Walks from the start of the game, for each player in each iteration.
    last : int, optional
        How many recent turns an observation distinguishes; by default as for `croupier.Observer`.
    hidden : tuple of int
        Units of each hidden layer.
    memory : int
        Samples kept for each network.
    batch, steps, policy_steps : int
        Rows per gradient step; steps to train an advantage network from scratch, and the policy.
    learning_rate : float
        Of Adam.
    """

    walks: int = 200
    last: int | None = None
    hidden: tuple[int, ...] = (64, 64)
    memory: int = 1_000_000
    batch: int = 1024
    steps: int = 200
    policy_steps: int = 1000
    learning_rate: float = 1e-3


class DeepCfr:
    """A run of Deep CFR. The game, the settings and the seed determine everything bit for bit, with the same torch and number of
    threads. It can be pickled between two iterations, and continues identically.

    Games are walked state by state, so an iteration costs some tens of microseconds a node: this is a method for games with few
    choices, for comparison with others.

    Parameters
    ----------
    game : Game or str
        A game, or the name of a bundled game. Its rules must be small enough for a network of gates.
    settings : DeepCfrSettings
    seed : int
    device : str or torch.device
        Where the networks compute; games are walked on the processor.

    Attributes
    ----------
    iterations, nodes : int
        The number of iterations, and of states walked through.

    Examples
    --------
    >>> from croupier.learn.deep_cfr import DeepCfr, DeepCfrSettings
    >>> run = DeepCfr("kuhn", DeepCfrSettings(walks=20, steps=10, policy_steps=10, last=0), seed=1)
    >>> [nodes > 0 for nodes in run.advance(2)]
    [True, True]
    >>> run.policy().space.roles
    ['alice', 'bob']
    """

    def __init__(
        self,
        game: Game | str,
        settings: DeepCfrSettings | None = None,
        seed: int = 0,
        device: str | torch.device = "cpu",
    ) -> None:
        self.device = torch.device(device)
        self.game = load(game) if isinstance(game, str) else game
        self.settings, self.seed = settings or DeepCfrSettings(), seed
        self.space = Space(self.game, self.settings.last)
        self._draws = np.random.default_rng(seed)
        sizes = self.settings.memory, self.space.inputs_count, self.space.outputs_count
        self._advantages = {role: Reservoir(*sizes, self._draws) for role in self.space.roles}
        self._choices = Reservoir(*sizes, self._draws)
        self._nets: dict[str, Net | None] = dict.fromkeys(self.space.roles)
        self.iterations = self.nodes = 0

    def advance(self, iterations: int) -> Iterator[int]:
        """Run this many iterations; yields the number of nodes that each of them walked through."""
        for _ in range(iterations):
            before = self.nodes
            self.iterations += 1
            for role in self.space.roles:
                self._iterate(role)
            yield self.nodes - before

    def _iterate(self, role: str) -> None:
        weight = float(self.iterations) ** _WEIGHT
        strategies = Strategies(self.space, self._nets)
        found = walk(self.game, role, self.settings.walks, strategies, self._draws)
        self.nodes += found.nodes
        self._advantages[role].add(*found.regrets, weight)
        self._choices.add(*found.choices, weight)
        if len(self._advantages[role]):
            self._nets[role] = self._learned(self._advantages[role], self.settings.steps, _regret_loss)

    def policy(self) -> Net:
        """The average strategy of all iterations so far, as a network; it is trained when this is called."""
        return self._learned(self._choices, self.settings.policy_steps, _policy_loss)

    def _learned(self, memory: Reservoir, steps: int, loss: _Loss) -> Net:
        """Train a new network on a memory."""
        generator = torch.Generator().manual_seed(int(self._draws.integers(2**62)))
        net = Net(self.space, self.settings.hidden, generator)
        net.to(self.device)
        optimizer = torch.optim.Adam(net.parameters(), lr=self.settings.learning_rate)
        for step in range(steps if len(memory) else 0):
            for group in optimizer.param_groups:
                group["lr"] = self.settings.learning_rate * (1 - step / steps)
            inputs, mask, target, weight = (rows.to(self.device) for rows in memory.batch(self.settings.batch))
            optimizer.zero_grad()
            torch.autograd.backward((weight * loss(net, inputs, mask, target)).mean())
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
        return net

    def __repr__(self) -> str:
        return f"<croupier.learn.DeepCfr in {self.game.name}: {self.iterations} iterations, {self.nodes} nodes>"


def _regret_loss(net: Net, inputs: torch.Tensor, mask: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """Squared differences from regrets, summed over legal moves: shape (N,)."""
    return ((net(inputs) - target) * mask).square().sum(1)


def _policy_loss(net: Net, inputs: torch.Tensor, mask: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """The cross entropy of strategies, which is minimal in expectation at their weighted mean: shape (N,)."""
    return -(target * net.log_probabilities(inputs, mask)).sum(1)
