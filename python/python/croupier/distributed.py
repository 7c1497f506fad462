"""Matches and rollouts on many machines, with Ray.

>>> import croupier, croupier.distributed
>>> results = croupier.distributed.tournament(croupier.load("leduc"), {"solved": "resolve", "caller": "call"}, deals=500)
>>> print(results)

All results follow from the seed alone. If a worker dies, Ray runs its tasks again elsewhere, and they give
the same bits. The number of workers only affects the time. Without `ray.init`, Ray starts on this machine, or joins the cluster
named by the environment variable RAY_ADDRESS.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._native import Game
from .errors import CroupierError
from .league import Kind, Played, Results, Standing, head_to_head_plan, play, tournament_plan
from .seats import seed_of
from .steps import Step
from .vector import VectorEnv

try:
    # Without a name that types follow, so that they are checked alike with and without Ray.
    ray: Any = import_module("ray")
except ImportError as _missing:
    raise CroupierError("Ray is missing: pip install 'croupier[ray]'") from _missing

__all__ = ["Act", "Batch", "Kind", "Played", "Results", "Rollouts", "Standing", "evaluate", "play", "rollout", "tournament"]

#: What chooses in rollouts: the columns, of shape (lanes, players), for what is shown.
Act = Callable[[Step, np.random.Generator], npt.ArrayLike]


def tournament(
    game: Game, players: Mapping[str, Kind], *, deals: int = 100, seed: int = 0, chunk: int = 20, retries: int = 3
) -> Results:
    """Play a round robin on duplicate deals: every group of players plays every deal in every rotation of the seats.

    Parameters
    ----------
    game : Game
    players : mapping of name to Kind
        At least as many as the game has roles.
    deals : int
        Deals of each group. All groups play the same ones.
    seed : int
        The seed of all draws.
    chunk : int
        Matches per task: enough for some tenths of a second, or the overhead of Ray dominates.
    retries : int
        How often a task is retried if its worker dies; -1 for without limit.

    Returns
    -------
    Results

    Raises
    ------
    CroupierError
        If there are too few players, or an agent cannot play the game (then it is also an exception of Ray's).
    ray.exceptions.WorkerCrashedError
        If workers die more often than that.
    """
    return _play(game, players, tournament_plan(game, list(players), deals), seed, chunk, retries)


def evaluate(
    game: Game, player: Kind, against: Kind, *, deals: int = 100, seed: int = 0, chunk: int = 20, retries: int = 3
) -> Results:
    """Play head to head on duplicate deals: `player` takes every seat once in each deal, `against` all others.

    Parameters and errors are as for `tournament`.

    Returns
    -------
    Results
        For the players `player` and `against`.
    """
    players = {"player": player, "against": against}
    return _play(game, players, head_to_head_plan(game, deals), seed, chunk, retries)


def _play(
    game: Game,
    players: Mapping[str, Kind],
    planned: Sequence[tuple[int, tuple[str, ...]]],
    seed: int,
    chunk: int,
    retries: int,
) -> Results:
    if chunk < 1 or not planned:
        raise CroupierError("deals and chunk must be at least 1")

    def play_all(game: Game, players: Mapping[str, Kind], part: Sequence[tuple[int, tuple[str, ...]]]) -> list[Played]:
        return [play(game, players, deal, seats, seed) for deal, seats in part]

    # `max_retries` is about workers that die, not about exceptions of ours: those come again.
    task = ray.remote(max_retries=retries)(play_all)
    shared = ray.put(game), ray.put(dict(players))
    parts = (planned[first : first + chunk] for first in range(0, len(planned), chunk))
    found = _in_order(lambda part: task.remote(*shared, part), parts)
    return Results(game.unit, [match for part in found for match in part])


def _in_order(start: Callable[[Any], Any], parts: Iterator[Any]) -> Iterator[Any]:
    """Yield the results of tasks in order, with just enough tasks in flight to keep all workers busy."""
    under_way: list[Any] = []
    for part in parts:
        under_way.append(start(part))
        if len(under_way) > 4 * int(ray.cluster_resources().get("CPU", 1)):
            yield ray.get(under_way.pop(0))
    while under_way:
        yield ray.get(under_way.pop(0))


class Batch(NamedTuple):
    """A batch of steps of a vector environment. Arrays are those of `Step`, with an additional first axis for steps.

    Attributes
    ----------
    observation : ndarray of uint8, shape (steps, lanes, players, features)
    mask : ndarray of uint8, shape (steps, lanes, players, moves)
    acting : ndarray of uint8, shape (steps, lanes, players)
        The arrays before each step.
    columns : ndarray of int32, shape (steps, lanes, players)
        The chosen columns.
    reward : ndarray of float32, shape (steps, lanes, players)
    done : ndarray of uint8, shape (steps, lanes)
        The results of each step.
    """

    observation: npt.NDArray[np.uint8]
    mask: npt.NDArray[np.uint8]
    acting: npt.NDArray[np.uint8]
    columns: npt.NDArray[np.int32]
    reward: npt.NDArray[np.float32]
    done: npt.NDArray[np.uint8]


def rollout(env: VectorEnv, act: Act | None, steps: int, seed: int) -> Batch:
    """Reset an environment with a seed and play, with a function or with uniformly drawn legal moves."""
    step, rng = env.reset(seed), np.random.default_rng(seed)
    rows: list[tuple[npt.NDArray[Any], ...]] = []
    for _ in range(steps):
        columns = env.sample(rng) if act is None else np.asarray(act(step, rng), np.int32)
        shown = step.observation.copy(), step.mask.copy(), step.acting.copy(), columns
        step = env.step(columns)
        rows.append((*shown, step.reward.copy(), step.done.copy()))
    return Batch(*(np.stack(arrays) for arrays in zip(*rows, strict=True)))


class Rollouts:
    """Vector environments in Ray actors, which play batches of steps for training.

    Every batch has its own number and seed, starts with new matches, and can be played by any actor. If an actor dies it is
    restarted, and its batches are played again.

    Parameters
    ----------
    game : Game or str
    actors : int
        The number of environments, each with one CPU.
    lanes, steps : int
        The size of each batch.
    seed : int
        The seed of all draws, together with the number of the batch.
    **options
        Options of `croupier.VectorEnv`.
    """

    def __init__(
        self, game: Game | str, *, actors: int = 2, lanes: int = 512, steps: int = 32, seed: int = 0, **options: Any
    ) -> None:
        if actors < 1 or steps < 1:
            raise CroupierError("actors and steps must be at least 1")
        # One core for each actor: threads of their own would only be in each other's way.
        VectorEnv(game, 1, **options)
        self.steps, self.seed, self.batches = steps, seed, 0
        actor = ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=-1)(_Actor)
        self.actors = [actor.remote(game, lanes, {"parallel": False, **options}) for _ in range(actors)]

    def collect(self, batches: int, act: Act | None = None) -> list[Batch]:
        """Play the next batches.

        Parameters
        ----------
        batches : int
        act : callable, optional
            `(step, rng) -> columns`, of shape (lanes, players); by default legal moves are drawn uniformly. It is sent to the actors,
            together with everything that it refers to, such as the weights of a network.

        Returns
        -------
        list of Batch
            The same for any number of actors.
        """
        shared = ray.put(act)
        numbers = range(self.batches, self.batches + batches)
        self.batches += batches
        found = [
            self.actors[number % len(self.actors)].rollout.remote(shared, self.steps, seed_of(self.seed, "batch", number))
            for number in numbers
        ]
        return [ray.get(one) for one in found]

    def close(self) -> None:
        """Stop the actors."""
        for actor in self.actors:
            ray.kill(actor)
        self.actors = []


class _Actor:
    """A vector environment in its own process."""

    def __init__(self, game: Game | str, lanes: int, options: dict[str, Any]) -> None:
        self.env = VectorEnv(game, lanes, **options)

    def rollout(self, act: Act | None, steps: int, seed: int) -> Batch:
        return rollout(self.env, act, steps, seed)

    def process_id(self) -> int:
        return os.getpid()
