"""The possible holders of a seat of a `VectorEnv`: a function of arrays, a policy, or an agent.

A `Holder` is asked for many matches at once. Functions that choose columns get the arrays of the environment, functions that give probabilities
what every `FunctionPolicy` is shown; policies and agents get a `View`.
"""

from __future__ import annotations

import hashlib
import inspect
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from ._native import Agent, Game, Policy, View
from .errors import CroupierError, IllegalMoveError
from .functions import FunctionPolicy, PolicyCallable, is_module

#: Information sets whose strategy an `AgentHolder` keeps at most.
_KNOWN_MAX = 1 << 17


class SeatFunction(Protocol):
    """A function that holds a seat.

    Parameters
    ----------
    observation : ndarray of uint8, shape (rows, features of the role)
        The player's knowledge in each match, named by `VectorEnv.features[role]`.
    mask : ndarray of uint8, shape (rows, moves of the role)
        1 for legal moves, named by `VectorEnv.moves[role]`.
    rng : numpy.random.Generator
        Generator for draws; it follows from the seed of the environment.

    Returns
    -------
    array_like of int, shape (rows,)
        A column of the mask for each row.
    """

    def __call__(
        self, observation: npt.NDArray[np.uint8], mask: npt.NDArray[np.uint8], rng: np.random.Generator, /
    ) -> npt.ArrayLike: ...


#: What `VectorEnv(seats=...)` takes: `open`, `random`, an agent of the command line, a policy, or a function: one that chooses columns, or
#: one that gives probabilities, as `croupier.FunctionPolicy` takes it.
Seat = str | Policy | FunctionPolicy | SeatFunction | PolicyCallable


class Asked(NamedTuple):
    """The matches in which a seat has a choice.

    Attributes
    ----------
    observation : ndarray of uint8, shape (rows, features)
    mask : ndarray of uint8, shape (rows, moves)
    views : callable
        Returns the `View` of each row.
    lanes : ndarray of int64, shape (rows,)
    matches : ndarray of int64, shape (rows,)
        The number of the match in its lane.
    """

    observation: npt.NDArray[np.uint8]
    mask: npt.NDArray[np.uint8]
    views: Callable[[], list[View]]
    lanes: npt.NDArray[np.int64]
    matches: npt.NDArray[np.int64]


class Holder(Protocol):
    """The holder of a seat."""

    def reset(self, seed: int | str) -> None:
        """Start with the first matches; all draws follow from the seed."""

    def columns(self, asked: Asked) -> npt.NDArray[np.int32]:
        """A legal column for each row."""


def seed_of(*parts: int | str) -> int:
    """A seed for the combination of these parts, below 2**64."""
    return int.from_bytes(hashlib.blake2b(repr(parts).encode(), digest_size=8).digest(), "little")


class FunctionHolder:
    """A seat held by a function of arrays."""

    def __init__(self, role: str, moves: Sequence[str], function: SeatFunction) -> None:
        self.role, self.moves, self.function = role, list(moves), function
        self.reset(0)

    def reset(self, seed: int | str) -> None:
        self.rng = np.random.default_rng(seed_of(str(seed), self.role))

    def columns(self, asked: Asked) -> npt.NDArray[np.int32]:
        found = np.asarray(self.function(asked.observation, asked.mask, self.rng))
        if found.shape != asked.lanes.shape or found.dtype.kind not in "iu":
            raise CroupierError(
                f"the function in the seat of {self.role} must return integers of shape {asked.lanes.shape}, a column of the mask for "
                f"each row, not {found.dtype} of shape {found.shape}"
            )
        inside = (found >= 0) & (found < asked.mask.shape[1])
        legal = asked.mask[np.arange(len(found)), np.where(inside, found, 0)] == 1
        wrong = np.flatnonzero(~(inside & legal))
        if len(wrong):
            row = int(wrong[0])
            choices = [name for name, bit in zip(self.moves, asked.mask[row], strict=True) if bit]
            where = f" in lane {asked.lanes[row]}"
            raise IllegalMoveError.of_column(self.role, int(found[row]), self.moves, choices, where)
        return found.astype(np.int32)


def gives_probabilities(seat: Any) -> bool:
    """Whether a function that holds a seat takes observations and masks alone, and so gives probabilities."""
    if isinstance(seat, FunctionPolicy) or is_module(seat):
        return True
    try:
        signature = inspect.signature(seat)
    except (TypeError, ValueError):
        return False
    return _takes(signature, 2) and not _takes(signature, 3)


def _takes(signature: inspect.Signature, count: int) -> bool:
    try:
        signature.bind(*range(count))
    except TypeError:
        return False
    return True


class PolicyHolder:
    """A seat held by a function that gives probabilities, from which moves are drawn."""

    def __init__(self, role: str, policy: FunctionPolicy, shown_last: int | None) -> None:
        self.role, self.policy = role, policy
        self._player, self._players = policy.game.roles.index(role), len(policy.game.roles)
        #: Whether the environment shows what the function is shown.
        self._is_shown = shown_last == policy.last
        self.reset(0)

    def reset(self, seed: int | str) -> None:
        self.rng = np.random.default_rng(seed_of(str(seed), self.role))

    def columns(self, asked: Asked) -> npt.NDArray[np.int32]:
        rows = len(asked.lanes)
        masks = np.zeros((rows, self.policy.outputs), np.bool_)
        masks[:, : asked.mask.shape[1]] = asked.mask == 1
        if self._is_shown:
            observations = np.zeros((rows, self.policy.inputs), np.float32)
            observations[:, self._player] = 1
            observations[:, self._players : self._players + asked.observation.shape[1]] = asked.observation
        else:
            observations = self.policy.of_views(asked.views())
        sums = self.policy(observations, masks).cumsum(1)
        # Rounding does not leave a draw without a move.
        draws = self.rng.random((rows, 1)) * sums[:, -1:]
        chosen: npt.NDArray[np.int32] = (sums > draws).argmax(1).astype(np.int32)
        return chosen


class AgentHolder:
    """A seat held by an agent or a policy.

    The reported strategy of an agent is cached by information set, and moves are drawn from it. An agent that searches, and so reports
    none, is asked in every match: every lane has its own agent with its own seed, and another one for the next match.
    A strategy is the same for every seed, so it does not matter which of them reports it.
    """

    def __init__(self, kind: str | Policy, game: Game, role: str, moves: Sequence[str]) -> None:
        self.kind, self.game, self.role = kind, game, role
        # Tells strategies until there is none; what is no agent is refused here.
        self._teller: Agent | None = Agent(kind, game, role)
        self._columns = {move: column for column, move in enumerate(moves)}
        self._known: dict[View, int] = {}
        self._sums: list[list[float]] = []
        self.reset(0)

    def reset(self, seed: int | str) -> None:
        self.seed = str(seed)
        self.rng = np.random.default_rng(seed_of(self.seed, self.role))
        self._agents: dict[int, tuple[int, Agent]] = {}

    def columns(self, asked: Asked) -> npt.NDArray[np.int32]:
        if len(self._known) > _KNOWN_MAX:
            self._known, self._sums = {}, []
        chosen = np.zeros(len(asked.lanes), np.int32)
        draws = self.rng.random(len(asked.lanes)).tolist()
        for row, view in enumerate(asked.views()):
            place, column = self._known.get(view), 0
            if place is None:
                column, place = self._ask(asked, row, view)
            chosen[row] = column if place is None else bisect_right(self._sums[place], draws[row])
        return chosen

    def _ask(self, asked: Asked, row: int, view: View) -> tuple[int, int | None]:
        """The choice of the lane's agent, and the index of its strategy, if it reports one."""
        decision = self._teller.decide(view) if self._teller else None
        if decision is None or decision.strategy is None:
            self._teller = None
            decision = self._agent(int(asked.lanes[row]), int(asked.matches[row])).decide(view)
        if decision.strategy is None:
            return self._columns[decision.chosen], None
        chances = np.zeros(len(self._columns))
        for move, chance in decision.strategy.items():
            chances[self._columns[move]] = chance
        sums = np.cumsum(chances)
        # Rounding does not leave a draw without a move: from the last possible one on, the sum is more than any draw.
        sums[np.flatnonzero(chances)[-1] :] = 2.0
        self._known[view] = len(self._sums)
        self._sums.append(sums.tolist())
        return self._columns[decision.chosen], self._known[view]

    def _agent(self, lane: int, match: int) -> Agent:
        held = self._agents.get(lane)
        if held is None or held[0] != match:
            # Not drawn: what is known already has to change nothing.
            held = match, Agent(self.kind, self.game, self.role, seed=seed_of(self.seed, self.role, lane, match))
            self._agents[lane] = held
        return held[1]
