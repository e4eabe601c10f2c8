"""Loops that take their batches as slices of arrays, and the number of rows that they go by.

`for i in range(0, len(x), BATCH)` with `x[i : i + BATCH]`, and `for i in range(len(x) // BATCH)`
with `x[i * BATCH : (i + 1) * BATCH]`: every place of that number counts rows, as lengths do.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.agreement import RANGES
from ...program.node_fields import within
from ...program.records import NamedTuple
from ..facts import Facts
from ..training.training_loops import trains, without_bar
from .array_loops import Loop, loops

_SMALL = (0, 1, -1, None)


class Sliced(NamedTuple):
    """A loop, where its arrays are cut, and each place of the number of rows; none: unknown."""

    loop: ast.For
    before: ast.stmt
    places: tuple[ast.expr, ...]


def sliced_loops(facts: Facts) -> Iterator[Sliced]:
    """Each loop that trains on slices of arrays that are shared out."""
    for loop in loops(facts):
        for node in facts.index.nodes(ast.For):
            call = without_bar(facts, node.iter)
            is_range = isinstance(call, ast.Call) and facts.name(call.func) in RANGES
            if is_range and trains(facts, node) and not _holds_another(facts, node):
                yield Sliced(node, loop.before, tuple(_places(facts, node, loop)))


def _holds_another(facts: Facts, loop: ast.For) -> bool:
    inner = (n for n in within(loop) if isinstance(n, ast.For) and n is not loop)
    return any(trains(facts, each) for each in inner)


def _places(facts: Facts, node: ast.For, loop: Loop) -> list[ast.expr]:
    """The places of the one number of rows; none where it isn't one, or other numbers are about."""
    if loop.steps is not None or loop.is_behind or not isinstance(node.target, ast.Name):
        return []
    numbers = [*_numbers(facts, node, loop)]
    if any(map(_is_other, numbers)) or not _is_only_index(node, numbers):
        return []
    sizes = [n for number in numbers for n in within(number) if _is_size(facts, n, node, loop)]
    words = {ast.dump(n) for n in sizes}
    return sizes if len(words) == 1 else []  # type: ignore[return-value]


def _numbers(facts: Facts, node: ast.For, loop: Loop) -> Iterator[ast.expr]:
    """What says how often the loop runs, and which rows a round takes; by way of their names."""
    call = without_bar(facts, node.iter)
    assert isinstance(call, ast.Call)
    waiting: list[ast.expr] = [*call.args]
    slices = (n for n in within(node) if isinstance(n, ast.Slice))
    waiting += [each for part in slices for each in (part.lower, part.upper) if each is not None]
    seen: set[int] = set()
    for number in waiting:
        if id(number) in seen:
            continue
        seen.add(id(number))
        yield number
        for name in (n for n in within(number) if isinstance(n, ast.Name)):
            made = _made(facts, name)
            if made is not None and name.id not in (node.target.id, *loop.arrays):  # type: ignore[attr-defined]
                waiting.append(made)


def _made(facts: Facts, name: ast.Name) -> ast.expr | None:
    """What is reckoned, and bound to a name once: `steps = len(x) // BATCH`."""
    bound = facts.names.bindings(name)
    value = bound[0].value if len(bound) == 1 and bound[0].kind == "assign" else None
    return value if isinstance(value, (ast.BinOp, ast.Call)) else None


def _is_other(number: ast.expr) -> bool:
    """Whether a number is in it that is neither 0 nor 1, beside others: `len(x) - 7`."""
    parts = [n for n in within(number) if isinstance(n, ast.Constant)]
    return not isinstance(number, ast.Constant) and any(n.value not in _SMALL for n in parts)


def _is_only_index(node: ast.For, numbers: list[ast.expr]) -> bool:
    """Whether the counter of rows does nothing but say which they are; that of rounds may."""
    call = node.iter
    target = node.target.id  # type: ignore[attr-defined]
    is_of_rounds = isinstance(call, ast.Call) and len(call.args) == 1
    inside = {id(n) for number in numbers for n in within(number)}
    uses = (n for n in within(node) if isinstance(n, ast.Name) and n.id == target)
    return is_of_rounds or all(id(n) in inside or n is node.target for n in uses)


def _is_size(facts: Facts, node: ast.AST, loop: ast.For, cut: Loop) -> bool:
    """Whether a name stands for a number of the program: no counter, array, length or count."""
    if not isinstance(node, ast.Name) or node.id in (loop.target.id, *cut.arrays):  # type: ignore[attr-defined]
        return False
    made = facts.origins(node)
    values = [getattr(each, "value", None) for each in made.nodes]
    return made.complete and bool(values) and all(type(each) is int for each in values)
