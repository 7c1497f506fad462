"""Games as PettingZoo environments; `import croupier.pettingzoo` registers all bundled games.

>>> import croupier.pettingzoo, pettingzoo
>>> env = pettingzoo.make("aec", "croupier/leduc-v0")

Both kinds of environment play one `croupier.Match`: `env.table.match.record()` is its record. Rewards are payoffs in the game's usual unit,
paid when the match is over.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ._native import Game, games
from .errors import CroupierError
from .table import Table

try:
    import pettingzoo  # type: ignore[import-untyped]
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
except ImportError as _missing:
    raise CroupierError("PettingZoo is missing: pip install 'croupier[pettingzoo]'") from _missing

Observed = dict[str, npt.NDArray[Any]]


class _Seats:
    """The common part of both kinds of environment: a table, and its spaces."""

    def __init__(self, game: Game | str, *, render_mode: str | None = None, **options: Any) -> None:
        super().__init__()
        self.table = Table(game, **options)
        self.metadata: dict[str, Any] = {
            "name": f"croupier/{self.table.game.name}-v0",
            "render_modes": ["ansi"],
        }
        self.render_mode = render_mode
        self.possible_agents = list(self.table.game.roles)
        self.agents: list[str] = []
        moves = {role: len(names) for role, names in self.table.observer.moves.items()}
        self.action_spaces = {role: spaces.Discrete(count) for role, count in moves.items()}
        self.observation_spaces = {
            role: spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, (len(names),), np.uint8),
                    "action_mask": spaces.Box(0, 1, (moves[role],), np.int8),
                }
            )
            for role, names in self.table.observer.features.items()
        }

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def observe(self, agent: str) -> Observed:
        return {"observation": self.table.observe(agent), "action_mask": self.table.mask(agent)}

    @property
    def state_space(self) -> spaces.Box:
        """The space of `state`, whose numbers `table.facts` names."""
        return spaces.Box(0, 1, self.table.state.shape, np.uint8)

    def state(self) -> npt.NDArray[np.uint8]:
        """The facts that are true, for critics: no player may see them."""
        return self.table.state

    def render(self) -> str | None:
        """With `render_mode="ansi"`, all of the table as the terminal shows it."""
        return self.table.match.render() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing to close."""


class TurnEnv(_Seats, AECEnv[str, Observed, int | None]):  # type: ignore[misc]
    """A match in which agents act one after the other; of players who choose at once each acts before it learns of the others.

    Parameters are those of `croupier.Table`.
    """

    def __init__(self, game: Game | str, *, render_mode: str | None = None, **options: Any) -> None:
        super().__init__(game, render_mode=render_mode, **options)
        self.metadata["is_parallelizable"] = False
        self._chosen: dict[str, int] = {}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.table.begin(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._chosen = {}
        self._select()

    def _select(self) -> None:
        """The first player who has a choice and has not chosen yet; when the match is over, the first of all."""
        if not self.table.acting:
            self.terminations = dict.fromkeys(self.agents, True)
            self.rewards = self.table.rewards
        waiting = [role for role in self.table.acting if role not in self._chosen]
        self.agent_selection = (waiting or self.agents)[0]

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise CroupierError(f"{agent} has a choice: the action must be a column of its mask")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._chosen[agent] = int(action)
        if all(role in self._chosen for role in self.table.acting):
            self.table.play(self._chosen)
            self._chosen = {}
        self._select()
        self._accumulate_rewards()


class SimultaneousEnv(_Seats, ParallelEnv[str, Observed, int]):  # type: ignore[misc]
    """A match in which all players act at once; actions of players without a choice are ignored.

    Parameters are those of `croupier.Table`.
    """

    def _observed(self) -> tuple[dict[str, Observed], dict[str, dict[str, Any]]]:
        acting = self.table.acting
        shown = {role: self.observe(role) for role in self.possible_agents}
        return shown, {role: {"acting": role in acting} for role in self.possible_agents}

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observed], dict[str, dict[str, Any]]]:
        self.table.begin(seed)
        self.agents = list(self.possible_agents) if self.table.acting else []
        return self._observed()

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Observed], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        missing = [role for role in self.table.acting if role not in actions]
        if missing:
            raise CroupierError(f"{', '.join(missing)} has a choice but no action")
        if self.agents:
            self.table.play(actions)
        is_over = not self.table.acting
        observed, infos = self._observed()
        if is_over:
            self.agents = []
        over = dict.fromkeys(self.possible_agents, is_over)
        return observed, self.table.rewards, over, dict.fromkeys(self.possible_agents, False), infos


def aec_env(game: Game | str, **options: Any) -> TurnEnv:
    """An environment of the agent environment cycle."""
    return TurnEnv(game, **options)


def parallel_env(game: Game | str, **options: Any) -> SimultaneousEnv:
    """A parallel environment."""
    return SimultaneousEnv(game, **options)


for _name in games():
    pettingzoo.register("aec", f"croupier/{_name}-v0", "croupier.pettingzoo:aec_env", kwargs={"game": _name})
    pettingzoo.register("parallel", f"croupier/{_name}-v0", "croupier.pettingzoo:parallel_env", kwargs={"game": _name})
