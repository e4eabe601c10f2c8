"""Of the cases of one test `make test` runs the first two; the others are slow, for the gate.

Most tests here migrate a small program for each of their cases, thousands in all.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

FEW = 2
HERE = Path(__file__).parent
# Quick ones, which all the others stand on: every case of them is run each time.
WHOLE = (HERE / "syntax", HERE / "edits")


@pytest.hookimpl(tryfirst=True)  # before those are left out that `-m` does not ask for
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    seen: Counter[str] = Counter()
    for item in items:
        if HERE in item.path.parents and not any(each in item.path.parents for each in WHOLE):
            test = item.nodeid.partition("[")[0]
            seen[test] += 1
            if seen[test] > FEW and not item.get_closest_marker("slow"):
                item.add_marker("slow")
