"""What a value may be made from: everything in its expression, and behind the names in there.

Where `values` says what a value *is*, and gives up at a container or a call of who knows what, this
goes on: `copy(opt)`, `opts["first"]`, `state.opt` and `next(iter(opts))` hold what went into them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from .facts import Facts
from .flow import PUTS
from .functions import returns
from .roles import Role
from .walks import reached


def ingredients(
    facts: Facts, expr: ast.AST, closed: frozenset[Role] = frozenset()
) -> Iterator[ast.AST]:
    """The parts of the expression and of what flows into it, each once; none of closed roles."""

    def behind(node: ast.AST) -> Iterable[ast.AST]:
        is_closed = closed and isinstance(node, ast.expr) and facts.role(node) in closed
        return () if is_closed else _behind(facts, node)

    return reached([expr], behind)


def _behind(facts: Facts, node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.expr):
        yield from ast.iter_child_nodes(node)
    if isinstance(node, ast.keyword):
        yield node.value
    if isinstance(node, (ast.Name, ast.Attribute)):
        yield from _held(facts, node)
    if isinstance(node, ast.Call):
        function = facts.callee(node)
        values = [] if function is None else [r.value for r in returns(function)]
        yield from (value for value in values if value is not None)


def _held(facts: Facts, node: ast.Name | ast.Attribute) -> Iterator[ast.AST]:
    """What a name or an attribute is bound to, and what is put into it."""
    yield from facts.origins(node).nodes
    for binding in facts.names.bindings(node):
        if binding.kind != "import" and binding.value is not None:
            yield binding.value
    if isinstance(node, ast.Attribute):
        yield from _stored(facts, node)
    for use in facts.index.loads.get(node.id if isinstance(node, ast.Name) else node.attr, ()):
        if facts.names.bindings(use) == facts.names.bindings(node):
            yield from _put(facts, use)


def _stored(facts: Facts, node: ast.Attribute) -> Iterator[ast.AST]:
    """What is stored in the attribute of an object that is of no class of this module."""
    for target, binding in facts.index.attribute_stores.get(node.attr, ()):
        is_known = facts.classes.self_class(target.value) or facts.values.instance_of(target.value)
        if not is_known and binding.value is not None:
            yield binding.value


def _put(facts: Facts, use: ast.AST) -> Iterator[ast.AST]:
    """`opts["first"] = opt`, `opts.append(opt)`, `model.compile(optimizer=opt)`."""
    parent = facts.parent(use)
    if isinstance(parent, ast.Subscript) and isinstance(parent.ctx, ast.Store):
        value = getattr(facts.statement(parent), "value", None)
        yield from [] if value is None else [value]
    if isinstance(parent, ast.Attribute) and parent.attr in (*PUTS, "compile"):
        call = facts.parent(parent)
        if isinstance(call, ast.Call) and call.func is parent:
            yield from (*call.args, *call.keywords)
