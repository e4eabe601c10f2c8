"""Whether what a loop runs over has a length and can be cut, as a list can."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..facts import Facts

_SEQUENCES = ("builtins.range", "builtins.list", "builtins.tuple", "builtins.sorted",
              "tensorflow.unstack", "tensorflow.split")  # fmt: skip
_LISTS = (ast.List, ast.ListComp, ast.Tuple)


def is_sequence(facts: Facts, over: ast.expr) -> bool:
    """Whether it is known to be a list, a tuple or a range."""
    found = facts.origins(over)
    return (
        not found.unknown
        and bool(found.items)
        and all(isinstance(each.node, _LISTS) or _is_call(facts, each.node) for each in found.items)
    )


def _is_call(facts: Facts, node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and facts.name(node.func) in _SEQUENCES
