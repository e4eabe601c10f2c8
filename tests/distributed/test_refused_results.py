"""Results that the judge refuses break on two workers, and what it lets pass trains in step.

A program of `refused_results/` names the obligation in its docstring; beside it stands a result
that a rule might have written (`_bad`), which no older check convicts.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from proof import verify

from distify.codemods.facts import Facts
from distify.codemods.facts.questions import QUESTIONS
from distify.codemods.judge.case import Case
from distify.codemods.judge.judge import judge
from distify.codemods.migrate import migrate
from distify.codemods.model import Options

FOLDER = Path(__file__).parent / "refused_results"
PROGRAMS = sorted(path.stem for path in FOLDER.glob("*.py") if not path.stem.endswith("_bad"))
OBLIGATION = re.compile(r"Obligation: (\w+)\.")
QUICK = ("closed_file", "class_of_rank_0")


def obligation(name: str) -> str:
    """The obligation that the bad result of a program doesn't keep."""
    found = OBLIGATION.search((FOLDER / f"{name}.py").read_text("utf-8"))
    assert found
    return found[1]


def unproved(before: str, after: str) -> set[str]:
    """The obligations that aren't proved of a result."""
    case = Case(
        {"a.py": after}, {"a.py": before}, "a.py", Options(), QUESTIONS,
        lambda: Facts.of(after, Options(), "a.py"),
    )  # fmt: skip
    return {proof.obligation for proof in judge(case) if not proof.holds}


def marked(name: str) -> object:
    """The gate runs a few of them."""
    return pytest.param(name, marks=() if name in QUICK else pytest.mark.slow)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_bad_result_is_refused(name: str) -> None:
    before, bad = ((FOLDER / f"{each}.py").read_text("utf-8") for each in (name, f"{name}_bad"))
    assert obligation(name) in unproved(before, bad)


@pytest.mark.parametrize("name", list(map(marked, PROGRAMS)))
def test_it_breaks_on_two_workers(name: str, tmp_path: Path) -> None:
    shutil.copy(FOLDER / f"{name}_bad.py", tmp_path)
    proof = verify(tmp_path / f"{name}_bad.py", tmp_path)
    assert proof.code != 0, str(proof)


@pytest.mark.parametrize("name", list(map(marked, PROGRAMS)))
def test_what_is_written_instead_is_in_step(name: str, tmp_path: Path) -> None:
    """Or nothing is written."""
    text = (FOLDER / f"{name}.py").read_text("utf-8")
    seen = migrate(text, Options(), f"{name}.py")
    if seen.blocked:
        assert not seen.steps
        return
    (tmp_path / f"{name}.py").write_text(seen.after, "utf-8")
    proof = verify(tmp_path / f"{name}.py", tmp_path)
    assert not proof.convicted, str(proof)
    assert proof.code == 0, str(proof)
