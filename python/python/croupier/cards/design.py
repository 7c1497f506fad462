"""A card game as it is built: its parts fitted together, and the numbers that its rules need."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import ArgumentError
from .parts import Auction, Bet, Bid, Choose, Claim, Closest, Deal, Deck, Ending, Showdown, Step

#: The players, in the order of their seats.
SEATS = ("alice", "bob", "carol", "dave")


@dataclass(frozen=True)
class Stage:
    """One card that is dealt, or one round in which players speak.

    Attributes
    ----------
    number : int
        Its place in the course of a match, from 1 on.
    step : Step
        What it belongs to.
    player : str or None
        Who is dealt a card; None of a card for all, and of a round.
    """

    number: int
    step: Step
    player: str | None = None


@dataclass(frozen=True)
class Design:
    """A game of these parts.

    Attributes
    ----------
    name : str
        What it is called.
    deck : Deck
        The cards.
    steps : tuple of Step
        What follows each other.
    players : tuple of str
        Who plays, in the order of the seats.
    ante : int
        Chips that each player puts in before the first card; 0 where there is no pot.
    ending : Ending or Claim
        How it is decided who wins.

    Raises
    ------
    ArgumentError
        If the parts do not fit together.
    """

    name: str
    deck: Deck
    steps: tuple[Step, ...]
    players: tuple[str, ...]
    ante: int
    ending: Ending | Claim

    def __post_init__(self) -> None:
        _check_cards(self)
        _check_course(self)
        _check_ending(self)

    @property
    def has_pot(self) -> bool:
        """Whether players put chips into a pot."""
        return isinstance(self.ending, Showdown | Closest)

    @property
    def is_plain(self) -> bool:
        """Whether each rank has one card, which has its name."""
        return len(self.deck.cards) == len(self.deck.ranks) and not self.deck.suits

    def card(self, card: str, rank: str) -> str:
        """The condition that this is a card of this rank."""
        return f"(card {card})" if self.is_plain else f"(card {card} {rank})"

    def rank(self, card: str, rank: str) -> str:
        """The variable that has the rank of this card, given that condition."""
        return card if self.is_plain else rank

    @property
    def hand(self) -> int:
        """Cards that each player has in the end."""
        return sum(step.hand for step in self.steps if isinstance(step, Deal))

    @property
    def board(self) -> int:
        """Cards on the board in the end."""
        return sum(step.board for step in self.steps if isinstance(step, Deal))

    @property
    def bets(self) -> list[Bet]:
        """The rounds of betting."""
        return [step for step in self.steps if isinstance(step, Bet)]

    @property
    def numbers(self) -> tuple[int, ...]:
        """What may be chosen or bid in the round that counts; nothing where none does."""
        rounds = [step for step in self.steps if isinstance(step, Choose | Bid)]
        return rounds[-1].numbers if rounds else ()

    @property
    def choices_matter(self) -> bool:
        """Whether a number that was chosen matters in the end, so that it is remembered."""
        return isinstance(self.ending, Closest | Auction) and not isinstance(self.steps[-1], Bid)

    @property
    def stages(self) -> list[Stage]:
        """The course of a match."""
        parts: list[tuple[Step, str | None]] = []
        for step in self.steps:
            if isinstance(step, Deal):
                parts += [(step, player) for player in self.players for _ in range(step.hand)]
                parts += [(step, None)] * step.board
            else:
                parts.append((step, None))
        return [Stage(number, *part) for number, part in enumerate(parts, 1)]

    def levels(self, rounds: int) -> list[int]:
        """Chips that a player may have put in after so many rounds of betting, ascending."""
        found = {self.ante}
        for bet in self.bets[:rounds]:
            found = {level + bet.size * raises for level in found for raises in range(bet.raises + 1)}
        return sorted(found)

    def sums(self, cards: int) -> list[int]:
        """What the values of so many cards of the deck may sum up to, ascending."""
        left = cards if self.deck.returned else self.deck.of_a_rank
        found = {(0, 0)}
        for value in self.deck.values.values():
            found = {(n + more, total + more * value) for n, total in found for more in range(min(left, cards - n) + 1)}
        return sorted(total for n, total in found if n == cards)

    @property
    def most_alike(self) -> int:
        """How many players can tie at most."""
        by_card = isinstance(self.ending, Showdown) and self.ending.best in ("high", "low")
        return min(len(self.players), self.deck.of_a_rank if by_card and not self.deck.returned else len(self.players))


def _check_cards(design: Design) -> None:
    deck, dealt = design.deck, design.hand * len(design.players) + design.board
    if dealt == 0:
        raise ArgumentError("no card is dealt: begin with Deal(hand=1) or the like")
    if deck.returned and max(design.hand, design.board) > 1:
        raise ArgumentError(
            "cards that are returned are dealt one to a hand and one to the board at most: use copies instead of returned"
        )
    if not deck.returned and dealt > len(deck.cards):
        raise ArgumentError(
            f"{dealt} cards are dealt, and the deck has {len(deck.cards)}: add ranks, suits or copies, or deal fewer"
        )


def _check_course(design: Design) -> None:
    steps = design.steps
    if all(isinstance(step, Deal) for step in steps):
        raise ArgumentError("nobody has a choice: add Bet, Choose, Bid or Claim to the steps")
    if isinstance(steps[-1], Deal) and steps[-1].hand:
        raise ArgumentError("the last step deals cards to hands, and nothing comes of it: let a round follow, or leave it out")
    for number, step in enumerate(steps[:-1], 1):
        if isinstance(step, Bid | Claim):
            raise ArgumentError(f"{type(step).__name__} ends the game, and is step {number} of {len(steps)}: put it last")
    if len(design.levels(len(design.bets))) > 100:
        raise ArgumentError("more than 100 different bets are possible: use fewer rounds or raises")


def _check_ending(design: Design) -> None:
    steps, ending = design.steps, design.ending
    if isinstance(ending, Claim):
        if ending.wild is not None and str(ending.wild).lower() not in design.deck.ranks:
            raise ArgumentError(f"the wild rank {ending.wild!r} is none of the deck, which has {', '.join(design.deck.ranks)}")
        if design.bets:
            raise ArgumentError("claims have a stake and no pot: leave out Bet, or Claim")
    if design.hand == 0 and not (isinstance(ending, Closest) and ending.to == "board"):
        raise ArgumentError(f"{type(ending).__name__} needs hands: deal them, as in Deal(hand=1)")
    if ending == Showdown("pair") and (design.hand + design.board < 2 or design.deck.of_a_rank == 1 and not design.deck.returned):
        raise ArgumentError("nobody can have a pair: deal more cards, or add suits or copies to the deck")
    if isinstance(ending, Closest):
        if not design.numbers:
            raise ArgumentError("nobody chooses a number that could be closest: add Choose(numbers) to the steps")
        if ending.to == "board" and design.board == 0:
            raise ArgumentError('Closest("board") needs a board: deal it, as in Deal(board=1)')
    if isinstance(ending, Auction):
        _check_auction(design, ending)
    elif isinstance(steps[-1], Bid):
        raise ArgumentError('bids buy something: say what, as in wins=Auction("first")')


def _check_auction(design: Design, ending: Auction) -> None:
    if design.bets:
        raise ArgumentError("an auction has no pot: leave out Bet, or let Showdown() decide")
    if not design.numbers:
        raise ArgumentError("nobody bids in this auction: add Choose(numbers) for sealed bids or Bid(numbers) for open ones")
    if isinstance(design.steps[-1], Bid) and ending.price != "first":
        raise ArgumentError(f'who bids openly pays the own bid: use Auction("first"), or Choose for the price {ending.price!r}')
