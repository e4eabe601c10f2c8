"""The page on precision says what is found today, and nothing in it is wrong or unjudged."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from bench import precision

from distify.codemods.model import NOTE

PAGE = Path(__file__).resolve().parents[1] / "docs" / "precision.md"


def hazards(lines: Iterable[str]) -> set[str]:
    """The rows of the table about hazards of Horovod's that a person has written."""
    return {line for line in lines if re.search(r"\| H\d\d \|", line)}


@pytest.mark.slow
def test_the_hazards_on_the_page_are_found() -> None:
    """Renew it by `python bench/precision.py > docs/precision.md`."""
    written = hazards(PAGE.read_text(encoding="utf-8").splitlines())
    assert len(written) > 20
    assert written <= hazards(precision.page())


def test_no_error_and_no_warning_is_a_false_alarm() -> None:
    rows = list(precision.rows())
    assert len(rows) > 150
    assert {r.verdict for r in rows if precision.HAZARD.fullmatch(r.finding.code)} == {
        precision.RIGHT
    }
    assert [r for r in rows if r.verdict == precision.LOOSE and r.finding.severity != NOTE] == []


def test_other_code_is_scanned(tmp_path: Path) -> None:
    head = "import tensorflow as tf\nimport horovod.tensorflow as hvd\n\nhvd.init()\n"
    (tmp_path / "a.py").write_text(head + "if hvd.rank() == 0:\n    hvd.barrier()\n")
    (tmp_path / "b.py").write_text("import horovod\nprint 'old'\n")
    (tmp_path / "c.py").write_text("print('new')\n")
    lines = list(precision.scanned([str(tmp_path)]))
    assert [line.partition(": ")[2].partition(" all")[0] for line in lines[:-1]] == ["error H05"]
    assert lines[-1] == "2 files name Horovod"
