"""SARIF 2.1.0, which GitHub's code scanning and editors read.

Pages are the help of the rules, suppressions are told as such, and a file that would change has its
changes as the fix of its first result: they stand or fall together.
Source: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from distify import __version__

from ... import codemods
from ...files.levels import WARNING
from ...files.outcome import Outcome
from ..dumped import dumped
from ..edits import Edit, edits
from ..remarks import Remark
from ..repository_paths import from_root
from ..result_report import Report
from ..spots import on_disk

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def document(remarks: Sequence[Remark], report: Report) -> str:
    """One run as JSON."""
    fixes = {each.name: _fix(each) for each in report.result.outcomes if each.after is not None}
    return of_remarks(remarks, fixes, not report.result.failed)


def of_remarks(remarks: Sequence[Remark], fixes: dict[str, dict[str, Any]], succeeded: bool) -> str:
    """The same of remarks from anywhere; `fixes` by file."""
    codes = sorted({each.code for each in remarks})
    run = {
        "tool": {
            "driver": {
                "name": "distify",
                "version": __version__,
                "rules": list(map(_rule, codes)),
            }
        },
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": succeeded}],
        "results": [_result(each, codes, fixes) for each in remarks],
    }
    return dumped({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(code: str) -> dict[str, Any]:
    page = codemods.page(code) if code in codemods.pages() else ""
    title = page.partition("\n")[0].lstrip("# ") or code
    rule: dict[str, Any] = {"id": code, "shortDescription": {"text": title}}
    if page:
        rule["help"] = {"text": page, "markdown": page}
        address = codemods.address(code) or ""
        rule.update({"helpUri": address} if ":" in address else {})
    return rule


def _result(
    remark: Remark, codes: Sequence[str], fixes: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    text = remark.text
    line, column = remark.on_disk
    text = f"cell {remark.cell}, line {remark.line}: {text}" if remark.cell else text
    place = {
        "artifactLocation": _artifact(remark.path),
        "region": {"startLine": line, "startColumn": column, **_end(remark)},
    }
    result: dict[str, Any] = {
        "ruleId": remark.code,
        "ruleIndex": codes.index(remark.code),
        "level": remark.level,
        "message": {"text": text},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"distify/v1": remark.fingerprint},
    }
    if remark.reason is not None:
        kind = "inSource" if remark.comment else "external"
        result["suppressions"] = [{"kind": kind, "justification": remark.reason}]
    elif remark.level == WARNING and remark.path in fixes:
        result["fixes"] = [fixes.pop(remark.path)]
    return result


def _end(remark: Remark) -> dict[str, int]:
    """Where a region ends; of a notebook that is the end of the line on disk, as unsaid."""
    if remark.cell:
        return {}
    return {"endLine": remark.end_line, "endColumn": remark.end_column}


def _artifact(path: str) -> dict[str, str]:
    return {"uri": quote(from_root(path).encode("utf-8", "surrogateescape"))}


def _fix(outcome: Outcome) -> dict[str, Any]:
    assert outcome.migration is not None
    found = edits(*on_disk(outcome, outcome.migration.after))
    change = {
        "artifactLocation": _artifact(outcome.name),
        "replacements": list(map(_replacement, found)),
    }
    return {
        "description": {"text": f"distify migrate {outcome.name}"},
        "artifactChanges": [change],
    }


def _replacement(edit: Edit) -> dict[str, Any]:
    line, column, end_line, end_column, text = edit
    region = {
        "startLine": line,
        "startColumn": column,
        "endLine": end_line,
        "endColumn": end_column,
    }
    return {"deletedRegion": region, "insertedContent": {"text": text}}
