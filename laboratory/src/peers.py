"""Random playouts of other people's programs, on one thread, as a JSON object.

    python peers.py PEER SECONDS GAME

PEER is openspiel or pgx, GAME a name of Croupier's catalogue; of a game that the peer does not have nothing is
printed. Rates are the best and the median of several repetitions, after a warm-up, as Croupier measures its own.
"""

import json
import os
import random
import signal
import statistics
import sys
import time
from importlib.metadata import version

# At least, and if they are short.
REPETITIONS_MIN, REPETITIONS_MAX = 3, 21

# Seconds after which a game is given up: compiling the largest takes JAX minutes.
PATIENCE = 240

# Two players, betting limited as in the heads-up matches of the Annual Computer Poker Competition.
LIMIT_HOLDEM = (
    "universal_poker(betting=limit,numPlayers=2,numRounds=4,blind=10 5,firstPlayer=2 1 1 1,numSuits=4,numRanks=13,"
    "numHoleCards=2,numBoardCards=0 3 1 1,raiseSize=10 10 20 20,maxRaises=3 4 4 4)"
)

# Croupier's name: OpenSpiel's name, and the first player by Croupier's name where random play must give it the same mean (draws by
# repetition make chess differ, and rollouts of poker begin after the deal).
OPENSPIEL = {
    "tic-tac-toe": ("tic_tac_toe", "x"),
    "connect-four": ("connect_four", "red"),
    "breakthrough": ("breakthrough", "white"),
    "reversi": ("othello", "black"),
    "chess": ("chess", None),
    "kuhn": ("kuhn_poker", None),
    "leduc": ("leduc_poker", None),
    "holdem": (LIMIT_HOLDEM, None),
}

PGX = {
    "tic-tac-toe": "tic_tac_toe",
    "connect-four": "connect_four",
    "reversi": "othello",
    "chess": "chess",
    "kuhn": "kuhn_poker",
    "leduc": "leduc_holdem",
}

# Games that Pgx plays at once, more of which are no faster on one thread, and turns of each in one call. Chess takes
# Pgx so long that it gets fewer of both.
PGX_LANES, PGX_TURNS = 1024, 32
PGX_LANES_CHESS, PGX_TURNS_CHESS = 64, 4


def main():
    peer, seconds, game = sys.argv[1], float(sys.argv[2]), sys.argv[3]
    # Ends the process even within a library's call.
    signal.alarm(PATIENCE)
    # One thread, whatever the libraries would like.
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    measure, known, package = {
        "openspiel": (openspiel, OPENSPIEL, "open_spiel"),
        "pgx": (pgx, PGX, "pgx"),
    }[peer]
    if game in known:
        print(json.dumps({"version": version(package)} | measure(known[game], seconds)))


def rates(seconds, units, work):
    """Best and median of units a second; work(units) returns how many units it really did."""
    for _ in range(2):
        begun = time.perf_counter()
        work(units)
        taken = time.perf_counter() - begun
        units = max(1, int(units * seconds / REPETITIONS_MAX / taken))
    found, spent = [], 0.0
    while len(found) < REPETITIONS_MIN or (len(found) < REPETITIONS_MAX and spent < seconds):
        begun = time.perf_counter()
        done = work(units)
        taken = time.perf_counter() - begun
        found.append(done / taken)
        spent += taken
    return {"best": max(found), "median": statistics.median(found)}


def openspiel(known, seconds):
    """Rollouts of OpenSpiel's C++ RandomRolloutEvaluator.

    Python has no call for its Evaluate; a tree search of a single simulation evaluates the root once, with as many
    rollouts as the evaluator was made for. A root that is a chance node makes that search read out of bounds, so
    rollouts begin behind the first deal, which spares OpenSpiel that part of the work.
    """
    import pyspiel

    name, role = known
    game = pyspiel.load_game(name)
    generator = random.Random(7)
    totals = []

    def dealt():
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(generator.choice([action for action, _ in state.chance_outcomes()]))
        return state

    def rollouts(count):
        evaluator = pyspiel.RandomRolloutEvaluator(count, generator.randrange(1 << 30))
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 64, False, generator.randrange(1 << 30), False)
        root = bot.mcts_search(dealt())
        assert root.explore_count == 1, "one evaluation"
        totals.append((root.total_reward * count, count))
        return count

    playouts = rates(seconds, 20, rollouts)
    turns = mean_turns(dealt, generator, seconds)
    line = {"playouts": playouts, "turns": {key: rate * turns for key, rate in playouts.items()}}
    if role:
        count = sum(count for _, count in totals)
        # From -1 to 1 there, and from 0 to 100 here.
        mean = 50 + 50 * sum(total for total, _ in totals) / count
        line["goals"] = {"role": role, "mean": mean, "count": count}
    return line


def mean_turns(dealt, generator, seconds):
    """How many moves and deals a random playout has on average, from about a second of them."""
    turns = playouts = 0
    until = time.perf_counter() + seconds
    while playouts < 20 or (playouts < 2000 and time.perf_counter() < until):
        state = dealt()
        while not state.is_terminal():
            if state.is_chance_node():
                actions = [action for action, _ in state.chance_outcomes()]
            else:
                actions = state.legal_actions()
            state.apply_action(generator.choice(actions))
            turns += 1
        playouts += 1
    return turns / playouts


def pgx(name, seconds):
    """Random play of many games at once, each begun anew when it is over, compiled by JAX for the processor."""
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    import jax
    import jax.numpy as jnp
    import pgx as library
    from pgx.experimental.wrappers import auto_reset

    lanes, turns_once = (PGX_LANES_CHESS, PGX_TURNS_CHESS) if name == "chess" else (PGX_LANES, PGX_TURNS)
    environment = library.make(name)
    step = jax.vmap(auto_reset(environment.step, environment.init))
    state = jax.jit(jax.vmap(environment.init))(jax.random.split(jax.random.PRNGKey(7), lanes))

    @jax.jit
    def play(state, key):
        def turn(carry, key):
            state, over = carry
            choose, go = jax.random.split(key)
            logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
            state = step(state, jax.random.categorical(choose, logits), jax.random.split(go, lanes))
            return (state, over + state.terminated.sum()), None

        carry, _ = jax.lax.scan(turn, (state, jnp.int32(0)), jax.random.split(key, turns_once))
        return carry

    box = {"state": state, "key": jax.random.PRNGKey(11), "over": 0, "turns": 0}

    def turns(count):
        done = 0
        while done < count:
            box["key"], key = jax.random.split(box["key"])
            box["state"], over = play(box["state"], key)
            box["over"] += int(over)
            done += turns_once * lanes
        box["turns"] += done
        return done

    turns(1)  # Compiles.
    # From the first deal on games end more or less at once; later they are spread out.
    box |= {"over": 0, "turns": 0}
    found = rates(seconds, 1, turns)
    line = {"turns": found}
    if box["over"] >= lanes:
        share = box["over"] / box["turns"]
        line["playouts"] = {key: rate * share for key, rate in found.items()}
    return line


if __name__ == "__main__":
    main()
