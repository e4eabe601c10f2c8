"""A notebook of the examples, migrated, trains in step on two workers; its broken twin doesn't."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from proof import Proof, verify

NOTEBOOK = Path(__file__).resolve().parents[2] / "examples" / "notebooks" / "line_tape.ipynb"
WRAPPED = "tape = hvd.DistributedGradientTape(tape)"


@pytest.fixture
def notebook(tmp_path: Path, distify: Any) -> Path:
    """A migrated copy."""
    copy = tmp_path / NOTEBOOK.name
    shutil.copy(NOTEBOOK, copy)
    done = distify("migrate", str(copy))
    assert done.returncode == 0, done.stdout + done.stderr
    return copy


def run(notebook: Path) -> Proof:
    proof = verify(notebook, notebook.parent, "--no-reference")
    assert proof.report["script"] == str(notebook)
    assert {each.name for each in notebook.parent.iterdir()} <= {notebook.name, "line"}
    return proof


def test_two_workers_train_in_step(notebook: Path) -> None:
    proof = run(notebook)
    assert not proof.convicted, str(proof)
    assert proof.code == 0, str(proof)
    assert proof.steps == [24, 24]
    assert {"averaging", "broadcast", "drift", "shards", "steps", "files"} <= proof.fine, str(proof)


@pytest.mark.slow
def test_what_is_wrong_is_told_by_cell_and_line(notebook: Path) -> None:
    text = notebook.read_text(encoding="utf-8")
    assert WRAPPED in text
    notebook.write_text(text.replace(WRAPPED, "pass"), encoding="utf-8")
    proof = run(notebook)
    assert "D201" in proof.convicted, str(proof)
    (where,) = [each["where"] for each in proof.of("convicted") if each["code"] == "D201"]
    assert where == {"path": str(notebook), "cell": 6, "line": 7}
