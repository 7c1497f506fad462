"""A run of self-play: an environment, a network, and the updates in between."""

from __future__ import annotations

import copy
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np
import numpy.typing as npt
import torch

from .._native import Game, load
from ..vector import VectorEnv
from .batch import Batch
from .checkpoint import load_state, save_state
from .diverging import check_training
from .mmd import Mmd
from .net import Critic, Net, add_to_average
from .networks import Network
from .ppo import Ppo
from .schedule import annealed, folded
from .space import Space
from .trajectories import Choices, Finished, Trajectories

#: What the member `format` of a checkpoint says.
CHECKPOINT_FORMAT = "croupier-learn/2"

#: Matches by which the unit of rewards is measured, at least.
_MATCHES_MEASURED = 4096


@dataclass(frozen=True)
class Settings:
    """The sampling and update settings of a run.

    Parameters
    ----------
    lanes : int
        Parallel matches.
    steps : int
        Choices in every lane between two updates.
    last : int, optional
        How many recent turns an observation distinguishes; by default as for `croupier.Observer`.
    hidden : tuple of int
        Units of each hidden layer.
    learning_rate : float
        Of Adam, at the first update.
    annealing : float
        At update t the learning rate is `learning_rate / (1 + t / annealing)`. It decreases faster than the temperature of the objective, because
        only this damps the noise: otherwise the network would circle as widely after hours as after minutes.
    epochs, minibatches : int
        How often an update goes through its choices, and in how many parts.
    trace : float
        Weight of results against the critic's values of later choices, from 0 to 1; see `Trajectories`.
    exploration : float
        Share of uniform play mixed in during training, at the first update; it decreases like the temperature. This
        shows the critic moves that the policy has abandoned. The learned and exported policy does not include it.
    gradient_max : float
        Gradients with a larger norm are scaled down to this norm.
    average : float
        Weights are averaged over about the last `1 / (average + 1)` of the run, with larger weights for later ones.
    """

    lanes: int = 512
    steps: int = 8
    last: int | None = None
    hidden: tuple[int, ...] = (128, 128)
    learning_rate: float = 2e-3
    annealing: float = 200.0
    epochs: int = 2
    minibatches: int = 2
    trace: float = 0.7
    exploration: float = 0.1
    gradient_max: float = 1.0
    average: float = 1.0


@dataclass(frozen=True)
class Report:
    """The results of one update; numbers are means over its choices.

    Attributes
    ----------
    update : int
        Updates so far.
    choices : int
        Choices so far, of finished matches.
    policy_loss, value_loss : float
        Of the last epoch.
    entropy : float
        Of the policy that made the choices, in nats.
    """

    update: int
    choices: int
    policy_loss: float
    value_loss: float
    entropy: float


class Algorithm(Protocol):
    """What an update aims for."""

    @property
    def name(self) -> str:
        """As `--algorithm` says it."""

    @property
    def annealing(self) -> float:
        """Updates after which what falls with their square root has fallen by that of two."""


class Run:
    """Self-play of one network in all seats.

    The game, the algorithm, the settings and the seed determine everything bit for bit, on the same machine with the same torch and
    number of threads; `torch.set_num_threads(1)` removes the dependence on threads. A longer run starts with exactly the updates of a shorter one.

    Parameters
    ----------
    game : Game or str
        A game, or the name of a bundled game. Its rules must be small enough for a network of gates.
    algorithm : Mmd or Ppo
    settings : Settings
    seed : int
    device : str or torch.device
        Where the networks compute. Matches are played, and moves drawn, on the processor. A checkpoint goes on where it was written.
    network : {'perceptron', 'recurrent', 'attention'} or callable
        What decides, as `Net` describes it; the critic, which sees the state, is a perceptron. A checkpoint of a network of your own can be loaded
        where its class can be imported.

    Attributes
    ----------
    net : Net
        The network that plays.
    average : Net
        The average of its weights: usually less exploitable than `net`.
    updates, choices : int
        The numbers so far.
    reward_scale : float
        The standard deviation of goal values under uniform play, which is the unit of rewards within the run.

    Examples
    --------
    >>> from croupier import learn
    >>> run = learn.Run("kuhn", learn.Mmd(), learn.Settings(lanes=64, steps=8), seed=1)
    >>> [report.update for report in run.advance(3)]
    [1, 2, 3]
    """

    #: As of `Trajectories`.
    ratio_max = 1.0

    #: What the member `format` of its checkpoints says.
    checkpoint_format = CHECKPOINT_FORMAT

    #: Of checkpoints that do not say.
    device = torch.device("cpu")

    def __init__(
        self,
        game: Game | str,
        algorithm: Algorithm | None = None,
        settings: Settings | None = None,
        seed: int = 0,
        device: str | torch.device = "cpu",
        network: Network = "perceptron",
    ) -> None:
        self.device = torch.device(device)
        self.algorithm: Algorithm = algorithm or Mmd()
        self.settings, self.seed = settings or Settings(), seed
        self.game = load(game) if isinstance(game, str) else game
        options = self.settings
        self.space = Space(self.game, options.last)
        self._generator = torch.Generator().manual_seed(folded(seed))
        self.net = Net(self.space, options.hidden, self._generator, network).to(self.device)
        self.average = copy.deepcopy(self.net)
        self._env = VectorEnv(self.game, options.lanes, seed=seed, last=self.space.last, units="goals", parallel=False)
        self._truth = VectorEnv(
            self.game, options.lanes, seed=seed, observation="state", privileged=True, parallel=False
        )
        states_count = self._truth.last_step.observation.shape[2]
        self._critic = Critic(self.space, states_count, options.hidden, self._generator).to(self.device)
        parameters = [*self.net.parameters(), *self._critic.parameters()]
        self._optimizer = torch.optim.Adam(parameters, lr=options.learning_rate, eps=1e-5)
        self._trajectories = Trajectories(options.lanes, len(self.space.roles), options.trace, self.ratio_max)
        self.reward_scale, self._reward_middle = _goal_statistics(self.game, seed)
        self.updates = self.choices = 0

    def advance(self, updates: int) -> Iterator[Report]:
        """Run this many updates, and yield a report after each."""
        for _ in range(updates):
            yield self._update()

    def _update(self) -> Report:
        finished = self._sample()
        policy_loss, value_loss = self._learn(finished)
        self.updates += 1
        check_training(self.net, self.updates)
        self.choices += len(finished)
        add_to_average(self.average, self.net, self.updates, self.settings.average)
        old = finished.choices.log_probabilities.astype(np.float64)
        entropy = float(-(np.exp(old) * old).sum(1).mean())
        return Report(self.updates, self.choices, policy_loss, value_loss, entropy)

    def _sample(self) -> Finished:
        """Choices in every lane; more than the settings require if no match has ended by then."""
        taken = None
        while taken is None or len(taken) == 0:
            for _ in range(self.settings.steps):
                self._step()
            taken = self._trajectories.take()
        return taken

    @torch.no_grad()
    def _step(self) -> None:
        step = self._env.last_step
        lane, player = np.nonzero(step.acting)
        observation, mask = step.observation[lane, player], step.mask[lane, player] == 1
        state = self._truth.last_step.observation[lane, player]
        log_probabilities, worth = self._ask(player, observation, mask, state)
        legal = torch.from_numpy(mask)
        chances = torch.lerp(log_probabilities.exp(), legal / legal.sum(1, keepdim=True), self._explored(lane, player))
        drawn = torch.multinomial(chances, 1, generator=self._generator)
        move, chance = drawn[:, 0].numpy(), chances.gather(1, drawn)[:, 0].numpy()
        choices = Choices(
            lane, player, observation, state, mask, move, chance, log_probabilities.numpy(), (worth * legal).numpy()
        )
        actions = np.zeros(step.acting.shape, np.int32)
        actions[lane, player] = move
        # Two environments with one seed and the same moves play the same matches.
        self._truth.step(actions)
        step = self._env.step(actions)
        done = step.done == 1
        # A match that was cut off is worth what an average one is.
        counted = (done & (step.truncated == 0))[:, None]
        reward = np.where(counted, (step.reward - self._reward_middle) / self.reward_scale, 0)
        self._trajectories.add(choices, reward.astype(np.float32), done)

    def _ask(
        self, player: npt.NDArray[np.int64], observation: npt.NDArray[np.uint8], mask: npt.NDArray[np.bool_], state: npt.NDArray[np.uint8]
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Logarithms of the policy's probabilities, and the critic's values: Tensors of float32, shape (N, moves)."""
        inputs = self.space.inputs(player, observation)
        log_probabilities = self.net.log_probabilities(inputs, torch.from_numpy(mask)).cpu()
        return log_probabilities, self._critic(inputs, torch.from_numpy(state).float()).cpu()

    def _explored(self, lane: npt.NDArray[np.int64], player: npt.NDArray[np.int64]) -> torch.Tensor:
        """The share of uniform play by row: Tensor of float32, shape (N, 1) or (1, 1)."""
        return torch.tensor([[annealed(self.settings.exploration, self.algorithm.annealing, self.updates)]])

    def _learn(self, finished: Finished) -> tuple[float, float]:
        """The epochs of one update; returns the mean losses of the last one."""
        options, batch = self.settings, Batch.of(self.space, finished).to(self.device)
        for group in self._optimizer.param_groups:
            group["lr"] = annealed(options.learning_rate, options.annealing, self.updates, 1.0)
        losses: list[tuple[float, float]] = []
        for _ in range(options.epochs):
            losses.clear()
            order = torch.randperm(len(batch), generator=self._generator)
            for places in order.chunk(options.minibatches):
                losses.append(self._climb(batch.rows(places)))
        policy_losses, value_losses = zip(*losses, strict=True)
        return float(np.mean(policy_losses)), float(np.mean(value_losses))

    def _climb(self, batch: Batch) -> tuple[float, float]:
        """One optimizer step for the policy and the critic; returns the losses before it."""
        new = self.net.log_probabilities(batch.inputs, batch.mask)
        assert isinstance(self.algorithm, Mmd | Ppo)
        policy = self.algorithm.loss(new, batch, self.updates)
        worth = self._critic(batch.inputs, batch.state)
        value = (batch.of_move(worth) - batch.result).square().mean()
        self._descend(policy + value, self.net, self._critic)
        return policy.item(), value.item()

    def _descend(self, loss: torch.Tensor, *networks: torch.nn.Module) -> float:
        """One optimizer step for the networks that a loss depends on; returns the loss before it."""
        self._optimizer.zero_grad()
        torch.autograd.backward(loss)
        for network in networks:
            torch.nn.utils.clip_grad_norm_(network.parameters(), self.settings.gradient_max)
        self._optimizer.step()
        return float(loss.detach())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a checkpoint: everything that the run depends on. An existing file is replaced once the new one is complete."""
        save_state(path, self.checkpoint_format, self.__dict__ | {"_generator": self._generator.get_state()})

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Resume from a checkpoint, bit for bit. It is a pickle, which can run code: load only files that you trust.

        Raises
        ------
        CroupierError
            If the file is not a checkpoint.
        OSError
            If it cannot be read.
        """
        state = load_state(path, cls.checkpoint_format, f"{cls.__name__}.save")
        run = cls.__new__(cls)
        words = state.pop("_generator")
        run.__dict__.update(state)
        run._generator = torch.Generator()
        run._generator.set_state(words)
        return run

    def __repr__(self) -> str:
        name, algorithm = self.game.name, self.algorithm.name
        return f"<croupier.learn.{type(self).__name__} of {algorithm} in {name}: {self.updates} updates, {self.choices} choices>"


def _goal_statistics(game: Game, seed: int) -> tuple[float, npt.NDArray[np.float32]]:
    """The standard deviation of goal values under uniform play, and each player's mean: float32, shape (players,)."""
    env = VectorEnv(game, lanes=512, seed=seed, observation="turn", units="goals", parallel=False)
    draws = np.random.default_rng(seed)
    ended: list[npt.NDArray[np.float32]] = []
    while sum(map(len, ended)) < _MATCHES_MEASURED:
        step = env.step(env.sample(draws))
        ended.append(step.reward[(step.done == 1) & (step.truncated == 0)])
    goals = np.concatenate(ended)
    middle = goals.mean(0, dtype=np.float64)
    deviation = float(np.sqrt(np.square(goals - middle).mean(dtype=np.float64)))
    # A game in which nothing is to be won teaches nothing, and is no reason to fail.
    return deviation or 1.0, middle.astype(np.float32)
