"""`python -m croupier.learn` as people use it: stopped, gone on with, and asked for what cannot be."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path
from typing import Self

import croupier
import pytest

learn = pytest.importorskip("croupier.learn", reason="croupier.learn needs PyTorch: pip install 'croupier[learn]'")
pytest.importorskip("onnx")

import torch  # noqa: E402
from croupier.learn import __main__ as command  # noqa: E402
from croupier.learn.__main__ import main  # noqa: E402
from torch import nn  # noqa: E402

SMALL = ["--hidden", "16", "--seed", "3"]


@pytest.mark.parametrize(
    "options",
    [["--algorithm", "mmd", "--lanes", "64"], ["--algorithm", "fit", "--lanes", "64"], ["--algorithm", "rebel", "--iterations", "8"]],
)
def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Interrupted(command.Stop):
        def __enter__(self) -> Self:
            threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
            return super().__enter__()

    def learned(name: str, *more: str) -> bytes:
        path = tmp_path / name
        assert main(["kuhn", *options, *SMALL, "-o", str(path), *more]) == 0
        return path.read_bytes()

    run = str(tmp_path / "run")
    with monkeypatch.context() as patched:
        patched.setattr(command, "Stop", Interrupted)
        learned("stopped.onnx", "--checkpoint", run, "--minutes", "1")
    told = capsys.readouterr()
    assert "stopping after this update" in told.err
    made = int(told.out.split(" after ")[1].split()[0])
    wanted = str(made + 16)
    assert learned("gone-on.onnx", "--checkpoint", run, "--updates", wanted) == learned("at-once.onnx", "--updates", wanted)


def test_what_cannot_be_is_refused_before_anything_is_learned(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    net, run, folder = str(tmp_path / "a.onnx"), str(tmp_path / "a.run"), str(tmp_path)
    small = ["kuhn", *SMALL, "--updates", "2", "--lanes", "32", "-o", net]
    assert main([*small, "--algorithm", "mmd", "--checkpoint", run]) == 0
    for more, said in [
        (["--algorithm", "mmd", "--checkpoint", run, "--temperature", "0.7"], "with --temperature"),
        (["--algorithm", "mmd", "--checkpoint", run, "--hidden", "8"], "with --hidden 16"),
        (["--algorithm", "fit", "--checkpoint", run], "is a run of mmd"),
        (["--algorithm", "rebel"], "--lanes is no option of rebel, only of fit, mmd, ppo"),
        (["--algorithm", "mmd", "--entropy", "1"], "--entropy is no option of mmd"),
        (["--choices", "1"], "--choices is no option of fit, only of rebel, sog"),
        (["--checkpoint", net], "different names"),
        (["-o", folder], "it is a folder"),
        (["-o", f"{folder}/none/a.onnx"], "there is no folder"),
        (["-o", "/proc/a.onnx"], "cannot write /proc/a.onnx:"),
        (["--threads", "100000"], "is more than 1024"),
        (["--algorithm", "mmd", "--learning-rate", "1e30", "--updates", "40"], "the training has diverged after"),
    ]:
        capsys.readouterr()
        assert main([*small, *more]) == 1, more
        assert said in capsys.readouterr().err, more
    rebel = ["kuhn", "--algorithm", "rebel", "--iterations", "8", "-o", net, "--updates", "40"]
    assert main([*rebel, "--learning-rate", "1e30"]) == 1
    assert "the training has diverged after" in capsys.readouterr().err
    assert main([*rebel, "--checkpoint", run]) == 1
    assert "a checkpoint of another kind of run" in capsys.readouterr().err


def test_the_times_of_a_curve_go_on(tmp_path: Path) -> None:
    curve = tmp_path / "curve.csv"
    options = ["kuhn", *SMALL, "--algorithm", "mmd", "--lanes", "32", "-o", str(tmp_path / "a.onnx"), "--checkpoint", str(tmp_path / "run")]
    for updates in ("1", "2", "3"):
        assert main([*options, "--updates", updates, "--curve", str(curve)]) == 0
    rows = [line.split(",") for line in curve.read_text().splitlines()]
    assert [row[0] for row in rows] == ["update", "1", "2", "3"]
    for column in (2, 3):
        times = [float(row[column]) for row in rows[1:]]
        assert times == sorted(times), rows


def test_a_game_of_a_folder_is_called_as_the_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "quux"
    folder.mkdir()
    (folder / "rules.gdl").write_text(croupier.load("kuhn").rules)
    assert main([str(folder), *SMALL, "--updates", "1", "--lanes", "32", "-o", str(tmp_path / "q.onnx"), "--network", "recurrent"]) == 0
    assert "q.onnx: quux after 1 updates" in capsys.readouterr().out


def test_modules_are_asked_as_in_a_seat_and_stay_as_they_are() -> None:
    game = croupier.load("kuhn")
    sizes = croupier.FunctionPolicy(game, lambda observations, masks: masks)
    torch.manual_seed(1)
    net = nn.Sequential(nn.Linear(sizes.inputs, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Dropout(0.5), nn.Linear(16, sizes.outputs))
    net[0].eval()
    before = {name: value.clone() for name, value in net.state_dict().items()}
    found = {croupier.evaluate(game, net).nash_conv for _ in range(3)}
    assert len(found) == 1 and [part.training for part in net] == [False, True, True, True, True]
    assert all(value.equal(before[name]) for name, value in net.state_dict().items())
    net.eval()
    assert found == {croupier.evaluate(game, net).nash_conv}
    net.train()
    view, moves = next((view, moves) for view, moves in croupier.information_sets(game) if view.role == "alice")
    assert croupier.Agent(net, game, "alice").choose(view) in moves


def test_seeds_have_128_bits() -> None:
    found = {tuple(learn.Run("kuhn", settings=learn.Settings(lanes=8, hidden=(4,)), seed=seed).net.layers[0].weight.flatten().tolist()) for seed in (1, 2**64, 2**100)}
    assert len(found) == 3
    learn.Rebel("kuhn", learn.RebelSettings(iterations=2, hidden=(4,)), seed=2**128 - 1).advance(1)


def test_networks_that_diverged_are_not_written(tmp_path: Path) -> None:
    run = learn.Rebel("kuhn", learn.RebelSettings(iterations=2, hidden=(4,)), seed=1)
    with torch.no_grad():
        run.average.layers[0].weight[0, 0] = torch.nan
    with pytest.raises(croupier.CroupierError, match="weights that are not finite"):
        run.export(tmp_path / "a.onnx")
    assert not (tmp_path / "a.onnx").exists()
