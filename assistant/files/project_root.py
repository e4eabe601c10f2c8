"""Which folder is that of a project: of its repository, its settings, or what lies at its top."""

from __future__ import annotations

import functools
import os
from collections.abc import Collection

PACKAGE = "__init__.py"
MARKS = ("pyproject.toml", "setup.py", "setup.cfg", ".git")
# What else lies in the top folder of a project that was copied without its repository.
TRACES = (
    "requirements.txt",
    "environment.yml",
    "Pipfile",
    "LICENSE",
    "README.md",
    "README.rst",
    ".gitignore",
)


@functools.cache
def root(folder: str) -> str:
    """The folder of the project: that of its repository or settings, else of its package."""
    top = folder
    while os.path.exists(os.path.join(top, PACKAGE)) and os.path.dirname(top) != top:
        top = os.path.dirname(top)
    return _above(top, MARKS) or _above(top, TRACES) or top


def _above(folder: str, marks: Collection[str]) -> str:
    """The nearest folder, this one or around it, that has one of these; empty for none."""
    while not any(os.path.exists(os.path.join(folder, mark)) for mark in marks):
        if os.path.dirname(folder) == folder:
            return ""
        folder = os.path.dirname(folder)
    return folder
