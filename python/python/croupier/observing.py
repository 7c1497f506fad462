"""A player's knowledge as numbers, for one match at a time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import numpy as np
import numpy.typing as npt

from ._native import Game, Lanes, View
from .errors import CroupierError, RoleError
from .steps import Wanted


class Observer:
    """Encodes a `View` in the same numbers as a `VectorEnv`.

    Parameters
    ----------
    game : Game
        Its rules must be small enough for a network of gates.
    observation : {'percepts', 'turn'}
        As for `VectorEnv`.
    last : int
        How many recent turns `percepts` distinguishes.

    Attributes
    ----------
    moves, features : dict of role to list of str
        The meaning of the columns of masks and of observations.

    Examples
    --------
    >>> import croupier
    >>> match = croupier.Match(croupier.load("kuhn"), seed=1)
    >>> croupier.Observer(match.game).observe(match.view("alice")).sum()
    np.int64(0)
    """

    def __init__(self, game: Game, observation: Literal["percepts", "turn"] = "percepts", last: int = 1) -> None:
        if observation not in ("percepts", "turn"):
            raise CroupierError(f"unknown observation {observation!r}: for one match it must be 'percepts' or 'turn'")
        lanes = Lanes(game, Wanted(1, observation, last, [True] * len(game.roles)))
        self.game, self.observation, self.last = game, observation, last
        self.moves: dict[str, list[str]] = dict(zip(game.roles, lanes.moves(), strict=True))
        self.features: dict[str, list[str]] = dict(zip(game.roles, lanes.features(), strict=True))
        self._columns = {role: {move: place for place, move in enumerate(names)} for role, names in self.moves.items()}
        self._places = {role: {name: place for place, name in enumerate(names)} for role, names in self.features.items()}

    def observe(self, view: View) -> npt.NDArray[np.uint8]:
        """Encode what a player knows.

        Returns
        -------
        ndarray of uint8, shape (features of the role,)
            0 or 1, named by `features[view.role]`.
        """
        places = self._of(view.role, self._places)
        found = np.zeros(len(places), np.uint8)
        for name in self._names(view):
            found[places[name]] = 1
        return found

    def _names(self, view: View) -> Iterable[str]:
        def events(move: str, percepts: list[str]) -> Iterable[str]:
            yield f"did {move}"
            for percept in percepts:
                yield f"saw {percept}"

        turns = view.turns
        if self.observation == "turn":
            for move, percepts in turns[-1:]:
                yield from events(move, percepts)
            return
        for ago, (move, percepts) in enumerate(reversed(turns), 1):
            for event in events(move, percepts):
                yield f"{event}, ever"
                if ago <= self.last:
                    yield f"{event}, {ago} turns ago"

    def column(self, role: str, move: str) -> int:
        """The column of a move."""
        return self._of(role, self._columns)[move]

    def mask(self, role: str, moves: Iterable[str]) -> npt.NDArray[np.int8]:
        """A mask that is 1 for these moves.

        Returns
        -------
        ndarray of int8, shape (moves of the role,)
        """
        columns = self._of(role, self._columns)
        mask = np.zeros(len(columns), np.int8)
        mask[[columns[move] for move in moves]] = 1
        return mask

    def _of(self, role: str, by_role: dict[str, dict[str, int]]) -> dict[str, int]:
        try:
            return by_role[role]
        except KeyError:
            raise RoleError.of(role, self.game.roles) from None
