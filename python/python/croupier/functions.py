"""Functions as policies: from what players know, in arrays, to the probabilities of their moves."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ._native import Game, Policy, View, information_sets
from .errors import CroupierError
from .observing import Observer

#: A policy as a function: from observations, float32 of shape (N, inputs), and legal moves, bool of shape (N, outputs), to
#: probabilities, of shape (N, outputs).
PolicyCallable = Callable[[npt.NDArray[np.float32], npt.NDArray[np.bool_]], npt.ArrayLike]

#: How far probabilities may be from adding up to one: what is lost in float32.
_SUM_ERROR = 1e-3

#: What an illegal move may get: what is left of one that was masked in float32.
_ILLEGAL_MOST = 1e-6


class FunctionPolicy:
    """A function as a policy of a game.

    Wherever a policy is taken, a function is as well, and is wrapped in this: `evaluate`, `best_response`, `mixture`, `Belief`, `Agent`, seats of
    `VectorEnv`, `league`. Make one yourself to choose `last`, or to ask the function for views.

    Parameters
    ----------
    game : Game
        Its rules must be small enough for a network of gates.
    function : callable
        From `observations`, float32 of shape (N, inputs), and `masks`, bool of shape (N, outputs), to the probabilities of moves, of shape
        (N, outputs): not negative, 0 for moves that the mask does not allow, and adding up to one in each row. An observation is the player,
        one-hot in the order of `game.roles`, followed by what the player knows, as `Observer` encodes it (`observation="percepts"`), then
        zeros up to the width of the widest player; a mask is 1 for the legal moves of the player in the order of `Observer.moves`, then 0.
        It must give the same row the same answer in every batch. Or a `torch.nn.Module`, whose output for observations are logits of
        shape (N, outputs): the probabilities are the softmax over the legal moves.
    last : int, optional
        How many recent turns observations distinguish; by default as for `Observer`, and for a `learn.Net` as it was made.

    Attributes
    ----------
    inputs, outputs : int
        The width of observations, and of masks and probabilities.
    observer : Observer
        The meaning of the columns.

    Examples
    --------
    >>> import croupier
    >>> game = croupier.load("kuhn")
    >>> uniform = croupier.FunctionPolicy(game, lambda observations, masks: masks / masks.sum(1, keepdims=True))
    >>> round(croupier.evaluate(game, uniform).nash_conv, 6)
    0.916667
    """

    def __init__(self, game: Game, function: PolicyCallable, last: int | None = None) -> None:
        if not callable(function):
            raise TypeError(f"a policy must be a function, not {type(function).__name__}")
        self.game, self.function = game, function
        if last is None:
            # That of a net of ours is part of it.
            last = getattr(getattr(function, "space", None), "last", None)
        self.observer = Observer(game, last=last)
        self.last = self.observer.last
        self.inputs = len(game.roles) + max(len(names) for names in self.observer.features.values())
        self.outputs = max(len(names) for names in self.observer.moves.values())

    @classmethod
    def of(cls, game: Game, written: Any) -> FunctionPolicy:
        """What was written as a policy of a game: itself, if it is a `FunctionPolicy` of these rules.

        Raises
        ------
        CroupierError
            If it was made for other rules.
        """
        made_for = written.game if isinstance(written, cls) else getattr(getattr(written, "space", None), "game", None)
        if isinstance(made_for, Game) and made_for.sha256 != game.sha256:
            raise CroupierError(f"the policy was made for {made_for.name!r}, whose rules differ from {game.name!r}")
        return written if isinstance(written, cls) else cls(game, written)

    def __call__(
        self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.float64]:
        """The probabilities of moves, checked: ndarray of float64, shape (N, outputs), each row of the sum one.

        Raises
        ------
        CroupierError
            If the function gives something else than probabilities of legal moves. Its own exceptions come through as they are.
        """
        if is_module(self.function):
            from .learn.playing import module_probabilities

            return module_probabilities(self.function, observations, masks)
        return self._checked(self.function(observations, masks), masks)

    def _checked(self, found: Any, masks: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
        given = np.asarray(found)
        if given.shape != masks.shape or given.dtype.kind not in "fiub":
            raise CroupierError(
                f"the function must give probabilities of shape {masks.shape}, one for each move, not {given.dtype} of shape {given.shape}"
            )
        rows = given.astype(np.float64)
        self._check(~np.isfinite(rows), rows, masks, "a number", "is not finite")
        self._check(rows < 0, rows, masks, "the probability", "is negative")
        self._check((rows > _ILLEGAL_MOST) & ~masks, rows, masks, "the probability", "is not 0, although the move is illegal")
        rows *= masks
        sums = rows.sum(1, keepdims=True)
        wrong = np.flatnonzero(np.abs(sums[:, 0] - 1) > _SUM_ERROR)
        if len(wrong):
            raise CroupierError(f"the function's probabilities in row {wrong[0]} add up to {sums[wrong[0], 0]:.6g}, not to 1")
        return np.ascontiguousarray(rows / sums)

    def _check(
        self, wrong: npt.NDArray[np.bool_], rows: npt.NDArray[np.float64], masks: npt.NDArray[np.bool_], what: str, problem: str
    ) -> None:
        if wrong.any():
            row, column = (int(place) for place in np.argwhere(wrong)[0])
            legal = np.flatnonzero(masks[row]).tolist()
            raise CroupierError(
                f"{what} that the function gives in row {row} for column {column} {problem}: {rows[row, column]:.6g}; legal columns are {legal}"
            )

    def of_views(self, views: Sequence[View]) -> npt.NDArray[np.float32]:
        """The observations of views: ndarray of float32, shape (N, inputs)."""
        return self.observer.native.inputs(list(views))

    def masks(self, choices: Sequence[tuple[str, Sequence[str]]]) -> npt.NDArray[np.bool_]:
        """The masks of roles with these legal moves: ndarray of bool, shape (N, outputs)."""
        masks = np.zeros((len(choices), self.outputs), np.bool_)
        for row, (role, moves) in zip(masks, choices, strict=True):
            row[[self.observer.column(role, move) for move in moves]] = True
        return masks

    def policy(self, *, histories_max: int = 5_000_000) -> Policy:
        """The function as a table: its probabilities in every information set of a game that can be enumerated.

        Raises
        ------
        CroupierError
            If the game is too large.
        """
        sets = information_sets(self.game, histories_max=histories_max)
        found = self(self.of_views([view for view, _ in sets]), self.masks([(view.role, moves) for view, moves in sets]))
        entries: dict[View | str, dict[str, float]] = {}
        for (view, moves), row in zip(sets, found, strict=True):
            entries[view] = {move: float(row[self.observer.column(view.role, move)]) for move in moves}
        return Policy.from_dict(entries)

    def __repr__(self) -> str:
        name = getattr(self.function, "__qualname__", type(self.function).__name__)
        return f"<croupier.FunctionPolicy {name} for {self.game.name}: {self.inputs} inputs, {self.outputs} outputs>"


def is_module(function: Any) -> bool:
    """Whether it is a `torch.nn.Module`: nobody has one who has not imported torch."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(function, torch.nn.Module)
