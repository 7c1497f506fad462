"""Games as OpenSpiel games; `import croupier.openspiel` registers `croupier`, whose rules are a parameter.

>>> import croupier.openspiel, pyspiel
>>> game = pyspiel.load_game("croupier(rules=leduc)")
>>> game.new_initial_state().chance_outcomes()[0]
(0, 0.16666666666666666)

Every role of the rules moves in a turn of its own, in the order of the rules, and none learns within a turn what those before it chose;
chance is explicit. So all algorithms for sequential games can use them.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from ._native import Game, State, load, load_file
from .errors import CroupierError, UnknownGameError
from .observing import Observer
from .payoffs import payoffs
from .recall import found_last, found_properties

try:
    import pyspiel  # type: ignore[import-not-found]
except ImportError as _missing:
    raise CroupierError("OpenSpiel is missing: pip install 'croupier[openspiel]'") from _missing

#: `last` below zero and the utility `auto` stand for what the rules say.
_DEFAULTS: dict[str, Any] = {"rules": "kuhn", "last": -1, "utility": "auto"}

_UTILITIES = {
    "general_sum": pyspiel.GameType.Utility.GENERAL_SUM,
    "zero_sum": pyspiel.GameType.Utility.ZERO_SUM,
    "constant_sum": pyspiel.GameType.Utility.CONSTANT_SUM,
    "identical": pyspiel.GameType.Utility.IDENTICAL,
}

#: Choices in one match, at most, where the game cannot be enumerated: what OpenSpiel wants to know and rules do not say.
_LENGTH_MAX = 10_000


def _game_type(players: int, *, utility: str = "general_sum", **known: bool) -> Any:
    """The type of a game; `known` says what is certain: `chance`, `perfect_information`, `perfect_recall`."""
    modes, information = pyspiel.GameType.ChanceMode, pyspiel.GameType.Information
    is_perfect = known.get("perfect_information", False)
    return pyspiel.GameType(
        short_name="croupier",
        long_name="Croupier: any game in GDL-II",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=modes.EXPLICIT_STOCHASTIC if known.get("chance", True) else modes.DETERMINISTIC,
        information=information.PERFECT_INFORMATION if is_perfect else information.IMPERFECT_INFORMATION,
        utility=_UTILITIES[utility],
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=players,
        min_num_players=players,
        provides_information_state_string=True,
        provides_information_state_tensor=known.get("perfect_recall", True),
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_DEFAULTS,
    )


class Said:
    """What the rules say about all matches: by enumeration where the game is small enough, otherwise as far as it is certain.

    Attributes
    ----------
    utility : str
        `zero_sum`, `constant_sum`, `identical`, or `general_sum`, also where nothing else is certain.
    utility_sum : float or None
        What all players' payoffs add up to, if it is always the same.
    bounds : (float, float)
        The least and the greatest payoff.
    length, chance_length : int
        Most choices of players and of chance in one match.
    is_perfect : bool
        Whether whoever chooses certainly knows the history.
    """

    def __init__(self, game: Game) -> None:
        self.utility, self.is_perfect = "general_sum", False
        self.utility_sum: float | None = None
        self.length = self.chance_length = _LENGTH_MAX
        found = found_properties(game)
        if found is None:
            goals = [goal for values in game.goal_values.values() for goal in values]
        else:
            goals = [goal for bounds in found["goals"].values() for goal in bounds]
            self.length, self.chance_length = found["choices_most"], found["chances_most"]
            self.is_perfect = found["has_perfect_information"]
            self._add(game, found["goal_sum"])
        results = [payoffs(game, float(goal)) for goal in goals]
        self.bounds = min(results), max(results)

    def _add(self, game: Game, goal_sum: int | str | None) -> None:
        if goal_sum == "identical":
            self.utility = "identical"
        elif isinstance(goal_sum, int):
            players = len(game.roles)
            # The payoff is linear in the goal: that of the mean, once a player.
            self.utility_sum = players * payoffs(game, goal_sum / players)
            self.utility = "zero_sum" if self.utility_sum == 0 else "constant_sum"


class Numbers:
    """The meaning of OpenSpiel's numbers in a game; shared by its states.

    Attributes
    ----------
    game : croupier.Game
    roles : list of str
        The players.
    observer : croupier.Observer
        For information states; `observer.features` names the numbers of their tensors.
    moves : list of list of str
        By player, the meaning of its actions.
    chance_moves : list of str
        The meaning of the outcomes of chance.
    """

    def __init__(self, game: Game, last: int | None) -> None:
        self.game, self.roles = game, list(game.roles)
        self.observer = Observer(game, last=last)
        self.moves = [self.observer.moves[role] for role in self.roles]
        self.chance_moves = game.chance_moves
        self._chance_columns = {move: column for column, move in enumerate(self.chance_moves)}

    def column(self, role: str, move: str) -> int:
        """The number of a move, or of one of chance."""
        return self._chance_columns[move] if role == "random" else self.observer.column(role, move)

    def __deepcopy__(self, _memo: dict[int, Any]) -> Numbers:
        return self


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """An OpenSpiel game defined by rules.

    Parameters
    ----------
    params : dict
        `rules`: the name of a bundled game, or the path of a rule file. `last`: how many recent turns the tensor of an information
        state distinguishes; its string distinguishes all. By default the fewest that tell all information states apart; where that
        is not certain, the game says that it provides no such tensor. `utility`: by default what the rules say, as far as enumeration
        shows it; `zero_sum`, `constant_sum`, `identical` or `general_sum` for games that are too large, where you know it.

    Attributes
    ----------
    numbers : Numbers
        The game, and the meaning of the numbers of players, moves and tensors.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        chosen = {**_DEFAULTS, **(params or {})}
        utility, last = chosen["utility"], int(chosen["last"])
        if utility != "auto" and utility not in _UTILITIES:
            raise CroupierError(f"utility must be auto or one of {', '.join(_UTILITIES)}, not {utility!r}")
        game = _game(str(chosen["rules"]))
        said, needed = Said(game), found_last(game)
        if last < 0:
            last = 1 if needed is None else needed
        self.numbers = Numbers(game, last)
        if utility in ("auto", said.utility):
            utility, utility_sum = said.utility, said.utility_sum
        else:
            utility_sum = 0.0 if utility == "zero_sum" else None
        info = pyspiel.GameInfo(
            num_distinct_actions=max(len(moves) for moves in self.numbers.moves),
            max_chance_outcomes=len(self.numbers.chance_moves),
            num_players=len(self.numbers.roles),
            min_utility=said.bounds[0],
            max_utility=said.bounds[1],
            utility_sum=utility_sum,
            max_game_length=said.length,
        )
        game_type = _game_type(
            len(self.numbers.roles),
            utility=utility,
            chance=game.has_chance,
            perfect_information=said.is_perfect,
            perfect_recall=needed is not None and last >= needed,
        )
        self._chance_length = said.chance_length
        super().__init__(game_type, info, params or {})

    def max_chance_nodes_in_history(self) -> int:
        return self._chance_length

    def new_initial_state(self) -> SpielState:
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> SpielObserver:
        if params:
            raise CroupierError(f"the observer has no parameters, but was given {sorted(params)}")
        return SpielObserver(self.numbers, iig_obs_type is not None and iig_obs_type.perfect_recall)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """An OpenSpiel state; `at` is the `croupier.State` at the start of its turn, `chosen` the choices of roles made in it so far."""

    def __init__(self, game: SpielGame, at: State | None = None) -> None:
        super().__init__(game)
        self.numbers = game.numbers
        self.at = at or State(self.numbers.game)
        self.chosen: dict[str, str] = {}
        self._play_on()

    def _play_on(self) -> None:
        while not self.at.is_over and all(role in self.chosen for role in self.at.acting):
            self.at, self.chosen = self.at.step(self.chosen), {}

    @property
    def _acting(self) -> str:
        return next(role for role in self.at.acting if role not in self.chosen)

    def current_player(self) -> int:
        if self.at.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        if self._acting == "random":
            return int(pyspiel.PlayerId.CHANCE)
        return self.numbers.roles.index(self._acting)

    def _legal_columns(self, role: str) -> list[int]:
        return sorted(self.numbers.column(role, move) for move in self.at.legal(role))

    def _legal_actions(self, player: int) -> list[int]:
        role = self.numbers.roles[player]
        return [] if self.at.is_over or self._acting != role else self._legal_columns(role)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        columns = self._legal_columns("random")
        return [(column, 1.0 / len(columns)) for column in columns]

    def _apply_action(self, action: int) -> None:
        self.chosen[self._acting] = self._action_to_string(self.current_player(), action)
        self._play_on()

    def _action_to_string(self, player: int, action: int) -> str:
        return (self.numbers.chance_moves if player < 0 else self.numbers.moves[player])[action]

    def is_terminal(self) -> bool:
        return self.at.is_over

    def returns(self) -> list[float]:
        results = self.at.payoffs
        return [float(results[role]) if results else 0.0 for role in self.numbers.roles]

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """A state that the player cannot distinguish from this one, drawn from its belief."""
        role, draws = self.numbers.roles[player], random.Random(sampler())
        state = SpielState(self.get_game(), self.at.resampled(role, draws.getrandbits(64)))
        # What others chose in this turn before the one who chooses now is known to nobody, and drawn as the rules make it.
        for other in itertools.takewhile(lambda other: other != self._acting, state.at.acting):
            state.chosen[other] = self.chosen[other] if other == role else draws.choice(state.at.legal(other))
        return state

    def __str__(self) -> str:
        turns = [" ".join(f"{role}:{move}" for role, move in turn.items()) for turn in [*self.at.history, self.chosen] if turn]
        return "\n".join(turns)


class SpielObserver:
    """A player's knowledge: its view as a string, and as the numbers of `croupier.Observer`."""

    def __init__(self, numbers: Numbers, perfect_recall: bool) -> None:
        self._roles, self._perfect_recall = numbers.roles, perfect_recall
        self._observer = numbers.observer if perfect_recall else Observer(numbers.game, "turn")
        size = max(len(features) for features in self._observer.features.values())
        self.tensor: npt.NDArray[np.float32] = np.zeros(len(self._roles) + size, np.float32)
        self.dict = {"player": self.tensor[: len(self._roles)], "features": self.tensor[len(self._roles) :]}

    def set_from(self, state: SpielState, player: int) -> None:
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        found = self._observer.observe(state.at.view(self._roles[player]))
        self.dict["features"][: len(found)] = found

    def string_from(self, state: SpielState, player: int) -> str:
        view = state.at.view(self._roles[player])
        if self._perfect_recall:
            return view.text
        move, percepts = view.turns[-1] if view.turns else ("", [])
        return f"({view.role} {len(view)} ({' '.join([move, *percepts])}))"


def _game(rules: str) -> Game:
    try:
        return load(rules)
    except UnknownGameError:
        if "/" in rules or "." in rules:
            return load_file(rules)
        raise


pyspiel.register_game(_game_type(2), SpielGame)
