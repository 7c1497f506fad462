"""What a run goes by from update to update, independent of its length: schedules that decrease, and seeds."""

from __future__ import annotations

import numpy as np


def annealed(first: float, span: float, update: int, power: float = 0.5) -> float:
    """`first / (1 + update / span) ** power`: with the square root a tenth of the initial value after 99 spans, with the power 1 after 9.

    It does not depend on the planned length of the run, so the beginning of a longer run is identical to a shorter one.
    """
    return float(first / (1 + update / span) ** power)


def folded(seed: int) -> int:
    """A seed of at most 128 bits as one of 64, which is what torch takes; smaller ones are what they are."""
    return seed if seed < 2**64 else int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0])
