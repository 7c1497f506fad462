"""What card games are built from: a deck, steps that follow each other, and how it is decided who wins."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from ..errors import ArgumentError

#: Words that the rules need for themselves, or that would read badly as the name of a card.
_TAKEN = frozenset("alice bob carol dave random over noop true does not or distinct".split())


def _whole(what: str, number: object, least: int, most: int) -> int:
    """The number, if it is a whole one in this range."""
    if not isinstance(number, int) or isinstance(number, bool) or not least <= number <= most:
        raise ArgumentError(f"{what} must be a whole number from {least} to {most}, and is {number!r}")
    return number


def _rising(what: str, numbers: int | Iterable[int]) -> tuple[int, ...]:
    """Several numbers, each once, from the smallest to the largest; one number stands for all up to it, from 0."""
    listed = range(_whole(what, numbers, 1, 100) + 1) if isinstance(numbers, int) else numbers
    found = tuple(sorted({_whole(what, number, 0, 100) for number in listed}))
    if len(found) < 2:
        raise ArgumentError(f"{what} must be two numbers or more, and are {found}: with fewer nobody has a choice")
    return found


def _words(what: str, words: Iterable[str | int]) -> tuple[str, ...]:
    """Names of ranks or suits, in lower case, as the rules have them."""
    names = tuple(str(word).lower() for word in words)
    for name in names:
        if not (name.isascii() and name.isalnum()) or name in _TAKEN:
            raise ArgumentError(f"{what} must be words of letters and digits, and {name!r} is not one, or is taken")
    if len(set(names)) < len(names):
        raise ArgumentError(f"{what} must differ, and are {', '.join(names)}")
    return names


@dataclass(frozen=True)
class Card:
    """A card of a deck, with the words that the rules have for it.

    Attributes
    ----------
    name : str
        Its name, which no other card has.
    face : str
        What a player who looks at it sees; several cards may have the same.
    rank : str
        Its rank.
    """

    name: str
    face: str
    rank: str


class Deck:
    """Cards of some ranks and suits.

    Parameters
    ----------
    ranks : int or iterable of str or int
        The ranks from the lowest to the highest: `["jack", "queen", "king"]`, `"jqk"` for one letter each, numbers, or how many
        there are, from 1 on.
    suits : iterable of str, default ()
        A card of each rank in each suit, as in `"shdc"` or `["red", "black"]`. Suits are worth the same, but players tell them apart.
    copies : int, default 1
        How many there are of each card; players cannot tell them apart.
    returned : bool, default False
        Whether each card goes back into the deck before the next is dealt, so that cards fall like dice.

    Attributes
    ----------
    ranks, suits : tuple of str
        As given, in lower case.
    values : dict of str to int
        What each rank counts where values are summed up: a number counts itself, a word one more than the rank before.
    cards : tuple of Card
        All cards.

    Raises
    ------
    ArgumentError
        If this is no deck.

    Examples
    --------
    >>> [card.name for card in Deck("jqk", suits="sh").cards]
    ['js', 'jh', 'qs', 'qh', 'ks', 'kh']
    """

    def __init__(
        self,
        ranks: int | Iterable[str | int],
        *,
        suits: Iterable[str] = (),
        copies: int = 1,
        returned: bool = False,
    ) -> None:
        listed = range(1, _whole("ranks", ranks, 2, 60) + 1) if isinstance(ranks, int) else ranks
        self.ranks = _words("ranks", listed)
        self.suits = _words("suits", suits)
        self.copies = _whole("copies", copies, 1, 12)
        self.returned = returned
        counted: list[int] = []
        for rank in self.ranks:
            counted.append(int(rank) if rank.isdigit() else counted[-1] + 1 if counted else 1)
        if len(self.ranks) < 2 or any(low >= high for low, high in pairwise(counted)):
            raise ArgumentError(
                f"ranks must be two or more, from the lowest to the highest, and are {', '.join(self.ranks)}"
            )
        self.values = dict(zip(self.ranks, counted, strict=True))
        self.cards = tuple(self._cards())
        if len(self.cards) > 60:
            raise ArgumentError(f"a deck has at most 60 cards, and this one has {len(self.cards)}: leave out ranks or suits")

    def _cards(self) -> Iterable[Card]:
        short = all(len(suit) == 1 for suit in self.suits)
        for rank in self.ranks:
            faces = [f"{rank}{suit}" if short else f"{rank}_{suit}" for suit in self.suits] or [rank]
            for face in faces:
                for copy in range(1, self.copies + 1):
                    yield Card(face if self.copies == 1 else f"{face}_{copy}", face, rank)

    @property
    def of_a_rank(self) -> int:
        """How many cards each rank has."""
        return len(self.cards) // len(self.ranks)

    def __repr__(self) -> str:
        return f"<croupier.cards.Deck: {len(self.cards)} cards, {len(self.ranks)} ranks>"


@dataclass(frozen=True)
class Deal:
    """Cards are dealt: to each player some that nobody else sees, and then some face up for all.

    Attributes
    ----------
    hand : int, default 0
        Cards for each player.
    board : int, default 0
        Cards for all.
    """

    hand: int = 0
    board: int = 0

    def __post_init__(self) -> None:
        if _whole("Deal(hand)", self.hand, 0, 5) + _whole("Deal(board)", self.board, 0, 5) == 0:
            raise ArgumentError("Deal() deals nothing: say how many cards, as in Deal(hand=1) or Deal(board=1)")


@dataclass(frozen=True)
class Bet:
    """A round of betting: in turn players check or raise, and whoever owes something calls, raises or folds.

    Attributes
    ----------
    size : int
        Chips of a raise, after calling.
    raises : int, default 1
        How often may be raised in this round, all players together; the first bet counts.
    """

    size: int
    raises: int = 1

    def __post_init__(self) -> None:
        _whole("Bet(size)", self.size, 1, 50)
        _whole("Bet(raises)", self.raises, 1, 8)


@dataclass(frozen=True, init=False)
class Choose:
    """All players choose a number at the same time, without seeing the others' numbers; then all are shown.

    The last number that a player has chosen counts: earlier rounds are talk.

    Attributes
    ----------
    numbers : tuple of int
        What may be chosen; `Choose(4)` is `Choose(range(5))`.
    """

    numbers: tuple[int, ...]

    def __init__(self, numbers: int | Iterable[int]) -> None:
        object.__setattr__(self, "numbers", _rising("Choose(numbers)", numbers))


@dataclass(frozen=True, init=False)
class Bid:
    """In turn, players bid more than the last bid, or pass and are out, until all others have passed.

    Attributes
    ----------
    numbers : tuple of int
        What may be bid; `Bid(4)` is `Bid(range(1, 5))`.
    """

    numbers: tuple[int, ...]

    def __init__(self, numbers: int | Iterable[int]) -> None:
        listed = range(1, _whole("Bid(numbers)", numbers, 2, 100) + 1) if isinstance(numbers, int) else numbers
        object.__setattr__(self, "numbers", _rising("Bid(numbers)", listed))


@dataclass(frozen=True)
class Claim:
    """In turn, players claim that all hands together have so many cards of a rank, each more than the last, until one is called a liar.

    More is a higher count, or the same count of a higher rank. If the claim that was doubted is true, the doubter pays the stake to
    the claimer; if it is not, the claimer pays the doubter.

    Attributes
    ----------
    stake : int, default 1
        Chips that change hands.
    wild : str or int or None, default None
        A rank that counts as every rank.
    """

    stake: int = 1
    wild: str | int | None = None

    def __post_init__(self) -> None:
        _whole("Claim(stake)", self.stake, 1, 50)


@dataclass(frozen=True)
class Showdown:
    """The best hand of those who have not folded takes the pot; equal hands share it.

    Attributes
    ----------
    best : {"high", "low", "pair", "total"}, default "high"
        The hand with the highest card; that with the lowest card; a pair, in the hand or with a card on the board, of the highest
        rank, and without pairs the highest card; or the hand whose values sum up to the most.
    """

    best: Literal["high", "low", "pair", "total"] = "high"

    def __post_init__(self) -> None:
        _one_of("Showdown(best)", self.best, ("high", "low", "pair", "total"))


@dataclass(frozen=True)
class Closest:
    """Whoever of those who have not folded chose the number closest to a total takes the pot; equally close ones share it.

    Attributes
    ----------
    to : {"hands", "board"}, default "hands"
        The values of all cards in hands, or of those on the board.
    """

    to: Literal["hands", "board"] = "hands"

    def __post_init__(self) -> None:
        _one_of("Closest(to)", self.to, ("hands", "board"))


@dataclass(frozen=True)
class Auction:
    """The highest number that was chosen or bid buys a prize from the bank; equal ones share prize and price.

    Attributes
    ----------
    price : {"first", "second", "all"}, default "first"
        What is paid: the buyer's number; the highest of the others; or each player pays their own, whoever buys.
    prize : {"hand", "hands"}, default "hand"
        What it is worth: the values of the buyer's own cards, or those of all hands, the same for everybody.
    """

    price: Literal["first", "second", "all"] = "first"
    prize: Literal["hand", "hands"] = "hand"

    def __post_init__(self) -> None:
        _one_of("Auction(price)", self.price, ("first", "second", "all"))
        _one_of("Auction(prize)", self.prize, ("hand", "hands"))


def _one_of(what: str, word: object, words: tuple[str, ...]) -> None:
    if word not in words:
        raise ArgumentError(f"{what} must be {' or '.join(map(repr, words))}, and is {word!r}")


#: What may follow each other in a game.
Step = Deal | Bet | Choose | Bid | Claim
#: How it may be decided who wins.
Ending = Showdown | Closest | Auction
