"""A model job, whose workers stand for those of any: two machines with two workers each."""

from __future__ import annotations

import ast

from ..program.domain import Domain, Operands
from ..program.edges import VALUE
from ..program.operators import COMPARISONS
from ..program.origins import Kind, Origin
from ..program.things import Library

WORKERS = range(4)
SIZES: dict[str, tuple[object, ...]] = {
    "rank": (0, 1, 2, 3),
    "local_rank": (0, 1, 0, 1),
    "cross_rank": (0, 0, 1, 1),
    "size": (4, 4, 4, 4),
    "local_size": (2, 2, 2, 2),
    "cross_size": (2, 2, 2, 2),
}

# The worker's number itself, for each worker of a model job: None where nobody can tell.
Numbers = tuple[object, ...]
_MANY: Numbers = ()  # one of several


def _number(origin: Origin, operands: Operands[Numbers | None]) -> Numbers | None:
    """What a node computes, for each worker of the model job."""
    if origin.kind is Kind.CONSTANT and isinstance(origin.name, (int, bool)):
        return (origin.name,) * len(WORKERS)
    if origin.kind is Kind.CALL:
        called = (t.name for t in operands.things(origin, "func") if isinstance(t, Library))
        last = (origin.name or next(called, "")).rpartition(".")
        is_horovod = last[0].startswith("horovod")
        return SIZES.get(last[2], _MANY) if is_horovod else _MANY
    node, values = origin.node, operands.of(origin)
    if origin.kind is Kind.COMPUTED and isinstance(node, ast.Compare) and len(values) == 2:
        compare, (left, right) = COMPARISONS.get(type(node.ops[0])), values
        if compare is not None and left and right:
            return tuple(compare(a, b) for a, b in zip(left, right))
    return _MANY


NUMBERS: Domain[Numbers | None] = Domain(
    None, _MANY, lambda a, b: a if b is None or a == b else (b if a is None else _MANY), _number,
    through=VALUE,
)  # fmt: skip
