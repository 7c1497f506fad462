"""NashConv by processor time: what is here beside OpenSpiel's NFSP, PPO, Deep CFR and ESCHER, several seeds each.

    pip install './python[learn]' open_spiel matplotlib
    python python/benchmarks/curves.py leduc --seconds 15,30,60,120 --seeds 5 -o curves

Every method and seed is a process of its own, on one thread; those of OpenSpiel have the settings of its examples, but for what is said below. What counts is the processor time of its
training: not imports, and not the exact NashConv at the first opportunity after each of the times, nor what OpenSpiel's methods do for that alone, which is to
fit a network of the average strategy. A method whose single iteration takes longer than a time is measured after it. The figures go to curves.jsonl, from which a run that was interrupted goes on, the table to curves.md, and the
picture to curves.svg.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import croupier

#: By game, its name in OpenSpiel. Payoffs are the same.
GAMES = {"kuhn": "kuhn_poker", "leduc": "leduc_poker"}


class Finished(Exception):
    """All times are measured."""


class Watch:
    """The processor time of training, and the figures at the times that were asked for."""

    def __init__(self, times: list[float]) -> None:
        self.times, self.found = list(times), list[tuple[float, float]]()
        self._begun, self._paused = time.process_time(), 0.0

    @property
    def seconds(self) -> float:
        return time.process_time() - self._begun - self._paused

    @contextmanager
    def pause(self) -> Iterator[None]:
        """What happens meanwhile does not count."""
        begun = time.process_time()
        yield
        self._paused += time.process_time() - begun

    def look(self, nash_conv: Callable[[], float]) -> None:
        """Measures if it is time to."""
        seconds = self.seconds
        if seconds < self.times[0]:
            return
        with self.pause():
            value = nash_conv()
        while self.times and seconds >= self.times[0]:
            self.found.append((self.times.pop(0), value))
        if not self.times:
            raise Finished


def trained(run: Any, watch: Watch, steps: int) -> None:
    """A run of `croupier.learn`."""
    from croupier import learn

    while True:
        for _ in run.advance(steps):
            pass
        net = run.policy if isinstance(run, learn.DeepCfr) else lambda: run.average
        watch.look(lambda: croupier.evaluate(run.game, learn.policy(net())).nash_conv)


def croupier_fit(game: str, seed: int, watch: Watch) -> None:
    from croupier import learn

    trained(learn.FittedRun(game, settings=learn.FitSettings(lanes=8192), seed=seed), watch, 1)


def croupier_mmd(game: str, seed: int, watch: Watch) -> None:
    from croupier import learn

    trained(learn.Run(game, learn.Mmd(), seed=seed), watch, 4)


def croupier_ppo(game: str, seed: int, watch: Watch) -> None:
    from croupier import learn

    trained(learn.Run(game, learn.Ppo(), seed=seed), watch, 4)


def croupier_deep_cfr(game: str, seed: int, watch: Watch) -> None:
    from croupier import learn

    trained(learn.DeepCfr(game, learn.DeepCfrSettings(), seed=seed), watch, 1)


def croupier_rebel(game: str, seed: int, watch: Watch) -> None:
    from croupier import learn

    searched(learn.Rebel(game, seed=seed), watch)


def croupier_sog(game: str, seed: int, watch: Watch) -> None:
    from croupier import learn

    searched(learn.Rebel(game, learn.RebelSettings.growing(), seed), watch)


def searched(run: Any, watch: Watch) -> None:
    """A search with a learned value: what a seat plays with 256 iterations."""
    while True:
        run.advance(run.settings.matches)
        watch.look(lambda: croupier.evaluate(run.game, run.policy(256)).nash_conv)


def openspiel_nfsp(game: str, seed: int, watch: Watch) -> None:
    """As in `open_spiel/python/examples/nfsp_leduc_pytorch.py`, but exploration ends after 100,000 steps, and targets are renewed every 1,000."""
    from open_spiel.python import policy, rl_environment
    from open_spiel.python.algorithms import exploitability
    from open_spiel.python.pytorch import nfsp

    env = rl_environment.Environment(GAMES[game], chance_event_sampler=rl_environment.ChanceEventSampler(seed))
    agents = [
        nfsp.NFSP(
            player,
            env.observation_spec()["info_state"][0],
            env.action_spec()["num_actions"],
            [128],
            int(2e6),
            0.1,
            seed=seed * 2 + player,
            replay_buffer_capacity=int(2e5),
            update_target_network_every=1000,
            epsilon_decay_duration=100_000,
            epsilon_start=0.06,
            epsilon_end=0.001,
        )
        for player in range(2)
    ]

    def probabilities(state: Any) -> dict[int, float]:
        player = state.current_player()
        observations = {"info_state": [None, None], "legal_actions": [None, None], "current_player": player}
        observations["info_state"][player] = state.information_state_tensor(player)
        observations["legal_actions"][player] = state.legal_actions(player)
        step = rl_environment.TimeStep(observations=observations, rewards=None, discounts=None, step_type=None)
        with agents[player].temp_mode_as(nfsp.MODE.AVERAGE_POLICY):
            found = agents[player].step(step, is_evaluation=True).probs
        return {action: found[action] for action in state.legal_actions(player)}

    def nash_conv() -> float:
        return float(exploitability.nash_conv(env.game, policy.tabular_policy_from_callable(env.game, probabilities)))

    while True:
        step = env.reset()
        while not step.last():
            step = env.step([agents[step.observations["current_player"]].step(step).action])
        for agent in agents:
            agent.step(step)
        watch.look(nash_conv)


def openspiel_ppo(game: str, seed: int, watch: Watch) -> None:
    """The agent of `open_spiel/python/pytorch/ppo.py` for one player, in every seat, with its defaults, but without discount and with an entropy bonus of 0.1."""
    import numpy as np
    import torch
    from open_spiel.python import policy, rl_environment
    from open_spiel.python.algorithms import exploitability
    from open_spiel.python.pytorch import ppo

    np.random.seed(seed)
    torch.manual_seed(seed)
    env = rl_environment.Environment(GAMES[game], chance_event_sampler=rl_environment.ChanceEventSampler(seed))
    shape, actions = tuple(env.observation_spec()["info_state"]), env.action_spec()["num_actions"]
    agents = [
        ppo.PPO(shape, actions, 2, player, gamma=1.0, entropy_coef=0.1, agent_fn=ppo.PPOAgent) for player in range(2)
    ]

    def probabilities(state: Any) -> dict[int, float]:
        player, legal = state.current_player(), state.legal_actions()
        mask = ppo.legal_actions_to_mask([legal], actions)
        with torch.no_grad():
            seen = torch.tensor([state.information_state_tensor(player)])
            found = agents[player].get_action_and_value(seen, mask)[4][0]
        return {action: float(found[action]) for action in legal}

    def nash_conv() -> float:
        return float(exploitability.nash_conv(env.game, policy.tabular_policy_from_callable(env.game, probabilities)))

    def reward(player: int, step: Any, is_last: bool) -> None:
        """What came after a player's move."""
        agents[player].post_step([step.rewards[player]], [is_last])
        if agents[player].cur_batch_idx == agents[player].steps_per_batch:
            agents[player].learn([step])

    while True:
        step, moved = env.reset(), set[int]()
        while not step.last():
            player = step.observations["current_player"]
            # Before a match ends nobody wins anything in these games.
            if player in moved:
                reward(player, step, False)
            moved.add(player)
            step = env.step([agents[player].step([step])[0].action])
        for player in moved:
            reward(player, step, True)
        watch.look(nash_conv)


def openspiel_deep_cfr(game: str, seed: int, watch: Watch) -> None:
    """As in `open_spiel/python/examples/deep_cfr_pytorch.py`, but with 1,500 traversals an iteration, batches of 2,048 and a memory of a million."""
    import pyspiel
    from open_spiel.python.pytorch import deep_cfr

    solver = deep_cfr.DeepCFRSolver(
        pyspiel.load_game(GAMES[game]),
        policy_network_layers=(64,),
        advantage_network_layers=(64,),
        num_iterations=1_000_000,
        num_traversals=1500,
        learning_rate=1e-3,
        batch_size_advantage=2048,
        batch_size_strategy=2048,
        policy_network_train_steps=2500,
        advantage_network_train_steps=375,
        seed=seed,
        print_nash_convs=True,
    )
    solver._learn_strategy_network = paused(watch, solver._learn_strategy_network)
    measured(watch, deep_cfr.exploitability)
    solver.solve()


def openspiel_escher(game: str, seed: int, watch: Watch) -> None:
    """As `open_spiel/python/pytorch/escher.py` has it for Kuhn poker."""
    import numpy as np
    import open_spiel.python.algorithms.exploitability as exploitability
    import pyspiel
    import torch
    from open_spiel.python.pytorch import escher

    np.random.seed(seed)
    torch.manual_seed(seed)
    agent, training = escher.Agent(pyspiel.load_game(GAMES[game]), escher.Config()), escher.TrainConfig(
        pyspiel.load_game(GAMES[game])
    )
    training.nashconv, training.games_vs_random = True, 1
    escher._train_avg_policy = paused(watch, escher._train_avg_policy)
    measured(watch, exploitability)
    escher.train(training, agent)


def paused(watch: Watch, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, but its time does not count."""

    def call(*arguments: Any) -> Any:
        with watch.pause():
            return function(*arguments)

    return call


def measured(watch: Watch, exploitability: Any) -> None:
    """Looks at the watch whenever the module is asked for a NashConv."""
    exact = exploitability.nash_conv

    def nash_conv(game: Any, policy: Any) -> float:
        watch.look(lambda: float(exact(game, policy)))
        return float("nan")

    exploitability.nash_conv = nash_conv


#: The methods by name; those of OpenSpiel begin with its name.
METHODS: dict[str, Callable[[str, int, Watch], None]] = {
    "croupier rebel": croupier_rebel,
    "croupier sog": croupier_sog,
    "croupier fit": croupier_fit,
    "croupier mmd": croupier_mmd,
    "croupier ppo": croupier_ppo,
    "croupier deep-cfr": croupier_deep_cfr,
    "openspiel nfsp": openspiel_nfsp,
    "openspiel ppo": openspiel_ppo,
    "openspiel deep-cfr": openspiel_deep_cfr,
    "openspiel escher": openspiel_escher,
}


def one(game: str, method: str, seed: int, times: list[float]) -> None:
    """Trains, and prints the figures."""
    import torch

    torch.set_num_threads(1)
    watch = Watch(times)
    try:
        METHODS[method](game, seed, watch)
    except Finished:
        pass
    print(json.dumps({"game": game, "method": method, "seed": seed, "found": watch.found}))


def check_payoffs(game: str) -> None:
    """That both count in the same unit: NashConv of uniform play."""
    import pyspiel
    from open_spiel.python import policy
    from open_spiel.python.algorithms import exploitability

    other = pyspiel.load_game(GAMES[game])
    theirs = exploitability.nash_conv(other, policy.UniformRandomPolicy(other))
    ours = croupier.evaluate(croupier.load(game), lambda observations, masks: masks / masks.sum(1, keepdims=True)).nash_conv
    assert abs(theirs - ours) < 1e-6, f"uniform play has {ours} here and {theirs} in OpenSpiel"


def table(lines: list[dict[str, Any]], times: list[float]) -> str:
    """The median of the seeds, and from which to which they are, by method and time."""
    rows = ["| method | seeds | " + " | ".join(f"{time:g} s" for time in times) + " |", "|---|---|" + "---|" * len(times)]
    for method in METHODS:
        found = [dict(map(tuple, line["found"])) for line in lines if line["method"] == method]
        if found:
            cells = [[values[time] for values in found] for time in times]
            texts = [f"{statistics.median(cell):.3f} ({min(cell):.3f} to {max(cell):.3f})" for cell in cells]
            rows.append(f"| {method} | {len(found)} | " + " | ".join(texts) + " |")
    return "\n".join(rows) + "\n"


def picture(lines: list[dict[str, Any]], game: str, path: Path) -> None:
    """The medians as lines, between the least and the greatest."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "curves"})
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4.5))
    times: list[float] = []
    for method in METHODS:
        runs = [line["found"] for line in lines if line["method"] == method]
        if runs:
            times, values = [time for time, _ in runs[0]], [[value for _, value in run] for run in runs]
            by_time = list(zip(*values, strict=True))
            style = "--" if method.startswith("openspiel") else "-"
            (drawn,) = axes.plot(times, [statistics.median(cell) for cell in by_time], style, marker=".", label=method)
            axes.fill_between(times, list(map(min, by_time)), list(map(max, by_time)), alpha=0.2, color=drawn.get_color())
    axes.set(xscale="log", yscale="log", xlabel="processor seconds of training", ylabel="NashConv", title=game)
    axes.set_xticks(times, [f"{time:g}" for time in times])
    axes.set_xticks([], minor=True)
    axes.yaxis.set_major_formatter("{x:g}")
    axes.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1.01, 1))
    figure.savefig(path, metadata={"Date": None}, bbox_inches="tight")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", choices=sorted(GAMES))
    parser.add_argument("--seconds", default="15,30,60,120", help="processor seconds of training, ascending")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--methods", default=",".join(METHODS), help="some of: " + ", ".join(METHODS))
    parser.add_argument("-o", default="curves", metavar="NAME", help="of the files that are written")
    parser.add_argument("--one", nargs=2, metavar=("METHOD", "SEED"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    times = sorted(float(time) for time in arguments.seconds.split(","))
    if arguments.one:
        one(arguments.game, arguments.one[0], int(arguments.one[1]), times)
        return
    methods = [method.strip() for method in arguments.methods.split(",")]
    if unknown := [method for method in methods if method not in METHODS]:
        parser.error(f"no method {unknown[0]!r}; there are {', '.join(METHODS)}")
    check_payoffs(arguments.game)
    kept = Path(f"{arguments.o}.jsonl")
    lines = [json.loads(line) for line in kept.read_text().splitlines()] if kept.exists() else []
    wanted = [(method, seed) for seed in range(1, arguments.seeds + 1) for method in methods]
    done = {(line["method"], line["seed"]) for line in lines if line["game"] == arguments.game}
    for number, (method, seed) in enumerate(wanted, 1):
        if (method, seed) in done:
            continue
        print(f"{number}/{len(wanted)}: {method}, seed {seed}", file=sys.stderr, flush=True)
        command = [sys.executable, __file__, arguments.game, "--seconds", arguments.seconds, "--one", method, str(seed)]
        output = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()[-1]
        lines.append(json.loads(output))
        # As a whole, so that no line is ever cut off.
        draft = Path(f"{arguments.o}.jsonl.part")
        draft.write_text("".join(json.dumps(line) + "\n" for line in lines))
        draft.replace(kept)
    lines = [line for line in lines if line["game"] == arguments.game]
    Path(f"{arguments.o}.md").write_text(table(lines, times))
    picture(lines, arguments.game, Path(f"{arguments.o}.svg"))
    print(table(lines, times), end="")


if __name__ == "__main__":
    main()
