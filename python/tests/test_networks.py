"""Networks that read turns: against torch's own cells, in files, in seats, and learning."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import croupier
import numpy as np
import pytest
from test_onnx import run

torch = pytest.importorskip("torch", reason="croupier.learn needs PyTorch: pip install 'croupier[learn]'")
pytest.importorskip("onnx", reason="croupier.learn needs ONNX: pip install 'croupier[learn]'")

from croupier import learn  # noqa: E402
from torch import nn  # noqa: E402


def observed(game: croupier.Game, space: learn.Space) -> Any:
    """What a network is shown of choices."""
    env = croupier.VectorEnv(game, lanes=32, seed=3, last=space.last)
    rows = []
    for _ in range(12):
        rows.append(env.choices().inputs)
        env.step(env.sample())
    return torch.from_numpy(np.concatenate(rows))


def net(game: str, last: int, kind: Any) -> learn.Net:
    made = learn.Net(learn.Space(croupier.load(game), last), (24, 10), torch.Generator().manual_seed(3), kind)
    with torch.no_grad():
        # Not almost uniform, as at first, so that what differs is seen.
        last_layer = [layer for layer in made.modules() if isinstance(layer, nn.Linear)][-1]
        last_layer.weight.normal_(generator=torch.Generator().manual_seed(4))
    return made


def part(space: learn.Space, rows: Any, ago: int) -> Any:
    """By its name in the space, what is observed of a turn; 0 for what ever occurred."""
    suffix = ", ever" if ago == 0 else f", {ago} turns ago"
    (features,) = {tuple(space.features[role]) for role in space.roles[:1]}
    return rows[:, [len(space.roles) + place for place, name in enumerate(features) if name.endswith(suffix)]]


def test_a_recurrent_network_is_a_chain_of_gated_recurrent_units() -> None:
    made = net("leduc", 4, "recurrent")
    rows = observed(made.space.game, made.space)
    own, units = made.layers, 24
    (turn_layer,) = own.turns.layers
    cell = nn.GRUCell(turn_layer.in_features, units)
    with torch.no_grad():
        # Torch keeps what we renew, and has the gates in another order.
        for theirs, layer in (("ih", turn_layer), ("hh", own.state)):
            renew, recall, candidate = layer.weight.split(units)
            getattr(cell, f"weight_{theirs}").copy_(torch.cat([recall, -renew, candidate]))
            renew, recall, candidate = layer.bias.split(units)
            getattr(cell, f"bias_{theirs}").copy_(torch.cat([recall, -renew, candidate]))
        players = len(made.space.roles)
        (begin_layer,) = own.begin.layers
        state = torch.tanh(begin_layer(part(made.space, rows, 0)) + own.player(rows[:, :players]))
        for ago in (4, 3, 2, 1):
            state = cell(part(made.space, rows, ago), state)
        assert torch.allclose(made(rows), own.decide(state), atol=1e-5)


def test_attention_is_that_of_several_heads() -> None:
    made = net("leduc", 4, "attention")
    rows = observed(made.space.game, made.space)
    own, units = made.layers, 24
    theirs = nn.MultiheadAttention(units, len(own.keys), batch_first=True)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([head.weight for heads in (own.questions, own.keys, own.answers) for head in heads]))
        theirs.in_proj_bias.copy_(torch.cat([head.bias for heads in (own.questions, own.keys, own.answers) for head in heads]))
        theirs.out_proj.weight.copy_(own.together.weight)
        theirs.out_proj.bias.copy_(own.together.bias)
        (begin_layer,), (turn_layer,) = own.begin.layers, own.turns.layers
        asks = torch.relu(begin_layer(part(made.space, rows, 0)) + own.player(rows[:, : len(made.space.roles)]))
        turns = torch.stack([torch.relu(turn_layer(part(made.space, rows, ago)) + own.ages[ago - 1]) for ago in (1, 2, 3, 4)], 1)
        heard, _ = theirs(asks[:, None], turns, turns, need_weights=False)
        assert torch.allclose(made(rows), own.decide(torch.relu(asks + heard[:, 0])), atol=1e-5)


def assert_seats_play(made: learn.Net, path: Path) -> None:
    """A match in which every choice of the file's players has the probabilities of the network."""
    game = made.space.game
    match, agents = croupier.Match(game, seed=2), {role: croupier.Agent(f"net:{path}", game, role) for role in game.roles}
    asked = 0
    while not match.is_over:
        moves = {}
        for role in match.acting:
            view, legal = match.view(role), match.legal(role)
            said = agents[role].decide(view).strategy
            with torch.no_grad():
                logs = made.log_probabilities(made.space.of_views([view]), made.space.masks([(role, legal)]))[0].exp()
            columns = [made.space.moves[role].index(move) for move in legal]
            assert said is not None
            assert [said[move] for move in legal] == pytest.approx(logs[columns].tolist(), abs=1e-5)
            moves[role] = legal[asked % len(legal)]
            asked += 1
        match.step(moves)
    assert asked > 0


@pytest.mark.parametrize("kind", ["recurrent", "attention"])
@pytest.mark.parametrize("game", ["leduc", "two-generals"])
def test_it_takes_a_seat_and_plays_there_what_torch_computes(game: str, kind: str, tmp_path: Path) -> None:
    made, path = net(game, 2, kind), tmp_path / "net.onnx"
    rows = observed(made.space.game, made.space)
    learn.export(made, path)
    with torch.no_grad():
        expected = made(rows).numpy()
    assert np.abs(run(path, rows.numpy()) - expected).max() < 1e-5 * max(1.0, np.abs(expected).max())
    assert_seats_play(made, path)


@pytest.mark.parametrize("kind", ["recurrent", "attention"])
def test_it_learns_kuhn_which_uniform_play_does_not_solve(kind: Any) -> None:
    run = learn.Run("kuhn", settings=learn.Settings(lanes=64, steps=4, last=2, hidden=(16,)), seed=1, network=kind)
    tree = learn.Tree(run.space)
    assert tree.evaluate(run.average).nash_conv == pytest.approx(0.9167, abs=0.03), "it begins all but uniform"
    list(run.advance(50))
    assert tree.evaluate(run.average).nash_conv < 0.6


def test_a_module_of_ones_own_learns_and_a_run_of_it_resumes(tmp_path: Path) -> None:
    def own(inputs: int, outputs: int) -> nn.Module:
        return nn.Sequential(nn.Linear(inputs, 16), nn.LayerNorm(16), nn.Tanh(), nn.Linear(16, outputs))

    torch.manual_seed(9)
    before = torch.random.get_rng_state()
    run = learn.Run("kuhn", settings=learn.Settings(lanes=64, steps=4), seed=1, network=own)
    assert torch.equal(torch.random.get_rng_state(), before), "the generator of the process is left alone"
    list(run.advance(2))
    run.save(tmp_path / "run")
    resumed = learn.Run.load(tmp_path / "run")
    list(run.advance(2)), list(resumed.advance(2))
    for one, other in zip(run.net.parameters(), resumed.net.parameters(), strict=True):
        assert torch.equal(one, other)
    learn.export(resumed.average, tmp_path / "own.onnx")
    assert_seats_play(resumed.average, tmp_path / "own.onnx")


def test_what_reads_no_turns_is_refused_with_what_to_do() -> None:
    space = learn.Space(croupier.load("kuhn"), 0)
    for kind in ("recurrent", "attention"):
        with pytest.raises(croupier.CroupierError, match="--last.* at least 1"):
            learn.Net(space, (8,), kind=kind)
    with pytest.raises(croupier.CroupierError, match="perceptron, recurrent or attention"):
        learn.Net(space, (8,), kind="transformer")  # type: ignore[arg-type]
