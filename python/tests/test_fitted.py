"""Fitted mirror descent: rows that are alike, positions and targets against slow ones, an enumeration, and checkpoints to the bit."""

from __future__ import annotations

import copy
import math
from dataclasses import replace
from pathlib import Path

import croupier
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="croupier.learn needs PyTorch: pip install 'croupier[learn]'")

from croupier import learn  # noqa: E402
from croupier.learn.alike import Alike  # noqa: E402
from croupier.learn.positions import Positions  # noqa: E402
from croupier.learn.trajectories import Finished  # noqa: E402

#: A run of some seconds.
SMALL = learn.FitSettings(lanes=32, last=0, hidden=(32, 32))


def test_rows_are_alike_where_they_are_equal(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    table, player = rng.integers(0, 2, (40, 77), np.uint8)[rng.integers(0, 40, 500)], rng.integers(0, 2, 500)
    numbers = rng.normal(size=(500, 3)).astype(np.float32)
    alike = Alike.of(player, table)
    kinds: dict[bytes, list[int]] = {}
    for row in range(500):
        kinds.setdefault(bytes([player[row], *table[row]]), []).append(row)
    assert len(alike) == len(kinds)
    for rows in kinds.values():
        (kind,) = set(alike.kind[rows])
        assert alike.first[kind] == rows[0] and alike.counts()[kind] == len(rows)
        assert alike.means(numbers)[kind] == pytest.approx(numbers[rows].mean(0), abs=1e-6)
    # Where keys do not tell rows apart that differ, no two rows count as alike.
    monkeypatch.setattr("croupier.learn.alike._MIXER", np.uint64(0))
    assert list(Alike.of(player, table).kind) == list(range(500))


def sampled(run: learn.Run) -> Finished:
    """The choices of one update, those of a player who explores."""
    finished = run._sample()
    return finished.where(run._explores(finished.choices.lane, finished.choices.player))


def test_positions_are_what_players_knew_with_the_mean_of_what_moves_were_worth() -> None:
    run = learn.FittedRun("leduc", settings=SMALL, seed=4)
    list(run.advance(3))
    finished = sampled(run)
    positions, choices = Positions.of(finished), finished.choices
    places = {(int(positions.player[i]), positions.observation[i].tobytes(), positions.mask[i].tobytes()): i for i in range(len(positions))}
    assert len(places) == len(positions) < len(choices)
    worths: dict[int, list[np.ndarray]] = {}
    for row in range(len(choices)):
        said = choices.worth[row].copy()
        said[choices.move[row]] += finished.surprise[row] / choices.chance[row]
        worths.setdefault(places[int(choices.player[row]), choices.observation[row].tobytes(), choices.mask[row].tobytes()], []).append(said)
    for place, said in worths.items():
        assert positions.choices[place] == len(said)
        assert positions.worth[place] == pytest.approx(np.mean(said, 0), abs=1e-5)
    # Earlier ones come after them, once each and without anything that was found out, and no more than wanted.
    earlier = Positions.of(sampled(run))
    both = positions.with_earlier(earlier, 10_000)
    keys = {(int(both.player[i]), both.observation[i].tobytes(), both.mask[i].tobytes()) for i in range(len(both))}
    assert len(keys) == len(both) > len(positions) and (both.choices[len(positions) :] == 0).all()
    assert keys >= {(int(earlier.player[i]), earlier.observation[i].tobytes(), earlier.mask[i].tobytes()) for i in range(len(earlier))}
    assert len(positions.with_earlier(earlier, 3)) == len(positions)


def test_the_policy_of_mirror_descent_maximises_its_objective() -> None:
    run = learn.FittedRun("leduc", settings=SMALL, seed=4)
    list(run.advance(3))
    positions = Positions.of(sampled(run))
    inputs, mask = run.space.inputs(positions.player, positions.observation), torch.from_numpy(positions.mask)
    old = run.net.log_probabilities(inputs, mask).detach()
    # After 6 updates at an annealing of 2 both have fallen to a half.
    found = learn.Fit(temperature=0.3, step=1.0, annealing=2.0, doubt=4.0).targets(positions, old, 6).log_probabilities

    def objective(row: int, p: np.ndarray) -> float:
        legal = positions.mask[row]
        step = 0.5 * positions.choices[row] / (positions.choices[row] + 4)
        before = np.exp(old[row].double().numpy()[legal])
        gained = (p * positions.worth[row][legal]).sum()
        return float(gained - 0.15 * (p * np.log(p * legal.sum())).sum() - (p * np.log(p / before)).sum() / step)

    rng = np.random.default_rng(1)
    for row in range(len(positions)):
        best = np.exp(found[row].double().numpy()[positions.mask[row]])
        assert best.sum() == pytest.approx(1, abs=1e-5)
        for size in (0.001, 0.3):
            other = best * np.exp(size * rng.normal(size=len(best)))
            assert objective(row, other / other.sum()) <= objective(row, best) + 1e-6


def test_rare_positions_and_dropped_moves_are_fitted_as_fast_as_others() -> None:
    mask = np.array([[True, True, False], [True, True, True], [False, True, False]])
    worth = np.array([[0.0, 0.5, 0.0], [0.5, 0.0, 0.0], [0.0, 0.7, 0.0]], np.float32)
    positions = Positions(np.zeros(3, np.int64), np.zeros((3, 1), np.uint8), mask, worth, np.array([1000, 1, 5], np.float32))
    logits = torch.tensor([[9.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    old = torch.log_softmax(logits.masked_fill(~torch.from_numpy(mask), -1e9), 1)
    targets = learn.Fit(doubt=0.0, evenness=0.5).targets(positions, old, 0)
    # Each row counts the same and where nothing can be chosen not at all; a move that is hardly played by half of its share in uniform play.
    assert targets.weights.sum(1).tolist() == pytest.approx([1, 1, 0])
    assert float(targets.weights[0, 1]) == pytest.approx(0.25 / 1.25, abs=1e-3)
    every = torch.arange(3)
    exact = targets.log_probabilities + 7.0
    assert float(targets.loss(exact, every)) == pytest.approx(0, abs=1e-9), "a constant makes no difference"
    # What is asked for an illegal move neither.
    assert float(targets.loss(exact + torch.from_numpy(~mask) * 50, every)) == pytest.approx(0, abs=1e-9)
    given = logits.clone().requires_grad_(True)
    targets.loss(given, every).backward()
    assert given.grad is not None and float(given.grad[0, 1]) < -0.01, "the dropped move is pulled up"


def test_the_choices_of_the_player_who_explores_are_learned() -> None:
    run = learn.FittedRun("leduc", settings=replace(SMALL, lanes=512, exploration=0.5), seed=4)
    choices = run._sample().choices
    explores = run._explores(choices.lane, choices.player)
    legal = choices.mask.sum(1)
    own = np.exp(choices.log_probabilities[np.arange(len(choices)), choices.move])
    assert choices.chance == pytest.approx(np.where(explores, 0.5 * own + 0.5 / legal, own), abs=1e-6)
    assert 0.4 < explores.mean() < 0.6


def test_what_moves_turn_out_to_be_worth_is_unbiased_though_somebody_explores() -> None:
    run = learn.FittedRun("kuhn", settings=replace(SMALL, lanes=20_000, exploration=0.6, last=None), seed=3)
    with torch.no_grad():
        # A policy far from uniform play.
        list(run.net.parameters())[-2].mul_(1000)
    found: dict[bytes, list[np.ndarray]] = {}

    def enumerated(state: croupier.State, reach: dict[str, float]) -> dict[str, float]:
        """What every role wins from here on if all play by the network; on the way, what moves are worth in information sets, by all histories."""
        if state.goals is not None:
            return {role: (state.goals[role] - run._reward_middle[place]) / run.reward_scale for place, role in enumerate(run.space.roles)}
        (role,) = state.acting
        legal = state.legal(role)
        if role == "random":
            ends = [enumerated(state.step({role: move}), reach | {role: reach[role] / len(legal)}) for move in legal]
            return {name: sum(end[name] for end in ends) / len(ends) for name in ends[0]}
        inputs, mask = run.space.of_views([state.view(role)]), run.space.masks([(role, legal)])
        chances = run.net.log_probabilities(inputs, mask).exp()[0].detach().numpy()
        columns = [run.space.observer.column(role, move) for move in legal]
        ends = [enumerated(state.step({role: move}), reach | {role: reach[role] * chances[column]}) for move, column in zip(legal, columns, strict=True)]
        others = math.prod(value for name, value in reach.items() if name != role)
        row = np.zeros(run.space.outputs_count + 1)
        row[columns], row[-1] = [others * end[role] for end in ends], others
        found.setdefault(inputs.numpy().tobytes(), []).append(row)
        return {name: sum(chances[column] * end[name] for column, end in zip(columns, ends, strict=True)) for name in ends[0]}

    enumerated(croupier.State(run.game), {role: 1.0 for role in [*run.space.roles, "random"]})
    sums: dict[bytes, np.ndarray] = {}
    for _ in range(10):
        positions = Positions.of(sampled(run))
        inputs = run.space.inputs(positions.player, positions.observation).numpy()
        for row, count in zip(inputs, positions.choices[:, None] * np.append(positions.worth, np.ones((len(positions), 1)), 1), strict=True):
            sums[row.tobytes()] = sums.get(row.tobytes(), 0) + count
    assert sums.keys() == found.keys() and len(sums) == 12
    for key, total in sums.items():
        expected = np.sum(found[key], 0)
        # Some five standard errors; 0.16 is missing where the choices of those who do not explore count as well.
        assert total[:-1] / total[-1] == pytest.approx(expected[:-1] / expected[-1], abs=0.08)


@pytest.mark.parametrize("name", ["kuhn", "kuhn-3", "goofspiel-4"])
def test_a_short_run_is_far_better_than_uniform_play_and_resumes_to_the_bit(name: str, tmp_path: Path) -> None:
    settings = learn.FitSettings(lanes=256, hidden=(32, 32))
    run = learn.FittedRun(name, settings=settings, seed=1)
    tree = learn.Tree(run.space)
    uniform = tree.evaluate(run.net).nash_conv
    list(run.advance(40))
    run.save(tmp_path / "run")
    resumed = learn.FittedRun.load(tmp_path / "run")
    copied = copy.deepcopy(resumed)
    reports = list(run.advance(40))
    assert list(resumed.advance(40)) == reports == list(copied.advance(40))
    assert all(torch.equal(*pair) for pair in zip(run.average.parameters(), resumed.average.parameters(), strict=True))
    assert tree.evaluate(run.average).nash_conv < 0.25 * uniform
    with pytest.raises(croupier.CroupierError, match="`Run.save` writes one"):
        learn.Run.load(tmp_path / "run")
