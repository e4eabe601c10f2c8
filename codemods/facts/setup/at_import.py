"""What runs while the other modules of a project are imported: before `hvd.init()` of the entry."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...program.node_fields import children
from ...program.parts import FUNCTIONS, outer_parts
from ..facts import Facts, recorded
from ..training.pattern import training_of

MAKING = ("__new__", "__init__", "__post_init__")


def calls_inside(function: ast.AST) -> Iterator[ast.Call]:
    """The calls that run with a function; what functions in it hold runs when they are called."""
    body: list[ast.AST] | ast.AST = getattr(function, "body", [])
    for part in body if isinstance(body, list) else [body]:
        yield from (node for node in _nodes(part) if isinstance(node, ast.Call))


@recorded
def functions_at_import(facts: Facts) -> frozenset[ast.AST]:
    """The functions that run, decorators among them, while other modules are imported."""
    own, found = set(facts.body), set[ast.AST]()
    for statement in facts.module.body:
        if statement not in own:
            for expr in called_at_import(statement):
                found |= running(facts, expr)
    return frozenset(found)


def running(facts: Facts, expr: ast.expr) -> set[ast.AST]:
    """The functions that run where an expression is called: of a class, what makes an instance."""
    cls = facts.classes.local(expr)
    made = [facts.classes.method(cls, name) for name in MAKING] if cls is not None else []
    first = [*facts.program.functions(expr).nodes, *(each for each in made if each is not None)]
    return {home for function in first for home in training_of(facts).reached(function)}


def called_at_import(statement: ast.stmt) -> Iterator[ast.expr]:
    """The functions, decorators among them, that a statement of a module calls."""
    for node in _nodes(statement):
        if isinstance(node, ast.Call):
            yield node.func
        yield from getattr(node, "decorator_list", ())


def _nodes(statement: ast.AST) -> Iterator[ast.AST]:
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += outer_parts(node) if isinstance(node, FUNCTIONS) else children(node)
