"""What a person reads where a program of sessions is refused: each reason, and what to do.

The words stand in `t06_texts.txt`, so that a change of one of them is seen for what it is.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from distify.codemods.migrate import migrate

from ..rewrites import test_d404_estimator as estimators
from . import test_t06_supervisor as supervisors
from . import test_t06_unfollowed_session as sessions

PROGRAMS = {
    **{name: sessions.edited(edits) for name, (_, edits) in sessions.REFUSED.items()},
    **{
        f"monitored: {name}": sessions.edited(edits)
        for name, (_, edits) in sessions.REFUSED_MONITORED.items()
    },
    **{
        f"supervisor: {name}": supervisors.HEAD + text
        for name, (text, _) in supervisors.REFUSED.items()
    },
    **{
        f"Estimator: {name}": estimators.edited(edits)
        for name, (edits, _) in estimators.REFUSED.items()
    },
    **{
        f"ready-made: {name}": estimators.ready(made)
        for name, (made, _) in estimators.UNREADY.items()
    },
}
TEXTS = Path(__file__).with_name("t06_texts.txt")


def told(name: str) -> list[str]:
    """The lines about one program, as the file has them."""
    lines = [f"{each.code} {each.message} | {each.fix}" for each in migrate(PROGRAMS[name]).blocked]
    return [name, *(f"    {line}" for line in lines)]


def stored() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in TEXTS.read_text("utf-8").splitlines():
        if not line.startswith(" "):
            found[line] = []
        found[line if line in found else list(found)[-1]].append(line)
    return found


def test_the_file_holds_every_program() -> None:
    assert list(stored()) == list(PROGRAMS)
    assert all(len(lines) > 1 for lines in stored().values())


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_words_are_those_of_the_file(name: str) -> None:
    assert told(name) == stored()[name]
