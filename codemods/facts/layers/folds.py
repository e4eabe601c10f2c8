"""What runs steps by itself, where no loop stands that D501 could rewrite."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...library.loops import FOLDS, RUNS_CELLS
from .derivatives import recorded

if TYPE_CHECKING:
    from ..facts import Facts

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)


def folds(facts: Facts) -> Iterator[tuple[ast.expr, str]]:
    """Calls under a gradient that hand on a value from step to step, with their names.

    And comprehensions that do, by `:=`, and layers of Keras that run a cell over time.
    """
    for call in facts.calls_of(*RUNS_CELLS):
        yield call, (facts.name(call.func) or "").replace("tensorflow.", "tf.", 1)
    for node in dict.fromkeys(recorded(facts)):
        if isinstance(node, ast.Call) and facts.name(node.func) in FOLDS:
            yield node, (facts.name(node.func) or "").replace("tensorflow.", "tf.", 1)
        elif isinstance(node, _COMPREHENSIONS):
            inside = [n for n in ast.walk(node) if isinstance(n, ast.NamedExpr)]
            if inside and _is_handed_on(node, inside[0]):
                yield node, "a comprehension"


def _is_handed_on(node: ast.AST, named: ast.NamedExpr) -> bool:
    assert isinstance(named.target, ast.Name)
    names = [n for n in ast.walk(named.value) if isinstance(n, ast.Name)]
    return any(n.id == named.target.id for n in names)
