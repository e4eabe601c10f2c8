"""`distify race` on real programs: all that are planted in one process, all sound ones in another.

What each program does when it is run often stands in tests/assistant/verify/model/test_raced.py.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from proof import BIN, PATIENCE

HERE = Path(__file__).parent / "raced"
RACE = re.compile(r"Race: (?:none|(M\d\d) (\w+))")


def race(program: Path, *arguments: str, option: str = "") -> dict[str, Any]:
    """The report for programs."""
    command = [str(BIN / "distify"), "race", str(program), "--python", sys.executable]
    patience = ["--timeout", str(60 * PATIENCE), "--format", "json"]
    command += [option] if option else []
    done = subprocess.run(
        [*command, *patience, "--", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=300 * PATIENCE,
    )
    assert done.stdout, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    assert found["exit_code"] == done.returncode
    assert found["unmodelled"] == [], done.stderr
    return found


def said(program: Path) -> set[tuple[str, str]]:
    """What a program says of itself."""
    found = RACE.search(program.read_text(encoding="utf-8"))
    assert found is not None
    return {(found[1], found[2])} if found[1] else set()


@pytest.mark.slow
def test_each_planted_race_is_found() -> None:
    found = race(HERE / "together.py", "planted")
    assert found["verdict"] == "races"
    told: dict[str, set[tuple[str, str]]] = {}
    for fault in found["faults"]:
        mine = told.setdefault(fault["where"]["path"], set())
        mine |= {(fault["code"], name) for name in fault["names"]}
    programs = sorted((HERE / "planted").glob("*.py"))
    assert len(programs) >= 12
    assert sorted(told) == [f"planted/{path.name}" for path in programs]
    for path in programs:
        mutexes = {("M05", "b")} if "mutexes" in path.name else set()  # either of the two
        assert told[f"planted/{path.name}"] & (said(path) | mutexes), path


@pytest.mark.slow
def test_no_sound_program_has_one_nor_gets_one_from_grappler_or_clusters() -> None:
    found = race(HERE / "together.py", "sound", option="--xla")
    assert len(list((HERE / "sound").glob("*.py"))) >= 12
    assert (found["verdict"], found["faults"]) == ("no race", [])
    assert found["graphs"] == found["rewritten"] > 30
    assert found["by_ends"] >= found["rewritten"] - 3  # of three a loop touches a variable
    assert found["clustered"] > 10


@pytest.mark.slow
@pytest.mark.parametrize("name", ["lock_free", "with_a_lock", "as_meant"])
def test_threads_that_share_a_session(name: str) -> None:
    program = HERE / "threads" / f"{name}.py"
    found = race(program)
    told = {(fault["code"], each) for fault in found["faults"] for each in fault["names"]}
    assert told == said(program)
    assert bool(found["meant"]) == (name == "as_meant")
