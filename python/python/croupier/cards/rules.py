"""The rules of a card game, as text in GDL-II.

A family of `croupier new` is one template with numbers and words as its parameters. Here the steps are the parameters, in any order and number, and which rules
there are depends on all of them; so rules are put together by functions, a section of the text each.
"""

from __future__ import annotations

from itertools import combinations, pairwise

from .deciding import ending_sections, shows_rules
from .design import Design
from .gdl import Paragraph, comment, facts, rule, section
from .numbers import number_sections, tally_base, tally_init, tally_rules
from .parts import Bet, Bid, Choose, Claim, Deal
from .payoffs import Payoffs
from .rounds import begins, claims, round_sections, speaks
from .saying import header


def rules_of(design: Design, payoffs: Payoffs) -> str:
    """The text of the rules."""
    parts = [
        section("The deck", *_deck(design)),
        section("The course of a match: cards and rounds in their order", *_course(design)),
        *number_sections(design, payoffs),
        section("The state", *_state(design)),
        section("The deal: one card a turn", *_deal(design), *tally_rules(design)),
        *round_sections(design),
        section("From one card or round to the next", *_flow(design)),
        section(
            "What the players see: their own cards, that others get some, what is on the board, and what is said",
            *_sights(design),
        ),
        *ending_sections(design, payoffs),
    ]
    body = "\n\n\n".join(part for part in parts if part) + "\n"
    return "\n\n\n".join(["\n\n".join([comment(header(design, payoffs)), section("", *_seats(design, body))]), body])


def _seats(design: Design, body: str) -> list[Paragraph]:
    """Roles, players, and how they sit, if the rest of the rules asks for it."""
    players = design.players
    return [
        [*facts("role", [[player] for player in players]), f"{'(role random)':<32}; the dealer"],
        facts("player", [[player] for player in players]),
        facts("opponent", [players, players[::-1]]) if "(opponent " in body else [],
        facts("follows", pairwise(players)) if "(follows " in body else [],
    ]


def _deck(design: Design) -> list[Paragraph]:
    deck = design.deck
    if design.is_plain:
        return [facts("card", [[card.name] for card in deck.cards], 6)]
    cards = facts("card", [[card.name, card.rank] for card in deck.cards], deck.of_a_rank if deck.of_a_rank < 6 else 4)
    if deck.copies > 1 and deck.suits:
        return [cards, facts("face", [[card.name, card.face] for card in deck.cards], 4)]
    return [cards]


def _course(design: Design) -> list[Paragraph]:
    stages = design.stages
    numbered = [stage.number for stage in stages]
    speaking = [stage.number for stage in stages if isinstance(stage.step, Bet | Bid | Claim)]
    return [
        facts("hole_card", [[stage.number, stage.player] for stage in stages if stage.player]),
        facts("board_card", [[stage.number] for stage in stages if isinstance(stage.step, Deal) and not stage.player]),
        facts("speaking", [[number] for number in speaking]),
        [
            line
            for stage in stages
            if isinstance(stage.step, Choose)
            for line in facts("option", [[stage.number, number] for number in stage.step.numbers], 6)
        ],
        facts("then", pairwise([*numbered, "over"]), 6),
    ]


def _state(design: Design) -> list[Paragraph]:
    of_players = "(player ?p)"
    card = design.card("?c", "?r")
    in_turn = speaks(design)
    base = [
        rule("(base (stage ?s))", "(then ?s ?t)", note="the card or the round that comes now"),
        "(base (stage over))",
        rule("(base (hand ?p ?c))", of_players, card) if design.hand else "",
        rule("(base (board ?c))", card) if design.board else "",
        rule("(base (to_act ?p))", of_players) if in_turn else "",
        rule("(base (waits ?p))", of_players, note="speaks later in this round") if in_turn and not claims(design) else "",
    ]
    if design.bets:
        base += [
            rule("(base (level ?n))", "(amount ?n)", note="chips that have to be matched"),
            rule("(base (raises ?n))", "(then_raises ?s ?n ?m)", note="raises in this round so far"),
            rule("(base (raises ?m))", "(then_raises ?s ?n ?m)"),
            rule("(base (paid ?p ?n))", of_players, "(amount ?n)", note="chips in the pot"),
            rule("(base (folded ?p))", of_players),
        ]
    if isinstance(design.steps[-1], Bid):
        base += [
            rule("(base (bid ?n))", "(bid_of ?n)", note="the last bid"),
            rule("(base (bidder ?p))", of_players, note="who made it"),
            rule("(base (passed ?p))", of_players),
        ]
    elif design.choices_matter:
        base.append(rule("(base (chosen ?p ?n))", of_players, "(option ?s ?n)"))
    if claims(design):
        base += [
            rule("(base (claimed ?n ?r))", "(can_claim ?n ?r)", note="the last claim"),
            rule("(base (claimer ?p))", of_players, note="who made it"),
            rule("(base (doubter ?p))", of_players, note="who has called the claimer a liar"),
        ]
    return [base + tally_base(design), _inputs(design), _init(design)]


def _inputs(design: Design) -> Paragraph:
    found = [rule("(input random (deal ?c))", design.card("?c", "?r"))]
    if design.bets:
        found += [rule(f"(input ?p {move})", "(player ?p)") for move in ("check", "call", "raise", "fold")]
    if any(isinstance(step, Choose) for step in design.steps):
        found.append(rule("(input ?p (choose ?n))", "(player ?p)", "(option ?s ?n)"))
    if isinstance(design.steps[-1], Bid):
        found += [rule("(input ?p (bid ?n))", "(player ?p)", "(bid_of ?n)"), rule("(input ?p pass)", "(player ?p)")]
    if claims(design):
        found += [rule("(input ?p (claim ?n ?r))", "(player ?p)", "(can_claim ?n ?r)"), rule("(input ?p liar)", "(player ?p)")]
    return [*found, rule("(input ?r noop)", "(role ?r)")]


def _init(design: Design) -> Paragraph:
    found = ["(init (stage 1))"]
    if speaks(design) and not isinstance(design.steps[0], Deal | Choose):
        first, *others = design.players
        found.append(f"(init (to_act {first}))")
        found += [f"(init (waits {player}))" for player in others] if not claims(design) else []
    if design.bets:
        found += [f"(init (level {design.ante}))", rule(f"(init (paid ?p {design.ante}))", "(player ?p)")]
        found += ["(init (raises 0))"] if isinstance(design.steps[0], Bet) else []
    return found + tally_init(design)


def _deal(design: Design) -> list[Paragraph]:
    stays = "(not (true (folded ?p)))" if _deals_after_folds(design) else ""
    hole, board, returned = bool(design.hand), bool(design.board), design.deck.returned
    dealing = [
        rule("(dealing_to ?p)", "(true (stage ?s))", "(hole_card ?s ?p)", stays) if hole else "",
        rule("dealing_to_board", "(true (stage ?s))", "(board_card ?s)") if board else "",
        rule("dealing", "(dealing_to ?p)") if hole else "",
        rule("dealing", "dealing_to_board") if board else "",
    ]
    taken = [
        rule("(taken ?c)", "(true (hand ?p ?c))") if hole else "",
        rule("(taken ?c)", "(true (board ?c))") if board else "",
    ]
    free = "" if returned else "(not (taken ?c))"
    deals = [rule("(legal random (deal ?c))", "dealing", design.card("?c", "?r"), free)]
    hands = [
        rule("(next (hand ?p ?c))", "(dealing_to ?p)", "(does random (deal ?c))"),
        rule("(next (hand ?p ?c))", "(true (hand ?p ?c))"),
    ]
    boards = [
        rule("(next (board ?c))", "dealing_to_board", "(does random (deal ?c))"),
        rule("(next (board ?c))", "(true (board ?c))"),
    ]
    return [dealing, [] if returned else taken, deals, hands if hole else [], boards if board else []]


def _flow(design: Design) -> list[Paragraph]:
    in_game = "(in ?p)" if design.bets else "(player ?p)"
    two_stay = "two_stay" if design.bets else ""
    chooses, speaking = any(isinstance(step, Choose) for step in design.steps), speaks(design)
    done = "doubted" if claims(design) else "(not somebody_has_to_speak)"
    return [
        [
            rule("(acts random)", "dealing"),
            rule("(acts ?p)", "choosing", in_game) if chooses else "",
            rule("(acts ?p)", "(true (to_act ?p))") if speaking else "",
            rule("(legal ?r noop)", "(role ?r)", "(not (acts ?r))"),
        ],
        [
            rule("stage_over", "(true (stage ?s))", "(hole_card ?s ?p)") if design.hand else "",
            rule("stage_over", "(true (stage ?s))", "(board_card ?s)") if design.board else "",
            rule("stage_over", "choosing") if chooses else "",
            rule("stage_over", "(true (to_act ?p))", done) if speaking else "",
        ],
        [
            rule("(begins ?t)", "stage_over", "(true (stage ?s))", "(then ?s ?t)", two_stay),
            rule("(begins over)", "stage_over", "(not two_stay)") if design.bets else "",
        ],
        [
            rule("(next (stage ?t))", "(begins ?t)"),
            rule("(next (stage ?s))", "(true (stage ?s))", "(not stage_over)") if speaking else "",
        ],
        *(_first_to_speak(design) if begins(design) else []),
    ]


def _first_to_speak(design: Design) -> list[Paragraph]:
    """Who speaks at once and who waits when a round begins: by seats, and of several players those who have not folded."""
    first, *others = design.players
    head = "begins_betting" if design.bets else "begins_speaking"
    starts = rule(head, "(begins ?s)", "(speaking ?s)")
    if design.bets and others[1:]:
        return [
            facts("earlier", combinations(design.players, 2), 3),
            [
                starts,
                rule("(is_later ?q)", "(stays ?p)", "(earlier ?p ?q)"),
                rule("(next (to_act ?p))", head, "(stays ?p)", "(not (is_later ?p))"),
                rule("(next (waits ?p))", head, "(stays ?p)", "(is_later ?p)"),
            ],
        ]
    waits = [] if claims(design) else [rule(f"(next (waits {player}))", head) for player in others]
    return [[starts, rule(f"(next (to_act {first}))", head), *waits]]


def _sights(design: Design) -> list[Paragraph]:
    deck = design.deck
    seen, looks = ("?f", "(face ?c ?f)") if deck.suits else ("?r", "(card ?c ?r)")
    if deck.copies == 1:
        seen, looks = "?c", ""
    found = []
    if design.hand:
        found += [
            rule(f"(sees ?p (hole {seen}))", "(dealing_to ?p)", "(does random (deal ?c))", looks),
            rule("(sees ?q (dealt ?p))", "(dealing_to ?p)", "(player ?q)", "(distinct ?p ?q)"),
        ]
    if design.board:
        found.append(rule(f"(sees ?p (board {seen}))", "dealing_to_board", "(does random (deal ?c))", looks, "(player ?p)"))
    found.append(rule("(sees ?p (did ?q ?move))", "(acts ?q)", "(does ?q ?move)", "(player ?q)", "(player ?p)"))
    return [found, shows_rules(design, seen, looks)]


def _deals_after_folds(design: Design) -> bool:
    """Whether cards are dealt to hands when somebody may have folded, and others play on."""
    steps = design.steps
    first = next((number for number, step in enumerate(steps) if isinstance(step, Bet)), len(steps))
    return len(design.players) > 2 and any(isinstance(step, Deal) and step.hand for step in steps[first:])
