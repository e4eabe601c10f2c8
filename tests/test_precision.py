"""The page on precision says what is found today, and nothing in it is wrong or unjudged."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from bench import precision

from distify.codemods.model import NOTE

PAGE = Path(__file__).resolve().parents[1] / "docs" / "precision.md"


def alarms(lines: Iterable[str]) -> list[str]:
    return [line for line in lines if "| error |" in line or "| warning |" in line]


def test_the_page_holds_the_errors_and_warnings_of_today() -> None:
    """Renew it by `python bench/precision.py > docs/precision.md`, with its notes."""
    written = alarms(PAGE.read_text(encoding="utf-8").splitlines())
    assert len(written) > 30
    assert written == alarms(precision.page())


def test_no_error_and_no_warning_is_a_false_alarm() -> None:
    rows = list(precision.rows())
    assert len(rows) > 150
    assert {row.verdict for row in rows} <= {precision.RIGHT, precision.LOOSE}
    assert all(row.verdict == precision.RIGHT for row in rows if row.finding.severity != NOTE)


def test_other_code_is_scanned(tmp_path: Path) -> None:
    head = "import tensorflow as tf\nimport horovod.tensorflow as hvd\n\nhvd.init()\n"
    (tmp_path / "a.py").write_text(head + "if hvd.rank() == 0:\n    hvd.barrier()\n")
    (tmp_path / "b.py").write_text("import horovod\nprint 'old'\n")
    (tmp_path / "c.py").write_text("print('new')\n")
    lines = list(precision.scanned([str(tmp_path)]))
    assert [line.partition(": ")[2].partition(" all")[0] for line in lines[:-1]] == ["error H05"]
    assert lines[-1] == "2 files name Horovod"
