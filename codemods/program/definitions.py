"""Functions, classes, imports, `type`, and the plain assignments."""

from __future__ import annotations

import ast

from .expressions import evaluate
from .node_fields import children, nodes_in
from .parts import Function, outer_parts, type_parameters, typed_parts
from .targets import bind_target
from .versions import Exit, Version
from .walk import Walk


def walk_plain(walk: Walk, node: ast.AST) -> None:
    """A statement that binds nothing but by `:=`."""
    evaluate(walk, *reversed(nodes_in(node)))


def walk_assert(walk: Walk, node: ast.Assert) -> None:
    """`assert`: the message is evaluated only when it fails."""
    evaluate(walk, node.test)
    condition = walk.state.condition
    walk.under("raise", node.test)
    walk.state.open()
    evaluate(walk, node.msg)
    walk.state.undo()
    walk.exits.append(Exit("raise", walk.state.condition, node))
    walk.state.condition = condition


def walk_assign(walk: Walk, node: ast.Assign | ast.AnnAssign) -> None:
    """`a = b = …`, `a: int = …`; an annotation alone binds nothing."""
    if isinstance(node, ast.AnnAssign):
        evaluate(walk, node.annotation)
    if node.value is None:
        return
    evaluate(walk, node.value)
    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
        evaluate(walk, *bind_target(walk, target, node.value))


def walk_augmented(walk: Walk, node: ast.AugAssign) -> None:
    """`a += b`: the target is read, and bound to what the whole statement makes."""
    if isinstance(node.target, ast.Name):
        walk.read(node.target)
    evaluate(walk, node.value)
    evaluate(walk, *bind_target(walk, node.target, node, kind="aug"))


def walk_function(walk: Walk, node: Function) -> None:
    """`def`: its body is a frame of its own."""
    evaluate(walk, *outer_parts(node))
    _types(walk, node)
    walk.define(node)
    walk.bind(node.name, Version("def", node, node))


def walk_class(walk: Walk, node: ast.ClassDef) -> None:
    """`class`: its body runs where it stands."""
    evaluate(walk, *outer_parts(node))
    _types(walk, node)
    outside, walk.scope = walk.scope, walk.record.scopes.of[node]
    walk.block(node.body)
    walk.scope = outside
    walk.bind(node.name, Version("class", node, node))


def walk_type(walk: Walk, node: ast.AST) -> None:
    """`type X[T] = …`: the value is evaluated when somebody asks for it."""
    was_lazy, walk.is_lazy = walk.is_lazy, True
    _types(walk, node, node.value)  # type: ignore[attr-defined]
    walk.is_lazy = was_lazy
    name: ast.Name = node.name  # type: ignore[attr-defined]
    walk.bind(name.id, Version("assign", name, node))


def _types(walk: Walk, node: ast.AST, *values: ast.AST) -> None:
    """Bases and annotations, where the parameters of a type are seen."""
    outside, parameters = walk.scope, type_parameters(node)
    if parameters:
        walk.scope = walk.record.scopes.of[parameters[0]]
    for parameter in parameters:
        walk.bind(parameter.name, Version("type", parameter))  # type: ignore[attr-defined]
        evaluate(walk, *children(parameter))
    evaluate(walk, *typed_parts(node), *values)
    walk.scope = outside


def walk_import(walk: Walk, node: ast.Import | ast.ImportFrom) -> None:
    """`import`; one of `*` may bind anything that the module binds."""
    for alias in node.names:
        if alias.name != "*":
            name = alias.asname or alias.name.split(".")[0]
            walk.bind(name, Version("import", node, alias))
        elif isinstance(node, ast.ImportFrom):
            walk.record.stars.append(node)


def walk_delete(walk: Walk, node: ast.Delete) -> None:
    """`del`: names are unbound, parts of things evaluated."""
    targets: list[ast.expr] = list(node.targets)
    while targets:
        target = targets.pop()
        if isinstance(target, ast.Name):
            walk.unbind(target.id)
        elif isinstance(target, (ast.Tuple, ast.List)):
            targets += target.elts
        else:
            evaluate(walk, target)
