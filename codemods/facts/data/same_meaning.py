"""Whether names mean the same at another place: by the order in which statements run."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...program.node_fields import within
from ..facts import Facts


def means_the_same(facts: Facts, expr: ast.expr, statement: ast.stmt) -> bool:
    """Whether an expression would give the same once more where a statement begins."""
    inside = set(within(expr))
    for name in _names(expr):
        version = facts.order.reads.get(name)
        if version is None or version.node in inside:  # the `i` of `[i for i in a]`
            continue
        if version is not facts.order.at(statement, name.id) or _rebinds(statement, name.id):
            return False
    return not isinstance(statement, ast.While)  # its test is asked again and again


def stay_bound(facts: Facts, expr: ast.expr, first: ast.stmt, second: ast.stmt) -> bool:
    """Whether the names of an expression are bound alike where two statements begin."""
    names = {name.id for name in _names(expr) if name in facts.order.reads}
    versions = ((facts.order.at(first, n), facts.order.at(second, n)) for n in names)
    return all(before is not None and before is behind for before, behind in versions)


def _names(expr: ast.expr) -> Iterator[ast.Name]:
    return (n for n in within(expr) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))


def _rebinds(statement: ast.stmt, name: str) -> bool:
    """`f(x := 1, ds)`."""
    walruses = (n for n in within(statement) if isinstance(n, ast.NamedExpr))
    return any(walrus.target.id == name for walrus in walruses)
