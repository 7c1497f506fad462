"""Agents that go by a net: an ONNX file that is written here byte by byte, and the same sums in numpy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import croupier
import numpy as np
import pytest


def varint(number: int) -> bytes:
    low, rest = number & 127, number >> 7
    return bytes([low | 128]) + varint(rest) if rest else bytes([low])


def number(field: int, value: int) -> bytes:
    return varint(field << 3) + varint(value)


def content(field: int, value: bytes | str) -> bytes:
    value = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(value)) + value


def tensor(name: str, array: np.ndarray[Any, np.dtype[np.float32]]) -> bytes:
    sizes = b"".join(number(1, size) for size in array.shape)
    return content(5, sizes + number(2, 1) + content(8, name) + content(9, array.astype("<f4").tobytes()))


def row(field: int, name: str, width: int) -> bytes:
    shape = content(1, content(2, "N")) + content(1, number(1, width))
    return content(field, content(1, name) + content(2, content(1, number(1, 1) + content(2, shape))))


def names(game: croupier.Game) -> dict[str, Any]:
    observer = croupier.Observer(game, last=1)
    players = [{"role": role, "features": observer.features[role], "moves": observer.moves[role]} for role in game.roles]
    return {
        "version": 1, "game": "kuhn", "rules_sha256": game.sha256, "observation": "percepts", "last": 1, "players": players,
    }


def onnx(weights: np.ndarray[Any, np.dtype[np.float32]], metadata: dict[str, Any]) -> bytes:
    """A product alone."""
    operator = content(1, "observation") + content(1, "weights") + content(2, "logits") + content(4, "MatMul")
    ends = row(11, "observation", weights.shape[0]) + row(12, "logits", weights.shape[1])
    graph = content(1, operator) + content(2, "net") + tensor("weights", weights) + ends
    entry = content(14, content(1, "croupier") + content(2, json.dumps(metadata)))
    return number(1, 8) + content(7, graph) + content(8, number(2, 17)) + entry


@pytest.fixture()
def weights(kuhn: croupier.Game) -> np.ndarray[Any, np.dtype[np.float32]]:
    players = names(kuhn)["players"]
    inputs = len(players) + max(len(player["features"]) for player in players)
    outputs = max(len(player["moves"]) for player in players)
    return np.random.default_rng(1).standard_normal((inputs, outputs)).astype(np.float32)


def test_an_agent_plays_the_softmax_of_a_net(
    kuhn: croupier.Game, weights: np.ndarray[Any, np.dtype[np.float32]], tmp_path: Path
) -> None:
    file = tmp_path / "kuhn.onnx"
    file.write_bytes(onnx(weights, names(kuhn)))
    observer = croupier.Observer(kuhn, last=1)
    match = croupier.Match(kuhn, seed=3)
    agents = {role: croupier.Agent(f"net:{file}", kuhn, role, seed=1) for role in kuhn.roles}
    choices = 0
    while not match.is_over:
        for role in match.acting:
            if len(match.legal(role)) < 2:
                continue
            view = match.view(role)
            features = observer.observe(view)
            read = np.zeros(len(weights))
            read[kuhn.roles.index(role)] = 1
            read[len(kuhn.roles) : len(kuhn.roles) + len(features)] = features
            columns = [observer.column(role, move) for move in match.legal(role)]
            powers = np.exp((read @ weights.astype(np.float64))[columns])
            strategy = agents[role].decide(view).strategy
            assert strategy is not None
            assert list(strategy) == match.legal(role)
            np.testing.assert_allclose(list(strategy.values()), powers / powers.sum(), atol=1e-5)
            choices += 1
        match.step({role: agents[role].choose(match.view(role)) for role in match.acting})
    assert choices > 1
    croupier.verify(match.record())


def test_a_net_of_another_game_is_refused(
    kuhn: croupier.Game, leduc: croupier.Game, weights: np.ndarray[Any, np.dtype[np.float32]], tmp_path: Path
) -> None:
    file = tmp_path / "kuhn.onnx"
    file.write_bytes(onnx(weights, names(kuhn)))
    with pytest.raises(croupier.CroupierError, match="made for kuhn by other rules than these"):
        croupier.Agent(f"net:{file}", leduc, "alice")
    file.write_bytes(b"no net")
    with pytest.raises(croupier.CroupierError, match="not an ONNX file"):
        croupier.Agent(f"net:{file}", kuhn, "alice")
    with pytest.raises(FileNotFoundError, match="nowhere.onnx"):
        croupier.Agent(f"net:{tmp_path / 'nowhere.onnx'}", kuhn, "alice")
