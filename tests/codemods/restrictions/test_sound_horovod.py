"""Programs with Horovod by hand, in the forms of its own examples and of public code: all are right.

https://github.com/horovod/horovod/tree/v0.28.1/examples; written anew, shorter, with the same forms.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import ALREADY_HOROVOD, WARNING

PROGRAMS = sorted((Path(__file__).resolve().parents[2] / "data" / "horovod").glob("*.py"))
# What is missing in these, and is completed: the example leaves it out, too.
COMPLETED = {
    "helper_modules": {"D205"},  # a wait that is not needed: what is read nobody writes
    "keras_imagenet_tf1": {"D104"},  # `lr=`, which Keras ignores since TensorFlow 2.11
    "keras_mnist_advanced": {"D104", "D203", "D207", "D302"},
    "tape_benchmark": {"D104"},
}
WARNED = {"range_by_rank": {"H19"}}


@pytest.mark.parametrize("program", PROGRAMS, ids=[path.stem for path in PROGRAMS])
def test_nothing_is_an_error_in_a_program_that_is_right(program: Path) -> None:
    migration = migrate(program.read_text(encoding="utf-8"))
    assert migration.blocked == ()
    warnings = {note.code for note in migration.notes if note.severity == WARNING}
    assert warnings == set() or warnings == WARNED.get(program.stem)
    assert {step.code for step in migration.steps} == COMPLETED.get(program.stem, set())
    assert (migration.skipped == ALREADY_HOROVOD) is (program.stem not in COMPLETED)


def test_there_are_many_of_them() -> None:
    assert len(PROGRAMS) >= 30
