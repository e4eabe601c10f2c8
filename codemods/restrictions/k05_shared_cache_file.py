"""A dataset cached in a file: several workers would write the same file (hazards, #756)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts, Role
from ..model import Finding
from . import restriction
from ._finding import finding


@restriction(code="K05", name="shared-cache-file")
def shared_cache_file(facts: Facts) -> Iterator[Finding]:
    """`ds.cache(filename)`; without a name the cache is in memory, each worker's own."""
    for call in facts.calls("cache"):
        name = facts.argument(call, "filename", 0)
        if name is None or (isinstance(name, ast.Constant) and not name.value):
            continue
        if facts.role(call.func.value) is Role.DATASET:  # type: ignore[attr-defined]
            yield finding(
                facts,
                name,
                "K05",
                "every worker would write this cache file, and all but one stop with an error",
                "cache in memory: `.cache()`",
            )
