"""Files as forges name them: from the root of the repository, with slashes."""

from __future__ import annotations

import os

from ..files.reader import repository


def from_root(name: str) -> str:
    """A file that is named from the current folder, from the root of the repository around it."""
    root = repository(os.getcwd())
    path = os.path.relpath(os.path.abspath(name), root) if root else os.path.normpath(name)
    return path.replace(os.sep, "/")
