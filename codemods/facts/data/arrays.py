"""What is an array, certainly or for all that is seen: it has a length, and slices per example."""

from __future__ import annotations

import ast

from ...program.domain import Domain
from ...program.things import OPAQUE
from ..facts import Facts, recorded
from ..roles import Role
from .array_domain import ARRAYS, UNKNOWN, Arrays, Words


def is_array(facts: Facts, expr: ast.AST) -> bool:
    """Whether the value is an array wherever it comes from; what may be a dataset is none."""
    if Role.DATASET in facts.roles(expr):
        return False
    return facts.program.value(_domain(facts), expr) <= ARRAYS


def may_be_array(facts: Facts, expr: ast.AST) -> bool:
    """The same of what nobody sees the making of, if nothing says that it is something else."""
    is_structure = any(thing is not OPAQUE for thing in facts.program.things(expr))
    if is_structure or Role.DATASET in facts.roles(expr):
        return False
    is_plain = isinstance(expr, (ast.Name, ast.Attribute, ast.Subscript))
    return is_plain and facts.program.value(_domain(facts), expr) <= ARRAYS | UNKNOWN


@recorded
def _domain(facts: Facts) -> Domain[Words]:
    return Arrays(facts).domain
