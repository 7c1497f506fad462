"""How many recent turns an observation must tell apart, so that it says all that a player knows."""

from __future__ import annotations

import warnings
from typing import Any

from . import _native
from ._native import Game
from .errors import CroupierError, RecallWarning

#: Games with more histories are not enumerated unless that is asked for: it would take longer than to say so.
_HISTORIES_MAX = 1_000_000

#: What was found, by the rules' digest: None where nothing was.
_FOUND: dict[str, dict[str, Any] | None] = {}


def smallest_last(game: Game, *, histories_max: int = 5_000_000) -> int:
    """The smallest `last` for which no two information sets with a choice look the same.

    Raises
    ------
    CroupierError
        If the game cannot be enumerated, or no `last` up to 32 is enough.
    """
    found = _native.properties(game, histories_max=histories_max)["smallest_last"]
    if found is None:
        raise CroupierError(f"no last up to 32 tells all information sets of {game.name} apart: pass last=N")
    return int(found)


def found_properties(game: Game) -> dict[str, Any] | None:
    """The native `properties` where the game is quickly enumerated, otherwise None; each game is enumerated once."""
    if game.sha256 not in _FOUND:
        try:
            _FOUND[game.sha256] = _native.properties(game, histories_max=_HISTORIES_MAX)
        except CroupierError:
            _FOUND[game.sha256] = None
    return _FOUND[game.sha256]


def found_last(game: Game) -> int | None:
    """`smallest_last` where the game is quickly enumerated, otherwise None."""
    found = found_properties(game)
    return None if found is None else found["smallest_last"]


def last_or_default(game: Game, observation: str, last: int | None) -> int:
    """The given number of recent turns; by default the smallest that tells all information sets apart, or 1 with a warning."""
    if last is not None or observation != "percepts":
        return 1 if last is None else last
    found = found_last(game)
    if found is None:
        warnings.warn(
            f"{game.name} is too large to find out how many recent turns tell all information sets apart; observations "
            "distinguish the last one: pass last=N to choose",
            RecallWarning,
            stacklevel=3,
        )
    return 1 if found is None else found
