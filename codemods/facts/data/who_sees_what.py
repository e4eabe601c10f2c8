"""What decides which examples a worker sees: what they are made of, picked by, and looped over."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ...library.agreement import LENGTHS
from ...program.node_fields import within
from ..facts import Facts, recorded
from ..training import fits
from ..training.training_loops import trains
from .handed_batches import handed_batches

Found = frozenset[ast.AST]
_OF_FIT = ("x", "generator", "y", "sample_weight", "validation_data")
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@recorded
def ingredients_of_training_data(facts: Facts) -> Found:
    """All that the examples of training and validation are made from, and loops that make them."""
    return frozenset(_behind(facts, examples(facts)))


@recorded
def picking(facts: Facts) -> Found:
    """All that the numbers are made from by which examples are picked: `x[order]`."""
    subscripts = (
        node for node in ingredients_of_training_data(facts) if isinstance(node, ast.Subscript)
    )
    return frozenset(_behind(facts, [subscript.slice for subscript in subscripts]))


def examples(facts: Facts) -> Iterator[ast.expr]:
    """What every `fit` and `evaluate` is given, what loops that train run over, and hand out."""
    for call in (*fits.fits(facts), *fits.tests(facts)):
        for name in _OF_FIT:
            yield from fits.arguments(facts, call, name)
    for node in facts.index.nodes(ast.For):
        if trains(facts, node):
            yield node.iter
    for arrays in handed_batches(facts).arrays.values():
        yield from arrays.held


def _behind(facts: Facts, start: Iterable[ast.expr]) -> set[ast.AST]:
    """With what loops run over: `for name in names: data.append(load(name))`."""
    found: set[ast.AST] = set()
    waiting: list[ast.expr] = list(start)

    def is_length(node: ast.AST) -> bool:
        return isinstance(node, ast.Call) and facts.name(node.func) in LENGTHS

    further = facts.program.further(is_length)
    while waiting:
        expr = waiting.pop()
        if expr not in found:
            new = set(further(expr)) - found
            found |= new
            waiting += (over for node in new for over in _loops(facts, node))
            waiting += (held for node in new for held in _held(facts, node))
    return found


def _held(facts: Facts, made: ast.AST) -> Iterator[ast.expr]:
    """What an object of the program's own keeps that gives examples by number."""
    cls = facts.classes.local(made.func) if isinstance(made, ast.Call) else None
    if cls is None or facts.classes.method(cls, "__getitem__") is None:
        return
    for node in (n for each in facts.classes.ancestors(cls) for n in within(each)):
        targets = node.targets if isinstance(node, ast.Assign) else []
        if any(isinstance(target, ast.Attribute) for target in targets):
            yield node.value  # type: ignore[attr-defined]


def _loops(facts: Facts, node: ast.AST) -> Iterator[ast.expr]:
    """What the loop around a value runs over that is put into a list there."""
    if isinstance(node, _COMPREHENSIONS):
        yield from (generator.iter for generator in node.generators)
    if isinstance(node, ast.expr):
        yield from (p.iter for p in facts.parents(node) if isinstance(p, ast.For))
