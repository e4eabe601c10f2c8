"""What values are where each step reads all rows of arrays: which have as many rows as these.

A variable, or a list, that is no data may have a row of each example, too: codes that are trained,
dual variables. Of it there is no share, so that it meets no share either.
"""

from __future__ import annotations

import ast

from ..data.axis_numbers import axes_of
from ..data.row_numbers import rows_of
from ..facts import Facts
from .loss_kinds import CONST, OWN, ROWS, TERMS, VECTOR, Kinds
from .whole_reads import whole_reads


def kind_of_read(facts: Facts, array: ast.expr) -> str:
    """Of an array of rows: with one axis, with more behind, or with nobody knows how many."""
    axes = axes_of(facts, array)
    return TERMS if axes is None else VECTOR if axes == 1 else ROWS


def kind_of_fed(facts: Facts, value: ast.expr, shape: ast.expr | None) -> str | None:
    """Of a placeholder that is fed rows; None where it takes but so many of them."""
    made = facts.origins(shape).only if shape is not None else None
    if made is None or (isinstance(made, ast.Constant) and made.value is None):
        return kind_of_read(facts, value) if shape is None or made is not None else None
    if not isinstance(made, (ast.List, ast.Tuple)) or not made.elts:
        return None
    first = made.elts[0]
    is_open = isinstance(first, ast.Constant) and first.value is None
    return None if not is_open else ROWS if len(made.elts) > 1 else VECTOR


def kind_beside(facts: Facts, made: ast.AST) -> Kinds:
    """Of a variable, by what it begins with, or of a list: a constant, if it has other rows."""
    arrays = whole_reads(facts)
    if not arrays:
        return frozenset({CONST})
    initial = facts.argument(made, "initial_value", 0) if isinstance(made, ast.Call) else made
    number = rows_of(facts, initial) if isinstance(initial, ast.expr) else None
    is_other = isinstance(number, int) and number != rows_of(facts, arrays[0])
    return frozenset({CONST if is_other else OWN})
