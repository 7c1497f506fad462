#!/usr/bin/env python3
"""Replay hands of no-limit hold'em in chips in PokerKit: any stacks, any blinds, two to nine players.

    no_limit.py --tables COUNT SEED     print the options of so many tables for `croupier new --from no-limit-holdem`
    no_limit.py FOLDER                  compare all hands in it

FOLDER has N.options, a line that --tables has printed, and N.jsonl, what `croupier simulate --trace` wrote for that table.
At every decision the two must agree on who acts, on the least and the greatest amount and every one between, on the
chips before and behind each player, and in the end on what everybody has.

They are compared under the same rules. PokerKit lets a short big blind be called for what it has posted; at a table,
and in our rules, the whole big blind has to be called as long as two players have chips to bet, so PokerKit is told of
a higher bet there. PokerKit asks for a check of a player who owes nothing and whom nobody could answer; we do not.
"""
import builtins
import random
import re
import sys
from collections import Counter
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pokerkit.state
from comparison import Comparison
from holdem import AUTOMATIC, SHARES, RememberedHand, deal, facts, show_down
from pokerkit import NoLimitTexasHoldem

NAMES = ("alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi", "ivan")


@dataclass(frozen=True)
class Table:
    """The players in PokerKit's order: from the small blind on, with two from the big blind on."""

    players: tuple
    stacks: tuple
    blinds: tuple
    has_every_amount: bool

    @classmethod
    def of(cls, options):
        given = dict(re.findall(r"--([a-z-]+) (\S+)", options))
        stacks = [int(chips) for chips in given["stacks"].split(",")]
        names = NAMES[: len(stacks)]
        blinds = (int(given["small-blind"]), int(given["big-blind"]))
        return cls((*names[1:], "alice"), (*stacks[1:], stacks[0]), blinds, given["bets"] == "all")

    @property
    def deal(self):
        return self.players


def random_table(number, chance):
    """Small and large tables in turn; stacks of one depth, of all depths, and many that cannot post a blind."""
    players = 2 + number % 8
    small = chance.choice((1, 1, 2, 5))
    # With two players and equal blinds PokerKit lets the big blind speak first.
    big = chance.choice((small if players > 2 else 2 * small, 2 * small, 2 * small, 3 * small))
    deepest = chance.choice((2, 3, 8, 20, 60)) * big
    least = chance.choice((1, 1, small, deepest))
    stacks = ",".join(str(chance.randint(least, max(least, deepest))) for _ in range(players))
    bets = "all" if chance.random() < 0.7 else "fractions"
    return f"--players {players} --stacks {stacks} --small-blind {small} --big-blind {big} --bets {bets}"


class Bets(list):
    """The bets of a round, of which the highest counts as the big blind where that could not be posted whole."""

    def __init__(self, table, big_blind):
        super().__init__(table.bets)
        self.table, self.big_blind = table, big_blind

    def highest(self):
        table = self.table
        can_bet = sum(1 for player in table.player_indices if table.statuses[player] and table.stacks[player])
        least = self.big_blind if table.street_index == 0 and can_bet >= 2 else 0
        return builtins.max(least, *self)


def highest(*values, **options):
    if len(values) == 1 and isinstance(values[0], Bets):
        return values[0].highest()
    return builtins.max(*values, **options)


pokerkit.state.max = highest


def new_table(variant):
    game = NoLimitTexasHoldem(AUTOMATIC, True, 0, variant.blinds, variant.blinds[1])
    game.hand_types = (RememberedHand,)
    table = game(variant.stacks, len(variant.players))
    table.bets = Bets(table, variant.blinds[1])
    return table


def amounts(table, variant):
    """The moves that raise, with the chips of this round that each comes to."""
    least = table.min_completion_betting_or_raising_to_amount
    if least is None:
        return {}
    everything = table.max_completion_betting_or_raising_to_amount
    if variant.has_every_amount:
        name = "raise_to" if any(table.bets) else "bet"
        sizes = {f"({name} {amount})": amount for amount in range(least, everything)}
    else:
        asked = highest(table.bets)
        pot = table.total_pot_amount + table.checking_or_calling_amount
        sizes = {size: asked + pot * share // of for size, (share, of) in SHARES.items()}
        sizes = {size: amount for size, amount in sizes.items() if least <= amount < everything}
    return sizes | {"all_in": everything}


def legal(table, variant):
    """The moves of the player in turn, with what the raises among them come to."""
    moves = dict(amounts(table, variant))
    if table.can_fold():
        moves["fold"] = None
    moves["call" if table.checking_or_calling_amount else "check"] = None
    return moves


def chips(players, numbers):
    return {(player, str(count)) for player, count in zip(players, numbers)}


def check_alone(table):
    """Go past players who can only check."""
    while table.actor_index is not None and table.checking_or_calling_amount == 0:
        table.check_or_call()


def deal_all(table, cards, variant):
    """The cards dealt since the last decision, with all that happens before they can be: hands that are shown, above all."""
    settled = None
    if table.can_deal_hole():
        holes = 2 * len(variant.players)
        deal(table, cards[:holes], variant)
        cards = cards[holes:]
        check_alone(table)
    if cards:
        settled = show_down(table)
        deal(table, cards, variant)
    return show_down(table) or settled


def replay(rows, variant, counts):
    """Yield (step, what, ours, theirs) for everything to compare in one hand."""
    table, undealt, settled = new_table(variant), [], None
    players = variant.players
    for row in rows[:-1]:
        step, joint = row["step"], row["joint"]
        drawn = re.fullmatch(r"\((deal|race) (.+)\)", joint["random"])
        if drawn and drawn[1] == "deal":
            check_alone(table)
            settled = show_down(table) or settled
            undealt.append(drawn[2])
            continue
        if undealt:
            undealt, settled = [], deal_all(table, undealt, variant) or settled
        if drawn:
            check_alone(table)
            settled = show_down(table) or settled
            continue
        if table.actor_index is None or row["legal"][players[table.actor_index]] == ["noop"]:
            check_alone(table)
        actor = players[table.actor_index]
        moves = legal(table, variant)
        yield step, "legal moves", set(row["legal"][actor]), set(moves)
        waiting = {role: set(moves) for role, moves in row["legal"].items() if role != actor}
        yield step, "moves of the others", waiting, {role: {"noop"} for role in waiting}
        yield step, "chips behind", facts(row, "stack"), chips(players, table.stacks)
        yield step, "chips in front", facts(row, "in_front"), chips(players, table.bets)
        played = joint[actor]
        counts[re.sub(r"[( )\d]", "", played)] += 1
        if played == "fold":
            table.fold()
        elif moves[played] is None:
            table.check_or_call()
        else:
            table.complete_bet_or_raise_to(moves[played])
        settled = show_down(table) or settled
    last = rows[-1]
    yield last["step"], "end of the hand", last["terminal"], not table.status
    if settled:
        counts[f"showdowns with {min(settled.pots, 4)} pots"] += 1
    yield last["step"], "stacks", facts(last, "stack"), chips(players, settled(table) if settled else table.stacks)


def main():
    if sys.argv[1:2] == ["--tables"] and len(sys.argv) == 4:
        count, chance = int(sys.argv[2]), random.Random(int(sys.argv[3]))
        for number in range(count):
            print(random_table(number, chance))
        return
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    comparison = Comparison("PokerKit")
    counts = Counter()
    for path in sorted(Path(sys.argv[1]).glob("*.options")):
        options = path.read_text(encoding="utf-8").strip()
        before = comparison.disagreements
        comparison.replay(path.with_suffix(".jsonl"), partial(replay, variant=Table.of(options), counts=counts))
        if comparison.disagreements > before:
            print(f"at the table {options}")
    details = ", ".join(f"{count} {what}" for what, count in sorted(counts.items()))
    comparison.end("no-limit hold'em in chips", f": {details}")


if __name__ == "__main__":
    main()
