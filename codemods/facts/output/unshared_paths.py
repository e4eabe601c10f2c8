"""Paths of checkpoints that only rank 0 gets to know, as it alone saves them."""

from __future__ import annotations

import ast

from ..facts import Facts
from ..training.pattern import Pattern, training_of
from .file_accesses import Access
from .guards import is_left_to_rank_zero
from .outputs import gives_a_path


def unshared(facts: Facts, access: Access) -> ast.expr | None:
    """The argument of a call that reads which may be the path that a save of rank 0 gave."""
    for given in [*access.call.args, *(k.value for k in access.call.keywords)]:
        made = facts.origins(given).nodes
        if any(_is_given_to_one(facts, node) for node in made):
            return given
    return None


def _is_given_to_one(facts: Facts, node: ast.AST) -> bool:
    is_path = isinstance(node, ast.Call) and gives_a_path(facts, node)
    return is_path and is_left_to_rank_zero(facts, node)


def can_be_shared(facts: Facts, path: ast.expr) -> bool:
    """Whether it has a name, and the Horovod of the program can broadcast it."""
    is_named = isinstance(path, ast.Name) or (
        isinstance(path, ast.Attribute) and isinstance(path.value, ast.Name)
    )
    return is_named and training_of(facts).pattern is not Pattern.KERAS
