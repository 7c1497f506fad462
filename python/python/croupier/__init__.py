"""Play, simulate and solve hidden-information games from their rules.

>>> import croupier
>>> game = croupier.load("leduc")
>>> match = croupier.Match(game, seed=7)
>>> while not match.is_over:
...     match.step({role: match.legal(role)[0] for role in match.acting})
>>> match.payoffs["alice"] + match.payoffs["bob"]
0.0

A `Match` is the referee; a `View` is all that one player may know about it; a `State` is one state of a match, for code that walks the tree; a `Belief` is
what a player can infer from its view; `solve` computes equilibria of small games, and an `Agent` plays any game. A `VectorEnv` plays hundreds of matches
at once in numpy arrays, for training.
"""

from ._native import (
    Agent,
    Belief,
    Decision,
    Evaluation,
    Game,
    Match,
    Policy,
    PublicBelief,
    PublicSearch,
    Solution,
    State,
    View,
    best_response,
    evaluate,
    games,
    information_sets,
    load,
    load_file,
    load_text,
    mixture,
    solve,
    verify,
)
from .cards import build
from .errors import (
    ArgumentError,
    CroupierError,
    Diagnostic,
    FinishedError,
    IllegalMoveError,
    NoEntryError,
    RecallWarning,
    RecordError,
    RoleError,
    RulesError,
    UnknownGameError,
)
from .functions import FunctionPolicy
from .observing import Observer
from .steps import Choices, PolicyStep, Step
from .table import Table
from .vector import VectorEnv

__all__ = [
    "Agent",
    "ArgumentError",
    "Belief",
    "Choices",
    "CroupierError",
    "Decision",
    "Diagnostic",
    "Evaluation",
    "FinishedError",
    "FunctionPolicy",
    "Game",
    "IllegalMoveError",
    "Match",
    "NoEntryError",
    "Observer",
    "Policy",
    "PolicyStep",
    "PublicBelief",
    "PublicSearch",
    "RecallWarning",
    "RecordError",
    "RoleError",
    "RulesError",
    "Solution",
    "State",
    "Step",
    "Table",
    "UnknownGameError",
    "VectorEnv",
    "View",
    "best_response",
    "build",
    "evaluate",
    "games",
    "information_sets",
    "load",
    "load_file",
    "load_text",
    "mixture",
    "solve",
    "verify",
]
