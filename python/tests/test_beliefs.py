"""Beliefs: the numbers of the command line, and what can be asked of them."""

from __future__ import annotations

import copy
import json
import pickle
from random import Random

import croupier
import pytest
from conftest import play


def reached(game, turn, seed=11):
    """A match that came at least to a turn, and the views of its roles there."""
    for attempt in range(50):
        match = croupier.Match(game, seed=seed + attempt)
        while not match.is_over and match.turn < turn:
            match.step({role: match.legal(role)[0] for role in match.acting})
        if match.turn == turn and not match.is_over:
            views = {role: match.view(role) for role in game.roles}
            return play(match), views
    raise AssertionError("no match is so long")


def agree(belief, told):
    """That a belief says what the command line says of it, to the last digit."""
    assert belief.exact == (told["method"] == "exact")
    assert len(belief) == told["states"]
    assert belief.entropy_bits == told["entropy_bits"]
    assert belief.effective_states == told["effective_states"]
    assert belief.histories == told["histories" if belief.exact else "particles"]
    assert belief.effective_particles == told.get("effective_particles")
    assert belief.certain == sorted(told["certain"])
    uncertain = {one["fluent"]: one["probability"] for one in told["uncertain"]}
    marginals = belief.marginals()
    assert {fact: p for fact, p in marginals.items() if p < 1} == uncertain
    assert {fact for fact, p in marginals.items() if p == 1} == {*told["certain"], *told["true_of_sample"]}
    top = [(one["probability"], set(one["fluents"])) for one in told["top"]]
    states = [(p, set(facts) & set(uncertain)) for p, facts in belief.states(top=len(top))]
    assert states == top


@pytest.mark.parametrize(
    ("name", "turn", "options"),
    [
        ("kuhn", 3, {}),
        ("leduc", 5, {}),
        ("leduc", 5, {"method": "particle", "particles": 300, "seed": 5}),
        ("phantom-tic-tac-toe", 4, {}),
        ("phantom-tic-tac-toe", 6, {"method": "particle", "particles": 200}),
        ("liars-dice-2", 4, {"particles": 500, "seed": 9}),
    ],
)
def test_beliefs_are_those_of_the_command_line(name, turn, options, command, tmp_path):
    game = croupier.load(name)
    match, views = reached(game, turn)
    match.save(tmp_path / "match.jsonl")
    written = [part for name, value in options.items() for part in (f"--{name}", value)]
    for role, view in views.items():
        belief = croupier.Belief(game, role, view, **options)
        arguments = ["--role", role, "--turn", turn, "--top", 1_000, "--json", *written]
        agree(belief, json.loads(command("belief", tmp_path / "match.jsonl", *arguments)))


def test_models_of_the_others_count_as_on_the_command_line(leduc, command, tmp_path):
    match, views = reached(leduc, 4)
    match.save(tmp_path / "match.jsonl")
    policy = croupier.solve(leduc, iterations=50).policy
    policy.save(tmp_path / "leduc.json")
    arguments = ["--role", "bob", "--turn", 4, "--top", 1_000, "--json"]
    for opponents, model in ((policy, f"policy:{tmp_path / 'leduc.json'}"), ("quantal", "quantal")):
        told = json.loads(command("belief", tmp_path / "match.jsonl", *arguments, "--model", f"alice={model}"))
        for written in (opponents, {"alice": opponents}):
            agree(croupier.Belief(leduc, "bob", views["bob"], opponents=written), told)


def test_what_is_hidden_has_a_probability(kuhn):
    match = croupier.Match(kuhn, seed=1)
    match.step()
    match.step()
    own = match.view("bob").turns[1][1][0].split()[1].rstrip(")")
    belief = croupier.Belief(kuhn, "bob", match.view("bob"))
    assert belief.exact and len(belief) == 2 and belief.entropy_bits == 1
    assert belief.probability(f"( HAND bob  {own} )") == 1
    assert belief.probability(f"(hand alice {own})") == 0 == belief.probability("nonsense")
    assert sum(p for p, _ in belief.states()) == 1
    cards = belief.query("(<= (query ?card) (true (hand alice ?card)))")
    assert sorted(cards.values()) == [0.5, 0.5]
    with pytest.raises(croupier.CroupierError, match="ground term"):
        belief.probability("(hand alice ?x)")
    with pytest.raises(croupier.CroupierError, match="query"):
        belief.query("(<= (ask ?x) (true ?x))")


def test_what_gives_no_belief_says_why(kuhn, leduc):
    view = croupier.Match(kuhn, seed=1).view("bob")
    with pytest.raises(croupier.CroupierError, match="rules differ"):
        croupier.Belief(leduc, "bob", view)
    with pytest.raises(croupier.CroupierError, match="role 'bob', not 'alice'"):
        croupier.Belief(kuhn, "alice", view)
    with pytest.raises(croupier.CroupierError, match="'exact' or 'particle'"):
        croupier.Belief(kuhn, "bob", view, method="magic")
    with pytest.raises(croupier.CroupierError, match="from 1 to"):
        croupier.Belief(kuhn, "bob", view, particles=0)
    impossible = croupier.View(kuhn, "bob", [("noop", ["(hole king)"]), ("noop", ["(hole king)"])])
    with pytest.raises(croupier.CroupierError, match="no history"):
        croupier.Belief(kuhn, "bob", impossible)
    with pytest.raises(TypeError, match="opponents"):
        croupier.Belief(kuhn, "bob", view, opponents=3)


@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy, lambda belief: pickle.loads(pickle.dumps(belief))])
def test_beliefs_are_copied_and_pickled(how):
    game = croupier.load("leduc")
    _, views = reached(game, 4)
    view, opponents = views["bob"], {"alice": "quantal"}
    belief = croupier.Belief(game, "bob", view, opponents=opponents, particles=50, seed=7, method="particle")
    told = belief.marginals()
    # What a caller does with its dict afterwards is no matter of the belief.
    opponents.clear()
    assert how(belief).marginals() == told
    assert how(belief).states() == belief.states()
    uniform = croupier.Belief(game, "bob", view, particles=50, seed=7, method="particle")
    assert uniform.marginals() != told


@pytest.mark.parametrize(("name", "method"), [("leduc", "exact"), ("holdem", "particle"), ("kuhn", "auto")])
def test_a_belief_that_follows_is_the_one_that_begins_anew(name: str, method: str) -> None:
    game, draws = croupier.load(name), Random(3)
    match = croupier.Match(game, seed=5)
    options = {"method": method, "particles": 40, "opponents": "call", "seed": 9}
    first = belief = croupier.Belief(game, "bob", match.view("bob"), **options)
    while not match.is_over:
        moves = {role: next((move for move in match.legal(role) if move != "fold"), None) for role in match.acting}
        match.step({role: move or draws.choice(match.legal(role)) for role, move in moves.items()})
        view = match.view("bob")
        belief, anew = belief.follow(view), croupier.Belief(game, "bob", view, **options)
        assert (belief.states(), belief.certain, belief.histories) == (anew.states(), anew.certain, anew.histories)
        assert pickle.loads(pickle.dumps(belief)).states() == anew.states()
    # It has gone on already, and begins anew; so does a view that is no continuation.
    assert first.follow(view).states() == belief.states()
    earlier = croupier.View(game, "bob", view.turns[:1])
    assert belief.follow(earlier).states() == croupier.Belief(game, "bob", earlier, **options).states()
    with pytest.raises(croupier.CroupierError):
        belief.follow(match.view("alice"))
