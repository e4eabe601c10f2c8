"""What a rule can't do at some place, and why: how the facts tell it to the restrictions."""

from __future__ import annotations

import ast

from ..program.records import NamedTuple
from .causes import Cause


class Problem(NamedTuple):
    """A place that keeps the file from being migrated, what is wrong, the fix, where it begins."""

    node: ast.expr
    why: str
    fix: str
    cause: Cause | None = None
