"""`distify verify --as 64`: what two workers never see, on four that stand in for 64."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from proof import Proof, verify

PROGRAM = Path(__file__).parent / "probed" / "many_ranks.py"


def run(folder: Path, form: str, *options: str) -> Proof:
    program = folder / "train.py"
    program.write_text(PROGRAM.read_text(encoding="utf-8").replace("sys.argv[1]", repr(form)))
    return verify(program, folder, "--no-reference", *options, workers=0)


@pytest.mark.parametrize(("form", "code"), [("uneven", "D107"), ("few", "H02")])
def test_what_goes_wrong_with_64_workers_only(form: str, code: str, tmp_path: Path) -> None:
    found = run(tmp_path, form, "--as", "64")
    assert found.convicted == {code}, str(found)
    assert found.report["as"] == {"size": 64, "ranks": [0, 1, 32, 63]}


def test_what_goes_well_with_64_workers(tmp_path: Path) -> None:
    """The number of steps is agreed upon, by an operation that needs the others' answers."""
    found = run(tmp_path, "least", "--as", "64", "--model", "--limit-steps", "0")
    assert not found.convicted, str(found)
    assert {"drift", "steps", "collectives", "shards"} <= found.fine, str(found)
    assert found.report["model"]["verdict"] == "safe", json.dumps(found.report["model"])
