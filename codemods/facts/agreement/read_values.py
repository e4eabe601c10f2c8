"""Numbers out of a file by which a loop is left: once rank 0 has told them, all decide alike."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.agreement import READS
from ...program.node_fields import within
from ..facts import Facts
from ..input_files import is_shared
from ..own_values import draws

_LOOPS = (ast.For, ast.While)


def read_value(facts: Facts, test: ast.expr) -> tuple[ast.expr, ast.stmt] | None:
    """The one value of a file in a test, and the outermost loop around it; else None.

    None, too, where anything else in the test may be a worker's own.
    """
    loop = _outermost(facts, test)
    own = [side for side in _sides(test) if not is_shared(facts, side)]
    if loop is None or len(own) != 1 or not _is_read(facts, own[0]):
        return None
    return own[0], loop


def new_name(facts: Facts, value: ast.expr) -> str:
    """`stop` of `cfg["stop"]` and of `cfg.stop`, if the module has no such name."""
    word = value.attr if isinstance(value, ast.Attribute) else ""
    if isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Constant):
        word = str(value.slice.value)
    return word if word.isidentifier() and word not in facts.index.names else "told"


def _outermost(facts: Facts, test: ast.expr) -> ast.stmt | None:
    """Of the loops in its function."""
    function = facts.function(test)
    loops = [p for p in facts.parents(test) if isinstance(p, _LOOPS)]
    return next((p for p in reversed(loops) if facts.function(p) is function), None)


def _sides(test: ast.expr) -> Iterator[ast.expr]:
    """What is compared, and what is asked as it is."""
    for node in within(test):
        if isinstance(node, ast.Compare):
            yield from (node.left, *node.comparators)
    if not isinstance(test, (ast.Compare, ast.BoolOp, ast.UnaryOp)):
        yield test


def _is_read(facts: Facts, value: ast.expr) -> bool:
    """Whether it is a part of what a file says, and nothing is drawn on the way to it."""
    if not isinstance(value, (ast.Attribute, ast.Subscript)):
        return False
    made = [n for n in facts.program.ingredients(value) if isinstance(n, ast.Call)]
    reads = any(facts.name(call.func) in READS for call in made)
    return reads and not any(draws(facts, call) for call in made)
