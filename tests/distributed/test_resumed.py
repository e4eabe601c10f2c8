"""A run that resumes is judged by its second run: the first one looks sound in any form."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from proof import crime, verify

HERE = Path(__file__).parent / "resumed"
BROKEN = HERE / "plain_optimizer.py"
RESUMED = ("--resume", "--no-reference")


def test_the_published_form_is_convicted_in_its_second_run(tmp_path: Path) -> None:
    proof = verify(BROKEN, tmp_path, *RESUMED)
    second = proof.report["second_run"]
    assert proof.code == 1, str(proof)
    assert not proof.convicted, str(proof)
    found = [each for each in second["verdicts"] if each["grade"] == "convicted"]
    assert crime(BROKEN) in {each["code"] for each in found}, second
    assert all(each["title"].startswith("second run: ") for each in found)


def test_ours_is_in_step_in_both(tmp_path: Path, migrate: Any) -> None:
    proof = verify(migrate(HERE / "single" / BROKEN.name), tmp_path, *RESUMED)
    assert proof.code == 0, str(proof) + str(proof.report.get("second_run"))
    assert proof.report["second_run"]["verdict"] == "in step"
