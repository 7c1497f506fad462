"""Rollouts for loops of one's own: beside sums over each match, and the loop of the guide."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import croupier
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="croupier.learn needs PyTorch: pip install 'croupier[learn]'")

from croupier import learn  # noqa: E402

GUIDE = Path(__file__).parent.parent.parent / "docs" / "learning.md"


@pytest.mark.parametrize("name", ["kuhn", "leduc", "goofspiel-4", "liars-dice", "kuhn-3"])
@pytest.mark.parametrize("trace", [0.0, 0.8, 1.0])
def test_advantages_are_sums_over_the_rest_of_the_match(name: str, trace: float) -> None:
    """Every choice comes once, with what follows from the player's later choices and the result, computed match by match."""
    env = croupier.VectorEnv(name, 9, seed=4)
    rollout, draws = learn.Rollout(env, trace), np.random.default_rng(2)
    under_way: dict[tuple[int, int], list[tuple[bytes, int, float, float]]] = {}
    expected: list[tuple[bytes, int, float, float, float]] = []
    found: list[tuple[bytes, int, float, float, float]] = []
    for step in range(60):
        choices = env.choices()
        values = draws.normal(size=len(choices.lane)).astype(np.float32)
        drawn = env.step_policy(draws.normal(size=choices.masks.shape).astype(np.float32))
        rollout.add(choices, values if step % 2 else torch.from_numpy(values), drawn)
        for row, (lane, player) in enumerate(zip(choices.lane.tolist(), choices.player.tolist(), strict=True)):
            move = int(drawn.actions[lane, player])
            told = choices.inputs[row].tobytes(), move, float(drawn.log_probabilities[row]), float(values[row])
            under_way.setdefault((lane, player), []).append(told)
        for lane in np.flatnonzero(drawn.step.done).tolist():
            for player in range(len(env.roles)):
                path = under_way.pop((lane, player), [])
                advantage, after = 0.0, float(drawn.step.reward[lane, player])
                for inputs, move, log, value in reversed(path):
                    advantage = after - value + trace * advantage
                    expected.append((inputs, move, log, advantage, value + advantage))
                    after = value
        if step % 7 == 6:
            batch = rollout.take()
            rows = zip(batch.inputs.numpy(), *(part.tolist() for part in (batch.moves, batch.log_probabilities, batch.advantages, batch.returns)), strict=True)
            found += [(row[0].tobytes(), *row[1:]) for row in rows]
            assert batch.masks[torch.arange(len(batch)), batch.moves].all()
            assert len(rollout) == sum(map(len, under_way.values()))
    batch = rollout.take()
    rows = zip(batch.inputs.numpy(), *(part.tolist() for part in (batch.moves, batch.log_probabilities, batch.advantages, batch.returns)), strict=True)
    found += [(row[0].tobytes(), *row[1:]) for row in rows]
    assert len(found) == len(expected) > 40
    for one, other in zip(sorted(found), sorted(expected), strict=True):
        assert one[:2] == other[:2] and one[2:] == pytest.approx(other[2:], abs=1e-4)
    assert len(batch.rows(torch.arange(len(batch))[:1])) <= 1 and len(batch.to("cpu")) == len(batch)


def test_losses_are_their_definitions() -> None:
    generator = torch.Generator().manual_seed(1)
    logits = torch.randn((6, 4), generator=generator)
    masks = torch.tensor([[True, True, False, True]] * 6)
    logs = learn.log_probabilities(logits, masks)
    legal = logits[:, [0, 1, 3]]
    assert torch.allclose(logs[:, [0, 1, 3]], torch.log_softmax(legal, 1)) and (logs[:, 2].exp() == 0).all()
    assert learn.entropy(logs).item() == pytest.approx(torch.distributions.Categorical(logits=legal).entropy().mean().item(), abs=1e-6)
    moves = torch.tensor([0, 1, 3, 0, 1, 3])
    assert learn.of_moves(logs, moves).tolist() == [logs[row, move].item() for row, move in enumerate(moves.tolist())]
    ratio, advantages = torch.tensor([0.5, 1.1, 2.0, 0.5, 1.1, 2.0]), torch.tensor([1.0, 1, 1, -1, -1, -1])
    expected = np.mean([0.5, 1.1, 1.2, -0.8, -1.1, -2.0])
    assert learn.clipped_gain(ratio, advantages, 0.2).item() == pytest.approx(expected, abs=1e-6)


def test_the_ppo_of_the_guide_learns_in_sixty_lines(tmp_path: Path) -> None:
    (code,) = re.findall(r"<!-- file: ppo.py -->\n```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(code.splitlines()) <= 60
    (tmp_path / "ppo.py").write_text(code, encoding="utf-8")
    threads = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "ppo.py"], cwd=tmp_path, env=threads, capture_output=True, text=True, timeout=500, check=False)
    assert done.returncode == 0, done.stderr
    # Uniform play has 0.917.
    assert 0 < float(done.stdout) < 0.45
    game = croupier.load("kuhn")
    assert croupier.Agent(f"net:{tmp_path / 'ppo.onnx'}", game, "alice").kind.startswith("net:")


def test_a_device_is_passed_through() -> None:
    settings = learn.Settings(lanes=32, steps=8, hidden=(8,))
    run = learn.Run("kuhn", learn.Ppo(), settings, seed=1, device="cpu")
    plain = learn.Run("kuhn", learn.Ppo(), settings, seed=1)
    list(run.advance(2)), list(plain.advance(2))
    for one, other in zip(run.net.parameters(), plain.net.parameters(), strict=True):
        assert one.device == torch.device("cpu") and torch.equal(one, other)
    for make in (
        lambda: learn.Run("kuhn", settings=settings, device="no such device"),
        lambda: learn.DeepCfr("kuhn", device="no such device"),
        lambda: learn.BeliefRun("kuhn", device="no such device"),
    ):
        with pytest.raises(RuntimeError):
            make()


def test_the_command_refuses_a_device_that_there_is_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from croupier.learn.__main__ import main

    assert main(["kuhn", "--device", "banana", "--updates", "1", "-o", str(tmp_path / "net.onnx")]) == 1
    assert "cannot compute on banana" in capsys.readouterr().err
