"""Games as RLlib multi-agent environments.

>>> from croupier.rllib import ppo_config
>>> algorithm = ppo_config("leduc").build_algo()

Observations have the keys that RLlib's own module for action masks requires, `ray.rllib.examples.rl_modules.classes.action_masking_rlm`;
`ppo_config` uses it, so that no illegal action is ever drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from ._native import Game, load
from .errors import CroupierError
from .table import Table

try:
    from gymnasium import spaces

    # Without a name that types follow, so that they are checked alike with and without Ray.
    MultiAgentEnv: Any = import_module("ray.rllib.env.multi_agent_env").MultiAgentEnv
except ImportError as _missing:
    raise CroupierError("RLlib is missing: pip install 'croupier[rllib]'") from _missing

Observed = dict[str, npt.NDArray[np.float32]]


class CroupierMultiAgentEnv(MultiAgentEnv):  # type: ignore[misc]
    """A match; agents are its players, and only those with a choice get an observation.

    Every observation is a dictionary of float32 arrays: `observations`, of shape (features of the role,), is what the player knows as
    0 or 1, and `action_mask`, of shape (moves of the role,), is 1 for legal moves. When the match is over, every player who had a
    choice in it gets a final observation, with a mask of zeros, and every player gets its reward: the payoff in the usual unit. Before that rewards are 0.

    Parameters
    ----------
    config : mapping
        `game`, a game or the name of a bundled one, and the options of `croupier.Table`. With `illegal="draw"`, the default,
        an illegal action is replaced by a legal move and counted in `table.illegal_moves`.

    Attributes
    ----------
    table : croupier.Table
        `table.match.record()` is the record of the match.
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        options = dict(config)
        if "game" not in options:
            raise CroupierError("the configuration of the environment has no game: env_config={'game': 'leduc'}")
        self.table = Table(options.pop("game"), **options)
        self.possible_agents = list(self.table.game.roles)
        self.agents = list(self.possible_agents)
        observer = self.table.observer
        self.action_spaces: dict[str, spaces.Space[Any]] = {
            role: spaces.Discrete(len(names)) for role, names in observer.moves.items()
        }
        self.observation_spaces: dict[str, spaces.Space[Any]] = {
            role: spaces.Dict(
                {
                    "observations": spaces.Box(0.0, 1.0, (len(names),), np.float32),
                    "action_mask": spaces.Box(0.0, 1.0, (len(observer.moves[role]),), np.float32),
                }
            )
            for role, names in observer.features.items()
        }
        self._shown_to: set[str] = set()
        super().__init__()
        # Checks of the old stack look for these.
        self._agent_ids = set(self.possible_agents)
        self.observation_space = spaces.Dict(self.observation_spaces)
        self.action_space = spaces.Dict(self.action_spaces)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observed], dict[str, dict[str, Any]]]:
        """Start a match; without a seed, one that follows from the last given seed. A match without a choice is skipped."""
        self.table.begin(seed)
        while not self.table.acting:
            self.table.begin()
        self._shown_to = set()
        return self._observed(), {}

    def step(
        self, action_dict: Mapping[str, SupportsIndex]
    ) -> tuple[
        dict[str, Observed], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        missing = [role for role in self.table.acting if role not in action_dict]
        if missing or not self.table.acting:
            raise CroupierError(f"{', '.join(missing)} has a choice but no action" if missing else "the match is over: call reset")
        self.table.play(action_dict)
        is_over = not self.table.acting
        observed = self._observed()
        shown = [*observed, "__all__"]
        return observed, self.table.rewards, dict.fromkeys(shown, is_over), dict.fromkeys(shown, False), {}

    def _observed(self) -> dict[str, Observed]:
        """The observations of players with a choice; when the match is over, of those who had one."""
        roles = self.table.acting or [role for role in self.possible_agents if role in self._shown_to]
        self._shown_to.update(roles)
        return {
            role: {
                "observations": self.table.observe(role).astype(np.float32),
                "action_mask": self.table.mask(role).astype(np.float32),
            }
            for role in roles
        }

    def render(self) -> str:
        """All of the table, as the terminal shows it."""
        return self.table.match.render()


def ppo_config(game: Game | str, *, hidden: Sequence[int] = (128, 128), **options: Any) -> Any:
    """A configuration of RLlib's PPO with a network for each role that never draws an illegal action.

    Parameters
    ----------
    game : Game or str
        A game, or the name of a bundled game.
    hidden : sequence of int
        Units of each hidden layer.
    **options
        Options of `croupier.Table`.

    Returns
    -------
    PPOConfig
        `config.build_algo().train()` trains it; every other setting is RLlib's own.
    """
    ppo = import_module("ray.rllib.algorithms.ppo")
    masking = import_module("ray.rllib.examples.rl_modules.classes.action_masking_rlm")
    modules, module = (import_module(f"ray.rllib.core.rl_module.{name}") for name in ("multi_rl_module", "rl_module"))
    game = load(game) if isinstance(game, str) else game
    layers = {"head_fcnet_hiddens": list(hidden[-1:]), "fcnet_hiddens": list(hidden)}
    spec = module.RLModuleSpec(masking.ActionMaskingTorchRLModule, model_config=layers)
    specs = dict.fromkeys(game.roles, spec)
    # RLlib's check of environments draws illegal actions.
    environment = {"env_config": {"game": game, **options}, "disable_env_checking": True}
    return (
        ppo.PPOConfig()
        .environment(CroupierMultiAgentEnv, **environment)
        .multi_agent(policies=set(game.roles), policy_mapping_fn=lambda agent, episode, **_: agent)
        .rl_module(rl_module_spec=modules.MultiRLModuleSpec(rl_module_specs=specs))
    )
