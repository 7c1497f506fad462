"""Choices a second of processor time of `VectorEnv(observation="belief")`, with and without a network as the opponents' policy.

    python python/benchmarks/beliefs.py [--seconds 20] [--lanes 512] [--games kuhn,leduc,holdem,...]

Beliefs are kept when they come again, so the first part of a run is slower than the rest: both are printed. With a network (64 x 64, torch) the
beliefs go by what it plays now: `fixed` never changes, `trained` changes in every 32nd step, as in training on rollouts of that length, `asked` in every
step. Legal actions are drawn at random, outside of the time that is measured; the network's own time is part of it.
"""

from __future__ import annotations

import argparse
import os
import time
import warnings
from collections.abc import Callable

import croupier
import numpy as np

#: By name, the steps after which the network changes; None if there is no network.
WAYS: dict[str, int | None] = {"uniform": None, "fixed": 1 << 60, "trained": 32, "asked": 1}


def network(game: croupier.Game) -> tuple[object, Callable[[], None]]:
    """A network for the game, and what changes it."""
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(1)
    shape = croupier.FunctionPolicy(game, lambda observations, masks: masks)
    layers = [torch.nn.Linear(shape.inputs, 64), torch.nn.ReLU(), torch.nn.Linear(64, 64), torch.nn.ReLU()]
    net = torch.nn.Sequential(*layers, torch.nn.Linear(64, shape.outputs))

    def change() -> None:
        with torch.no_grad():
            for parameter in net.parameters():
                parameter.add_(torch.randn_like(parameter), alpha=0.01)

    return net, change


def measure(name: str, way: str, lanes: int, seconds: float) -> tuple[float, float, int]:
    """Choices a second in the first fifth of the time and in the last, and how many choices all of it had."""
    game, every = croupier.load(name), WAYS[way]
    net, change = (None, lambda: None) if every is None else network(game)
    env = croupier.VectorEnv(game, lanes=lanes, seed=1, observation="belief", opponents=net, parallel=False)  # type: ignore[arg-type]
    rng, steps, spent, choices = np.random.default_rng(1), 0, 0.0, 0
    marks: list[tuple[float, int]] = [(0.0, 0)]
    while spent < seconds:
        actions, acting = env.sample(rng), int(env.last_step.acting.sum())
        if every is not None and steps % every == 0:
            change()
        begun = time.process_time()
        env.step(actions)
        spent += time.process_time() - begun
        steps, choices = steps + 1, choices + acting
        if spent >= len(marks) * seconds / 5:
            marks.append((spent, choices))

    def rate(one: tuple[float, int], next_one: tuple[float, int]) -> float:
        return (next_one[1] - one[1]) / (next_one[0] - one[0])

    return rate(marks[0], marks[1]), rate(marks[-2], marks[-1]), choices


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20.0, help="processor time for each")
    parser.add_argument("--lanes", type=int, default=512)
    parser.add_argument("--games", default="kuhn,leduc,liars-dice,phantom-tic-tac-toe,holdem")
    parser.add_argument("--ways", default=",".join(WAYS), help="which of uniform, fixed, trained and asked")
    arguments = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    warnings.simplefilter("ignore")
    for game in arguments.games.split(","):
        for way in arguments.ways.split(","):
            first, last, choices = measure(game, way, arguments.lanes, arguments.seconds)
            print(f"{game:>20} {way:>8}: {first / 1e3:9.1f} k choices/s at first, {last / 1e3:9.1f} k at last, {choices} choices", flush=True)


if __name__ == "__main__":
    main()
