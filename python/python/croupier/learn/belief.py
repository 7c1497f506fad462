"""Belief networks: from what a player knows to the probability of every fluent.

The network is shown what players knew in simulated matches, and learns from the true states with the logarithmic loss, which
is minimal in expectation if it gives the probability of each fluent given what the player knows. So it approximates the marginals of
`croupier.Belief`, if the others choose as they did in those matches, without enumerating anything.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from .._native import Game, View, load
from ..errors import CroupierError
from ..steps import Step
from ..vector import VectorEnv
from .checkpoint import load_state, save_state, write_whole
from .diverging import check_training, check_weights
from .exporting import Described, perceptron_contents
from .net import Net, add_to_average, device_of
from .networks import perceptron
from .schedule import annealed, folded
from .space import Space

#: The version of checkpoints.
BELIEF_FORMAT = "croupier-belief-run/1"

#: The power by which later weights count more in the average.
_AVERAGE = 3.0


class BeliefNet(nn.Module):
    """The probability of every fluent, given what a player knows.

    Parameters
    ----------
    space : Space
        The meaning of inputs.
    fluents : sequence of str
        The meaning of outputs, as fluents of the rules.
    hidden : sequence of int
        Units of each hidden layer.
    generator : torch.Generator, optional
        Generator for the initial weights.
    """

    def __init__(
        self,
        space: Space,
        fluents: Sequence[str],
        hidden: Sequence[int] = (128, 128),
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        self.space, self.fluents = space, list(fluents)
        self.layers = perceptron([space.inputs_count, *hidden, len(self.fluents)], 0.01, generator)

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """Logits of fluents: Tensor of float32, shape (N, fluents), from inputs of shape (N, inputs_count)."""
        found: torch.Tensor = self.layers(inputs.to(device_of(self)))
        return found

    def marginals(self, view: View) -> dict[str, float]:
        """The probability of each fluent for a player with this view; like `croupier.Belief.marginals`, which omits zeros.

        Raises
        ------
        CroupierError
            If the view is from another game.
        """
        if view.game.sha256 != self.space.game.sha256:
            raise CroupierError(f"the view is not from {self.space.game.name!r}, or from other rules")
        with torch.no_grad():
            probabilities = torch.sigmoid(self(self.space.of_views([view])))[0]
        return dict(zip(self.fluents, probabilities.tolist(), strict=True))

    def contents(self) -> bytes:
        """The content of the file that `export` writes: a `guide` for `croupier.Belief`.

        Raises
        ------
        CroupierError
            If the package `onnx` is missing.
        """
        metadata = self.space.metadata() | {"fluents": self.fluents}
        described = Described("observation", "logits", self.space.inputs_count, len(self.fluents), metadata)
        check_weights(self)
        return perceptron_contents(self.layers, described)

    def export(self, path: str | os.PathLike[str]) -> None:
        """Write the network to an ONNX file: `observation`, float32 [N, inputs], to `logits`, float32 [N, fluents], with the names of both under the key
        `croupier` of the metadata. An existing file is replaced once the new one is complete. `croupier belief --guide FILE` and `croupier.Belief` take it.

        Raises
        ------
        CroupierError
            If the package `onnx` is missing.
        OSError
            If the file cannot be written.
        """
        write_whole(path, self.contents())


class BeliefRun:
    """Trains a belief network on simulated matches. The seed determines everything, as for `Run`.

    Parameters
    ----------
    game : Game or str
        A game, or the name of a bundled game. Its rules must be small enough for a network of gates.
    player : Net, optional
        Plays the matches, in all seats; by default all moves are uniform.
    uniform_share : float
        Share of uniform choices mixed in, so that no move is impossible; `croupier.Belief` uses the same share.
    lanes : int
        Parallel matches; each step learns from every player in every lane, at one moment.
    last : int, optional
        How many recent turns an observation distinguishes; by default as for `croupier.Observer`.
    hidden : sequence of int
    device : str or torch.device
        Where the networks compute.
    learning_rate, annealing : float
        At step t it is `learning_rate / (1 + t / annealing) ** 0.5`.
    seed : int

    Attributes
    ----------
    net : BeliefNet
        The average of the weights over about the last quarter of the steps.
    steps : int
        The number of steps so far.

    Examples
    --------
    >>> from croupier.learn.belief import BeliefRun
    >>> run = BeliefRun("kuhn", lanes=64, last=0, seed=1)
    >>> [loss > 0 for loss in run.advance(2)]
    [True, True]
    """

    def __init__(
        self,
        game: Game | str,
        player: Net | None = None,
        *,
        uniform_share: float = 0.1,
        lanes: int = 512,
        last: int | None = None,
        hidden: Sequence[int] = (128, 128),
        learning_rate: float = 5e-3,
        annealing: float = 100.0,
        seed: int = 0,
        device: str | torch.device = "cpu",
    ) -> None:
        game = load(game) if isinstance(game, str) else game
        if player is not None and player.space.game.sha256 != game.sha256:
            raise CroupierError(f"the player was made for {player.space.game.name!r}, not for {game.name!r}")
        options: dict[str, Any] = {"lanes": lanes, "seed": seed, "parallel": False}
        self._player, self._share = player, uniform_share
        space = Space(game, last)
        self._known = VectorEnv(game, last=space.last, **options)
        self._truth = VectorEnv(game, observation="state", privileged=True, **options)
        # What the player is shown, where it tells apart other turns than the belief.
        self._shown = self._known if player is None else VectorEnv(game, last=player.space.last, **options)
        self._rate, self._annealing, self.steps = learning_rate, annealing, 0
        self._draws = np.random.default_rng(seed)
        fluents = self._truth.features[self._truth.roles[0]]
        self._learner = BeliefNet(space, fluents, hidden, torch.Generator().manual_seed(folded(seed))).to(device)
        self.net = copy.deepcopy(self._learner)
        self._optimizer = torch.optim.Adam(self._learner.parameters(), lr=learning_rate)

    def advance(self, steps: int) -> Iterator[float]:
        """Run this many steps; yields the loss of each, in nats per fluent."""
        for _ in range(steps):
            self._play()
            loss = self._learn()
            self.steps += 1
            check_training(self._learner, self.steps)
            add_to_average(self.net, self._learner, self.steps, _AVERAGE)
            yield loss

    def _play(self) -> None:
        """A move for every player with a choice."""
        actions = self._known.sample(self._draws)
        if self._player is not None:
            actions = drawn(self._player, self._shown.last_step, actions, self._share, self._draws)
        for env in {id(env): env for env in (self._known, self._truth, self._shown)}.values():
            env.step(actions)

    def _learn(self) -> float:
        """One optimizer step on the current moment of all lanes; returns the loss before it."""
        observation, state = self._known.last_step.observation, self._truth.last_step.observation
        lanes, players = observation.shape[:2]
        place = np.tile(np.arange(players), lanes)
        inputs = self.net.space.inputs(place, observation.reshape(lanes * players, -1))
        target = torch.from_numpy(state.reshape(lanes * players, -1)).float().to(device_of(self._learner))
        for group in self._optimizer.param_groups:
            group["lr"] = annealed(self._rate, self._annealing, self.steps)
        loss = nn.functional.binary_cross_entropy_with_logits(self._learner(inputs), target)
        self._optimizer.zero_grad()
        torch.autograd.backward(loss)
        self._optimizer.step()
        return float(loss.item())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a checkpoint: everything that the run depends on. An existing file is replaced once the new one is complete."""
        save_state(path, BELIEF_FORMAT, self.__dict__)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> BeliefRun:
        """Resume from a checkpoint, bit for bit. It is a pickle, which can run code: load only files that you trust.

        Raises
        ------
        CroupierError
            If the file is not a checkpoint of a `BeliefRun`.
        OSError
            If it cannot be read.
        """
        run = cls.__new__(cls)
        run.__dict__.update(load_state(path, BELIEF_FORMAT, "BeliefRun.save"))
        return run


def drawn(
    player: Net,
    step: Step,
    uniform: npt.NDArray[np.int32],
    uniform_share: float,
    draws: np.random.Generator,
) -> npt.NDArray[np.int32]:
    """Moves of a network for all choices of a step: ndarray of int32, shape (lanes, players); with a probability of `uniform_share` each is the one
    in `uniform` instead."""
    actions = np.zeros(step.acting.shape, np.int32)
    lane, place = np.nonzero(step.acting)
    inputs = player.space.inputs(place, step.observation[lane, place])
    with torch.no_grad():
        mask = torch.from_numpy(step.mask[lane, place] == 1)
        sums = player.log_probabilities(inputs, mask).exp().cumsum(1).cpu().numpy()
    # Never beyond the last legal move, where the sum has all but reached one.
    points = draws.random((len(lane), 1)) * sums[:, -1:]
    actions[lane, place] = (sums > points).argmax(1)
    is_uniform = draws.random(actions.shape) < uniform_share
    return np.where(is_uniform, uniform, actions)
