"""A player's knowledge as numbers, for one match at a time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ._native import Columns, Game, View
from .errors import CroupierError, RoleError
from .recall import last_or_default
from .steps import check_count


class Observer:
    """Encodes a `View` in the same numbers as a `VectorEnv`.

    Parameters
    ----------
    game : Game
        Its rules must be small enough for a network of gates.
    observation : {'percepts', 'turn'}
        As for `VectorEnv`.
    last : int, optional
        How many recent turns `percepts` distinguishes; by default the fewest that tell all information sets apart. In a game that is too
        large to find out it is 1, with a `RecallWarning`.

    Attributes
    ----------
    moves, features : dict of role to list of str
        The meaning of the columns of masks and of observations.
    native : Columns
        The same in the native module.

    Examples
    --------
    >>> import croupier
    >>> match = croupier.Match(croupier.load("kuhn"), seed=1)
    >>> croupier.Observer(match.game).observe(match.view("alice")).sum()
    np.int64(0)
    """

    def __init__(self, game: Game, observation: Literal["percepts", "turn"] = "percepts", last: int | None = None) -> None:
        if observation not in ("percepts", "turn"):
            raise CroupierError(f"unknown observation {observation!r}: for one match it must be 'percepts' or 'turn'")
        self.game, self.observation = game, observation
        self.last = last_or_default(game, observation, last)
        check_count("last", self.last, 0)
        self.native = Columns(game, observation, self.last)
        self.moves: dict[str, list[str]] = dict(zip(game.roles, self.native.moves(), strict=True))
        self.features: dict[str, list[str]] = dict(zip(game.roles, self.native.features(), strict=True))
        self._columns = {role: {move: place for place, move in enumerate(names)} for role, names in self.moves.items()}

    def observe(self, view: View) -> npt.NDArray[np.uint8]:
        """Encode what a player knows.

        Returns
        -------
        ndarray of uint8, shape (features of the role,)
            0 or 1, named by `features[view.role]`.
        """
        return self.native.row(view)

    def column(self, role: str, move: str) -> int:
        """The column of a move."""
        return self._of(role)[move]

    def mask(self, role: str, moves: Iterable[str]) -> npt.NDArray[np.int8]:
        """A mask that is 1 for these moves.

        Returns
        -------
        ndarray of int8, shape (moves of the role,)
        """
        columns = self._of(role)
        mask = np.zeros(len(columns), np.int8)
        mask[[columns[move] for move in moves]] = 1
        return mask

    def _of(self, role: str) -> dict[str, int]:
        try:
            return self._columns[role]
        except KeyError:
            raise RoleError.of(role, self.game.roles) from None

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "native"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.native = Columns(self.game, self.observation, self.last)
