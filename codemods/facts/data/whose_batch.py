"""Whether all workers together take the batch of one process: asked for, or written so already.

A program whose batches are divided by the number of workers has its rates and steps as they are.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...program.node_fields import within
from ..by_rank import depends_on_size
from ..facts import Facts, recorded

_SIZED = ("batch", "padded_batch", "fit")


@recorded
def keeps_batch(facts: Facts) -> bool:
    """Whether each worker takes an Nth of every batch, at the rate and in the steps of one."""
    if facts.options.keeps_batch:
        return True
    return facts.has_horovod and any(_is_divided(facts, size) for size in _sizes(facts))


def _sizes(facts: Facts) -> Iterator[ast.expr]:
    """What says how many rows a step takes."""
    for call in facts.index.calls:
        method = getattr(call.func, "attr", "")
        place = 2 if method == "fit" else 0
        if method in _SIZED:
            yield from call.args[place : place + 1]
        yield from (each.value for each in call.keywords if each.arg == "batch_size")
    for part in facts.index.nodes(ast.Slice):
        if part.lower is not None and part.upper is not None:
            yield part.upper


def _is_divided(facts: Facts, size: ast.expr) -> bool:
    """Whether it is something by the number of workers, and nothing times that."""
    parts = [n for n in within(size) if isinstance(n, (ast.Name, ast.Call, ast.BinOp))]
    made = [*parts, *(node for part in parts for node in facts.origins(part).nodes)]
    asked = [n for n in made if isinstance(n, ast.BinOp) and depends_on_size(facts, n.right)]
    divided = any(isinstance(each.op, (ast.FloorDiv, ast.Div)) for each in asked)
    times = (n for n in asked if isinstance(n.op, ast.Mult) and isinstance(n.right, ast.Call))
    return divided and not any(True for _ in times)
