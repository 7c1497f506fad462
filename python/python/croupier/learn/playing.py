"""A network as a player: as a table of its probabilities, and for one view of a match."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch

from .._native import Evaluation, Policy, View, evaluate, information_sets
from ..errors import CroupierError
from .net import Net, device_of, evaluating
from .space import Space


class Tree:
    """Every information set of a game that can be enumerated, as inputs of a network.

    Parameters
    ----------
    space : Space
    histories_max : int
        Maximum number of histories of the game.

    Attributes
    ----------
    sets : list of (View, list of str)
        Information sets with their legal moves, as `croupier.information_sets` lists them.
    """

    def __init__(self, space: Space, *, histories_max: int = 5_000_000) -> None:
        self.space, self._histories_max = space, histories_max
        self.sets = information_sets(space.game, histories_max=histories_max)
        self._inputs = space.of_views(view for view, _ in self.sets)
        self._mask = space.masks((view.role, moves) for view, moves in self.sets)
        self._texts = [view.text for view, _ in self.sets]
        self._columns = [
            np.array([space.observer.column(view.role, move) for move in moves], np.int64) for view, moves in self.sets
        ]

    def policy(self, net: Net) -> Policy:
        """The strategy of a network in every information set."""
        probabilities = _probabilities(net, self._inputs, self._mask)
        entries = {}
        for text, (_, moves), columns, row in zip(self._texts, self.sets, self._columns, probabilities, strict=True):
            entries[text] = dict(zip(moves, row[columns].tolist(), strict=True))
        return Policy.from_dict(entries)

    def evaluate(self, net: Net) -> Evaluation:
        """The exact exploitability of a network."""
        return evaluate(self.space.game, self.policy(net), histories_max=self._histories_max)


def policy(net: Net, *, histories_max: int = 5_000_000) -> Policy:
    """A network as a table: its probabilities in every information set of a game that can be enumerated.

    Raises
    ------
    CroupierError
        If the game is too large.
    """
    found: Policy = Tree(net.space, histories_max=histories_max).policy(net)
    return found


class NetPlayer:
    """The strategy of a network for single views of a match.

    >>> from croupier import Match, learn
    >>> run = learn.Run("kuhn")
    >>> player, match = learn.NetPlayer(run.average), Match(run.game, seed=1)
    >>> while not match.acting:
    ...     match.step()
    >>> role = match.acting[0]
    >>> sorted(player(match.view(role), match.legal(role)))
    ['bet', 'pass']
    """

    def __init__(self, net: Net) -> None:
        self.net = net

    def __call__(self, view: View, legal: list[str]) -> dict[str, float]:
        """The probability of each legal move.

        Parameters
        ----------
        view : View
        legal : list of str
            The legal moves there, as `Match.legal` gives them.

        Returns
        -------
        dict of str to float
            Adds up to one, in the order of `legal`.

        Raises
        ------
        CroupierError
            If the view is from another game, or there are no legal moves.
        """
        space = self.net.space
        if view.game.sha256 != space.game.sha256:
            names = (view.game.name, space.game.name)
            raise CroupierError("the view is from the game {!r}, whose rules differ from {!r}".format(*names))
        if not legal:
            raise CroupierError("a player without legal moves has nothing to choose from")
        row = _probabilities(self.net, space.of_views([view]), space.masks([(view.role, legal)]))[0]
        return {move: float(row[space.observer.column(view.role, move)]) for move in legal}


def module_probabilities(
    module: torch.nn.Module, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_]
) -> npt.NDArray[np.float64]:
    """The softmax over legal moves of what a module gives for observations: ndarray of float64, shape (N, outputs).

    Raises
    ------
    CroupierError
        If it gives no tensor of that shape, or numbers that are not finite.
    """
    with torch.no_grad(), evaluating(module):
        logits = module(torch.from_numpy(observations).to(device_of(module)))
    if not isinstance(logits, torch.Tensor) or tuple(logits.shape) != masks.shape:
        shape = f"a tensor of shape {tuple(logits.shape)}" if isinstance(logits, torch.Tensor) else type(logits).__name__
        raise CroupierError(f"the module must give logits of shape {masks.shape}, one for each move, not {shape}")
    rows = logits.detach().cpu().double()
    if not bool(torch.isfinite(rows).all()):
        raise CroupierError("the module gives logits that are not finite; its training has diverged")
    found: npt.NDArray[np.float64] = torch.softmax(rows.masked_fill(~torch.from_numpy(masks), -torch.inf), 1).numpy()
    return found


def _probabilities(net: Net, inputs: torch.Tensor, mask: torch.Tensor) -> npt.NDArray[np.float64]:
    """Probabilities of moves in float64, which add up to one more precisely than a policy requires."""
    with torch.no_grad():
        logits = net(inputs).cpu().double().masked_fill(~mask, -torch.inf)
        found: npt.NDArray[np.float64] = torch.softmax(logits, 1).numpy()
    return found
