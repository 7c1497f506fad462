"""Numbers that fall from update to update, without regard to when a run will end."""

from __future__ import annotations


def annealed(first: float, span: float, update: int) -> float:
    """`first / sqrt(1 + update / span)`: after `span` updates 0.71 of what it was at first, after 99 spans a tenth.

    It does not ask how long the run is to be, so that the beginning of a longer run is a shorter run to the bit.
    """
    return float(first / (1 + update / span) ** 0.5)
