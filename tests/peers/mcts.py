#!/usr/bin/env python3
"""Matches of `uct` against OpenSpiel's MCTSBot, which has the same time for its moves.

    mcts.py GAME [MATCHES] [PLAYER] [SEED]
    mcts.py --games        the names that GAME can be

Needs croupier and pyspiel in one environment. In each pair of matches the two change sides. MCTSBot is the one in C++ with a solver and
one random rollout for each simulation; how many simulations it makes for a move follows from the time that PLAYER took for its moves so
far. A draw is half a win. What is printed is PLAYER's share of wins with a 95 % interval, and the mean time of a move of either.
"""

import math
import random
import re
import sys
import time

import croupier
import pyspiel


def numbers(move):
    return [int(number) for number in re.findall(r"\d+", move)]


def letter(number):
    return "abcdefgh"[number - 1]


def of_connect_four(move, _text_of):
    return numbers(move)[0] - 1


def of_breakthrough(move, text_of):
    # There the first player comes from the upper end.
    from_column, from_row, column, row = numbers(move)
    text = f"{letter(from_column)}{9 - from_row}{letter(column)}{9 - row}"
    return next(action for action, other in text_of.items() if other.rstrip("*") == text)


def of_reversi(move, _text_of):
    column, row = numbers(move)
    return 8 * (row - 1) + column - 1


GAMES = {
    "connect-four": ("connect_four", of_connect_four),
    "breakthrough": ("breakthrough", of_breakthrough),
    "reversi": ("othello", of_reversi),
}

# Simulations before anything is known of their speed.
SIMULATIONS = 1000


class Peer:
    """MCTSBot, whose number of simulations follows the time that it is given."""

    def __init__(self, game, seed):
        self.game, self.seed = game, seed
        self.evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        self.simulations, self.taken, self.given, self.moves = SIMULATIONS, 0.0, 0.0, 0

    def choose(self, state, allowed):
        """A move, for which `allowed` seconds more than before may be spent."""
        self.given += allowed
        self.moves += 1
        bot = pyspiel.MCTSBot(
            self.game, self.evaluator, 2.0, self.simulations, 1000, True, self.seed + self.moves, False
        )
        begun = time.perf_counter()
        action = bot.step(state)
        spent = time.perf_counter() - begun
        self.taken += spent
        # The speed of this move, and what is left of the time so far spread over the next move.
        wanted = max(allowed + (self.given - self.taken), allowed / 4)
        self.simulations = max(10, int(self.simulations * min(4.0, wanted / max(spent, 1e-6))))
        return action


def play(name, kind, peer_first, seed, clocks):
    """PLAYER's share of one match."""
    other_name, action_of = GAMES[name]
    game, other = croupier.load(name), pyspiel.load_game(other_name)
    match, state = croupier.Match(game, seed=seed), other.new_initial_state()
    own_role = game.roles[1 if peer_first else 0]
    agent = croupier.Agent(kind, game, own_role, seed=seed)
    peer, draws = Peer(other, seed), random.Random(seed)
    allowed = clocks["allowed"]
    while not state.is_terminal():
        actions = state.legal_actions()
        if not match.acting:
            # Whoever has one move makes it.
            match.step()
            state.apply_action(actions[0])
            continue
        mover = match.acting[0]
        text_of = {action: state.action_to_string(action) for action in actions}
        moves = {action_of(move, text_of): move for move in match.legal(mover)}
        assert sorted(moves) == sorted(actions), (moves, actions)
        if match.turn < 2:
            # Matches differ from their beginning on.
            action = draws.choice(actions)
        elif mover == own_role:
            begun = time.perf_counter()
            move = agent.choose(match.view(own_role))
            spent = time.perf_counter() - begun
            clocks["own"].append(spent)
            allowed = clocks["allowed"] = sum(clocks["own"]) / len(clocks["own"])
            action = next(action for action, own in moves.items() if own == move)
        else:
            before = peer.taken
            action = peer.choose(state, allowed)
            clocks["peer"].append(peer.taken - before)
        match.step({mover: moves[action]})
        state.apply_action(action)
    return (state.returns()[1 if peer_first else 0] + 1) / 2


def main(arguments):
    if arguments == ["--games"]:
        print("\n".join(GAMES))
        return
    if not arguments or arguments[0] not in GAMES:
        sys.exit(f"usage: mcts.py GAME [MATCHES] [PLAYER] [SEED]\nGAME is one of {', '.join(GAMES)}")
    name, matches, kind, seed = [*arguments, *["", "40", "uct:iterations=2000", "1"][len(arguments):]]
    clocks = {"allowed": 0.02, "own": [], "peer": []}
    shares = [play(name, kind, number % 2 == 1, int(seed) * 1000 + number // 2, clocks) for number in range(int(matches))]
    mean = sum(shares) / len(shares)
    spread = math.sqrt(sum((share - mean) ** 2 for share in shares) / max(1, len(shares) - 1) / len(shares))
    times = " against ".join(f"{1000 * sum(clocks[who]) / len(clocks[who]):.1f} ms" for who in ("own", "peer"))
    print(f"{name}: {kind} wins {100 * mean:.0f} +- {196 * spread:.0f} % of {len(shares)} matches, {times} a move")


main(sys.argv[1:])
