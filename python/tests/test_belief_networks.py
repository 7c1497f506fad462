"""Belief networks beside exact beliefs."""

from __future__ import annotations

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
    with pytest.raises(croupier.CroupierError, match="made for 'kuhn'"):
        learn.BeliefRun("leduc", net)
    with pytest.raises(croupier.CroupierError, match="other"):
        run.net.marginals(croupier.Match(croupier.load("leduc")).view("alice"))


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
