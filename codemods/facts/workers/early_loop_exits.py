"""How far loops go on: counts that are written down, and generators that some workers leave."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Callable

from ...library.agreement import COUNTERS
from ...program.node_fields import within
from ...program.things import Box
from ..agreement.control import tests_around
from ..by_rank import depends_on_size
from ..facts import Facts
from ..roles import Role

Test = Callable[[Facts, ast.expr], bool]

# They give as many elements as they get.
_THROUGH = (
    "builtins.enumerate",
    "builtins.iter",
    "builtins.list",
    "builtins.reversed",
    "builtins.sorted",
    "builtins.tuple",
    "tqdm.tqdm",
    "tqdm.auto.tqdm",
    "tqdm.notebook.tqdm",
)
_SLICE = "itertools.islice"


def counts_of(facts: Facts, iterable: ast.expr) -> Iterator[ast.expr]:
    """The number of rounds of `range(n)`, `data.take(n)`; that of a share may be what it will."""
    while isinstance(iterable, ast.Call) and iterable.args:
        name = facts.name(iterable.func)
        if name not in _THROUGH:
            yield from _counts(facts, iterable, name)
            return
        iterable = iterable.args[0]


def _counts(facts: Facts, call: ast.Call, name: str | None) -> Iterator[ast.expr]:
    if name in COUNTERS:
        yield from call.args if len(call.args) == 1 else ()
    elif name == _SLICE:
        yield from call.args[1:] if len(call.args) == 2 else ()
    elif isinstance(call.func, ast.Attribute) and call.func.attr == "take":
        if Role.DATASET in facts.roles(call.func.value):
            yield call.args[0]


def is_of_some_length(facts: Facts, iterable: ast.expr, by_rank: Test) -> bool:
    """Whether a generator of the project gives some workers fewer elements, and no share of them.

    What the number of workers has its part in, is a share: `if i % hvd.size() == hvd.rank()`.
    """
    boxes = (t for t in facts.program.things(iterable) if isinstance(t, Box))
    made = [box.origin for box in boxes if isinstance(box.origin, tuple)]
    return any(_is_cut(facts, node, by_rank) for node, *kind in made if kind == ["yields"])


def is_rest_by_rank(facts: Facts, iterable: ast.expr, by_rank: Test) -> bool:
    """Whether each worker goes through what is left from its number on: `items[hvd.rank() :]`.

    A slice with a step, or with both ends, is a share: as long on all workers, or nearly so.
    """
    while isinstance(iterable, ast.Call) and iterable.args:
        if facts.name(iterable.func) not in _THROUGH:
            return False
        iterable = iterable.args[0]
    found = facts.origins(iterable)
    is_seen = found.complete and len(found.nodes) == len(found.items) == 1
    node = found.nodes[0] if is_seen else iterable
    part = node.slice if isinstance(node, ast.Subscript) else None
    if not isinstance(part, ast.Slice) or part.step is not None:
        return False
    ends = [end for end in (part.lower, part.upper) if end is not None]
    return len(ends) == 1 and by_rank(facts, ends[0]) and not depends_on_size(facts, ends[0])


def _is_cut(facts: Facts, function: ast.AST, by_rank: Test) -> bool:
    yields = (n for n in within(function) if isinstance(n, (ast.Yield, ast.YieldFrom)))
    tests = (test for each in yields for test in tests_around(facts, each))
    return any(by_rank(facts, test) and not depends_on_size(facts, test) for test in tests)
