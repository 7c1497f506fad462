"""Solving, policies and agents."""

from __future__ import annotations

import copy
import json
import pickle

import croupier
import pytest


def test_kuhn_is_worth_an_eighteenth_of_a_chip(kuhn):
    result = croupier.solve(kuhn, "cfr+", iterations=2000)
    assert result.unit == "chips"
    assert result.values["alice"] == pytest.approx(-1 / 18, abs=1e-4)
    assert result.values["bob"] == -result.values["alice"]
    assert 0 <= result.exploitability < 1e-4
    assert result.nash_conv == pytest.approx(2 * result.exploitability)
    assert len(result.policy) == 12 == result.information_sets
    assert isinstance(result, croupier.Evaluation)
    assert repr(result).startswith("<croupier.Solution: 2000 iterations of cfr+, exploitability ")


def test_results_are_those_of_the_command_line(leduc, command, tmp_path):
    path = tmp_path / "leduc.json"
    told = json.loads(command("solve", "leduc", "--iterations", 30, "--policy", path, "--json"))
    result = croupier.solve(leduc, iterations=30)
    assert result.exploitability == told["payoff"]["exploitability"]
    assert result.nash_conv == told["payoff"]["nash_conv"]
    assert result.values == {role: found["payoff"]["value"] for role, found in told["roles"].items()}
    assert croupier.Policy.load(path) == result.policy
    assert result.policy.to_json() == path.read_text()
    arguments = ["--algorithm", "external-sampling", "--iterations", 30, "--seed", 3, "--samples", 2]
    told = json.loads(command("solve", "leduc", *arguments, "--json"))
    result = croupier.solve(leduc, "external-sampling", iterations=30, seed=3, samples=2)
    assert result.nash_conv == told["payoff"]["nash_conv"]


def test_policies_answer_by_view(leduc, tmp_path):
    policy = croupier.solve(leduc, iterations=20).policy
    match = croupier.Match(leduc, seed=7)
    match.step()
    match.step()
    view = match.view("alice")
    assert list(policy[view]) == match.legal("alice") and sum(policy[view].values()) == pytest.approx(1)
    assert policy[view.text] == policy[view] == policy.get(view)
    assert view in policy and match.view("bob") not in policy
    assert policy.get(match.view("bob")) is None and policy.get(match.view("bob"), 3) == 3
    for error in (KeyError, croupier.CroupierError):
        with pytest.raises(error, match="no entry"):
            policy[match.view("bob")]
    with pytest.raises(TypeError):
        policy[3]
    policy.save(tmp_path / "policy.json")
    others = [croupier.Policy.load(tmp_path / "policy.json"), croupier.Policy.from_json(policy.to_json())]
    others += [copy.copy(policy), copy.deepcopy(policy), pickle.loads(pickle.dumps(policy))]
    assert all(other == policy and hash(other) == hash(policy) for other in others)
    assert policy != croupier.solve(leduc, iterations=21).policy


def test_agents_choose_by_view_and_seed_alone(leduc):
    match = croupier.Match(leduc, seed=7)
    match.step()
    match.step()
    view = match.view("alice")
    agent = croupier.Agent("ismcts:iterations=100", leduc, "alice", seed=1)
    decision = agent.decide(view)
    assert decision.chosen == agent.choose(view) and decision.moves == match.legal("alice")
    assert decision.iterations == 100 and decision.stop == "iteration_limit" and decision.strategy is None
    assert [played for played, _, _ in decision.estimates] == decision.moves
    assert sum(visits for _, visits, _ in decision.estimates) == 100
    for other in (copy.copy(agent), copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
        assert other.decide(view).estimates == decision.estimates


def test_every_kind_of_agent_chooses_a_legal_move(leduc, tmp_path):
    match = croupier.Match(leduc, seed=7)
    match.step()
    match.step()
    policy = croupier.solve(leduc, iterations=20).policy
    policy.save(tmp_path / "policy.json")
    (tmp_path / "rule.txt").write_text("raise\n")
    search = "iterations=20,particles=20,playouts=2"
    kinds = ["random", "first-legal", "call", "raise", "fold", policy, f"policy:{tmp_path / 'policy.json'}"]
    kinds += [f"rule:{tmp_path / 'rule.txt'}", "resolve:iterations=5", f"ismcts:{search},model=quantal"]
    kinds += [f"{kind}:{search}" for kind in ("belief", "uct", "hyperplay", "ismcts", "mo-ismcts", "hyperplay-ii")]
    for kind in kinds:
        agent = croupier.Agent(kind, leduc, "alice")
        assert agent.choose(match.view("alice")) in match.legal("alice"), kind
        assert pickle.loads(pickle.dumps(agent)).choose(match.view("alice")) == agent.choose(match.view("alice"))
    decision = croupier.Agent(policy, leduc, "alice").decide(match.view("alice"))
    assert decision.strategy == policy[match.view("alice")] and decision.stop == "without_search"


def test_what_cannot_be_solved_says_why(kuhn):
    with pytest.raises(croupier.CroupierError, match="discounted-cfr"):
        croupier.solve(kuhn, "simplex")
    with pytest.raises(croupier.CroupierError, match="histories_max"):
        croupier.solve(croupier.load("leduc"), histories_max=10)
    with pytest.raises(croupier.CroupierError, match="samples"):
        croupier.solve(kuhn, samples=0)
    with pytest.raises(OverflowError):
        croupier.solve(kuhn, iterations=-1)
    assert croupier.solve(kuhn, iterations=0).exploitability > 0


def test_what_is_no_agent_says_why(kuhn, leduc):
    with pytest.raises(croupier.CroupierError, match="ismcts"):
        croupier.Agent("ismct", kuhn, "alice")
    with pytest.raises(croupier.CroupierError, match="iterations"):
        croupier.Agent("ismcts:depth=3", kuhn, "alice")
    with pytest.raises(FileNotFoundError, match="no-such-file"):
        croupier.Agent("policy:no-such-file", kuhn, "alice")
    with pytest.raises(croupier.RoleError):
        croupier.Agent("random", kuhn, "random")
    with pytest.raises(TypeError):
        croupier.Agent(3, kuhn, "alice")
    agent = croupier.Agent("random", kuhn, "alice")
    with pytest.raises(croupier.CroupierError, match="role"):
        agent.choose(croupier.Match(kuhn).view("bob"))
    with pytest.raises(croupier.CroupierError, match="rules differ"):
        agent.choose(croupier.Match(leduc).view("alice"))
