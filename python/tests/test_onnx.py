"""Networks as ONNX files: the contract that other programs rely on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import croupier
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="croupier.learn needs PyTorch: pip install 'croupier[learn]'")
onnx = pytest.importorskip("onnx", reason="croupier.learn needs ONNX: pip install 'croupier[learn]'")

from croupier import learn  # noqa: E402

GAMES = ["kuhn", "leduc", "goofspiel-4", "monty-hall"]


def net_of(name: str, last: int = 2) -> learn.Net:
    net = learn.Net(learn.Space(croupier.load(name), last), (24, 16), torch.Generator().manual_seed(3))
    # The last layer begins so small that an error in it would not be seen.
    with torch.no_grad():
        for tensor in net.parameters():
            tensor.add_(torch.randn(tensor.shape, generator=torch.Generator().manual_seed(4)))
    return net


def run(path: Path, inputs: np.ndarray) -> Any:
    """The logits that a runtime computes."""
    try:
        import onnxruntime
    except ImportError:
        from onnx.reference import ReferenceEvaluator

        return ReferenceEvaluator(str(path)).run(None, {"observation": inputs})[0]
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    return session.run(["logits"], {"observation": inputs})[0]


@pytest.mark.parametrize("name", GAMES)
def test_a_runtime_computes_what_torch_does(name: str, tmp_path: Path) -> None:
    net, path = net_of(name), tmp_path / "net.onnx"
    learn.export(net, path)
    views = [view for view, _ in croupier.information_sets(net.space.game)][:300]
    inputs = net.space.of_views(views)
    with torch.no_grad():
        expected = net(inputs).numpy()
    # Any number of rows.
    for rows in (slice(0, 1), slice(0, 2), slice(None)):
        found = run(path, inputs[rows].numpy())
        assert found.dtype == np.float32 and found.shape == expected[rows].shape
        assert np.abs(found - expected[rows]).max() < 1e-5 * max(1.0, np.abs(expected).max())


def test_probabilities_are_a_softmax_over_legal_columns(tmp_path: Path) -> None:
    net, path = net_of("leduc"), tmp_path / "net.onnx"
    learn.export(net, path)
    policy = learn.policy(net)
    told = json.loads(onnx.load(path).metadata_props[0].value)
    for view, legal in croupier.information_sets(net.space.game)[::50]:
        player = next(player for player in told["players"] if player["role"] == view.role)
        place = told["players"].index(player)
        observation = croupier.Observer(net.space.game, last=told["last"]).observe(view)
        assert len(observation) == len(player["features"])
        row = np.zeros((1, net.space.inputs_count), np.float32)
        row[0, place] = 1
        row[0, len(told["players"]) : len(told["players"]) + len(observation)] = observation
        logits = run(path, row)[0]
        weights = {move: np.exp(logits[player["moves"].index(move)] - logits.max()) for move in legal}
        for move in legal:
            assert weights[move] / sum(weights.values()) == pytest.approx(policy[view][move], abs=1e-5)


@pytest.mark.parametrize("name", ["leduc", "monty-hall"])
def test_the_file_says_what_it_is_for(name: str, tmp_path: Path) -> None:
    net = net_of(name, last=3)
    learn.export(net, tmp_path / "net.onnx")
    model = onnx.load(tmp_path / "net.onnx")
    assert [(opset.domain, opset.version) for opset in model.opset_import] == [("", 17)]
    assert {node.op_type for node in model.graph.node} <= {"Gemm", "MatMul", "Add", "Relu"}
    game, space = net.space.game, net.space
    (given,), (made,) = model.graph.input, model.graph.output
    for value, label, width in ((given, "observation", space.inputs_count), (made, "logits", space.outputs_count)):
        shape = value.type.tensor_type.shape.dim
        assert value.name == label and value.type.tensor_type.elem_type == onnx.TensorProto.FLOAT
        assert shape[0].dim_param == "N" and shape[1].dim_value == width
    (entry,) = model.metadata_props
    assert entry.key == "croupier"
    told = json.loads(entry.value)
    assert told.keys() == {"version", "game", "rules", "rules_sha256", "observation", "last", "players"}
    assert (told["version"], told["game"], told["rules_sha256"]) == (1, name, game.sha256)
    assert (told["observation"], told["last"]) == ("percepts", 3)
    env = croupier.VectorEnv(game, last=3)
    assert [player["role"] for player in told["players"]] == env.roles
    for player in told["players"]:
        assert player["features"] == env.features[player["role"]] and player["moves"] == env.moves[player["role"]]
    assert space.inputs_count == len(env.roles) + env.last_step.observation.shape[2]
    assert space.outputs_count == env.last_step.mask.shape[2]


def test_the_same_network_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "other"):
        learn.export(net_of("leduc"), tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["one", "other"]
    with pytest.raises(FileNotFoundError):
        learn.export(net_of("kuhn"), tmp_path / "no" / "net.onnx")
