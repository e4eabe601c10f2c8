"""What runs while the other modules of a project are imported: before `hvd.init()` of the entry."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...program.node_fields import children
from ...program.parts import FUNCTIONS, outer_parts
from ..facts import Facts, recorded
from ..training.pattern import training_of


def calls_at_import(statement: ast.stmt) -> Iterator[ast.Call]:
    """The calls that run with a statement of a module; what functions hold runs later."""
    return (node for node in _nodes(statement) if isinstance(node, ast.Call))


@recorded
def functions_at_import(facts: Facts) -> frozenset[ast.AST]:
    """The functions that run, decorators among them, while other modules are imported."""
    own, found = set(facts.body), set[ast.AST]()
    for statement in facts.module.body:
        if statement not in own:
            for expr in _called(statement):
                for function in facts.program.functions(expr).nodes:
                    found |= {function, *training_of(facts).reached(function)}
    return frozenset(found)


def _called(statement: ast.stmt) -> Iterator[ast.expr]:
    for node in _nodes(statement):
        if isinstance(node, ast.Call):
            yield node.func
        yield from getattr(node, "decorator_list", ())


def _nodes(statement: ast.stmt) -> Iterator[ast.AST]:
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += outer_parts(node) if isinstance(node, FUNCTIONS) else children(node)
