"""What an outcome is in the words of the Language Server Protocol.

https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/.
Lines and columns count from 0 here, and columns are code points: the server turns them into the
editor's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lsprotocol import types as lsp

from .. import codemods
from ..files import levels
from ..files.outcome import Outcome
from ..files.result import Result
from ..report import remarks
from ..report.edits import edits
from ..report.remarks import Remark
from ..report.result_report import Report
from ..report.terminal import Terminal

SOURCE = "distify"
SEVERITIES = {
    levels.ERROR: lsp.DiagnosticSeverity.Error,
    levels.WARNING: lsp.DiagnosticSeverity.Information,  # what `migrate` would do is no mistake
    levels.NOTE: lsp.DiagnosticSeverity.Hint,
}
MIGRATE = "Migrate this file for Horovod"


def diagnostics(outcome: Outcome) -> list[lsp.Diagnostic]:
    """The findings of `check` that nobody has taken on them."""
    report = Report(Terminal("never"), "check", Result([outcome], [], 1), False)
    return [_diagnostic(each) for each in remarks.of(report) if each.reason is None]


def _diagnostic(remark: Remark) -> lsp.Diagnostic:
    address = codemods.address(remark.code) or ""
    return lsp.Diagnostic(
        _range(remark.line, remark.column, remark.end_line, remark.end_column),
        remark.text,
        severity=SEVERITIES[remark.level],
        code=remark.code,
        code_description=lsp.CodeDescription(address) if ":" in address else None,
        source=SOURCE,
    )


def actions(
    outcome: Outcome, found: Sequence[lsp.Diagnostic], uri: str, wanted: lsp.Range
) -> Iterator[lsp.CodeAction]:
    """The repairs of what is found in these lines; where nothing blocks, the whole migration."""
    migration = outcome.migration
    if migration is None:
        return
    for offer in migration.repairs:
        codes = {each.code for each in offer.answers}
        lines = {each.line - 1 for each in offer.answers}
        is_here = any(wanted.start.line <= line <= wanted.end.line for line in lines)
        if is_here and offer.is_alone:  # an editor is told the edits of one file
            solved = [d for d in found if d.code in codes and d.range.start.line in lines]
            title = f"{offer.code}: {offer.title}"
            change = _change(uri, migration.before, offer.text)
            kind = lsp.CodeActionKind.QuickFix
            yield lsp.CodeAction(title, kind, solved, offer.is_automatic, edit=change)
    if outcome.changed and not migration.others:
        change = _change(uri, migration.before, migration.after)
        yield lsp.CodeAction(MIGRATE, lsp.CodeActionKind.RefactorRewrite, edit=change)


def page_at(found: Sequence[lsp.Diagnostic], place: lsp.Position) -> lsp.Hover | None:
    """The pages of what is found there, as Markdown."""
    here = [each for each in found if _holds(each.range, place)]
    codes = dict.fromkeys(str(each.code) for each in here)
    pages = [codemods.page(code) for code in codes if code in codemods.pages()]
    if not pages:
        return None
    text = lsp.MarkupContent(lsp.MarkupKind.Markdown, "\n\n---\n\n".join(pages))
    return lsp.Hover(text, here[0].range)


def _change(uri: str, before: str, after: str) -> lsp.WorkspaceEdit:
    made = [
        lsp.TextEdit(_range(e.line, e.column, e.end_line, e.end_column), e.text)
        for e in edits(before, after)
    ]
    return lsp.WorkspaceEdit({uri: made})


def _range(line: int, column: int, end_line: int, end_column: int) -> lsp.Range:
    return lsp.Range(
        lsp.Position(line - 1, max(column, 1) - 1), lsp.Position(end_line - 1, end_column - 1)
    )


def _holds(found: lsp.Range, place: lsp.Position) -> bool:
    begin, end = found.start, found.end
    here = place.line, place.character
    return (begin.line, begin.character) <= here <= (end.line, end.character)
