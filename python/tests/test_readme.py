"""The README's examples run, one after the other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

README = Path(__file__).parent.parent / "README.md"


def test_the_examples_run_as_they_are_written(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("gymnasium")
    pytest.importorskip("pettingzoo")
    examples = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert len(examples) == 3
    names: dict[str, object] = {}
    for example in examples:
        exec(example, names)
    assert "chips" in capsys.readouterr().out
