"""Classes of which nothing is made: models that a file holds beside the one that it trains."""

from __future__ import annotations

import ast

from ...library.words import words
from ..facts import Facts, recorded

# By which a class may be reached that no code names.
_BY_TEXT = words(
    """
    getattr globals locals vars eval exec __import__ import_module __dict__ __subclasses__ modules
    getmembers get_custom_objects deserialize custom_objects
    """
)


def is_idle(facts: Facts, node: ast.AST) -> bool:
    """Whether a node stands in a class of which nothing is made."""
    around = (parent for parent in facts.parents(node) if isinstance(parent, ast.ClassDef))
    return any(cls in _idle_classes(facts) for cls in around)


@recorded
def _idle_classes(facts: Facts) -> frozenset[ast.ClassDef]:
    """Those that nothing outside of them names, in a program that finds no class by its text."""
    if any(facts.index.loads.get(name) for name in _BY_TEXT):
        return frozenset()
    return frozenset(cls for cls in facts.index.nodes(ast.ClassDef) if not _is_named(facts, cls))


def _is_named(facts: Facts, cls: ast.ClassDef) -> bool:
    """Whether other code may make one: a decorator is given the class, too."""
    uses = facts.index.loads.get(cls.name, ())
    return bool(cls.decorator_list) or any(cls not in facts.parents(use) for use in uses)
