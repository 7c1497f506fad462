#!/usr/bin/env python3
"""Compare tiny-bridge with OpenSpiel's two games of that name.

    bridge.py TRACE REPORT

TRACE is what `croupier simulate tiny-bridge --trace` writes, REPORT what `croupier solve tiny-bridge --iterations 0
--json` prints. Each match is played in tiny_bridge_2p, where the calls must be the same, and with defenders who always
pass in tiny_bridge_4p, which knows all hands and where the payoffs must be the same. tiny_bridge_2p is worth the mean
of these over the defenders' hands: so the whole trees have the same values of uniform play and of its best responses.
Exit status 1 if anything differs.
"""
import json
import sys

import pyspiel
from comparison import Comparison

CARDS = [rank + suit for suit in "hs" for rank in "jqka"]
CALLS = {"pass": 0} | {
    f"(bid {tricks} {strain})": 3 * (tricks - 1) + 1 + index
    for tricks in (1, 2)
    for index, strain in enumerate(("hearts", "spades", "no_trump"))
}
PASS = CALLS["pass"]

# The goal of a deal that is worth nothing.
OFFSET = 40

# Equal but for rounding.
NEAR = 1e-9


def of_hand(move):
    low, high = (CARDS.index(card) for card in move.strip("()").split()[1:])
    return high * (high - 1) // 2 + low


def south_of(hands):
    low, high = (card for card in CARDS if not any(card in hand for hand in hands))
    return f"(deal {low} {high})"


def payoffs_of_four(deals, calls):
    """What a deal and its calls are worth to west and east."""
    table = pyspiel.load_game("tiny_bridge_4p").new_initial_state()
    west, east, north = deals
    for hand in (west, north, east, south_of(deals)):
        table.apply_action(of_hand(hand))
    for call in calls:
        table.apply_action(CALLS[call])
        if not table.is_terminal():
            table.apply_action(PASS)
    assert table.is_terminal(), f"OpenSpiel waits for a call after {table}"
    return table.returns()[::2]


def replay(rows):
    """Yield (step, what, ours, theirs) for everything to compare in one match."""
    table = pyspiel.load_game("tiny_bridge_2p").new_initial_state()
    deals, calls = [], []
    for row in rows[:-1]:
        (actor, moves), *others = ((role, moves) for role, moves in row["legal"].items() if moves != ["noop"])
        move = row["joint"][actor]
        (deals if actor == "random" else calls).append(move)
        yield row["step"], "others who act", others, []
        if len(deals) == 3:
            yield row["step"], "end of the auction", True, table.is_terminal()
            yield row["step"], "hands for the defenders", len(moves), 6
            continue
        expected = "random" if table.is_chance_node() else ["west", "east"][table.current_player()]
        yield row["step"], "who acts", actor, expected
        action = of_hand if actor == "random" else CALLS.__getitem__
        yield row["step"], "moves", sorted(map(action, moves)), sorted(table.legal_actions())
        table.apply_action(action(move))
    last = rows[-1]
    yield last["step"], "end", last["terminal"], table.is_terminal()
    payoffs = [last["goal"][role] - OFFSET for role in ("west", "east")]
    theirs = payoffs_of_four(deals, calls) if len(deals) == 3 else table.returns()
    yield last["step"], "payoffs", payoffs, theirs


class Tree:
    """OpenSpiel's game for two, walked once: what there is to decide, and the worth of uniform play."""

    def __init__(self):
        self.decision = self.contracts = 0
        self.information_sets = set()
        self.value = self.walk(pyspiel.load_game("tiny_bridge_2p").new_initial_state(), 1.0)

    def walk(self, state, probability):
        if state.is_terminal():
            self.contracts += any(call != PASS for call in state.history()[2:])
            return probability * state.returns()[0]
        actions = state.legal_actions()
        if not state.is_chance_node() and len(actions) > 1:
            self.decision += 1
            self.information_sets.add((state.current_player(), state.information_state_string()))
        return sum(self.walk(state.child(action), probability / len(actions)) for action in actions)


def of_whole_tree(report):
    """Yield (what, ours, theirs)."""
    tree = Tree()
    yield "decision nodes", report["decision"], tree.decision
    yield "information sets", report["information_sets"], len(tree.information_sets)
    # A chance node for the first hand, one for each of these and one for each contract, which has six outcomes.
    hands, deals = 28, 28 * 15
    yield "chance nodes", report["chance"], 1 + hands + tree.contracts
    yield "terminal histories", report["terminal"], deals + 6 * tree.contracts
    game = pyspiel.load_game("tiny_bridge_2p")
    uniform = pyspiel.UniformRandomPolicy(game)
    for player, role in enumerate(("west", "east")):
        facts = report["roles"][role]
        yield f"uniform play, {role}", facts["value"] - OFFSET, tree.value
        best = pyspiel.TabularBestResponse(game, player, uniform).value("")
        yield f"best response of {role}", facts["best_response"] - OFFSET, best


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    comparison = Comparison("OpenSpiel")
    comparison.replay(sys.argv[1], replay)
    with open(sys.argv[2], encoding="utf-8") as report:
        for what, ours, theirs in of_whole_tree(json.load(report)):
            comparison.same(what, ours, theirs, near=NEAR)
    comparison.end("tiny-bridge")


if __name__ == "__main__":
    main()
