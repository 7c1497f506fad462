"""Ctrl-C as a wish to stop, instead of an end in the middle of an update."""

from __future__ import annotations

import signal
import sys
import threading
from types import FrameType, TracebackType
from typing import Any, Self


class Stop:
    """While it is entered, the first Ctrl-C is noted, for who looks between two updates; the next interrupts as usual.

    Attributes
    ----------
    wanted : bool
        Whether there was one.
    """

    def __init__(self) -> None:
        self.wanted = False
        self._before: Any = None

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.wanted:
            raise KeyboardInterrupt
        self.wanted = True
        print("stopping after this update; Ctrl-C again stops at once", file=sys.stderr, flush=True)

    def __enter__(self) -> Self:
        # Only the main thread may say what a signal does, and only it is interrupted.
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
