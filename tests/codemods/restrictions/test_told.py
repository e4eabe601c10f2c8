"""One reason for each cause: what is told of several findings, and what can wait."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import NOTE, Finding
from distify.codemods.restrictions._one_per_cause import one_finding_per_cause

HEAD = """\
import numpy as np
import tensorflow as tf
from other import make

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
"""


def test_the_finding_that_is_nearest_to_a_cause_speaks_for_it() -> None:
    near = Finding(3, 0, "R08", "near", reaches=5, cause="c")
    far = Finding(3, 0, "G01", "far", reaches=9, cause="c")
    assert one_finding_per_cause([far, near]) == (near,)
    assert one_finding_per_cause([near, far._replace(cause="d")]) == tuple(
        sorted([near, far._replace(cause="d")])
    )


def test_blockers_without_a_cause_are_all_told() -> None:
    here = [Finding(3, 0, code, code) for code in ("G01", "R05")]
    assert one_finding_per_cause(here) == tuple(here)


def test_notes_about_one_place_are_one() -> None:
    notes = [Finding(3, 0, code, code, severity=NOTE) for code in ("K04", "D107")]
    assert [note.code for note in one_finding_per_cause(notes)] == ["D107"]


def test_a_note_stands_beside_a_blocker_of_its_place() -> None:
    both = (Finding(3, 0, "K04", "a"), Finding(3, 0, "D107", "b", severity=NOTE))
    assert set(one_finding_per_cause(both)) == set(both)


def test_what_a_person_should_know_whatever_blocks_the_file() -> None:
    rate = "model.compile(tf.keras.optimizers.Adam(lr=0.1))\n"
    text = HEAD + rate + "model.compile(make())\nmodel.fit(np.load('x'))\n"
    migration = migrate(text)
    assert [finding.code for finding in migration.blocked] == ["R05"]
    assert [note.code for note in migration.notes if note.stands] == ["L01"]


LOAD = (
    "config = tfds.ReadConfig()\n"
    "ds = tfds.load('a', shuffle_files=True, read_config=config, split='train').batch(8)\n"
)
CHAIN = """\
ds = (
    tf.data.Dataset.range(100)
    .shuffle(100)
    .take(50).filter(bool)
    .batch(8)
)
"""


@pytest.mark.parametrize(
    ("data", "code", "line", "what"),
    [
        ("import tensorflow_datasets as tfds\n" + LOAD, "D107", 8, "shuffle_files=True"),
        (CHAIN, "K04", 8, "shuffle(100)"),
    ],
)
def test_the_caret_stands_at_what_differs(data: str, code: str, line: int, what: str) -> None:
    text = HEAD + data + "model.compile('sgd')\n\nmodel.fit(ds)\n"
    migration = migrate(text)
    (found,) = [each for each in migration.blocked or migration.notes if each.code == code]
    fit = text.splitlines().index("model.fit(ds)") + 1
    assert (found.line, found.reaches) == (line, fit)
    assert text.splitlines()[found.line - 1][found.column :].startswith(what)
    assert found.message.endswith(f"; it reaches `fit` in line {fit}")
