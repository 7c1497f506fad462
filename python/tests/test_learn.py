"""Learning: trajectories and objectives against slow ones, short runs against bounds, checkpoints to the bit, and the command."""

from __future__ import annotations

import copy
import csv
import math
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import croupier
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="croupier.learn needs PyTorch: pip install 'croupier[learn]'")

from croupier import learn  # noqa: E402
from croupier.learn.__main__ import main  # noqa: E402
from croupier.learn.alike import Alike  # noqa: E402
from croupier.learn.batch import Batch  # noqa: E402
from croupier.learn.losses import of_moves  # noqa: E402
from croupier.learn.positions import Positions  # noqa: E402
from croupier.learn.trajectories import Choices, Finished, Trajectories  # noqa: E402

#: A run of some seconds.
SMALL = learn.Settings(lanes=32, steps=8, last=0, hidden=(32, 32))


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def bits(run: learn.Run) -> list[bytes]:
    weights = [*run.net.parameters(), *run.average.parameters()]
    return [tensor.detach().numpy().tobytes() for tensor in weights]


def recorded(name: str, steps: int) -> list[tuple[Choices, np.ndarray, np.ndarray]]:
    """Choices drawn uniformly in some lanes, with worths that are drawn too; and what came of each step."""
    env, rng = croupier.VectorEnv(name, lanes=7, seed=2), np.random.default_rng(3)
    found = []
    for _ in range(steps):
        step = env.last_step
        lane, player = np.nonzero(step.acting)
        mask = step.mask[lane, player] == 1
        old = np.where(mask, -np.log(mask.sum(1, keepdims=True)), -1e9).astype(np.float32)
        worth = rng.normal(size=mask.shape).astype(np.float32) * mask
        actions = env.sample(rng)
        observation, move = step.observation[lane, player], actions[lane, player].astype(np.int64)
        # Some of what was drawn is likelier by the policy, some less likely.
        chance = (np.exp(old[np.arange(len(move)), move]) * rng.uniform(0.7, 2.0, len(move))).astype(np.float32)
        choices = Choices(lane, player, observation, observation, mask, move, chance, old, worth)
        step = env.step(actions)
        found.append((choices, step.reward.copy(), step.done == 1))
    return found


@pytest.mark.parametrize("name", ["leduc", "goofspiel-4", "kuhn-3"])
@pytest.mark.parametrize("trace", [0.0, 0.7, 1.0])
def test_surprises_are_those_of_lanes_replayed_one_at_a_time(name: str, trace: float) -> None:
    moments = recorded(name, 60)
    expected: dict[tuple[int, int, int], float] = {}
    for lane in range(7):
        for player in range(len(croupier.load(name).roles)):
            match: list[tuple[int, float, float, float]] = []
            for time, (choices, reward, done) in enumerate(moments):
                for row in np.flatnonzero((choices.lane == lane) & (choices.player == player)):
                    legal = choices.worth[row][choices.mask[row]]
                    drawn = 1 / len(legal) / float(choices.chance[row])
                    match.append((time, float(choices.worth[row, choices.move[row]]), float(legal.mean()), drawn))
                if done[lane]:
                    for place, (begun, *_) in enumerate(match):
                        # The definition: all later errors, each faded once more for every choice in between.
                        later = match[place:]
                        ends = [*(mean for _, _, mean, _ in later[1:]), float(reward[lane, player])]
                        errors = [end - worth for end, (_, worth, _, _) in zip(ends, later, strict=True)]
                        fades = np.cumprod([1.0, *(trace * cut for _, _, _, cut in later[1:])])
                        expected[begun, lane, player] = float(fades @ errors)
                    match = []
    # In pieces of odd sizes, so that matches go on from one to the next.
    trajectories, got = Trajectories(7, len(croupier.load(name).roles), trace), {}
    times = {id(choices.worth): time for time, (choices, _, _) in enumerate(moments)}
    stamped = [Choices(*(getattr(c, f) for f in ("lane", "player", "observation")), np.full((len(c), 1), times[id(c.worth)], np.uint8), c.mask, c.move, c.chance, c.log_probabilities, c.worth) for c, _, _ in moments]
    for time, (choices, (_, reward, done)) in enumerate(zip(stamped, moments, strict=True)):
        trajectories.add(choices, reward, done)
        if time % 13 == 12 or time == len(moments) - 1:
            taken = trajectories.take()
            for row in range(len(taken)):
                c = taken.choices
                key = (int(c.state[row, 0]), int(c.lane[row]), int(c.player[row]))
                assert key not in got, "every choice is used once"
                got[key] = float(taken.surprise[row])
    assert got.keys() == expected.keys() and len(got) > 50
    assert [got[key] for key in expected] == pytest.approx(list(expected.values()), abs=1e-2)
    assert len(trajectories) == sum(len(c) for c in stamped) - len(got)


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
    run = learn.Run("leduc", settings=SMALL, seed=4)
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
    run = learn.Run("leduc", settings=SMALL, seed=4)
    list(run.advance(3))
    positions = Positions.of(sampled(run))
    inputs, mask = run.space.inputs(positions.player, positions.observation), torch.from_numpy(positions.mask)
    old = run.net.log_probabilities(inputs, mask).detach()
    # After 6 updates at an annealing of 2 both have fallen to a half.
    found = learn.Mmd(temperature=0.3, step=1.0, annealing=2.0, doubt=4.0).targets(positions, old, 6).log_probabilities

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
    targets = learn.Mmd(doubt=0.0, evenness=0.5).targets(positions, old, 0)
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
    run = learn.Run("leduc", settings=replace(SMALL, lanes=512, exploration=0.5), seed=4)
    choices = run._sample().choices
    explores = run._explores(choices.lane, choices.player)
    legal = choices.mask.sum(1)
    own = np.exp(choices.log_probabilities[np.arange(len(choices)), choices.move])
    assert choices.chance == pytest.approx(np.where(explores, 0.5 * own + 0.5 / legal, own), abs=1e-6)
    assert 0.4 < explores.mean() < 0.6


def test_what_moves_turn_out_to_be_worth_is_unbiased_though_somebody_explores() -> None:
    run = learn.Run("kuhn", settings=replace(SMALL, lanes=20_000, exploration=0.6, last=None), seed=3)
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


def test_the_clipped_objective_stops_pushing() -> None:
    run = learn.Run("leduc", learn.Ppo(), replace(SMALL, exploration=0.0), seed=4)
    finished = run._sample()
    batch, old = Batch.of(run.space, finished), torch.from_numpy(finished.choices.log_probabilities)
    new = old.clone().requires_grad_(True)
    learn.Ppo(clip=0.2, entropy=1e-9).loss(new, batch, 0).backward()
    assert new.grad is not None
    advantage = torch.from_numpy(finished.outcome() - finished.choices.expected_worth())
    # At the old policy it is the gradient of policies: minus the advantage over the number of rows.
    assert torch.allclose(of_moves(new.grad, batch.move), -advantage / len(batch), atol=1e-5)
    doubled = (old + math.log(2)).requires_grad_(True)
    learn.Ppo(clip=0.2, entropy=1e-9).loss(doubled, batch, 0).backward()
    assert doubled.grad is not None
    pushed = of_moves(doubled.grad, batch.move)
    assert (pushed[advantage > 1e-3].abs() < 1e-6).all() and (pushed[advantage < -1e-3] > 0).all()


@pytest.mark.parametrize("algorithm", [learn.Mmd(), learn.Ppo()])
def test_a_short_run_of_kuhn_is_far_better_than_uniform_play(algorithm: learn.Mmd | learn.Ppo) -> None:
    run = learn.Run("kuhn", algorithm, SMALL, seed=1)
    tree = learn.Tree(run.space)
    assert tree.evaluate(run.net).nash_conv == pytest.approx(0.9167, abs=0.03), "it begins all but uniform"
    reports = list(run.advance(150))
    assert [report.update for report in reports] == list(range(1, 151))
    assert tree.evaluate(run.average).nash_conv < 0.25
    assert reports[-1].value_loss < reports[0].value_loss


def test_the_same_seed_gives_the_same_bits_and_another_one_others() -> None:
    def run(seed: int) -> list[bytes]:
        made = learn.Run("leduc", settings=SMALL, seed=seed)
        list(made.advance(3))
        return bits(made)

    torch.manual_seed(5)
    first = run(1)
    torch.manual_seed(6)
    assert run(1) == first and run(2) != first


@pytest.mark.parametrize("name", ["leduc", "goofspiel-4"])
def test_a_resumed_run_is_an_uninterrupted_one_to_the_bit(name: str, tmp_path: Path) -> None:
    whole = learn.Run(name, settings=SMALL, seed=1)
    list(whole.advance(3))
    whole.save(tmp_path / "run")
    copied = copy.deepcopy(learn.Run.load(tmp_path / "run"))
    ahead = list(whole.advance(4))
    resumed = learn.Run.load(tmp_path / "run")
    assert list(resumed.advance(4)) == ahead
    assert bits(resumed) == bits(whole) and resumed.choices == whole.choices
    assert list(copied.advance(4)) == ahead
    assert [file.name for file in tmp_path.iterdir()] == ["run"]


def test_what_is_no_checkpoint_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run"
    for content in (b"", b"no pickle", b"\x80\x05N."):
        path.write_bytes(content)
        with pytest.raises(croupier.CroupierError, match="checkpoint"):
            learn.Run.load(path)
    with pytest.raises(FileNotFoundError):
        learn.Run.load(tmp_path / "nothing")


def test_inputs_are_the_same_from_lanes_and_from_views() -> None:
    env = croupier.VectorEnv("leduc", lanes=1, seed=1, last=2)
    space = learn.Space(env.game, 2)
    assert space.inputs_count == 2 + max(map(len, env.features.values())) and space.outputs_count == 5
    sets = croupier.information_sets(env.game)
    seen = {row.numpy().tobytes() for row in space.of_views(view for view, _ in sets)}
    for _ in range(50):
        step = env.last_step
        lane, player = np.nonzero(step.acting)
        (row,) = space.inputs(player, step.observation[lane, player])
        assert row.numpy().tobytes() in seen
        assert row[:2].tolist() == [float(player[0] == place) for place in range(2)]
        env.step(env.sample(np.random.default_rng(1)))
    view, moves = sets[0]
    (mask,) = space.masks([(view.role, moves)])
    assert [name for name, bit in zip(space.moves[view.role], mask, strict=False) if bit] == moves


def test_the_smallest_last_tells_all_information_sets_apart(kuhn: croupier.Game, leduc: croupier.Game) -> None:
    assert learn.smallest_last(kuhn) == 0 and learn.smallest_last(leduc) == 7
    rows = learn.Space(leduc, 7).of_views(view for view, _ in croupier.information_sets(leduc))
    assert len(torch.unique(rows, dim=0)) == 936
    fewer = learn.Space(leduc, 6).of_views(view for view, _ in croupier.information_sets(leduc))
    assert len(torch.unique(fewer, dim=0)) < 936


def test_a_network_is_a_policy_and_plays_a_match_by_it() -> None:
    run = learn.Run("leduc", settings=SMALL, seed=1)
    list(run.advance(3))
    policy, player = learn.policy(run.net), learn.NetPlayer(run.net)
    assert len(policy) == 936
    for seed in range(5):
        match = croupier.Match(run.game, seed=seed)
        while not match.is_over:
            chosen = {}
            for role in match.acting:
                view, legal = match.view(role), match.legal(role)
                probabilities = player(view, legal)
                assert list(probabilities) == legal and sum(probabilities.values()) == pytest.approx(1)
                assert probabilities == pytest.approx(policy[view], abs=1e-6)
                agent = croupier.Agent(policy, run.game, role)
                assert agent.decide(view).strategy == policy[view]
                chosen[role] = max(legal, key=lambda move: probabilities[move])
            match.step(chosen)
    with pytest.raises(croupier.CroupierError, match="rules differ"):
        player(croupier.Match(croupier.load("kuhn")).view("alice"), ["bet"])
    with pytest.raises(croupier.CroupierError, match="without legal moves"):
        player(croupier.Match(run.game).view("alice"), [])


def test_a_game_without_chance_or_with_choices_at_once_is_learned() -> None:
    for name in ("tic-tac-toe", "goofspiel-4", "kuhn-3"):
        run = learn.Run(name, settings=SMALL, seed=1)
        assert all(math.isfinite(report.policy_loss + report.value_loss) for report in run.advance(2))


def test_without_pytorch_it_says_what_to_install() -> None:
    program = "import sys; sys.modules['torch'] = None; import croupier.learn"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "pip install 'croupier[learn]'" in done.stderr.splitlines()[-1]


def test_the_examples_of_the_guide_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("onnx")
    guide = (Path(__file__).parents[2] / "docs" / "learning.md").read_text(encoding="utf-8")
    examples = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    assert len(examples) == 7
    long = r"advance\(\d+\)|PARTS = \d+|deals=\d+"
    assert sum(re.search(long, example) is not None for example in examples) == 5, "those that take long are cut short"
    monkeypatch.chdir(tmp_path)
    for example in examples:
        for at_length, cut in ((r"advance\(\d+\)", "advance(1)"), (r"PARTS = \d+", "PARTS = 1"), (r"deals=\d+", "deals=1")):
            example = re.sub(at_length, cut, example)
        exec(example, {})
    assert sorted(file.name for file in tmp_path.iterdir()) == ["leduc.onnx", "leduc.run", "ppo.onnx"]


def command(tmp_path: Path, *arguments: object) -> int:
    small = ["--lanes", 32, "--steps", 8, "--hidden", "16", "--last", 0]
    return main([str(argument) for argument in ["kuhn", "-o", tmp_path / "net.onnx", *small, *arguments]])


def test_the_command_goes_on_from_its_checkpoint(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("onnx")
    curve, checkpoint, policy = tmp_path / "curve.csv", tmp_path / "run", tmp_path / "policy.json"
    files = ["--curve", curve, "--checkpoint", checkpoint, "--policy", policy]
    assert command(tmp_path, "--updates", 4, *files) == 0
    assert command(tmp_path, "--updates", 9, *files) == 0
    resumed = (tmp_path / "net.onnx").read_bytes()
    rows = list(csv.DictReader(curve.open()))
    assert [int(row["update"]) for row in rows] == [1, 5]
    assert 0.5 < float(rows[0]["nash_conv"]) < 1.2
    told = capsys.readouterr()
    assert "NashConv" in told.out and "9 updates" in told.out and "choices" in told.err
    assert command(tmp_path, "--updates", 9) == 0
    assert (tmp_path / "net.onnx").read_bytes() == resumed, "the file depends on the seed and the updates alone"
    run = learn.Run.load(checkpoint)
    assert croupier.Policy.load(policy) == learn.policy(run.average)


def test_the_command_says_what_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("onnx")
    path = tmp_path / "run"
    learn.Run("kuhn", settings=SMALL, seed=1).save(path)
    for arguments, words in (
        (["--checkpoint", path, "--seed", 2], "seed 1"),
        (["--checkpoint", path, "--seed", 1, "--algorithm", "ppo"], "mmd"),
        (["--curve", tmp_path / "no" / "curve.csv"], "no folder"),
    ):
        assert command(tmp_path, *arguments) == 1
        assert words in capsys.readouterr().err
    for arguments in (["--minutes", "-1"], ["--updates", "x"], ["--hidden", "a"], ["--updates", 1, "--minutes", 1]):
        with pytest.raises(SystemExit):
            command(tmp_path, *arguments)
        assert "error" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    assert command(tmp_path, "--tensorboard", tmp_path / "board") == 1
    assert "pip install tensorboard" in capsys.readouterr().err
    assert main(["no-such-game", "-o", str(tmp_path / "x.onnx")]) == 1
    assert "croupier.games()" in capsys.readouterr().err
