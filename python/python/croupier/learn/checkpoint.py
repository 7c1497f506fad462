"""Files that are replaced as a whole, and the state of runs in them."""

from __future__ import annotations

import os
import pickle
from typing import Any

from ..errors import CroupierError


def write_whole(path: str | os.PathLike[str], contents: bytes) -> None:
    """Write a file. One that is there is replaced once the new one is complete."""
    place = os.fspath(path)
    with open(f"{place}.part", "wb") as file:
        file.write(contents)
    os.replace(f"{place}.part", place)


def save_state(path: str | os.PathLike[str], version: str, state: dict[str, Any]) -> None:
    """Write the state of a run as a checkpoint of this version, as `write_whole` does."""
    write_whole(path, pickle.dumps(state | {"format": version}, protocol=5))


def load_state(path: str | os.PathLike[str], version: str, writer: str) -> dict[str, Any]:
    """The state in a checkpoint that `writer`, such as `Run.save`, wrote. It is a pickle, which can run code: load only files that you trust.

    Raises
    ------
    CroupierError
        If the file is not a checkpoint, or of another version.
    OSError
        If it cannot be read.
    """
    with open(path, "rb") as file:
        try:
            state: Any = pickle.load(file)
        except (pickle.UnpicklingError, EOFError, AttributeError, ImportError, IndexError, ValueError) as error:
            raise CroupierError(f"{os.fspath(path)} is not a checkpoint, or is damaged: {error}") from error
    if not isinstance(state, dict) or "format" not in state:
        raise CroupierError(f"{os.fspath(path)} is not a checkpoint of croupier.learn; `{writer}` writes one")
    if (found := state.pop("format")) != version:
        raise CroupierError(
            f"{os.fspath(path)} is a checkpoint of another kind of run, or of another version ({found}, not {version}); `{writer}` writes one"
        )
    return state
