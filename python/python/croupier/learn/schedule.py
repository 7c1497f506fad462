"""Numbers that fall from update to update, without regard to when a run will end."""

from __future__ import annotations


def annealed(first: float, span: float, update: int, power: float = 0.5) -> float:
    """`first / (1 + update / span) ** power`: by the root after 99 spans a tenth of what it was at first, with the power 1 after 9.

    It does not ask how long the run is to be, so that the beginning of a longer run is a shorter run to the bit.
    """
    return float(first / (1 + update / span) ** power)
