"""Walks through a game by external sampling: all moves of one player, one sampled move of the others and chance.

Source: M. Lanctot, K. Waugh, M. Zinkevich and M. Bowling, "Monte Carlo Sampling for Regret Minimization in Extensive Games", NIPS 2009. Many
walks run in parallel, turn by turn, so that networks are evaluated for all of them at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import torch

from .._native import Game, State, View
from .net import Net
from .space import Space

_Rows = tuple[npt.NDArray[np.uint8], npt.NDArray[np.bool_], npt.NDArray[np.float32]]


class Strategies:
    """The strategies of all players, by regret matching on the output of their networks.

    Parameters
    ----------
    space : Space
    nets : mapping of role to Net or None
        The regrets of each player; without a network moves are uniform.
    """

    def __init__(self, space: Space, nets: Mapping[str, Net | None]) -> None:
        self.space, self._nets = space, nets

    @torch.no_grad()
    def of(self, role: str, views: list[View], legal: list[list[str]]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Inputs of shape (N, inputs_count), masks and probabilities of shape (N, outputs_count) at views of one player.

        Regret matching plays in proportion to positive regrets; if none is positive, the least negative one (section 5.1).
        """
        inputs = self.space.of_views(views)
        mask = self.space.masks((role, moves) for moves in legal)
        net = self._nets[role]
        if net is None:
            return inputs, mask, mask / mask.sum(1, keepdim=True)
        regrets = net(inputs).cpu().masked_fill(~mask, -torch.inf)
        positive = regrets.clamp(min=0)
        total = positive.sum(1, keepdim=True)
        best = torch.nn.functional.one_hot(regrets.argmax(1), mask.shape[1]).float()
        return inputs, mask, torch.where(total > 0, positive / total.clamp(min=1e-30), best)


@dataclass
class Found:
    """The results of walks for one player.

    Attributes
    ----------
    nodes : int
        The number of states visited.
    regrets : tuple of inputs, mask and target
        At the player's choices: for each legal move its value relative to the strategy, in goal values divided by 100.
    choices : tuple of inputs, mask and target
        At the others' choices: their strategies.
    """

    nodes: int
    regrets: _Rows
    choices: _Rows


@dataclass
class _Node:
    """A state of a walk, and its children."""

    state: State
    children: list[_Node] = field(default_factory=list)
    #: Where the player chooses: inputs, mask, probabilities, and by child the column of its move.
    choice: tuple[npt.NDArray[np.uint8], npt.NDArray[np.bool_], npt.NDArray[np.float32], list[int]] | None = None
    value: float = 0.0


@dataclass
class _Asked:
    """A player who has a choice in a node: its inputs, legal moves and strategy."""

    role: str
    legal: list[str]
    inputs: npt.NDArray[np.uint8]
    mask: npt.NDArray[np.bool_]
    probabilities: npt.NDArray[np.float32]


def walk(game: Game, role: str, walks: int, strategies: Strategies, draws: np.random.Generator) -> Found:
    """Walk through a game this many times for one player."""
    space = strategies.space
    level = [_Node(State(game)) for _ in range(walks)]
    nodes: list[_Node] = []
    choices: list[_Rows] = []
    while level:
        nodes += level
        running = [node for node in level if not node.state.is_over]
        level = []
        for node, asked in zip(running, _ask(running, strategies), strict=True):
            made: dict[str, str] = {}
            own: _Asked | None = None
            for one in asked:
                if one.role == role:
                    own = one
                    continue
                choices.append((one.inputs, one.mask, one.probabilities))
                columns = [space.observer.column(one.role, move) for move in one.legal]
                made[one.role] = one.legal[_drawn(one.probabilities[columns], draws)]
            if "random" in node.state.acting:
                moves = node.state.legal("random")
                made["random"] = moves[int(draws.integers(len(moves)))]
            if own is None:
                node.children = [_Node(node.state.step(made))]
            else:
                columns = [space.observer.column(role, move) for move in own.legal]
                node.children = [_Node(node.state.step({**made, role: move})) for move in own.legal]
                node.choice = own.inputs, own.mask, own.probabilities, columns
            level += node.children
    return Found(len(nodes), _rows(_regrets(nodes, role), space), _rows(choices, space))


def _ask(nodes: list[_Node], strategies: Strategies) -> list[list[_Asked]]:
    """By node, the players who have a choice in it."""
    found: list[list[_Asked]] = [[] for _ in nodes]
    for role in strategies.space.roles:
        places = [place for place, node in enumerate(nodes) if role in node.state.acting]
        if not places:
            continue
        views = [nodes[place].state.view(role) for place in places]
        legal = [nodes[place].state.legal(role) for place in places]
        inputs, mask, probabilities = (tensor.numpy() for tensor in strategies.of(role, views, legal))
        for row, place in enumerate(places):
            one = _Asked(role, legal[row], inputs[row].astype(np.uint8), mask[row], probabilities[row])
            found[place].append(one)
    return found


def _drawn(probabilities: npt.NDArray[np.float32], draws: np.random.Generator) -> int:
    sums = probabilities.astype(np.float64).cumsum()
    return int(np.searchsorted(sums, draws.random() * sums[-1], side="right").clip(0, len(sums) - 1))


def _regrets(nodes: list[_Node], role: str) -> list[_Rows]:
    """The player's regrets at all of its choices; children come after their parents."""
    found: list[_Rows] = []
    for node in reversed(nodes):
        if node.choice is None:
            goals = node.state.goals
            node.value = node.children[0].value if goals is None else goals[role] / 100
            continue
        inputs, mask, probabilities, columns = node.choice
        values = np.array([child.value for child in node.children])
        node.value = float(values @ probabilities[columns])
        target = np.zeros(len(mask), np.float32)
        target[columns] = values - node.value
        found.append((inputs, mask, target))
    return found


def _rows(rows: list[_Rows], space: Space) -> _Rows:
    if not rows:
        outputs = 0, space.outputs_count
        return np.zeros((0, space.inputs_count), np.uint8), np.zeros(outputs, np.bool_), np.zeros(outputs, np.float32)
    inputs, masks, targets = zip(*rows, strict=True)
    return np.stack(inputs), np.stack(masks), np.stack(targets)
