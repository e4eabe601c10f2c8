"""What is certainly an array: something with a length that slices per example."""

from __future__ import annotations

import ast

from ...program.domain import Domain
from ..facts import Facts, recorded
from ..roles import Role
from .array_domain import ARRAYS, Arrays, Words


def is_array(facts: Facts, expr: ast.AST) -> bool:
    """Whether the value is an array wherever it comes from; what may be a dataset is none."""
    if Role.DATASET in facts.roles(expr):
        return False
    return facts.program.value(_domain(facts), expr) <= ARRAYS


@recorded
def _domain(facts: Facts) -> Domain[Words]:
    return Arrays(facts).domain
