"""Schedules that decrease from update to update, independent of the length of a run."""

from __future__ import annotations


def annealed(first: float, span: float, update: int, power: float = 0.5) -> float:
    """`first / (1 + update / span) ** power`: with the square root a tenth of the initial value after 99 spans, with the power 1 after 9.

    It does not depend on the planned length of the run, so the beginning of a longer run is identical to a shorter one.
    """
    return float(first / (1 + update / span) ** power)
