"""Adapters under the conformance suites of their frameworks, and their records under ours."""

from __future__ import annotations

import copy
import pickle
import warnings
from random import Random

import croupier
import numpy as np
import pytest

pettingzoo = pytest.importorskip("pettingzoo")
gymnasium = pytest.importorskip("gymnasium")

import croupier.gymnasium  # noqa: E402
import croupier.pettingzoo  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import api_test, parallel_api_test, seed_test  # noqa: E402

GAMES = [
    "kuhn", "leduc", "tic-tac-toe", "goofspiel-4", "liars-dice", "monty-hall", "battleship-4x4", "connect-four",
    "krieg-tic-tac-toe-4x4", "phantom-tic-tac-toe", "holdem",
]  # fmt: skip


@pytest.mark.parametrize("name", GAMES)
def test_games_pass_the_suites_of_pettingzoo(name: str) -> None:
    with warnings.catch_warnings():
        # The suite warns of observations that are dictionaries, as those of all its own games with masks are.
        warnings.simplefilter("ignore")
        api_test(pettingzoo.make("aec", f"croupier/{name}-v0"), num_cycles=60)
        seed_test(lambda: pettingzoo.make("aec", f"croupier/{name}-v0"), num_cycles=60)
        parallel_api_test(pettingzoo.make("parallel", f"croupier/{name}-v0"), num_cycles=60)


@pytest.mark.parametrize("name", GAMES)
def test_games_pass_the_suite_of_gymnasium(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(gymnasium.make(f"croupier/{name}-v0").unwrapped, skip_render_check=True)


def legal(mask: np.ndarray, draws: Random) -> int:
    return draws.choice(list(np.flatnonzero(mask)))


def test_matches_of_adapters_have_records_that_verify() -> None:
    draws = Random(1)
    aec = pettingzoo.make("aec", "croupier/leduc-v0")
    aec.reset(seed=5)
    for agent in aec.agent_iter():
        observation, reward, terminated, truncated, _ = aec.last()
        aec.step(None if terminated or truncated else legal(observation["action_mask"], draws))
    croupier.verify(aec.table.match.record())
    assert aec.table.match.is_over

    parallel = pettingzoo.make("parallel", "croupier/goofspiel-4-v0")
    observed, _ = parallel.reset(seed=5)
    while parallel.agents:
        actions = {role: legal(observed[role]["action_mask"], draws) for role in parallel.agents}
        observed, rewards, *_ = parallel.step(actions)
    croupier.verify(parallel.table.match.record())
    assert sum(rewards.values()) == 0

    seat = gymnasium.make("croupier/holdem-v0", role="bob", others="call")
    _, info = seat.reset(seed=5)
    is_over = False
    while not is_over:
        _, reward, is_over, _, info = seat.step(legal(info["action_mask"], draws))
    croupier.verify(seat.unwrapped.table.match.record())
    assert reward == seat.unwrapped.table.match.payoffs["bob"]


def test_the_last_reward_reaches_both_players_of_the_cycle() -> None:
    env = pettingzoo.make("aec", "croupier/kuhn-v0")
    for seed in range(20):
        env.reset(seed=seed)
        got: dict[str, float] = {}
        draws = Random(seed)
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, _ = env.last()
            if terminated or truncated:
                got[agent] = reward
                env.step(None)
            else:
                env.step(legal(observation["action_mask"], draws))
        assert got == env.table.match.payoffs


@pytest.mark.parametrize("name", ["kuhn", "leduc", "goofspiel-4"])
@pytest.mark.parametrize("observation", ["percepts", "turn"])
def test_an_observer_shows_what_the_lanes_show(name: str, observation: str) -> None:
    """Everything that random play comes to: the same numbers from a view and from lanes."""

    def padded(array: np.ndarray, size: int) -> bytes:
        return np.pad(array, (0, size - len(array))).tobytes()

    env = croupier.VectorEnv(name, lanes=2048, seed=1, observation=observation, last=2)
    size = env.last_step.observation.shape[2]
    rng = np.random.default_rng(1)
    from_lanes: set[tuple[str, bytes]] = set()
    for _ in range(30):
        step = env.step(env.sample(rng))
        for player, role in enumerate(env.roles):
            rows = step.observation[step.acting[:, player] == 1, player]
            from_lanes |= {(role, row.tobytes()) for row in np.unique(rows, axis=0)}
    table = croupier.Table(name, observation=observation, last=2)
    assert table.observer.features == env.features
    draws = Random(1)
    from_views: set[tuple[str, bytes]] = set()
    for seed in range(300):
        table.begin(seed)
        while table.acting:
            for role in table.acting:
                from_views.add((role, padded(table.observe(role), size)))
            table.play({role: legal(table.mask(role), draws) for role in table.acting})
    assert from_views <= from_lanes
    assert len(from_views) > len(from_lanes) / 3
    assert name != "kuhn" or observation != "percepts" or from_views == from_lanes
    assert name != "kuhn" or observation != "percepts" or len(from_views) == 12, "Kuhn poker has twelve information sets"


def test_tables_are_copied_and_pickled_in_the_middle_of_a_match() -> None:
    table = croupier.Table("leduc")
    table.begin(3)
    table.play(dict.fromkeys(table.acting, 0))
    for other in (copy.deepcopy(table), pickle.loads(pickle.dumps(table))):
        expected, one = Random(2), copy.deepcopy(table)
        found = Random(2)
        while one.acting:
            one.play({role: legal(one.mask(role), expected) for role in one.acting})
            other.play({role: legal(other.mask(role), found) for role in other.acting})
        assert other.match.record() == one.match.record()


def test_wrong_use_says_what_to_do() -> None:
    with pytest.raises(croupier.RoleError, match="alice, bob"):
        gymnasium.make("croupier/kuhn-v0", role="carol")
    strict = croupier.Table("tic-tac-toe", illegal="error")
    with pytest.raises(croupier.IllegalMoveError, match="no move"):
        strict.play({"x": 99})
    parallel = croupier.pettingzoo.parallel_env("goofspiel-4")
    parallel.reset(seed=1)
    with pytest.raises(croupier.CroupierError, match="no action"):
        parallel.step({})
    seat = croupier.gymnasium.SeatEnv("kuhn")
    seat.reset(seed=1)
    with pytest.raises(croupier.CroupierError, match="call reset"):
        for _ in range(9):
            seat.step(np.int64(0))
