"""The bot of a few rules that hold'em players are measured against: its cards are worth what they are by definition."""

from __future__ import annotations

import importlib.util
import itertools
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

EQUITY = Path(__file__).resolve().parents[2] / "tests" / "peers" / "equity.py"


@pytest.fixture(scope="module")
def equity() -> ModuleType:
    spec = importlib.util.spec_from_file_location("equity", EQUITY)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def five(cards: tuple[int, ...]) -> tuple[int, ...]:
    """What five cards are worth, by the rules of poker word for word."""
    ranks = sorted((card // 4 for card in cards), reverse=True)
    is_flush = len({card % 4 for card in cards}) == 1
    groups = sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True)
    counts, order = [count for count, _ in groups], [rank for _, rank in groups]
    high = ranks[0] if ranks[0] - ranks[4] == 4 else 3 if ranks == [12, 3, 2, 1, 0] else -1
    is_straight = len(set(ranks)) == 5 and high >= 0
    kind = {(4, 1): 7, (3, 2): 6, (3, 1): 3, (2, 2): 2, (2, 1): 1}.get((counts[0], counts[1]), 0)
    if is_straight:
        return (8 if is_flush else 4, high)
    return (5, *ranks) if is_flush else (kind, *order)


def test_of_two_hands_the_better_one_has_the_greater_number(equity: ModuleType) -> None:
    draws = random.Random(1)
    decks = [range(52), range(32, 52), [card for card in range(52) if card % 4 < 2]]
    hands = [draws.sample(list(deck), 7) for deck in decks for _ in range(500)]
    expected = [max(five(cards) for cards in itertools.combinations(hand, 5)) for hand in hands]
    found = equity.strengths(np.array(hands))
    order = sorted(range(len(hands)), key=expected.__getitem__)
    for one, other in itertools.pairwise(order):
        assert (found[one] < found[other]) == (expected[one] < expected[other]), (hands[one], hands[other])
        assert (found[one] == found[other]) == (expected[one] == expected[other]), (hands[one], hands[other])


@pytest.mark.parametrize(("hand", "share"), [("as ah", 0.852), ("ks qs", 0.634), ("7d 2c", 0.346), ("2s 2h", 0.503)])
def test_two_cards_win_what_is_known_against_random_ones(equity: ModuleType, hand: str, share: float) -> None:
    # Preflop all-in equities against a random hand, as poker calculators enumerate them.
    hole, board = equity.canonical([equity.card(text) for text in hand.split()], [])
    assert equity.equity(hole, board, tuple(range(52))) == pytest.approx(share, abs=0.05)


@pytest.mark.parametrize("name", ["holdem", "no-limit-holdem", "royal-holdem", "no-limit-holdem-6"])
def test_hands_against_the_bot_come_to_an_end(name: str) -> None:
    done = subprocess.run(
        [sys.executable, EQUITY, name, "3", "call"], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{name}: call wins ") and "on 3 deals" in done.stdout
