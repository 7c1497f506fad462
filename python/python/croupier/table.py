"""One match, played from choice to choice by columns: the basis of adapters to other frameworks."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, Literal, SupportsIndex

import numpy as np
import numpy.typing as npt

from ._native import Game, Match, Play, View, load
from .errors import IllegalMoveError, RoleError
from .observing import Observer
from .payoffs import payoffs
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
    observer : Observer
        The meaning of columns and features.
    acting : list of str
        The players who have a choice now; none when the match is over.
    match : Match
        The current match at the referee, as far as it was played; `match.record()` is its record.
    """

    def __init__(
        self,
        game: Game | str,
        *,
        observation: Literal["percepts", "turn"] = "percepts",
        last: int | None = None,
        units: Literal["goals", "payoff"] = "payoff",
        illegal: Literal["draw", "error"] = "draw",
    ) -> None:
        self.game = load(game) if isinstance(game, str) else game
        check_options(units, illegal)
        self.observer = Observer(self.game, observation, last)
        self.units, self.illegal, self.illegal_moves = units, illegal, 0
        self._roles: list[str] = self.game.roles
        self._places = {role: place for place, role in enumerate(self._roles)}
        self._seeds = random.Random()
        self.begin(0)

    def begin(self, seed: SupportsIndex | None = None) -> None:
        """Start a match, and play up to its first choice; without a seed it follows from the last given seed."""
        if seed is not None:
            self._seeds = random.Random(int(seed))
        number = int(seed) if seed is not None else self._seeds.getrandbits(64)
        self._draws = random.Random(number)
        self._seed, self.illegal_moves = number, 0
        self._actions: list[list[int]] = []
        self._match: Match | None = None
        self._play = Play(self.observer.native, number)
        self._look()

    def _look(self) -> None:
        self.acting: list[str] = [self._roles[player] for player in self._play.acting()]

    @property
    def match(self) -> Match:
        match = self._match = self._match or Match(self.game, seed=self._seed)
        for moves in self._play.played()[match.turn :]:
            match.step(dict(zip(self._roles, moves, strict=True)))
        return match

    def _place(self, role: str) -> int:
        try:
            return self._places[role]
        except KeyError:
            raise RoleError.of(role, self._roles) from None

    def view(self, role: str) -> View:
        """What a player may know: its own moves and percepts."""
        return self._play.view(self._place(role))

    def observe(self, role: str) -> npt.NDArray[np.uint8]:
        """What a player knows, as `Observer.observe`."""
        return self._play.row(self._place(role))

    def mask(self, role: str) -> npt.NDArray[np.int8]:
        """The legal moves of a player; all zeros when the match is over."""
        return self._play.mask(self._place(role))

    @property
    def facts(self) -> list[str]:
        """Every fact that a state can have, in the order of `state`."""
        return self._play.facts()

    @property
    def state(self) -> npt.NDArray[np.uint8]:
        """The facts that are true, which no player may see: ndarray of uint8, shape (facts,)."""
        return self._play.state()

    def play(self, actions: Mapping[str, SupportsIndex]) -> None:
        """Make the moves of all players who have a choice, by column, and play up to the next choice."""
        columns = [0] * len(self._places)
        for role in self.acting:
            columns[self._places[role]] = self._column(actions[role])
        while (wrong := self._play.step(columns)) is not None:
            columns[wrong] = self._drawn(self._roles[wrong], columns[wrong])
        self._actions.append(columns)
        self._look()

    @staticmethod
    def _column(action: SupportsIndex) -> int:
        column = int(action)
        # What does not fit is no column either way.
        return column if 0 <= column < 2**31 else -1

    def _drawn(self, role: str, column: int) -> int:
        """A column in the place of one that is not legal."""
        legal = np.flatnonzero(self.mask(role)).tolist()
        if self.illegal == "error":
            names = self.observer.moves[role]
            raise IllegalMoveError.of_column(role, column, names, [names[place] for place in legal])
        self.illegal_moves += 1
        return int(self._draws.choice(legal))

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_play", "_match")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._match = None
        self._play = Play(self.observer.native, self._seed)
        for columns in self._actions:
            self._play.step(columns)

    @property
    def rewards(self) -> dict[str, float]:
        """The result of each player when the match is over, otherwise 0."""
        goals = self._play.goals()
        if goals is None:
            return dict.fromkeys(self._places, 0.0)
        rewards = payoffs(self.game, np.asarray(goals, float)) if self.units == "payoff" else goals
        return {role: float(reward) for role, reward in zip(self._places, rewards, strict=True)}
