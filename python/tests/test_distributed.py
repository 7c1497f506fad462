"""Work on a local Ray of two workers, one of which is killed: the same bits as without."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator

import croupier
import numpy as np
import pytest

ray = pytest.importorskip("ray", reason="Ray is missing: pip install 'croupier[ray]'")

from croupier.distributed import Batch, Rollouts, evaluate, play, rollout, tournament  # noqa: E402
from croupier.seats import seed_of  # noqa: E402

PLAYERS = {"caller": "call", "searcher": "ismcts:iterations=60", "anything": "random"}


@pytest.fixture(scope="module", autouse=True)
def two_workers() -> Iterator[None]:
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


def process_ids() -> set[int]:
    """The workers, each of which has to be busy for the other to be used."""

    @ray.remote
    def process_id() -> int:
        time.sleep(1)
        return os.getpid()

    return set(ray.get([process_id.remote() for _ in range(2)]))


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_tournament_with_a_worker_killed_is_the_one_that_is_played_here(leduc: croupier.Game) -> None:
    expected = [
        play(leduc, PLAYERS, deal, seats, seed=5)
        for pair in (("caller", "searcher"), ("caller", "anything"), ("searcher", "anything"))
        for deal in range(60)
        for seats in (pair, pair[::-1])
    ]
    processes = process_ids()
    assert len(processes) == 2
    victim, killed_at, begun = min(processes), [], time.monotonic()

    def kill() -> None:
        os.kill(victim, signal.SIGKILL)
        killed_at.append(time.monotonic())

    timer = threading.Timer(0.5, kill)
    timer.start()
    results = tournament(leduc, PLAYERS, deals=60, seed=5, chunk=12)
    ended = time.monotonic()
    timer.join()
    assert begun < killed_at[0] < ended and not is_alive(victim), "the worker was killed while there was work"
    assert results.matches == expected
    assert results.sha256 == tournament(leduc, PLAYERS, deals=60, seed=5, chunk=50).sha256
    assert results.sha256 != tournament(leduc, PLAYERS, deals=60, seed=6).sha256


def test_deals_are_duplicate_and_payoffs_add_up(leduc: croupier.Game) -> None:
    results = evaluate(leduc, "call", "call", deals=50)
    by_deal: dict[int, list[tuple[float, ...]]] = {}
    for match in results.matches:
        by_deal.setdefault(match.deal, []).append(match.payoffs)
    assert all(len(payoffs) == 2 and payoffs[0] == payoffs[1] for payoffs in by_deal.values())
    assert [standing.mean for standing in results.standings] == [0, 0]
    assert [standing.interval for standing in results.standings] == [0, 0], "equal players are equal in every deal"


def test_standings_name_the_better_player(kuhn: croupier.Game) -> None:
    results = evaluate(kuhn, "resolve", "random", deals=400, seed=1)
    best, other = results.standings
    assert best.player == "player" and best.mean == pytest.approx(-other.mean)
    assert best.mean - best.interval > 0 and best.matches == 800
    assert "± " in str(results) and kuhn.unit in str(results)


def test_games_of_three_rotate_all_seats() -> None:
    game = croupier.load("kuhn-3")
    results = evaluate(game, "call", "random", deals=5)
    assert len(results.matches) == 15
    assert {match.seats.index("player") for match in results.matches} == {0, 1, 2}


def same(one: Batch, other: Batch) -> bool:
    return all(np.array_equal(left, right) for left, right in zip(one, other, strict=True))


def test_rollouts_with_an_actor_killed_are_those_that_are_played_here() -> None:
    env = croupier.VectorEnv("leduc", 64)
    expected = [rollout(env, None, 20, seed_of(3, "batch", number)) for number in range(40)]
    rollouts = Rollouts("leduc", actors=2, lanes=64, steps=20, seed=3)
    assert all(map(same, rollouts.collect(2), expected[:2]))
    victim = ray.get(rollouts.actors[0].process_id.remote())
    timer = threading.Timer(0.02, lambda: os.kill(victim, signal.SIGKILL))
    timer.start()
    found = rollouts.collect(38)
    timer.join()
    assert ray.get(rollouts.actors[0].process_id.remote()) != victim
    assert all(map(same, found, expected[2:]))
    rollouts.close()


def test_rollouts_go_by_a_function() -> None:
    rollouts = Rollouts("kuhn", actors=1, lanes=100, steps=5, units="payoff")
    (batch,) = rollouts.collect(1, lambda step, rng: np.argmax(step.mask, axis=2))
    rollouts.close()
    chosen = np.take_along_axis(batch.mask, batch.columns[..., None], 3)[..., 0]
    assert batch.columns.shape == (5, 100, 2) and (chosen[batch.acting == 1] == 1).all()
    assert set(np.unique(batch.reward[batch.done == 1])) == {-2, 2}, "both players always bet"


def test_wrong_use_says_what_to_do(kuhn: croupier.Game) -> None:
    with pytest.raises(croupier.CroupierError, match="2 roles, but there are 1"):
        tournament(kuhn, {"alone": "random"})
    with pytest.raises(croupier.CroupierError, match="known players are: random"):
        evaluate(kuhn, "wizard", "random", deals=1)
    with pytest.raises(croupier.CroupierError, match="at least 1"):
        evaluate(kuhn, "call", "random", deals=0)
