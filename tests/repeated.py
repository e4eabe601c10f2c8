"""What tests repeat: the migration of an example, and cases of which `make test` takes some."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Migration


@cache
def migrated(example: Path) -> Migration:
    """The migration of an example, line ends as they are in the file: made once in a process."""
    return migrate(example.read_bytes().decode(), name=example.name)


def one_in(step: int, values: Iterable[Any]) -> list[Any]:
    """The values as parameters, in order: every step-th is for `make test`, the gate takes all."""
    return [
        value if number % step == 0 else pytest.param(value, marks=pytest.mark.slow)
        for number, value in enumerate(values)
    ]


def several(*values: Any) -> list[Any]:
    """The values as parameters: the first, the strongest, for `make test`; the gate takes all."""
    return one_in(len(values), values)
