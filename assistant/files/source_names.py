"""Which names files of code and their folders have, and which folders hold nobody's own."""

from __future__ import annotations

from typing import Callable, Optional

SUFFIXES = (".py", ".pyw")
NOTEBOOK = ".ipynb"  # whose code cells are one program
INSTALLED = ("site-packages", "dist-packages", "__pypackages__", "node_modules")
NEVER = frozenset({"__pycache__", *INSTALLED})
Excludes = Callable[[str], Optional["tuple[str, ...]"]]  # a folder's own, None: has no settings


def unwanted(folder: str) -> bool:
    """Folders that hold nobody's own sources: hidden ones, caches, installed packages."""
    return folder.startswith(".") or folder in NEVER
