"""The notebooks run from their first cell to their last, and are kept without what they print."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

#: Parameters that shorten a notebook; without somebody who plays in a browser, a program does.
SHORTER = {"rules-to-seat": "MATCHES, TRIED, HANDS, PERSON = 64, 10, 1, False"}
#: What notebooks need beside the kernel: modules, and the command line.
NEEDED = {"rules-to-seat": (["torch", "onnx"], True), "train": (["torch", "onnx"], False)}

NOTEBOOKS = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))


def test_there_are_notebooks() -> None:
    assert len(NOTEBOOKS) >= 2


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_kept_without_outputs(path: Path) -> None:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert len(code) > 3
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run(path: Path, tmp_path: Path) -> None:
    nbformat = pytest.importorskip("nbformat", reason="notebooks need nbclient: pip install nbclient ipykernel")
    nbclient = pytest.importorskip("nbclient", reason="notebooks need nbclient: pip install nbclient ipykernel")
    pytest.importorskip("ipykernel", reason="notebooks need a kernel: pip install ipykernel")
    modules, command = NEEDED.get(path.stem, ([], False))
    for module in modules:
        pytest.importorskip(module, reason=f"the notebook learns: pip install {module}")
    if command and "CROUPIER" not in os.environ:
        pytest.skip("set CROUPIER to the path of the command line")
    book = nbformat.read(path, as_version=4)
    for cell in book.cells:
        if "parameters" in cell.metadata.get("tags", []):
            cell.source += f"\n{SHORTER[path.stem]}"
    nbclient.NotebookClient(book, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    printed = [output for cell in book.cells for output in cell.get("outputs", [])]
    assert printed and not any(output.get("name") == "stderr" for output in printed)
    assert len(json.dumps(printed)) < 100_000, "outputs are small enough to read"
