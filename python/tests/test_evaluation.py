"""Exact evaluation and information sets: beside the solver's figures, OpenSpiel's, and matches that are played."""

from __future__ import annotations

import threading

import croupier
import pytest
from conftest import play

UNIFORM = croupier.Policy.from_dict({})


@pytest.mark.parametrize("name", ["kuhn", "leduc", "goofspiel-4", "kuhn-3"])
def test_a_solution_is_worth_what_the_solver_says(name: str) -> None:
    game = croupier.load(name)
    solution = croupier.solve(game, iterations=50)
    found = croupier.evaluate(game, solution.policy)
    assert found.unit == solution.unit == game.unit
    assert found.nash_conv == pytest.approx(solution.nash_conv, abs=1e-9)
    assert found.exploitability == pytest.approx(found.nash_conv / len(game.roles))
    assert found.values == pytest.approx(solution.values, abs=1e-9)
    assert found.best_responses == pytest.approx(solution.best_responses, abs=1e-9)
    gains = sum(found.best_responses[role] - found.values[role] for role in game.roles)
    assert found.nash_conv == pytest.approx(gains, abs=1e-9)


@pytest.mark.parametrize(("name", "theirs", "figure"), [("kuhn", "kuhn_poker", 0.916667), ("leduc", "leduc_poker", 4.747222)])
def test_uniform_play_is_as_far_off_as_openspiel_says(name: str, theirs: str, figure: float) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python import policy
    from open_spiel.python.algorithms import exploitability

    game = pyspiel.load_game(theirs)
    expected = exploitability.nash_conv(game, policy.UniformRandomPolicy(game))
    assert expected == pytest.approx(figure, abs=1e-6)
    assert croupier.evaluate(croupier.load(name), UNIFORM).nash_conv == pytest.approx(expected, abs=1e-9)


def test_every_choice_of_a_match_is_an_information_set(leduc: croupier.Game) -> None:
    listed = croupier.information_sets(leduc)
    legal = {view.text: moves for view, moves in listed}
    assert len(legal) == len(listed) == 936
    assert all(len(moves) > 1 and moves == sorted(moves) for moves in legal.values())
    assert [view.text for view, _ in croupier.information_sets(leduc)] == list(legal)
    for seed in range(30):
        match = croupier.Match(leduc, seed=seed)
        while not match.is_over:
            for role in match.acting:
                assert legal[match.view(role).text] == match.legal(role)
            match.step({role: match.legal(role)[seed % len(match.legal(role))] for role in match.acting})
    # No choice is left when a match is over.
    assert match.view("alice").text not in legal and play(match).is_over


def test_a_policy_is_made_from_views_or_their_texts(kuhn: croupier.Game) -> None:
    sets = croupier.information_sets(kuhn)
    by_view = {view: {moves[0]: 0.25, moves[1]: 0.75} for view, moves in sets}
    policy = croupier.Policy.from_dict(by_view)
    assert policy == croupier.Policy.from_dict({view.text: moves for view, moves in by_view.items()})
    assert policy == croupier.Policy.from_json(policy.to_json()) and len(policy) == 12
    view = sets[0][0]
    assert policy[view] == by_view[view]
    # What is left out is uniform.
    rest = {each: moves for each, moves in by_view.items() if each != view}
    halves = dict.fromkeys(by_view[view], 0.5)
    silent, told = croupier.Policy.from_dict(rest), croupier.Policy.from_dict({**rest, view: halves})
    assert croupier.evaluate(kuhn, silent).values == croupier.evaluate(kuhn, told).values


def test_an_evaluation_says_how_much_the_policy_knew_and_nothing_is_an_error(kuhn: croupier.Game, leduc: croupier.Game) -> None:
    sets = croupier.information_sets(kuhn)
    policy = croupier.Policy.from_dict({view: {moves[0]: 1.0} for view, moves in sets[:5]})
    found = croupier.evaluate(kuhn, policy)
    assert (found.met, found.known) == (len(sets), 5)
    with pytest.raises(croupier.CroupierError, match="knows 0 of 936 information sets"):
        croupier.evaluate(leduc, policy)
    # A policy without entries is uniform play, and says so.
    assert croupier.evaluate(kuhn, UNIFORM).known == 0
    solution = croupier.solve(kuhn, iterations=2)
    assert solution.met == solution.known == len(sets)


def test_what_cannot_be_evaluated_says_why(kuhn: croupier.Game, leduc: croupier.Game) -> None:
    view, moves = croupier.information_sets(kuhn)[0]
    with pytest.raises(croupier.CroupierError, match="add up to 0.5"):
        croupier.Policy.from_dict({view: {moves[0]: 0.5}})
    with pytest.raises(TypeError):
        croupier.Policy.from_dict({3: {moves[0]: 1.0}})  # type: ignore[dict-item]
    with pytest.raises(TypeError):
        croupier.Policy.from_dict({view: [1.0]})  # type: ignore[dict-item]
    with pytest.raises(croupier.CroupierError, match="noop.*not legal"):
        croupier.evaluate(kuhn, croupier.Policy.from_dict({view: {"noop": 1.0}}))
    for ask in (lambda: croupier.evaluate(leduc, UNIFORM, histories_max=10), lambda: croupier.information_sets(leduc, histories_max=10)):
        with pytest.raises(croupier.CroupierError, match="histories_max"):
            ask()
    with pytest.raises(OverflowError):
        croupier.evaluate(kuhn, UNIFORM, histories_max=-1)


def test_other_threads_run_while_a_game_is_evaluated() -> None:
    game, counted, done = croupier.load("liars-dice"), 0, threading.Event()

    def evaluate() -> None:
        croupier.evaluate(game, UNIFORM)
        done.set()

    worker = threading.Thread(target=evaluate)
    worker.start()
    while not done.wait(0.001):
        counted += 1
    worker.join()
    assert counted > 5
