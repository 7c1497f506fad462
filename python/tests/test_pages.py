"""The pages for those who come from elsewhere: each example runs, ours here and theirs where their package is installed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent.parent / "docs"

#: By page, what its examples need: ours, and theirs.
PAGES = {
    "from-openspiel": (["pyspiel"], "OpenSpiel", ["pyspiel"]),
    "from-pettingzoo": (["pettingzoo"], "PettingZoo", ["pettingzoo.classic", "rlcard", "pygame"]),
    "from-rlcard": ([], "RLCard", ["rlcard"]),
}


def examples(page: str) -> dict[str, list[str]]:
    """The code of a page, by the first line, which says whose it is."""
    found: dict[str, list[str]] = {}
    for example in re.findall(r"```python\n(.*?)```", (DOCS / f"{page}.md").read_text(encoding="utf-8"), re.DOTALL):
        found.setdefault(example.splitlines()[0].removeprefix("# "), []).append(example)
    return found


@pytest.mark.parametrize("page", PAGES)
def test_examples_are_ours_or_theirs(page: str) -> None:
    found = examples(page)
    assert found.keys() == {"Croupier", PAGES[page][1]} and len(found["Croupier"]) >= 3


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("whose", ["ours", "theirs"])
def test_examples_run(page: str, whose: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needed_by_ours, name, needed_by_theirs = PAGES[page]
    for module in needed_by_ours if whose == "ours" else needed_by_theirs:
        pytest.importorskip(module, reason=f"examples of {name} need {module}")
    monkeypatch.chdir(tmp_path)
    for example in examples(page)["Croupier" if whose == "ours" else name]:
        exec(compile(example, f"{page}.md", "exec"), {"__name__": "__main__"})


def test_links_of_pages_lead_somewhere() -> None:
    for page in [*PAGES, "training"]:
        text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#:]+)\)", text):
            assert (DOCS / target).exists(), f"{page}.md: {target}"
