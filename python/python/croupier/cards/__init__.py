"""Small card games from a few lines: what is dealt, how players bet, bid, choose or claim, and who wins.

>>> import croupier
>>> from croupier.cards import Bet, Deal, Deck
>>> game = croupier.build("Kuhn poker", Deal(hand=1), Bet(1), deck=Deck(["jack", "queen", "king"]))
>>> round(croupier.solve(game, iterations=2000).values["alice"], 3)
-0.056

`game.rules` is the text of the rules, in GDL-II, and `game.save("my-game")` writes it to a folder, with words for its terms, where every command
finds it and everybody can go on by hand.
"""

from __future__ import annotations

from .. import _native
from .._native import Game
from ..errors import ArgumentError
from .design import SEATS, Design
from .parts import Auction, Bet, Bid, Choose, Claim, Closest, Deal, Deck, Ending, Showdown, Step
from .payoffs import payoffs_of
from .rules import rules_of
from .words import words_of

__all__ = ["Auction", "Bet", "Bid", "Choose", "Claim", "Closest", "Deal", "Deck", "Showdown", "build"]


def build(
    name: str,
    *steps: Step,
    deck: Deck,
    players: int = 2,
    ante: int | None = None,
    wins: Ending | None = None,
) -> Game:
    """Makes a card game from its steps.

    Parameters
    ----------
    name : str
        What it is called.
    *steps : Deal, Bet, Choose, Bid or Claim
        What follows each other. `Bid` and `Claim` come last, if at all.
    deck : Deck
        The cards.
    players : int, default 2
        How many play, from 2 to 4: alice, bob, carol and dave.
    ante : int, default 1
        Chips that each player puts into the pot at first. Auctions and claims have no pot.
    wins : Showdown, Closest or Auction, default Showdown("high")
        How it is decided who wins. `Claim` decides it itself.

    Returns
    -------
    Game
        The game; its rules are text that can be read, saved and changed.

    Raises
    ------
    ArgumentError
        If the parts do not fit together; the message says what to change.

    Examples
    --------
    Leduc hold'em, a sealed auction for three, and liar's dice with a die of four faces each:

    >>> leduc = build("Leduc", Deal(1), Bet(2, raises=2), Deal(board=1), Bet(4, raises=2), deck=Deck("jqk", suits="sh"), wins=Showdown("pair"))
    >>> auction = build("Auction", Deal(1), Choose(4), deck=Deck(6), players=3, wins=Auction("second"))
    >>> dice = build("Liar's dice", Deal(1), Claim(wild=4), deck=Deck(4, returned=True))
    """
    if not isinstance(name, str) or not name.strip() or "\n" in name:
        raise ArgumentError(f"a name is a line of text, and {name!r} is none")
    for step in steps:
        if not isinstance(step, Step):
            raise ArgumentError(f"steps are Deal, Bet, Choose, Bid or Claim, and {step!r} is none of them")
    if not steps:
        raise ArgumentError("a game has steps: at least Deal(hand=1) and a round such as Bet(1)")
    if not isinstance(deck, Deck):
        raise ArgumentError(f"deck is a Deck, such as Deck(6), and not {deck!r}")
    if not isinstance(players, int) or not 2 <= players <= len(SEATS):
        raise ArgumentError(f"players must be from 2 to {len(SEATS)}, and is {players!r}")
    ending = _ending(steps[-1], wins)
    has_pot = isinstance(ending, Showdown | Closest)
    if not has_pot and ante is not None:
        raise ArgumentError(f"{type(ending).__name__} has no pot: leave out ante")
    if ante is not None and (not isinstance(ante, int) or not 1 <= ante <= 50):
        raise ArgumentError(f"ante must be a whole number from 1 to 50, and is {ante!r}")
    design = Design(name.strip(), deck, steps, SEATS[:players], (ante or 1) if has_pot else 0, ending)
    payoffs = payoffs_of(design)
    return _native.load_text(rules_of(design, payoffs), design.name, words_of(design, payoffs))


def _ending(last: Step, wins: Ending | None) -> Ending | Claim:
    if isinstance(last, Claim):
        if wins is not None:
            raise ArgumentError("Claim decides itself who wins: leave out wins")
        return last
    if wins is not None and not isinstance(wins, Ending):
        raise ArgumentError(f"wins is Showdown, Closest or Auction, and not {wins!r}")
    return Showdown() if wins is None else wins
