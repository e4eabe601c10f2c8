"""What every test shares: where the project is, and property tests that repeat themselves.

Of the cases of one test `make test` runs the first two; the others are slow, for the gate. What is
slow in NIGHTLY are whole stories and drawn programs, over and over: they are for the night.
"""

from __future__ import annotations

import gc
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests"
FEW = 2
# Quick ones, which all the others stand on: every case of them is run each time. What trains on
# workers says by itself what of it is slow.
WHOLE = (
    TESTS / "codemods" / "syntax",
    TESTS / "codemods" / "edits",
    TESTS / "distributed",
)

NIGHTLY = (
    TESTS / "properties",
    TESTS / "forge" / "test_action.py",
    TESTS / "forge" / "test_ends.py",
    TESTS / "forge" / "test_gitlab.py",
    TESTS / "forge" / "test_signed.py",
    TESTS / "forge" / "test_wishes.py",
    TESTS / "hostile" / "test_layouts.py",
    TESTS / "assistant" / "git" / "test_ends.py",
    TESTS / "assistant" / "git" / "test_kills.py",
    TESTS / "assistant" / "walk" / "test_command.py",
    TESTS / "assistant" / "walk" / "test_entries.py",
    TESTS / "assistant" / "walk" / "test_refused.py",
)

# What distify keeps for its user: that of a test is nobody's. All processes of a run share it.
STATE = tempfile.TemporaryDirectory(prefix="distify-state-")
os.environ["XDG_STATE_HOME"] = STATE.name

# Reports name what is to be installed before a job can start: here it is as if nothing were. What
# tests of that ask about is their own. Last on PATH: where there is a real one, it is that one.
LAUNCHER = Path(STATE.name, "bin", "horovodrun")
LAUNCHER.parent.mkdir()
LAUNCHER.write_text("#!/bin/sh\nexit 1\n")
LAUNCHER.chmod(0o755)
os.environ["PATH"] = os.pathsep.join([os.environ["PATH"], str(LAUNCHER.parent)])

try:
    from hypothesis import settings
    from hypothesis.internal.conjecture import providers
except ImportError:  # the Horovod environment runs tests/distributed only, without it
    pass
else:
    # The same cases on every machine and in every run; no verdict that hangs on a slow second.
    settings.register_profile("distify", derandomize=True, deadline=None, database=None)
    # Other cases in every run, ten times as many: `make test-nightly`.
    settings.register_profile("nightly", max_examples=1_000, deadline=None, print_blob=True)
    settings.load_profile("distify")

    def no_constants_of_modules() -> object:
        return getattr(providers, "_local_constants", None)

    # Hypothesis also draws constants that it read in the modules imported by then, which hangs on
    # the tests that ran before. There is no setting for it: the collection is left empty.
    if hasattr(providers, "_get_local_constants"):
        providers._get_local_constants = no_constants_of_modules  # type: ignore[assignment]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden", action="store_true", help="write the examples' diffs anew")
    parser.addoption("--training-python", help="the Python of tests/distributed/test_tensorflows")
    parser.addoption("--kills", type=int, default=0, help="how many moments a command is ended at")
    parser.addoption("--judged", help="a file for what is not proved of the proposals of the suite")
    parser.addoption("--stdlib", action="store_true", help="every file of the standard library")


@pytest.hookimpl(tryfirst=True)  # before those are left out that `-m` does not ask for
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    seen: Counter[str] = Counter()
    for item in items:
        if not any(each in item.path.parents for each in WHOLE):
            test = item.nodeid.partition("[")[0]
            seen[test] += not item.get_closest_marker("slow")
            if seen[test] > FEW:
                item.add_marker("slow")
        if item.get_closest_marker("slow") and not item.get_closest_marker("sample"):
            if any(each in (item.path, *item.path.parents) for each in NIGHTLY):
                item.add_marker("nightly")


@pytest.fixture
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(autouse=True)
def _interpreter_as_it_was() -> Iterator[None]:
    """The command line prepares Python for large trees; what comes after it finds it as it is."""
    limit, thresholds = sys.getrecursionlimit(), gc.get_threshold()
    yield
    sys.setrecursionlimit(limit)
    gc.set_threshold(*thresholds)
    gc.unfreeze()
