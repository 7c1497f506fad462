"""How far the probabilities of a belief network can be trusted, beside exact beliefs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch

from ..vector import VectorEnv
from .belief import BeliefNet, drawn
from .net import Net

#: Probabilities are kept this far from 0 and 1 where their logarithm is taken: what float32 tells apart.
_LEAST = 1e-7


@dataclass(frozen=True)
class CalibrationBin:
    """What a network says between two probabilities, beside what is so.

    Attributes
    ----------
    least, most : float
        The probabilities that it says.
    count : int
        How often it says one of them.
    told, exact : float
        Their mean, and the mean of the exact probabilities: equal if it is calibrated.
    """

    least: float
    most: float
    count: int
    told: float
    exact: float


@dataclass(frozen=True)
class Calibration:
    """A belief network beside exact beliefs, at the choices of matches that it did not learn from.

    Everything is about fluents that are uncertain: whose exact probability is neither 0 nor 1.

    Attributes
    ----------
    choices : int
        The choices at which beliefs were compared.
    uncertain : int
        The uncertain fluents of all of them.
    error : float
        The mean difference of the network's probability from the exact one.
    excess : float
        How many nats the network loses for each uncertain fluent beyond the exact probabilities: the mean Kullback-Leibler divergence, 0 for the
        exact belief.
    prior_excess : float
        The same for somebody who says of each fluent how often it is true on the average, and so listens to nothing.
    calibration_error : float
        The mean difference between `told` and `exact` of the bins, by their counts.
    bins : tuple of CalibrationBin
        Bins of equal width, without those that are empty.
    worst : dict of str to float
        The fluents with the greatest mean error, the worst first.
    """

    choices: int
    uncertain: int
    error: float
    excess: float
    prior_excess: float
    calibration_error: float
    bins: tuple[CalibrationBin, ...]
    worst: dict[str, float]

    def __str__(self) -> str:
        lines = [
            f"{self.choices} choices, {self.uncertain} uncertain fluents",
            f"mean error        {self.error:.4f}",
            f"excess            {self.excess:.4f} nats a fluent (who listens to nothing: {self.prior_excess:.4f})",
            f"calibration error {self.calibration_error:.4f}",
            "     says    count    told   exact",
        ]
        lines += [f"{one.least:.2f}-{one.most:.2f} {one.count:8d} {one.told:7.3f} {one.exact:7.3f}" for one in self.bins]
        lines += [f"worst: {fluent}, {error:.3f} off on the average" for fluent, error in self.worst.items()]
        return "\n".join(lines)


def calibration(
    net: BeliefNet,
    player: Net | None = None,
    *,
    uniform_share: float = 0.1,
    lanes: int = 256,
    steps: int = 40,
    bins: int = 10,
    seed: int = 1 << 40,
) -> Calibration:
    """Compare a belief network with exact beliefs at the choices of simulated matches.

    Parameters
    ----------
    net : BeliefNet
    player : Net, optional
        Plays the matches, and is the opponent model of the exact beliefs; by default moves are uniform. Use that of the `BeliefRun`.
    uniform_share : float
        Share of uniform choices mixed in.
    lanes, steps : int
        Parallel matches, and the steps for which they are played.
    bins : int
    seed : int
        Of the matches: another than that of the run, so that they are others.

    Returns
    -------
    Calibration

    Raises
    ------
    CroupierError
        If a player cannot tell apart more than 100,000 histories, so that no exact belief is known.
    """
    game = net.space.game
    opponents = _uniform if player is None else player
    known = VectorEnv(game, lanes, seed=seed, last=net.space.last)
    exact = VectorEnv(game, lanes, seed=seed, observation="belief", opponents=opponents)
    shown = known if player is None else VectorEnv(game, lanes, seed=seed, last=player.space.last)
    draws, told, true = np.random.default_rng(seed), [], []
    for _ in range(steps):
        step = known.last_step
        lane, place = np.nonzero(step.acting)
        with torch.no_grad():
            found = torch.sigmoid(net(net.space.inputs(place, step.observation[lane, place])))
        told.append(found.cpu().numpy().astype(np.float64))
        true.append(exact.last_step.observation[lane, place].astype(np.float64))
        actions = known.sample(draws)
        if player is not None:
            actions = drawn(player, shown.last_step, actions, uniform_share, draws)
        for env in {id(env): env for env in (known, exact, shown)}.values():
            env.step(actions)
    return _compared(np.concatenate(told), np.concatenate(true), net.fluents, bins)


def _uniform(observations: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """Each legal move with the same probability."""
    shares: npt.NDArray[np.float64] = masks / masks.sum(1, keepdims=True)
    return shares


def _divergence(exact: npt.NDArray[np.float64], told: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The Kullback-Leibler divergence of what is told from what is so, fluent by fluent, in nats."""
    one, other = np.clip(exact, _LEAST, 1 - _LEAST), np.clip(told, _LEAST, 1 - _LEAST)
    found: npt.NDArray[np.float64] = one * np.log(one / other) + (1 - one) * np.log((1 - one) / (1 - other))
    return found


def _compared(
    told: npt.NDArray[np.float64], exact: npt.NDArray[np.float64], fluents: list[str], bins: int
) -> Calibration:
    open_ones = (exact > 0) & (exact < 1)
    count = max(int(open_ones.sum()), 1)
    errors = np.where(open_ones, np.abs(told - exact), 0.0)
    prior = np.broadcast_to(exact.mean(0), exact.shape)
    says, is_so = told[open_ones], exact[open_ones]
    places = np.minimum((says * bins).astype(int), bins - 1)
    found = []
    for place in np.unique(places):
        inside = places == place
        least, most = float(place / bins), float((place + 1) / bins)
        found.append(CalibrationBin(least, most, int(inside.sum()), float(says[inside].mean()), float(is_so[inside].mean())))
    by_fluent = errors.sum(0) / np.maximum(open_ones.sum(0), 1)
    worst = {fluents[place]: float(by_fluent[place]) for place in np.argsort(-by_fluent)[:3] if by_fluent[place] > 0}
    return Calibration(
        choices=len(told),
        uncertain=int(open_ones.sum()),
        error=float(errors.sum()) / count,
        excess=float(_divergence(exact, told)[open_ones].sum()) / count,
        prior_excess=float(_divergence(exact, prior)[open_ones].sum()) / count,
        calibration_error=sum(one.count * abs(one.told - one.exact) for one in found) / count,
        bins=tuple(found),
        worst=worst,
    )
