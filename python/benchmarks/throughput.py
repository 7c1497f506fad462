"""Choices a second of vector environments on one core, beside what others offer for the same games, in one run.

    pip install './python' pgx jax 'pettingzoo[classic]' rlcard open_spiel
    python python/benchmarks/throughput.py

Every environment writes its observations, masks and rewards; legal actions are drawn at random outside of the time that is measured. A step
is one choice in one match. Of several runs the quickest counts, since other work on the machine only adds to the time. Peers
that are not installed are left out.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import random
import sys
import time
import warnings
from collections.abc import Callable, Iterator

import numpy as np

#: Runs of which the quickest counts.
TRIES = 5

#: What peers call our games.
PGX = {"kuhn": "kuhn_poker", "leduc": "leduc_holdem", "tic-tac-toe": "tic_tac_toe", "connect-four": "connect_four"}
OPEN_SPIEL = {"kuhn": "kuhn_poker", "leduc": "leduc_poker", "tic-tac-toe": "tic_tac_toe", "connect-four": "connect_four"}
PETTING_ZOO = {"leduc": "leduc_holdem_v4", "holdem": "texas_holdem_v4", "tic-tac-toe": "tictactoe_v3", "connect-four": "connect_four_v3"}
RLCARD = {"leduc": "leduc-holdem", "holdem": "limit-holdem"}


def croupier(game: str, lanes: int) -> Iterator[tuple[float, int]]:
    import croupier

    env = croupier.VectorEnv(game, lanes=lanes, seed=1, observation="turn", parallel=False)
    rng = np.random.default_rng(1)
    while True:
        actions, choices = env.sample(rng), int(env.last_step.acting.sum())
        begun = time.perf_counter()
        env.step(actions)
        yield time.perf_counter() - begun, choices


def pgx(game: str, lanes: int) -> Iterator[tuple[float, int]]:
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make(PGX[game])
    step = jax.jit(jax.vmap(auto_reset(env.step, env.init)))
    act = jax.jit(lambda key, mask: jax.random.categorical(key, jnp.where(mask, 0.0, -1e9), axis=-1))
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), lanes))
    key = jax.random.PRNGKey(1)
    while True:
        key, one = jax.random.split(key)
        actions, keys = act(one, state.legal_action_mask), jax.random.split(one, lanes)
        jax.block_until_ready((actions, keys))
        begun = time.perf_counter()
        state = jax.block_until_ready(step(state, actions, keys))
        yield time.perf_counter() - begun, lanes


def open_spiel(game: str, lanes: int) -> Iterator[tuple[float, int]]:
    from open_spiel.python import rl_environment, vector_env
    from open_spiel.python.rl_agent import StepOutput

    envs = vector_env.SyncVectorEnv([rl_environment.Environment(OPEN_SPIEL[game]) for _ in range(lanes)])
    steps, draws = envs.reset(), random.Random(1)
    while True:
        actions = [
            StepOutput(draws.choice(step.observations["legal_actions"][step.observations["current_player"]]), None)
            for step in steps
        ]
        begun = time.perf_counter()
        steps = envs.step(actions, reset_if_done=True)[0]
        yield time.perf_counter() - begun, lanes


def petting_zoo(game: str, _lanes: int) -> Iterator[tuple[float, int]]:
    module = importlib.import_module(f"pettingzoo.classic.{PETTING_ZOO[game]}")
    env, draws = module.env(), random.Random(1)
    while True:
        env.reset(seed=draws.getrandbits(31))
        seconds, choices = 0.0, 0
        while env.agents:
            begun = time.perf_counter()
            observed, _, terminated, truncated, _ = env.last()
            seconds += time.perf_counter() - begun
            is_over = terminated or truncated
            action = None if is_over else draws.choice(np.flatnonzero(observed["action_mask"]).tolist())
            begun = time.perf_counter()
            env.step(action)
            seconds += time.perf_counter() - begun
            choices += not is_over
        yield seconds, choices


def rlcard(game: str, _lanes: int) -> Iterator[tuple[float, int]]:
    import rlcard

    env, draws = rlcard.make(RLCARD[game], config={"seed": 1}), random.Random(1)
    while True:
        state, _ = env.reset()
        seconds, choices = 0.0, 0
        while not env.is_over():
            action = draws.choice(list(state["legal_actions"]))
            begun = time.perf_counter()
            state, _ = env.step(action)
            seconds += time.perf_counter() - begun
            choices += 1
        yield seconds, choices


def rate(steps: Iterator[tuple[float, int]], seconds: float) -> float:
    """Choices a second of the quickest run."""
    next(steps)
    best = 0.0
    for _ in range(TRIES):
        spent, choices, begun = 0.0, 0, time.perf_counter()
        while spent < seconds / TRIES and time.perf_counter() - begun < 4 * seconds:
            took, made = next(steps)
            spent, choices = spent + took, choices + made
        best = max(best, choices / spent)
    return best


#: By name, what is measured, the package it needs, its games and its lanes.
PEERS: dict[str, tuple[Callable[[str, int], Iterator[tuple[float, int]]], str, set[str], list[int]]] = {
    "Pgx": (pgx, "pgx", set(PGX), [512, 4096]),
    "OpenSpiel SyncVectorEnv": (open_spiel, "open_spiel", set(OPEN_SPIEL), [16]),
    "PettingZoo classic": (petting_zoo, "pettingzoo", set(PETTING_ZOO), [1]),
    "RLCard": (rlcard, "rlcard", set(RLCARD), [1]),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0, help="time for each environment")
    parser.add_argument("--lanes", type=int, nargs="*", default=[512, 4096, 16384], help="lanes of ours")
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    warnings.simplefilter("ignore")
    found: dict[str, dict[str, float]] = {}
    for game in ["kuhn", "leduc", "tic-tac-toe", "connect-four", "holdem"]:
        rates = {f"Croupier, {lanes} lanes": rate(croupier(game, lanes), arguments.seconds) for lanes in arguments.lanes}
        ours = max(rates.values())
        for name, (steps, package, games, lanes_of) in PEERS.items():
            if game in games and importlib.util.find_spec(package):
                try:
                    rates[name] = max(rate(steps(game, lanes), arguments.seconds) for lanes in lanes_of)
                except ImportError as missing:
                    print(f"{name} is left out: {missing}", file=sys.stderr)
        found[game] = rates
        if not arguments.json:
            print(f"\n{game}")
            for name, one in rates.items():
                times = "" if name.startswith("Croupier") else f"   ours is {ours / one:,.1f} times as quick"
                print(f"  {name:<28} {one / 1e6:10.4f} M choices/s{times}", flush=True)
    if arguments.json:
        print(json.dumps(found))


if __name__ == "__main__":
    main()
