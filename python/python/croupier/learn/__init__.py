"""Learning by self-play: networks that play a game from its rules."""

from ..errors import CroupierError

try:
    import torch as _torch  # noqa: F401
except ImportError as _missing:
    raise CroupierError("PyTorch is missing: pip install 'croupier[learn]'") from _missing

from .belief import BeliefNet, BeliefRun
from .deep_cfr import DeepCfr, DeepCfrSettings
from .exporting import export
from .mmd import Mmd
from .net import Net
from .playing import NetPlayer, Tree, policy
from .ppo import Ppo
from .rebel import Rebel, RebelSettings, ValueNet
from .run import Report, Run, Settings
from ..recall import smallest_last
from .space import Space

__all__ = [
    "BeliefNet",
    "BeliefRun",
    "DeepCfr",
    "DeepCfrSettings",
    "Mmd",
    "Net",
    "NetPlayer",
    "Ppo",
    "Rebel",
    "RebelSettings",
    "Report",
    "Run",
    "Settings",
    "Space",
    "Tree",
    "ValueNet",
    "export",
    "policy",
    "smallest_last",
]
