"""The rounds of a card game in its rules: betting, numbers that are chosen, bids and claims, and who speaks when."""

from __future__ import annotations

from itertools import combinations, pairwise

from .design import Design
from .gdl import Paragraph, facts, rule, section
from .numbers import most_claimed
from .parts import Bet, Bid, Choose, Claim


def round_sections(design: Design) -> list[str]:
    """The rounds that the game has: legal moves, and what they change."""
    found = []
    if design.bets:
        found.append(section("The betting", *_betting(design)))
    if any(isinstance(step, Choose) for step in design.steps):
        found.append(section("The numbers that are chosen", *_choosing(design)))
    if isinstance(design.steps[-1], Bid):
        found.append(section("The bids", *_bidding()))
    if claims(design):
        found.append(section("The claims", *_claiming(design)))
    elif speaks(design):
        found.append(
            section(
                f"Who speaks next: after a {'raise' if design.bets else 'bid'} all others have to, otherwise those who had to before",
                *_speaking(design),
            )
        )
    return found


def _betting(design: Design) -> list[Paragraph]:
    return [
        [rule("(owes ?p)", "(true (paid ?p ?n))", "(true (level ?m))", "(distinct ?n ?m)")],
        [
            rule("(legal ?p fold)", "(true (to_act ?p))", "(owes ?p)"),
            rule("(legal ?p call)", "(true (to_act ?p))", "(owes ?p)"),
            rule("(legal ?p check)", "(true (to_act ?p))", "(not (owes ?p))"),
            rule("(legal ?p raise)", "(true (to_act ?p))", "(true (stage ?s))", "(true (raises ?n))", "(then_raises ?s ?n ?m)"),
        ],
        [
            rule("(raises_to ?m)", "(does ?p raise)", "(true (stage ?s))", "(true (level ?n))", "(raise_to ?s ?n ?m)"),
            rule("raised", "(does ?p raise)"),
        ],
        [
            rule("(next (level ?m))", "(raises_to ?m)"),
            rule("(next (level ?n))", "(true (level ?n))", "(not raised)"),
            rule("(next (raises ?m))", "raised", "(true (stage ?s))", "(true (raises ?n))", "(then_raises ?s ?n ?m)"),
            rule("(next (raises ?n))", "(true (raises ?n))", "(not raised)", "(not stage_over)"),
            *([rule("(next (raises 0))", "begins_betting")] if begins(design) else []),
        ],
        [
            rule("(pays ?p)", "(does ?p call)"),
            rule("(pays ?p)", "(does ?p raise)"),
            rule("(next (paid ?p ?n))", "(does ?p call)", "(true (level ?n))"),
            rule("(next (paid ?p ?m))", "(does ?p raise)", "(raises_to ?m)"),
            rule("(next (paid ?p ?n))", "(true (paid ?p ?n))", "(not (pays ?p))"),
        ],
        [rule("(next (folded ?p))", "(does ?p fold)"), rule("(next (folded ?p))", "(true (folded ?p))")],
        [
            rule("(in ?p)", "(player ?p)", "(not (true (folded ?p)))"),
            rule("(stays ?p)", "(in ?p)", "(not (does ?p fold))"),
            rule("two_stay", "(stays ?p)", "(stays ?q)", "(distinct ?p ?q)"),
        ],
    ]


def _choosing(design: Design) -> list[Paragraph]:
    several = sum(isinstance(step, Choose) for step in design.steps) > 1
    keeps = not isinstance(design.steps[-1], Choose)
    chosen = [rule("(next (chosen ?p ?n))", "(does ?p (choose ?n))")]
    if several or keeps:
        chosen.append(rule("(next (chosen ?p ?n))", "(true (chosen ?p ?n))", "(not choosing)" if several else ""))
    return [
        [rule("choosing", "(true (stage ?s))", "(option ?s ?n)")],
        [
            rule(
                "(legal ?p (choose ?n))",
                "(true (stage ?s))",
                "(option ?s ?n)",
                "(in ?p)" if design.bets else "(player ?p)",
            )
        ],
        chosen if design.choices_matter else [],
    ]


def _bidding() -> list[Paragraph]:
    return [
        [rule("there_is_a_bid", "(true (bid ?n))")],
        [
            rule("(legal ?p pass)", "(true (to_act ?p))"),
            rule("(legal ?p (bid ?n))", "(true (to_act ?p))", "(bid_of ?n)", "(not there_is_a_bid)"),
            rule("(legal ?p (bid ?n))", "(true (to_act ?p))", "(true (bid ?m))", "(more ?n ?m)"),
        ],
        [rule("raised", "(does ?p (bid ?n))")],
        [
            rule("(next (bid ?n))", "(does ?p (bid ?n))"),
            rule("(next (bid ?n))", "(true (bid ?n))", "(not raised)"),
            rule("(next (bidder ?p))", "(does ?p (bid ?n))"),
            rule("(next (bidder ?p))", "(true (bidder ?p))", "(not raised)"),
        ],
        [rule("(next (passed ?p))", "(does ?p pass)"), rule("(next (passed ?p))", "(true (passed ?p))")],
        [rule("(in ?p)", "(player ?p)", "(not (true (passed ?p)))")],
    ]


def _claiming(design: Design) -> list[Paragraph]:
    players = design.players
    turns = "(opponent ?p ?q)" if len(players) == 2 else "(then_speaks ?p ?q)"
    claim, ranks = design.steps[-1], design.deck.ranks
    assert isinstance(claim, Claim)
    several = most_claimed(design, claim) > 1
    return [
        [rule("there_is_a_claim", "(true (claimed ?n ?r))")],
        facts("then_speaks", pairwise([*players, players[0]])) if len(players) > 2 else [],
        [
            rule("(just_below ?n ?q ?n ?r)", "(count ?n)", "(just_above ?r ?q)", note="a claim, and the one above it"),
            *([rule(f"(just_below ?m {ranks[-1]} ?n {ranks[0]})", "(count ?m)", "(count ?n)", "(succ ?m ?n)")] if several else []),
        ],
        [
            rule("(too_low ?n ?r)", "(true (claimed ?n ?r))"),
            rule("(too_low ?m ?q)", "(too_low ?n ?r)", "(just_below ?m ?q ?n ?r)"),
        ],
        [
            rule("(legal ?p (claim ?n ?r))", "(true (to_act ?p))", "(can_claim ?n ?r)", "(not (too_low ?n ?r))"),
            rule("(legal ?p liar)", "(true (to_act ?p))", "there_is_a_claim"),
        ],
        [rule("doubted", "(does ?p liar)")],
        [
            rule("(next (claimed ?n ?r))", "(does ?p (claim ?n ?r))"),
            rule("(next (claimed ?n ?r))", "(true (claimed ?n ?r))", "doubted"),
            rule("(next (claimer ?p))", "(does ?p (claim ?n ?r))"),
            rule("(next (claimer ?p))", "(true (claimer ?p))", "doubted"),
            rule("(next (doubter ?p))", "(does ?p liar)"),
            rule("(next (to_act ?q))", "(does ?p (claim ?n ?r))", turns),
        ],
    ]


def _speaking(design: Design) -> list[Paragraph]:
    players = design.players
    nearer = [
        (speaker, *pair)
        for place, speaker in enumerate(players)
        for pair in combinations([*players[place + 1 :], *players[:place]], 2)
    ]
    goes_on = "two_stay" if design.bets else ""
    has_to_speak = [
        rule("(has_to_speak ?q)", "raised", "(in ?q)", "(true (to_act ?p))", "(distinct ?p ?q)"),
        rule("(has_to_speak ?q)", "(true (waits ?q))", "(not raised)"),
        rule("somebody_has_to_speak", "(has_to_speak ?q)"),
    ]
    if len(players) == 2:
        return [has_to_speak, [rule("(next (to_act ?q))", "(has_to_speak ?q)", goes_on)]]
    return [
        facts("nearer", nearer, 3),
        has_to_speak,
        [
            rule("(has_to_wait ?q)", "(true (to_act ?p))", "(nearer ?p ?r ?q)", "(has_to_speak ?r)"),
            rule("(next (to_act ?q))", "(has_to_speak ?q)", "(not (has_to_wait ?q))", goes_on),
            rule("(next (waits ?q))", "(has_to_speak ?q)", "(has_to_wait ?q)", goes_on),
        ],
    ]


def speaks(design: Design) -> bool:
    """Whether players speak in turn."""
    return any(isinstance(step, Bet | Bid | Claim) for step in design.steps)


def begins(design: Design) -> bool:
    """Whether a round in which players speak in turn begins after another card or round."""
    return any(isinstance(step, Bet | Bid | Claim) for step in design.steps[1:])


def claims(design: Design) -> bool:
    """Whether the last round is one of claims."""
    return isinstance(design.steps[-1], Claim)
