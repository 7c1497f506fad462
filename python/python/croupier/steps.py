"""The arrays of a step of many matches, and the requests to the native lanes."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .errors import ArgumentError, CroupierError


class Step(NamedTuple):
    """The arrays of a `VectorEnv` at the next choices; they belong to the environment and are overwritten in place.

    Attributes
    ----------
    observation : ndarray of uint8 or float32, shape (lanes, players, features)
        What each player knows: 0 or 1, named by `VectorEnv.features`. With `observation='belief'` numbers from 0 to 1, in float32,
        for players who have a choice, and zeros for others.
    mask : ndarray of uint8, shape (lanes, players, moves)
        1 for legal moves, named by `VectorEnv.moves`; also for players with a single legal move.
    acting : ndarray of uint8, shape (lanes, players)
        1 if a player in an open seat has a choice. Every lane has at least one.
    reward : ndarray of float32, shape (lanes, players)
        The result of a match that ended in this step, in `VectorEnv.units`; 0 elsewhere.
    done : ndarray of uint8, shape (lanes,)
        1 if a match ended in this step; everything else then describes the next one.
    truncated : ndarray of uint8, shape (lanes,)
        1 if it ended because of the turn limit; its rewards are 0.
    turn : ndarray of uint32, shape (lanes,)
        Turns of the match so far, including those of chance.
    """

    observation: npt.NDArray[Any]
    mask: npt.NDArray[np.uint8]
    acting: npt.NDArray[np.uint8]
    reward: npt.NDArray[np.float32]
    done: npt.NDArray[np.uint8]
    truncated: npt.NDArray[np.uint8]
    turn: npt.NDArray[np.uint32]


class Choices(NamedTuple):
    """The choices of a step, one row for each.

    Attributes
    ----------
    lane, player : ndarray of int64, shape (N,)
        Whose they are.
    inputs : ndarray of float32, shape (N, inputs)
        What a network is shown: the player, one-hot, and what it knows, as in `Step.observation`.
    masks : ndarray of bool, shape (N, moves)
        The legal moves.
    """

    lane: npt.NDArray[np.int64]
    player: npt.NDArray[np.int64]
    inputs: npt.NDArray[np.float32]
    masks: npt.NDArray[np.bool_]


class PolicyStep(NamedTuple):
    """A step whose moves were drawn from logits.

    Attributes
    ----------
    step : Step
        What `VectorEnv.step` returns.
    actions : ndarray of int32, shape (lanes, players)
        The drawn columns; 0 for players without a choice.
    log_probabilities : ndarray of float32, shape (N,)
        Of the drawn moves, a row for each choice.
    """

    step: Step
    actions: npt.NDArray[np.int32]
    log_probabilities: npt.NDArray[np.float32]


def empty_step(lanes: int, players: int, features: int, moves: int, dtype: type[np.generic]) -> Step:
    """Arrays of these sizes, all zeros; observations of this type."""
    return Step(
        np.zeros((lanes, players, features), dtype),
        np.zeros((lanes, players, moves), np.uint8),
        np.zeros((lanes, players), np.uint8),
        np.zeros((lanes, players), np.float32),
        np.zeros(lanes, np.uint8),
        np.zeros(lanes, np.uint8),
        np.zeros(lanes, np.uint32),
    )


@dataclass(frozen=True)
class Wanted:
    """The request to the native part."""

    lanes: int
    observation: str
    last: int
    is_open: list[bool]
    turns_max: int | None = None
    parallel: bool = False
    particles: int = 200
    views: bool = False
    finals: bool = False

    def __post_init__(self) -> None:
        check_count("lanes", self.lanes, 1)
        check_count("last", self.last, 0)
        check_count("particles", self.particles, 1)
        if self.turns_max is not None:
            check_count("turns_max", self.turns_max, 1, 2**32 - 1)

    @property
    def dtype(self) -> type[np.generic]:
        """The type of observations."""
        return np.float32 if self.observation == "belief" else np.uint8


def check_count(name: str, value: object, least: int, most: int = 2**63 - 1) -> None:
    """Reject what is not an integer from `least` to `most`."""
    try:
        count = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name} must be an integer, not {type(value).__name__}") from None
    if count < least:
        raise ArgumentError(f"{name} must be at least {least}, not {count}")
    if count > most:
        raise ArgumentError(f"{name} must be at most {most}, not {count}")


def check_options(units: str, illegal: str) -> None:
    """Reject unknown units of rewards, and unknown treatments of illegal actions."""
    if units not in ("goals", "payoff"):
        raise CroupierError(f"units must be 'goals' or 'payoff', not {units!r}")
    if illegal not in ("draw", "error"):
        raise CroupierError(f"illegal must be 'draw' or 'error', not {illegal!r}")
