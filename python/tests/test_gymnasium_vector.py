"""The vector environment of Gymnasium: its spaces, infos, seeds and wrappers, and what matches are worth in it."""

from __future__ import annotations

from typing import Any

import croupier
import numpy as np
import numpy.typing as npt
import pytest

gymnasium = pytest.importorskip("gymnasium")

import croupier.gymnasium  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics  # noqa: E402
from test_adapters import GAMES  # noqa: E402


def make(name: str, num_envs: int = 20, **options: Any) -> Any:
    return gymnasium.make_vec(
        f"croupier/{name}-v0", num_envs=num_envs, vectorization_mode="vector_entry_point", **options
    )


def legal(infos: dict[str, Any], rng: np.random.Generator) -> npt.NDArray[np.int64]:
    mask = infos["action_mask"]
    return np.argmax(rng.random(mask.shape) * mask, axis=1)


@pytest.mark.filterwarnings("error", "ignore::croupier.RecallWarning")
@pytest.mark.parametrize("name", GAMES)
def test_games_keep_to_the_interface_of_vector_environments(name: str) -> None:
    envs, rng = make(name), np.random.default_rng(1)
    assert isinstance(envs, gymnasium.vector.VectorEnv) and envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert envs.num_envs == 20 and envs.spec.id == f"croupier/{name}-v0"
    single = gymnasium.make(f"croupier/{name}-v0")
    assert envs.single_observation_space == single.observation_space
    assert envs.single_action_space == single.action_space
    observations, infos = envs.reset(seed=3)
    for _ in range(40):
        assert observations in envs.observation_space
        assert all(observation in envs.single_observation_space for observation in observations)
        mask = infos["action_mask"]
        assert mask.shape == (20, envs.single_action_space.n) and mask.dtype == np.int8 and (mask.sum(axis=1) > 1).all()
        actions = legal(infos, rng)
        assert actions in envs.action_space
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        assert rewards.shape == terminations.shape == truncations.shape == (20,)
        assert rewards.dtype == np.float64 and terminations.dtype == truncations.dtype == bool
        assert not (rewards[~terminations]).any() and not truncations.any()
        assert ("final_info" in infos) == terminations.any()
        if terminations.any():
            assert (infos["_final_info"] == terminations).all()
            assert (infos["final_info"]["rewards"][:, envs.lanes.roles.index(envs.role)] == rewards).all()
    assert envs.lanes.illegal_moves == 0
    envs.close()


def played(envs: Any, seed: int | None) -> list[bytes]:
    observations, infos = envs.reset(seed=seed)
    rng, found = np.random.default_rng(1), [observations.tobytes()]
    for _ in range(15):
        observations, rewards, terminations, _, infos = envs.step(legal(infos, rng))
        found += [observations.tobytes(), rewards.tobytes(), terminations.tobytes()]
    return found


def test_a_seed_gives_the_same_matches_and_no_seed_gives_others() -> None:
    envs = make("leduc", 600)
    first = played(envs, 5)
    assert played(envs, None) != first != played(envs, 6)
    assert played(envs, 5) == first == played(make("leduc", 600), 5)


def test_what_was_shown_is_not_written_over() -> None:
    envs = make("leduc")
    observations, infos = envs.reset(seed=1)
    before = observations.copy(), infos["action_mask"].copy()
    for _ in range(5):
        _, _, _, _, after = envs.step(legal(infos, np.random.default_rng(1)))
        infos = {**after}
    assert (observations == before[0]).all()


@pytest.mark.parametrize("seat", ["random", "call", "policy", "function"])
def test_the_other_seats_are_played(leduc: croupier.Game, seat: str) -> None:
    others: Any = {
        "policy": croupier.solve(leduc, iterations=300).policy,
        "function": lambda seen, mask, rng: np.argmax(rng.random(mask.shape) * mask, axis=1),
    }.get(seat, seat)
    envs, rng = make("leduc", 1024, role="bob", others={"alice": others}), np.random.default_rng(1)
    _, infos = envs.reset(seed=1)
    total = ended = 0.0
    for _ in range(40):
        _, rewards, terminations, _, infos = envs.step(legal(infos, rng))
        total, ended = total + rewards.sum(), ended + terminations.sum()
    mean = total / ended
    # Random moves lose half a chip a hand and more to a solution, and hardly anything to each other.
    assert mean < -0.4 if seat == "policy" else abs(mean) < 0.4, mean


@pytest.mark.parametrize("wrapper", [RecordEpisodeStatistics, DictInfoToList])
def test_wrappers_of_gymnasium_take_it(wrapper: Any) -> None:
    envs, rng = make("kuhn", 50), np.random.default_rng(1)
    wrapped = wrapper(envs)
    wrapped.reset(seed=1)
    returned = []
    for _ in range(30):
        _, infos = envs._shown()
        *_, infos = wrapped.step(legal(infos, rng))
        returned.append(infos)
    if wrapper is RecordEpisodeStatistics:
        # Versions of Gymnasium before 1.3 count the first step of a match that follows in the same step as none.
        wins = {-2, -1, 0, 1, 2} if gymnasium.__version__ < "1.3" else {-2, -1, 1, 2}
        assert len(wrapped.return_queue) == 100 and set(wrapped.return_queue) <= wins
    else:
        assert all(len(infos) == 50 for infos in returned)


def test_wrong_use_says_what_to_do() -> None:
    with pytest.raises(croupier.RoleError, match="alice, bob"):
        make("kuhn", role="carol")
    envs = make("kuhn")
    with pytest.raises(croupier.CroupierError, match="num_envs"):
        envs.step(np.zeros(3, int))
    with pytest.raises(croupier.CroupierError, match="reset_mask"):
        envs.reset(options={"reset_mask": np.ones(3, bool)})
    with pytest.raises(croupier.CroupierError, match="either seed or reset_mask"):
        envs.reset(seed=1, options={"reset_mask": np.ones(20, bool)})


def course(envs: Any, steps: int = 40) -> dict[int, list[tuple[bytes, float]]]:
    """By lane, what the seat is shown and gets, from choice to choice; at the end of a match what it knew last."""
    observations, infos = envs.reset(seed=4)
    found: dict[int, list[tuple[bytes, float]]] = {lane: [(row.tobytes(), 0.0)] for lane, row in enumerate(observations)}
    mode, ended = envs.metadata["autoreset_mode"], np.zeros(envs.num_envs, bool)
    for _ in range(steps):
        mask = infos["action_mask"]
        assert (mask.any(axis=1) | ended).all() and (mode is AutoresetMode.SAME_STEP or not mask[ended].any())
        if mode is AutoresetMode.DISABLED and ended.any():
            observations, infos = envs.reset(options={"reset_mask": ended})
            for lane in np.flatnonzero(ended):
                found[int(lane)].append((observations[lane].tobytes(), 0.0))
            ended = np.zeros_like(ended)
            continue
        before = ended
        observations, rewards, terminations, _, infos = envs.step(mask.argmax(axis=1))
        ended = terminations if mode is not AutoresetMode.SAME_STEP else ended
        assert not rewards[before].any() and not terminations[before].any()
        for lane, row in enumerate(observations):
            if mode is AutoresetMode.SAME_STEP and terminations[lane]:
                found[lane] += [(infos["final_obs"][lane].tobytes(), rewards[lane]), (row.tobytes(), 0.0)]
            else:
                found[lane].append((row.tobytes(), rewards[lane]))
    return found


@pytest.mark.parametrize("others", ["random", "call"])
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.DISABLED])
def test_what_follows_an_end_changes_no_match(mode: AutoresetMode, others: str) -> None:
    # One lane: in several, the draws of one depend on when the others wait.
    one, other = (
        course(make("leduc", 1, others=others, autoreset_mode=mode)) for mode in (AutoresetMode.SAME_STEP, mode)
    )
    count = min(len(one[0]), len(other[0]))
    assert other[0][:count] == one[0][:count]


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_the_last_observation_is_what_the_seat_knew_at_the_end(mode: AutoresetMode) -> None:
    envs, rng = make("leduc", 40, autoreset_mode=mode), np.random.default_rng(1)
    names, moves = np.array(envs.lanes.features[envs.role]), envs.lanes.moves[envs.role]
    ever = np.array([name.endswith(", ever") for name in names])
    observations, infos = envs.reset(seed=1)
    ends = 0
    for _ in range(60):
        before, actions = observations, legal(infos, rng)
        observations, _, terminations, _, infos = envs.step(actions)
        final = infos["final_obs"] if mode is AutoresetMode.SAME_STEP and terminations.any() else observations
        for lane in np.flatnonzero(terminations):
            # Whatever ever came before still did, and the move that ended the match, too.
            assert (final[lane] >= before[lane])[ever].all()
            assert f"did {moves[actions[lane]]}, ever" in names[final[lane] == 1]
            ends += 1
        if mode is AutoresetMode.DISABLED and terminations.any():
            observations, infos = envs.reset(options={"reset_mask": terminations})
    assert ends > 40


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.DISABLED])
def test_observation_wrappers_of_gymnasium_take_it(mode: AutoresetMode) -> None:
    from gymnasium.wrappers.vector import DtypeObservation, FlattenObservation, NormalizeObservation

    wrappers = [DtypeObservation, FlattenObservation]
    for wrapper in wrappers if mode is AutoresetMode.DISABLED else [*wrappers, NormalizeObservation]:
        envs = make("leduc", 30, autoreset_mode=mode)
        wrapped = wrapper(envs, np.float32) if wrapper is DtypeObservation else wrapper(envs)
        _, infos = wrapped.reset(seed=1)
        rng = np.random.default_rng(1)
        for _ in range(30):
            observations, _, terminations, _, infos = wrapped.step(legal(infos, rng))
            assert observations.shape == (30, envs.single_observation_space.shape[0])
            if mode is AutoresetMode.DISABLED and terminations.any():
                _, infos = wrapped.reset(options={"reset_mask": terminations})
