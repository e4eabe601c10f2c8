"""Datasets that are cached in files."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..roles import Role


def cached_in_files(facts: Facts) -> Iterator[tuple[ast.Call, ast.expr]]:
    """Each `ds.cache(filename)` with its name; without one the cache is in memory."""
    for call in facts.calls("cache"):
        name = facts.argument(call, "filename", 0)
        if name is None or (isinstance(name, ast.Constant) and not name.value):
            continue
        if facts.role(call.func.value) is Role.DATASET:  # type: ignore[attr-defined]
            yield call, name
