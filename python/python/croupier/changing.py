"""Whether policies that are functions may answer differently than before: a network that is being trained does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ._native import Policy
from .functions import FunctionPolicy, is_module


class ChangingPolicies:
    """Functions among policies, watched for changes.

    A `torch.nn.Module` has changed if one of its parameters or buffers has: their numbers are compared, which takes far less time than asking the
    network. Nothing is known of other functions, so they count as changed every time. Tables and agents never change.

    Parameters
    ----------
    policies : iterable
        As `Belief(opponents=...)` takes them.
    """

    def __init__(self, policies: Iterable[Any]) -> None:
        written = [policy.function if isinstance(policy, FunctionPolicy) else policy for policy in policies]
        functions = [policy for policy in written if callable(policy) and not isinstance(policy, Policy)]
        self._modules: list[Any] = [function for function in functions if is_module(function)]
        self._are_unknown = len(self._modules) < len(functions)
        self._seen: list[Any] = []

    def have_changed(self) -> bool:
        """Whether some function may answer differently than when this was asked last; true at first, if there is a function."""
        if self._are_unknown:
            return True
        now = [tensor for module in self._modules for tensor in module.state_dict().values()]
        if len(now) == len(self._seen) and all(map(_is_same, now, self._seen)):
            return False
        self._seen = [tensor.detach().clone() for tensor in now]
        return bool(now)


def _is_same(one: Any, other: Any) -> bool:
    return bool(one.shape == other.shape and one.device == other.device and one.equal(other))
