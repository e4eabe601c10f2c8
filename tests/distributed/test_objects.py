"""Each of several models with its optimizer starts as worker 0's does, on two workers (D202)."""

from __future__ import annotations

from pathlib import Path

import pytest
from proof import verify

from distify.codemods.migrate import migrate
from one_or_several import HEAD, PROGRAMS

QUICK = "a list of steps"  # in graphs, by a factory; whoever changes D202 runs all of them


@pytest.mark.parametrize(
    "name", [n if n == QUICK else pytest.param(n, marks=pytest.mark.slow) for n in PROGRAMS]
)
def test_the_workers_are_in_step(name: str, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(migrate(HEAD + PROGRAMS[name][0]).after, "utf-8")
    proof = verify(program, tmp_path)
    assert proof.code == 0, str(proof)
    assert "drift" in proof.fine, str(proof)
