"""A value network on public belief states, trained by the searches that use it.

Source: N. Brown, A. Bakhtin, A. Lerer and Q. Gong, "Combining Deep Reinforcement Learning and Search for Imperfect-Information Games",
NeurIPS 2020. A search decides for all players at once: it looks a few turns ahead from what everybody has seen and from everybody's
ranges, and takes the values of what lies beyond from the network. Some of the public belief states whose values it asks for are searched from
in turn, and the values found there are what the network learns next (M. Schmid et al., "Student of Games", Science Advances 9, 2023).
"""

from __future__ import annotations

import copy
import os
import tempfile
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from .._native import Game, Policy, PublicSearch, evaluate, load
from ..errors import CroupierError
from ..league import Standing, head_to_head
from .checkpoint import load_state, save_state, write_whole
from .diverging import check_training, check_weights
from .exporting import Described, perceptron_contents
from .net import add_to_average
from .schedule import annealed, folded

#: What the member `format` of a checkpoint says.
CHECKPOINT_FORMAT = "croupier-rebel/4"

#: By how much a network multiplies shares of ranges, which are small beside the other numbers of a row: it learns from them faster.
RANGE_SCALE = 6.0

#: Iterations of each search where its exploitability is measured.
EVALUATED_ITERATIONS = 512


@dataclass(frozen=True)
class RebelSettings:
    """How a search looks ahead, and how its network learns.

    Parameters
    ----------
    choices : int
        Turns with a choice that a search looks ahead.
    iterations : int
        Iterations of CFR of each search that is learned from.
    queries : int
        Public belief states of each search in a match, drawn among all whose values it asks for, that are searched from and learned.
    exploration : float
        In the matches that are learned from, share of searches that begin at any end of the tree of the one before, each as likely: a best
        response goes where nobody goes.
    hidden : tuple of int
        Units of each hidden layer.
    learning_rate : float
        Of Adam at first; after t matches it is divided by `(1 + t / annealing) ** 0.5`.
    annealing : float
    matches : int
        Matches of a round: they are played side by side, and the values of all their leaves are asked for together.
    steps, rows : int
        After each round so many steps of learning are made, each on so many public belief states of the memory.
    memory : int
        Public belief states that are kept: the latest.
    recent : float
        Share of all public belief states so far, the latest, that is learned from at most: what a network has found that knew less is wrong.
    average : float
        Weights are averaged over about the last `1 / (average + 1)` of the run, with larger weights for later ones. The average values leaves.
    histories_max : int
        Histories that the public states of the game may have, all together.
    boards : int
        Ways in which chance deals on, of a search from its turn in a game of hands and a board, at most.
    growth : int
        How often the tree of a search grows, as `PublicSearch` describes it.
    """

    choices: int = 2
    iterations: int = 128
    queries: int = 16
    exploration: float = 0.5
    hidden: tuple[int, ...] = (256, 256)
    learning_rate: float = 2e-3
    annealing: float = 250.0
    matches: int = 16
    steps: int = 64
    rows: int = 512
    memory: int = 400_000
    recent: float = 0.5
    average: float = 9.0
    histories_max: int = 5_000_000
    boards: int = 24
    growth: int = 0

    @classmethod
    def growing(cls) -> RebelSettings:
        """Searches whose tree grows where matches come to most: growing-tree CFR, as in Student of Games."""
        return cls(growth=4)


class ValueNet(nn.Module):
    """From public belief states to the values of all private states: a perceptron with layers of rectified units.

    Parameters
    ----------
    inputs, outputs : int
        Those of `PublicSearch`.
    hidden : tuple of int
    """

    scale: torch.Tensor

    def __init__(self, inputs: int, outputs: int, hidden: tuple[int, ...]) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        before = inputs
        for units in hidden:
            layers += [nn.Linear(before, units), nn.ReLU()]
            before = units
        self.layers = nn.Sequential(*layers, nn.Linear(before, outputs))
        scale = torch.ones(inputs)
        scale[inputs - outputs :] = RANGE_SCALE
        self.register_buffer("scale", scale, persistent=False)

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        """Tensor of float32 of shape (N, outputs) from one of shape (N, inputs)."""
        values: torch.Tensor = self.layers(rows * self.scale)
        return values

    def values(self, rows: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """What `PublicSearch` asks of a function of values."""
        with torch.inference_mode():
            found: npt.NDArray[np.float32] = self(torch.from_numpy(rows)).numpy()
        return found

    def plain(self) -> nn.Sequential:
        """The same function without the scale, which is in the weights."""
        layers = copy.deepcopy(self.layers)
        with torch.no_grad():
            first = layers[0]
            assert isinstance(first, nn.Linear)
            first.weight *= self.scale
        return layers


class Rebel:
    """A run: matches of a search with itself, and the network that learns from them.

    The game, the settings and the seed determine everything, on the same machine with the same torch and number of threads.

    Parameters
    ----------
    game : Game or str
    settings : RebelSettings, optional
    seed : int

    Attributes
    ----------
    net : ValueNet
        The network that learns.
    average : ValueNet
        The average of its weights: it values the leaves of all searches, and is what a run results in.
    matches : int
        Matches so far.
    loss : float
        The mean of the last steps.

    Examples
    --------
    >>> from croupier.learn import Rebel
    >>> run = Rebel("kuhn", seed=1)
    >>> run.advance(4)
    >>> run.matches
    4
    """

    def __init__(self, game: Game | str, settings: RebelSettings | None = None, seed: int = 0) -> None:
        self.game = load(game) if isinstance(game, str) else game
        self.settings, self.seed = settings or RebelSettings(), seed
        self.search = self._search(seed)
        torch.manual_seed(folded(seed))
        self.net = ValueNet(self.search.inputs, self.search.outputs, self.settings.hidden)
        self.average = copy.deepcopy(self.net)
        self._optimiser = torch.optim.Adam(self.net.parameters(), self.settings.learning_rate)
        self._rng = np.random.default_rng(seed)
        # By symmetry and place, where the number comes from.
        self._sources = torch.from_numpy(np.argsort(self.search.symmetries, axis=1))
        width = self.search.inputs + 2 * self.search.outputs
        self._memory = np.zeros((self.settings.memory, width), np.float32)
        self._kept = self._rounds = 0
        self.matches = 0
        self.loss = float("nan")

    def _search(self, seed: int, iterations: int | None = None) -> PublicSearch:
        wanted = self.settings
        return PublicSearch(
            self.game, choices=wanted.choices, iterations=iterations or wanted.iterations,
            exploration=wanted.exploration, queries=wanted.queries, seed=seed, histories_max=wanted.histories_max,
            boards=wanted.boards, growth=wanted.growth,
        )  # fmt: skip

    def advance(self, matches: int) -> None:
        """Play so many matches more, in rounds, and learn after each round."""
        for first in range(0, matches, self.settings.matches):
            together = min(self.settings.matches, matches - first)
            rows = np.concatenate(self.search.play(self.average.values, matches=together), axis=1)
            places = np.arange(self._kept, self._kept + len(rows)) % len(self._memory)
            self._memory[places] = rows
            self._kept += len(rows)
            self.matches += together
            self._learn()
            check_training(self.net, self.matches)
            self._rounds += 1
            add_to_average(self.average, self.net, self._rounds, self.settings.average)

    def _learn(self) -> None:
        rate = annealed(self.settings.learning_rate, self.settings.annealing, self.matches)
        for group in self._optimiser.param_groups:
            group["lr"] = rate
        inputs, outputs = self.search.inputs, self.search.outputs
        losses = []
        latest = min(max(int(self.settings.recent * self._kept), self.settings.rows), self._kept, len(self._memory))
        for _ in range(self.settings.steps):
            places = (self._kept - 1 - self._rng.integers(latest, size=self.settings.rows)) % len(self._memory)
            # Each as it looks under some symmetry of the rules: as true, and never seen.
            sources = self._sources[self._rng.integers(len(self._sources), size=len(places))]
            of_values = sources[:, -outputs:] - (inputs - outputs)
            rows = torch.from_numpy(self._memory[places])
            beliefs = rows[:, :inputs].gather(1, sources)
            found = rows[:, inputs : inputs + outputs].gather(1, of_values)
            # A value counts as much as it does in a search.
            weights = rows[:, inputs + outputs :].gather(1, of_values)
            wrong = nn.functional.huber_loss(self.net(beliefs), found, reduction="none", delta=0.5)
            loss = (wrong * weights).sum() / weights.sum()
            self._optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
            self._optimiser.step()
            losses.append(float(loss.detach()))
        self.loss = float(np.mean(losses))

    def policy(self, iterations: int = EVALUATED_ITERATIONS) -> Policy:
        """What the search does in every information set if it is played with its network from the beginning, as `PublicSearch.policy` says."""
        return self._search(self.seed, iterations).policy(self.average.values)

    def exploitability(self, iterations: int = EVALUATED_ITERATIONS) -> dict[str, float]:
        """How exploitable searches are, exactly, in the unit of the game: mean over the players of what a best response gains.

        Parameters
        ----------
        iterations : int
            Of each search.

        Returns
        -------
        dict
            `learned`: with the network; `untrained`: with one of the same shape that has learned nothing; `zero`: with leaves that are worth
            nothing. The same look-ahead and iterations for all three.

        Raises
        ------
        CroupierError
            If `search.listed` is false: there are too many information sets, and `compare` says more.
        """
        search = self._search(self.seed, iterations)
        policies = {
            "learned": search.policy(self.average.values),
            "untrained": search.policy(self._untrained().values),
            "zero": search.policy(),
        }
        return {name: evaluate(self.game, policy).exploitability for name, policy in policies.items()}

    def compare(self, deals: int = 100, iterations: int | None = None) -> dict[str, Standing]:
        """What the search wins with its network against the same search with other leaves, on duplicate deals: where `exploitability` is refused.

        Parameters
        ----------
        deals : int
            Each is played twice, with the seats exchanged.
        iterations : int, optional
            Of each search; by default as many as in the searches that it learned from.

        Returns
        -------
        dict
            By the other leaves, as of `export`: payoffs of a match in the game's usual unit, with 95 % intervals.
        """
        others = [name for name in self._leaves() if name != "learned"]
        found = {}
        with tempfile.TemporaryDirectory() as folder:
            agents = {}
            for name in ("learned", *others):
                path = os.path.join(folder, f"{name}.onnx")
                self.export(path, name)
                wanted = self.settings
                agents[name] = f"resolve:value={path},choices={wanted.choices},iterations={iterations or wanted.iterations},growth={wanted.growth}"
            for name in others:
                results = head_to_head(self.game, agents["learned"], agents[name], deals=deals, seed=self.seed)
                found[name] = next(standing for standing in results.standings if standing.player == "player")
        return found

    def export(self, path: str | os.PathLike[str], leaves: str = "learned") -> None:
        """Write the network to an ONNX file: from `beliefs` of float32 [N, inputs] to `values` of float32 [N, outputs].

        Its metadata says what each number means.

        Parameters
        ----------
        path : str or path
        leaves : {'learned', 'untrained', 'zero', 'shares', 'alone'}
            What the search that reads the file finds beyond its look-ahead. `untrained`: a network of the same shape that has learned nothing; `zero`: leaves
            that are worth nothing. Where `PublicSearch.beyond_shares` is true, `learned` and `untrained` add to what hands win if nobody bets more, `shares`
            is that without a network, and `alone` is the untrained network without that.

        Raises
        ------
        CroupierError
            If this game has no such leaves.
        OSError
            If the file cannot be written.
        """
        known = self._leaves()
        if leaves not in known:
            raise CroupierError(f"{self.game.name!r} has no leaves {leaves!r}, only {', '.join(known)}")
        net, beyond_shares = known[leaves]
        search, wanted = self.search, self.settings
        metadata = {
            "version": 1, "game": self.game.name, "rules": self.game.rules, "rules_sha256": self.game.sha256, "observation": "public",
            "choices": wanted.choices, "growth": wanted.growth, "public": search.features, "private": search.private,
            "beyond_shares": beyond_shares,
        }  # fmt: skip
        check_weights(net)
        described = Described("beliefs", "values", search.inputs, search.outputs, metadata)
        write_whole(path, perceptron_contents(net.plain(), described))

    def _untrained(self) -> ValueNet:
        """A network of the same shape that has learned nothing, the same in every call."""
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(folded(self.seed + 1))
            return ValueNet(self.search.inputs, self.search.outputs, self.settings.hidden)

    def _leaves(self) -> dict[str, tuple[ValueNet, bool]]:
        """By name: a network, and whether it adds to what hands win if nobody bets more."""
        untrained, shares = self._untrained(), self.search.beyond_shares
        zero = copy.deepcopy(untrained)
        with torch.no_grad():
            for weights in zero.parameters():
                weights.zero_()
        found = {"learned": (self.average, shares), "untrained": (untrained, shares), "zero": (zero, False)}
        return found | {"shares": (zero, True), "alone": (untrained, False)} if shares else found

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a checkpoint, from which `load` goes on; replaced once the new one is complete."""
        state = {
            "game": self.game, "settings": self.settings, "seed": self.seed, "matches": self.matches,
            "net": self.net.state_dict(), "average": self.average.state_dict(), "optimiser": self._optimiser.state_dict(),
            "rng": self._rng, "loss": self.loss, "rounds": self._rounds,
            "memory": self._memory[: min(self._kept, len(self._memory))], "kept": self._kept, "position": self.search.position,
        }  # fmt: skip
        save_state(path, CHECKPOINT_FORMAT, state)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Rebel:
        """Go on from a checkpoint, to the bit. It is a pickle: load only what you trust."""
        state = load_state(path, CHECKPOINT_FORMAT, "Rebel.save")
        run = cls(state["game"], state["settings"], state["seed"])
        run.net.load_state_dict(state["net"])
        run.average.load_state_dict(state["average"])
        run._optimiser.load_state_dict(state["optimiser"])
        run._rng, run.matches, run.loss = state["rng"], state["matches"], state["loss"]
        run._kept, run._rounds = state["kept"], state["rounds"]
        run._memory[: len(state["memory"])] = state["memory"]
        run.search.go_to(state["position"])
        return run
