"""Matches against OpenSpiel's MCTSBot, which compare the legal moves of both in every state that they meet."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

MCTS = Path(__file__).resolve().parents[2] / "tests" / "peers" / "mcts.py"


@pytest.mark.parametrize("name", ["connect-four", "breakthrough", "reversi"])
def test_matches_against_mcts_come_to_an_end(name: str) -> None:
    pytest.importorskip("pyspiel")
    done = subprocess.run(
        [sys.executable, MCTS, name, "2", "uct:iterations=20"], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{name}: uct:iterations=20 wins ") and "of 2 matches" in done.stdout
