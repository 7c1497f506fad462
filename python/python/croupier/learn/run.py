"""A run of self-play: an environment, a network, and the updates in between."""

from __future__ import annotations

import copy
import os
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch

from .._native import Game, load
from ..vector import VectorEnv
from .alike import Alike
from .batch import Batch
from .checkpoint import load_state, save_state
from .losses import of_moves
from .mmd import Mmd
from .net import Critic, Net, add_to_average
from .networks import Network
from .positions import DOUBT, Positions
from .ppo import Ppo
from .schedule import annealed
from .space import Space
from .trajectories import Choices, Finished, Trajectories

#: What the member `format` of a checkpoint says.
CHECKPOINT_FORMAT = "croupier-learn/3"

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
        At update t the learning rate is `learning_rate / (1 + t / annealing) ** 0.5`.
    fits, critic_fits : int
        Steps of Adam for the policy in an update, and for the critic.
    rows : int
        Rows in each of them at most.
    remembered : int
        So many information sets are kept in which choices were made lately. Those in which none was made since shall stay as they are (mmd).
    trace : float
        Weight of results against the critic's values of later choices, from 0 to 1; see `Trajectories`.
    exploration : float, optional
        By default 0.25 with mmd, and 0 with ppo. Share of uniform play that one player of each match mixes into its moves. It shows what moves are worth
        that the policy has abandoned, and how to go on after them. The choices of that player alone are learned from: what the others do is what its moves are worth something against. The
        learned and exported policy does not include it. With 0 the choices of all players are learned from.
    gradient_max : float
        Gradients with a larger norm are scaled down to this norm.
    average : float
        Weights are averaged over about the last `1 / (average + 1)` of the run, with larger weights for later ones.
    """

    lanes: int = 4096
    steps: int = 8
    last: int | None = None
    hidden: tuple[int, ...] = (128, 128)
    learning_rate: float = 2e-3
    annealing: float = 200.0
    fits: int = 10
    critic_fits: int = 4
    rows: int = 2048
    remembered: int = 1024
    trace: float = 1.0
    exploration: float | None = None
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

    #: Of checkpoints that do not say.
    device = torch.device("cpu")

    def __init__(
        self,
        game: Game | str,
        algorithm: Mmd | Ppo | None = None,
        settings: Settings | None = None,
        seed: int = 0,
        device: str | torch.device = "cpu",
        network: Network = "perceptron",
    ) -> None:
        self.device = torch.device(device)
        self.algorithm, self.settings, self.seed = algorithm or Mmd(), settings or Settings(), seed
        self.game = load(game) if isinstance(game, str) else game
        options = self.settings
        self.space = Space(self.game, options.last)
        self._generator = torch.Generator().manual_seed(seed)
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
        self._trajectories = Trajectories(options.lanes, len(self.space.roles), options.trace)
        self.reward_scale, self._reward_middle = _goal_statistics(self.game, seed)
        self.updates = self.choices = 0
        self._positions: Positions | None = None

    def advance(self, updates: int) -> Iterator[Report]:
        """Run this many updates, and yield a report after each."""
        for _ in range(updates):
            yield self._update()

    def _update(self) -> Report:
        finished = self._sample()
        self.choices += len(finished)
        if self._exploration > 0:
            choices = finished.choices
            finished = finished.where(self._explores(choices.lane, choices.player))
        self._set_rate()
        policy_loss, value_loss = self._improve(finished), self._appraise(finished)
        self.updates += 1
        add_to_average(self.average, self.net, self.updates, self.settings.average)
        old = finished.choices.log_probabilities.astype(np.float64)
        entropy = float(-(np.exp(old) * old).sum(1).mean())
        return Report(self.updates, self.choices, policy_loss, value_loss, entropy)

    @property
    def _exploration(self) -> float:
        wanted = self.settings.exploration
        return self.algorithm.exploration if wanted is None else wanted

    def _explores(self, lane: npt.NDArray[np.int64], player: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Whether it is the player who explores in that lane."""
        found: npt.NDArray[np.bool_] = lane % len(self.space.roles) == player
        return found

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
        log_probabilities = self._policy(player, observation, mask)
        worth = self._worth(player, observation, state) * mask
        explored = self._exploration * torch.from_numpy(self._explores(lane, player))[:, None]
        legal = torch.from_numpy(mask)
        chances = torch.lerp(torch.from_numpy(log_probabilities).exp(), legal / legal.sum(1, keepdim=True), explored)
        drawn = torch.multinomial(chances, 1, generator=self._generator)
        move, chance = drawn[:, 0].numpy(), chances.gather(1, drawn)[:, 0].numpy()
        choices = Choices(lane, player, observation, state, mask, move, chance, log_probabilities, worth)
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

    def _policy(self, player: npt.NDArray[np.int64], observation: npt.NDArray[np.uint8], mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.float32]:
        """Logarithms of the network's probabilities, which is asked once for what is alike: float32, shape (N, moves)."""
        alike = Alike.of(player, observation, mask)
        first = alike.first
        inputs = self.space.inputs(player[first], observation[first])
        found: npt.NDArray[np.float32] = self.net.log_probabilities(inputs, torch.from_numpy(mask[first])).cpu().numpy()
        return found[alike.kind]

    def _worth(self, player: npt.NDArray[np.int64], observation: npt.NDArray[np.uint8], state: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
        """The critic's values of moves, likewise: float32, shape (N, moves)."""
        alike = Alike.of(player, observation, state)
        first = alike.first
        inputs, states = self.space.inputs(player[first], observation[first]), torch.from_numpy(state[first]).float()
        found: npt.NDArray[np.float32] = self._critic(inputs, states).cpu().numpy()
        return found[alike.kind]

    def _set_rate(self) -> None:
        for group in self._optimizer.param_groups:
            group["lr"] = annealed(self.settings.learning_rate, self.settings.annealing, self.updates)

    def _improve(self, finished: Finished) -> float:
        """Fit the policy; returns the mean loss."""
        if isinstance(self.algorithm, Ppo):
            return self._climb(Batch.of(self.space, finished).to(self.device), self.algorithm)
        positions = Positions.of(finished).with_earlier(self._positions, self.settings.remembered)
        self._positions = positions
        inputs = self.space.inputs(positions.player, positions.observation).to(self.device)
        with torch.no_grad():
            old = self.net.log_probabilities(inputs, torch.from_numpy(positions.mask)).cpu()
        targets = self.algorithm.targets(positions, old, self.updates).to(self.device)
        places = self._minibatches(len(positions), self.settings.fits)
        return float(np.mean([self._descend(self.net, targets.loss(self.net(inputs[rows]), rows)) for rows in places]))

    def _climb(self, batch: Batch, algorithm: Ppo) -> float:
        """Follow the gradient of an objective; returns the mean loss."""
        losses = []
        for rows in self._minibatches(len(batch), self.settings.fits):
            part = batch.rows(rows)
            losses.append(self._descend(self.net, algorithm.loss(self.net.log_probabilities(part.inputs, part.mask), part, self.updates)))
        return float(np.mean(losses))

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
            losses.append(self._descend(self._critic, (weights[rows] * (found - outcomes[rows]).square()).mean()))
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

    def _descend(self, network: torch.nn.Module, loss: torch.Tensor) -> float:
        """One optimizer step for one of the networks; returns the loss before it."""
        self._optimizer.zero_grad()
        torch.autograd.backward(loss)
        torch.nn.utils.clip_grad_norm_(network.parameters(), self.settings.gradient_max)
        self._optimizer.step()
        return float(loss.detach())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a checkpoint: everything that the run depends on. An existing file is replaced once the new one is complete."""
        save_state(path, CHECKPOINT_FORMAT, self.__dict__ | {"_generator": self._generator.get_state()})

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Run:
        """Resume from a checkpoint, bit for bit. It is a pickle, which can run code: load only files that you trust.

        Raises
        ------
        CroupierError
            If the file is not a checkpoint.
        OSError
            If it cannot be read.
        """
        state = load_state(path, CHECKPOINT_FORMAT, "Run.save")
        run = cls.__new__(cls)
        words = state.pop("_generator")
        run.__dict__.update(state)
        run._generator = torch.Generator()
        run._generator.set_state(words)
        return run

    def __repr__(self) -> str:
        name, algorithm = self.game.name, self.algorithm.name
        return f"<croupier.learn.Run of {algorithm} in {name}: {self.updates} updates, {self.choices} choices>"


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
