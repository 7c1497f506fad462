"""Views: values that tell what a role knows and nothing else."""

from __future__ import annotations

import pickle

import croupier
import pytest


def test_a_view_has_own_moves_and_percepts_alone(leduc):
    match = croupier.Match(leduc, seed=7)
    match.step()
    match.step()
    (first, second) = match.view("alice").turns
    assert first[0] == "noop" and first[1][0].startswith("(hole ")
    assert second == ("noop", ["(dealt bob)"])
    assert "(hole" not in match.view("bob").turns[0][1][0]
    assert len(match.view("alice")) == 2


def test_views_are_equal_exactly_if_the_role_cannot_tell_histories_apart(leduc):
    views: dict[croupier.View, set[str]] = {}
    texts = set()
    for seed in range(200):
        match = croupier.Match(leduc, seed=seed)
        match.step()
        match.step()
        view = match.view("alice")
        views.setdefault(view, set()).add(match.view("bob").text)
        texts.add(view.text)
    assert len(views) == len(texts) == 6
    # Whatever she holds, he may hold each of the other five.
    assert {len(others) for others in views.values()} == {5}


def test_a_view_can_be_written_down(leduc):
    match = croupier.Match(leduc, seed=7)
    match.step()
    view = match.view("alice")
    own_move, percepts = view.turns[0]
    again = croupier.View(leduc, "ALICE", [(own_move.upper(), [percepts[0].upper(), percepts[0]])])
    assert again == view and hash(again) == hash(view)
    assert croupier.View(leduc, "alice") != view
    assert pickle.loads(pickle.dumps(view)) == view
    with pytest.raises(croupier.RoleError):
        croupier.View(leduc, "carol")
    with pytest.raises(croupier.CroupierError, match="ground term"):
        croupier.View(leduc, "alice", [("noop", ["(hole ?x)"])])
    with pytest.raises(TypeError):
        croupier.View(leduc, "alice", [1])
