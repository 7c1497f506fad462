"""What policy gradients are made of: masked probabilities, the clipped objective, entropy."""

from __future__ import annotations

import torch

#: The logit of an illegal move: its probability is 0 in float32, and its product with that is no NaN.
ILLEGAL = -1e9


def log_probabilities(logits: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """Logarithms of the probabilities of moves, about -1e9 for illegal ones: their product with their probability, 0, is no NaN.

    Parameters
    ----------
    logits : Tensor of float32, shape (N, moves)
    masks : Tensor of bool, shape (N, moves)
        True for legal moves; every row has at least one.

    Returns
    -------
    Tensor of float32, shape (N, moves)
    """
    return torch.log_softmax(logits.masked_fill(~masks.to(logits.device), ILLEGAL), 1)


def of_moves(by_move: torch.Tensor, moves: torch.Tensor) -> torch.Tensor:
    """The entries of the chosen moves: Tensor of shape (N,) from one of shape (N, moves) and columns of shape (N,)."""
    return by_move.gather(1, moves[:, None])[:, 0]


def clipped_gain(ratio: torch.Tensor, advantages: torch.Tensor, clip: float = 0.2) -> torch.Tensor:
    """The clipped objective of PPO (Schulman et al., 2017), which is to be raised: a number.

    Parameters
    ----------
    ratio : Tensor of float32, shape (N,)
        The probabilities of the chosen moves, divided by those with which they were drawn.
    advantages : Tensor of float32, shape (N,)
        How much better the moves turned out than the policy.
    clip : float
        The relative change beyond which a probability is no longer pushed.
    """
    clipped = torch.clamp(ratio, 1 - clip, 1 + clip)
    return torch.minimum(ratio * advantages, clipped * advantages).mean()


def entropy(logs: torch.Tensor) -> torch.Tensor:
    """The mean entropy of policies in nats, from logarithms of shape (N, moves): a number."""
    return -(logs.exp() * logs).sum(1).mean()
