"""Tournaments and populations on this machine: beside matches that are replayed, exact values, and meta-games with known solutions."""

from __future__ import annotations

from typing import Any

import croupier
import numpy as np
import pytest
from croupier import league
from croupier.population import Mixed, Population, exact_response, move_values, regret_matching

UNIFORM = croupier.Policy.from_dict({})


def even(_observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    return masks / masks.sum(1, keepdims=True)


def test_a_round_robin_plays_every_deal_in_every_seat_and_measures_right(kuhn: croupier.Game) -> None:
    solution = croupier.solve(kuhn, iterations=200).policy
    players: dict[str, Any] = {"solved": solution, "even": even, "caller": "call"}
    results = league.tournament(kuhn, players, deals=150, seed=2)
    assert results == league.tournament(kuhn, players, deals=150, seed=2)
    assert results != league.tournament(kuhn, players, deals=150, seed=3)
    assert len(results.matches) == 3 * 2 * 150 and results.unit == kuhn.unit
    payoffs = results.payoffs()
    assert payoffs.players == ["solved", "even", "caller"]
    assert np.isnan(payoffs.mean.diagonal()).all()
    np.testing.assert_allclose(payoffs.mean, -payoffs.mean.T)
    # The exact value of who sits where is within two of the intervals.
    exact = [croupier.evaluate(kuhn, {"alice": one, "bob": other}).values for one, other in ((solution, even), (even, solution))]
    expected = (exact[0]["alice"] + exact[1]["bob"]) / 2
    assert abs(payoffs.mean[0, 1] - expected) < 2 * payoffs.interval[0, 1] < 0.5
    assert [standing.player for standing in results.standings][0] == "solved"
    assert str(results).count("\n") == 2


def test_ratings_are_those_of_who_wins_more_often(kuhn: croupier.Game) -> None:
    wins = [league.Played(deal, ("a", "b"), (1.0, -1.0), "") for deal in range(30)]
    wins += [league.Played(deal, ("b", "c"), (1.0, -1.0), "") for deal in range(30)]
    results = league.Results("chips", wins)
    for system in ("weng-lin", "glicko-2"):
        rated = results.ratings(system)
        assert [one.player for one in rated] == ["a", "b", "c"]
        assert rated[0].rating > rated[1].rating > rated[2].rating and all(one.uncertainty > 0 for one in rated)
    swapped = league.Results("chips", [match._replace(seats=match.seats[::-1], payoffs=match.payoffs[::-1]) for match in wins])
    assert swapped.ratings() == results.ratings()
    with pytest.raises(croupier.CroupierError, match="the system must be"):
        results.ratings("elo")  # type: ignore[arg-type]


def test_head_to_head_and_what_is_refused(kuhn: croupier.Game) -> None:
    results = league.head_to_head(kuhn, even, "random", deals=10)
    assert {standing.player: standing.matches for standing in results.standings} == {"player": 20, "against": 20}
    assert results.payoffs().interval[0, 1] > 0
    with pytest.raises(croupier.CroupierError, match="2 roles, but there are 1 players"):
        league.tournament(kuhn, {"a": even}, deals=1)
    with pytest.raises(croupier.CroupierError, match="deals must be at least 1"):
        league.tournament(kuhn, {"a": even, "b": even}, deals=0)
    with pytest.raises(croupier.CroupierError):
        league.tournament(kuhn, {"a": even, "b": "no such agent"}, deals=1)


def test_three_players_take_every_seat() -> None:
    game = croupier.load("kuhn-3")
    results = league.tournament(game, {"a": even, "b": "random", "c": "call"}, deals=4)
    assert len(results.matches) == 12 and results.payoffs().mean.shape == (3, 3)
    assert sum(standing.mean for standing in results.standings) == pytest.approx(0)


def gains(payoffs: list[np.ndarray], strategies: list[np.ndarray]) -> float:
    return sum(
        float(move_values(payoff, strategies, player).max() - move_values(payoff, strategies, player) @ strategies[player])
        for player, payoff in enumerate(payoffs)
    )


def test_the_meta_strategy_of_rock_paper_scissors_is_uniform() -> None:
    rock = np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    # Also in a bad start: with a fourth move that always loses a little.
    worse = np.pad(rock, ((0, 1), (0, 1)))
    worse[3, :3], worse[:3, 3] = -0.5, 0.5
    for payoff in (rock, worse):
        for strategy in regret_matching([payoff, -payoff]):
            assert strategy[:3] == pytest.approx(np.full(3, 1 / 3), abs=5e-3)
    # Where a win with one hand counts twice: rock 1/4, paper 1/2, scissors 1/4.
    weighted = np.array([[0.0, -1, 2], [1, 0, -1], [-2, 1, 0]])
    for strategy in regret_matching([weighted, -weighted], 5000):
        assert strategy == pytest.approx([0.25, 0.5, 0.25], abs=5e-3)


@pytest.mark.parametrize("seed", range(5))
def test_meta_strategies_of_random_games_cannot_be_improved(seed: int) -> None:
    payoff = np.random.default_rng(seed).normal(size=(4, 6))
    assert gains([payoff, -payoff], regret_matching([payoff, -payoff], 5000)) < 0.01


def test_values_of_moves_are_means_over_the_others() -> None:
    draws = np.random.default_rng(1)
    payoff = draws.normal(size=(2, 3, 4))
    strategies = [draws.dirichlet(np.ones(size)) for size in payoff.shape]
    for player, letters in enumerate(("b,c", "a,c", "a,b")):
        others = [strategy for place, strategy in enumerate(strategies) if place != player]
        expected = np.einsum(f"abc,{letters}->{'abc'[player]}", payoff, *others)
        assert move_values(payoff, strategies, player) == pytest.approx(expected)


def test_exact_responses_solve_kuhn(kuhn: croupier.Game) -> None:
    population = Population(kuhn)
    begun = population.evaluate().exploitability
    assert begun == pytest.approx(croupier.evaluate(kuhn, UNIFORM).exploitability)
    for round in population.advance(20):
        # What nobody can answer is an equilibrium: exploitability is the mean of what answers gain.
        if max(round.gains) < 0.004:
            break
    found = population.evaluate()
    assert found.exploitability < 0.01 and found.known == found.met
    assert found.values["alice"] == pytest.approx(-1 / 18, abs=0.01)
    for player, payoff in enumerate(population.payoffs):
        assert payoff.shape == tuple(len(policies) for policies in population.policies)
        role = kuhn.roles[player]
        chosen = {other: population.policies[place][-1] for place, other in enumerate(kuhn.roles)}
        assert payoff[-1, -1] == pytest.approx(croupier.evaluate(kuhn, chosen).values[role])


def test_gains_of_a_round_are_what_its_strategies_could_have_won(kuhn: croupier.Game) -> None:
    population = Population(kuhn)
    before = population.evaluate()
    (round,) = population.advance(1)
    assert sum(round.gains) == pytest.approx(before.nash_conv)
    assert (population.rounds, round.number) == (1, 1)


def test_an_oracle_of_ones_own_and_estimated_payoffs(kuhn: croupier.Game) -> None:
    asked: list[tuple[str, list[str], int]] = []

    def oracle(game: croupier.Game, role: str, others: dict[str, Mixed]) -> Any:
        asked.append((role, list(others), len(next(iter(others.values())).policies)))
        return exact_response(game, role, others)

    population = Population(kuhn, oracle, start=even, deals=200, seed=4)
    exact = Population(kuhn, start=even)
    list(population.advance(2)), list(exact.advance(1))
    assert asked == [("alice", ["bob"], 1), ("bob", ["alice"], 1), ("alice", ["bob"], 2), ("bob", ["alice"], 2)]
    np.testing.assert_allclose(population.payoffs[0], -population.payoffs[1])
    np.testing.assert_allclose(population.payoffs[0][:2, :2], exact.payoffs[0], atol=0.4)
    fixed = Population(kuhn, lambda game, role, others: "call", start=even, deals=20)
    list(fixed.advance(1))
    assert fixed.policies == [[even, "call"], [even, "call"]]


def test_three_players_answer_each_other() -> None:
    population = Population("kuhn-3")
    begun = population.evaluate().nash_conv
    list(population.advance(4))
    assert population.payoffs[0].shape == (5, 5, 5)
    assert population.evaluate().nash_conv < begun
