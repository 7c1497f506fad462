#!/usr/bin/env python3
"""Replay traced hands of hold'em in PokerKit and compare everything a referee decides.

    holdem.py GAME TRACE
    holdem.py --games           the names that GAME can be

GAME is a game of the catalogue, or the big blinds of each player of a no-limit game, such as `20,5,10`: alice
has the button, and her number comes first.
TRACE is what `croupier simulate GAME --trace` writes: JSON Lines, one object a turn of each hand.
At every betting decision the two must agree on who acts, on the legal actions and on the chips that
each player has put in; at the end on the board, the hands and the chips won. Exit status 1 if not.
"""
import re
import sys
from dataclasses import dataclass, replace
from functools import lru_cache, partial

from comparison import Comparison
from pokerkit import Automation, FixedLimitTexasHoldem, NoLimitTexasHoldem, StandardHighHand


@dataclass(frozen=True)
class Variant:
    is_limit: bool
    players: tuple  # in PokerKit's order: with two the big blind and the button, else from the small blind on
    deal: tuple  # in the order in which cards are dealt
    stacks: tuple
    nothing_won: int  # what a goal counts for a player who has the chips of the beginning
    point: int = 1  # chips that a goal counts as one


def no_limit(*big_blinds):
    """A game of the family, with the big blinds of alice, bob and the others."""
    names = ("alice", "bob", "carol", "dave", "erin", "frank")[: len(big_blinds)]
    stacks = [2 * count for count in big_blinds]
    point = next(chips for chips in (1, 2, 4, 8) if sum(stacks) <= 100 * chips)
    players = (*names[1:], "alice")
    return Variant(False, players, players, (*stacks[1:], stacks[0]), max(stacks), point)


GAMES = {
    # The stacks are more than the 48 chips that a hand can cost.
    "holdem": Variant(True, ("bob", "alice"), ("alice", "bob"), (200, 200), 50),
    "no-limit-holdem": Variant(False, ("bob", "alice"), ("alice", "bob"), (40, 40), 50),
    "no-limit-holdem-3": no_limit(20, 10, 15),
    "no-limit-holdem-4": no_limit(20, 20, 20, 20),
    "no-limit-holdem-6": no_limit(20, 12, 16, 20, 4, 8),
}
SHARES = {"half_pot": (1, 2), "pot": (1, 1)}
AUTOMATIC = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


class RememberedHand(StandardHighHand):
    """PokerKit asks some twenty times a hand what the same seven cards make."""

    @classmethod
    def from_game(cls, hole_cards, board_cards=()):
        return remembered_hand(tuple(hole_cards), tuple(board_cards))


@lru_cache(maxsize=64)
def remembered_hand(hole_cards, board_cards):
    return StandardHighHand.from_game(hole_cards, board_cards)


def new_game(variant):
    if not variant.is_limit:
        return NoLimitTexasHoldem(AUTOMATIC, True, 0, (1, 2), 2)
    game = FixedLimitTexasHoldem(AUTOMATIC, True, 0, (1, 2), 2, 4)
    # PokerKit does not count the big blind as a bet. A cap of four bets leaves three raises before the flop.
    preflop, *later = game.streets
    game.streets = (replace(preflop, max_completion_betting_or_raising_count=3), *later)
    return game


def new_table(variant):
    game = new_game(variant)
    game.hand_types = (RememberedHand,)
    return game(variant.stacks, len(variant.players))


def pokerkit_card(card):
    return card[0].upper() + card[1]


def facts(row, name):
    """The arguments of the state's fluents of this name: {("alice", "3"), ...}."""
    return {tuple(term[1:-1].split()[1:]) for term in row["state"] if term.startswith(f"({name} ")}


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


@dataclass(frozen=True)
class Settlement:
    """What a showdown comes to if every pot is split for itself, as Robert's Rules have it.

    PokerKit first takes the hands away that cannot win, and makes one pot of those that the same players are left for;
    of several pots with odd chips the first player after the button then gets fewer.
    """

    pots: int
    stacks: list

    @classmethod
    def of(cls, table):
        """The table before hands are taken away."""
        pots, stacks, hands = list(table.pots), list(table.stacks), list(table.get_up_hands(0, 0))
        for pot in pots:
            best = max(hands[player] for player in pot.player_indices)
            winners = [player for player in pot.player_indices if hands[player] == best]
            share, odd = divmod(pot.amount, len(winners))
            for player in winners:
                stacks[player] += share + odd * (player == winners[0])
        return cls(len(pots), stacks)

    def __call__(self, table):
        """The chips of each player after the hand: PokerKit's, unless it has put pots together."""
        return self.stacks if len(list(table.pots)) < self.pots else list(table.stacks)


def show_down(table):
    """Go through a showdown, if there is one, where everybody shows."""
    while table.can_show_or_muck_hole_cards():
        table.show_or_muck_hole_cards(True)
    settlement = Settlement.of(table) if table.can_kill_hand() else None
    while table.can_kill_hand():
        table.kill_hand()
    return settlement


def goals(stacks, variant, raced_off):
    """What these chips are worth, the chips that are too few for a point going on to the next player."""
    worth = {}
    for player, stack, left in zip(variant.players, variant.stacks, stacks):
        chips = variant.nothing_won + left - stack + raced_off
        worth[player], raced_off = divmod(chips, variant.point)
    return worth


def replay(rows, variant):
    """Yield (step, what, ours, theirs) for everything to compare in one hand."""
    table, undealt, hand, board = new_table(variant), [], set(), set()
    players, raced_off, settled = variant.players, 0, None
    for row in rows[:-1]:
        step, joint = row["step"], row["joint"]
        drawn = re.fullmatch(r"\((deal|race) (.+)\)", joint["random"])
        if drawn and drawn[1] == "deal":
            undealt.append(drawn[2])
            continue
        if undealt:
            deal(table, undealt, variant)
            undealt, settled = [], show_down(table)
            # PokerKit forgets the cards of those who fold.
            dealt = {(p, repr(c).lower()) for p, cards in zip(players, table.hole_cards) for c in cards}
            hand = hand or dealt
            board = {(repr(card).lower(),) for card in table.get_board_cards(0)}
        if drawn:
            yield step, "end of the betting", True, not table.status
            yield step, "chips to race off", set(row["legal"]["random"]), {f"(race {n})" for n in range(variant.point)}
            raced_off = int(drawn[2])
            continue
        actor = players[table.actor_index]
        waiting = {role: set(moves) for role, moves in row["legal"].items() if role != actor}
        chips = zip(players, variant.stacks, table.stacks)
        paid = {(player, str(stack - left)) for player, stack, left in chips}
        yield step, "legal actions", set(row["legal"][actor]), legal_actions(table, variant)
        yield step, "moves of the others", waiting, {role: {"noop"} for role in waiting}
        yield step, "chips put in", facts(row, "paid"), paid
        yield step, "pot", facts(row, "pot") or {(str(table.total_pot_amount),)}, {(str(table.total_pot_amount),)}
        yield step, "hands", facts(row, "hand"), hand
        yield step, "board", facts(row, "board"), board
        act(table, joint[actor])
        settled = show_down(table)
    last = rows[-1]
    if undealt:  # everybody is all in
        deal(table, undealt, variant)
        settled = show_down(table)
    yield last["step"], "end of the hand", last["terminal"], not table.status
    ours = {player: last["goal"][player] for player in players}
    stacks = settled(table) if settled else table.stacks
    yield last["step"], "goals", ours, goals(stacks, variant, raced_off)


def named(name):
    if re.fullmatch(r"\d+(,\d+)+", name):
        return no_limit(*map(int, name.split(",")))
    return GAMES.get(name)


def main():
    if sys.argv[1:] == ["--games"]:
        print(*GAMES)
        return
    variant = named(sys.argv[1]) if len(sys.argv) == 3 else None
    if variant is None:
        sys.exit(__doc__.strip())
    name, path = sys.argv[1:]
    showdowns = 0

    def look(hand):
        nonlocal showdowns
        showdowns += "(round showdown)" in hand[-1]["state"]

    comparison = Comparison("PokerKit")
    comparison.replay(path, partial(replay, variant=variant), look)
    comparison.end(name, f", {comparison.compared['legal actions']} decisions, {showdowns} showdowns")


if __name__ == "__main__":
    main()
