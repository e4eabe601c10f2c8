"""Programs of the wild, one a kind of fault or of a needless refusal: what becomes of each.

`tests/data/cases`: `single` and `keras3` come out wrong from rules that only know forms (`keras3` for
TensorFlow 2.20), `refused` were refused without need, and of `horovod`, which people wrote by hand,
those with `_bad` hang, fail or drift apart, and the others are sound.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Migration, Options

HERE = Path(__file__).parents[2] / "data" / "cases"
TABLE = HERE / "table.txt"
KERAS_3 = Options(tensorflow=(2, 20))
TELLING = "HJKT"  # the codes of what is wrong with a program as it is


def rows() -> Iterator[tuple[str, str]]:
    """Each program with what becomes of it."""
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        name, _, outcome = line.partition(" | ")
        if outcome:
            yield name, outcome


ROWS = dict(rows())


def outcome(seen: Migration) -> str:
    """What became of a program, in a line: its rules, or its findings with their lines."""
    blocked = dict.fromkeys(f"{each.code}:{each.line}" for each in seen.blocked)
    if blocked:
        return "refused: " + " ".join(blocked)
    if not seen.skipped:
        return "migrated: " + " ".join(step.code for step in seen.steps)
    notes = (note for note in seen.notes if note.code[0] in TELLING)
    named = dict.fromkeys(f"{note.code}:{note.line}" for note in notes)
    return ": ".join(filter(None, (seen.skipped, " ".join(named))))


@pytest.mark.parametrize("group", ["single", "horovod", "keras3", "refused"])
def test_programs_come_out_as_the_table_says(group: str) -> None:
    rows = {name: row for name, row in ROWS.items() if name.startswith(f"{group}/")}
    assert len(rows) > 10
    assert {name: become(name) for name in rows} == rows


def become(name: str) -> str:
    text = (HERE / f"{name}.py").read_text(encoding="utf-8")
    return outcome(migrate(text, KERAS_3 if "keras3" in name else Options(), name))


def test_each_program_has_its_row() -> None:
    assert set(ROWS) == {str(p.relative_to(HERE).with_suffix("")) for p in HERE.rglob("*.py")}


def test_what_is_bad_is_named_and_what_is_sound_is_left_alone() -> None:
    by_hand = {name: row for name, row in ROWS.items() if name.startswith("horovod/")}
    bad = {name for name in by_hand if name.endswith("_bad")}
    named = {name for name, row in by_hand.items() if ":" in row and "migrated" not in row}
    assert len(bad) > 10
    assert named == bad
