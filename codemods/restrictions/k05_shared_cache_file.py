"""A dataset cached in a file: several workers would write the same file (hazards, #756)."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.data.pipelines import cached_in_files
from ..model import Finding
from . import restriction
from ._finding import finding

WRITTEN = "every worker would write this cache file, and all but one stop with an error"


@restriction(code="K05", name="shared-cache-file")
def shared_cache_file(facts: Facts) -> Iterator[Finding]:
    """`ds.cache(filename)`."""
    for _, name in cached_in_files(facts):
        yield finding(facts, name, "K05", WRITTEN, "cache in memory: `.cache()`")
