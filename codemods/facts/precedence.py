"""What may run before what, in one run of a program."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .facts import Facts
from .scopes import FunctionNode

LOOPS = (ast.For, ast.AsyncFor, ast.While)


def may_precede(facts: Facts, first: ast.AST, second: ast.AST) -> bool:
    """Whether `first` can run before `second`: compared in the functions that call both.

    A function that nobody seems to call can run as soon as it is defined.
    """
    early, late = list(lifted(facts, first, is_first=True)), list(lifted(facts, second))
    common = [(a, b) for scope, a in early for other, b in late if scope is other]
    return not common or any(_is_before(facts, a, b) for a, b in common)


def lifted(
    facts: Facts, node: ast.AST, is_first: bool = False
) -> Iterator[tuple[ast.AST, ast.AST]]:
    """The node in its function, and the calls of that function in theirs, up to the module.

    `is_first`: where there are none, the definition of that function, in the function around it.
    """
    seen: set[ast.AST] = set()
    queue = [node]
    while queue:
        current = queue.pop()
        if current in seen:
            continue
        seen.add(current)
        scope = facts.function(current) or facts.module
        yield scope, current
        if isinstance(scope, FunctionNode):
            sites = facts.call_sites(scope)
            queue.extend(sites or ([scope] if is_first else []))


def _is_before(facts: Facts, first: ast.AST, second: ast.AST) -> bool:
    if _place(facts, first) < _place(facts, second):
        return True
    around = {parent for parent in facts.parents(first) if isinstance(parent, LOOPS)}
    return any(parent in around for parent in facts.parents(second))


def _place(facts: Facts, node: ast.AST) -> tuple[int, int]:
    """Where a node stands; a comprehension's loop, which has no place, stands at its target."""
    return facts.place(node.target if isinstance(node, ast.comprehension) else node)
