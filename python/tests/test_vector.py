"""Many matches at once: arrays against rules, seeds, copies and wrong use."""

from __future__ import annotations

import copy
import pickle
from typing import Literal

import croupier
import numpy as np
import numpy.typing as npt
import pytest
from croupier._native import Lanes
from croupier.steps import Wanted

GAMES = ["kuhn", "leduc", "tic-tac-toe", "goofspiel-4", "liars-dice", "holdem"]


def kept(step: croupier.Step) -> list[npt.NDArray[np.generic]]:
    """The arrays as they are now; the environment writes on."""
    return [array.copy() for array in step]


def same(one: list[npt.NDArray[np.generic]], other: list[npt.NDArray[np.generic]]) -> bool:
    return all(np.array_equal(left, right) for left, right in zip(one, other, strict=True))


def played(env: croupier.VectorEnv, steps: int, seed: int = 0) -> list[npt.NDArray[np.generic]]:
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        env.step(env.sample(rng))
    return kept(env.last_step)


@pytest.mark.parametrize("name", GAMES)
def test_arrays_have_their_shapes_and_names(name: str) -> None:
    env = croupier.VectorEnv(name, lanes=37, seed=1, last=2)
    for _ in range(10):
        step = env.step(env.sample())
        assert step.observation.shape == (37, len(env.roles), max(map(len, env.features.values())))
        assert step.mask.shape == (37, len(env.roles), max(map(len, env.moves.values())))
        assert step.acting.any(axis=1).all(), "somebody has a choice in every lane"
        assert ((step.mask.sum(axis=2) > 1) == (step.acting == 1)).all()
        assert (step.reward[step.done == 0] == 0).all()
        for array in step[:3]:
            assert set(np.unique(array)) <= {0, 1}
    assert env.illegal_moves == 0


def test_the_first_player_of_kuhn_knows_its_card_and_no_other() -> None:
    env = croupier.VectorEnv("kuhn", lanes=300, seed=3, observation="percepts", last=0)
    cards = [place for place, name in enumerate(env.features["alice"]) if name.startswith("saw (hole")]
    assert len(cards) == 3, env.features["alice"]
    seen = env.last_step.observation[:, 0, cards].astype(int)
    assert (seen.sum(axis=1) == 1).all()
    # Each card a third of the time, give or take five standard deviations.
    assert (abs(seen.sum(axis=0) - 100) < 41).all()


def test_uniform_play_of_kuhn_pays_what_openspiel_says() -> None:
    env = croupier.VectorEnv("kuhn", lanes=4096, seed=5, units="payoff")
    rng = np.random.default_rng(1)
    total, ended = np.zeros(2), 0
    for _ in range(60):
        step = env.step(env.sample(rng))
        total += step.reward.sum(axis=0)
        ended += int(step.done.sum())
    # OpenSpiel: uniform play is worth 1/8 of a chip to the first player of kuhn_poker.
    assert total[0] == -total[1]
    assert abs(total[0] / ended - 0.125) < 5 * 1.5 / np.sqrt(ended), total[0] / ended


@pytest.mark.parametrize("observation", ["percepts", "turn"])
def test_a_reset_is_a_new_environment_and_threads_change_nothing(observation: Literal["percepts", "turn"]) -> None:
    def new(**options: bool) -> croupier.VectorEnv:
        return croupier.VectorEnv("leduc", lanes=1100, seed=9, observation=observation, **options)

    first = played(new(), 12)
    used = new()
    played(used, 5, seed=3)
    used.reset(9)
    assert same(played(used, 12), first)
    assert same(played(new(parallel=False), 12), first)
    used.reset(10)
    assert not same(played(used, 12), first)


def test_copies_and_pickles_go_on_as_the_environment_itself() -> None:
    env = croupier.VectorEnv("holdem", lanes=600, seed=2)
    played(env, 9)
    others = [copy.copy(env), copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    expected = played(env, 9, seed=4)
    for other in others:
        assert same(played(other, 9, seed=4), expected)
        assert other.last_step.mask is not env.last_step.mask


def test_a_random_seat_is_moved_for() -> None:
    env = croupier.VectorEnv("tic-tac-toe", lanes=64, seed=1, seats={"o": "random"})
    for _ in range(12):
        assert (env.last_step.acting == [1, 0]).all()
        env.step(env.sample())


def test_illegal_actions_are_drawn_and_counted_or_refused() -> None:
    env = croupier.VectorEnv("tic-tac-toe", lanes=20, seed=1)
    env.step(np.full((20, 2), 10**6))
    env.step(np.full((20, 2), -1))
    assert env.illegal_moves == 40
    strict = croupier.VectorEnv("tic-tac-toe", lanes=20, seed=1, illegal="error")
    before = kept(strict.last_step)
    with pytest.raises(croupier.IllegalMoveError, match="lane 0: legal moves are") as refused:
        strict.step(np.full((20, 2), 99))
    assert refused.value.role == "x"
    assert same(kept(strict.last_step), before)
    strict.step(strict.sample())


def test_the_truth_is_shown_to_those_who_ask_for_it_alone() -> None:
    with pytest.raises(croupier.CroupierError, match="privileged=True"):
        croupier.VectorEnv("kuhn", observation="state")
    env = croupier.VectorEnv("kuhn", lanes=5, observation="state", privileged=True)
    assert env.metadata["privileged"]
    assert (env.last_step.observation[:, 0] == env.last_step.observation[:, 1]).all()
    assert any(name.startswith("(hand") for name in env.features["alice"])


def test_wrong_use_says_what_to_do() -> None:
    env = croupier.VectorEnv("kuhn", lanes=3)
    for actions, words in [
        (np.zeros((3, 3), int), "(lanes, players) = (3, 2)"),
        (np.zeros((3, 2)), "integers"),
        ("fold", "shape"),
    ]:
        with pytest.raises(croupier.CroupierError) as refused:
            env.step(actions)
        assert words in str(refused.value)
    for options, words in [
        ({"lanes": 0}, "at least 1"),
        ({"observation": "everything"}, "'percepts'"),
        ({"units": "euros"}, "'payoff'"),
        ({"illegal": "ignore"}, "'draw'"),
        ({"seats": {"carol": "random"}}, "alice, bob"),
        ({"seats": {"alice": "wizard"}}, "known players are: random"),
        ({"seats": {"alice": "random", "bob": "random"}}, "no player"),
    ]:
        with pytest.raises((croupier.CroupierError, ValueError)) as refused:
            croupier.VectorEnv("kuhn", **options)
        assert words in str(refused.value), options
    with pytest.raises(croupier.UnknownGameError):
        croupier.VectorEnv("khun")


@pytest.mark.parametrize("name", ["kuhn", "leduc", "krieg-tic-tac-toe-4x4", "goofspiel-4"])
def test_a_belief_in_a_lane_is_that_of_the_view(name: str) -> None:
    game = croupier.load(name)
    env = croupier.VectorEnv(game, lanes=24, seed=6, observation="belief")
    assert env.last_step.observation.dtype == np.float32
    native = Lanes(game, Wanted(24, "belief", 1, [True] * len(game.roles), views=True))
    step = env.last_step
    native.reset(6, step)
    rng = np.random.default_rng(1)
    for _ in range(4):
        for player, role in enumerate(game.roles):
            for lane in range(0, 24, 5):
                found = step.observation[lane, player, : len(env.features[role])]
                if not step.acting[lane, player]:
                    assert not found.any()
                    continue
                belief = croupier.Belief(game, role, native.views(player, [lane])[0], method="exact")
                marginals = belief.marginals()
                expected = [marginals.get(name, 0.0) for name in env.features[role]]
                assert np.allclose(found, expected, atol=1e-6)
        native.step(np.argmax(rng.random(step.mask.shape) * step.mask, axis=2).astype(np.int32), step)


def test_beliefs_in_large_games_are_the_same_after_a_copy() -> None:
    env = croupier.VectorEnv("holdem", lanes=5, seed=2, observation="belief", particles=50, seats={"bob": "call"})
    env.step(env.sample(np.random.default_rng(1)))
    twin = pickle.loads(pickle.dumps(env))
    assert same(played(env, 4), played(twin, 4))
    assert ((env.last_step.observation > 0) & (env.last_step.observation < 1)).any()
    with pytest.raises(croupier.CroupierError, match="particles"):
        croupier.VectorEnv("kuhn", observation="belief", particles=0)
