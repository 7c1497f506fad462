"""Functions as policies, everywhere: beside the tables that they were made from."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import croupier
import numpy as np
import pytest
from conftest import play
from croupier import FunctionPolicy

UNIFORM = croupier.Policy.from_dict({})


class Wrapped:
    """A table as a function: it looks up what the observation says. `calls` has the rows of each call."""

    def __init__(self, game: croupier.Game, policy: croupier.Policy) -> None:
        self.calls: list[int] = []
        shown = FunctionPolicy(game, self)
        sets = croupier.information_sets(game)
        rows = shown.of_views([view for view, _ in sets])
        self.known = {}
        for row, (view, moves) in zip(rows, sets, strict=True):
            entry = np.zeros(shown.outputs)
            for move in moves:
                entry[shown.observer.column(view.role, move)] = policy[view].get(move, 0.0)
            self.known[row.tobytes()] = entry

    def __call__(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        assert observations.dtype == np.float32 and masks.dtype == np.bool_ and len(observations) == len(masks)
        self.calls.append(len(observations))
        return np.array([self.known[row.tobytes()] for row in observations])


def solved(name: str) -> tuple[croupier.Game, croupier.Policy]:
    game = croupier.load(name)
    return game, croupier.solve(game, iterations=40).policy


def even(_observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    return masks / masks.sum(1, keepdims=True)


@pytest.mark.parametrize("name", ["kuhn", "leduc", "kuhn-3", "goofspiel-4"])
def test_a_function_is_as_exploitable_as_its_table_and_asked_once(name: str) -> None:
    game, policy = solved(name)
    function = Wrapped(game, policy)
    found, expected = croupier.evaluate(game, function), croupier.evaluate(game, policy)
    assert len(function.calls) == 1 and function.calls[0] == found.met == found.known
    assert found.nash_conv == pytest.approx(expected.nash_conv, abs=1e-9)
    assert found.values == pytest.approx(expected.values, abs=1e-9)
    table = FunctionPolicy(game, function).policy()
    for view, moves in croupier.information_sets(game):
        assert table[view] == pytest.approx({move: policy[view].get(move, 0.0) for move in moves}, abs=1e-9)


def test_players_of_one_evaluation_may_have_different_policies(leduc: croupier.Game) -> None:
    _, policy = solved("leduc")
    mixed = croupier.evaluate(leduc, {"alice": Wrapped(leduc, policy), "bob": even})
    assert mixed.values["alice"] == pytest.approx(-mixed.values["bob"])
    assert mixed.values == pytest.approx(croupier.evaluate(leduc, {"alice": policy}).values)
    assert mixed.values["alice"] > croupier.evaluate(leduc, policy).values["alice"]
    # The response to uniform play gains what the evaluation of uniform play says.
    response = croupier.best_response(leduc, "bob", {"alice": even})
    expected = croupier.evaluate(leduc, UNIFORM).best_responses["bob"]
    assert croupier.evaluate(leduc, {"bob": response}).values["bob"] == pytest.approx(expected)
    assert all(view.role == "bob" for view, _ in croupier.information_sets(leduc) if view in response)
    with pytest.raises(croupier.RoleError):
        croupier.evaluate(leduc, {"carol": even})


def test_a_mixture_is_worth_the_mean_of_what_it_mixes_against_anybody(leduc: croupier.Game) -> None:
    _, solution = solved("leduc")
    parts, weights = [solution, even, croupier.best_response(leduc, "alice", even)], [1, 2, 5]
    mixture = croupier.mixture(leduc, parts, weights)
    for other in (UNIFORM, solution):
        values = [croupier.evaluate(leduc, {"alice": part, "bob": other}).values["alice"] for part in parts]
        expected = np.dot(values, weights) / sum(weights)
        assert croupier.evaluate(leduc, {"alice": mixture, "bob": other}).values["alice"] == pytest.approx(expected)
    for wrong in ([1, 2], [1, 2, -1], [0, 0, 0], [1, 2, float("nan")]):
        with pytest.raises(croupier.CroupierError):
            croupier.mixture(leduc, parts, wrong)


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
@pytest.mark.parametrize("method", ["exact", "particle"])
def test_a_belief_is_that_of_the_table(name: str, method: str) -> None:
    game, policy = solved(name)
    function = Wrapped(game, policy)
    for seed in range(8):
        match = croupier.Match(game, seed=seed)
        belief = None
        while not match.is_over:
            for role in match.acting:
                view = match.view(role)
                found = croupier.Belief(game, role, view, opponents=function, method=method, seed=seed)
                expected = croupier.Belief(game, role, view, opponents=policy, method=method, seed=seed)
                assert found.marginals() == pytest.approx(expected.marginals(), abs=1e-9)
                by_role = {other: function for other in game.roles if other != role}
                assert croupier.Belief(game, role, view, by_role, method=method, seed=seed).marginals() == found.marginals()
            match.step({role: match.legal(role)[seed % len(match.legal(role))] for role in match.acting})
            view = match.view(game.roles[1])
            if match.is_over:
                break
            belief = belief.follow(view) if belief else croupier.Belief(game, game.roles[1], view, function, method=method)
            assert belief.marginals() == pytest.approx(
                croupier.Belief(game, game.roles[1], view, policy, method=method).marginals(), abs=1e-9
            )
    # Cards of a turn are asked for together.
    assert max(function.calls) > 1


def test_a_belief_asks_for_a_whole_turn_at_once() -> None:
    game = croupier.load("holdem")
    calls: list[int] = []

    def counting(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        calls.append(len(observations))
        return even(observations, masks)

    match = croupier.Match(game, seed=3)
    while match.turn < 12 and not match.is_over:
        match.step({role: match.legal(role)[0] if len(match.legal(role)) < 2 else "call" if "call" in match.legal(role) else match.legal(role)[0] for role in match.acting})
    role = match.acting[0] if match.acting else game.roles[0]
    function = FunctionPolicy(game, counting, last=1)
    found = croupier.Belief(game, role, match.view(role), opponents=function, particles=500, seed=1)
    assert sum(calls) > 10 * len(calls)
    assert found.marginals() == pytest.approx(
        croupier.Belief(game, role, match.view(role), opponents="random", particles=500, seed=1).marginals(), abs=1e-6
    )


def test_an_agent_plays_what_the_function_says(leduc: croupier.Game) -> None:
    _, policy = solved("leduc")
    function = Wrapped(leduc, policy)
    for role in leduc.roles:
        ours, theirs = croupier.Agent(function, leduc, role, seed=5), croupier.Agent(policy, leduc, role, seed=5)
        assert ours.kind == "function"
        for seed in range(10):
            match = croupier.Match(leduc, seed=seed)
            while not match.is_over:
                moves = {}
                for acting in match.acting:
                    moves[acting] = match.legal(acting)[seed % len(match.legal(acting))]
                    if acting == role:
                        decision, expected = ours.decide(match.view(role)), theirs.decide(match.view(role))
                        assert decision.strategy == pytest.approx(expected.strategy)
                        assert decision.chosen == expected.chosen
                        moves[acting] = decision.chosen
                match.step(moves)
    agent = croupier.Agent(FunctionPolicy(leduc, even), leduc, "alice", seed=1)
    match = croupier.Match(leduc, seed=1)
    while "alice" not in match.acting:
        match.step()
    for other in (copy.copy(agent), copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
        assert other.choose(match.view("alice")) == agent.choose(match.view("alice"))


@pytest.mark.parametrize(("observation", "last"), [("percepts", None), ("percepts", 3), ("turn", None), ("belief", None)])
def test_a_seat_is_held_by_probabilities(observation: Any, last: int | None) -> None:
    game, policy = solved("leduc")
    function = Wrapped(game, policy)
    env = croupier.VectorEnv(game, 512, seats={"bob": function}, observation=observation, last=last, seed=3)
    total = ended = 0.0
    for _ in range(60):
        step = env.step(env.sample())
        total, ended = total + step.reward[:, 0].sum(), ended + step.done.sum()
    expected = croupier.evaluate(game, {"bob": policy}).values["alice"]
    assert abs(total / ended - expected) < 4 * 4.0 / np.sqrt(ended)
    again = croupier.VectorEnv(game, 512, seats={"bob": function}, observation=observation, last=last, seed=3)
    for _ in range(60):
        step = again.step(again.sample())
    assert (step.observation == env.last_step.observation).all()


def changed(row: int, value: Any) -> Any:
    def function(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        found = even(observations, masks)
        legal = np.flatnonzero(masks[row % len(masks)])
        found[row % len(masks), legal[0]] = value
        return found

    return function


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda o, m: m[:, :1] * 1.0, "must give probabilities of shape"),
        (lambda o, m: "bet", "must give probabilities of shape"),
        (lambda o, m: np.full(m.shape, "x"), "must give probabilities of shape"),
        (lambda o, m: None, "must give probabilities of shape"),
        (changed(3, np.nan), "is not finite"),
        (changed(3, np.inf), "is not finite"),
        (changed(3, -0.5), "is negative"),
        (changed(3, 0.7), "add up to 1.2, not to 1"),
        (lambda o, m: np.full(m.shape, 1 / m.shape[1]), "although the move is illegal"),
        (lambda o, m: m * 0.0, "add up to 0, not to 1"),
    ],
)
def test_what_is_no_distribution_is_refused_everywhere(kuhn: croupier.Game, wrong: Any, message: str) -> None:
    match = croupier.Match(kuhn, seed=1)
    match.step(), match.step()
    view = match.view("alice")
    with pytest.raises(croupier.CroupierError, match=message):
        croupier.evaluate(kuhn, wrong)
    with pytest.raises(croupier.CroupierError, match=message):
        croupier.Agent(wrong, kuhn, "alice").choose(view)
    match.step({"alice": "bet"})
    with pytest.raises(croupier.CroupierError, match=message):
        croupier.Belief(kuhn, "bob", match.view("bob"), opponents=wrong)
    with pytest.raises(croupier.CroupierError, match=message):
        croupier.VectorEnv(kuhn, 4, seats={"alice": wrong})


class OwnError(Exception):
    pass


def test_exceptions_of_the_function_come_through(kuhn: croupier.Game) -> None:
    error = OwnError("mine")

    def failing(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        raise error

    match = croupier.Match(kuhn, seed=1)
    match.step(), match.step()
    view = match.view("alice")
    match.step({"alice": "bet"})
    for use in (
        lambda: croupier.evaluate(kuhn, failing),
        lambda: croupier.best_response(kuhn, "alice", failing),
        lambda: croupier.mixture(kuhn, [failing], [1]),
        lambda: croupier.Agent(failing, kuhn, "alice").choose(view),
        lambda: croupier.Belief(kuhn, "bob", match.view("bob"), opponents={"alice": failing}),
        lambda: croupier.VectorEnv(kuhn, 4, seats={"alice": failing}),
    ):
        with pytest.raises(OwnError) as raised:
            use()
        assert raised.value is error
    # An agent that failed goes on.
    fails = [True]

    def once(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        if fails.pop() if fails else False:
            raise error
        return even(observations, masks)

    agent = croupier.Agent(once, kuhn, "alice")
    with pytest.raises(OwnError):
        agent.choose(view)
    assert agent.choose(view) in ("bet", "pass")


def test_a_function_of_another_game_is_refused(kuhn: croupier.Game, leduc: croupier.Game) -> None:
    function = FunctionPolicy(leduc, even)
    for use in (lambda: croupier.evaluate(kuhn, function), lambda: croupier.Agent(function, kuhn, "alice")):
        with pytest.raises(croupier.CroupierError, match="made for 'leduc'"):
            use()
    for wrong in (3, None, [], object()):
        with pytest.raises(TypeError):
            croupier.evaluate(kuhn, wrong)  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            croupier.Agent(wrong, kuhn, "alice")  # type: ignore[arg-type]


def test_a_torch_module_is_a_policy(leduc: croupier.Game) -> None:
    torch = pytest.importorskip("torch", reason="needs PyTorch: pip install 'croupier[learn]'")
    from croupier import learn

    shape = FunctionPolicy(leduc, even)
    generator = torch.Generator().manual_seed(1)
    net = learn.Net(learn.Space(leduc), (16,), generator)
    with torch.no_grad():
        for tensor in net.parameters():
            tensor.add_(torch.randn(tensor.shape, generator=generator))
    module = torch.nn.Sequential(torch.nn.Linear(shape.inputs, 16), torch.nn.Tanh(), torch.nn.Linear(16, shape.outputs))
    table = learn.policy(net)
    assert croupier.evaluate(leduc, net).nash_conv == pytest.approx(croupier.evaluate(leduc, table).nash_conv, abs=1e-9)
    as_table = FunctionPolicy(leduc, module).policy()
    assert croupier.evaluate(leduc, module).nash_conv == pytest.approx(croupier.evaluate(leduc, as_table).nash_conv, abs=1e-9)
    match = croupier.Match(leduc, seed=4)
    while "bob" not in match.acting:
        match.step({role: match.legal(role)[0] for role in match.acting})
    view = match.view("bob")
    for written, known in ((net, table), (module, as_table)):
        found = croupier.Belief(leduc, "bob", view, opponents=written).marginals()
        assert found == pytest.approx(croupier.Belief(leduc, "bob", view, opponents=known).marginals(), abs=1e-6)
        assert croupier.Agent(written, leduc, "bob").decide(view).strategy == pytest.approx(known[view], abs=1e-6)
        croupier.VectorEnv(leduc, 8, seats={"bob": written}).step(np.zeros((8, 2), int))
    with pytest.raises(croupier.CroupierError, match="must give logits of shape"):
        croupier.evaluate(leduc, torch.nn.Linear(shape.inputs, shape.outputs + 1))
    # What torch refuses comes through.
    with pytest.raises(RuntimeError):
        croupier.evaluate(leduc, torch.nn.Linear(shape.inputs + 1, shape.outputs))
    assert play(croupier.Match(leduc, seed=1)).is_over
