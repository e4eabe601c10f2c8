"""Files of tests, which pytest or unittest runs: on one worker, and never as a training."""

from __future__ import annotations

import os
import re

_NAME = re.compile(r"^(?:test_\w*|\w+_test|conftest)\.py$")
_TESTS = re.compile(
    r"^[ \t]*(?:import|from)[ \t]+(?:pytest|unittest|absl\.testing)\b"
    r"|\b(?:tf|v1|v2|tensorflow)\.test\.(?:TestCase|main)\b"
    r"|^class[ \t]+\w+\([^)]*\bTestCase\b",  # also one that the project derives from these
    re.MULTILINE,
)
TESTS = "tests, which run on one worker"


def stay_as_they_are(path: str, text: str) -> bool:
    """Whether it holds tests; those of Horovod are looked at, as they may run on many workers."""
    return "horovod" not in text and is_of_tests(path, text)


def is_of_tests(path: str, text: str) -> bool:
    """Whether its name is one that pytest collects, and it uses a library of tests.

    The name alone is not enough: `test_model.py` often evaluates what was trained.
    """
    return _NAME.match(os.path.basename(path)) is not None and _TESTS.search(text) is not None
