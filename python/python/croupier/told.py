"""What a player did and was told in every lane, turn by turn: the views of policies and agents that hold seats.

Lanes show numbers, of which those of the kind `percepts` say what came in each of the last turns. From one choice to the next a few
turns are played; these are taken in after every native step, and so a match may be as long as it likes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ._native import Game, View
from .errors import CroupierError


class Told:
    """Moves and percepts of one role in many lanes.

    Parameters
    ----------
    game : Game
    role : str
    features : sequence of str
        What the numbers mean: for each event whether it ever came, then whether it came in each of the `last` turns.
    last : int
        How many of the last turns are told apart.
    lanes : int
    """

    def __init__(self, game: Game, role: str, features: Sequence[str], last: int, lanes: int) -> None:
        self.game, self.role, self.last = game, role, last
        events = [name.removesuffix(", ever") for name in features[: len(features) // (last + 1)]]
        #: By event, whether it is an own move, and its text.
        self._events = [(name.startswith("did "), name[4:]) for name in events]
        #: By lane and turn, a bit for each event.
        self._bits = np.zeros((lanes, 16, (len(events) + 7) // 8), np.uint8)
        self._turns = np.zeros(lanes, np.int64)

    def forget(self) -> None:
        """Begin with first matches."""
        self._turns.fill(0)

    def learn(
        self,
        lanes: npt.NDArray[np.bool_],
        began: npt.NDArray[np.bool_],
        observation: npt.NDArray[np.uint8],
        turn: npt.NDArray[np.uint32],
    ) -> None:
        """Take in the turns since the last time.

        Parameters
        ----------
        lanes : ndarray of bool, shape (lanes,)
            Where turns were played that count.
        began : ndarray of bool, shape (lanes,)
            Where a new match has begun since then.
        observation : ndarray of uint8, shape (lanes, features)
        turn : ndarray of uint32, shape (lanes,)
            Turns of the match so far.

        Raises
        ------
        CroupierError
            If more turns were played than are told apart.
        """
        self._turns[lanes & began] = 0
        played = np.where(lanes, turn - self._turns, 0)
        most = int(played.max())
        if most > self.last:
            raise CroupierError(
                f"who plays {self.role} has to know every turn, and between two choices there were {most} of them: "
                f"pass turns_between={2 * most} to VectorEnv [now: {self.last}]"
            )
        while int(turn[lanes].max()) > self._bits.shape[1]:
            # A match that is longer than any before: twice the room.
            self._bits = np.concatenate([self._bits, np.zeros_like(self._bits)], axis=1)
        for ago in range(1, most + 1):
            rows = np.flatnonzero(played >= ago)
            came = observation[rows, ago * len(self._events) : (ago + 1) * len(self._events)]
            self._bits[rows, turn[rows] - ago] = np.packbits(came, axis=1)
        self._turns[lanes] = turn[lanes]

    def key(self, lane: int) -> bytes:
        """Bytes that two views share only if they are the same."""
        return self._bits[lane, : self._turns[lane]].tobytes()

    def view(self, lane: int) -> View:
        """The view of the match in a lane."""
        turns: list[tuple[str, list[str]]] = [("", [])] * int(self._turns[lane])
        came = np.unpackbits(self._bits[lane, : len(turns)], axis=1)
        # Own moves stand before percepts, and there is one in every turn.
        for turn, event in zip(*(found.tolist() for found in np.nonzero(came)), strict=True):
            is_move, text = self._events[event]
            if is_move:
                turns[turn] = text, []
            else:
                turns[turn][1].append(text)
        return View(self.game, self.role, turns)
