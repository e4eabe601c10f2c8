"""What is named to be tried next, once files are written."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from distify.assistant.report.summary import Arguments, next_step
from distify.codemods.model import Due, Migration

PROVE = "Prove it:  distify verify train.py -np 2"
JOB = "Train:     horovodrun -np 2 python train.py"
ALONE = "Train:     python train.py"


def said(after: bytes, *codes: str) -> list[str]:
    """The lines for one file, rewritten by these rules."""
    migration = Migration("", "Keras", unmade=tuple(Due(code, ()) for code in codes))
    outcome: Any = SimpleNamespace(name="train.py", changed=True, migration=migration, after=after)
    lines = next_step([outcome], Arguments((), ()), written=True)
    return [text for text in ("".join(span.text for span in line) for line in lines) if text]


@pytest.mark.parametrize(
    ("after", "codes", "lines"),
    [
        (b"import horovod", ("D101",), [PROVE, JOB]),
        (b"import horovod", ("D101", "D501"), [PROVE, JOB]),
        (b"import horovod", ("D501",), [PROVE, JOB]),
        (b"import tensorflow", ("D501",), [ALONE]),
    ],
)
def test_a_program_without_workers_is_trained_by_python(
    after: bytes, codes: tuple[str, ...], lines: list[str]
) -> None:
    assert said(after, *codes) == lines
