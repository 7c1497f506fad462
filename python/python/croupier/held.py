"""Lanes in which some seats are held: what `VectorEnv` stands on where a policy, a function or an agent plays a seat.

The native lanes step all matches together. Here every lane is played on, by those who hold seats, until a player in an open seat has
a choice. Lanes that come to one early are kept as they are then: they go on in the native part with moves that do not matter, and
at the end of the step everything that their matches depend on is put back. That is what `Lanes.words` gives: for each block of
512 lanes the state of its generator, planes of one bit a lane, and the turns of each lane.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ._native import Game, Lanes
from .errors import CroupierError
from .seats import AgentHolder, Asked, FunctionHolder, Holder, Seat
from .steps import Step, Wanted, empty_step
from .told import Told

#: Lanes of a block, words of a plane of one bit a lane, and words of a generator, in `Lanes.words`.
_BLOCK, _PLANE, _GENERATOR = 512, 8, 5 * 8 * 8 + 1

#: Native steps within one step, at most, where `turns_max` does not say less.
_PASSES_MAX = 20_000


class HeldLanes:
    """Has the calls of the native `Lanes`, and plays the seats that are held.

    Parameters
    ----------
    game : Game
    wanted : Wanted
        What is shown of open seats.
    seats : mapping of role to Seat
        Who holds which seat.
    turns_between : int
        How many turns between two choices agents can be told.
    """

    def __init__(self, game: Game, wanted: Wanted, seats: Mapping[str, Seat], turns_between: int) -> None:
        self.game, self.wanted = game, wanted
        agents = [role for role, seat in seats.items() if not callable(seat)]
        if agents and wanted.observation == "state":
            raise CroupierError(f"the observation 'state' does not say what {agents[0]} knows: an agent cannot hold the seat")
        asked_for = wanted
        if agents:
            asked_for = replace(wanted, observation="percepts", last=max(wanted.last, turns_between))
        roles = game.roles
        self._native_wanted = replace(
            asked_for,
            is_open=[is_open or role in seats for role, is_open in zip(roles, wanted.is_open, strict=True)],
        )
        self._native = Lanes(game, self._native_wanted)
        self._is_open = np.array(wanted.is_open)
        self._moves, native_features = self._native.moves(), self._native.features()
        events = [len(names) // (asked_for.last + 1) for names in native_features]
        #: By player, where in the native numbers those stand that are shown.
        self._places = [
            self._shown(count) if agents else slice(0, len(names)) for count, names in zip(events, native_features, strict=True)
        ]
        if not any(is_open and len(names) > 1 for is_open, names in zip(wanted.is_open, self._moves, strict=True)):
            raise CroupierError("nobody is to be asked: no player in an open seat ever has a choice")
        #: By player, who chooses; and, where that is an agent, what it was told.
        self._holders: dict[int, Holder] = {}
        self._told: dict[int, Told] = {}
        for role, seat in seats.items():
            player = roles.index(role)
            if callable(seat):
                self._holders[player] = FunctionHolder(role, self._moves[player], seat)
            else:
                self._told[player] = Told(game, role, native_features[player], asked_for.last, wanted.lanes)
                self._holders[player] = AgentHolder(seat, self._told[player], self._moves[player])
        self._now, self._kept = self._step(), self._step()
        self._matches = np.zeros(wanted.lanes, np.int64)
        self._is_whole = True

    def _step(self) -> Step:
        features = max((len(names) for names in self._native.features()), default=0)
        moves = max((len(names) for names in self._moves), default=0)
        return empty_step(self.wanted.lanes, len(self.game.roles), features, moves)

    def _shown(self, events: int) -> slice:
        """Where in numbers that tell more turns apart those stand that are shown."""
        if self.wanted.observation == "turn":
            return slice(events, 2 * events)
        return slice(0, events * (1 + self.wanted.last))

    def moves(self) -> list[list[str]]:
        return self._moves

    def features(self) -> list[list[str]]:
        shown = [names[place] for names, place in zip(self._native.features(), self._places, strict=True)]
        if self.wanted.observation == "turn":
            return [[name.removesuffix(", 1 turns ago") for name in names] for names in shown]
        return shown

    def reset(self, seed: int | str, written: Step) -> None:
        for holder in self._holders.values():
            holder.reset(seed)
        self._matches.fill(0)
        for told in self._told.values():
            told.forget()
        self._native.reset(seed, self._now)
        self._play_on(written)

    def step(self, columns: npt.NDArray[np.int32], written: Step) -> int:
        if not self._is_whole:
            raise CroupierError("who holds a seat failed in the step before: call reset")
        self._is_whole = False
        moves = self._answered(self._kept, np.ones(self.wanted.lanes, bool), columns.copy())
        drawn = self._native.step(moves, self._now)
        self._play_on(written)
        return drawn

    def _answered(
        self, shown: Step, lanes: npt.NDArray[np.bool_], columns: npt.NDArray[np.int32]
    ) -> npt.NDArray[np.int32]:
        """The columns, with what those who hold seats choose in some lanes."""
        for player, holder in self._holders.items():
            rows = np.flatnonzero(lanes & (shown.acting[:, player] == 1))
            if not len(rows):
                continue
            asked = Asked(
                shown.observation[rows, player, self._places[player]],
                shown.mask[rows, player, : len(self._moves[player])],
                rows,
                self._matches[rows],
            )
            columns[rows, player] = holder.columns(asked)
        return columns

    def _play_on(self, written: Step) -> None:
        """Has those who hold seats play until somebody in an open seat has a choice in every lane."""
        self._is_whole = False
        for array in (written.reward, written.done, written.truncated):
            array.fill(0)
        waiting = np.ones(self.wanted.lanes, bool)
        words: npt.NDArray[np.uint64] | None = None
        passes_max = _PASSES_MAX if self.wanted.turns_max is None else 2 * self.wanted.turns_max + 2
        for _ in range(passes_max):
            self._count(written, waiting)
            ready = waiting & self._now.acting[:, self._is_open].any(axis=1)
            if ready.any():
                words = self._keep(ready, ~waiting, words)
                waiting &= ~ready
            if not waiting.any():
                if words is not None:
                    self._native.restore(words.tolist())
                self._write(written)
                self._is_whole = True
                return
            # In lanes that are kept any legal move will do.
            anything = np.argmax(self._now.mask, axis=2).astype(np.int32)
            self._native.step(self._answered(self._now, waiting, anything), self._now)
        raise CroupierError("nobody in an open seat has a choice for too long: the others play on without end")

    def _count(self, written: Step, waiting: npt.NDArray[np.bool_]) -> None:
        """Notes what the first match that ended in this step came to; one that ends without an open choice is skipped."""
        ended = waiting & (self._now.done == 1)
        for player, told in self._told.items():
            features = self._now.observation[:, player]
            told.learn(waiting, ended, features, self._now.turn)
        self._matches[ended] += 1
        first = ended & (written.done == 0)
        written.reward[first] = self._now.reward[first]
        written.truncated[first] = self._now.truncated[first]
        written.done[first] = 1

    def _keep(
        self, ready: npt.NDArray[np.bool_], before: npt.NDArray[np.bool_], words: npt.NDArray[np.uint64] | None
    ) -> npt.NDArray[np.uint64] | None:
        """Keeps lanes as they are now, beside those that were kept before; gives the words of both, if not all are of now."""
        if ready.all():
            self._now, self._kept = self._kept, self._now
            return None
        kept, now = self._kept, self._now
        kept.observation[ready], kept.mask[ready] = now.observation[ready], now.mask[ready]
        kept.acting[ready], kept.turn[ready] = now.acting[ready], now.turn[ready]
        new = np.array(self._native.words(), np.uint64)
        return new if words is None else _merged(new, words, before)

    def _write(self, written: Step) -> None:
        kept = self._kept
        written.mask[...] = kept.mask
        written.turn[...] = kept.turn
        written.acting[...] = kept.acting * self._is_open
        for player, place in enumerate(self._places):
            size = place.stop - place.start
            written.observation[:, player, :size] = kept.observation[:, player, place]

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        del state["_native"]
        return {"words": np.array(self._native.words(), np.uint64), **state}

    def __setstate__(self, state: dict[str, Any]) -> None:
        words = state.pop("words")
        self.__dict__.update(state)
        self._native = Lanes(self.game, self._native_wanted)
        self._native.restore(words.tolist())


def _merged(
    new: npt.NDArray[np.uint64], old: npt.NDArray[np.uint64], lanes: npt.NDArray[np.bool_]
) -> npt.NDArray[np.uint64]:
    """New words, with what the matches of some lanes depend on from old ones."""
    blocks = -(-len(lanes) // _BLOCK)
    bits = np.zeros(blocks * _BLOCK, bool)
    bits[: len(lanes)] = lanes
    merged, kept = new.reshape(blocks, -1).copy(), old.reshape(blocks, -1)
    planes = slice(_GENERATOR, merged.shape[1] - _BLOCK)
    mask = np.packbits(bits.reshape(blocks, _BLOCK), axis=1, bitorder="little").view("<u8")[:, None, :]
    now, then = merged[:, planes].reshape(blocks, -1, _PLANE), kept[:, planes].reshape(blocks, -1, _PLANE)
    merged[:, planes] = ((then & mask) | (now & ~mask)).reshape(blocks, -1)
    turns = merged[:, -_BLOCK:]
    turns[bits.reshape(blocks, _BLOCK)] = kept[:, -_BLOCK:][bits.reshape(blocks, _BLOCK)]
    return merged.reshape(-1)
