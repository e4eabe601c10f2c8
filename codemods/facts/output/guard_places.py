"""What rank 0 does alone: statements, values and conditions of the program."""

from __future__ import annotations

import ast
from typing import Union

from ...program.records import NamedTuple
from .hoists import Hoist


class Guard(NamedTuple):
    """A run of statements for rank 0."""

    members: tuple[ast.stmt, ...]


class OnlyThere(NamedTuple):
    """An expression whose value is None on the other workers."""

    value: ast.expr


class Narrow(NamedTuple):
    """The test of an `if` whose whole body is for rank 0."""

    test: ast.expr


Place = Union[Hoist, Guard, OnlyThere, Narrow]
