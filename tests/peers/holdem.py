#!/usr/bin/env python3
"""Replay traced hands of the game `holdem` in PokerKit and compare everything a referee decides.

    holdem.py TRACE

TRACE is what `croupier simulate holdem --trace` writes: JSON Lines, one object a turn of each hand.
At every betting decision the two must agree on who acts, on the legal actions and on the chips that
each player has put in; at the end on the board, the hands and the chips won. Exit status 1 if not.
"""
import json
import re
import sys
from dataclasses import replace
from itertools import groupby

from pokerkit import Automation, FixedLimitTexasHoldem

PLAYERS = ["bob", "alice"]  # PokerKit's order with two players: the big blind, then the button
STACK = 200  # more than the 48 chips that a hand can cost
AUTOMATIC = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


def new_table():
    game = FixedLimitTexasHoldem(AUTOMATIC, True, 0, (1, 2), 2, 4)
    # PokerKit does not count the big blind as a bet. A cap of four bets leaves three raises before the flop.
    preflop, *later = game.streets
    game.streets = (replace(preflop, max_completion_betting_or_raising_count=3), *later)
    return game(STACK, len(PLAYERS))


def pokerkit_card(card):
    return card[0].upper() + card[1]


def facts(row, name):
    """The arguments of the state's fluents of this name: {("alice", "3"), ...}."""
    found = (re.fullmatch(rf"\({name} (.*)\)", term) for term in row["state"])
    return {tuple(match[1].split()) for match in found if match}


def legal_actions(table):
    actions = set()
    if table.can_fold():
        actions.add("fold")
    if table.can_check_or_call():
        actions.add("call" if table.checking_or_calling_amount else "check")
    if table.can_complete_bet_or_raise_to():
        actions.add("raise" if any(table.bets) else "bet")
    return actions


def act(table, action):
    if action == "fold":
        table.fold()
    elif action in ("bet", "raise"):
        table.complete_bet_or_raise_to()
    else:
        table.check_or_call()


def deal(table, cards):
    """The cards dealt since the last decision: alice, bob, alice, bob, or those of one street."""
    cards = [pokerkit_card(card) for card in cards]
    if table.can_deal_hole():
        table.deal_hole("".join(cards[1::2]))
        table.deal_hole("".join(cards[0::2]))
    else:
        table.burn_card("??")
        table.deal_board("".join(cards))


def replay(rows):
    """Yield (step, what, ours, theirs) for everything to compare in one hand."""
    table, undealt, hand, board = new_table(), [], set(), set()
    for row in rows[:-1]:
        step, joint = row["step"], row["joint"]
        move = re.fullmatch(r"\(deal (..)\)", joint["random"])
        if move:
            undealt.append(move[1])
            continue
        if undealt:
            deal(table, undealt)
            undealt = []
            hand = {(p, repr(c).lower()) for p, cards in zip(PLAYERS, table.hole_cards) for c in cards}
            board = {(repr(card).lower(),) for card in table.get_board_cards(0)}
        actor = PLAYERS[table.actor_index]
        waiting = {role: set(moves) for role, moves in row["legal"].items() if role != actor}
        paid = {(p, str(STACK - stack)) for p, stack in zip(PLAYERS, table.stacks)}
        yield step, "legal actions", set(row["legal"][actor]), legal_actions(table)
        yield step, "moves of the others", waiting, {role: {"noop"} for role in waiting}
        yield step, "chips put in", facts(row, "paid"), paid
        yield step, "hands", facts(row, "hand"), hand
        yield step, "board", facts(row, "board"), board
        act(table, joint[actor])
    last = rows[-1]
    won = {p: stack - STACK for p, stack in zip(PLAYERS, table.stacks)}
    yield last["step"], "end of the hand", last["terminal"], not table.status
    yield last["step"], "chips won", {p: int(last["goal"][p]) - 50 for p in PLAYERS}, won


def shown(value):
    return sorted(value) if isinstance(value, set) else value


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    hands = decisions = showdowns = disagreements = 0
    with open(sys.argv[1], encoding="utf-8") as trace:
        rows = (json.loads(line) for line in trace if line.strip())
        for playout, group in groupby(rows, key=lambda row: row["playout"]):
            hand = list(group)
            hands += 1
            showdowns += "(round showdown)" in hand[-1]["state"]
            try:
                for step, what, ours, theirs in replay(hand):
                    decisions += what == "legal actions"
                    if ours != theirs:
                        disagreements += 1
                        print(f"playout {playout} step {step}: {what}: {shown(ours)}, PokerKit has {shown(theirs)}")
            except Exception as error:  # PokerKit refuses what it does not allow
                disagreements += 1
                print(f"playout {playout}: cannot be replayed: {error!r}")
    counted = f"{decisions} decisions, {showdowns} showdowns"
    print(f"holdem: {hands} hands, {disagreements} disagreements ({counted})")
    sys.exit(1 if disagreements or not hands else 0)


if __name__ == "__main__":
    main()
