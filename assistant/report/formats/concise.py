"""One line a finding, `train.py:3:5: D104 warning: …`: for editors and for grep."""

from __future__ import annotations

from collections.abc import Sequence

from ..escape import safe
from ..remarks import Remark
from ..result_report import Report


def document(remarks: Sequence[Remark], report: Report) -> str:
    """A line each, by file and place; what a person takes on them is left out."""
    return "".join(f"{_line(each)}\n" for each in remarks if each.reason is None)


def _line(remark: Remark) -> str:
    fix = f" (fix: {' '.join(remark.fix.split())})" if remark.fix else ""
    return safe(f"{remark.place}: {remark.code} {remark.level}: {remark.message}{fix}")
