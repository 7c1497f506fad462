"""From what a player knows to numbers: perceptrons, and networks that read an observation turn by turn.

An observation of `percepts` says of each own move and percept whether it has ever occurred, and then, turn by turn from the latest back, whether it
occurred in that turn. A perceptron takes all of that as one row. A recurrent network reads the turns one after the other, the oldest first, and
attention weighs them all: what they learn of a percept in one turn they know of it in every other. All are made of operators that a seat
computes (`learn.export`).

Sources: K. Cho et al., "Learning Phrase Representations using RNN Encoder-Decoder", EMNLP 2014 (gated recurrent units); A. Vaswani et al.,
"Attention Is All You Need", NeurIPS 2017.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Literal

import torch
from torch import nn

from ..errors import CroupierError
from .space import Space

#: A network: one of those of this module, or a function from the numbers of inputs and outputs to a module of torch.
Network = Literal["perceptron", "recurrent", "attention"] | Callable[[int, int], nn.Module]

#: How many turns attention weighs at once, each for a reason of its own.
_HEADS = 4


def network(kind: Network, space: Space, hidden: Sequence[int], generator: torch.Generator | None) -> nn.Module:
    """A network for the inputs and outputs of a space.

    Parameters
    ----------
    kind : {'perceptron', 'recurrent', 'attention'} or callable
    space : Space
    hidden : sequence of int
        Units of each hidden layer; of `recurrent` and `attention` the first are those of the state, or of what is told from each turn.
    generator : torch.Generator, optional
        What weights are drawn from; by default seeded with 0.

    Raises
    ------
    CroupierError
        If there is no network of that name, or it reads turns and observations distinguish none.
    """
    generator = generator or torch.Generator().manual_seed(0)
    if callable(kind):
        # Modules of others draw from the generator of the process, which is left as it was.
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(int(torch.randint(2**62, (), generator=generator)))
            return kind(space.inputs_count, space.outputs_count)
    if kind == "perceptron":
        return perceptron([space.inputs_count, *hidden, space.outputs_count], 0.01, generator)
    made = {"recurrent": RecurrentNet, "attention": AttentionNet}.get(kind)
    if made is None:
        raise CroupierError(f"there is no network {kind!r}: it is perceptron, recurrent or attention, or a function that makes a module")
    return made(space, hidden, generator)


def linear(before: int, after: int, gain: float, generator: torch.Generator, bias: bool = True) -> nn.Linear:
    """A linear layer with orthogonal weights times a gain, drawn from a generator."""
    # Not `nn.Linear(..)`, which draws from the generator of the process.
    layer = nn.utils.skip_init(nn.Linear, before, after, bias=bias)
    nn.init.orthogonal_(layer.weight, gain, generator=generator)
    if bias:
        nn.init.zeros_(layer.bias)
    return layer


def perceptron(sizes: Sequence[int], last_gain: float, generator: torch.Generator | None) -> nn.Sequential:
    """Linear layers of these sizes with rectified linear units in between; their weights are orthogonal, the last times a gain."""
    generator = generator or torch.Generator().manual_seed(0)
    layers: list[nn.Module] = []
    for place, (before, after) in enumerate(zip(sizes, sizes[1:], strict=False)):
        is_last = place == len(sizes) - 2
        layer = linear(before, after, last_gain if is_last else math.sqrt(2), generator)
        layers += [layer] if is_last else [layer, nn.ReLU()]
    return nn.Sequential(*layers)


class TurnReader(nn.Module):
    """What a layer makes of each part of an observation: of what has ever occurred, and of each turn.

    Players whose observations have other widths have weights of their own, as their columns mean something else.

    Parameters
    ----------
    space : Space
    units : int
        Numbers of each part that is read.
    parts : range
        Which parts: 0 is what has ever occurred, n the n-th turn back.
    generator : torch.Generator
    """

    def __init__(self, space: Space, units: int, parts: range, generator: torch.Generator) -> None:
        super().__init__()
        self.players, self.parts = len(space.roles), parts
        widths = [len(space.features[role]) // (1 + space.last) for role in space.roles]
        self.widths = sorted(set(widths))
        self.layers = nn.ModuleList(linear(width, units, math.sqrt(2), generator) for width in self.widths)
        # By width, which players have it.
        self.register_buffer("have", torch.tensor([[float(width == own) for own in widths] for width in self.widths]))

    have: torch.Tensor

    def forward(self, inputs: torch.Tensor) -> list[torch.Tensor]:
        """By part, Tensor of float32, shape (N, units), from inputs of shape (N, inputs_count)."""
        found = []
        for part in self.parts:
            read = []
            for width, layer in zip(self.widths, self.layers, strict=True):
                begin = self.players + part * width
                read.append(layer(inputs[:, begin : begin + width]))
            found.append(read[0] if len(read) == 1 else self._own(inputs, read))
        return found

    def _own(self, inputs: torch.Tensor, read: Sequence[torch.Tensor]) -> torch.Tensor:
        """What the layer of the player's own width says."""
        player = inputs[:, : self.players]
        own = [nn.functional.linear(player, self.have[place : place + 1]) * one for place, one in enumerate(read)]
        total = own[0]
        for one in own[1:]:
            total = total + one
        return total


class TurnNet(nn.Module):
    """What networks that read turns share: how they begin, with what has ever occurred and whose choice it is, and the perceptron that decides.

    Parameters
    ----------
    space : Space
    hidden : sequence of int
        Units of what they begin with, and of each layer of the perceptron.
    generator : torch.Generator

    Raises
    ------
    CroupierError
        If observations distinguish no turns.
    """

    def __init__(self, space: Space, hidden: Sequence[int], generator: torch.Generator) -> None:
        super().__init__()
        self.units, *rest = _checked(space, hidden)
        self.players = len(space.roles)
        self.begin = TurnReader(space, self.units, range(1), generator)
        self.player = linear(self.players, self.units, 1.0, generator, bias=False)
        self.decide = perceptron([self.units, *rest, space.outputs_count], 0.01, generator)

    def begun(self, inputs: torch.Tensor) -> torch.Tensor:
        """Tensor of float32 of shape (N, units) from one of shape (N, inputs_count)."""
        (ever,) = self.begin(inputs)
        found: torch.Tensor = ever + self.player(inputs[:, : self.players])
        return found


class RecurrentNet(TurnNet):
    """Gated recurrent units over the turns, which begin with what has ever occurred and end with the latest turn; a perceptron decides.

    The first of the hidden units are those of the state.
    """

    def __init__(self, space: Space, hidden: Sequence[int], generator: torch.Generator) -> None:
        super().__init__(space, hidden, generator)
        self.turns = TurnReader(space, 3 * self.units, range(space.last, 0, -1), generator)
        self.state = linear(self.units, 3 * self.units, 1.0, generator)

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """Tensor of float32 of shape (N, outputs_count) from one of shape (N, inputs_count)."""
        units, state = self.units, torch.tanh(self.begun(inputs))
        for told in self.turns(inputs):
            kept = self.state(state)
            renewed = torch.sigmoid(told[:, :units] + kept[:, :units])
            recalled = torch.sigmoid(told[:, units : 2 * units] + kept[:, units : 2 * units])
            candidate = torch.tanh(told[:, 2 * units :] + recalled * kept[:, 2 * units :])
            state = state + renewed * (candidate - state)
        decided: torch.Tensor = self.decide(state)
        return decided


class AttentionNet(TurnNet):
    """What has ever occurred asks, and every turn answers as far as it has to do with the question; a perceptron decides.

    The first of the hidden units are those of questions and answers, of all heads together.
    """

    def __init__(self, space: Space, hidden: Sequence[int], generator: torch.Generator) -> None:
        super().__init__(space, hidden, generator)
        units, heads = self.units, math.gcd(self.units, _HEADS)
        self.each = units // heads
        self.turns = TurnReader(space, units, range(1, space.last + 1), generator)
        # Turns with the same percepts differ by how long ago they were.
        self.ages = nn.Parameter(torch.randn((space.last, units), generator=generator) * 0.1)

        def of_heads() -> nn.ModuleList:
            return nn.ModuleList(linear(units, self.each, 1.0, generator) for _ in range(heads))

        self.questions, self.keys, self.answers = of_heads(), of_heads(), of_heads()
        self.together = linear(units, units, 1.0, generator)

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """Tensor of float32 of shape (N, outputs_count) from one of shape (N, inputs_count)."""
        asks = torch.relu(self.begun(inputs))
        turns = [torch.relu(turn + self.ages[place]) for place, turn in enumerate(self.turns(inputs))]
        heard = [self._heard(head, asks, turns) for head in range(len(self.keys))]
        decided: torch.Tensor = self.decide(torch.relu(asks + self.together(torch.cat(heard, 1))))
        return decided

    def _heard(self, head: int, asks: torch.Tensor, turns: Sequence[torch.Tensor]) -> torch.Tensor:
        """The answers of the turns to one question, each as far as it fits."""
        question = self.questions[head](asks) / math.sqrt(self.each)
        fits = torch.cat([(question * self.keys[head](turn)).sum(1, keepdim=True) for turn in turns], 1)
        shares = torch.softmax(fits, 1)
        answers = [shares[:, place : place + 1] * self.answers[head](turn) for place, turn in enumerate(turns)]
        total = answers[0]
        for answer in answers[1:]:
            total = total + answer
        return total


def _checked(space: Space, hidden: Sequence[int]) -> Sequence[int]:
    if space.last < 1:
        raise CroupierError("observations distinguish no turns that a network could read one by one: give `last` (--last) at least 1")
    if not hidden:
        raise CroupierError("a network that reads turns needs a hidden layer")
    return hidden
