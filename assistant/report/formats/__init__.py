"""Reports for other programs: each module of this package makes one, named like the format.

A module has `document(remarks, report)`, which returns the whole text.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..tell import Report

NAMES = ("concise", "github", "gitlab", "junit", "markdown", "sarif")


def document(name: str, report: Report) -> str:
    """The report in this format."""
    from ..remarks import of

    text: str = import_module(f".{name}", __name__).document(of(report), report)
    return text
