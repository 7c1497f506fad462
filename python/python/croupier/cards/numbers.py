"""The numbers in the rules: amounts and what cards are worth, sums, and what is counted while cards are dealt."""

from __future__ import annotations

from itertools import pairwise

from .design import Design
from .gdl import Paragraph, facts, rule, section
from .parts import Auction, Bet, Bid, Choose, Claim, Closest, Showdown
from .payoffs import Payoffs


def number_sections(design: Design, payoffs: Payoffs) -> list[str]:
    """Facts about numbers that the rest of the rules refers to."""
    highest = _highest(design, payoffs)
    sections = [section("The chips of a player in the pot, and raises: the round, then from what to what", *_amounts(design))]
    if isinstance(design.steps[-1], Bid) or isinstance(design.ending, Auction):
        sections.append(section("The bids that are possible, and which are more than others", *_bids(design)))
    if isinstance(design.ending, Claim):
        sections.append(section("The claims that are possible", *_claims(design, design.ending)))
    if counts_values(design):
        values = facts("value", design.deck.values.items(), 6)
        sections.append(section("What cards count", values))
    if highest:
        sections.append(section("Counting and adding up", *_sums(design, highest)))
    return [text for text in sections if text]


def counts_values(design: Design) -> bool:
    """Whether the values of cards are summed up."""
    return counts_points(design) or counts_hands(design) or counts_board(design)


def counts_points(design: Design) -> bool:
    """Whether the values of each hand are summed up."""
    ending = design.ending
    return ending == Showdown("total") or (isinstance(ending, Auction) and ending.prize == "hand")


def counts_hands(design: Design) -> bool:
    """Whether the values of all hands together are summed up."""
    ending = design.ending
    return ending == Closest("hands") or (isinstance(ending, Auction) and ending.prize == "hands")


def counts_board(design: Design) -> bool:
    """Whether the values of the board are summed up."""
    return design.ending == Closest("board")


def sums_losses(design: Design) -> bool:
    """Whether a winner's gain is the sum of what several others have lost."""
    return design.has_pot and len(design.players) > 2


def _highest(design: Design, payoffs: Payoffs) -> int:
    """The highest number of the rules' arithmetic; 0 if there is none."""
    seats, ending = len(design.players), design.ending
    found = [0]
    if counts_points(design):
        found.append(design.sums(design.hand)[-1])
    if counts_hands(design):
        found.append(design.sums(design.hand * seats)[-1])
    if counts_board(design):
        found.append(design.sums(design.board)[-1])
    if isinstance(ending, Closest):
        found.append(design.numbers[-1])
    if sums_losses(design):
        found.append(payoffs.lost[-1] * (seats - 1))
    if isinstance(ending, Showdown) and ending.best != "total":
        found.append(len(design.deck.ranks) * (2 if ending.best == "pair" else 1))
    if isinstance(ending, Claim):
        found.append(design.hand * seats)
    if payoffs.ties:
        found.append(seats)
    return max(found)


def _sums(design: Design, highest: int) -> list[Paragraph]:
    successors = facts("succ", [(number, number + 1) for number in range(highest)], 8)
    paragraphs = [successors]
    adds = counts_values(design) or sums_losses(design) or (isinstance(design.ending, Claim) and design.ending.wild is not None)
    if adds:
        paragraphs += [
            ["(number 0)", rule("(number ?n)", "(succ ?m ?n)")],
            [
                rule("(sum ?n 0 ?n)", "(number ?n)", note="the first two make the third"),
                rule("(sum ?m ?n ?total)", "(succ ?k ?n)", "(sum ?m ?k ?before)", "(succ ?before ?total)"),
            ],
        ]
    if isinstance(design.ending, Closest):
        paragraphs.append(
            [rule("(less ?m ?n)", "(succ ?m ?n)"), rule("(less ?k ?n)", "(less ?k ?m)", "(succ ?m ?n)")]
        )
    return paragraphs


def _amounts(design: Design) -> list[Paragraph]:
    if not design.bets:
        return []
    raises: Paragraph = []
    counts: Paragraph = []
    rounds = [stage for stage in design.stages if isinstance(stage.step, Bet)]
    for number, (stage, bet) in enumerate(zip(rounds, design.bets, strict=True)):
        begun = design.levels(number)
        reached = sorted({level + bet.size * raised for level in begun for raised in range(bet.raises)})
        raises += facts("raise_to", [(stage.number, level, level + bet.size) for level in reached], 6)
        counts += facts("then_raises", [(stage.number, raised, raised + 1) for raised in range(bet.raises)], 6)
    amounts = facts("amount", [[level] for level in design.levels(len(rounds))], 8)
    return [amounts, raises, counts]


def _bids(design: Design) -> list[Paragraph]:
    numbers = design.numbers
    return [
        facts("bid_of", [[number] for number in numbers], 8) if isinstance(design.steps[-1], Bid) else [],
        facts("just_more", [(high, low) for low, high in pairwise(numbers)], 8),
        [rule("(more ?m ?n)", "(just_more ?m ?n)")]
        + ([rule("(more ?k ?n)", "(just_more ?k ?m)", "(more ?m ?n)")] if len(numbers) > 2 else []),
    ]


def _claims(design: Design, claim: Claim) -> list[Paragraph]:
    deck, most = design.deck, most_claimed(design, claim)
    ranks = [] if design.is_plain else facts("rank", [[rank] for rank in deck.ranks], 8)
    return [
        facts("count", [[number] for number in range(1, most + 1)], 8),
        ranks,
        facts("just_above", [(high, low) for low, high in pairwise(deck.ranks)], 6),
        [rule("(can_claim ?n ?r)", "(count ?n)", "(card ?r)" if design.is_plain else "(rank ?r)")],
    ]


def most_claimed(design: Design, claim: Claim) -> int:
    """The highest count of a claim: as many cards as hands can have that count as one rank."""
    deck, hands = design.deck, design.hand * len(design.players)
    return hands if deck.returned else min(hands, deck.of_a_rank * (1 if claim.wild is None else 2))


def tally_base(design: Design) -> Paragraph:
    """What is counted, as fluents."""
    found = []
    if counts_points(design):
        found.append(rule("(base (points ?p ?n))", "(player ?p)", "(number ?n)", note="the values of the player's cards"))
    if counts_hands(design):
        found.append(rule("(base (total ?n))", "(number ?n)", note="the values of all hands"))
    if counts_board(design):
        found.append(rule("(base (total ?n))", "(number ?n)", note="the values of the board"))
    if isinstance(design.ending, Claim):
        of_rank = "(card ?r)" if design.is_plain else "(rank ?r)"
        found.append(rule("(base (showing ?n ?r))", of_rank, "(succ ?m ?n)", note="so many cards in hands have the rank"))
    return found


def tally_init(design: Design) -> Paragraph:
    """What is counted before a card is dealt."""
    found = []
    if counts_points(design):
        found.append(rule("(init (points ?p 0))", "(player ?p)"))
    if counts_hands(design) or counts_board(design):
        found.append("(init (total 0))")
    return found


def tally_rules(design: Design) -> list[Paragraph]:
    """How it changes while cards are dealt."""
    card, rank = design.card("?c", "?r"), design.rank("?c", "?r")
    found: list[Paragraph] = []
    if counts_points(design):
        dealt = ["(dealing_to ?p)", "(does random (deal ?c))", card if rank == "?r" else "", f"(value {rank} ?v)"]
        found.append(
            [
                rule("(next (points ?p ?m))", *dealt, "(true (points ?p ?n))", "(sum ?n ?v ?m)"),
                rule("(next (points ?p ?n))", "(true (points ?p ?n))", "(not (dealing_to ?p))"),
            ]
        )
    if counts_hands(design) or counts_board(design):
        place = "(dealing_to ?p)" if counts_hands(design) else "dealing_to_board"
        dealt = ["(does random (deal ?c))", card if rank == "?r" else "", f"(value {rank} ?v)"]
        found.append(
            [
                rule("counting", place),
                rule("(next (total ?m))", "counting", *dealt, "(true (total ?n))", "(sum ?n ?v ?m)"),
                rule("(next (total ?n))", "(true (total ?n))", "(not counting)"),
            ]
        )
    if isinstance(design.ending, Claim):
        dealt = ["(dealing_to ?p)", f"(does random (deal {'?r' if design.is_plain else '?c'}))", "" if design.is_plain else card]
        several = design.deck.returned or design.deck.of_a_rank > 1
        found.append(
            [
                rule("(another ?r)", *dealt),
                rule("(some ?r)", "(true (showing ?n ?r))"),
                rule("(next (showing 1 ?r))", "(another ?r)", "(not (some ?r))"),
                *([rule("(next (showing ?n ?r))", "(another ?r)", "(true (showing ?m ?r))", "(succ ?m ?n)")] if several else []),
                rule("(next (showing ?n ?r))", "(true (showing ?n ?r))", "(not (another ?r))"),
            ]
        )
    return found
