"""The meaning of a network's columns in a game: inputs from what a player knows, outputs as moves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from .._native import Game, View
from ..observing import Observer


class Space:
    """The columns of a network that all players of a game share.

    An input is the player, one-hot in the order of the rules, followed by what the player knows as encoded by `VectorEnv` and `Observer`
    (`observation="percepts"`), then zeros up to the width of the widest player. An output is a logit for each move of the player;
    further columns, up to those of the widest player, are unused.

    Parameters
    ----------
    game : Game
        Its rules must be small enough for a network of gates.
    last : int, optional
        How many recent turns an observation distinguishes, as for `VectorEnv`.

    Attributes
    ----------
    roles : list of str
        The players.
    features, moves : dict of role to list of str
        The meaning of the numbers of an observation, and of the columns of an output.
    inputs_count, outputs_count : int
        Players plus the largest number of features; the largest number of moves.
    """

    def __init__(self, game: Game, last: int | None = None) -> None:
        self.observer = Observer(game, last=last)
        self.game, self.last = game, self.observer.last
        self.roles: list[str] = game.roles
        self.features, self.moves = self.observer.features, self.observer.moves
        self._widest = max(len(names) for names in self.features.values())
        self.inputs_count = len(self.roles) + self._widest
        self.outputs_count = max(len(names) for names in self.moves.values())

    def inputs(self, players: npt.NDArray[np.int64], observation: npt.NDArray[np.uint8]) -> torch.Tensor:
        """The inputs of a network.

        Parameters
        ----------
        players : ndarray of int64, shape (N,)
            Indices of the roles.
        observation : ndarray of uint8, shape (N, most features)
            What each of them knows.

        Returns
        -------
        Tensor of float32, shape (N, inputs_count)
        """
        inputs = torch.zeros((len(players), self.inputs_count))
        inputs[torch.arange(len(players)), torch.from_numpy(players)] = 1
        inputs[:, len(self.roles) :] = torch.from_numpy(observation)
        return inputs

    def of_views(self, views: Iterable[View]) -> torch.Tensor:
        """The inputs of a network for views, one row each in order: Tensor of float32, shape (N, inputs_count)."""
        listed = list(views)
        players = np.array([self.roles.index(view.role) for view in listed], np.int64)
        observation = np.zeros((len(listed), self._widest), np.uint8)
        for row, view in zip(observation, listed, strict=True):
            known = self.observer.observe(view)
            row[: len(known)] = known
        return self.inputs(players, observation)

    def masks(self, choices: Iterable[tuple[str, Iterable[str]]]) -> torch.Tensor:
        """Legal moves of roles: Tensor of bool, shape (N, outputs_count)."""
        rows = []
        for role, moves in choices:
            row = np.zeros(self.outputs_count, np.bool_)
            legal = self.observer.mask(role, moves)
            row[: len(legal)] = legal == 1
            rows.append(row)
        return torch.from_numpy(np.array(rows, np.bool_).reshape(-1, self.outputs_count))

    def metadata(self) -> dict[str, Any]:
        """The description of the columns and the game in an exported file; `croupier play --seat ROLE=net:FILE` reads it."""
        return {
            "version": 1,
            "game": self.game.name,
            "rules": self.game.rules,
            "rules_sha256": self.game.sha256,
            "observation": "percepts",
            "last": self.last,
            "players": [
                {"role": role, "features": self.features[role], "moves": self.moves[role]} for role in self.roles
            ],
        }
