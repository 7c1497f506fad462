"""Moves drawn inside the step: beside the softmax, and beside steps with the same moves."""

from __future__ import annotations

import copy
import pickle

import croupier
import numpy as np
import pytest


def softmax(logits: np.ndarray, masks: np.ndarray) -> np.ndarray:
    weights = np.where(masks, np.exp(logits - logits.max(1, keepdims=True)), 0.0)
    return weights / weights.sum(1, keepdims=True)


@pytest.mark.parametrize("name", ["leduc", "goofspiel-4", "liars-dice"])
@pytest.mark.parametrize("observation", ["percepts", "belief"])
def test_it_is_the_step_with_the_drawn_actions(name: str, observation: str) -> None:
    if name == "liars-dice" and observation == "belief":
        pytest.skip("beliefs of so many are slow")
    one, other = (croupier.VectorEnv(name, 600, seed=7, observation=observation) for _ in range(2))
    draws = np.random.default_rng(1)
    for _ in range(12):
        choices = one.choices()
        lane, player = np.nonzero(one.last_step.acting)
        assert (choices.lane == lane).all() and (choices.player == player).all()
        assert (choices.masks == (one.last_step.mask[lane, player] == 1)).all()
        own = np.eye(len(one.roles), dtype=np.float32)[player]
        assert (choices.inputs == np.hstack([own, one.last_step.observation[lane, player]])).all()
        logits = draws.normal(size=choices.masks.shape).astype(np.float32)
        step, actions, logs = one.step_policy(logits)
        assert choices.masks[np.arange(len(lane)), actions[lane, player]].all()
        expected = np.log(softmax(logits, choices.masks)[np.arange(len(lane)), actions[lane, player]])
        assert logs == pytest.approx(expected, abs=1e-5)
        again = other.step(actions)
        for ours, theirs in zip(step, again, strict=True):
            assert (ours == theirs).all()
    assert one.illegal_moves == 0


def test_inputs_are_what_a_policy_function_is_shown(leduc: croupier.Game) -> None:
    env = croupier.VectorEnv(leduc, 64, seed=2)
    shown = croupier.FunctionPolicy(leduc, lambda observations, masks: masks / masks.sum(1, keepdims=True))
    assert (env.inputs, env.outputs) == (shown.inputs, shown.outputs)
    sets = {row.tobytes() for row in shown.of_views([view for view, _ in croupier.information_sets(leduc)])}
    for _ in range(10):
        assert all(row.tobytes() in sets for row in env.choices().inputs)
        env.step_policy(np.zeros_like(env.choices().masks, np.float32))


def test_moves_are_as_frequent_as_the_softmax_says(kuhn: croupier.Game) -> None:
    lanes, rounds = 4096, 50
    env = croupier.VectorEnv(kuhn, lanes, seed=3)
    counts, expected = np.zeros(env.outputs), np.zeros(env.outputs)
    logits = np.zeros((lanes, env.outputs), np.float32)
    bet = env.moves["alice"].index("bet")
    logits[:, bet] = 1.5
    total = 0
    for _ in range(rounds):
        choices = env.choices()
        probabilities = softmax(logits, choices.masks)
        expected += probabilities.sum(0)
        total += len(choices.masks)
        _, actions, _ = env.step_policy(logits)
        counts += np.bincount(actions[choices.lane, choices.player], minlength=env.outputs)
    share = expected / total
    # Four standard deviations.
    assert (np.abs(counts - expected) <= 4 * np.sqrt(total * share * (1 - share))).all()


def test_draws_follow_from_the_seed_and_go_on_in_copies(leduc: croupier.Game) -> None:
    def run(env: croupier.VectorEnv, steps: int) -> list[np.ndarray]:
        logits = [np.zeros(env.choices().masks.shape, np.float32) for _ in range(1)][0]
        return [env.step_policy(logits).actions.copy() for _ in range(steps)]

    def same(one: list[np.ndarray], other: list[np.ndarray]) -> bool:
        return all((a == b).all() for a, b in zip(one, other, strict=True))

    env = croupier.VectorEnv(leduc, 512, seed=5)
    first = run(env, 6)
    assert same(first, run(croupier.VectorEnv(leduc, 512, seed=5), 6))
    assert not same(first, run(croupier.VectorEnv(leduc, 512, seed=6), 6))
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    later = run(env, 4)
    assert all(same(later, run(other, 4)) for other in copies)
    env.reset()
    assert same(first, run(env, 6))


def test_logits_that_are_none_are_refused_and_nothing_is_played(kuhn: croupier.Game) -> None:
    env = croupier.VectorEnv(kuhn, 8, seed=1)
    before = env.last_step.observation.copy(), env.last_step.turn.copy()
    fine = np.zeros((8, env.outputs), np.float32)
    for wrong in (fine[:7], fine[:, :1], fine[0], np.full(fine.shape, "a"), np.zeros((8, 2, env.outputs)), None):
        with pytest.raises(croupier.CroupierError, match="logits must be numbers of shape"):
            env.step_policy(wrong)
    for value in (np.nan, np.inf):
        wrong = fine.copy()
        wrong[3, np.flatnonzero(env.choices().masks[3])[0]] = value
        with pytest.raises(croupier.CroupierError, match="row 3"):
            env.step_policy(wrong)
    with pytest.raises(croupier.CroupierError, match="row 0"):
        env.step_policy(np.full(fine.shape, -np.inf, np.float32))
    assert (env.last_step.observation == before[0]).all() and (env.last_step.turn == before[1]).all()
    # Illegal moves may have any logit, and a legal one may be worth nothing.
    masks = env.choices().masks
    odd = np.where(masks, fine, np.nan).astype(np.float32)
    first = masks.argmax(1)
    odd[np.arange(8), first] = -np.inf
    _, actions, logs = env.step_policy(odd)
    assert (actions[:, 0] != first).all() and (logs <= 0).all() and np.isfinite(logs).all()


def test_held_seats_are_played_on(leduc: croupier.Game) -> None:
    env = croupier.VectorEnv(leduc, 64, seats={"bob": "call"}, seed=1)
    for _ in range(5):
        choices = env.choices()
        assert (choices.player == 0).all() and len(choices.lane) == 64
        env.step_policy(np.zeros(choices.masks.shape, np.float32))


def test_a_tensor_will_do(leduc: croupier.Game) -> None:
    torch = pytest.importorskip("torch", reason="needs PyTorch: pip install 'croupier[learn]'")
    one, other = (croupier.VectorEnv(leduc, 16, seed=1) for _ in range(2))
    module = torch.nn.Linear(one.inputs, one.outputs)
    logits = module(torch.from_numpy(one.choices().inputs))
    assert (one.step_policy(logits).actions == other.step_policy(logits.detach().numpy()).actions).all()
