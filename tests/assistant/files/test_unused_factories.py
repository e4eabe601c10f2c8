"""Factories of the settings that no file has a word of are told; nothing is said of the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..conftest import Call

SETTINGS = '[tool.distify]\nmodels = ["zoo.build", "zoo.bulid_two"]\ndatasets = ["zoo.load"]\n'
TOLD = "[tool.distify] models names 'zoo.bulid_two', of which no file here has a word"


@pytest.mark.parametrize(("word", "is_told"), [(".", True), ("train.py", False), ("src", False)])
def test_a_name_in_vain_is_told_where_all_was_looked_through(
    call: Call, here: Path, word: str, is_told: bool
) -> None:
    (here / "pyproject.toml").write_text(SETTINGS, "utf-8")
    (here / "src").mkdir()
    (here / "src" / "helper.py").write_text("from zoo import load\n", "utf-8")
    (here / "train.py").write_text("from zoo import build as make\n", "utf-8")
    said = call("check", word)
    told = [line for line in (said.stdout + said.stderr).splitlines() if "names 'zoo." in line]
    assert [TOLD in line for line in told] == ([True] if is_told else [])
