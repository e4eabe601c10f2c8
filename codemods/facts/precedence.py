"""What may run before what, in one run of a program.

It follows calls, not values: from a place to the calls of the function around it, which the engine
knows (`call_sites`), up to the module.
"""

from __future__ import annotations

import ast

from ..program.parts import FunctionNode
from .facts import Facts, recorded

Run = tuple[ast.AST, ast.AST]  # a function, or the module, and a node in it
LOOPS = (ast.For, ast.AsyncFor, ast.While)


def may_precede(facts: Facts, first: ast.AST, second: ast.AST) -> bool:
    """Whether `first` can run before `second`: compared in the functions that call both.

    A function that nobody seems to call can run as soon as it is defined.
    """
    early, late = lifted(facts, first, is_first=True), lifted(facts, second)
    common = [(a, b) for scope, a in early for other, b in late if scope is other]
    return not common or any(_is_before(facts, a, b) for a, b in common)


def lifted(facts: Facts, node: ast.AST, is_first: bool = False) -> list[Run]:
    """The node in its function, and the calls of that function in theirs, up to the module.

    `is_first`: where there are none, the definition of that function, in the function around it.
    """
    known = _lifted(facts)
    if (node, is_first) not in known:
        known[node, is_first] = _lift(facts, node, is_first)
    return known[node, is_first]


@recorded
def _lifted(facts: Facts) -> dict[tuple[ast.AST, bool], list[Run]]:
    """What is known already: a change of state is compared with every step, again and again."""
    return {}


def _lift(facts: Facts, node: ast.AST, is_first: bool) -> list[Run]:
    seen: dict[ast.AST, ast.AST] = {}
    queue = [node]
    while queue:
        current = queue.pop()
        if current in seen:
            continue
        scope = seen[current] = facts.function(current) or facts.module
        if isinstance(scope, FunctionNode):
            sites = facts.call_sites(scope)
            queue.extend(sites or ([scope] if is_first else []))
    return [(scope, run) for run, scope in seen.items()]


def _is_before(facts: Facts, first: ast.AST, second: ast.AST) -> bool:
    if place(first) < place(second):
        return True
    around = {parent for parent in facts.parents(first) if isinstance(parent, LOOPS)}
    return any(parent in around for parent in facts.parents(second))


def place(node: ast.AST) -> tuple[int, int]:
    """Where a node stands; a comprehension's loop, which has no place, stands at its target."""
    placed = node.target if isinstance(node, ast.comprehension) else node
    return placed.lineno, placed.col_offset  # type: ignore[attr-defined]
