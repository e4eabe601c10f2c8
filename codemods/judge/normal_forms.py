"""The form in which a program and its result on one worker are compared: a closed list.

A name for a value, a share of one, a `with` of a tape that ends where its gradients are asked for:
the forms of expressions and statements stand in the modules beside. Whatever else differs is a
difference.
"""

from __future__ import annotations

import ast
from collections.abc import Collection

from ..program.node_fields import within
from .expressions import Forms
from .folders import Folders
from .one_worker import Imports, Worker
from .statements import DEFINITIONS, Blocks, Names
from .unlooped import hand_on, put_back


def normal(
    tree: ast.Module, imports: Imports, own: frozenset[str] = frozenset(), passes: int = 1
) -> None:
    """Bring a tree into its normal form.

    `own`: the names that only a result has, of its own and of other files; `passes`: as of Worker.
    """
    hand_on(tree, own, imports.functions)
    if own:
        put_back(tree, own)
    Worker(imports, 0, 1, passes).visit(tree)
    Folders(imports).visit(tree)
    for _ in range(2):  # what is put in place of a name may be a form again
        Forms(imports, own).visit(tree)
        Worker(imports, 0, 1).visit(tree)
        Blocks(imports, own).clean(tree)
        if own:
            Names(imports, own).put_in(tree)
    Forms(imports, own).visit(tree)
    Blocks(imports, own).clean(tree)


def names_of(tree: ast.Module) -> set[str]:
    """The names that a text binds or reads, and its attributes behind a dot."""
    found: set[str] = set()
    for node in within(tree):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, (*DEFINITIONS, ast.arg)):
            found.add(node.arg if isinstance(node, ast.arg) else node.name)
        elif isinstance(node, ast.alias):
            found.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.Attribute):
            found.add(f".{node.attr}")
    return found


def fresh_names(tree: ast.Module, known: Collection[str]) -> frozenset[str]:
    """The names and attributes that a result binds and the original doesn't have."""
    found: set[str] = set()
    for node in within(tree):
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Store):
            found.add(node.id if isinstance(node, ast.Name) else f".{node.attr}")
        elif isinstance(node, (*DEFINITIONS, ast.arg)):
            found.add(node.arg if isinstance(node, ast.arg) else node.name)
    return frozenset(found - set(known))
