"""`python -m croupier.learn`: train a network on a game by self-play, and write it to a file."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch

from .._native import Game, load, load_file
from ..errors import CroupierError
from .exporting import export
from .fitted import Fit, FitSettings, FittedRun
from .mmd import Mmd
from .networks import Network
from .playing import Tree
from .ppo import Ppo
from .progress import Curve, Progress
from .rebel import Rebel, RebelSettings
from .run import Report, Run, Settings
from .stopping import Stop
from ..recall import smallest_last

#: Histories of a game whose exploitability is computed while it is learned.
_HISTORIES_MAX = 2_000_000

#: `last` for games that cannot be enumerated.
_LAST = 8

#: Seconds between two evaluations, at least, and how many times as long as one of them takes.
_EVALUATION_SECONDS, _EVALUATION_SHARE = 5.0, 10.0

#: Seconds between two checkpoints.
_CHECKPOINT_SECONDS = 60.0

#: Threads of PyTorch, at most.
_THREADS_MAX = 1024

#: Deals that searches are compared on where their exploitability is not known, each played twice.
_COMPARED_DEALS = 50

#: What the leaves of a search are worth.
_LEAVES = {
    "learned": "what was learned",
    "untrained": "a network that has learned nothing",
    "alone": "a network that has learned nothing, without what hands win if nobody bets more",
    "shares": "leaves that are worth what hands win if nobody bets more",
    "zero": "leaves that are worth nothing",
}

#: Options that only some algorithms have.
_OPTIONS_OF = {
    "last": ("fit", "mmd", "ppo"),
    "network": ("fit", "mmd", "ppo"),
    "lanes": ("fit", "mmd", "ppo"),
    "steps": ("fit", "mmd", "ppo"),
    "trace": ("fit", "mmd", "ppo"),
    "annealing": ("fit", "mmd", "ppo"),
    "device": ("fit", "mmd", "ppo"),
    "curve": ("fit", "mmd", "ppo"),
    "tensorboard": ("fit", "mmd", "ppo"),
    "temperature": ("fit", "mmd"),
    "revival": ("mmd",),
    "entropy": ("ppo",),
    "choices": ("rebel", "sog"),
    "iterations": ("rebel", "sog"),
    "queries": ("rebel", "sog"),
    "boards": ("rebel", "sog"),
    "growth": ("sog",),
}

_EPILOG = """\
The file has the average of the network's weights over the last part of the run. `croupier play GAME --seat ROLE=net:FILE.onnx` plays it.
For games of up to 2,000,000 histories NashConv is computed exactly while it learns: what best responses gain, over all players,
in the unit of the literature. The same seed, options and number of updates give the same file on one machine.
With --checkpoint a run that was stopped, by Ctrl-C too, goes on where it was: the update that is being made is finished first, and a
second Ctrl-C stops at once, without it. Matches of rebel and sog come in rounds of 16; a number of another kind ends with a shorter one.

Examples:
  python -m croupier.learn kuhn --minutes 1 --seed 1 -o kuhn.onnx --curve kuhn.csv
  python -m croupier.learn leduc --minutes 15 --seed 1 -o leduc.onnx --checkpoint leduc.run
  python -m croupier.learn leduc --algorithm rebel --minutes 30 -o values.onnx --checkpoint values.run
  python -m croupier.learn my_game.gdl --algorithm ppo --updates 500 -o my_game.onnx
"""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m croupier.learn",
        description="Learn to play a game by self-play of one network in all seats, and write it to an ONNX file.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add, standard, mmd, ppo, rebel = parser.add_argument, Settings(), Mmd(), Ppo(), RebelSettings()
    fit, fitted, sog = Fit(), FitSettings(), RebelSettings.growing()
    add("game", metavar="GAME", help="a name from croupier.games(), or the path of a rules file or of its folder")
    add("-o", "--output", metavar="FILE", required=True, help="write the network to this ONNX file")
    add("--algorithm", choices=("fit", "mmd", "ppo", "rebel", "sog"),
        help="magnetic mirror descent, fitted exactly or by gradients; proximal policy optimisation; or values on public beliefs for a search, "
             "which looks so many turns ahead (rebel) or grows its tree where matches come to most (sog) "
             f"[default: fit in games of up to {_HISTORIES_MAX:,} histories, mmd in others]")  # fmt: skip
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--minutes", type=_positive(float), metavar="M", help="stop after so long [default: 5]")
    length.add_argument("--updates", type=_positive(int), metavar="N", help="stop after N updates of the whole run")
    add("--seed", type=int, default=0, metavar="S", help="what everything random is drawn from [default: 0]")
    add("--checkpoint", metavar="FILE", help="keep the run in this file, and go on from it if it is there; a pickle: trust it")
    add("--curve", metavar="FILE", help="write NashConv and losses over time to this CSV file")
    add("--tensorboard", metavar="FOLDER", help="write them for TensorBoard")
    add("--policy", metavar="FILE", help="write the policy as a table too, as `croupier solve --policy` does")
    options = parser.add_argument_group("options of the run, which a checkpoint keeps")
    option = options.add_argument
    option("--last", type=int, metavar="N",
           help=f"turns that an observation tells apart [default: as few as tell all information sets apart; {_LAST} in large games]")  # fmt: skip
    option("--hidden", type=_sizes, metavar="A,B", help="units of each hidden layer [default: 128,128; rebel: 256,256]")
    option("--network", choices=("perceptron", "recurrent", "attention"), help="what decides (fit, mmd, ppo): it takes an observation as a whole, reads it turn by turn, or weighs its turns [default: perceptron]")  # fmt: skip
    option("--lanes", type=_positive(int), metavar="N", help=f"matches at once [default: {standard.lanes}; fit: {fitted.lanes}]")
    option("--steps", type=_positive(int), metavar="N",
           help=f"choices in each match between two updates [default: {standard.steps}]")  # fmt: skip
    option("--learning-rate", type=_positive(float), metavar="X",
           help=f"of Adam at first; it falls [default: {standard.learning_rate}]")  # fmt: skip
    option("--temperature", type=_positive(float), metavar="X",
           help=f"weight of the divergence from uniform play (mmd, fit) at first; it falls [default: {mmd.temperature}; fit: {fit.temperature}]")  # fmt: skip
    option("--entropy", type=_positive(float), metavar="X",
           help=f"weight of entropy (ppo) at first; it falls [default: {ppo.entropy}]")  # fmt: skip
    option("--annealing", type=_positive(float), metavar="N",
           help=f"temperature, entropy and exploration are divided by (1 + update / N) ** 0.5 [default: {mmd.annealing}]")  # fmt: skip
    option("--trace", type=_share, metavar="X",
           help=f"from 0 to 1, how far results are preferred to the critic's values of later choices [default: {standard.trace}; fit: {fitted.trace:g}]")  # fmt: skip
    option("--exploration", type=_share, metavar="X",
           help=f"share of uniform play in the matches it learns from, at first; it falls (fit: it stays) [default: {standard.exploration}; fit: {fitted.exploration}]")  # fmt: skip
    option("--choices", type=_positive(int), metavar="N",
           help=f"turns with a choice that a search looks ahead (rebel, sog) [default: {rebel.choices}; sog: {sog.choices}]")  # fmt: skip
    option("--growth", type=_positive(int), metavar="N",
           help=f"how often the tree of a search grows, each time by one turn with a choice (sog) [default: {sog.growth}]")  # fmt: skip
    option("--iterations", type=_positive(int), metavar="N",
           help=f"iterations of CFR of each search (rebel) [default: {rebel.iterations}]")  # fmt: skip
    option("--queries", type=_positive(int), metavar="N",
           help=f"public beliefs of each search, of all whose values it asks for, that are learned (rebel) [default: {rebel.queries}]")  # fmt: skip
    option("--boards", type=_positive(int), metavar="N",
           help=f"ways in which chance deals on that a search looks at, where it begins with a deal (rebel) [default: {rebel.boards}]")  # fmt: skip
    option("--revival", type=_share, metavar="X",
           help=f"moves below this share of uniform play are pushed as if they had it (mmd) [default: {mmd.revival}]")  # fmt: skip
    add("--device", metavar="NAME",
        help="where networks compute (fit, mmd, ppo), such as cuda; a checkpoint stays where it was [default: cpu]")  # fmt: skip
    add("--threads", type=_positive(int), default=1, metavar="N",
        help="threads of PyTorch; another number gives other digits [default: 1]")  # fmt: skip
    return parser


def _positive(kind: type[int] | type[float]) -> Callable[[str], int | float]:
    def read(text: str) -> int | float:
        number = kind(text)
        if not 0 < number < float("inf"):
            raise argparse.ArgumentTypeError(f"{text} is not a number above 0")
        return number

    # What the error for a text that is no number calls it.
    read.__name__ = "whole number" if kind is int else "number"
    return read


def _share(text: str) -> float:
    number = float(text)
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not from 0 to 1")
    return number


def _sizes(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(_positive(int)(part)) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not whole numbers above 0 with commas between them, such as 128,128") from None


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; its exit status is 0 if a network was written, 1 after an error."""
    options = _parser().parse_args(arguments)
    try:
        _check(options)
        torch.set_num_threads(options.threads)
        _learn_values(options) if options.algorithm in ("rebel", "sog") else _learn(options)
    except (CroupierError, OSError, OverflowError, MemoryError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("stopped at once: what was not written yet is lost", file=sys.stderr)
        return 130
    return 0


def _check(options: argparse.Namespace) -> None:
    """Check now, rather than after hours, what can be."""
    if options.threads > _THREADS_MAX:
        raise CroupierError(f"--threads {options.threads} is more than {_THREADS_MAX}")
    # Without one it is fit or mmd, which have the same options but for one.
    algorithms = (options.algorithm,) if options.algorithm else ("fit", "mmd")
    for name, takers in _OPTIONS_OF.items():
        if getattr(options, name) is not None and not set(algorithms) & set(takers):
            raise CroupierError(f"{_flag(name)} is no option of {algorithms[0]}, only of {', '.join(takers)}")
    places = [place for place in (options.output, options.checkpoint, options.curve, options.policy) if place is not None]
    if len({os.path.abspath(place) for place in places}) < len(places):
        raise CroupierError("the files that are written need different names")
    for place in places:
        _check_place(place)


@dataclass
class _Clock:
    """Seconds since the command started, and when something is due again."""

    begun: float
    evaluation_at: float = 0.0
    checkpoint_at: float = _CHECKPOINT_SECONDS

    def elapsed(self) -> float:
        return time.monotonic() - self.begun


def _learn(options: argparse.Namespace) -> None:
    clock = _Clock(time.monotonic())
    _check_device(options.device or "cpu")
    run = _run(options)
    tree = _tree(run, is_needed=options.policy is not None)
    minutes = None if options.updates else options.minutes or 5.0
    progress = Progress(options.updates, "updates") if minutes is None else Progress(60 * minutes, "s")
    with Curve(options.curve, options.tensorboard, goes_on=run.updates > 0) as curve, progress, Stop() as stop:
        while not stop.wanted and (run.updates < options.updates if minutes is None else clock.elapsed() < 60 * minutes):
            (report,) = run.advance(1)
            _evaluate(run, report, tree, clock, curve, progress)
            progress.show(report, report.update if minutes is None else clock.elapsed())
            if options.checkpoint and clock.elapsed() >= clock.checkpoint_at:
                run.save(options.checkpoint)
                clock.checkpoint_at = clock.elapsed() + _CHECKPOINT_SECONDS
    _write(run, tree, options, clock)


def _learn_values(options: argparse.Namespace) -> None:
    """Values on public beliefs: an update is a match of a search with itself; they are played in rounds."""
    clock = _Clock(time.monotonic())
    run = _values_run(options)
    minutes = None if options.updates else options.minutes or 5.0
    progress = Progress(options.updates, "matches") if minutes is None else Progress(60 * minutes, "s")
    with progress, Stop() as stop:
        while not stop.wanted and (run.matches < options.updates if minutes is None else clock.elapsed() < 60 * minutes):
            left = run.settings.matches if minutes is not None else options.updates - run.matches
            run.advance(min(run.settings.matches, left))
            progress.say(f"{run.matches} matches, loss {run.loss:.4f}", run.matches if minutes is None else clock.elapsed())
            if options.checkpoint and clock.elapsed() >= clock.checkpoint_at:
                run.save(options.checkpoint)
                clock.checkpoint_at = clock.elapsed() + _CHECKPOINT_SECONDS
    if options.checkpoint:
        run.save(options.checkpoint)
    run.export(options.output)
    learned = f"{options.output}: {run.game.name} after {run.matches} matches, {clock.elapsed():.0f} s"
    try:
        _compare_leaves(run, learned)
    except KeyboardInterrupt:
        print(f"{learned}; not compared")
    if options.policy:
        run.policy().save(options.policy)


def _compare_leaves(run: Rebel, learned: str) -> None:
    """Print what was learned, and how good the search is with it and with other leaves."""
    if run.search.listed:
        print(f"{learned}; exploitability, which is NashConv over the number of players, of the search with")
        for name, found in run.exploitability().items():
            print(f"  {_LEAVES[name]}: {found:.4f} {run.game.unit}")
    else:
        print(f"{learned}; {run.game.unit} won by the search with it in {2 * _COMPARED_DEALS} matches on duplicate deals, against the search with")
        for name, standing in run.compare(_COMPARED_DEALS).items():
            print(f"  {_LEAVES[name]}: {standing.mean:+.3f} +- {standing.interval:.3f}")


def _values_run(options: argparse.Namespace) -> Rebel:
    """The run of the checkpoint, or a new one."""
    game = _game(options.game)
    given = _given(options, ("hidden", "learning_rate", "exploration", "choices", "iterations", "queries", "boards", "growth"))
    if options.checkpoint and os.path.exists(options.checkpoint):
        run = Rebel.load(options.checkpoint)
        if (run.game.sha256, run.seed) != (game.sha256, options.seed):
            raise CroupierError(f"{options.checkpoint} is a run of {run.game.name} with the seed {run.seed}: name another file")
        if (run.settings.growth > 0) != (options.algorithm == "sog"):
            raise CroupierError(f"{options.checkpoint} is a run of another algorithm than {options.algorithm}: name another file")
        _check_kept(options, given, run.settings)
        return run
    settings = replace(RebelSettings.growing() if options.algorithm == "sog" else RebelSettings(), **given)
    try:
        return Rebel(game, settings, options.seed)
    except CroupierError as error:
        if "histories" not in str(error):
            raise
        raise CroupierError(f"{error}; --algorithm mmd learns without a search, in games of any size") from error


def _evaluate(run: Run, report: Report, tree: Tree | None, clock: _Clock, curve: Curve, progress: Progress) -> None:
    """Write a row of the curve if one is due."""
    begun = clock.elapsed()
    if begun < clock.evaluation_at:
        return
    of_net = of_average = None
    if tree is not None:
        of_net, found = tree.evaluate(run.net).nash_conv, tree.evaluate(run.average)
        of_average = found.nash_conv
        progress.note(of_average, found.unit)
    curve.add(report, begun, of_net, of_average)
    taken = clock.elapsed() - begun
    clock.evaluation_at = clock.elapsed() + max(_EVALUATION_SECONDS, _EVALUATION_SHARE * taken)


def _check_place(path: str) -> None:
    """Check that a file can be written there."""
    folder = os.path.dirname(path) or "."
    if not os.path.isdir(folder):
        raise CroupierError(f"cannot write {path}: there is no folder {folder}")
    if os.path.isdir(path):
        raise CroupierError(f"cannot write {path}: it is a folder")
    try:
        with open(f"{path}.part", "wb"):
            pass
        os.remove(f"{path}.part")
    except OSError as error:
        raise CroupierError(f"cannot write {path}: {error.strerror}") from error


def _check_kept(options: argparse.Namespace, given: dict[str, Any], kept: Any) -> None:
    """Check that options say what a checkpoint keeps."""
    for name, value in given.items():
        if (found := getattr(kept, name, value)) != value:
            raise CroupierError(f"{options.checkpoint} is a run with {_flag(name)} {_written(found)}: leave the option out, or name another file")


def _flag(name: str) -> str:
    """An option as it is written."""
    return "--" + name.replace("_", "-")


def _written(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _run(options: argparse.Namespace) -> Run:
    """The run of the checkpoint, or a new one."""
    game = _game(options.game)
    sampling = _given(options, ("hidden", "lanes", "steps", "learning_rate", "trace", "exploration"))
    if options.checkpoint and os.path.exists(options.checkpoint):
        run = _resumed(options.checkpoint)
        if run.game.sha256 != game.sha256:
            raise CroupierError(f"{options.checkpoint} is a run of {run.game.name}, not of {game.name}: name another file")
        if (run.algorithm.name, run.seed) != (options.algorithm or run.algorithm.name, options.seed):
            kind = f"{run.algorithm.name} with the seed {run.seed}"
            raise CroupierError(f"{options.checkpoint} is a run of {kind}: use the same options, or name another file")
        _check_kept(options, sampling | _given(options, ("last",)), run.settings)
        _check_kept(options, _given(options, ("temperature", "annealing", "revival", "entropy")), run.algorithm)
        return run
    smallest = _smallest_last(game)
    network: Network = options.network or "perceptron"
    last = next(number for number in (options.last, smallest, _LAST) if number is not None)
    if network != "perceptron" and options.last is None:
        # They read turn by turn.
        last = max(last, 1)
    if (options.algorithm or ("mmd" if smallest is None else "fit")) == "fit":
        fit = replace(Fit(), **_given(options, ("temperature", "annealing")))
        return FittedRun(game, fit, replace(FitSettings(last=last), **sampling), options.seed, options.device or "cpu", network)
    algorithm: Mmd | Ppo
    if options.algorithm != "ppo":
        algorithm = replace(Mmd(), **_given(options, ("temperature", "annealing", "revival")))
    else:
        algorithm = replace(Ppo(), **_given(options, ("entropy", "annealing")))
    return Run(game, algorithm, replace(Settings(last=last), **sampling), options.seed, options.device or "cpu", network)


def _resumed(path: str) -> Run:
    """The run of a checkpoint, whatever it learns by."""
    try:
        return FittedRun.load(path)
    except CroupierError:
        return Run.load(path)


def _check_device(name: str) -> None:
    """Check now that torch can compute there."""
    try:
        torch.zeros(1, device=name)
    except (RuntimeError, AssertionError) as error:
        raise CroupierError(f"cannot compute on {name}: {str(error).splitlines()[0]}") from error


def _given(options: argparse.Namespace, names: Sequence[str]) -> dict[str, Any]:
    """The given values of these options."""
    return {name: getattr(options, name) for name in names if getattr(options, name) is not None}


def _game(name: str) -> Game:
    if os.path.isfile(rules := os.path.join(name, "rules.gdl")):
        return load_file(rules)
    return load_file(name) if os.path.isfile(name) else load(name)


def _smallest_last(game: Game) -> int | None:
    """The smallest number of turns that distinguishes all information sets; None if they cannot be enumerated."""
    try:
        return smallest_last(game, histories_max=_HISTORIES_MAX)
    except CroupierError:
        return None


def _tree(run: Run, is_needed: bool) -> Tree | None:
    """The information sets of the game; None if there are too many, unless a table of them is requested."""
    try:
        return Tree(run.space, histories_max=_HISTORIES_MAX)
    except CroupierError as error:
        if is_needed:
            raise
        print(f"no exact exploitability: {error}", file=sys.stderr)
        return None


def _write(run: Run, tree: Tree | None, options: argparse.Namespace, clock: _Clock) -> None:
    if options.checkpoint:
        run.save(options.checkpoint)
    export(run.average, options.output)
    text = f"{options.output}: {run.game.name} after {run.updates} updates, {run.choices:,} choices, {clock.elapsed():.0f} s"
    if tree is not None:
        found = tree.evaluate(run.average)
        text += f"; NashConv {found.nash_conv:.4f} {found.unit}"
        if options.policy:
            tree.policy(run.average).save(options.policy)
    print(text)


if __name__ == "__main__":
    sys.exit(main())
