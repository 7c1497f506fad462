"""Threads, processes and signals: the interpreter is free while work is done, and work can be stopped."""

from __future__ import annotations

from collections.abc import Iterator
import multiprocessing
import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import croupier
import pytest
from conftest import play


@pytest.fixture(autouse=True)
def interruptible() -> Iterator[None]:
    """Whoever runs in the background of a shell was started with this signal ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)



def exploitability(game: croupier.Game) -> float:
    return croupier.solve(game, iterations=20).exploitability


def test_threads_share_a_game_and_change_nothing(leduc):
    alone = [play(croupier.Match(leduc, seed=seed), seed).record() for seed in range(24)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda seed: play(croupier.Match(leduc, seed=seed), seed).record(), range(24)))
        assert together == alone
        assert set(pool.map(exploitability, [leduc] * 4)) == {exploitability(leduc)}


def test_threads_share_a_match_and_an_agent(leduc):
    match = croupier.Match(leduc, seed=7)
    match.step()
    match.step()
    view = match.view("alice")
    agent = croupier.Agent("ismcts:iterations=50", leduc, "alice")
    expected = agent.choose(view)
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(lambda _: agent.choose(view), range(16))) == {expected}
        assert all(pool.map(lambda _: copy_is_equal(match), range(16)))


def copy_is_equal(match: croupier.Match) -> bool:
    return play(match.__copy__()).is_over and match.turn == 2


@pytest.mark.parametrize("how", ["fork", "spawn"])
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_other_processes_solve_too(kuhn, how):
    if how not in multiprocessing.get_all_start_methods():
        pytest.skip(f"there is no {how} here")
    expected = exploitability(kuhn)
    with multiprocessing.get_context(how).Pool(2) as pool:
        assert pool.map_async(exploitability, [kuhn] * 4).get(timeout=60) == [expected] * 4


@pytest.mark.skipif(not hasattr(signal, "raise_signal") or os.name == "nt", reason="signals of POSIX")
def test_control_c_stops_solving(leduc):
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        croupier.solve(leduc, iterations=10**12)
    assert time.monotonic() - begun < 10


@pytest.mark.skipif(not hasattr(signal, "raise_signal") or os.name == "nt", reason="signals of POSIX")
def test_control_c_stops_an_agent(leduc):
    match = croupier.Match(leduc, seed=7)
    match.step()
    match.step()
    agent = croupier.Agent("ismcts:iterations=1000000", leduc, "alice")
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        agent.choose(match.view("alice"))
    assert agent.role == "alice"


def test_other_threads_run_while_one_solves(leduc):
    solving = threading.Thread(target=lambda: croupier.solve(leduc, iterations=2_000))
    solving.start()
    counted = 0
    while solving.is_alive():
        counted += 1
        time.sleep(0.001)
    assert counted > 5
