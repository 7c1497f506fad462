"""How much of a rollout with a small network is spent outside of it.

    python python/benchmarks/rollout.py [GAME] [--lanes 512,2048] [--hidden 64,64] [--seconds 5]

A rollout writes what a learner needs: inputs, masks, actions and the logarithms of their probabilities, rewards and ends. Two ways are
measured: `VectorEnv.step_policy`, which draws the moves in Rust, and drawing with torch, as loops usually do. One thread; processor time.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import croupier
import numpy as np
import torch


class Clock:
    """Processor seconds in the network, and of everything."""

    def __init__(self) -> None:
        self.net = 0.0
        self.begun = time.process_time()

    def of_net(self, net: torch.nn.Module, inputs: torch.Tensor) -> torch.Tensor:
        begun = time.process_time()
        logits: torch.Tensor = net(inputs)
        self.net += time.process_time() - begun
        return logits

    @property
    def outside(self) -> float:
        return 1 - self.net / (time.process_time() - self.begun)


def native(env: croupier.VectorEnv, net: torch.nn.Module, clock: Clock) -> tuple[object, ...]:
    """A step with moves drawn in Rust."""
    choices = env.choices()
    logits = clock.of_net(net, torch.from_numpy(choices.inputs))
    step, actions, logs = env.step_policy(logits)
    return choices, actions, logs, step.reward.copy(), step.done.copy()


def drawn_by_torch(env: croupier.VectorEnv, net: torch.nn.Module, clock: Clock) -> tuple[object, ...]:
    """A step with moves drawn by torch."""
    step = env.last_step
    lane, player = np.nonzero(step.acting)
    inputs = torch.zeros((len(lane), env.inputs))
    inputs[torch.arange(len(lane)), torch.from_numpy(player)] = 1
    inputs[:, len(env.roles) :] = torch.from_numpy(step.observation[lane, player])
    mask = torch.from_numpy(step.mask[lane, player] == 1)
    logits = clock.of_net(net, inputs)
    drawn = torch.distributions.Categorical(logits=logits.masked_fill(~mask, -1e9))
    moves = drawn.sample()
    logs = drawn.log_prob(moves)
    actions = np.zeros(step.acting.shape, np.int32)
    actions[lane, player] = moves.numpy()
    step = env.step(actions)
    return inputs, mask, actions, logs, step.reward.copy(), step.done.copy()


def measure(way: Callable[..., object], game: str, lanes: int, hidden: list[int], seconds: float) -> None:
    env = croupier.VectorEnv(game, lanes, seed=1, parallel=False)
    torch.manual_seed(1)
    sizes = [env.inputs, *hidden]
    layers: list[torch.nn.Module] = []
    for before, after in zip(sizes, sizes[1:], strict=False):
        layers += [torch.nn.Linear(before, after), torch.nn.ReLU()]
    net = torch.nn.Sequential(*layers, torch.nn.Linear(sizes[-1], env.outputs))
    best: tuple[float, float] | None = None
    with torch.no_grad():
        for _ in range(20):
            way(env, net, Clock())
        for _ in range(5):
            clock, choices = Clock(), 0
            while time.process_time() - clock.begun < seconds / 5:
                choices += int(env.last_step.acting.sum())
                way(env, net, clock)
            rate = choices / (time.process_time() - clock.begun)
            best = max(best or (0.0, 0.0), (rate, clock.outside))
    assert best is not None
    print(f"{game:>10} {lanes:>6} lanes {way.__name__:>16}: {best[0] / 1e3:9.1f} k choices/s, {best[1]:6.1%} outside the network")


def main() -> None:
    parser = argparse.ArgumentParser(description="How much of a rollout with a small network is spent outside of it.")
    parser.add_argument("game", nargs="?", default="leduc")
    parser.add_argument("--lanes", default="512,2048")
    parser.add_argument("--hidden", default="64,64")
    parser.add_argument("--seconds", type=float, default=5.0)
    options = parser.parse_args()
    torch.set_num_threads(1)
    hidden = [int(size) for size in options.hidden.split(",")]
    for lanes in options.lanes.split(","):
        for way in (native, drawn_by_torch):
            measure(way, options.game, int(lanes), hidden, options.seconds)


if __name__ == "__main__":
    main()
