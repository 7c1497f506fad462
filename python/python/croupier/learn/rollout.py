"""Rollouts for a loop of one's own: choices until their matches end, and what they turned out to be worth.

`Trajectories` does the same with values of all moves; here a critic values positions, as is usual.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np
import numpy.typing as npt
import torch

from ..steps import Choices, PolicyStep
from ..vector import VectorEnv
from .trajectories import Estimates, take_finished


@dataclass(frozen=True)
class RolloutBatch:
    """Choices of finished matches, one per row.

    Attributes
    ----------
    inputs : Tensor of float32, shape (N, inputs)
        What the player knew.
    masks : Tensor of bool, shape (N, moves)
        The legal moves.
    moves : Tensor of int64, shape (N,)
        The chosen moves.
    log_probabilities : Tensor of float32, shape (N,)
        Logarithms of the probabilities with which they were drawn.
    advantages : Tensor of float32, shape (N,)
        How much higher the value turned out than estimated: generalised advantage estimates (Schulman et al., ICLR 2016).
    returns : Tensor of float32, shape (N,)
        The value that the position turned out to have: what a critic learns.
    """

    inputs: torch.Tensor
    masks: torch.Tensor
    moves: torch.Tensor
    log_probabilities: torch.Tensor
    advantages: torch.Tensor
    returns: torch.Tensor

    def rows(self, places: torch.Tensor) -> RolloutBatch:
        """Some of its rows; `places` is a Tensor of int64."""
        return RolloutBatch(*(getattr(self, field.name)[places] for field in fields(self)))

    def to(self, device: torch.device | str) -> RolloutBatch:
        """The same on another device."""
        return RolloutBatch(*(getattr(self, field.name).to(device) for field in fields(self)))

    def __len__(self) -> int:
        return len(self.moves)


@dataclass(frozen=True)
class _Moment:
    """The choices of one step, by row, and the results of the step."""

    choices: Choices
    moves: npt.NDArray[np.int64]
    log_probabilities: npt.NDArray[np.float32]
    values: npt.NDArray[np.float32]
    reward: npt.NDArray[np.float32]
    done: npt.NDArray[np.bool_]

    def where(self, kept: npt.NDArray[np.bool_]) -> _Moment:
        """As of `trajectories.Moment`."""
        lane, player, inputs, masks = self.choices
        return replace(
            self,
            choices=Choices(lane[kept], player[kept], inputs[kept], masks[kept]),
            moves=self.moves[kept],
            log_probabilities=self.log_probabilities[kept],
            values=self.values[kept],
            done=np.zeros_like(self.done),
        )

    def estimates(self) -> Estimates:
        """The critic's value of the position is that of whatever is chosen there."""
        return self.values, self.values, 1


class Rollout:
    """Collects choices until their matches end.

    Players choose at different times, so the unit is the sequence of choices of one player in one match. Each is given out once, after its match
    has ended; those of matches that go on wait. Nothing is discounted. A match that is cut off by `turns_max` has the reward 0.

    Parameters
    ----------
    env : VectorEnv
        Where the choices are made.
    trace : float
        From 0, which relies on the values of the player's next choice, to 1, which uses the result of the match.

    Examples
    --------
    >>> import croupier, numpy as np
    >>> from croupier import learn
    >>> env = croupier.VectorEnv("kuhn", lanes=8, seed=1)
    >>> rollout = learn.Rollout(env)
    >>> for _ in range(3):
    ...     choices = env.choices()
    ...     rollout.add(choices, np.zeros(len(choices.lane)), env.step_policy(np.zeros(choices.masks.shape)))
    >>> batch = rollout.take()
    >>> len(batch) + len(rollout)
    24
    """

    def __init__(self, env: VectorEnv, trace: float = 0.95) -> None:
        self._shape, self.trace = env.last_step.acting.shape, trace
        self._moments: list[_Moment] = []

    def add(self, choices: Choices, values: npt.ArrayLike | torch.Tensor, drawn: PolicyStep) -> None:
        """Add the choices of one step.

        Parameters
        ----------
        choices : Choices
            `env.choices()` before the step.
        values : array_like or Tensor of float32, shape (N,)
            The critic's estimate of the player's reward at each of them.
        drawn : PolicyStep
            What `env.step_policy` returned.
        """
        estimated = values.detach().cpu().numpy() if isinstance(values, torch.Tensor) else np.asarray(values)
        moves = drawn.actions[choices.lane, choices.player].astype(np.int64)
        reward, done = drawn.step.reward.copy(), drawn.step.done == 1
        logs = drawn.log_probabilities
        self._moments.append(_Moment(choices, moves, logs, estimated.astype(np.float32).reshape(len(moves)), reward, done))

    def take(self) -> RolloutBatch:
        """Return and remove the choices of all finished matches, the latest first."""
        taken, self._moments = take_finished(self._moments, self._shape, self.trace, _Moment.estimates)
        return self._batch(taken)

    def _batch(self, taken: list[tuple[_Moment, npt.NDArray[np.float32]]]) -> RolloutBatch:
        if not taken:
            raise ValueError("no choice has been added")
        advantages = np.concatenate([advantage for _, advantage in taken])
        values = np.concatenate([moment.values for moment, _ in taken])
        arrays = (
            np.concatenate([moment.choices.inputs for moment, _ in taken]),
            np.concatenate([moment.choices.masks for moment, _ in taken]),
            np.concatenate([moment.moves for moment, _ in taken]),
            np.concatenate([moment.log_probabilities for moment, _ in taken]),
            advantages,
            values + advantages,
        )
        return RolloutBatch(*(torch.from_numpy(array) for array in arrays))

    def __len__(self) -> int:
        """The number of choices that wait for the end of their matches."""
        return sum(len(moment.moves) for moment in self._moments)
