"""Programs that are Horovod by half: convicted as they are, in step once they are completed.

A program of `half/` names in its docstring what convicts it, and the rules that complete it.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from proof import crime
from test_hazards import check_acquitted, check_convicted, quickly

HALVES = sorted((Path(__file__).parent / "half").glob("*.py"))
MISSING = re.compile(r"^Missing: (.+)\.$", re.MULTILINE)
each_half = pytest.mark.parametrize("program", HALVES, ids=lambda path: path.stem)
# Those that are run: the gate takes one of `fit` and one of a tape.
RUN = [
    path
    if path.stem in ("fit_plain", "tape_without_average")
    else pytest.param(path, marks=pytest.mark.slow)
    for path in HALVES
]
each_run = pytest.mark.parametrize("program", RUN, ids=[path.stem for path in HALVES])


@each_run
def test_half_a_program_is_convicted(program: Path, tmp_path: Path) -> None:
    check_convicted(quickly(program, tmp_path, crime(program)), program)


@each_half
def test_check_names_what_is_missing(program: Path, distify: Any) -> None:
    done = distify("check", "--format", "json", str(program))
    assert done.returncode == 1
    notes = json.loads(done.stdout)["files"][0]["notes"]
    named = [n["fix"].partition("(")[2][:4] for n in notes if n["code"] == "P02"]
    found = MISSING.search(program.read_text(encoding="utf-8"))
    assert found
    assert sorted(named) == found[1].split()


@each_run
def test_what_migrate_completes_is_in_step(program: Path, migrate: Any, tmp_path: Path) -> None:
    check_acquitted(quickly(migrate(program), tmp_path, crime(program)))


@each_half
def test_a_second_run_finds_nothing(program: Path, migrate: Any, distify: Any) -> None:
    done = distify("check", "--format", "json", str(migrate(program)))
    assert done.returncode == 0, done.stdout
    assert json.loads(done.stdout)["files"][0]["reason"] == "already Horovod"
