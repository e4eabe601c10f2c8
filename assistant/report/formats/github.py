"""Annotations of GitHub Actions; the first ten of a step are shown, so the worst come first."""

from __future__ import annotations

from collections.abc import Sequence

from ...files import levels
from ..actions import Annotation, command
from ..remarks import Remark
from ..result_report import Report

LEVELS = {levels.ERROR: "error", levels.WARNING: "warning", levels.NOTE: "notice"}


def document(remarks: Sequence[Remark], report: Report) -> str:
    """A command each; what a person takes on them is left out."""
    told = [each for each in remarks if each.reason is None]
    told.sort(key=lambda each: list(LEVELS).index(each.level))
    return "".join(f"{command(_annotation(each))}\n" for each in told)


def _annotation(remark: Remark) -> Annotation:
    text = remark.text
    text = f"cell {remark.cell}, line {remark.line}: {text}" if remark.cell else text
    title, place = f"distify {remark.code}", (remark.path, *remark.on_disk)
    return Annotation(LEVELS[remark.level], title, text, *place)
