"""The end of a card game in its rules: who wins, and what everybody gets."""

from __future__ import annotations

from fractions import Fraction

from .design import Design
from .gdl import Paragraph, facts, rule, section
from .numbers import counts_hands
from .parts import Auction, Bid, Claim, Closest, Showdown
from .payoffs import Payoffs


#: Who gets what of a pot, of two players and of more.
_POTS = (
    "the winner gets what the loser has put in",
    "winners share what the others have lost, which is added up seat by seat",
)


def shows_rules(design: Design, seen: str, looks: str) -> Paragraph:
    """What players are shown when the last round ends: the hands of those who are still in."""
    if not design.hand:
        return []
    shown = ["two_stay", "(stays ?q)"] if design.bets else []
    return [rule(f"(sees ?p (shows ?q {seen}))", "(begins over)", *shown, "(true (hand ?q ?c))", looks, "(player ?p)")]


def ending_sections(design: Design, payoffs: Payoffs) -> list[str]:
    """From the last round to the goals."""
    ending = design.ending
    if isinstance(ending, Claim):
        return [section("The end: is the last claim true?", *_doubt(design, ending, payoffs))]
    if isinstance(ending, Auction):
        return [section("The end: who buys the prize", *_sale(design, ending, payoffs))]
    if isinstance(ending, Closest):
        parts, heading = _distances(design, ending), "The end: whose number is the closest"
    else:
        parts, heading = _hands(design, ending), "The end: what hands are worth, and whose is the best"
    return [section(heading, _terminal(), *parts), section(f"The pot: {_POTS[len(design.players) > 2]}", *_pot(design, payoffs))]


def _terminal() -> Paragraph:
    return [rule("terminal", "(true (stage over))")]


def _in(design: Design) -> str:
    return "(in ?p)" if design.bets else "(player ?p)"


def _hands(design: Design, ending: Showdown) -> list[Paragraph]:
    ranks = design.deck.ranks
    card, rank = design.card("?c", "?r"), design.rank("?c", "?r")
    card = card if rank == "?r" else ""
    worth = list(enumerate(ranks[::-1] if ending.best == "low" else ranks, 1))
    tables = [facts("worth", [(name, number) for number, name in worth], 6)]
    of_card = ["(contends ?p)", "(true (hand ?p ?c))", card]
    scores = [rule("(scores ?p ?n)", *of_card, f"(worth {rank} ?n)")]
    if ending.best == "total":
        tables, scores = [], [rule("(scores ?p ?n)", "(contends ?p)", "(true (points ?p ?n))")]
    if ending.best == "pair":
        pairs = [(name, number + len(ranks)) for number, name in worth]
        tables.append(facts("pair_worth", pairs, 6))
        other = "?c" if design.is_plain else "?d"
        same = "" if design.is_plain else "(card ?d ?r)"
        if design.hand > 1:
            scores.append(
                rule("(scores ?p ?n)", *of_card, "(true (hand ?p ?d))", same, "(distinct ?c ?d)", f"(pair_worth {rank} ?n)")
            )
        if design.board:
            scores.append(rule("(scores ?p ?n)", *of_card, f"(true (board {other}))", same, f"(pair_worth {rank} ?n)"))
    return [
        *tables,
        [rule("(contends ?p)", "(true (stage over))", _in(design))],
        scores,
        [
            rule("(reaches ?p ?n)", "(scores ?p ?n)", note="a hand is as good as this, or better"),
            rule("(reaches ?p ?m)", "(reaches ?p ?n)", "(succ ?m ?n)"),
        ],
        [
            rule("(beaten ?p)", "(contends ?p)", "(scores ?q ?n)", "(not (reaches ?p ?n))"),
            rule("(wins ?p)", "(contends ?p)", "(not (beaten ?p))"),
        ],
    ]


def _distances(design: Design, ending: Closest) -> list[Paragraph]:
    del ending
    distance = ["(contends ?p)", "(true (chosen ?p ?n))", "(true (total ?t))"]
    return [
        [rule("(contends ?p)", "(true (stage over))", _in(design))],
        [
            rule("(distance ?p ?d)", *distance, "(sum ?n ?d ?t)"),
            rule("(distance ?p ?d)", *distance, "(sum ?t ?d ?n)"),
        ],
        [
            rule("(beaten ?p)", "(distance ?p ?far)", "(distance ?q ?near)", "(less ?near ?far)"),
            rule("(wins ?p)", "(contends ?p)", "(not (beaten ?p))"),
        ],
    ]


def _pot(design: Design, payoffs: Payoffs) -> list[Paragraph]:
    return _pot_of_two(design, payoffs) if len(design.players) == 2 else _pot_of_several(design, payoffs)


def _pot_of_two(design: Design, payoffs: Payoffs) -> list[Paragraph]:
    """The winner gets what the loser has put in."""
    rows = [(lost, payoffs.goal(lost), payoffs.goal(-lost)) for lost in payoffs.lost]
    paid = "(true (paid ?q ?n))" if design.bets else ""
    amount = "?n" if design.bets else str(design.ante)
    return [
        [rule("(takes ?p)", "(wins ?p)", "(opponent ?p ?q)", "(not (wins ?q))")],
        ["; The chips that change hands, the goal of the winner and the goal of the loser", *facts("payoff", rows, 4)],
        [
            rule("(goal ?p ?won)", "(takes ?p)", "(opponent ?p ?q)", paid, f"(payoff {amount} ?won ?lost)"),
            rule("(goal ?q ?lost)", "(takes ?p)", "(opponent ?p ?q)", paid, f"(payoff {amount} ?won ?lost)"),
            rule(f"(goal ?p {payoffs.goal(0)})", "(wins ?p)", "(opponent ?p ?q)", "(wins ?q)") if design.most_alike > 1 else "",
        ],
    ]


def _pot_of_several(design: Design, payoffs: Payoffs) -> list[Paragraph]:
    """Winners share what the others have put in, which is summed up along the seats."""
    first, last = design.players[0], design.players[-1]
    paid = "(true (paid ?p ?n))" if design.bets else ""
    amount = "?n" if design.bets else str(design.ante)
    losses = facts("loss", [(lost, payoffs.goal(-lost)) for lost in payoffs.lost], 6)
    lost = [
        rule(f"(lost ?p {amount})", "(true (stage over))", "(player ?p)", paid, "(not (wins ?p))"),
        rule("(lost ?p 0)", "(wins ?p)"),
    ]
    together = [
        rule(f"(lost_up_to {first} ?n)", f"(lost {first} ?n)"),
        rule("(lost_up_to ?q ?total)", "(follows ?p ?q)", "(lost_up_to ?p ?n)", "(lost ?q ?m)", "(sum ?n ?m ?total)"),
    ]
    winners, count, rows = _winners(design, payoffs)
    gains = facts("gain", [(*row, lost, payoffs.goal(Fraction(lost, number))) for row, number, lost in rows], 5)
    draw = [rule(f"(goal ?p {payoffs.goal(0)})", "(wins ?p)", f"(lost_up_to {last} 0)")] if design.most_alike == len(design.players) else []
    shares = "How many win, what the others have lost, and the goal of each" if count else "What the others have lost, and the winner's goal"
    return [
        ["; What somebody has lost, and the goal", *losses],
        [f"; {shares}", *gains],
        lost,
        together,
        winners,
        [
            rule("(goal ?p ?goal)", "(wins ?p)", *count, f"(lost_up_to {last} ?n)", f"(gain{' ?k' if count else ''} ?n ?goal)"),
            *draw,
            rule("(goal ?p ?goal)", f"(lost ?p {amount})", f"(loss {amount} ?goal)"),
        ],
    ]


def _winners(
    design: Design, payoffs: Payoffs
) -> tuple[Paragraph, list[str], list[tuple[tuple[int, ...], int, int]]]:
    """How winners are counted, if there may be several; the condition that gives their number; and what is shared."""
    first, last = design.players[0], design.players[-1]
    if not payoffs.ties:
        return [], [], [((), number, lost) for number, lost in payoffs.shared]
    chain = "(follows ?p ?q)" if len(design.players) > 2 else "(opponent ?p ?q)"
    if len(design.players) == 2:
        counted = [
            rule("(winners 2)", f"(wins {first})", f"(wins {last})"),
            rule("(winners 1)", "(wins ?p)", "(opponent ?p ?q)", "(not (wins ?q))"),
        ]
        return counted, ["(winners ?k)"], [((number,), number, lost) for number, lost in payoffs.shared]
    counted = [
        rule(f"(winners_up_to {first} 1)", f"(wins {first})"),
        rule(f"(winners_up_to {first} 0)", "(true (stage over))", f"(not (wins {first}))"),
        rule("(winners_up_to ?q ?m)", chain, "(winners_up_to ?p ?n)", "(wins ?q)", "(succ ?n ?m)"),
        rule("(winners_up_to ?q ?n)", chain, "(winners_up_to ?p ?n)", "(not (wins ?q))"),
    ]
    return counted, [f"(winners_up_to {last} ?k)"], [((number,), number, lost) for number, lost in payoffs.shared]


def _sale(design: Design, ending: Auction, payoffs: Payoffs) -> list[Paragraph]:
    openly = isinstance(design.steps[-1], Bid)
    wins = [
        rule("(outbid ?p)", "(true (stage over))", "(true (chosen ?p ?n))", "(true (chosen ?q ?m))", "(more ?m ?n)"),
        rule("(wins ?p)", "(true (stage over))", "(player ?p)", "(not (outbid ?p))"),
    ]
    if openly:
        wins = [rule("(wins ?p)", "(true (stage over))", "(true (bidder ?p))")]
    prize = "(true (total ?v))" if counts_hands(design) else "(true (points ?p ?v))"
    winners, count, rows = _winners(design, payoffs)
    table = []
    for row, number, price in rows:
        for value in payoffs.prizes:
            won = Fraction(value, number) - price if ending.price == "all" else Fraction(value - price, number)
            table.append((*row, value, price, payoffs.goal(won)))
    columns = f"{'How many buy, what' if count else 'What'} the prize is worth, the price, and the goal"
    goals = [
        rule("(goal ?p ?goal)", "(wins ?p)", *count, prize, "(price ?p ?n)", f"(gain{' ?k' if count else ''} ?v ?n ?goal)")
    ]
    costs: Paragraph = []
    if ending.price == "all":
        costs = ["; What is paid for nothing, and the goal"]
        costs += facts("cost", [(price, payoffs.goal(-price)) for price in payoffs.lost], 6)
        goals.append(rule("(goal ?p ?goal)", "(outbid ?p)", "(price ?p ?n)", "(cost ?n ?goal)"))
    else:
        goals.append(rule(f"(goal ?p {payoffs.goal(0)})", "(true (stage over))", "(player ?p)", "(not (wins ?p))"))
    return [_terminal(), wins, _prices(design, ending), winners, [f"; {columns}", *facts("gain", table, 4)], costs, goals]


def _prices(design: Design, ending: Auction) -> Paragraph:
    if isinstance(design.steps[-1], Bid):
        return [rule("(price ?p ?n)", "(wins ?p)", "(true (bid ?n))")]
    if ending.price == "all":
        return [rule("(price ?p ?n)", "(true (stage over))", "(true (chosen ?p ?n))")]
    if ending.price == "first":
        return [rule("(price ?p ?n)", "(wins ?p)", "(true (chosen ?p ?n))")]
    if len(design.players) == 2:
        return [rule("(price ?p ?n)", "(wins ?p)", "(opponent ?p ?q)", "(true (chosen ?q ?n))")]
    others = ["(wins ?p)", "(true (chosen ?q ?n))", "(distinct ?p ?q)"]
    return [
        rule("(too_low ?p ?n)", *others, "(true (chosen ?r ?m))", "(distinct ?p ?r)", "(more ?m ?n)"),
        rule("(price ?p ?n)", *others, "(not (too_low ?p ?n))"),
    ]


def _doubt(design: Design, ending: Claim, payoffs: Payoffs) -> list[Paragraph]:
    at_least = [rule("(at_least ?n ?r)", "(true (showing ?n ?r))")]
    if ending.wild is not None:
        wild = str(ending.wild).lower()
        of_rank = "(card ?r)" if design.is_plain else "(rank ?r)"
        other = f"(distinct ?r {wild})"
        at_least += [
            rule("(at_least ?n ?r)", of_rank, other, f"(true (showing ?n {wild}))"),
            rule("(at_least ?n ?r)", "(true (showing ?m ?r))", other, f"(true (showing ?k {wild}))", "(sum ?m ?k ?n)"),
        ]
    at_least.append(rule("(at_least ?m ?r)", "(at_least ?n ?r)", "(succ ?m ?n)"))
    won, even, lost = (payoffs.goal(ending.stake), payoffs.goal(0), payoffs.goal(-ending.stake))
    goals = [rule(f"(goal ?p {won})", "(wins ?p)"), rule(f"(goal ?p {lost})", "(loses ?p)")]
    if len(design.players) > 2:
        involved = ["(true (doubter ?p))", "(true (claimer ?q))", "(player ?r)", "(distinct ?p ?r)", "(distinct ?q ?r)"]
        goals.append(rule(f"(goal ?r {even})", *involved))
    return [
        _terminal(),
        at_least,
        [rule("claim_is_true", "(true (claimed ?n ?r))", "(at_least ?n ?r)")],
        [
            rule("(wins ?p)", "(true (claimer ?p))", "(true (stage over))", "claim_is_true"),
            rule("(loses ?p)", "(true (doubter ?p))", "claim_is_true"),
            rule("(wins ?p)", "(true (doubter ?p))", "(not claim_is_true)"),
            rule("(loses ?p)", "(true (claimer ?p))", "(true (stage over))", "(not claim_is_true)"),
        ],
        goals,
    ]
