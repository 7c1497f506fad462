"""What a game of cards pays, and the goals that stand for it: whole numbers from 0 to 100."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from math import lcm

from ..errors import ArgumentError
from .design import Design
from .parts import Auction, Bid, Claim


@dataclass(frozen=True)
class Payoffs:
    """Payoffs that can occur, by what they depend on, and how they become goals.

    Attributes
    ----------
    lost : tuple of int
        Chips that who does not win may have lost, ascending.
    shared : tuple of (int, int)
        In a pot of three players or more: how many share it, and what the others have lost. In an auction: how many buy, and the
        price.
    prizes : tuple of int
        What the prize of an auction may be worth, ascending.
    offset, scale : int
        The goal of a payoff of zero, and goals for each chip.
    """

    lost: tuple[int, ...]
    shared: tuple[tuple[int, int], ...]
    prizes: tuple[int, ...]
    offset: int
    scale: int

    @property
    def ties(self) -> bool:
        """Whether what several share must be told from what one gets."""
        return any(winners > 1 for winners, _ in self.shared)

    def goal(self, payoff: int | Fraction) -> int:
        """The goal of a payoff."""
        goal = self.offset + self.scale * Fraction(payoff)
        assert goal.denominator == 1
        return int(goal)


def payoffs_of(design: Design) -> Payoffs:
    """What the game pays.

    Raises
    ------
    ArgumentError
        If goals are too few for its payoffs.
    """
    ending, seats = design.ending, len(design.players)
    if isinstance(ending, Auction):
        return _auction(design, ending)
    if isinstance(ending, Claim):
        return _scaled((ending.stake,), (), (), [ending.stake, -ending.stake])
    levels = design.levels(len(design.bets))
    shared = {
        (winners, sum(others))
        for winners in range(1, min(design.most_alike, seats - 1) + 1)
        for others in combinations_with_replacement(levels, seats - winners)
    }
    won = [Fraction(lost, winners) for winners, lost in shared]
    return _scaled(levels, shared, (), [*won, *(-level for level in levels)])


def _auction(design: Design, ending: Auction) -> Payoffs:
    seats, numbers = len(design.players), design.numbers
    prizes = design.sums(design.hand * (seats if ending.prize == "hands" else 1))
    if isinstance(design.steps[-1], Bid):
        shared = {(1, price) for price in numbers}
    else:
        # Unless all buy, somebody has chosen less; who buys alone at the second price, has chosen more than that.
        alone = numbers[:-1] if ending.price == "second" else numbers[1:]
        shared = {(1, price) for price in alone} | {(seats, price) for price in numbers}
        shared |= {(buyers, price) for buyers in range(2, seats) for price in numbers[1:]}
    lost = numbers[:-1] if ending.price == "all" else (0,)
    own = ending.price == "all"
    won = [
        Fraction(prize, buyers) - price if own else Fraction(prize - price, buyers)
        for buyers, price in shared
        for prize in prizes
    ]
    return _scaled(lost, shared, prizes, [0, *won, *(-price for price in lost)])


def _scaled(
    lost: Iterable[int], shared: Iterable[tuple[int, int]], prizes: Iterable[int], payoffs: Iterable[int | Fraction]
) -> Payoffs:
    """With the largest scale that makes all payoffs whole numbers from 0 to 100."""
    found = [Fraction(payoff) for payoff in payoffs]
    highest, lowest = max(found), min(found)
    parts = lcm(*(payoff.denominator for payoff in found))
    scale = int(100 / (highest - lowest)) // parts * parts
    if scale == 0:
        raise ArgumentError(
            f"payoffs go from {float(lowest):g} to {float(highest):g} chips{f', in parts of 1/{parts} where players tie' if parts > 1 else ''}"
            ": goals are whole numbers from 0 to 100, which are too few; make bets, numbers or cards smaller, or raises or players fewer"
        )
    offset = 50 if highest == -lowest else int(-lowest * scale)
    return Payoffs(tuple(sorted(lost)), tuple(sorted(shared)), tuple(sorted(prizes)), offset, scale)
