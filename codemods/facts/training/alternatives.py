"""Whether a run trains by `fit` or by a tape, and never by both: a branch decides.

Then one model, and one optimizer, may serve both: `compile` wraps it for `fit`, which makes a new
one, and the tape applies the one that it was made of.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..precedence import LOOPS, lifted

if TYPE_CHECKING:
    from ..facts import Facts


def are_alternatives(facts: Facts, some: Iterable[ast.Call], others: Iterable[ast.Call]) -> bool:
    """Whether no run comes to one of these calls and to one of the others."""
    others = list(others)
    return all(_is_either(facts, call, other) for call in some for other in others)


def _is_either(facts: Facts, call: ast.Call, other: ast.Call) -> bool:
    mine, theirs = lifted(facts, call), lifted(facts, other)
    pairs = [(a, b) for scope, a in mine for also, b in theirs if scope is also]
    differ = [(a, b) for a, b in pairs if a is not b]
    repeats = any(facts.in_loop(a) for a, b in pairs if a is b)  # another branch each time
    return bool(differ) and not repeats and all(_are_branches(facts, a, b) for a, b in differ)


def _are_branches(facts: Facts, node: ast.AST, other: ast.AST) -> bool:
    """Whether they stand in the two branches of one `if`, around which nothing loops."""
    below = {parent: child for child, parent in _steps_up(facts, node)}
    for child, parent in _steps_up(facts, other):
        if parent in below:
            is_if = isinstance(parent, ast.If) and _branch(parent, child) != _branch(
                parent, below[parent]
            )
            return is_if and not any(isinstance(each, LOOPS) for each in facts.parents(parent))
    return False


def _steps_up(facts: Facts, node: ast.AST) -> Iterable[tuple[ast.AST, ast.AST]]:
    parents = [node, *facts.parents(node)]
    return zip(parents, parents[1:])


def _branch(test: ast.If, child: ast.AST) -> str:
    return next((name for name in ("body", "orelse") if child in getattr(test, name)), "test")
