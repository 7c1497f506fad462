"""Learning by self-play: networks that play a game from its rules."""

from ..errors import CroupierError

try:
    import torch as _torch  # noqa: F401
except ImportError as _missing:
    raise CroupierError("PyTorch is missing: pip install 'croupier[learn]'") from _missing

from .batch import Batch
from .belief import BeliefNet, BeliefRun
from .calibration import Calibration, CalibrationBin, calibration
from .deep_cfr import DeepCfr, DeepCfrSettings
from .exporting import export
from .fitted import Fit, FitSettings, FittedRun
from .losses import clipped_gain, entropy, log_probabilities, of_moves
from .mmd import Mmd
from .net import Net
from .playing import NetPlayer, Tree, policy
from .ppo import Ppo
from .rebel import Rebel, RebelSettings, ValueNet
from .rollout import Rollout, RolloutBatch
from .run import Report, Run, Settings
from ..recall import smallest_last
from .space import Space

__all__ = [
    "Batch",
    "BeliefNet",
    "BeliefRun",
    "Calibration",
    "CalibrationBin",
    "DeepCfr",
    "DeepCfrSettings",
    "Fit",
    "FitSettings",
    "FittedRun",
    "Mmd",
    "Net",
    "NetPlayer",
    "Ppo",
    "Rebel",
    "RebelSettings",
    "Report",
    "Rollout",
    "RolloutBatch",
    "Run",
    "Settings",
    "Space",
    "Tree",
    "ValueNet",
    "calibration",
    "clipped_gain",
    "entropy",
    "export",
    "log_probabilities",
    "of_moves",
    "policy",
    "smallest_last",
]
