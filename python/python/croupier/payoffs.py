"""Goals in the unit in which a game is usually reported."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy.typing as npt

from ._native import Game

#: A number, or an array of them.
_Goals = TypeVar("_Goals", float, npt.NDArray[Any])


def payoffs(game: Game, goals: _Goals) -> _Goals:
    """The payoffs that goals stand for; the goals themselves if the game has no unit of its own."""
    if game.payoff_scale is None:
        return goals
    _, offset, unit = game.payoff_scale
    return (goals - offset) / unit
