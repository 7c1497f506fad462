"""Trainings that end in numbers that are none."""

from __future__ import annotations

import torch
from torch import nn

from ..errors import CroupierError


def check_training(net: nn.Module, updates: int) -> None:
    """Check that so many updates have left a network.

    Raises
    ------
    CroupierError
        If a weight is not finite.
    """
    if not has_weights(net):
        raise CroupierError(f"the training has diverged after {updates} updates: weights are not finite; try a smaller learning rate")


def check_weights(net: nn.Module) -> None:
    """Check that a network can be written to a file.

    Raises
    ------
    CroupierError
        If a weight is not finite.
    """
    if not has_weights(net):
        raise CroupierError("the network has weights that are not finite; its training has diverged")


def has_weights(net: nn.Module) -> bool:
    """Whether all weights are finite."""
    return all(bool(torch.isfinite(weights).all()) for weights in net.parameters())
