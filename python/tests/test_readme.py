"""The README's examples run, one after the other."""

from __future__ import annotations

import importlib
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

README = Path(__file__).parent.parent / "README.md"


def test_the_examples_run_as_they_are_written(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("gymnasium")
    pytest.importorskip("pettingzoo")
    examples = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert len(examples) == 7
    names: dict[str, object] = {}
    for example in examples:
        if "pip install './python[r" in example and not (find_spec("ray") and find_spec("torch")):
            # Ray and torch take gigabytes, so not everybody who tests has them.
            continue
        exec(example, names)
    if find_spec("ray"):
        importlib.import_module("ray").shutdown()
    assert "chips" in capsys.readouterr().out
