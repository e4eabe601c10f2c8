"""A table in Markdown, for a comment or the summary of a job."""

from __future__ import annotations

from collections.abc import Sequence

from .. import summary
from ..in_markdown import block, code, prose
from ..remarks import Remark
from ..result_report import Report

HEAD = ("| file | line | code | | what |", "|---|---|---|---|---|")


def document(remarks: Sequence[Remark], report: Report) -> str:
    """The count, then a row for each remark; what a person takes on them says why."""
    lines = [prose("".join(span.text for span in summary.sentence(report.total, report.verb)))]
    if remarks:
        lines += ["", *HEAD, *map(_row, remarks)]
    if report.next:
        lines += ["", "Next:", "", block([each.command for each in report.next])]
    return "\n".join(lines) + "\n"


def _row(remark: Remark) -> str:
    taken = "taken on" if remark.is_taken_on else "suppressed"
    level = remark.level if remark.reason is None else taken
    what = "<br>".join(map(prose, remark.text.split("\n")))
    line = f"cell {remark.cell}, {remark.line}" if remark.cell else str(remark.line)
    return f"| {code(remark.path, table=True)} | {line} | {remark.code} | {level} | {what} |"
