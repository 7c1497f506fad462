#!/usr/bin/env python3
"""Replay traced matches of gin-rummy-small in OpenSpiel's gin_rummy.

    gin.py TRACE

TRACE is what `croupier simulate gin-rummy-small --trace` writes. In every state the two must agree on who acts and on
the legal moves, and in the end on the payoffs. Exit status 1 if not.

OpenSpiel 2.0.2 cannot lay melds with a short deck: it numbers them over 52 cards, and three of a rank without spades
then stand for cards that are not there. So what follows a knock is played with its full deck, from a deal in which
the knocker gets all cards but one and takes that one for the upcard. With six cards in a hand nothing else depends
on the deck.
"""
import sys

import pyspiel
from comparison import Comparison

STAKES = "hand_size=6,knock_card=5,gin_bonus=10,undercut_bonus=10"
SHORT = pyspiel.load_game(f"gin_rummy(num_ranks=5,num_suits=4,{STAKES})")
FULL = pyspiel.load_game(f"gin_rummy({STAKES})")
MELDS = pyspiel.gin_rummy.GinRummyUtils(13, 4, 6)

ROLES = ["alice", "bob"]
SUITS = ["spades", "clubs", "diamonds", "hearts"]
RANKS = ["ace", "two", "three", "four", "five"]
TAKE = 52
WORDS = {"take": TAKE, "draw": 53, "pass": 54, "done": 54, "knock": 55}
FIRST_MELD = 56

# The goal of a deal that nobody wins.
OFFSET = 50


def of_card(name, ranks):
    return "scdh".index(name[1]) * ranks + "a2345".index(name[0])


def of_meld(words):
    kind, *which = words
    if kind == "run":
        suit, low, high = which
        cards = [(SUITS.index(suit), rank) for rank in range(RANKS.index(low), RANKS.index(high) + 1)]
    else:
        missing = which[1:]
        cards = [(index, RANKS.index(which[0])) for index, suit in enumerate(SUITS) if [suit] != missing]
    return FIRST_MELD + MELDS.meld_to_int([13 * suit + rank for suit, rank in cards])


def of_move(move, ranks):
    verb, *rest = move.replace("(", "").replace(")", "").split()
    if verb == "lay":
        return of_meld(rest)
    return of_card(rest[0], ranks) if rest else WORDS[verb]


class Table:
    """A game of OpenSpiel, the number of ranks in its deck, and who of ours is its first player."""

    def __init__(self, game, ranks, first):
        self.state = game.new_initial_state()
        self.ranks = ranks
        self.roles = ROLES if first == ROLES[0] else ROLES[::-1]

    def apply(self, move):
        self.state.apply_action(of_move(move, self.ranks))

    def actor(self):
        return "random" if self.state.is_chance_node() else self.roles[self.state.current_player()]

    def legal(self):
        return self.state.legal_actions()

    def payoffs(self):
        paid = dict(zip(self.roles, self.state.returns()))
        return [paid[role] for role in ROLES]


def cards_of(state, name):
    """The cards of fluents like (hand alice 2s), by their text up to the card."""
    return [fluent[len(name) : -1].strip() for fluent in state if fluent.startswith(name)]


def after_knock(state, knocker):
    """The full deck, where the knocker has knocked with the same cards against the same hand."""
    table = Table(FULL, 13, knocker)
    hands = [cards_of(state, f"(hand {role} ") for role in table.roles]
    # At the wall a knock takes the upcard.
    *own, upcard = hands[0] if len(hands[0]) == 7 else hands[0] + cards_of(state, "(up ")
    for card in own + hands[1] + [upcard]:
        table.apply(f"(deal {card})")
    table.apply("take")
    table.apply("knock")
    return table


def replay(rows):
    """Yield (step, what, ours, theirs) for everything to compare in one match."""
    tables = [Table(SHORT, 5, ROLES[0])]
    for row in rows[:-1]:
        step = row["step"]
        acting = {role: moves for role, moves in row["legal"].items() if moves != ["noop"]}
        (actor, moves), *others = acting.items()
        move = row["joint"][actor]
        yield step, "others who act", others, []
        for table in tables:
            yield step, "who acts", actor, table.actor()
            yield step, "moves", sorted(of_move(one, table.ranks) for one in moves), sorted(table.legal())
            table.apply(move)
        if move == "knock":
            # Both know the cards that the knocker can discard; all else is left to the full deck.
            tables.append(after_knock(row["state"], actor))
        elif len(tables) == 2:
            del tables[0]
    last = rows[-1]
    (table,) = tables
    yield last["step"], "end", last["terminal"], table.state.is_terminal()
    yield last["step"], "payoffs", [last["goal"][role] - OFFSET for role in ROLES], table.payoffs()


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    knocks = 0

    def look(match):
        nonlocal knocks
        knocks += any("knock" in row.get("joint", {}).values() for row in match)

    comparison = Comparison("OpenSpiel")
    comparison.replay(sys.argv[1], replay, look)
    comparison.end("gin-rummy-small", f", {knocks} with a knock", knocks > 0)


if __name__ == "__main__":
    main()
