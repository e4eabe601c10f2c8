"""How long a line may be, by the settings of the formatter that a project uses."""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping
from typing import Any

from .config import tools

BLACKS = 88  # what black takes where nothing is set
WIDEST = 320  # that ruff takes
_KEYS = (
    ("black", ("line-length", "line_length"), BLACKS),
    ("ruff", ("line-length",), 0),  # perhaps the linter alone
    ("yapf", ("column_limit", "COLUMN_LIMIT"), 0),  # a style decides
)


@functools.cache
def width(folder: str) -> int:
    """What the nearest pyproject.toml with a formatter says to an absolute folder; else 0."""
    found = _width(tools(folder))
    above = os.path.dirname(folder)
    return found if found or above == folder else width(above)


def _width(tool: Mapping[str, Any]) -> int:
    for name, keys, default in _KEYS:
        table = tool.get(name)
        if isinstance(table, dict):
            given = (table[key] for key in keys if _is_width(table.get(key)))
            found = int(next(given, default))
            if found:
                return found
    return 0


def _is_width(value: object) -> bool:
    """Whether it is a number of columns; what a formatter would refuse is its own to report."""
    return type(value) is int and 0 < value <= WIDEST
