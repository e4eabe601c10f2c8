"""Whether from a cut on nothing but a loop reads an array, which it takes slices of."""

from __future__ import annotations

import ast

from ...program.records import NamedTuple
from ..facts import Facts
from .same_meaning import means_the_same, stay_bound

_LAZY = (ast.Lambda, ast.GeneratorExp)


class Cut(NamedTuple):
    """A cut before `first`, for a loop; which reads of the array are known, and its new orders."""

    first: ast.stmt
    loop: ast.stmt
    allowed: frozenset[int]
    reorders: frozenset[ast.stmt]


def is_only_sliced(facts: Facts, name: ast.expr, cut: Cut) -> bool:
    """Whether the array belongs to the function, and from the cut on only the loop reads it."""
    assert isinstance(name, ast.Name)
    owner = facts.scope(name).find(name.id)
    if owner is None or owner.node is not (facts.function(name) or facts.module):
        return False
    if not _is_as_before(facts, name, cut):
        return False
    for use in facts.readers(name):
        if id(use) not in cut.allowed and not _is_before(facts, use, cut.first):
            return False
    return True


def _is_as_before(facts: Facts, name: ast.Name, cut: Cut) -> bool:
    """Whether it still holds what it did at the cut, if only in a new order."""
    made = [facts.statement(binding.node) for binding in facts.names.bindings(name)]
    inside = [s for s in made if s is cut.loop or cut.loop in facts.parents(s)]
    if inside and cut.reorders.issuperset(inside):
        return stay_bound(facts, name, cut.first, cut.loop)
    return means_the_same(facts, name, cut.first)


def _is_before(facts: Facts, use: ast.AST, first: ast.stmt) -> bool:
    """Whether it is read for the last time then; a lambda may be called at any time.

    No loop stands around `first` (it is in the block of the outermost one): in one run of the
    function the lines run in the order of the text, so that there is no flow to follow.
    """
    around = (node for node in facts.parents(use) if isinstance(node, _LAZY))
    same = facts.function(use) is facts.function(first)
    return same and getattr(use, "lineno", 0) < first.lineno and next(around, None) is None
