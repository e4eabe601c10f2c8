"""Programs that end at once unless they are alone: what they share with others has one worker."""

from __future__ import annotations

import ast

from ..facts import Facts, recorded
from ..horovod import calls_of
from .start import started_in, starts

_TESTS = {ast.Gt: (1,), ast.NotEq: (1,), ast.GtE: (2,)}


@recorded
def ends_unless_alone(facts: Facts) -> ast.stmt | None:
    """`if hvd.size() > 1: raise …` directly behind the start, where all workers come by.

    An assertion is none: Python may be told to leave these out.
    """
    start, body = started_in(facts), facts.module.body
    is_plain = isinstance(start, ast.Expr) and start.value in starts(facts)
    number = body.index(start) + 1 if start is not None and is_plain else len(body)
    guard = body[number] if number < len(body) else None
    if not isinstance(guard, ast.If) or not isinstance(guard.body[0], ast.Raise):
        return None
    return guard if _asks_for_others(facts, guard.test) else None


def _asks_for_others(facts: Facts, test: ast.expr) -> bool:
    """Whether it is true wherever there is another worker, and says that by no other word."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return False
    limit = test.comparators[0]
    numbers = _TESTS.get(type(test.ops[0]), ())
    is_limit = isinstance(limit, ast.Constant) and limit.value in numbers
    return is_limit and test.left in set(calls_of(facts, "size"))
