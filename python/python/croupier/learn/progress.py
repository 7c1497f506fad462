"""Progress reports of a run: a bar or lines on standard error, a curve file, and TensorBoard."""

from __future__ import annotations

import csv
import os
import sys
import time
from types import TracebackType
from typing import Any, Self

from .run import Report

#: Seconds between two lines where there is no bar.
_LINE_SECONDS = 10.0

#: The columns of a curve.
COLUMNS = ("update", "choices", "seconds", "cpu_seconds", "nash_conv", "nash_conv_of_average", "entropy", "policy_loss", "value_loss")


class Progress:
    """Shows the progress of a run: with tqdm if it is installed and standard error is a terminal, otherwise with a line now and then.

    Parameters
    ----------
    total : float
        The total amount of work.
    unit : str
        The unit of work.
    """

    def __init__(self, total: float, unit: str) -> None:
        self._total, self._unit, self._note = total, unit, ""
        self._line_at = 0.0
        self._bar: Any = None
        if sys.stderr.isatty():
            try:
                from tqdm import tqdm
            except ImportError:
                return
            self._bar = tqdm(total=round(total), unit=unit, bar_format="{percentage:3.0f}% {bar} {n:.0f}/{total} {unit}{postfix}")

    def show(self, report: Report, done: float) -> None:
        """Record an update, and the work done so far."""
        self.say(f"update {report.update}, {report.choices:,} choices, entropy {report.entropy:.3f}{self._note}", done)

    def say(self, text: str, done: float) -> None:
        """Record the work done so far, and what there is to say of it."""
        if self._bar is not None:
            self._bar.n = min(done, self._total)
            self._bar.set_postfix_str(text)
        elif time.monotonic() >= self._line_at:
            print(f"{done:.0f}/{self._total:.0f} {self._unit}: {text}", file=sys.stderr, flush=True)
            self._line_at = time.monotonic() + _LINE_SECONDS

    def note(self, nash_conv: float, unit: str) -> None:
        """NashConv of the average network was computed."""
        self._note = f", NashConv {nash_conv:.4f} {unit}"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.close()


class Curve:
    """Rows of numbers in a CSV file, each written as soon as it is known, and in TensorBoard if a folder is given.

    Parameters
    ----------
    path : str or os.PathLike, optional
        The file; rows are appended to it if `goes_on`.
    folder : str or os.PathLike, optional
        The log directory of TensorBoard; needs the package `tensorboard`.
    goes_on : bool
        Whether the run resumes from a checkpoint.
    """

    def __init__(
        self, path: str | os.PathLike[str] | None, folder: str | os.PathLike[str] | None, *, goes_on: bool
    ) -> None:
        self._board = _board(folder) if folder is not None else None
        self._file = None
        self._before = (0.0, 0.0)
        if path is not None:
            has_rows = goes_on and os.path.exists(path) and os.path.getsize(path) > 0
            if has_rows:
                self._before = _last_times(path)
            self._file = open(path, "a" if has_rows else "w", newline="", encoding="utf-8")
            self._rows = csv.writer(self._file)
            if not has_rows:
                self._write(COLUMNS)

    def add(self, report: Report, seconds: float, of_net: float | None, of_average: float | None) -> None:
        """Write one row, with NashConv of the network and of the average of its weights if they are known.

        Seconds are since the command started; CPU seconds are those of this process, over all its threads. Both go on where the rows before end.
        """
        before, cpu_before = self._before
        numbers: dict[str, float | int | None] = {
            "update": report.update, "choices": report.choices, "seconds": round(before + seconds, 1),
            "cpu_seconds": round(cpu_before + time.process_time(), 1), "nash_conv": of_net, "nash_conv_of_average": of_average, "entropy": report.entropy,
            "policy_loss": report.policy_loss, "value_loss": report.value_loss,
        }  # fmt: skip
        if self._file is not None:
            shown = (numbers[column] for column in COLUMNS)
            self._write(f"{number:.6g}" if isinstance(number, float) else number for number in shown)
        if self._board is not None:
            for name, number in numbers.items():
                if number is not None and name != "update":
                    self._board.add_scalar(name, number, report.update)

    def _write(self, row: Any) -> None:
        assert self._file is not None
        self._rows.writerow(row)
        self._file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()
        if self._board is not None:
            self._board.close()


def _last_times(path: str | os.PathLike[str]) -> tuple[float, float]:
    """The seconds and CPU seconds of the last row of a curve; none if it has no such row."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    try:
        return float(rows[-1]["seconds"]), float(rows[-1]["cpu_seconds"])
    except (IndexError, KeyError, TypeError, ValueError):
        return 0.0, 0.0


def _board(folder: str | os.PathLike[str]) -> Any:
    from ..errors import CroupierError

    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError as missing:
        raise CroupierError("TensorBoard is missing: pip install tensorboard") from missing
    return SummaryWriter(os.fspath(folder))
