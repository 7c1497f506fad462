"""What a card game is, in sentences: the comment above its rules."""

from __future__ import annotations

from .design import Design
from .parts import Auction, Bet, Bid, Choose, Claim, Closest, Deal, Showdown, Step
from .payoffs import Payoffs

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def counted(number: int, thing: str) -> str:
    """A number and a thing in the singular or the plural: `one card`, `two cards`, `12 cards`."""
    word = _NUMBERS[number] if number < len(_NUMBERS) else str(number)
    return f"{word} {thing}{'' if number == 1 else 's'}"


def header(design: Design, payoffs: Payoffs) -> str:
    """The game in words, one paragraph on the table, an item for each step, and one on goals."""
    begun = [
        f"{counted(len(design.players), 'player').capitalize()} and {_deck(design)}.",
        f"Each puts {counted(design.ante, 'chip')} into the pot." if design.has_pot else "",
        "Each card goes back into the deck before the next is dealt." if design.deck.returned else "",
    ]
    items = [*map(said, design.steps), ending_said(design)]
    listed = [f"{number}. {item}" for number, item in enumerate((item for item in items if item), 1)]
    unit = counted(1, "chip").replace("one ", "")
    goal = f"A goal is {payoffs.offset} plus {payoffs.scale} for every {unit} won, or minus {payoffs.scale} for every {unit} lost."
    return "\n".join([design.name, "", " ".join(filter(None, begun)), "", *listed, "", goal])


def summary(design: Design) -> str:
    """The game in one sentence."""
    kinds = {Deal: "a deal", Bet: "betting", Choose: "numbers that are chosen at once", Bid: "rising bids", Claim: "claims and doubts"}
    ends = {Showdown: "a showdown", Closest: "the closest number", Auction: "a sale"}
    parts = [kinds[type(step)] for step in design.steps]
    parts += [ends[type(design.ending)]] if not isinstance(design.ending, Claim) else []
    players, cards = counted(len(design.players), "player"), counted(len(design.deck.cards), "card")
    return f"{players.capitalize()}, {cards}: {', '.join(parts[:-1])} and {parts[-1]}."


def _deck(design: Design) -> str:
    deck = design.deck
    suits = f" in {counted(len(deck.suits), 'suit')}" if deck.suits else ""
    each = f", {_NUMBERS[deck.copies] if deck.copies < 11 else deck.copies} of each" if deck.copies > 1 else ""
    cards = counted(len(deck.cards), "card")
    return f"{cards}: {', '.join(deck.ranks[:-1])} and {deck.ranks[-1]}{suits}{each}"


def _listed(numbers: tuple[int, ...]) -> str:
    if len(numbers) > 2 and numbers == tuple(range(numbers[0], numbers[-1] + 1)):
        return f"from {numbers[0]} to {numbers[-1]}"
    return f"{', '.join(map(str, numbers[:-1]))} or {numbers[-1]}"


def said(step: Step) -> str:
    """A step as a sentence."""
    match step:
        case Deal():
            hand = f"each player is dealt {counted(step.hand, 'card')}" if step.hand else ""
            verb = "is" if step.board == 1 else "are"
            board = f"{counted(step.board, 'card')} {verb} turned up for all" if step.board else ""
            text = ", and ".join(filter(None, [hand, board])) + "."
            return text[0].upper() + text[1:]
        case Bet():
            return f"A round of betting: raises are by {counted(step.size, 'chip')}, at most {counted(step.raises, 'raise')} in all."
        case Choose():
            return f"All choose a number, {_listed(step.numbers)}, at the same time; then the numbers are shown."
        case Bid():
            return f"In turn they bid, {_listed(step.numbers)}, each more than the last, or pass and are out, until all others have passed."
    wild = f" Each {step.wild} counts as every rank." if step.wild is not None else ""
    return (
        "In turn they claim that all hands together have so many cards of a rank: more than the last claim, or as many of a higher rank."
        f" Instead of claiming, a player may call the claimer a liar; then all hands are shown, and of the two, the one who was wrong pays the other"
        f" {counted(step.stake, 'chip')}.{wild}"
    )


def ending_said(design: Design) -> str:
    """How it is decided who wins, as a sentence; empty where a step has said it."""
    ending = design.ending
    folds = " If all others have folded, who is left takes it." if design.bets else ""
    match ending:
        case Claim():
            return ""
        case Closest():
            total = "all cards in hands" if ending.to == "hands" else "the cards on the board"
            return f"Whoever chose the number closest to the values of {total} takes the pot; those who are equally close share it.{folds}"
        case Auction():
            prize = "the buyer's cards" if ending.prize == "hand" else "all hands"
            price = {
                "first": "and pays that number",
                "second": "and pays the highest number of the others",
                "all": "and everybody pays their own number",
            }[ending.price]
            shared = "" if isinstance(design.steps[-1], Bid) else " Equal numbers share what one would get."
            return f"Whoever has the highest number buys a prize, worth the values of {prize}, {price}.{shared}"
    best = {
        "high": "the highest card",
        "low": "the lowest card",
        "pair": "a pair with a card of the hand, the higher the better, and without pairs the highest card of the hand",
        "total": "the values of the hand that sum up to the most",
    }[ending.best]
    return f"The showdown: {best} takes the pot; equal hands share it.{folds}"
