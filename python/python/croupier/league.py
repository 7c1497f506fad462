"""Tournaments of agents, policies and functions on duplicate deals, on this machine.

>>> import croupier, croupier.league
>>> game = croupier.load("kuhn")
>>> players = {"solved": croupier.solve(game).policy, "caller": "call", "even": lambda o, m: m / m.sum(1, keepdims=True)}
>>> results = croupier.league.tournament(game, players, deals=20)
>>> results.payoffs().mean.shape
(3, 3)

All results follow from the seed alone. `croupier.distributed` plays the same matches on many machines.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from ._native import Agent, Game, Match, Policy, _mean, _ratings
from .errors import CroupierError
from .functions import FunctionPolicy, PolicyCallable
from .seats import seed_of

#: Who plays: an agent of the command line, a policy, or a function as `croupier.FunctionPolicy` takes it.
Kind = str | Policy | FunctionPolicy | PolicyCallable


class Played(NamedTuple):
    """A finished match.

    Attributes
    ----------
    deal : int
        Matches with the same number have the same deal.
    seats : tuple of str
        The player in each role.
    payoffs : tuple of float
        By role, in the game's usual unit.
    record_sha256 : str
        The digest of the record, in hexadecimal.
    """

    deal: int
    seats: tuple[str, ...]
    payoffs: tuple[float, ...]
    record_sha256: str


class Standing(NamedTuple):
    """A player's result: the mean payoff of a match, and half the width of its 95 % interval, over deals."""

    player: str
    mean: float
    interval: float
    matches: int


class Rating(NamedTuple):
    """A player's rating and its uncertainty, on the scale of the rating system."""

    player: str
    rating: float
    uncertainty: float


class Payoffs(NamedTuple):
    """What players win against each other.

    Attributes
    ----------
    players : list of str
    mean : ndarray of float64, shape (players, players)
        The mean payoff of a match of the player of the row when the player of the column is at the table; NaN if they never met.
    interval : ndarray of float64, shape (players, players)
        Half the width of its 95 % interval over deals; infinite after a single deal.
    """

    players: list[str]
    mean: npt.NDArray[np.float64]
    interval: npt.NDArray[np.float64]


@dataclass(frozen=True)
class Results:
    """Matches, in the order of the schedule."""

    unit: str
    matches: list[Played]

    @property
    def sha256(self) -> str:
        """A digest of all records."""
        return hashlib.sha256("".join(match.record_sha256 for match in self.matches).encode()).hexdigest()

    @property
    def players(self) -> list[str]:
        """Everybody who played, in the order in which they first did."""
        return list(dict.fromkeys(player for match in self.matches for player in match.seats))

    @property
    def standings(self) -> list[Standing]:
        """The players, the best first."""
        got: dict[str, dict[tuple[int, frozenset[str]], list[float]]] = {}
        for match in self.matches:
            # Seats are rotated within a deal, so its matches are one sample.
            deal = match.deal, frozenset(match.seats)
            for player, payoff in zip(match.seats, match.payoffs, strict=True):
                got.setdefault(player, {}).setdefault(deal, []).append(payoff)
        found = [Standing(player, *_over_deals(deals.values()), sum(map(len, deals.values()))) for player, deals in got.items()]
        return sorted(found, key=lambda standing: (-standing.mean, standing.player))

    def payoffs(self) -> Payoffs:
        """What each player wins against each other, as a matrix: the payoffs of a meta-game."""
        players = self.players
        mean, interval = (np.full((len(players), len(players)), np.nan) for _ in range(2))
        got: dict[tuple[str, str], dict[tuple[int, frozenset[str]], list[float]]] = {}
        for match in self.matches:
            deal = match.deal, frozenset(match.seats)
            for player, payoff in zip(match.seats, match.payoffs, strict=True):
                for other in set(match.seats) - {player}:
                    got.setdefault((player, other), {}).setdefault(deal, []).append(payoff)
        for (player, other), deals in got.items():
            place = players.index(player), players.index(other)
            mean[place], interval[place] = _over_deals(deals.values())
        return Payoffs(players, mean, interval)

    def ratings(self, system: Literal["weng-lin", "glicko-2"] = "weng-lin") -> list[Rating]:
        """Ratings, updated match by match in their order, the best first: those of `croupier tournament`.

        They say who wins more often; `standings` say who wins more.

        Parameters
        ----------
        system : {'weng-lin', 'glicko-2'}
            Weng and Lin (JMLR 2011), for any number of seats, or Glickman's Glicko-2, for two.
        """
        players = self.players
        seats = [[players.index(player) for player in match.seats] for match in self.matches]
        # A rating only asks who got more.
        places = [[sorted(set(match.payoffs)).index(payoff) for payoff in match.payoffs] for match in self.matches]
        found = _ratings(system, len(players), seats, places)
        rated = [Rating(player, *one) for player, one in zip(players, found, strict=True) if one is not None]
        return sorted(rated, key=lambda one: (-one.rating, one.player))

    def __str__(self) -> str:
        lines = [
            f"{one.player}: {one.mean:+.3f} ± {one.interval:.3f} {self.unit} a match, {one.matches} matches"
            for one in self.standings
        ]
        return "\n".join(lines)


def _over_deals(deals: Iterable[Sequence[float]]) -> tuple[float, float]:
    """The mean, and half the width of its interval; infinite if there is nothing to tell it from."""
    mean, margin = _mean([float(np.mean(payoffs)) for payoffs in deals])
    return mean, np.inf if margin is None else margin


def tournament(game: Game, players: Mapping[str, Kind], *, deals: int = 100, seed: int = 0) -> Results:
    """Play a round robin on duplicate deals: every group of players plays every deal in every rotation of the seats.

    Parameters
    ----------
    game : Game
    players : mapping of name to Kind
        At least as many as the game has roles: agents of the command line, policies, functions or torch modules.
    deals : int
        Deals of each group. All groups play the same ones.
    seed : int
        The seed of all draws.

    Returns
    -------
    Results
        The same as those of `croupier.distributed.tournament`.

    Raises
    ------
    CroupierError
        If there are too few players, or an agent cannot play the game.
    """
    return _play(game, players, tournament_plan(game, list(players), deals), seed)


def head_to_head(game: Game, player: Kind, against: Kind, *, deals: int = 100, seed: int = 0) -> Results:
    """Play on duplicate deals: `player` takes every seat once in each deal, `against` all others.

    Parameters and errors are as for `tournament`.

    Returns
    -------
    Results
        For the players `player` and `against`.
    """
    return _play(game, {"player": player, "against": against}, head_to_head_plan(game, deals), seed)


def tournament_plan(game: Game, players: Sequence[str], deals: int) -> list[tuple[int, tuple[str, ...]]]:
    """The deals and seats of a round robin."""
    if len(players) < len(game.roles):
        raise CroupierError(f"{game.name} has {len(game.roles)} roles, but there are {len(players)} players")
    groups = combinations(players, len(game.roles))
    return [(deal, seats) for group in groups for deal in range(deals) for seats in _rotations(group)]


def head_to_head_plan(game: Game, deals: int) -> list[tuple[int, tuple[str, ...]]]:
    """The deals and seats of one player against another, who takes all other seats."""
    group = ("player", *("against" for _ in game.roles[1:]))
    return [(deal, seats) for deal in range(deals) for seats in _rotations(group)]


def _rotations(group: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [group[first:] + group[:first] for first in range(len(group))]


def play(game: Game, players: Mapping[str, Kind], deal: int, seats: tuple[str, ...], seed: int) -> Played:
    """Play one match, which depends only on these arguments."""
    of_role = dict(zip(game.roles, seats, strict=True))
    match = Match(game, seed=seed_of(seed, "deal", deal), players=of_role)
    draws = seed_of(seed, "agents", deal, *seats)
    agents = {role: Agent(players[name], game, role, seed=draws) for role, name in of_role.items()}
    while not match.is_over:
        match.step({role: agents[role].choose(match.view(role)) for role in match.acting})
    payoffs = match.payoffs
    if payoffs is None:
        raise CroupierError(f"the match of deal {deal} has no result: {match.outcome}, {match.error}")
    digest = hashlib.sha256(match.record().encode()).hexdigest()
    return Played(deal, seats, tuple(payoffs[role] for role in game.roles), digest)


def _play(game: Game, players: Mapping[str, Kind], planned: Sequence[tuple[int, tuple[str, ...]]], seed: int) -> Results:
    if not planned:
        raise CroupierError("deals must be at least 1")
    # Functions are looked at once, not for each match.
    read = {name: FunctionPolicy.of(game, kind) if callable(kind) else kind for name, kind in players.items()}
    return Results(game.unit, [play(game, read, deal, seats, seed) for deal, seats in planned])
