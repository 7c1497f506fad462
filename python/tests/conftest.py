"""What several tests need: games, matches that were played, and the command line, if the variable CROUPIER names it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from random import Random

import croupier
import pytest


def play(match: croupier.Match, seed: int = 0) -> croupier.Match:
    """Plays a match to its end by moves that are drawn."""
    draws = Random(seed)
    while not match.is_over:
        match.step({role: draws.choice(match.legal(role)) for role in match.acting})
    return match


@pytest.fixture(scope="session")
def kuhn() -> croupier.Game:
    return croupier.load("kuhn")


@pytest.fixture(scope="session")
def leduc() -> croupier.Game:
    return croupier.load("leduc")


@pytest.fixture(scope="session")
def command() -> Callable[..., str]:
    """Runs the command line and gives what it prints; skips the test where there is none."""
    program = os.environ.get("CROUPIER")
    if not program:
        pytest.skip("set CROUPIER to the path of the command line")

    def run(*arguments: object) -> str:
        done = subprocess.run(
            [program, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=300
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
