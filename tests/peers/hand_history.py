#!/usr/bin/env python3
"""Read hand histories in PokerKit, which plays every hand again by its own rules.

    hand_history.py HANDS

HANDS is what `croupier replay --format phh` writes for several matches. Every action has to be possible, every
hand has to end, and everyone has to have the chips that the history says. Exit status 1 if not.
"""
import sys

from pokerkit import Automation, HandHistory

from holdem import Settlement


def played(hand):
    """The table after the last action, and the chips of each player then."""
    settlement = None
    hand.automations = tuple(step for step in hand.automations if step != Automation.HAND_KILLING)
    for table in hand:
        if table.can_kill_hand() and settlement is None:
            settlement = Settlement.of(table)
    return table, settlement(table) if settlement else list(table.stacks)


def main():
    with open(sys.argv[1], "rb") as file:
        hands = list(HandHistory.load_all(file))
    if not hands:
        sys.exit("there are no hands")
    for number, hand in enumerate(hands, 1):
        table, stacks = played(hand)
        if table.status or stacks != list(hand.finishing_stacks):
            found = f"PokerKit has {stacks} for {list(hand.finishing_stacks)}"
            sys.exit(f"hand {number}: {found}{', and the hand goes on' * table.status}: {hand.actions}")
    print(f"PokerKit plays {len(hands)} hand histories to the same chips")


main()
