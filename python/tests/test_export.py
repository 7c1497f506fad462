"""Modules of anybody as files: what torch computes, what a runtime of ONNX computes, and what a seat plays."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import croupier
import numpy as np
import pytest
from test_onnx import run

torch = pytest.importorskip("torch", reason="croupier.learn needs PyTorch: pip install 'croupier[learn]'")
onnx = pytest.importorskip("onnx", reason="croupier.learn needs ONNX: pip install 'croupier[learn]'")

from croupier import learn  # noqa: E402
from torch import nn  # noqa: E402


class Residual(nn.Module):
    """Branches, constants, and a head that is scaled."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.first, self.inner, self.gate = nn.Linear(inputs, 12), nn.Linear(12, 12, bias=False), nn.Linear(12, 12)
        self.head, self.value = nn.Linear(12, outputs), nn.Linear(12, 1)
        self.register_buffer("centre", torch.linspace(-1, 1, 12))
        self.dropout = nn.Dropout(0.5)

    def forward(self, observation: Any) -> Any:
        hidden = torch.tanh(self.first(observation - 0.25))
        gate = torch.sigmoid(self.gate(hidden))
        hidden = (1 - gate) * hidden + self.inner(self.dropout(hidden)) * gate
        hidden = 2.0 * nn.functional.silu(hidden - self.centre) / 3
        return self.head(hidden) - self.value(hidden) + hidden @ self.head.weight.T


def plain(inputs: int, outputs: int) -> Any:
    return nn.Sequential(nn.Linear(inputs, 10), nn.ReLU(), nn.Linear(10, outputs))


def normalised(inputs: int, outputs: int) -> Any:
    module = nn.Sequential(nn.Linear(inputs, 10), nn.BatchNorm1d(10), nn.LeakyReLU(0.1), nn.Flatten(), nn.Linear(10, outputs))
    module(torch.randn((64, inputs)))
    return module


def last_is_rectified(inputs: int, outputs: int) -> Any:
    return nn.Sequential(nn.Linear(inputs, outputs), nn.ReLU())


class Parts(nn.Module):
    """Parts of a row, put together again, and shares of them."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.first, self.norm, self.head = nn.Linear(inputs, 12), nn.LayerNorm(12), nn.Linear(17, outputs)

    def forward(self, observation: Any) -> Any:
        hidden = self.norm(self.first(observation))
        shares = torch.softmax(hidden[:, 2:6], 1)
        mean, size = hidden.mean(1, keepdim=True), (hidden * hidden).sum(-1, keepdim=True)
        spread = hidden / torch.sqrt(size + 1e-3)
        return self.head(torch.cat([spread, shares[:, ::2] * hidden[:, -1:], hidden.narrow(1, 3, 2), mean], dim=1))


MODULES: list[Callable[[int, int], Any]] = [plain, Residual, normalised, last_is_rectified, Parts]


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
@pytest.mark.parametrize("make", MODULES)
def test_a_module_is_computed_alike_and_takes_a_seat(name: str, make: Callable[[int, int], Any], tmp_path: Path) -> None:
    game, path = croupier.load(name), tmp_path / "module.onnx"
    shape = croupier.FunctionPolicy(game, lambda observations, masks: masks)
    torch.manual_seed(1)
    module = make(shape.inputs, shape.outputs)
    module.train()
    learn.export(module, game, path)
    assert all(part.training for part in module.modules())
    module.eval()
    sets = croupier.information_sets(game)[:200]
    rows = shape.of_views([view for view, _ in sets])
    with torch.no_grad():
        expected = module(torch.from_numpy(rows)).numpy()
    for part in (slice(0, 1), slice(None)):
        assert np.abs(run(path, rows[part]) - expected[part]).max() < 1e-5 * max(1.0, np.abs(expected).max())
    # The evaluator of seats: its probabilities are the softmax of the same logits.
    table = croupier.FunctionPolicy(game, module).policy()
    players = {role: croupier.Agent(f"net:{path}", game, role) for role in game.roles}
    for view, _ in sets[:: max(1, len(sets) // 20)]:
        assert players[view.role].decide(view).strategy == pytest.approx(table[view], abs=1e-5)
    before = path.read_bytes()
    learn.export(module, game, path)
    assert path.read_bytes() == before


def test_the_command_line_plays_it(tmp_path: Path, command: Callable[..., str]) -> None:
    game, path = croupier.load("kuhn"), tmp_path / "module.onnx"
    shape = croupier.FunctionPolicy(game, lambda observations, masks: masks)
    module = Residual(shape.inputs, shape.outputs)
    learn.export(module, game, path)
    command("play", "kuhn", "--seat", f"alice=net:{path}", "--seat", "bob=random", "-n", 3, "--seed", 1)


def test_a_net_of_ours_is_the_same_file_either_way(tmp_path: Path) -> None:
    game = croupier.load("leduc")
    net = learn.Net(learn.Space(game, 3), (8,))
    learn.export(net, tmp_path / "one")
    learn.export(net, game, tmp_path / "two")
    learn.export(net.layers, game, tmp_path / "three", last=3)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes() == (tmp_path / "three").read_bytes()
    for wrong in (lambda: learn.export(net, croupier.load("kuhn"), tmp_path / "four"), lambda: learn.export(net, game, tmp_path / "four", last=2)):
        with pytest.raises(croupier.CroupierError, match="made for 'leduc'"):
            wrong()
    with pytest.raises(TypeError):
        learn.export(net.layers, tmp_path / "four")
    assert not (tmp_path / "four").exists()


@pytest.mark.parametrize(
    ("layer", "operator"), [(nn.GELU(), "gelu"), (nn.Softmax(0), "softmax"), (nn.ELU(), "elu"), (nn.Softplus(), "softplus")]
)
def test_what_a_seat_cannot_compute_is_named(layer: Any, operator: str, tmp_path: Path) -> None:
    game = croupier.load("kuhn")
    shape = croupier.FunctionPolicy(game, lambda observations, masks: masks)
    module = nn.Sequential(nn.Linear(shape.inputs, 10), layer, nn.Linear(10, shape.outputs))
    with pytest.raises(croupier.CroupierError, match=f"cannot compute the operator '{operator}'.*it computes .*linear"):
        learn.export(module, game, tmp_path / "no.onnx")
    assert not any(tmp_path.iterdir())


def test_other_shapes_and_weights_that_diverged_are_refused(tmp_path: Path) -> None:
    game = croupier.load("kuhn")
    shape = croupier.FunctionPolicy(game, lambda observations, masks: masks)
    with pytest.raises(croupier.CroupierError, match="must give logits of shape"):
        learn.export(plain(shape.inputs, shape.outputs + 1), game, tmp_path / "no.onnx")
    module = plain(shape.inputs, shape.outputs)
    with torch.no_grad():
        module[0].weight[0, 0] = float("nan")
    with pytest.raises(croupier.CroupierError, match="not all finite"):
        learn.export(module, game, tmp_path / "no.onnx")
    assert not any(tmp_path.iterdir())
