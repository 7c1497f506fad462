"""Games under OpenSpiel's own checks and algorithms, and their trees beside OpenSpiel's."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from pathlib import Path

import croupier
import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

import croupier.openspiel  # noqa: E402
from open_spiel.python import policy  # noqa: E402
from open_spiel.python.algorithms import cfr, exploitability, ismcts  # noqa: E402

GAMES = [
    "kuhn", "leduc", "tic-tac-toe", "goofspiel-4", "liars-dice", "monty-hall", "battleship-4x4", "connect-four",
    "krieg-tic-tac-toe-4x4", "phantom-tic-tac-toe", "kuhn-3",
]  # fmt: skip


@pytest.mark.parametrize("name", GAMES)
def test_games_pass_the_simulation_test_of_openspiel(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(f"croupier(rules={name})"), num_sims=3, serialize=False, verbose=False)


@pytest.mark.parametrize(("name", "theirs"), [("kuhn", "kuhn_poker"), ("leduc", "leduc_poker")])
def test_uniform_play_loses_as_much_as_in_openspiels_own_game(name: str, theirs: str) -> None:
    def lost(game):
        return exploitability.nash_conv(game, policy.UniformRandomPolicy(game))

    ours = pyspiel.load_game(f"croupier(rules={name},utility=zero_sum)")
    assert lost(ours) == pytest.approx(lost(pyspiel.load_game(theirs)), abs=1e-9)


@pytest.mark.parametrize(("dice", "faces"), [(1, 4), (1, 5), (2, 2)])
def test_members_of_the_family_of_liars_dice_are_openspiels_own(
    command: Callable[..., str], tmp_path: Path, dice: int, faces: int
) -> None:
    command("new", tmp_path / "ours", "--from", "liars-dice", "--dice", dice, "--faces", faces)
    ours = croupier.load_file(tmp_path / "ours" / "rules.gdl")
    # The highest face is wild there as well, and a bid is higher by its count, or by its face.
    theirs = pyspiel.load_game(f"liars_dice(numdice={dice},dice_sides={faces})")
    uniform = pyspiel.nash_conv(theirs, pyspiel.UniformRandomPolicy(theirs))
    assert croupier.evaluate(ours, {}).nash_conv == pytest.approx(uniform, abs=1e-9)
    found, solver = croupier.solve(ours, iterations=5), pyspiel.CFRPlusSolver(theirs)
    for _ in range(5):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    assert found.nash_conv == pytest.approx(pyspiel.nash_conv(theirs, average), abs=1e-6)
    values = pyspiel.expected_returns(theirs.new_initial_state(), average, -1, False)
    assert list(found.values.values()) == pytest.approx(values, abs=1e-6)


def test_a_game_is_enumerated_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from croupier import _native, recall

    enumerated, native = [], _native.properties
    monkeypatch.setattr(recall, "_FOUND", {})
    monkeypatch.setattr(_native, "properties", lambda game, **limit: enumerated.append(game.name) or native(game, **limit))
    for _ in range(2):
        game = pyspiel.load_game("croupier(rules=leduc)")
        assert game.get_type().provides_information_state_tensor and game.max_utility() == 13
        croupier.Table("leduc")
    assert enumerated == ["leduc"]
    assert not hasattr(_native, "smallest_last"), "a second enumeration beside it"


def test_their_solver_finds_the_value_of_kuhn() -> None:
    game = pyspiel.load_game("croupier(rules=kuhn,utility=zero_sum)")
    solver = cfr.CFRPlusSolver(game)
    for _ in range(200):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    assert exploitability.exploitability(game, average) < 0.01
    assert len(average.states) == 12
    values = policy_value(game, average)
    # H. W. Kuhn 1950: the first player loses an eighteenth.
    assert values == pytest.approx([-1 / 18, 1 / 18], abs=0.01)


def policy_value(game, average):
    from open_spiel.python.algorithms import expected_game_score

    return expected_game_score.policy_value(game.new_initial_state(), [average] * game.num_players())


def test_a_resampled_state_looks_the_same_to_its_player() -> None:
    game = pyspiel.load_game("croupier(rules=liars-dice)")
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[1][0])
    player = state.current_player()
    draws = np.random.default_rng(1)
    others = [state.resample_from_infostate(player, draws.random) for _ in range(40)]
    assert {other.information_state_string(player) for other in others} == {state.information_state_string(player)}
    assert len({other.information_state_string(1 - player) for other in others}) == 6
    assert {other.current_player() for other in others} == {player}


def test_their_search_plays_it() -> None:
    game = pyspiel.load_game("croupier(rules=leduc)")
    from open_spiel.python.algorithms import mcts

    bot = ismcts.ISMCTSBot(
        game=game, evaluator=mcts.RandomRolloutEvaluator(random_state=np.random.RandomState(1)), uct_c=5.0,
        max_simulations=20, random_state=np.random.RandomState(2),
    )  # fmt: skip
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    assert bot.step(state) in state.legal_actions()


def test_clones_go_their_own_way() -> None:
    state = pyspiel.load_game("croupier(rules=goofspiel-4)").new_initial_state()
    other = state.clone()
    other.apply_action(other.legal_actions()[0])
    assert (state.current_player(), other.current_player()) == (0, 1)
    # Bids of one turn are made one after the other, and the second player does not learn of the first.
    assert other.information_state_string(1) == state.information_state_string(1)


def test_wrong_parameters_say_what_is_right() -> None:
    with pytest.raises(croupier.UnknownGameError, match="leduc"):
        croupier.openspiel.SpielGame({"rules": "leducc"})
    with pytest.raises(croupier.CroupierError, match="zero_sum"):
        croupier.openspiel.SpielGame({"utility": "zero"})


def test_states_are_values() -> None:
    game = croupier.load("leduc")
    start = croupier.State(game)
    assert start.acting == ["random"] and start.turn == 0 and not start.is_over
    dealt = start.step({"random": start.legal("random")[0]})
    assert start.turn == 0 and dealt.turn == 1 and start != dealt
    assert len(game.chance_moves) >= len(start.legal("random"))
    for other in (copy.copy(dealt), copy.deepcopy(dealt), pickle.loads(pickle.dumps(dealt))):
        assert other == dealt and hash(other) == hash(dealt)
        assert other.facts == dealt.facts and other.view("alice") == dealt.view("alice")
    with pytest.raises(croupier.IllegalMoveError, match="random has a choice"):
        start.step()
    with pytest.raises(croupier.RoleError, match="carol"):
        start.step({"carol": "noop"})
    with pytest.raises(croupier.CroupierError, match="particles"):
        start.resampled("alice", particles=0)


def test_a_match_and_a_state_agree() -> None:
    game = croupier.load("battleship-4x4")
    match, state = croupier.Match(game, seed=3), croupier.State(game)
    while not match.is_over:
        moves = {role: match.legal(role)[-1] for role in match.acting}
        assert state.acting == match.acting
        match.step(moves)
        state = state.step(moves)
        for role in game.roles:
            assert state.view(role) == match.view(role)
    assert state.is_over and state.goals == match.goals and state.payoffs == match.payoffs
    with pytest.raises(croupier.FinishedError):
        state.step()


def test_what_was_chosen_before_in_the_turn_is_drawn_again_for_others_and_kept_for_oneself() -> None:
    state = pyspiel.load_game("croupier(rules=goofspiel-4)").new_initial_state()
    bid = state.legal_actions()[2]
    state.apply_action(bid)
    draws = np.random.default_rng(2)
    others = [state.resample_from_infostate(1, draws.random) for _ in range(40)]
    assert {other.current_player() for other in others} == {1}
    assert len({str(other) for other in others}) == 4
    assert {str(state.resample_from_infostate(0, draws.random)) for _ in range(10)} == {str(state)}


@pytest.mark.parametrize(
    ("name", "theirs"),
    [("kuhn", "kuhn_poker"), ("leduc", "leduc_poker"), ("tic-tac-toe", "tic_tac_toe"), ("kuhn-3", "kuhn_poker(players=3)")],
)
def test_a_game_says_of_itself_what_openspiels_own_game_says(name: str, theirs: str) -> None:
    ours, other = pyspiel.load_game(f"croupier(rules={name})"), pyspiel.load_game(theirs)
    mine, its = ours.get_type(), other.get_type()
    assert (mine.information, mine.utility, mine.chance_mode) == (its.information, its.utility, its.chance_mode)
    assert ours.utility_sum() == other.utility_sum()
    assert ours.num_players() == other.num_players()
    assert (ours.min_utility(), ours.max_utility()) == (other.min_utility(), other.max_utility())
    # The ninth mark is forced, and no choice here.
    assert ours.max_game_length() == other.max_game_length() - (name == "tic-tac-toe")


def walked(state, visit) -> None:
    visit(state)
    for action in state.legal_actions():
        walked(state.child(action), visit)


@pytest.mark.parametrize("name", ["kuhn", "leduc", "goofspiel-4"])
def test_the_tensor_of_an_information_state_names_it(name: str) -> None:
    game = pyspiel.load_game(f"croupier(rules={name})")
    assert game.get_type().provides_information_state_tensor
    by_tensor: dict[bytes, str] = {}
    strings: set[str] = set()

    def visit(state) -> None:
        if state.is_chance_node() or state.is_terminal():
            return
        player = state.current_player()
        string = state.information_state_string(player)
        tensor = np.array(state.information_state_tensor(player), np.float32).tobytes()
        assert by_tensor.setdefault(tensor, string) == string
        strings.add(string)

    walked(game.new_initial_state(), visit)
    assert len(by_tensor) == len(strings) == {"kuhn": 12, "leduc": 936}.get(name, len(strings))


def test_a_tensor_that_confuses_information_states_is_not_provided() -> None:
    assert not pyspiel.load_game("croupier(rules=leduc,last=0)").get_type().provides_information_state_tensor
    assert not pyspiel.load_game("croupier(rules=holdem)").get_type().provides_information_state_tensor
