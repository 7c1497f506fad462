"""Belief networks beside exact beliefs."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path
from random import Random

import croupier
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="croupier.learn needs PyTorch: pip install 'croupier[learn]'")

from croupier import learn  # noqa: E402


def seen(game: croupier.Game, matches: int) -> list[croupier.View]:
    """What players knew when they had a choice, in matches in which all moves are drawn."""
    draws, views = Random(1), []
    for seed in range(matches):
        match = croupier.Match(game, seed=seed)
        while not match.is_over:
            views += [match.view(role) for role in match.acting]
            match.step({role: draws.choice(match.legal(role)) for role in match.acting})
    return views


def errors(
    net: learn.BeliefNet, opponents: croupier.Policy | None, views: list[croupier.View]
) -> tuple[float, float]:
    """The mean difference from exact marginals of the fluents that are not certain; and that of saying a half of each."""
    found, halves = [], []
    for view in views:
        belief = croupier.Belief(net.space.game, view.role, view, opponents=opponents, method="exact")
        assert belief.exact
        told, exact = net.marginals(view), belief.marginals()
        assert exact.keys() <= told.keys()
        for fluent, probability in exact.items():
            if probability < 1:
                found.append(abs(told[fluent] - probability))
                halves.append(abs(0.5 - probability))
    return float(np.mean(found)), float(np.mean(halves))


def test_what_is_hidden_in_leduc_is_believed_as_exactly_as_enumerated() -> None:
    torch.manual_seed(0)
    run = learn.BeliefRun("leduc", last=1, hidden=(64, 64), seed=1)
    views = seen(run.net.space.game, 30)
    before, _ = errors(run.net, None, views)
    losses = list(run.advance(1000))
    after, halves = errors(run.net, None, views)
    assert losses[-1] < losses[0] / 4
    # Before, everything is as likely as not.
    assert abs(before - halves) < 0.05
    assert after < 0.05 < halves


def test_a_bet_says_something_of_who_bets_it() -> None:
    game = croupier.load("kuhn")
    net = learn.Net(learn.Space(game, 0), (8,))
    solved = croupier.solve(game, iterations=300).policy
    teach(net, solved)
    run = learn.BeliefRun(game, net, last=0, hidden=(32, 32), seed=1)
    list(run.advance(1000))
    deaf = learn.BeliefRun(game, last=0, hidden=(32, 32), seed=1)
    list(deaf.advance(1000))
    views = [view for view, _ in croupier.information_sets(game)]
    after, _ = errors(run.net, learn.policy(net), views)
    # Whoever takes moves to be uniform learns nothing from them.
    assert after < 0.06 < 0.15 < errors(deaf.net, learn.policy(net), views)[0]
    listens, listens_not = learn.calibration(run.net, net), learn.calibration(deaf.net, net)
    assert listens.error < 0.06 and listens.excess < 0.03
    assert listens_not.excess > 3 * listens.excess and listens_not.calibration_error > 2 * listens.calibration_error
    # One who says of every fluent how often it is true is calibrated, but for what moves tell.
    assert listens.excess < listens.prior_excess
    assert sum(one.count for one in listens.bins) == listens.uncertain
    assert str(listens).count("\n") >= 4 + len(listens.bins)
    with pytest.raises(croupier.CroupierError, match="made for 'kuhn'"):
        learn.BeliefRun("leduc", net)
    with pytest.raises(croupier.CroupierError, match="other"):
        run.net.marginals(croupier.Match(croupier.load("leduc")).view("alice"))


def test_a_network_that_says_what_is_exact_is_calibrated() -> None:
    game = croupier.load("kuhn")
    net = learn.BeliefRun(game, last=2, hidden=(8,), seed=1).net
    env = croupier.VectorEnv(game, lanes=256, seed=5, observation="belief")

    class Knows(learn.BeliefNet):
        """Says what the environment shows, a tenth more or less."""

        def forward(self, inputs: torch.Tensor) -> torch.Tensor:
            lane, place = np.nonzero(env.last_step.acting)
            exact = torch.from_numpy(env.last_step.observation[lane, place])
            env.step(env.sample(draws))
            assert len(inputs) == len(exact)
            return torch.logit((exact + self.shift).clamp(1e-6, 1 - 1e-6))

    for shift in (0.0, 0.1):
        draws = np.random.default_rng(5)
        env.reset(5)
        knows = Knows(net.space, net.fluents, (8,))
        knows.shift = shift
        found = learn.calibration(knows, seed=5, steps=10)
        # Each card is held by the other with one half.
        assert found.choices == 2560 and found.uncertain == 2 * 2560
        assert abs(found.error - shift) < 1e-5 and abs(found.calibration_error - shift) < 1e-5
        expected = -0.5 * np.log(0.6 / 0.5) - 0.5 * np.log(0.4 / 0.5) if shift else 0.0
        assert abs(found.excess - expected) < 1e-5
        assert [(one.least, one.count) for one in found.bins] == [(0.6 if shift else 0.5, found.uncertain)]


def test_a_run_is_saved_and_resumed_to_the_bit(tmp_path: Path) -> None:
    net = learn.Net(learn.Space(croupier.load("kuhn"), 0), (8,))
    run = learn.BeliefRun("kuhn", net, lanes=32, hidden=(16,), seed=3)
    list(run.advance(3))
    run.save(tmp_path / "run")
    resumed = learn.BeliefRun.load(tmp_path / "run")
    assert list(run.advance(4)) == list(resumed.advance(4)) and run.steps == resumed.steps == 7
    for one, other in zip(run.net.parameters(), resumed.net.parameters(), strict=True):
        assert torch.equal(one, other)
    with pytest.raises(croupier.CroupierError, match="BeliefRun.save"):
        learn.Run("kuhn").save(tmp_path / "other")
        learn.BeliefRun.load(tmp_path / "other")


def test_an_exported_network_says_the_same(tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx")
    from onnx.reference import ReferenceEvaluator

    run = learn.BeliefRun("leduc", lanes=32, hidden=(16, 16), seed=3)
    list(run.advance(3))
    run.net.export(tmp_path / "belief.onnx")
    model = onnx.load(tmp_path / "belief.onnx")
    described = json.loads(next(entry.value for entry in model.metadata_props if entry.key == "croupier"))
    assert described["fluents"] == run.net.fluents and described["game"] == "leduc"
    views = seen(run.net.space.game, 3)
    inputs = run.net.space.of_views(views)
    (logits,) = ReferenceEvaluator(model).run(None, {"observation": inputs.numpy()})
    for view, row in zip(views, logits, strict=True):
        told = dict(zip(described["fluents"], 1 / (1 + np.exp(-row)), strict=True))
        assert all(abs(told[fluent] - probability) < 1e-5 for fluent, probability in run.net.marginals(view).items())


def teach(net: learn.Net, policy: croupier.Policy) -> None:
    """Makes a network play by a table, all but."""
    sets = croupier.information_sets(net.space.game)
    inputs, mask = net.space.of_views(view for view, _ in sets), net.space.masks((view.role, moves) for view, moves in sets)
    wanted = torch.zeros(mask.shape)
    for row, (view, moves) in zip(wanted, sets, strict=True):
        for move in moves:
            row[net.space.observer.column(view.role, move)] = policy[view][move]
    optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
    for _ in range(300):
        optimizer.zero_grad()
        (-(wanted * net.log_probabilities(inputs, mask)).sum(1).mean()).backward()
        optimizer.step()


def test_a_network_leads_the_sample_of_a_belief(tmp_path: Path) -> None:
    pytest.importorskip("onnx")
    game = croupier.load("royal-holdem")
    run = learn.BeliefRun(game, lanes=32, last=0, hidden=(16,), seed=3)
    list(run.advance(3))
    run.net.export(tmp_path / "belief.onnx")
    assert (tmp_path / "belief.onnx").read_bytes() == run.net.contents()
    view = next(view for view in seen(game, 2) if len(view.turns) > 8)

    def belief(guide: bytes | str | Path | None) -> croupier.Belief:
        return croupier.Belief(game, view.role, view, particles=50, method="particle", guide=guide)

    led, again, alone = belief(run.net.contents()), belief(tmp_path / "belief.onnx"), belief(None)
    assert not led.exact and led.marginals() == again.marginals() == belief(str(tmp_path / "belief.onnx")).marginals()
    assert led.marginals() != alone.marginals()
    assert led.certain == alone.certain
    early = croupier.View(game, view.role, view.turns[:4])
    begun = croupier.Belief(game, view.role, early, particles=50, method="particle", guide=run.net.contents())
    assert begun.follow(view).marginals() == led.marginals(), "as if it had begun with all that is known"
    copied = copy.deepcopy(led)
    assert copied.marginals() == led.marginals() == pickle.loads(pickle.dumps(led)).marginals()
    with pytest.raises(croupier.CroupierError, match="not an ONNX file"):
        belief(b"no network")
    with pytest.raises(croupier.CroupierError, match="other rules"):
        belief(learn.BeliefRun("kuhn", lanes=32, last=0, hidden=(8,)).net.contents())
    with pytest.raises(croupier.CroupierError, match="does not say how likely each fact is"):
        net = learn.Net(learn.Space(game, 0), (8,))
        learn.export(net, tmp_path / "policy.onnx")
        belief(tmp_path / "policy.onnx")
    with pytest.raises(OSError, match="nowhere"):
        belief(tmp_path / "nowhere.onnx")
