#!/usr/bin/env python3
"""Replay traced hands of hold'em in PokerKit and compare everything a referee decides.

    holdem.py GAME TRACE

GAME is `holdem`, `no-limit-holdem` or `no-limit-holdem-3`.
TRACE is what `croupier simulate GAME --trace` writes: JSON Lines, one object a turn of each hand.
At every betting decision the two must agree on who acts, on the legal actions and on the chips that
each player has put in; at the end on the board, the hands and the chips won. Exit status 1 if not.
"""
import json
import re
import sys
from dataclasses import dataclass, replace
from itertools import groupby

from pokerkit import Automation, FixedLimitTexasHoldem, NoLimitTexasHoldem



@dataclass(frozen=True)
class Variant:
    is_limit: bool
    players: tuple  # in PokerKit's order: with two the big blind and the button, else from the small blind on
    deal: tuple  # in the order in which cards are dealt
    stacks: tuple
    nothing_won: int  # the goal


GAMES = {
    # The stacks are more than the 48 chips that a hand can cost.
    "holdem": Variant(True, ("bob", "alice"), ("alice", "bob"), (200, 200), 50),
    "no-limit-holdem": Variant(False, ("bob", "alice"), ("alice", "bob"), (40, 40), 50),
    "no-limit-holdem-3": Variant(
        False, ("bob", "carol", "alice"), ("bob", "carol", "alice"), (20, 30, 40), 40
    ),
}
SHARES = {"half_pot": (1, 2), "pot": (1, 1)}
AUTOMATIC = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


def new_table(variant):
    if not variant.is_limit:
        return NoLimitTexasHoldem(AUTOMATIC, True, 0, (1, 2), 2)(variant.stacks, len(variant.players))
    game = FixedLimitTexasHoldem(AUTOMATIC, True, 0, (1, 2), 2, 4)
    # PokerKit does not count the big blind as a bet. A cap of four bets leaves three raises before the flop.
    preflop, *later = game.streets
    game.streets = (replace(preflop, max_completion_betting_or_raising_count=3), *later)
    return game(variant.stacks, len(variant.players))


def pokerkit_card(card):
    return card[0].upper() + card[1]


def facts(row, name):
    """The arguments of the state's fluents of this name: {("alice", "3"), ...}."""
    found = (re.fullmatch(rf"\({name} (.*)\)", term) for term in row["state"])
    return {tuple(match[1].split()) for match in found if match}


def raised_to(table, size):
    """Chips of this round that the player has in after a raise; the pot is counted after calling."""
    player = table.actor_index
    everything = table.bets[player] + table.stacks[player]
    if size == "all_in":
        return everything
    share, of = SHARES[size]
    pot = table.total_pot_amount + table.checking_or_calling_amount
    amount = max(table.bets) + pot * share // of
    return amount if amount < everything else None


def no_limit_raises(table):
    amounts = {size: raised_to(table, size) for size in (*SHARES, "all_in")}
    return {
        size
        for size, amount in amounts.items()
        if amount is not None and table.can_complete_bet_or_raise_to(amount)
    }


def legal_actions(table, variant):
    actions = set()
    if table.can_fold():
        actions.add("fold")
    if table.can_check_or_call():
        actions.add("call" if table.checking_or_calling_amount else "check")
    if not variant.is_limit:
        actions |= no_limit_raises(table)
    elif table.can_complete_bet_or_raise_to():
        actions.add("raise" if any(table.bets) else "bet")
    return actions


def act(table, action):
    if action == "fold":
        table.fold()
    elif action in ("bet", "raise"):
        table.complete_bet_or_raise_to()
    elif action in (*SHARES, "all_in"):
        table.complete_bet_or_raise_to(raised_to(table, action))
    else:
        table.check_or_call()


def deal(table, cards, variant):
    """The cards dealt since the last decision: two for each player in turn, or those of the next streets."""
    cards = [pokerkit_card(card) for card in cards]
    if table.can_deal_hole():
        for player in variant.players:
            table.deal_hole("".join(cards[variant.deal.index(player) :: len(variant.deal)]))
        return
    while cards:
        table.burn_card("??")
        street = 1 if any(table.board_cards) else 3
        table.deal_board("".join(cards[:street]))
        cards = cards[street:]


def replay(rows, variant):
    """Yield (step, what, ours, theirs) for everything to compare in one hand."""
    table, undealt, hand, board = new_table(variant), [], set(), set()
    players = variant.players
    for row in rows[:-1]:
        step, joint = row["step"], row["joint"]
        move = re.fullmatch(r"\(deal (..)\)", joint["random"])
        if move:
            undealt.append(move[1])
            continue
        if undealt:
            deal(table, undealt, variant)
            undealt = []
            # PokerKit forgets the cards of those who fold.
            dealt = {(p, repr(c).lower()) for p, cards in zip(players, table.hole_cards) for c in cards}
            hand = hand or dealt
            board = {(repr(card).lower(),) for card in table.get_board_cards(0)}
        actor = players[table.actor_index]
        waiting = {role: set(moves) for role, moves in row["legal"].items() if role != actor}
        chips = zip(players, variant.stacks, table.stacks)
        paid = {(player, str(stack - left)) for player, stack, left in chips}
        yield step, "legal actions", set(row["legal"][actor]), legal_actions(table, variant)
        yield step, "moves of the others", waiting, {role: {"noop"} for role in waiting}
        yield step, "chips put in", facts(row, "paid"), paid
        yield step, "hands", facts(row, "hand"), hand
        yield step, "board", facts(row, "board"), board
        act(table, joint[actor])
    last = rows[-1]
    if undealt:  # everybody is all in
        deal(table, undealt, variant)
    won = {player: left - stack for player, stack, left in zip(players, variant.stacks, table.stacks)}
    yield last["step"], "end of the hand", last["terminal"], not table.status
    yield last["step"], "chips won", {player: last["goal"][player] - variant.nothing_won for player in players}, won


def shown(value):
    return sorted(value) if isinstance(value, set) else value


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in GAMES:
        sys.exit(__doc__.strip())
    name, path = sys.argv[1:]
    hands = decisions = showdowns = disagreements = 0
    with open(path, encoding="utf-8") as trace:
        rows = (json.loads(line) for line in trace if line.strip())
        for playout, group in groupby(rows, key=lambda row: row["playout"]):
            hand = list(group)
            hands += 1
            showdowns += "(round showdown)" in hand[-1]["state"]
            try:
                for step, what, ours, theirs in replay(hand, GAMES[name]):
                    decisions += what == "legal actions"
                    if ours != theirs:
                        disagreements += 1
                        print(f"playout {playout} step {step}: {what}: {shown(ours)}, PokerKit has {shown(theirs)}")
            except Exception as error:  # PokerKit refuses what it does not allow
                disagreements += 1
                print(f"playout {playout}: cannot be replayed: {error!r}")
    counted = f"{decisions} decisions, {showdowns} showdowns"
    print(f"{name}: {hands} hands, {disagreements} disagreements ({counted})")
    sys.exit(1 if disagreements or not hands else 0)


if __name__ == "__main__":
    main()
