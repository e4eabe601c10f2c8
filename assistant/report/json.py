"""The same report for programs; the shape is promised in docs/json.md.

Lines and columns count from 1, columns in characters. Keys are only ever added; whatever else
changes raises `schema`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from distify import __version__

from .. import codemods
from ..files.outcome import Outcome
from ..files.reader import Problem
from . import proved, summary
from .dumped import dumped
from .edits import edits
from .extents import Extents
from .spots import cells, on_disk

if TYPE_CHECKING:
    from distify.codemods.model import Finding, Migration, Offer, Suppressed, TakenOn

SCHEMA = 1


def document(
    command: str,
    files: list[dict[str, Any]],
    total: summary.Totals,
    exit_code: int,
    more: dict[str, Any],
) -> str:
    """The whole document, with only ASCII in it, so that no terminal can be steered by it."""
    content = {
        "schema": SCHEMA,
        "distify": __version__,
        "command": command,
        "files": files,
        **more,
        "totals": {
            "searched": total.searched,
            "changed": total.changed,
            "unsound": total.unsound,
            "suppressed": total.suppressed,
            "blocked": total.blocked,
            "skipped": sum(count for _, count in total.skipped),
            "errors": total.errors,
        },
        "exit_code": exit_code,
    }
    return dumped(content)


def file(outcome: Outcome, names: Mapping[str, str], written: bool) -> dict[str, Any]:
    """One file that was looked at; `written` says whether changes are on disk."""
    error = _error(outcome.problem) if outcome.problem else None
    return {
        **_nothing(outcome.name),
        **(_of_migration(outcome, outcome.migration, names) if outcome.migration else {}),
        "status": _status(outcome, written),
        "reason": summary.skipped(outcome) or None,
        "left_out": list(outcome.left_out),
        "error": error,
    }


def _of_migration(
    outcome: Outcome, migration: Migration, names: Mapping[str, str]
) -> dict[str, Any]:
    extents = Extents(migration.before, cells(outcome))
    due = migration.changing_rules if outcome.changed else ()
    return {
        "pattern": migration.pattern,
        "evidence": [
            {**_place(extents, e.line, e.column), "pattern": e.pattern, "what": e.what}
            for e in migration.evidence
        ],
        "changes": [
            {
                "code": step.code,
                "name": names.get(step.code),
                "page": codemods.address(step.code),
                "places": [_place(extents, line, column) for line, column in step.places],
            }
            for step in due
        ],
        "edits": _edits(outcome, migration.after) if outcome.changed else [],
        "blocked": _findings(migration.blocked, extents),
        "notes": _findings(migration.notes, extents),
        "repairs": [_repair(offer, outcome, extents) for offer in migration.repairs],
        "suppressed": _suppressions(migration.suppressed, extents),
        "proofs": proved.data(proved.of(outcome)),
        "taken_on": _taken_on(outcome.taken_on, extents),
    }


def _repair(offer: Offer, outcome: Outcome, extents: Extents) -> dict[str, Any]:
    return {
        "code": offer.code,
        "name": offer.name,
        "page": codemods.address(offer.code),
        "title": offer.title,
        "automatic": offer.is_automatic,
        "answers": _findings(offer.answers, extents),
        "edits": _edits(outcome, offer.text),
    }


def _edits(outcome: Outcome, after: str) -> list[dict[str, Any]]:
    return [edit._asdict() for edit in edits(*on_disk(outcome, after))]


def _place(extents: Extents, line: int, column: int) -> dict[str, int]:
    """Where something begins and where it ends; `column` counts from 0 here."""
    end_line, end_column = extents.end(line, column + 1)
    cell = {} if extents.cells is None else {"cell": extents.cells.place(line).cell}
    lines = {"line": extents.number(line), "end_line": extents.number(end_line)}
    return {**cell, **lines, "column": column + 1, "end_column": end_column}


def failure(problem: Problem) -> dict[str, Any]:
    """A path that could not be read as a file: the same keys, all of them empty."""
    return {**_nothing(problem.name), "error": _error(problem)}


def _nothing(path: str) -> dict[str, Any]:
    """Every key of a file, in their order, as they are where there is nothing to say."""
    return {
        "path": path,
        "status": "error",
        "reason": None,
        "pattern": None,
        "evidence": [],
        "changes": [],
        "edits": [],
        "blocked": [],
        "notes": [],
        "repairs": [],
        "left_out": [],
        "suppressed": [],
        "proofs": [],
        "taken_on": [],
        "error": None,
    }


def _status(outcome: Outcome, written: bool) -> str:
    if outcome.problem:
        return "error"
    if outcome.blocked:
        return "blocked"
    if outcome.changed:
        return "changed" if written else "would-change"
    return "skipped"


def _error(problem: Problem) -> dict[str, Any]:
    return {
        **({"cell": problem.cell} if problem.cell else {}),
        "message": problem.message,
        "line": problem.line or None,
        "column": problem.column or None,
    }


def _suppressions(found: Sequence[Suppressed], extents: Extents) -> list[dict[str, Any]]:
    """Findings that somebody took on them; no line of a comment: it was the settings."""
    return [
        {
            **finding,
            "blocks": each.blocks,
            "reason": each.reason or None,
            "comment_line": extents.number(each.line) if each.line else None,
        }
        for each, finding in zip(found, _findings((each.finding for each in found), extents))
    ]


def _taken_on(found: Sequence[TakenOn], extents: Extents) -> list[dict[str, Any]]:
    """What isn't proved; no line of a comment: the command line or the settings name it."""
    return [
        {
            **finding,
            "reason": each.reason or None,
            "comment_line": extents.number(each.line) if each.line else None,
        }
        for each, finding in zip(found, _findings((each.finding for each in found), extents))
    ]


def _findings(findings: Iterable[Finding], extents: Extents) -> list[dict[str, Any]]:
    return [
        {
            **_place(extents, finding.line, finding.column),
            "code": finding.code,
            "page": codemods.address(finding.code),
            "message": finding.message,
            "fix": finding.fix,
            "obligation": finding.obligation or None,
            "becomes": finding.becomes or None,
            **_elsewhere(extents, finding),
        }
        for finding in findings
    ]


def _elsewhere(extents: Extents, finding: Finding) -> dict[str, Any]:
    """The line where it matters, None where it stands there itself; of a notebook with its cell."""
    if finding.reaches in (0, finding.line):
        return {"reaches": None}
    found = extents.cells
    cell = {} if found is None else {"reaches_cell": found.place(finding.reaches).cell}
    return {"reaches": extents.number(finding.reaches), **cell}
