"""Many matches at once, in numpy."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ._native import Game, Lanes, Policy, _choices, _draw, load
from .changing import ChangingPolicies
from .errors import CroupierError, IllegalMoveError, RoleError
from .functions import FunctionPolicy, PolicyCallable
from .held import HeldLanes
from .payoffs import payoffs
from .recall import last_or_default
from .seats import Seat
from .steps import Choices, PolicyStep, Step, Wanted, check_count, check_options, empty_step

#: How the players of a belief are assumed to choose: of everybody, or by role.
Opponents = str | Policy | FunctionPolicy | PolicyCallable | dict[str, str | Policy | FunctionPolicy | PolicyCallable]


class VectorEnv:
    """A match in each of many lanes; a step goes from one choice to the next.

    Chance is handled inside, forced moves are made automatically, and when a match ends the next one starts in its
    lane within the same step. The same seed and number of lanes give the same arrays, on any number of threads.

    Parameters
    ----------
    game : Game or str
        A game, or the name of a bundled game. Its rules must be small enough for a network of gates.
    lanes : int
        Parallel matches. Multiples of 512 are most efficient.
    seed : int or str
        An integer from 0 to 2**128 - 1, or 64 hexadecimal digits.
    observation : {'percepts', 'turn', 'belief', 'state'}
        `percepts`: for each own move and percept whether it has occurred, and whether it occurred in each of the `last` turns.
        `turn`: only those of the last turn, for recurrent networks.
        `belief`: the probability of each fluent, for players who have a choice, if all others choose as `opponents` says: uniformly by default,
        and then exact as long as there are at most 16,384 states that the player cannot tell apart, otherwise estimated with `particles`.
        Information sets that differ only in values that the rules let one exchange, such as the cards of a deck before the showdown, share
        one computation. It costs far more time than the others, unless information sets recur.
        `state`: the true state, for critics; needs `privileged=True`.
    last : int, optional
        How many recent turns `percepts` distinguishes; by default the fewest that tell all information sets apart. In a game that is too
        large to find out it is 1, with a `RecallWarning`.
    particles : int
        The number of particles of a `belief` that is not exact.
    opponents : Policy, callable, str, or dict of str to those; optional
        How the players are assumed to choose in the beliefs of the others, as `Belief` takes it: every row of a `belief` has the numbers of
        `Belief(game, role, view, opponents=opponents, method="exact")`. A function is asked in one call a step, for all information sets that lead to what
        any lane holds possible, each once. A torch module is asked anew when its parameters have changed, so training it is enough; any other
        function is asked anew in every step. All beliefs of a step go by the policy as it is then, also for moves that were made
        before it changed.
    seats : mapping of role to str, Policy or callable, optional
        Who plays the other seats: `random` for players who choose uniformly; a function `(observation, mask, rng) -> columns` of the arrays
        (`croupier.seats.SeatFunction`); a function `(observations, masks) -> probabilities` or a torch module, as `FunctionPolicy` takes
        them; a `Policy`; or an agent of the command line, such as `ismcts:iterations=100`. All others are `open`. The arrays show only choices of open seats. `random` is cheapest, then functions and policies; an agent that
        searches is asked for every move of every match.
    privileged : bool
        Confirms that the observation may show what no player may see.
    units : {'payoff', 'goals'}
        The unit of rewards: the game's usual unit, such as chips, or goal values from 0 to 100.
    illegal : {'draw', 'error'}
        What happens to an illegal action: a legal one is drawn and counted in `illegal_moves`, or it is an error.
    turns_max : int, optional
        Maximum number of turns; a match with more is ended.
    parallel : bool
        Whether to use all cores, if there are more than 512 lanes.

    finals : bool
        Whether `final_observation` returns what players knew at the end of the last match of each lane.

    Attributes
    ----------
    last : int
        How many recent turns `percepts` distinguishes.
    roles : list of str
        The players, in the order of the arrays.
    moves, features : dict of role to list of str
        The meaning of the columns of `mask` and of `observation`.
    metadata : dict
        `privileged` says whether the observation shows what no player may see.
    inputs, outputs : int
        The width of what a network is shown of a choice (`choices`), and of its logits: the columns of the mask.
    illegal_moves : int
        The number of actions so far for which a legal move was drawn.

    Examples
    --------
    >>> import croupier
    >>> env = croupier.VectorEnv("kuhn", lanes=4, seed=1)
    >>> env.step(env.sample()).mask.shape
    (4, 2, 3)
    """

    def __init__(
        self,
        game: Game | str,
        lanes: int = 1,
        *,
        seed: int | str = 0,
        observation: Literal["percepts", "turn", "belief", "state"] = "percepts",
        last: int | None = None,
        particles: int = 200,
        opponents: Opponents | None = None,
        seats: Mapping[str, Seat] | None = None,
        privileged: bool = False,
        units: Literal["goals", "payoff"] = "payoff",
        illegal: Literal["draw", "error"] = "draw",
        turns_max: int | None = None,
        parallel: bool = True,
        finals: bool = False,
    ) -> None:
        self.game = load(game) if isinstance(game, str) else game
        self.roles: list[str] = self.game.roles
        if observation == "state" and not privileged:
            raise CroupierError("the observation 'state' shows what no player may see: pass privileged=True to confirm")
        check_options(units, illegal)
        is_open, held = self._read(seats or {})
        self._wanted = Wanted(lanes, observation, 0, is_open, turns_max, parallel, particles, finals=finals)
        if last is not None:
            check_count("last", last, 0)
        self._wanted = replace(self._wanted, last=last_or_default(self.game, observation, last))
        self.last = self._wanted.last
        if opponents is not None and observation != "belief":
            raise CroupierError("opponents make a difference to observation='belief' alone")
        self.opponents = dict(opponents) if isinstance(opponents, dict) else opponents
        self._changing = ChangingPolicies(self.opponents.values() if isinstance(self.opponents, dict) else [self.opponents])
        self._native = self._begun(held)
        self.lanes, self.units, self.illegal = lanes, units, illegal
        self.metadata: dict[str, Any] = {"privileged": observation == "state", "observation": observation}
        self.moves: dict[str, list[str]] = dict(zip(self.roles, self._native.moves(), strict=True))
        self.features: dict[str, list[str]] = dict(zip(self.roles, self._native.features(), strict=True))
        self.illegal_moves = self._draws = 0
        self._step = self._arrays()
        self.inputs, self.outputs = len(self.roles) + self._step.observation.shape[2], self._step.mask.shape[2]
        self.reset(seed)

    def _begun(self, held: dict[str, Seat]) -> HeldLanes | Lanes:
        if held:
            return HeldLanes(self.game, self._wanted, held, self.opponents)
        return Lanes(self.game, self._wanted, self.opponents)

    def _read(self, seats: Mapping[str, Seat]) -> tuple[list[bool], dict[str, Seat]]:
        """By player whether the seat is open, and by role the holder of each seat that is not `random`."""
        for role in seats:
            if role not in self.roles:
                raise RoleError.of(role, self.roles)
        held = {role: seat for role, seat in seats.items() if seat not in ("open", "random")}
        for role, seat in held.items():
            if not (callable(seat) or isinstance(seat, str | Policy)):
                raise CroupierError(f"the seat of {role} must be 'open', 'random', an agent, a Policy or a function, not {seat!r}")
        return [seats.get(role, "open") == "open" for role in self.roles], held

    def _arrays(self) -> Step:
        features = max((len(names) for names in self.features.values()), default=0)
        moves = max((len(names) for names in self.moves.values()), default=0)
        return empty_step(self.lanes, len(self.roles), features, moves, self._wanted.dtype)

    @property
    def last_step(self) -> Step:
        """The last result of `reset` or `step`."""
        return self._step

    def reset(self, seed: int | str | None = None) -> Step:
        """Start all matches anew, as a new environment with this seed would; by default with the previous seed.

        Returns
        -------
        Step
            The first choices.
        """
        if seed is not None:
            self.seed = seed
        self._notice()
        self._native.reset(self.seed, self._step)
        self.illegal_moves = self._draws = 0
        return self._step

    def step(self, actions: npt.ArrayLike, lanes: npt.NDArray[np.bool_] | None = None) -> Step:
        """Make a move in every open seat that has a choice, and continue to the next choices.

        Parameters
        ----------
        actions : array_like of int, shape (lanes, players)
            For each lane and player a column of the mask; those of players without a choice are ignored.
        lanes : ndarray of bool, shape (lanes,), optional
            The lanes that are stepped; the others stay as they are. By default all.

        Returns
        -------
        Step
            The next choices; the same arrays as before.

        Raises
        ------
        CroupierError
            If the shape is wrong, or the actions are not integers.
        IllegalMoveError
            With `illegal='error'`, for the first illegal action; nothing is played then.
        """
        given = np.asarray(actions)
        wanted = (self.lanes, len(self.roles))
        if given.shape != wanted:
            raise CroupierError(f"actions have the shape {given.shape}, but must have (lanes, players) = {wanted}")
        if given.dtype.kind not in "iu":
            raise CroupierError(f"actions must be integers, the columns of the mask, not {given.dtype}")
        if given.dtype == np.int32:
            columns = np.ascontiguousarray(given)
        else:
            # What does not fit is no column either way.
            columns = np.ascontiguousarray(np.where((given >= 0) & (given < 2**31), given, -1), dtype=np.int32)
        if self.illegal == "error":
            self._check(columns)
        return self._played(columns, lanes)

    def refresh_opponents(self) -> Step:
        """Ask `opponents` anew, and write the beliefs at the current choices again.

        A step does that by itself for functions that may have changed. Call this to see the beliefs of the current choices under a network that was
        just trained, or if an agent or something that no parameter shows has changed.

        Returns
        -------
        Step
            The current choices; the same arrays as before.
        """
        self._changing.have_changed()
        self._native.refresh_opponents(self._step)
        return self._step

    def _notice(self) -> None:
        if self._changing.have_changed():
            self._native.refresh_opponents()

    def _played(self, columns: npt.NDArray[np.int32], lanes: npt.NDArray[np.bool_] | None = None) -> Step:
        self._notice()
        self.illegal_moves += self._native.step(columns, self._step, None if lanes is None else self._some(lanes))
        if self.units == "payoff":
            ended = np.flatnonzero((self._step.done == 1) & (self._step.truncated == 0))
            self._step.reward[ended] = payoffs(self.game, self._step.reward[ended])
        return self._step

    def choices(self) -> Choices:
        """The choices of the last step, one row for each, as a network is shown them.

        Returns
        -------
        Choices
            Arrays of their own, in the order of lanes, then of players.
        """
        step = self._step
        lane, player = np.nonzero(step.acting)
        inputs = np.empty((len(lane), self.inputs), np.float32)
        masks = np.empty((len(lane), self.outputs), np.bool_)
        _choices(step, inputs, masks)
        return Choices(lane, player, inputs, masks)

    def step_policy(self, logits: Any) -> PolicyStep:
        """Draw a move for every choice from logits, make the moves, and continue to the next choices.

        Parameters
        ----------
        logits : array_like or Tensor of float32, shape (N, moves)
            A row for each of `choices()`: a move is drawn from their softmax over the legal moves; logits of others do not count. Draws
            follow from the seed of the environment, and from how often this was called since `reset`.

        Returns
        -------
        PolicyStep
            What `step` returns for the drawn actions, the actions, and the logarithms of their probabilities.

        Raises
        ------
        CroupierError
            If the shape is wrong, or the logits of the legal moves are no numbers; nothing is played then.
        """
        given = logits.detach().cpu().numpy() if hasattr(logits, "detach") else np.asarray(logits)
        rows = int(np.count_nonzero(self._step.acting))
        if given.shape != (rows, self.outputs) or given.dtype.kind not in "fiu":
            wanted = f"(choices, moves) = {(rows, self.outputs)}"
            raise CroupierError(f"logits must be numbers of shape {wanted}, not {given.dtype} of shape {given.shape}")
        actions = np.empty(self._step.acting.shape, np.int32)
        log_probabilities = np.empty(rows, np.float32)
        _draw(self._step, np.ascontiguousarray(given, np.float32), self.seed, self._draws, actions, log_probabilities)
        self._draws += 1
        return PolicyStep(self._played(actions), actions, log_probabilities)

    def _check(self, columns: npt.NDArray[np.int32]) -> None:
        mask, acting = self._step.mask, self._step.acting == 1
        inside = (columns >= 0) & (columns < mask.shape[2])
        legal = np.take_along_axis(mask, np.where(inside, columns, 0)[:, :, None], 2)[:, :, 0] == 1
        wrong = np.argwhere(acting & ~(inside & legal))
        if len(wrong):
            lane, player = (int(place) for place in wrong[0])
            role, column = self.roles[player], int(columns[lane, player])
            names = self.moves[role]
            choices = [name for name, bit in zip(names, mask[lane, player], strict=False) if bit]
            raise IllegalMoveError.of_column(role, column, names, choices, f" in lane {lane}")

    def _some(self, lanes: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        wanted = np.ascontiguousarray(lanes)
        if wanted.shape != (self.lanes,) or wanted.dtype != np.bool_:
            raise CroupierError(f"lanes must be of type bool and shape {(self.lanes,)}, not {wanted.dtype} of shape {wanted.shape}")
        return wanted

    def restart(self, lanes: npt.NDArray[np.bool_]) -> Step:
        """Start the matches of some lanes anew; the others stay as they are.

        Parameters
        ----------
        lanes : ndarray of bool, shape (lanes,)

        Returns
        -------
        Step
            The next choices; the same arrays as before.
        """
        wanted = self._some(lanes)
        self._notice()
        self._native.restart(wanted, self._step)
        return self._step

    def final_observation(self) -> npt.NDArray[np.uint8]:
        """What players knew at the end of the last match of each lane; zeros where none has ended. Needs `finals=True`.

        Returns
        -------
        ndarray of uint8, shape (lanes, players, features)
            Encoded as `observation`, which must be `percepts` or `turn`.
        """
        found = np.zeros(self._step.observation.shape, np.uint8)
        self._native.finals(found)
        return found

    def sample(self, rng: np.random.Generator | None = None) -> npt.NDArray[np.int32]:
        """Actions drawn uniformly among legal moves.

        Parameters
        ----------
        rng : numpy.random.Generator, optional
            Generator for draws; by default they follow from the seed of the environment, and from how often it was sampled since
            `reset`.

        Returns
        -------
        ndarray of int32, shape (lanes, players)
        """
        if rng is None:
            columns = np.zeros((self.lanes, len(self.roles)), np.int32)
            self._native.sample(columns)
            return columns
        mask = self._step.mask
        draws = rng.random(mask.shape, dtype=np.float32)
        chosen: npt.NDArray[np.int32] = np.argmax(draws * mask, axis=2).astype(np.int32)
        return chosen

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        if isinstance(self._native, Lanes):
            del state["_native"]
            state["words"] = self._native.words()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        words = state.pop("words", None)
        self.__dict__.update(state)
        if words is not None:
            self._native = Lanes(self.game, self._wanted, self.opponents)
            self._native.restore(words)

    def __copy__(self) -> VectorEnv:
        # Two environments that wrote into the same arrays would be of no use; policies are those of both.
        policies = list(self.opponents.values()) if isinstance(self.opponents, dict) else [self.opponents]
        return copy.deepcopy(self, {id(policy): policy for policy in policies})

    def __repr__(self) -> str:
        shape = self._step.observation.shape
        return f"<croupier.VectorEnv {self.game.name}: {shape[0]} lanes, {shape[1]} players, {shape[2]} features>"
