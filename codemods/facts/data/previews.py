"""Loops that only look at some examples, of which any will do."""

from __future__ import annotations

import ast

_SOME = 10  # as many examples as a person looks at


def is_glance(loop: ast.For | ast.AsyncFor) -> bool:
    """`for images, labels in ds.take(1)` shows some examples; any will do.

    `for _ in ds: pass` looks at none: it fills a cache, or tells how long reading takes.
    """
    if all(isinstance(statement, ast.Pass) for statement in loop.body):
        return True
    call = loop.iter
    is_take = isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "take"
    count = call.args[0] if isinstance(call, ast.Call) and is_take and call.args else None
    number = count.value if isinstance(count, ast.Constant) else None
    return isinstance(number, int) and number <= _SOME
