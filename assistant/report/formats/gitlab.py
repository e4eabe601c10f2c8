"""GitLab's code quality report: a list of issues.

Source: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...files import levels
from ..dumped import dumped
from ..remarks import Remark
from ..repository_paths import from_root
from ..result_report import Report

SEVERITIES = {levels.ERROR: "major", levels.WARNING: "minor", levels.NOTE: "info"}


def document(remarks: Sequence[Remark], report: Report) -> str:
    """The issues as JSON; what a person takes on them is left out."""
    issues = [
        {
            "description": f"{remark.code}: {remark.message}",
            "check_name": remark.code,
            "fingerprint": remark.fingerprint,
            "severity": SEVERITIES[remark.level],
            "location": {"path": from_root(remark.path), "lines": {"begin": remark.on_disk[0]}},
        }
        for remark in remarks
        if remark.reason is None
    ]
    return dumped(issues)
