"""Reports for other programs: each module of this package makes one, named like the format.

A module has `document(remarks, report)`, which returns the whole text.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..result_report import Report

NAMES = ("concise", "github", "gitlab", "html", "junit", "markdown", "sarif")
# What the name of a file asks for.
BY_SUFFIX = {
    ".html": "html",
    ".json": "json",
    ".sarif": "sarif",
    ".xml": "junit",
    ".md": "markdown",
}
WITH_TEXTS = frozenset({"html", "json", "sarif"})  # they show what files become


def document(name: str, report: Report) -> str:
    """The report in this format."""
    from ..remarks import of

    text: str = import_module(f".{name}", __name__).document(of(report), report)
    return text


def any_document(name: str, report: Report, exit_code: int) -> str:
    """The same, or the report in JSON, which tells the exit code, too."""
    from ..result_report import json_document

    return json_document(report, exit_code) if name == "json" else document(name, report)
