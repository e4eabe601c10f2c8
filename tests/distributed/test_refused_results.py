"""Results that the judge refuses break on two workers, and what it lets pass trains in step.

A program of `refused_results/` names the obligation in its docstring; beside it stands a result
that a rule might have written (`_bad`), which no older check convicts. What is wrong with it
`verify` says, or an assertion at its end of what its user expects. Where the program itself is
refused, a look-alike that is written may stand beside it (`_ok`).
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from proof import Proof, verify

from distify.codemods.facts import Facts
from distify.codemods.facts.questions import QUESTIONS
from distify.codemods.gate import judging
from distify.codemods.judge.case import Case
from distify.codemods.judge.judge import judge
from distify.codemods.judge.known import OBLIGATION_OF, findings
from distify.codemods.migrate import migrate
from distify.codemods.model import Options

FOLDER = Path(__file__).parent / "refused_results"
NAMES = sorted(path.stem for path in FOLDER.glob("*.py"))
PROGRAMS = [name for name in NAMES if not name.endswith(("_bad", "_ok"))]
ALIKE = [name for name in NAMES if name.endswith("_ok")]
OBLIGATION = re.compile(r"Obligation: (\w+)\.")
QUICK = ("closed_file", "class_of_rank_0", "two_networks", "clipped_before")
ALONE = "One process fails in the same way"  # not by what keeps the workers apart


def obligation(name: str) -> str:
    """The obligation that the bad result of a program doesn't keep."""
    found = OBLIGATION.search((FOLDER / f"{name}.py").read_text("utf-8"))
    assert found
    return found[1]


def case_of(name: str) -> Case:
    """The bad result of a program, to be judged beside the program."""
    before, after = ((FOLDER / f"{each}.py").read_text("utf-8") for each in (name, f"{name}_bad"))
    return Case(
        {"a.py": after}, {"a.py": before}, "a.py", Options(), QUESTIONS,
        lambda: Facts.of(after, Options(), "a.py"),
    )  # fmt: skip


def marked(name: str) -> object:
    """The gate runs a few of them."""
    return pytest.param(name, marks=() if name in QUICK else pytest.mark.slow)


def run(text: str, name: str, folder: Path) -> Proof:
    """What two workers make of a text."""
    (folder / f"{name}.py").write_text(text, "utf-8")
    return verify(folder / f"{name}.py", folder)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_bad_result_is_refused(name: str) -> None:
    assert obligation(name) in {p.obligation for p in judge(case_of(name)) if not p.holds}


@pytest.mark.parametrize("name", PROGRAMS)
def test_no_older_check_says_it(name: str) -> None:
    """T07, K04 and H12 ask the judge's own search, and tell what that finds."""
    codes = {found.code for found in findings(case_of(name))} - {"T07", "K04", "H12"}
    assert obligation(name) not in {OBLIGATION_OF.get(code, "settled") for code in codes}


@pytest.mark.parametrize("name", list(map(marked, PROGRAMS)))
def test_it_breaks_on_two_workers(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of what isn't settled, that which a second run makes of it does, were it written."""
    text = (FOLDER / f"{name}_bad.py").read_text("utf-8")
    if obligation(name) == "settled":
        monkeypatch.setattr(judging, "judge", lambda case: [])
        again = migrate(text, Options(), f"{name}.py").after
        assert again != text
        text = again
    proof = run(text, name, tmp_path)
    assert proof.code != 0, str(proof)
    if obligation(name) not in ("same", "bound"):  # by these one process may break, too
        assert ALONE not in str(proof)


@pytest.mark.parametrize("name", list(map(marked, PROGRAMS)))
def test_what_is_written_instead_is_in_step(name: str, tmp_path: Path) -> None:
    """Or nothing is written."""
    text = (FOLDER / f"{name}.py").read_text("utf-8")
    seen = migrate(text, Options(), f"{name}.py")
    if seen.blocked:
        assert not seen.steps
        return
    check_step(run(seen.after, name, tmp_path))


@pytest.mark.parametrize("name", list(map(marked, ALIKE)))
def test_a_look_alike_is_written_and_in_step(name: str, tmp_path: Path) -> None:
    text = (FOLDER / f"{name}.py").read_text("utf-8")
    seen = migrate(text, Options(), f"{name}.py")
    assert not seen.blocked
    assert "hvd.init()" in seen.after
    check_step(run(seen.after, name, tmp_path))


def check_step(proof: Proof) -> None:
    """Nothing is found, and nothing stays open."""
    assert not proof.convicted, str(proof)
    assert proof.code == 0, str(proof)
