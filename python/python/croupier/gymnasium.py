"""Games as Gymnasium environments, for one player; `import croupier.gymnasium` registers all bundled games.

>>> import croupier.gymnasium, gymnasium
>>> env = gymnasium.make("croupier/leduc-v0", role="bob", others="call")
>>> observation, info = env.reset(seed=1)

Agents hold the other seats. `env.unwrapped.table.match.record()` is the record of the match. For many matches at once:

>>> envs = gymnasium.make_vec("croupier/leduc-v0", num_envs=4096, vectorization_mode="vector_entry_point")
>>> observations, infos = envs.reset(seed=1)
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, SupportsFloat

import numpy as np
import numpy.typing as npt

from ._native import Agent, Game, games, load
from .errors import CroupierError, RoleError
from .seats import Seat
from .table import Table
from .vector import VectorEnv

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector.utils import batch_space
except ImportError as _missing:
    raise CroupierError("Gymnasium is missing: pip install 'croupier[gymnasium]'") from _missing


class SeatEnv(gymnasium.Env[npt.NDArray[np.uint8], np.int64]):
    """One seat of a match. `info["action_mask"]` is 1 for legal moves.

    Parameters
    ----------
    game : Game or str
        A game, or the name of a bundled game.
    role : str, optional
        The player's seat; by default the first player's.
    others : str or mapping of role to str
        The agents in the other seats, as on the command line: `random`, `belief:iterations=100`, `policy:FILE`.
    render_mode : {'ansi'}, optional
        Whether `render` returns text.
    **options
        Options of `croupier.Table`.
    """

    # Gymnasium asks the class, before there is an environment.
    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        game: Game | str,
        role: str | None = None,
        others: str | dict[str, str] = "random",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.table = Table(game, **options)
        roles = self.table.game.roles
        self.role = roles[0] if role is None else role
        if self.role not in roles:
            raise RoleError.of(self.role, roles)
        rest = [other for other in roles if other != self.role]
        self.others = {other: others if isinstance(others, str) else others.get(other, "random") for other in rest}
        self.render_mode = render_mode
        features, moves = self.table.observer.features[self.role], self.table.observer.moves[self.role]
        self.observation_space = spaces.Box(0, 1, (len(features),), np.uint8)
        self.action_space = spaces.Discrete(len(moves))
        # A kind that there is not is refused here, and not in the middle of a match.
        self._agents = {role: Agent(kind, self.table.game, role) for role, kind in self.others.items() if kind != "random"}
        self._draws = random.Random()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.uint8], dict[str, Any]]:
        """Start a match, and play up to the first choice of the seat; a match without one is skipped."""
        super().reset(seed=seed)
        while True:
            self.table.begin(seed)
            draw = int(self.np_random.integers(2**63))
            self._draws, game = random.Random(draw), self.table.game
            self._agents = {role: Agent(kind, game, role, seed=draw) for role, kind in self.others.items() if kind != "random"}
            self._play_on()
            if self.role in self.table.acting:
                return self._shown()
            seed = None

    def step(
        self, action: np.int64
    ) -> tuple[npt.NDArray[np.uint8], SupportsFloat, bool, bool, dict[str, Any]]:
        if self.role not in self.table.acting:
            raise CroupierError("the match is over: call reset")
        self._play(int(action))
        self._play_on()
        observation, info = self._shown()
        return observation, self.table.rewards[self.role], not self.table.acting, False, info

    def _play_on(self) -> None:
        while self.table.acting and self.role not in self.table.acting:
            self._play(None)

    def _play(self, action: int | None) -> None:
        table = self.table
        actions = {} if action is None else {self.role: action}
        for role in table.acting:
            if role == self.role:
                continue
            agent = self._agents.get(role)
            if agent is None:
                actions[role] = self._draws.choice(np.flatnonzero(table.mask(role)).tolist())
            else:
                actions[role] = table.observer.column(role, agent.choose(table.view(role)))
        self.table.play(actions)

    def _shown(self) -> tuple[npt.NDArray[np.uint8], dict[str, Any]]:
        return self.table.observe(self.role), {"action_mask": self.table.mask(self.role)}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal, as `MaskablePPO` of sb3-contrib asks: ndarray of bool, shape (moves,)."""
        return self.table.mask(self.role).astype(np.bool_)

    def render(self) -> str | None:
        """With `render_mode="ansi"`, what the seat knows of the table, as the terminal shows it."""
        return self.table.match.render(self.role) if self.render_mode == "ansi" else None


class SeatVectorEnv(gymnasium.vector.VectorEnv[npt.NDArray[np.uint8], npt.NDArray[np.int64], npt.NDArray[Any]]):
    """One seat in each of many matches, over `croupier.VectorEnv`.

    `infos["action_mask"]`, of shape (num_envs, moves) and type int8, is 1 for legal moves. A match in which the seat has no choice is
    skipped. What follows the end of a match is Gymnasium's `AutoresetMode`:

    - `SAME_STEP`: the next match starts in the same step. `infos["final_obs"]` has what the seat knew at the end,
      `infos["final_info"]["rewards"]`, of shape (num_envs, players), what each player got; `infos["_final_obs"]` and
      `infos["_final_info"]` say in which lanes.
    - `NEXT_STEP`: the observation is that of the end, with a mask of zeros; the next step starts a match, whatever the action.
    - `DISABLED`: the lane waits for `reset(options={"reset_mask": mask})`.

    The reward of a finished match is exact; for a match cut off by `turns_max` it is 0. With `observation="belief"` or `"state"`
    there is no final observation: it is zeros.

    Parameters
    ----------
    game : Game or str
        A game, or the name of a bundled game.
    num_envs : int
        Number of parallel matches. Multiples of 512 are most efficient.
    role : str, optional
        The player's seat; by default the first player's.
    others : Seat or mapping of role to Seat
        The other seats: `random`, an agent as on the command line, a `Policy`, or a function; see `croupier.VectorEnv`.
    render_mode : None
        Rendering is not supported.
    autoreset_mode : AutoresetMode or str
        What follows the end of a match.
    **options
        Options of `croupier.VectorEnv`: `observation`, `last`, `particles`, `illegal`, `turns_max`, `parallel`, and `units`, which defaults to
        payoffs.
    """

    def __init__(
        self,
        game: Game | str,
        num_envs: int = 1,
        role: str | None = None,
        others: Seat | Mapping[str, Seat] = "random",
        render_mode: None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        **options: Any,
    ) -> None:
        game = load(game) if isinstance(game, str) else game
        roles = game.roles
        self.role = roles[0] if role is None else role
        if self.role not in roles:
            raise RoleError.of(self.role, roles)
        seats: dict[str, Seat] = {}
        for other in roles:
            if other != self.role:
                seats[other] = others.get(other, "random") if isinstance(others, Mapping) else others
        self.lanes = VectorEnv(game, num_envs, seats=seats, finals=True, **options)
        self._keeps = self.lanes.metadata["observation"] in ("percepts", "turn")
        self.mode = AutoresetMode(autoreset_mode)
        #: The lanes whose match is over, where the next one waits to be shown.
        self._over = np.zeros(num_envs, np.bool_)
        self.num_envs, self.render_mode = num_envs, render_mode
        self.metadata = {**self.lanes.metadata, "render_modes": [], "autoreset_mode": self.mode}
        self._player = roles.index(self.role)
        self._features, self._moves = len(self.lanes.features[self.role]), len(self.lanes.moves[self.role])
        self.single_observation_space = spaces.Box(0, 1, (self._features,), self.lanes.last_step.observation.dtype.type)
        self.single_action_space = spaces.Discrete(self._moves)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.uint8], dict[str, Any]]:
        """Start new matches in all lanes; without a seed different ones than before.

        Parameters
        ----------
        seed : int, optional
            One seed for all matches: each of them has its own draws.
        options : mapping, optional
            `reset_mask`, ndarray of bool and shape (num_envs,): the lanes that are reset; the others stay as they are, and there must be no
            seed.
        """
        mask = (options or {}).get("reset_mask")
        if mask is not None:
            return self._restart(mask, seed)
        super().reset(seed=seed)
        self.lanes.reset(int(self.np_random.integers(2**63)))
        self._over[:] = False
        return self._shown()

    def _restart(self, mask: Any, seed: int | None) -> tuple[npt.NDArray[np.uint8], dict[str, Any]]:
        wanted = np.asarray(mask)
        if seed is not None:
            raise CroupierError("a seed starts all matches: pass either seed or reset_mask")
        if wanted.shape != (self.num_envs,) or wanted.dtype != np.bool_ or not wanted.any():
            raise CroupierError(f"reset_mask must be of type bool and shape (num_envs,) = {(self.num_envs,)}, with a lane to reset")
        running = wanted & ~self._over
        if running.any():
            self.lanes.restart(running)
        # Where the match was over, the next one has begun already.
        self._over &= ~wanted
        return self._shown()

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        given = np.asarray(actions)
        if given.shape != (self.num_envs,):
            raise CroupierError(f"actions have the shape {given.shape}, but must have (num_envs,) = {(self.num_envs,)}")
        if self.mode is AutoresetMode.DISABLED and self._over.any():
            lane = int(np.flatnonzero(self._over)[0])
            raise CroupierError(f"the match of lane {lane} is over: call reset(options={{'reset_mask': terminations | truncations}})")
        columns = np.zeros((self.num_envs, len(self.lanes.roles)), given.dtype)
        columns[:, self._player] = given
        waiting = self._over
        step = self.lanes.step(columns, ~waiting if waiting.any() else None)
        done, truncated = (step.done == 1) & ~waiting, (step.truncated == 1) & ~waiting
        reward = np.where(waiting, 0.0, step.reward[:, self._player]).astype(np.float64)
        self._over = np.zeros_like(done) if self.mode is AutoresetMode.SAME_STEP else done
        observation, info = self._shown()
        if self.mode is AutoresetMode.SAME_STEP and done.any():
            info["final_obs"], info["_final_obs"] = self._final(), done
            info["final_info"] = {"rewards": step.reward.copy(), "_rewards": done}
            info["_final_info"] = done
        return observation, reward, done & ~truncated, truncated, info

    def _final(self) -> npt.NDArray[np.uint8]:
        """What the seat knew at the end of the last match of each lane."""
        if not self._keeps:
            return np.zeros((self.num_envs, self._features), self.single_observation_space.dtype)
        return self.lanes.final_observation()[:, self._player, : self._features].copy()

    def _shown(self) -> tuple[npt.NDArray[np.uint8], dict[str, Any]]:
        step = self.lanes.last_step
        mask = step.mask[:, self._player, : self._moves].astype(np.int8)
        observation = step.observation[:, self._player, : self._features].copy()
        if self._over.any():
            mask[self._over] = 0
            observation[self._over] = self._final()[self._over]
        info = {"action_mask": mask, "_action_mask": np.ones(self.num_envs, bool)}
        return observation, info


for _name in games():
    gymnasium.register(
        f"croupier/{_name}-v0",
        "croupier.gymnasium:SeatEnv",
        kwargs={"game": _name},
        vector_entry_point="croupier.gymnasium:SeatVectorEnv",
    )
