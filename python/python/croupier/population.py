"""Populations of policies that answer each other: policy-space response oracles.

Source: M. Lanctot, V. Zambaldi, A. Gruslys, A. Lazaridou, K. Tuyls, J. Pérolat, D. Silver and T. Graepel, "A Unified Game-Theoretic Approach to
Multiagent Reinforcement Learning", NeurIPS 2017. Every player has a list of policies. They are the moves of a meta-game, whose payoffs are what the
policies win against each other; a strategy of the meta-game draws one of them before the match. In each round an oracle answers the others'
strategies with a new policy, until nobody has a better answer.

>>> import croupier
>>> from croupier.population import Population
>>> population = Population("kuhn")
>>> for round in population.advance(12):
...     pass
>>> population.evaluate().exploitability < 0.05
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._native import Evaluation, Game, Policy, best_response, evaluate, load, mixture
from .functions import FunctionPolicy, PolicyCallable
from .league import play

#: A policy of one player.
PlayerPolicy = Policy | FunctionPolicy | PolicyCallable

#: A strategy of each player of a game in normal form, from what each gets: arrays of shape (moves of the first player, of the second, ..).
MetaSolver = Callable[[Sequence[npt.NDArray[np.float64]]], list[npt.NDArray[np.float64]]]


class Mixed(NamedTuple):
    """What a player does: one of its policies, drawn before the match with these probabilities."""

    policies: list[Any]
    weights: npt.NDArray[np.float64]


class Round(NamedTuple):
    """What a round of a population came to.

    Attributes
    ----------
    number : int
        From 1.
    strategies : list of ndarray of float64
        By player, the strategy of the meta-game that the oracle answered.
    added : list of policy
        By player, the answers.
    gains : list of float
        By player, what its answer wins more than its strategy, against the others' strategies: none is above 0 once nobody has an answer.
    """

    number: int
    strategies: list[npt.NDArray[np.float64]]
    added: list[Any]
    gains: list[float]


#: From the game, a role, and what the others do, to a policy of the role that does well against them.
Oracle = Callable[[Game, str, dict[str, Mixed]], Any]


def exact_response(game: Game, role: str, others: dict[str, Mixed]) -> Policy:
    """The oracle of games that can be enumerated: the exact best response."""
    return best_response(game, role, {other: table(game, other, mixed) for other, mixed in others.items()})


def table(game: Game, role: str, mixed: Mixed) -> Policy:
    """What a player does who draws a policy before the match, as one policy of a game that can be enumerated."""
    return mixture(game, [{role: policy} for policy in mixed.policies], mixed.weights.tolist())


def regret_matching(payoffs: Sequence[npt.NDArray[np.float64]], iterations: int = 2000) -> list[npt.NDArray[np.float64]]:
    """The average strategies of regret matching+ in a game in normal form, later ones counting more.

    In a game of two players with a constant sum they come close to an equilibrium; in others to what has no regret.

    Parameters
    ----------
    payoffs : sequence of ndarray of float64
        By player, what it gets for the moves of all: shape (moves of the first player, of the second, ..).
    iterations : int

    Returns
    -------
    list of ndarray of float64
        By player, the probabilities of its moves.
    """
    sizes = payoffs[0].shape
    regrets = [np.zeros(size) for size in sizes]
    sums = [np.zeros(size) for size in sizes]
    strategies = [np.full(size, 1 / size) for size in sizes]
    for iteration in range(1, iterations + 1):
        # One player after the other, each against what the others do now.
        for player, payoff in enumerate(payoffs):
            values = move_values(payoff, strategies, player)
            regrets[player] = np.maximum(regrets[player] + values - values @ strategies[player], 0)
            total = regrets[player].sum()
            strategies[player] = regrets[player] / total if total > 0 else np.full(sizes[player], 1 / sizes[player])
            sums[player] += iteration * strategies[player]
    return [found / found.sum() for found in sums]


def move_values(
    payoff: npt.NDArray[np.float64], strategies: Sequence[npt.NDArray[np.float64]], player: int
) -> npt.NDArray[np.float64]:
    """What each move is worth to a player against the others' strategies: shape (moves of the player,)."""
    found = np.moveaxis(payoff, player, 0)
    for other in reversed([strategy for place, strategy in enumerate(strategies) if place != player]):
        found = found @ other
    return found


class Population:
    """Policies of every player that answer each other.

    Parameters
    ----------
    game : Game or str
        A game, or the name of a bundled game.
    oracle : callable, optional
        `(game, role, others) -> policy`, where `others` has by role what each other player does (`Mixed`); for example a learner that trains
        against policies drawn from them. By default the exact best response.
    start : policy, optional
        The first policy of every player; by default uniform play.
    meta_solver : callable
        From the payoffs of the meta-game to the strategies of its players.
    deals : int, optional
        Estimate payoffs from so many deals, the same for all, instead of enumerating the game. Then a policy may also be an agent of the command
        line.
    seed : int
        The seed of these deals.

    Attributes
    ----------
    policies : list of list of policy
        By player.
    payoffs : list of ndarray of float64
        By player, its payoff for each combination of policies: shape (policies of the first player, of the second, ..).
    """

    def __init__(
        self,
        game: Game | str,
        oracle: Oracle | None = None,
        *,
        start: PlayerPolicy | None = None,
        meta_solver: MetaSolver = regret_matching,
        deals: int | None = None,
        seed: int = 0,
    ) -> None:
        self.game = load(game) if isinstance(game, str) else game
        self.oracle, self.meta_solver = oracle or exact_response, meta_solver
        self.deals, self.seed, self.rounds = deals, seed, 0
        first: Any = Policy.from_dict({}) if start is None else start
        self.policies: list[list[Any]] = [[first] for _ in self.game.roles]
        self._known: dict[tuple[int, ...], tuple[float, ...]] = {}
        self.payoffs = self._payoffs()

    @property
    def strategies(self) -> list[npt.NDArray[np.float64]]:
        """By player, the strategy of the meta-game: how likely each of its policies is drawn."""
        return self.meta_solver(self.payoffs)

    def advance(self, rounds: int) -> Iterator[Round]:
        """Run this many rounds, and yield what each came to."""
        for _ in range(rounds):
            yield self._round()

    def _round(self) -> Round:
        strategies = self.strategies
        mixed = self._mixed(strategies)
        roles = self.game.roles
        added = [self.oracle(self.game, role, {other: mixed[other] for other in roles if other != role}) for role in roles]
        for policies, policy in zip(self.policies, added, strict=True):
            policies.append(policy)
        self.payoffs = self._payoffs()
        # The others do what was answered: they had no use for policies that there were not.
        before = [np.append(strategy, 0.0) for strategy in strategies]
        gains = []
        for player, payoff in enumerate(self.payoffs):
            values = move_values(payoff, before, player)
            gains.append(float(values[-1] - values @ before[player]))
        self.rounds += 1
        return Round(self.rounds, strategies, added, gains)

    def _mixed(self, strategies: Sequence[npt.NDArray[np.float64]]) -> dict[str, Mixed]:
        players = zip(self.game.roles, self.policies, strategies, strict=True)
        return {role: Mixed(list(policies), strategy) for role, policies, strategy in players}

    def mixed(self) -> dict[str, Mixed]:
        """By role, what the player does: its policies, and how likely each is drawn."""
        return self._mixed(self.strategies)

    def policy(self) -> dict[str, Policy]:
        """By role, what the player does as one policy; for games that can be enumerated."""
        return {role: table(self.game, role, mixed) for role, mixed in self.mixed().items()}

    def evaluate(self) -> Evaluation:
        """How good that is, exactly; for games that can be enumerated."""
        return evaluate(self.game, self.policy())

    def _payoffs(self) -> list[npt.NDArray[np.float64]]:
        sizes = [len(policies) for policies in self.policies]
        found = [np.zeros(sizes) for _ in sizes]
        for places in product(*map(range, sizes)):
            if places not in self._known:
                self._known[places] = self._worth(places)
            for payoff, worth in zip(found, self._known[places], strict=True):
                payoff[places] = worth
        return found

    def _worth(self, places: Sequence[int]) -> tuple[float, ...]:
        """What each player gets if they play these policies."""
        roles = self.game.roles
        chosen = {role: policies[place] for role, policies, place in zip(roles, self.policies, places, strict=True)}
        if self.deals is None:
            values = evaluate(self.game, chosen).values
            return tuple(values[role] for role in roles)
        matches = (play(self.game, chosen, deal, tuple(roles), self.seed) for deal in range(self.deals))
        return tuple(np.mean([match.payoffs for match in matches], axis=0).tolist())

    def __repr__(self) -> str:
        sizes = ", ".join(str(len(policies)) for policies in self.policies)
        return f"<croupier.population.Population of {self.game.name}: {self.rounds} rounds, {sizes} policies>"
