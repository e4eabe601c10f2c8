"""What a statement or an expression evaluates, and what it binds."""

from __future__ import annotations

import ast
from typing import Union

from ...program.node_fields import children, within
from ..scopes import Function

Bound = Union[ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign]


def changes_parameter(statement: ast.stmt, function: Function) -> bool:
    """`rows += [1]` changes the list that the caller passed as `rows`."""
    args = function.args
    own = {a.arg for a in [*args.posonlyargs, *args.args, *args.kwonlyargs]}
    changed = (node.target for node in within(statement) if isinstance(node, ast.AugAssign))
    return any(isinstance(target, ast.Name) and target.id in own for target in changed)


def evaluated(expr: ast.AST, lambdas: bool = True) -> list[ast.AST]:
    """The nodes of an expression; bodies of lambdas count as evaluated, for they may be called."""
    found, stack = [], [expr]
    while stack:
        node = stack.pop()
        found.append(node)
        if lambdas or not isinstance(node, ast.Lambda):
            stack.extend(children(node))
    return found


def arguments_of(call: ast.Call) -> list[ast.expr]:
    """The values that a call is given, in order."""
    return [*call.args, *(k.value for k in call.keywords)]


def targets(node: Bound) -> list[ast.AST]:
    """What a statement binds or changes, part by part."""
    targets: list[ast.AST] = []
    if isinstance(node, ast.Assign):
        targets += node.targets
    elif not isinstance(node, ast.Expr):
        targets.append(node.target)
    return [name for target in targets for name in names_of(target)]


def names_of(target: ast.AST) -> list[ast.AST]:
    """The parts of a target: `a, (b, *c)` has three."""
    if isinstance(target, (ast.Tuple, ast.List)):
        return [name for element in target.elts for name in names_of(element)]
    return [target.value] if isinstance(target, ast.Starred) else [target]
