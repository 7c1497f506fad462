"""Lanes with held seats: used by `VectorEnv` when a policy, a function or an agent plays a seat.

The native lanes are open in these seats too. Their holders play in the lanes in which no player in an open seat has a
choice yet; the other lanes wait.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from ._native import Game, Lanes, View
from .errors import CroupierError
from .functions import FunctionPolicy
from .seats import AgentHolder, Asked, FunctionHolder, Holder, PolicyHolder, Seat, SeatFunction, gives_probabilities
from .steps import Step, Wanted

#: Native steps within one step, at most, where `turns_max` does not say less.
_PASSES_MAX = 20_000


class HeldLanes:
    """Has the interface of the native `Lanes`, and plays the held seats.

    Parameters
    ----------
    game : Game
    wanted : Wanted
        What is shown for open seats.
    seats : mapping of role to Seat
        The holder of each held seat.
    opponents : optional
        As for `VectorEnv`.
    """

    def __init__(self, game: Game, wanted: Wanted, seats: Mapping[str, Seat], opponents: Any = None) -> None:
        self.game, self.wanted, self.opponents = game, wanted, opponents
        shown_last = wanted.last if wanted.observation == "percepts" else None
        policies = {role: FunctionPolicy.of(game, seat) for role, seat in seats.items() if gives_probabilities(seat)}
        self._native_wanted = replace(
            wanted,
            is_open=[is_open or role in seats for role, is_open in zip(game.roles, wanted.is_open, strict=True)],
            views=any(not callable(seat) for seat in seats.values()) or any(one.last != shown_last for one in policies.values()),
        )
        self._native = Lanes(game, self._native_wanted, opponents)
        self._is_open = np.array(wanted.is_open)
        self._moves, features = self._native.moves(), self._native.features()
        if not any(is_open and len(names) > 1 for is_open, names in zip(wanted.is_open, self._moves, strict=True)):
            raise CroupierError("no player in an open seat ever has a choice")
        #: By player, who chooses, and how many features it is shown.
        self._holders: dict[int, tuple[Holder, int]] = {}
        for role, seat in seats.items():
            player = game.roles.index(role)
            moves = self._moves[player]
            holder: Holder
            if role in policies:
                holder = PolicyHolder(role, policies[role], shown_last)
            elif callable(seat):
                holder = FunctionHolder(role, moves, cast(SeatFunction, seat))
            else:
                holder = AgentHolder(seat, game, role, moves)
            self._holders[player] = holder, len(features[player])
        self._matches = np.zeros(wanted.lanes, np.int64)
        self._is_whole = True

    def moves(self) -> list[list[str]]:
        return self._native.moves()

    def features(self) -> list[list[str]]:
        return self._native.features()

    def reset(self, seed: int | str, written: Step) -> None:
        for holder, _ in self._holders.values():
            holder.reset(seed)
        self._matches.fill(0)
        self._native.reset(seed, written)
        self._play_on(written)
        # Matches that ended without an open choice were nobody's.
        for array in (written.reward, written.done, written.truncated):
            array.fill(0)

    def sample(self, columns: npt.NDArray[np.int32]) -> None:
        self._native.sample(columns)

    def restart(self, lanes: npt.NDArray[np.bool_], written: Step) -> None:
        self._native.restart(lanes, written)
        self._matches += lanes
        self._play_on(written)
        for array in (written.reward, written.done, written.truncated):
            array.fill(0)

    def refresh_opponents(self, written: Step | None = None) -> None:
        self._native.refresh_opponents(written)

    def finals(self, features: npt.NDArray[np.uint8]) -> None:
        self._native.finals(features)

    def step(
        self, columns: npt.NDArray[np.int32], written: Step, lanes: npt.NDArray[np.bool_] | None = None
    ) -> int:
        if not self._is_whole:
            raise CroupierError("the holder of a seat failed in the previous step: call reset")
        self._is_whole = False
        wanted = np.ones(self.wanted.lanes, bool) if lanes is None else lanes
        # The others who choose in the same turn were not shown.
        written.acting[...] = self._acting
        drawn = self._native.step(self._answered(written, wanted, columns.copy()), written, wanted)
        self._play_on(written)
        return drawn

    def _answered(
        self, shown: Step, lanes: npt.NDArray[np.bool_], columns: npt.NDArray[np.int32]
    ) -> npt.NDArray[np.int32]:
        """The columns, with the choices of held seats in some lanes filled in."""
        for player, (holder, size) in self._holders.items():
            rows = np.flatnonzero(lanes & (shown.acting[:, player] == 1))
            if not len(rows):
                continue
            observation = shown.observation[rows, player, :size]
            mask = shown.mask[rows, player, : len(self._moves[player])]

            def views(player: int = player, rows: npt.NDArray[np.int64] = rows) -> list[View]:
                return self._native.views(player, rows.tolist())

            columns[rows, player] = holder.columns(Asked(observation, mask, views, rows, self._matches[rows]))
        return columns

    def _play_on(self, written: Step) -> None:
        """Let the holders of seats play until every lane has a choice for an open seat."""
        self._is_whole = False
        ended = {name: getattr(written, name).copy() for name in ("reward", "done", "truncated")}
        self._matches += written.done
        passes_max = _PASSES_MAX if self.wanted.turns_max is None else 2 * self.wanted.turns_max + 2
        for _ in range(passes_max):
            waiting = np.logical_not(written.acting[:, self._is_open].any(axis=1))
            if not waiting.any():
                for name, first in ended.items():
                    getattr(written, name)[...] = first
                self._acting = written.acting.copy()
                written.acting[...] *= self._is_open
                self._is_whole = True
                return
            nothing = np.zeros(written.acting.shape, np.int32)
            self._native.step(self._answered(written, waiting, nothing), written, waiting)
            self._matches += written.done
            # A match that ends without an open choice behind one that ended in this step is skipped.
            first = (written.done == 1) & (ended["done"] == 0)
            for name, values in ended.items():
                values[first] = getattr(written, name)[first]
        raise CroupierError("no player in an open seat gets a choice: the held seats play on without end")

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        del state["_native"]
        return {"words": self._native.words(), **state}

    def __setstate__(self, state: dict[str, Any]) -> None:
        words = state.pop("words")
        self.__dict__.update(state)
        self._native = Lanes(self.game, self._native_wanted, self.opponents)
        self._native.restore(words)
