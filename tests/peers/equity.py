#!/usr/bin/env python3
"""Hold'em against a bot of a few rules, which knows the worth of its cards against a random hand.

    equity.py GAME [DEALS] [PLAYER] [SEED]

The bot raises from 54 % of the pot, facing a bet from 62 %, calls if its share exceeds the price of the pot by 8 %, and otherwise checks or
folds. Of several raises it takes the smallest. PLAYER sits once in every seat of every deal, and the bot in all others; what is printed is
PLAYER's payoff a hand with a 95 % interval, each deal being one observation, and its mean time of a move. The bot is asked through the
same moves and percepts as any player, but for what everybody has paid, which everybody sees.

Needs croupier with NumPy; GAME is a name or a file whose cards and moves have the names of the bundled games.
"""

import functools
import itertools
import math
import os
import random
import re
import sys
import time

import croupier
import numpy as np

RAISE, RERAISE, MARGIN = 0.54, 0.62, 0.08
# Ways in which the rest of the deal is drawn, while cards are still to come.
DEALS_EACH = 1000
RANKS, RAISES = "23456789tjqka", ["bet", "raise", "half_pot", "pot", "all_in"]


def strengths(hands):
    """A number for each row of seven cards, greater for a better hand. A card is 4 * rank + suit."""
    rows = np.arange(len(hands))[:, None]
    ranks, suits = hands // 4, hands % 4
    counts = np.zeros((len(hands), 13), int)
    np.add.at(counts, (rows, ranks), 1)
    of_suit = np.zeros((len(hands), 4, 13), bool)
    of_suit[rows, suits, ranks] = True
    flushes = of_suit.sum(2) >= 5
    flush_ranks = of_suit[np.arange(len(hands)), flushes.argmax(1)] & flushes.any(1)[:, None]

    def straight(held):
        # The ace is below the two as well. The highest rank of a straight, or zero.
        wrapped = np.concatenate([held[:, 12:], held], 1)
        runs = np.stack([wrapped[:, low : low + 5].all(1) for low in range(10)], 1)
        return np.where(runs.any(1), 12 - runs[:, ::-1].argmax(1), 0)

    def code(digits):
        return sum(digits[:, place].astype(np.int64) * 13 ** (4 - place) for place in range(5))

    # Ranks by how often they are held, then by height; what lies behind the fifth card does not count.
    keys = np.sort(counts * 13 + np.arange(13) * (counts > 0), 1)[:, ::-1]
    first, second = keys[:, 0] // 13, keys[:, 1] // 13
    kinds = keys % 13
    # With four of a kind or two pair the last card is the highest of all the rest.
    rest = counts.copy()
    rest[np.arange(len(hands)), kinds[:, 0]] = 0
    after_one = np.where(rest > 0, np.arange(13), 0).max(1)
    rest[np.arange(len(hands)), kinds[:, 1]] = 0
    after_two = np.where(rest > 0, np.arange(13), 0).max(1)
    zero = np.zeros(len(hands), int)
    paired = {
        7: np.stack([kinds[:, 0], after_one, zero, zero, zero], 1),
        6: np.stack([kinds[:, 0], kinds[:, 1], zero, zero, zero], 1),
        3: np.stack([kinds[:, 0], kinds[:, 1], kinds[:, 2], zero, zero], 1),
        2: np.stack([kinds[:, 0], kinds[:, 1], after_two, zero, zero], 1),
        1: np.stack([*(kinds[:, place] for place in range(4)), zero], 1),
        0: kinds[:, :5],
    }
    top = np.sort(np.where(flush_ranks, np.arange(13), -1), 1)[:, ::-1][:, :5].clip(0)
    kind = np.select([first == 4, (first == 3) & (second >= 2), first == 3, second == 2, first == 2], [7, 6, 3, 2, 1], 0)
    worth = np.choose(np.searchsorted([0, 1, 2, 3, 6, 7], kind), [code(paired[of]) for of in (0, 1, 2, 3, 6, 7)])
    worth += kind * 13**5
    run, flush_run = straight(counts > 0), straight(flush_ranks)
    worth = np.maximum(worth, np.where(run > 0, 4 * 13**5 + run, 0))
    worth = np.maximum(worth, np.where(flushes.any(1), 5 * 13**5 + code(top), 0))
    return np.maximum(worth, np.where(flush_run > 0, 8 * 13**5 + flush_run, 0))


@functools.lru_cache(maxsize=1_000_000)
def equity(hole, board, deck):
    """The share of the pot that two cards win on average against two random ones."""
    rest = np.array([card for card in deck if card not in hole and card not in board])
    missing = 5 - len(board)
    if missing == 0:
        drawn = np.array(list(itertools.combinations(rest, 2)))
    else:
        rng = np.random.default_rng(sum(card << 6 * place for place, card in enumerate(hole + board)) % 2**63)
        drawn = rest[rng.random((DEALS_EACH, len(rest))).argpartition(missing + 2, 1)[:, : missing + 2]]
    shared = np.concatenate([np.tile(board, (len(drawn), 1)), drawn[:, 2:]], 1).astype(int)
    own = strengths(np.concatenate([np.tile(hole, (len(drawn), 1)), shared], 1))
    other = strengths(np.concatenate([drawn[:, :2], shared], 1))
    return float((own > other).mean() + (own == other).mean() / 2)


def card(text):
    return 4 * RANKS.index(text[0]) + "cdhs".index(text[1])


def canonical(hole, board):
    """The same cards with suits renamed in the order in which they are met, so that a hand before the flop is one of 169."""
    suits = {}
    cards = [4 * (card // 4) + suits.setdefault(card % 4, len(suits)) for card in [*sorted(hole, reverse=True), *sorted(board)]]
    return tuple(cards[:2]), tuple(cards[2:])


def bot(view, legal, paid, deck):
    percepts = [percept for _, told in view.turns for percept in told]
    cards = {kind: [card(found[1]) for percept in percepts if (found := re.fullmatch(rf"\({kind} (\w\w)\)", percept))] for kind in ("hole", "board")}
    # Renaming suits is sound only where all of them have the same ranks, as in every deck here.
    share = equity(*canonical(cards["hole"], cards["board"]), deck)
    price = max(paid.values()) - paid[view.role]
    wanted = []
    if share >= (RERAISE if price else RAISE):
        wanted += RAISES
    if price and share >= price / (sum(paid.values()) + price) + MARGIN or share >= RERAISE:
        wanted.append("call")
    return next(move for move in [*wanted, "check", "fold"] if move in legal)


def play(game, seat, agent, deck, seed, times):
    """PLAYER's payoff in one hand; `seed` determines the deal."""
    draws, state = random.Random(seed), croupier.State(game)
    # One number for each turn, so that a deal is the same whatever is played. No hand takes so many turns.
    dealt = [draws.random() for _ in range(1024)]
    while not state.is_over:
        moves = {}
        for role in state.acting:
            legal = state.legal(role)
            if role == "random":
                moves[role] = legal[int(dealt[state.turn] * len(legal))]
            elif role == seat:
                begun = time.perf_counter()
                moves[role] = agent.choose(state.view(role))
                times.append(time.perf_counter() - begun)
            else:
                found = [re.fullmatch(r"\(paid (\w+) (\d+)\)", fact) for fact in state.facts]
                paid = {match[1]: int(match[2]) for match in found if match}
                moves[role] = bot(state.view(role), legal, paid, deck)
        state = state.step(moves)
    # In a file of rules nothing says what a goal is worth; in the rules of hold'em it is 50 and the chips won.
    return state.payoffs[seat]


def main(arguments):
    if not arguments or arguments[0].startswith("-"):
        sys.exit(__doc__)
    name, deals, kind, seed = [*arguments, *["", "100", "resolve", "1"][len(arguments) :]]
    is_file = os.path.exists(name)
    game = croupier.load_file(name) if is_file else croupier.load(name)
    seats = [role for role in game.roles if role != "random"]
    first = croupier.State(game).legal("random")
    deck = tuple(sorted(card(re.fullmatch(r"\(deal (\w\w)\)", move)[1]) for move in first))
    agents, times, means = {}, [], []
    for deal in range(int(deals)):
        payoffs = []
        for seat in seats:
            if seat not in agents:
                agents[seat] = croupier.Agent(kind, game, seat, seed=int(seed))
            payoffs.append(play(game, seat, agents[seat], deck, f"{seed} {deal}", times))
        # Nothing says what the goals of a file are worth; in the rules of hold'em they are 50 and the chips won.
        means.append(sum(payoffs) / len(payoffs) - (50 if is_file else 0))
    mean = sum(means) / len(means)
    spread = math.sqrt(sum((value - mean) ** 2 for value in means) / max(1, len(means) - 1) / len(means))
    print(f"{name}: {kind} wins {mean:+.2f} +- {1.96 * spread:.2f} chips a hand on {len(means)} deals in {len(seats)} seats, {1000 * sum(times) / max(1, len(times)):.0f} ms a move")


if __name__ == "__main__":
    main(sys.argv[1:])
