"""Beliefs of many matches under policies that are functions, against `Belief` of each view."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import croupier
import numpy as np
import numpy.typing as npt
import pytest
from croupier._native import Lanes
from croupier.steps import Wanted, empty_step


def skewed(observations: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """A policy without pattern: what it plays follows from all of what it is shown."""
    weights = 1 + np.abs(np.sin(observations @ np.arange(1, observations.shape[1] + 1) ** 0.7))[:, None] * np.arange(masks.shape[1])
    shown = np.exp(3 * np.sin(weights * 7.3)) * masks
    return shown / shown.sum(1, keepdims=True)


class Watched:
    """A function that counts its calls and their rows."""

    def __init__(self) -> None:
        self.calls: list[int] = []

    def __call__(self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
        assert len(np.unique(np.hstack([observations, masks]), axis=0)) == len(observations), "each is asked once"
        self.calls.append(len(observations))
        return skewed(observations, masks)


def assert_beliefs(env: croupier.VectorEnv, native: Lanes, step: Any, opponents: Any, lanes: range) -> int:
    """Compare the rows of some lanes with the belief of each view; returns how many there were."""
    compared = 0
    for player, role in enumerate(env.roles):
        names = env.features[role]
        for lane in lanes:
            if not step.acting[lane, player]:
                assert not step.observation[lane, player].any()
                continue
            view = native.views(player, [lane])[0]
            marginals = croupier.Belief(env.game, role, view, opponents=opponents, method="exact").marginals()
            expected = [marginals.get(name, 0.0) for name in names]
            assert np.allclose(step.observation[lane, player, : len(names)], expected, atol=1e-6), (role, lane)
            compared += 1
    return compared


def play(name: str, opponents: Any, *, lanes: int, steps: int, every: int) -> int:
    env = croupier.VectorEnv(name, lanes=lanes, seed=3, observation="belief", opponents=opponents, parallel=False)
    native = Lanes(env.game, Wanted(lanes, "belief", 1, [True] * len(env.roles), views=True), opponents)
    step = empty_step(*env.last_step.observation.shape, env.outputs, np.float32)
    native.reset(3, step)
    rng, compared = np.random.default_rng(1), 0
    for _ in range(steps):
        assert np.array_equal(step.observation, env.last_step.observation)
        compared += assert_beliefs(env, native, step, opponents, range(0, lanes, every))
        actions = env.sample(rng)
        env.step(actions)
        native.refresh_opponents()
        native.step(actions, step)
    return compared


@pytest.mark.parametrize("name", ["kuhn", "kuhn-3", "leduc", "liars-dice", "goofspiel-4", "krieg-tic-tac-toe-4x4", "phantom-tic-tac-toe"])
def test_beliefs_under_a_function_are_those_of_each_view(name: str) -> None:
    lanes, steps = (12, 3) if "tic-tac-toe" in name or name == "liars-dice" else (48, 6)
    assert play(name, skewed, lanes=lanes, steps=steps, every=5) >= 5


def test_beliefs_under_a_net_are_those_of_each_view_while_it_is_trained() -> None:
    torch = pytest.importorskip("torch")
    torch.manual_seed(1)
    game = croupier.load("leduc")
    shape = croupier.FunctionPolicy(game, skewed)
    net = torch.nn.Sequential(torch.nn.Linear(shape.inputs, 64), torch.nn.Tanh(), torch.nn.Linear(64, shape.outputs))
    for parameter in net.parameters():
        parameter.data.mul_(3)
    env = croupier.VectorEnv(game, lanes=64, seed=2, observation="belief", opponents=net)
    native = Lanes(game, Wanted(64, "belief", 1, [True, True], views=True))
    shown = empty_step(*env.last_step.observation.shape, env.outputs, np.float32)
    native.reset(2, shown)
    rng = np.random.default_rng(1)
    actions = env.sample(rng)
    env.step(actions)
    native.step(actions, shown)
    before = env.last_step.observation.copy()
    for _ in range(4):
        with torch.no_grad():
            for parameter in net.parameters():
                parameter.add_(torch.randn_like(parameter))
        # What was written goes by the net as it was; what is asked anew, and every later step, by the net as it is.
        assert np.array_equal(env.last_step.observation, before)
        env.refresh_opponents()
        assert not np.array_equal(env.last_step.observation, before)
        assert assert_beliefs(env, native, env.last_step, net, range(0, 64, 9)) > 5
        net[0].weight.data.mul_(0.5)  # which torch does not count as a change
        actions = env.sample(rng)
        env.step(actions)
        native.step(actions, shown)
        assert assert_beliefs(env, native, env.last_step, net, range(0, 64, 9)) > 5
        before = env.last_step.observation.copy()


def test_a_net_that_stays_the_same_is_asked_about_nothing_twice() -> None:
    torch = pytest.importorskip("torch")

    class Net(torch.nn.Module):  # type: ignore[name-defined,misc]
        def __init__(self) -> None:
            super().__init__()
            self.layer, self.rows = torch.nn.Linear(40, 3), 0

        def forward(self, observations: Any) -> Any:
            self.rows += len(observations)
            return self.layer(torch.nn.functional.pad(observations, (0, 40 - observations.shape[1])))

    net = Net()
    env = croupier.VectorEnv("kuhn", lanes=64, seed=1, observation="belief", opponents=net)
    for _ in range(20):
        env.step(env.sample())
    # With one of three cards Alice makes the first move, and Bob may pass or bet after a pass; every other move ends the match.
    assert net.rows == 6
    with torch.no_grad():
        net.layer.bias += 1
    env.step(env.sample())
    assert 6 < net.rows <= 12


def test_a_function_is_asked_in_one_call_a_step() -> None:
    watched = Watched()
    env = croupier.VectorEnv("leduc", lanes=700, seed=1, observation="belief", opponents=watched)
    for step in range(1, 8):
        watched.calls.clear()
        env.step(env.sample())
        assert len(watched.calls) == 1, step
        assert watched.calls[0] <= 936


def test_opponents_by_role_tables_and_names() -> None:
    game = croupier.load("kuhn")
    table = croupier.solve(game).policy
    for opponents in [{"alice": skewed, "bob": table}, table, {"bob": "uniform", "alice": skewed}, {"alice": skewed}]:
        assert play("kuhn", opponents, lanes=40, steps=5, every=3) > 10
    uniform = croupier.VectorEnv(game, lanes=40, seed=1, observation="belief")
    named = croupier.VectorEnv(game, lanes=40, seed=1, observation="belief", opponents="uniform")
    assert np.array_equal(uniform.last_step.observation, named.last_step.observation)


def test_held_seats_copies_and_pickles_keep_their_opponents() -> None:
    env = croupier.VectorEnv("leduc", lanes=30, seed=4, observation="belief", opponents=skewed, seats={"bob": skewed})
    env.step(env.sample(np.random.default_rng(1)))
    twins = [pickle.loads(pickle.dumps(env)), copy.copy(env)]
    actions = env.sample(np.random.default_rng(2))
    expected = env.step(actions).observation.copy()
    assert ((expected > 0) & (expected < 1)).any()
    for twin in twins:
        assert np.array_equal(twin.step(actions).observation, expected)


def test_errors_of_opponents_come_through() -> None:
    with pytest.raises(croupier.CroupierError, match="belief"):
        croupier.VectorEnv("kuhn", opponents=skewed)
    with pytest.raises(croupier.RoleError):
        croupier.VectorEnv("kuhn", observation="belief", opponents={"carol": skewed})

    def fails(observations: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
        raise ZeroDivisionError("nothing to divide by")

    # Nobody has moved before the first choice, so nobody is asked.
    env = croupier.VectorEnv("kuhn", lanes=8, observation="belief", opponents=fails)
    with pytest.raises(ZeroDivisionError, match="nothing to divide by"):
        env.step(env.sample())
    wrong = croupier.VectorEnv("kuhn", lanes=8, observation="belief", opponents=lambda observations, masks: masks * 1.0)
    with pytest.raises(croupier.CroupierError, match="add up to"):
        wrong.step(wrong.sample())
