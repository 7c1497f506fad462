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
from croupier.learn.batch import Batch  # noqa: E402
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
@pytest.mark.parametrize(("trace", "ratio_max"), [(0.0, 1.0), (0.7, 1.0), (1.0, 1.0), (1.0, math.inf)])
def test_surprises_are_those_of_lanes_replayed_one_at_a_time(name: str, trace: float, ratio_max: float) -> None:
    moments = recorded(name, 60)
    expected: dict[tuple[int, int, int], float] = {}
    for lane in range(7):
        for player in range(len(croupier.load(name).roles)):
            match: list[tuple[int, float, float, float]] = []
            for time, (choices, reward, done) in enumerate(moments):
                for row in np.flatnonzero((choices.lane == lane) & (choices.player == player)):
                    legal = choices.worth[row][choices.mask[row]]
                    drawn = 1 / len(legal) / float(choices.chance[row])
                    match.append((time, float(choices.worth[row, choices.move[row]]), float(legal.mean()), min(ratio_max, drawn)))
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
    trajectories, got = Trajectories(7, len(croupier.load(name).roles), trace, ratio_max), {}
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


def batch_of(run: learn.Run) -> Batch:
    return Batch.of(run.space, run._sample())


def test_the_objective_of_mirror_descent_is_its_definition_row_by_row() -> None:
    run = learn.Run("leduc", learn.Mmd(annealing=1.0), SMALL, seed=4)
    list(run.advance(3))
    # At an annealing of 1 a half of the exploration is left after 3 updates.
    batch, objective = batch_of(run), learn.Mmd(temperature=0.3, step=0.5, annealing=2.0, revival=0.0)
    list(run.advance(1))
    new = run.net.log_probabilities(batch.inputs, batch.mask).detach()
    total, update = 0.0, 6
    for row in range(len(batch)):
        p = {a: math.exp(new[row, a]) for a in range(new.shape[1]) if batch.mask[row, a]}
        old = {a: math.exp(batch.old[row, a]) for a in p}
        played = int(batch.move[row])
        gained = sum(p[a] * float(batch.worth[row, a]) for a in p)
        drawn = 0.95 * old[played] + 0.05 / len(p)
        gained += p[played] / drawn * float(batch.surprise[row])
        from_magnet = sum(p[a] * math.log(p[a] * len(p)) for a in p)
        from_old = sum(p[a] * math.log(p[a] / old[a]) for a in p)
        # After 6 updates at an annealing of 2 both have fallen to a half.
        total += gained - 0.15 * from_magnet - from_old / 0.25 + 0.15 * math.log(len(p))
    assert float(objective.loss(new, batch, update)) == pytest.approx(-total / len(batch), abs=1e-4)


def test_a_move_that_was_dropped_comes_back_where_the_critic_finds_it_good() -> None:
    batch = batch_of(learn.Run("kuhn", settings=SMALL, seed=4)).rows(torch.tensor([0]))
    logits = torch.tensor([[9.0, 0.0]]).masked_fill(~batch.mask[:, :2], 0)
    columns = torch.nonzero(batch.mask[0])[:, 0]
    full = torch.full_like(batch.old, -1e9)
    full[0, columns] = logits[0]
    probabilities = torch.softmax(full, 1)
    # The second move is worth 0.5 more than what is played instead.
    worth = torch.zeros_like(full)
    worth[0, columns[1]] = 0.5
    batch = replace(batch, move=columns[:1], chance=torch.ones(1), old=torch.log_softmax(full, 1), surprise=torch.zeros(1),
                    worth=(worth - (probabilities * worth).sum(1, keepdim=True)) * batch.mask)  # fmt: skip

    def pull(revival: float) -> float:
        given = full.clone().requires_grad_(True)
        learn.Mmd(temperature=1e-6, revival=revival).loss(torch.log_softmax(given, 1), batch, 0).backward()
        assert given.grad is not None
        return -float(given.grad[0, columns[1]])

    rare = float(probabilities[0, columns[1]])
    assert pull(0.0) == pytest.approx(rare * (1 - rare) * 0.5, rel=1e-3), "its own probability is a factor"
    # Half of the push in logits that sum to 0 is that of the other one.
    assert pull(0.2) == pytest.approx((0.1 - rare) * 0.5 / 2, rel=0.02)


def test_the_clipped_objective_stops_pushing() -> None:
    run = learn.Run("leduc", learn.Ppo(), replace(SMALL, exploration=0.0), seed=4)
    batch = batch_of(run)
    new = batch.old.clone().requires_grad_(True)
    learn.Ppo(clip=0.2, entropy=1e-9).loss(new, batch, 0).backward()
    assert new.grad is not None
    advantage = batch.of_move(batch.worth) + batch.surprise
    # At the old policy it is the gradient of policies: minus the advantage over the number of rows.
    assert torch.allclose(batch.of_move(new.grad), -advantage / len(batch), atol=1e-5)
    doubled = (batch.old + math.log(2)).requires_grad_(True)
    learn.Ppo(clip=0.2, entropy=1e-9).loss(doubled, batch, 0).backward()
    assert doubled.grad is not None
    pushed = batch.of_move(doubled.grad)
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


def test_a_checkpoint_from_before_ratios_could_stay_whole_is_resumed(tmp_path: Path) -> None:
    run = learn.Run("kuhn", settings=SMALL, seed=1)
    list(run.advance(2))
    del run._trajectories.__dict__["ratio_max"]
    run.save(tmp_path / "run")
    assert list(learn.Run.load(tmp_path / "run").advance(2)) == list(run.advance(2))


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
    run = learn.FittedRun.load(checkpoint)
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
