"""Operations of TensorFlow 1 that put a value into a variable."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.names import in_v1
from ..facts import Facts

PUTS = ("assign", "assign_add", "assign_sub")
_PUT_BY = in_v1(*PUTS)
_ZEROS = in_v1("zeros", "zeros_like")


def puts(facts: Facts) -> Iterator[ast.Call]:
    """The operations that put a value into a variable."""
    methods = (call for call in facts.calls(*PUTS) if facts.name(call.func) is None)
    yield from (call for call in (*methods, *facts.calls_of(*_PUT_BY)))


def put_value(facts: Facts, call: ast.Call) -> ast.expr | None:
    """What such an operation puts there."""
    is_method = facts.name(call.func) is None
    return facts.argument(call, "value", 0 if is_method else 1)


def is_zero(facts: Facts, value: ast.expr | None) -> bool:
    """Whether all workers put zeros there: sums that begin anew."""
    made = None if value is None else facts.program.origins(value).only
    if isinstance(made, ast.Constant):
        return made.value == 0
    return isinstance(made, ast.Call) and facts.name(made.func) in _ZEROS
