"""Games as environments of Gymnasium, for one player; `import croupier.gymnasium` registers all that come with Croupier.

>>> import croupier.gymnasium, gymnasium
>>> env = gymnasium.make("croupier/leduc-v0", role="bob", others="call")
>>> observation, info = env.reset(seed=1)

The other seats are held by agents. `env.unwrapped.table.match.record()` is the record of the match.
"""

from __future__ import annotations

from typing import Any, SupportsFloat

import numpy as np
import numpy.typing as npt

from ._native import Agent, Game, games
from .errors import CroupierError, RoleError
from .table import Table

try:
    import gymnasium
    from gymnasium import spaces
except ImportError as _missing:
    raise CroupierError("Gymnasium is missing: pip install 'croupier[gymnasium]'") from _missing


class SeatEnv(gymnasium.Env[npt.NDArray[np.uint8], np.int64]):
    """One seat of a match. `info["action_mask"]` has 1 for legal moves.

    Parameters
    ----------
    game : Game or str
        A game, or the name of one that comes with Croupier.
    role : str, optional
        Whose seat it is; the first player's if nobody is named.
    others : str or mapping of role to str
        The agents in the other seats, as the command line calls them: `random`, `belief:iterations=100`, `policy:FILE`.
    render_mode : {'ansi'}, optional
        Whether `render` gives text.
    **options
        Those of `croupier.Table`.
    """

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
        self.metadata = {"render_modes": ["ansi"]}
        self.render_mode = render_mode
        features, moves = self.table.observer.features[self.role], self.table.observer.moves[self.role]
        self.observation_space = spaces.Box(0, 1, (len(features),), np.uint8)
        self.action_space = spaces.Discrete(len(moves))
        self._agents: dict[str, Agent] = {}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.uint8], dict[str, Any]]:
        """Begin a match, and play up to the first choice of the seat; a match in which it has none is skipped."""
        super().reset(seed=seed)
        while True:
            self.table.begin(seed)
            draw = int(self.np_random.integers(2**63))
            game = self.table.game
            self._agents = {role: Agent(kind, game, role, seed=draw) for role, kind in self.others.items()}
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
        match, observer = self.table.match, self.table.observer
        actions = {} if action is None else {self.role: action}
        for role in self.table.acting:
            if role != self.role:
                actions[role] = observer.column(role, self._agents[role].choose(match.view(role)))
        self.table.play(actions)

    def _shown(self) -> tuple[npt.NDArray[np.uint8], dict[str, Any]]:
        return self.table.observe(self.role), {"action_mask": self.table.mask(self.role)}

    def render(self) -> str | None:
        return repr(self.table.match) if self.render_mode == "ansi" else None


for _name in games():
    gymnasium.register(f"croupier/{_name}-v0", "croupier.gymnasium:SeatEnv", kwargs={"game": _name})
