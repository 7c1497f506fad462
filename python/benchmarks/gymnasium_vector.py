"""Choices a second under Gymnasium's vector interface, beside its own SyncVectorEnv over our single environment, in one run on one core.

    pip install './python[gymnasium]'
    python python/benchmarks/gymnasium_vector.py

Legal actions are drawn outside of the time that is measured. Of several runs the quickest counts, since other work on the machine only
adds to the time.
"""

from __future__ import annotations

import argparse
import os
import time
from typing import Any

import croupier
import gymnasium
import numpy as np

import croupier.gymnasium  # noqa: F401  (registers the environments)

#: Runs of which the quickest counts.
TRIES = 3


def uniform(_observation: Any, mask: Any, rng: np.random.Generator) -> Any:
    return np.argmax(rng.random(mask.shape) * mask, axis=1)


def rate(envs: gymnasium.vector.VectorEnv, seconds: float) -> float:
    """Choices of the open seat a second."""
    rng = np.random.default_rng(1)
    _, infos = envs.reset(seed=1)
    best = 0.0
    for _ in range(TRIES):
        spent, steps, ended = 0.0, 0, time.perf_counter() + seconds / TRIES
        while not steps or time.perf_counter() < ended:
            mask = infos["action_mask"]
            # Where all zeros are shown a match is over, and the next step begins another one whatever the action is.
            actions = np.argmax(rng.random(mask.shape) * mask, axis=1)
            begun = time.perf_counter()
            *_, infos = envs.step(actions)
            spent, steps = spent + time.perf_counter() - begun, steps + envs.num_envs
        best = max(best, steps / spent)
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=6.0, help="time for each environment")
    parser.add_argument("--games", nargs="*", default=["kuhn", "leduc", "tic-tac-toe", "holdem"])
    arguments = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    for name in arguments.games:
        made: dict[str, gymnasium.vector.VectorEnv] = {
            "SyncVectorEnv, 64 envs": gymnasium.make_vec(f"croupier/{name}-v0", num_envs=64, vectorization_mode="sync")
        }
        for label, others in (("random", "random"), ("a function", uniform), ("the agent first-legal", "first-legal")):
            made[f"vector entry point, 4096 envs, others: {label}"] = gymnasium.make_vec(
                f"croupier/{name}-v0",
                num_envs=4096,
                vectorization_mode="vector_entry_point",
                others=others,
                parallel=False,
            )
        print(name)
        slowest = None
        for label, envs in made.items():
            found = rate(envs, arguments.seconds)
            slowest = slowest or found
            print(f"  {label:<50} {found:12,.0f} choices/s  {found / slowest:8,.1f} times", flush=True)


if __name__ == "__main__":
    main()
