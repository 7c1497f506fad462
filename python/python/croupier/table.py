"""One match, played from choice to choice by columns: the basis of adapters to other frameworks."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Literal, SupportsIndex

import numpy as np
import numpy.typing as npt

from ._native import Game, Match, load
from .errors import IllegalMoveError
from .observing import Observer
from .steps import check_options


class Table:
    """A `Match` for learners that choose by number. It can be copied and pickled in the middle of a match.

    Parameters
    ----------
    game : Game or str
        A game, or the name of a bundled game.
    observation, last
        As for `Observer`.
    units : {'goals', 'payoff'}
        The unit of rewards.
    illegal : {'draw', 'error'}
        What happens to an illegal action: a legal one is drawn, from the seed of the match, and counted in
        `illegal_moves`, or it is an error.

    Attributes
    ----------
    match : Match
        The current match; `match.record()` is its record.
    """

    def __init__(
        self,
        game: Game | str,
        *,
        observation: Literal["percepts", "turn"] = "percepts",
        last: int = 1,
        units: Literal["goals", "payoff"] = "payoff",
        illegal: Literal["draw", "error"] = "draw",
    ) -> None:
        self.game = load(game) if isinstance(game, str) else game
        check_options(units, illegal)
        self.observer = Observer(self.game, observation, last)
        self.units, self.illegal, self.illegal_moves = units, illegal, 0
        self._seeds = random.Random()
        self.match: Match
        self.begin(0)

    def begin(self, seed: SupportsIndex | None = None) -> None:
        """Start a match, and play up to its first choice; without a seed it follows from the last given seed."""
        if seed is not None:
            self._seeds = random.Random(int(seed))
        number = int(seed) if seed is not None else self._seeds.getrandbits(64)
        self._draws = random.Random(number)
        self.match = Match(self.game, seed=number)
        self.illegal_moves = 0
        self._advance()

    def _advance(self) -> None:
        while not self.match.is_over and not self.match.acting:
            self.match.step()

    @property
    def acting(self) -> list[str]:
        """The players who have a choice now; none when the match is over."""
        return [] if self.match.is_over else self.match.acting

    def observe(self, role: str) -> npt.NDArray[np.uint8]:
        """What a player knows, as `Observer.observe`."""
        return self.observer.observe(self.match.view(role))

    def mask(self, role: str) -> npt.NDArray[np.int8]:
        """The legal moves of a player; all zeros when the match is over."""
        return self.observer.mask(role, [] if self.match.is_over else self.match.legal(role))

    def play(self, actions: Mapping[str, SupportsIndex]) -> None:
        """Make the moves of all players who have a choice, by column, and play up to the next choice."""
        chosen = {role: self._move(role, actions[role]) for role in self.match.acting}
        self.match.step(chosen)
        self._advance()

    def _move(self, role: str, action: SupportsIndex) -> str:
        names, legal, column = self.observer.moves[role], self.match.legal(role), int(action)
        move = names[column] if 0 <= column < len(names) else None
        if move in legal:
            return move
        if self.illegal == "error":
            raise IllegalMoveError.of_column(role, column, names, legal)
        self.illegal_moves += 1
        return self._draws.choice(legal)

    @property
    def rewards(self) -> dict[str, float]:
        """The result of each player when the match is over, otherwise 0."""
        got = self.match.payoffs if self.units == "payoff" else self.match.goals
        return {role: float(got[role]) if got else 0.0 for role in self.game.roles}
