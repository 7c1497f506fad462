"""Effective particles of beliefs that a belief network leads, and of others that take as long.

    python python/benchmarks/guided.py [--game no-limit-holdem-6] [--minutes 12] [--steps 3000] [--matches 24] [--sharp 1,3]

A network learns to play for some minutes, and a belief network what is so when it plays. Then it plays matches in all seats, and the last choice of each is
looked at: a sample of histories by its policy, led by the belief network, and one that is not, of which the number of particles is doubled until it takes
longer. Both go through the view at once, on one thread. After some minutes a player of a large game is still nearly uniform, and there is little to infer;
`--sharp 3` multiplies its logits by three, for one that is not.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import croupier
import numpy as np
import torch
from croupier import learn
from torch import nn


def sharpened(net: learn.Net, factor: float) -> learn.Net:
    """The network with its logits multiplied."""
    sharp = learn.Net(net.space, [layer.out_features for layer in net.layers if isinstance(layer, nn.Linear)][:-1])
    sharp.load_state_dict(net.state_dict())
    last = [layer for layer in sharp.layers if isinstance(layer, nn.Linear)][-1]
    with torch.no_grad():
        last.weight.mul_(factor)
        last.bias.mul_(factor)
    return sharp


def last_choices(game: croupier.Game, model: str, matches: int) -> list[croupier.View]:
    """What was known at the last choice of each match."""
    players = {role: croupier.Agent(model, game, role) for role in game.roles}
    views = []
    for seed in range(matches):
        match, seen = croupier.Match(game, seed=seed), []
        while not match.is_over:
            asked = [match.view(role) for role in match.acting]
            match.step({view.role: players[view.role].choose(view) for view in asked})
            seen = asked or seen
        views += seen[:1]
    return views


def measured(view: croupier.View, model: str, particles: int, guide: bytes | None) -> tuple[float, float]:
    """Effective particles, and processor seconds."""
    begun = time.process_time()
    belief = croupier.Belief(
        view.game, view.role, view, opponents=model, particles=particles, method="particle", seed=7, guide=guide
    )
    return belief.effective_particles or float(belief.histories), time.process_time() - begun


def compare(model: str, guide: bytes, views: list[croupier.View], particles: int) -> None:
    """Prints the means of both kinds of samples."""
    rows = []
    for view in views:
        led, seconds = measured(view, model, particles, guide)
        count, alone, spent = particles // 4, 0.0, 0.0
        while spent < seconds:
            count *= 2
            alone, spent = measured(view, model, count, None)
        rows.append((led, seconds, alone, spent, count))
    led, seconds, alone, spent, count = np.mean(rows, axis=0)
    print(f"led    {led:8.0f} effective of {particles:8.0f} particles, {seconds:.2f} s")
    print(f"alone  {alone:8.0f} effective of {count:8.0f} particles, {spent:.2f} s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="no-limit-holdem-6")
    parser.add_argument("--minutes", type=float, default=12.0, help="of the player's training")
    parser.add_argument("--steps", type=int, default=3000, help="of the belief network's training")
    parser.add_argument("--matches", type=int, default=24)
    parser.add_argument("--particles", default="500,2000")
    parser.add_argument("--sharp", default="1,3", help="what the logits of the player are multiplied by")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    run, begun = learn.Run(arguments.game, learn.Ppo(), learn.Settings(last=1), seed=1), time.monotonic()
    while time.monotonic() - begun < 60 * arguments.minutes:
        list(run.advance(1))
    for factor in map(float, arguments.sharp.split(",")):
        net = sharpened(run.average, factor)
        beliefs = learn.BeliefRun(run.game, net, last=1, lanes=256, seed=1)
        list(beliefs.advance(arguments.steps))
        with tempfile.TemporaryDirectory() as folder:
            learn.export(net, Path(folder, "player.onnx"))
            model, guide = f"net:{folder}/player.onnx", beliefs.net.contents()
            views = last_choices(run.game, model, arguments.matches)
            for particles in map(int, arguments.particles.split(",")):
                print(f"{arguments.game}, logits times {factor:g}, {len(views)} beliefs")
                compare(model, guide, views, particles)


if __name__ == "__main__":
    main()
