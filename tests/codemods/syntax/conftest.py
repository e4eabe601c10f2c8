"""`--stdlib` reads every file of this Python's standard library, not only a part of it."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--stdlib", action="store_true", help="every file of the standard library")
