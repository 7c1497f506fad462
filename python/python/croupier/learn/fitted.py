"""Magnetic mirror descent without a gradient of its objective: a network is fitted to the policy that each update aims for.

Where information sets come again and again, what their moves are worth can be averaged, and the maximum of `mmd` is known in each of them:

    log p = (log old + step * Q) / (1 + step * temperature)  and a constant.

The network's logits are fitted to it by least squares. A gradient of the objective has two factors that this has not: how often a position
comes, so that rare ones lag behind, and how likely a move is, so that one that is bad early on and nearly abandoned would never come back,
however good it becomes (D. Hennes et al., "Neural Replicator Dynamics", AAMAS 2020, drop the second). Bluffs with the worst hand are such moves.

Whatever is alike is computed once, so there can be many matches.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch

from .._native import Game
from .alike import Alike
from .losses import ILLEGAL, of_moves
from .networks import Network
from .positions import DOUBT, Positions
from .run import Run, Settings
from .schedule import annealed
from .trajectories import Finished

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
class Fit:
    """Magnetic mirror descent with a uniform magnet, whose policies a network is fitted to.

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

    name = "fit"

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


@dataclass(frozen=True)
class FitSettings(Settings):
    """The sampling and update settings of a `FittedRun`; those of `Settings`, of which `epochs` and `minibatches` do not matter here.

    Parameters
    ----------
    annealing : float
        At update t the learning rate is `learning_rate / (1 + t / annealing) ** 0.5`.
    exploration : float
        Share of uniform play that one player of each match mixes into its moves, from beginning to end. It shows what moves are worth
        that the policy has abandoned, and how to go on after them. The choices of that player alone are learned from: what the others really do is what its
        moves are worth something against. The learned and exported policy does not include it. With 0 the choices of all players are learned from.
    fits, critic_fits : int
        Steps of Adam for the policy in an update, and for the critic.
    rows : int
        Rows in each of them at most.
    remembered : int
        So many information sets are kept in which choices were made lately. Those in which none was made since shall stay as they are.
    """

    lanes: int = 4096
    trace: float = 1.0
    exploration: float = 0.25
    fits: int = 10
    critic_fits: int = 4
    rows: int = 2048
    remembered: int = 1024


class FittedRun(Run):
    """Self-play of one network in all seats, fitted in each update to the policy that magnetic mirror descent aims for.

    Parameters and attributes are those of `Run`, with `Fit` and `FitSettings`; so are its promises.

    Examples
    --------
    >>> from croupier import learn
    >>> run = learn.FittedRun("kuhn", settings=learn.FitSettings(lanes=64), seed=1)
    >>> [report.update for report in run.advance(3)]
    [1, 2, 3]
    """

    checkpoint_format = "croupier-fit/1"
    ratio_max = math.inf
    algorithm: Fit
    settings: FitSettings

    def __init__(
        self,
        game: Game | str,
        algorithm: Fit | None = None,
        settings: FitSettings | None = None,
        seed: int = 0,
        device: str | torch.device = "cpu",
        network: Network = "perceptron",
    ) -> None:
        super().__init__(game, algorithm or Fit(), settings or FitSettings(), seed, device, network)
        self._positions: Positions | None = None

    def _ask(
        self, player: npt.NDArray[np.int64], observation: npt.NDArray[np.uint8], mask: npt.NDArray[np.bool_], state: npt.NDArray[np.uint8]
    ) -> tuple[torch.Tensor, torch.Tensor]:
        alike = Alike.of(player, observation, mask)
        first = alike.first
        inputs = self.space.inputs(player[first], observation[first])
        log_probabilities = self.net.log_probabilities(inputs, torch.from_numpy(mask[first])).cpu()[alike.kind]
        alike = Alike.of(player, observation, state)
        first = alike.first
        inputs = self.space.inputs(player[first], observation[first])
        return log_probabilities, self._critic(inputs, torch.from_numpy(state[first]).float()).cpu()[alike.kind]

    def _explored(self, lane: npt.NDArray[np.int64], player: npt.NDArray[np.int64]) -> torch.Tensor:
        return self.settings.exploration * torch.from_numpy(self._explores(lane, player))[:, None]

    def _explores(self, lane: npt.NDArray[np.int64], player: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Whether it is the player who explores in that lane."""
        found: npt.NDArray[np.bool_] = lane % len(self.space.roles) == player
        return found

    def _learn(self, finished: Finished) -> tuple[float, float]:
        if self.settings.exploration > 0:
            finished = finished.where(self._explores(finished.choices.lane, finished.choices.player))
        if len(finished) == 0:
            return float("nan"), float("nan")
        self._set_rate()
        return self._improve(finished), self._appraise(finished)

    def _set_rate(self) -> None:
        for group in self._optimizer.param_groups:
            group["lr"] = annealed(self.settings.learning_rate, self.settings.annealing, self.updates)

    def _improve(self, finished: Finished) -> float:
        """Fit the policy; returns the mean loss."""
        positions = Positions.of(finished).with_earlier(self._positions, self.settings.remembered)
        self._positions = positions
        inputs = self.space.inputs(positions.player, positions.observation).to(self.device)
        with torch.no_grad():
            old = self.net.log_probabilities(inputs, torch.from_numpy(positions.mask)).cpu()
        targets = self.algorithm.targets(positions, old, self.updates).to(self.device)
        places = self._minibatches(len(positions), self.settings.fits)
        return float(np.mean([self._descend(targets.loss(self.net(inputs[rows]), rows), self.net) for rows in places]))

    def _appraise(self, finished: Finished) -> float:
        """Fit the critic to the mean of what moves turned out to be worth; returns the mean loss."""
        choices = finished.choices
        alike = Alike.of(choices.player, choices.observation, choices.state, choices.move)
        first, counts = alike.first, torch.from_numpy(alike.counts()).to(self.device)
        inputs = self.space.inputs(choices.player[first], choices.observation[first]).to(self.device)
        state, moves = torch.from_numpy(choices.state[first]).float().to(self.device), torch.from_numpy(choices.move[first]).to(self.device)
        outcomes = torch.from_numpy(alike.means(finished.outcome())).to(self.device)
        weights = counts / (counts + DOUBT)
        losses = []
        for rows in self._minibatches(len(alike), self.settings.critic_fits):
            found = of_moves(self._critic(inputs[rows], state[rows]), moves[rows])
            losses.append(self._descend((weights[rows] * (found - outcomes[rows]).square()).mean(), self._critic))
        return float(np.mean(losses))

    def _minibatches(self, count: int, fits: int) -> Iterator[torch.Tensor]:
        """Rows for each step of the optimizer: every row once before any comes again, and all at once where they are few."""
        most = self.settings.rows
        waiting = torch.empty(0, dtype=torch.int64)
        for _ in range(fits):
            if len(waiting) == 0:
                waiting = torch.randperm(count, generator=self._generator) if count > most else torch.arange(count)
            yield waiting[:most].to(self.device)
            waiting = waiting[most:]
