"""Choices of many parallel matches, grouped by player.

Players choose at different times, some at once, and matches end in the middle of a rollout. The unit is the sequence of
choices of one player in one match of one lane. It is complete when its match is over: then every choice gets its target, and
is used once, in the update after the rollout in which the match ended. Choices of unfinished matches wait. So a long match
counts as much as a short one, and no value has to be bootstrapped where a rollout is cut off.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Protocol, Self, TypeVar

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Choices:
    """Choices, one per row.

    Attributes
    ----------
    lane, player : ndarray of int64, shape (N,)
        The lane and player of each.
    observation : ndarray of uint8, shape (N, features)
        The player's knowledge.
    state : ndarray of uint8, shape (N, fluents)
        The true state.
    mask : ndarray of bool, shape (N, moves)
        The legal moves.
    move : ndarray of int64, shape (N,)
        The column of the chosen move.
    chance : ndarray of float32, shape (N,)
        Its probability, exploration included.
    log_probabilities : ndarray of float32, shape (N, moves)
        Logarithms of the policy's probabilities, without exploration.
    worth : ndarray of float32, shape (N, moves)
        The estimated value of each move for the player; 0 for illegal ones.
    """

    lane: npt.NDArray[np.int64]
    player: npt.NDArray[np.int64]
    observation: npt.NDArray[np.uint8]
    state: npt.NDArray[np.uint8]
    mask: npt.NDArray[np.bool_]
    move: npt.NDArray[np.int64]
    chance: npt.NDArray[np.float32]
    log_probabilities: npt.NDArray[np.float32]
    worth: npt.NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.move)

    def where(self, kept: npt.NDArray[np.bool_]) -> Choices:
        """The rows in which `kept` is true."""
        return Choices(*(getattr(self, field.name)[kept] for field in fields(self)))

    @classmethod
    def together(cls, parts: Sequence[Choices]) -> Choices:
        """The rows of all parts, concatenated."""
        return cls(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(cls)))

    def played_worth(self) -> npt.NDArray[np.float32]:
        """The estimated values of the chosen moves: float32, shape (N,)."""
        return self.worth[np.arange(len(self)), self.move]

    def ratio(self) -> npt.NDArray[np.float32]:
        """The ratio of the policy's probabilities of the chosen moves to those with exploration: float32, shape (N,)."""
        by_policy: npt.NDArray[np.float32] = np.exp(self.log_probabilities[np.arange(len(self)), self.move])
        found: npt.NDArray[np.float32] = by_policy / self.chance
        return found

    def expected_worth(self) -> npt.NDArray[np.float32]:
        """The policy's expected value before the moves were drawn: float32, shape (N,)."""
        expected: npt.NDArray[np.float32] = (np.exp(self.log_probabilities) * self.worth).sum(1)
        return expected


@dataclass(frozen=True)
class Finished:
    """Choices of finished matches.

    Attributes
    ----------
    choices : Choices
    surprise : ndarray of float32, shape (N,)
        How much higher the value of the chosen move turned out than estimated.
    """

    choices: Choices
    surprise: npt.NDArray[np.float32]

    def outcome(self) -> npt.NDArray[np.float32]:
        """The value that each chosen move turned out to have: float32, shape (N,)."""
        return self.choices.played_worth() + self.surprise

    def where(self, kept: npt.NDArray[np.bool_]) -> Finished:
        """The rows in which `kept` is true."""
        return Finished(self.choices.where(kept), self.surprise[kept])

    def __len__(self) -> int:
        return len(self.surprise)


class Moment(Protocol):
    """The choices made at one step in all lanes, and the results of the step."""

    @property
    def choices(self) -> Any:
        """They have arrays `lane` and `player`."""

    @property
    def reward(self) -> npt.NDArray[np.float32]:
        """The results of matches that ended: shape (lanes, players)."""

    @property
    def done(self) -> npt.NDArray[np.bool_]:
        """Which matches ended: shape (lanes,)."""

    def where(self, kept: npt.NDArray[np.bool_]) -> Self:
        """The rows in which `kept` is true; no match ends behind them any more."""


_M = TypeVar("_M", bound=Moment)

#: By row: the estimated value of what was chosen, that before the choice, and the share of the surprise that goes to the choice before.
Estimates = tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], npt.NDArray[np.float32] | int]


def take_finished(
    moments: Sequence[_M], shape: tuple[int, ...], trace: float, estimates: Callable[[_M], Estimates]
) -> tuple[list[tuple[_M, npt.NDArray[np.float32]]], list[_M]]:
    """Split moments into the choices of finished matches, the latest first, each with how much higher its value turned out, and those that wait.

    Parameters
    ----------
    moments : sequence of Moment
        In the order of their steps.
    shape : tuple of int
        Lanes and players.
    trace : float
    estimates : callable
        From a moment to its Estimates.
    """
    due = np.zeros(shape, np.float32)
    next_expected, next_surprise = np.zeros_like(due), np.zeros_like(due)
    has_ended = np.zeros(shape[0], np.bool_)
    waiting: list[_M] = []
    taken: list[tuple[_M, npt.NDArray[np.float32]]] = []
    for moment in reversed(moments):
        done, at = moment.done, (moment.choices.lane, moment.choices.player)
        has_ended |= done
        due[done] = moment.reward[done]
        next_expected[done] = next_surprise[done] = 0
        chosen, expected, share = estimates(moment)
        surprise = due[at] + next_expected[at] - chosen + np.float32(trace) * next_surprise[at]
        due[at], next_expected[at], next_surprise[at] = 0, expected, surprise * share
        is_finished = has_ended[moment.choices.lane]
        taken.append((moment.where(is_finished), surprise[is_finished]))
        if not is_finished.all():
            waiting.append(moment.where(~is_finished))
    return taken, waiting[::-1]


@dataclass(frozen=True)
class _Moment:
    """A `Moment` with values of all moves."""

    choices: Choices
    reward: npt.NDArray[np.float32]
    done: npt.NDArray[np.bool_]

    def where(self, kept: npt.NDArray[np.bool_]) -> _Moment:
        """As of `Moment`."""
        return replace(self, choices=self.choices.where(kept), done=np.zeros_like(self.done))



class Trajectories:
    """Collects choices until their matches end.

    The realised value of a move is estimated as in generalised advantage estimation (Schulman et al., ICLR 2016), with
    values of moves q instead of values of positions: with rewards r and v the mean of q under the policy,

        surprise = (r + v of the player's next choice - q of the move) + trace * c * surprise at the next choice

    where the terms of the next choice are 0 if there is none before the match ends. There is no discounting. `c` is `ratio_max`, or the ratio of the
    next move's probability under the policy to that with which it was drawn, if this is less: the effects of exploration are weighted
    down to their probability under the policy (Munos et al., "Safe and Efficient Off-Policy Reinforcement Learning", NeurIPS 2016).

    Parameters
    ----------
    lanes, players : int
    trace : float
        From 0, which relies on the values of the next choice, to 1, which uses the result of the match and is unbiased
        whatever the values are, if no ratio is cut off.
    ratio_max : float
        Less variance with 1, no bias with infinity.
    """

    #: Of checkpoints that do not say.
    ratio_max = 1.0

    def __init__(self, lanes: int, players: int, trace: float, ratio_max: float = 1.0) -> None:
        self._shape, self.trace, self.ratio_max = (lanes, players), trace, ratio_max
        self._moments: list[_Moment] = []

    def add(self, choices: Choices, reward: npt.NDArray[np.float32], done: npt.NDArray[np.bool_]) -> None:
        """Add the choices of one step, and its results.

        Parameters
        ----------
        choices : Choices
            At most one for each player in each lane.
        reward : ndarray of float32, shape (lanes, players)
            The results of matches that ended.
        done : ndarray of bool, shape (lanes,)
            Which matches ended.
        """
        self._moments.append(_Moment(choices, reward, done))

    def take(self) -> Finished:
        """Return and remove the choices of all finished matches, the latest first."""
        taken, self._moments = take_finished(self._moments, self._shape, self.trace, self._estimates)
        surprises = [surprise for _, surprise in taken]
        return Finished(Choices.together([moment.choices for moment, _ in taken]), np.concatenate(surprises))

    def _estimates(self, moment: _Moment) -> Estimates:
        choices = moment.choices
        return choices.played_worth(), choices.expected_worth(), np.minimum(choices.ratio(), np.float32(self.ratio_max))

    def __len__(self) -> int:
        """The number of choices that wait for the end of their matches."""
        return sum(len(moment.choices) for moment in self._moments)
