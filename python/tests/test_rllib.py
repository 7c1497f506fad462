"""Environments of RLlib under its own check, matches against their records, and PPO that learns from them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import croupier
import numpy as np
import pytest

pytest.importorskip("ray", reason="RLlib is missing: pip install 'ray[rllib]'")
pytest.importorskip("ray.rllib", reason="RLlib is missing: pip install 'ray[rllib]'")

import ray  # noqa: E402
from croupier.rllib import CroupierMultiAgentEnv, ppo_config  # noqa: E402
from ray.rllib.utils.pre_checks.env import check_multiagent_environments  # noqa: E402
from test_adapters import GAMES  # noqa: E402


@pytest.mark.parametrize("name", GAMES)
def test_games_pass_the_check_of_rllib(name: str) -> None:
    check_multiagent_environments(CroupierMultiAgentEnv({"game": name}))


@pytest.mark.parametrize("name", GAMES)
def test_matches_have_records_that_verify(name: str) -> None:
    env, draws = CroupierMultiAgentEnv({"game": name}), Random(1)
    for seed in range(3):
        observed, infos = env.reset(seed=seed)
        terminated = {"__all__": False}
        acted: set[str] = set()
        while not terminated["__all__"]:
            assert observed.keys() == set(env.table.acting) and infos == {}
            assert all(seen in env.observation_spaces[role] for role, seen in observed.items())
            acted |= observed.keys()
            actions = {role: draws.choice(np.flatnonzero(seen["action_mask"])) for role, seen in observed.items()}
            observed, rewards, terminated, truncated, infos = env.step(actions)
            assert not any(truncated.values())
        assert observed.keys() == acted and not any(seen["action_mask"].any() for seen in observed.values())
        assert rewards == {role: float(payoff) for role, payoff in env.table.match.payoffs.items()}
        assert env.table.illegal_moves == 0
        croupier.verify(env.table.match.record())


def test_wrong_use_says_what_to_do() -> None:
    with pytest.raises(croupier.CroupierError, match="env_config"):
        CroupierMultiAgentEnv({})
    env = CroupierMultiAgentEnv({"game": "kuhn"})
    env.reset(seed=1)
    with pytest.raises(croupier.CroupierError, match="alice has a choice"):
        env.step({"bob": 0})


@pytest.fixture(scope="module")
def local_ray() -> Iterator[None]:
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


@pytest.mark.parametrize("name", ["leduc", "holdem", "goofspiel-4"])
@pytest.mark.filterwarnings("ignore")
def test_ppo_trains_with_masks(name: str, local_ray: None) -> None:
    pytest.importorskip("torch", reason="RLlib learns with torch: pip install torch")
    # With `error` an illegal action would end the run.
    config = (
        ppo_config(name, hidden=[16], illegal="error")
        .env_runners(num_env_runners=0)
        .training(train_batch_size_per_learner=300, minibatch_size=100, num_epochs=2)
        .debugging(seed=1, log_level="ERROR")
    )
    algorithm = config.build_algo()
    for _ in range(2):
        found: dict[str, Any] = algorithm.train()
    algorithm.stop()
    assert found["env_runners"]["num_episodes_lifetime"] > 10
    for role in croupier.load(name).roles:
        assert np.isfinite(found["learners"][role]["total_loss"])
