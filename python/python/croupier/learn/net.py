"""The networks of a run: a policy from what a player knows, and a critic from the true state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import torch
from torch import nn

from .losses import log_probabilities
from .networks import Network, network, perceptron
from .space import Space


class Net(nn.Module):
    """A policy that all players share: by default a multilayer perceptron with rectified linear units.

    Weights are orthogonal; those of the last layer are so small that the initial policy is almost uniform.

    Parameters
    ----------
    space : Space
        The meaning of inputs and outputs.
    hidden : sequence of int
        Units of each hidden layer.
    generator : torch.Generator, optional
        Generator for the initial weights; by default seeded with 0.
    kind : {'perceptron', 'recurrent', 'attention'} or callable
        A recurrent network reads the observed turns one after the other, and attention weighs them. A function makes a module of torch
        from the numbers of inputs and outputs.
    """

    def __init__(
        self,
        space: Space,
        hidden: Sequence[int] = (128, 128),
        generator: torch.Generator | None = None,
        kind: Network = "perceptron",
    ) -> None:
        super().__init__()
        self.space, self.hidden = space, tuple(hidden)
        self.layers = network(kind, space, self.hidden, generator)

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """Logits, without masking illegal moves, on the device of the network.

        Parameters
        ----------
        inputs : Tensor of float32, shape (N, inputs_count)

        Returns
        -------
        Tensor of float32, shape (N, outputs_count)
        """
        found: torch.Tensor = self.layers(inputs.to(device_of(self)))
        return found

    def log_probabilities(self, inputs: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Logarithms of the probabilities of moves, about -1e9 for illegal ones.

        Parameters
        ----------
        inputs : Tensor of float32, shape (N, inputs_count)
        mask : Tensor of bool, shape (N, outputs_count)
            True for legal moves; every row has at least one.

        Returns
        -------
        Tensor of float32, shape (N, outputs_count)
        """
        return log_probabilities(self(inputs), mask)


class Critic(nn.Module):
    """The value of each move for the player, in scaled rewards: a multilayer perceptron that sees the true state.

    It is used only during training. A player's choice must not depend on hidden information, but the evaluation of the choice
    may: a critic that sees all cards does not mistake luck for skill, so advantages have less variance.

    Parameters
    ----------
    space : Space
    states_count : int
        Fluents of the state.
    hidden, generator
        As for `Net`.
    """

    def __init__(
        self, space: Space, states_count: int, hidden: Sequence[int], generator: torch.Generator | None = None
    ) -> None:
        super().__init__()
        self.layers = perceptron([space.inputs_count + states_count, *hidden, space.outputs_count], 0.01, generator)

    def forward(self, inputs: torch.Tensor, state: torch.Tensor) -> torch.Tensor:
        """Values of moves; those of illegal moves are meaningless.

        Parameters
        ----------
        inputs : Tensor of float32, shape (N, inputs_count)
            The player's knowledge, as for the policy.
        state : Tensor of float32, shape (N, states_count)
            1 for the fluents that are true.

        Returns
        -------
        Tensor of float32, shape (N, outputs_count)
        """
        found: torch.Tensor = self.layers(torch.cat([inputs, state], 1).to(device_of(self)))
        return found


@contextmanager
def evaluating(module: nn.Module) -> Iterator[None]:
    """Dropout and batch normalisation of a module do what they do in a seat, and nothing is learned of what is seen meanwhile."""
    training = [part for part in module.modules() if part.training]
    module.eval()
    try:
        yield
    finally:
        for part in training:
            part.training = True


def device_of(module: nn.Module) -> torch.device:
    """Where a module computes; the processor if it has no weights."""
    parameter = next(module.parameters(), None)
    return torch.device("cpu") if parameter is None else parameter.device


@torch.no_grad()
def add_to_average(average: nn.Module, current: nn.Module, count: int, power: float) -> None:
    """Add the weights of the `count`-th network, from 1, to an average of all so far, in which the n-th has about the weight of a power of n.

    O. Shamir and T. Zhang, "Stochastic Gradient Descent for Non-smooth Optimization", ICML 2013: polynomial-decay averaging.
    """
    weight = (power + 1) / (count + power)
    for mean, tensor in zip(average.parameters(), current.parameters(), strict=True):
        mean.lerp_(tensor, weight)
