"""Deep CFR: walks against sums over all histories, a short run against a bound, and the same bits again."""

from __future__ import annotations

import pickle
from collections import defaultdict

import croupier
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="croupier.learn needs PyTorch: pip install 'croupier[learn]'")

from croupier import learn  # noqa: E402
from croupier.learn.reservoir import Reservoir  # noqa: E402
from croupier.learn.walks import Strategies, walk  # noqa: E402

#: A run of some seconds.
SMALL = learn.DeepCfrSettings(walks=60, last=0, hidden=(32, 32), batch=256, steps=80, policy_steps=400, learning_rate=5e-3)


def counterfactual_regrets(game: croupier.Game, role: str, regrets: dict[str, dict[str, float]]) -> None:
    """What a player regrets if everybody chooses uniformly: a sum over all histories, by its views and moves."""

    def value(state: croupier.State, others: float) -> float:
        goals = state.goals
        if goals is not None:
            return goals[role] / 100
        actors = state.acting
        if role not in actors:
            (actor,) = actors
            moves = state.legal(actor)
            return sum(value(state.step({actor: move}), others / len(moves)) for move in moves) / len(moves)
        moves = state.legal(role)
        values = [value(state.step({role: move}), others) for move in moves]
        mean = sum(values) / len(values)
        for move, worth in zip(moves, values, strict=True):
            regrets[state.view(role).text][move] += others * (worth - mean)
        return mean

    value(croupier.State(game), 1.0)


@pytest.mark.parametrize("role", ["alice", "bob"])
def test_walks_find_counterfactual_regrets_on_average(kuhn: croupier.Game, role: str) -> None:
    expected: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    counterfactual_regrets(kuhn, role, expected)
    space = learn.Space(kuhn, 0)
    walks = 2000
    found = walk(kuhn, role, walks, Strategies(space, {"alice": None, "bob": None}), np.random.default_rng(1))
    inputs, _, targets = found.regrets
    sums: dict[bytes, list[np.ndarray]] = defaultdict(list)
    for row, target in zip(inputs, targets, strict=True):
        sums[row.tobytes()].append(target)
    views = [view for view, _ in croupier.information_sets(kuhn) if view.role == role]
    assert len(sums) == len(views) == len(expected) == 6
    for view, key in zip(views, space.of_views(views).numpy().astype(np.uint8), strict=True):
        rows = np.array(sums[key.tobytes()])
        for move, regret in expected[view.text].items():
            values = rows[:, space.observer.column(role, move)]
            # What is not visited counts as nothing.
            mean = values.sum() / walks
            error = np.sqrt(((values**2).sum() / walks - mean**2) / walks)
            assert abs(mean - regret) < 5 * error + 1e-9, (view.text, move, mean, regret)


def test_a_short_run_of_kuhn_is_far_better_than_uniform_play(kuhn: croupier.Game) -> None:
    run = learn.DeepCfr(kuhn, SMALL, seed=1)
    assert all(nodes > 500 for nodes in run.advance(15))
    # Uniform play: 11/12, by OpenSpiel.
    assert croupier.evaluate(kuhn, learn.policy(run.policy())).nash_conv < 0.35


def test_a_run_that_was_put_away_goes_on_to_the_bit(kuhn: croupier.Game) -> None:
    def weights(run: learn.DeepCfr) -> list[bytes]:
        return [tensor.detach().numpy().tobytes() for tensor in run.policy().parameters()]

    run = learn.DeepCfr(kuhn, SMALL, seed=2)
    list(run.advance(2))
    other = pickle.loads(pickle.dumps(run))
    for one in (run, other):
        list(one.advance(2))
    assert weights(run) == weights(other) and run.nodes == other.nodes
    whole = learn.DeepCfr(kuhn, SMALL, seed=2)
    list(whole.advance(4))
    assert whole.nodes == run.nodes


def test_choices_at_once_are_walked_too() -> None:
    run = learn.DeepCfr("goofspiel-4", SMALL, seed=1)
    (nodes,) = run.advance(1)
    assert nodes > 1000


def test_a_reservoir_keeps_a_uniform_sample() -> None:
    kept = np.zeros(40)
    for seed in range(400):
        memory = Reservoir(10, 1, 1, np.random.default_rng(seed))
        for first in (0, 25):
            rows = np.arange(first, min(first + 25, 40), dtype=np.uint8)[:, None]
            memory.add(rows, np.ones(rows.shape, bool), rows.astype(np.float32), 1.0)
        assert len(memory) == 10 and memory.added == 40
        inputs, _, targets, weights = memory.batch(50)
        assert (inputs == targets).all() and (weights == 1).all()
        kept[np.unique(memory._inputs)] += 1
    # Each is kept a quarter of the time: 100 times, give or take five standard deviations.
    assert (abs(kept - 100) < 45).all()
