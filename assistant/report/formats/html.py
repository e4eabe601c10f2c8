"""A page for a browser that opens offline: the whole run, with diffs, findings and proofs."""

from __future__ import annotations

from collections.abc import Sequence

from ..page.whole_page import of_project
from ..remarks import Remark
from ..result_report import Report


def document(remarks: Sequence[Remark], report: Report) -> str:
    """The whole page. Raises NoProof where what was given as a proof is none."""
    return of_project(report, report.proofs)
