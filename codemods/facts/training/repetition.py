"""How often a place runs in one run of the program."""

from __future__ import annotations

import ast

from ..facts import Facts
from ..scopes import FunctionNode


def runs_once(facts: Facts, node: ast.AST, depth: int = 9) -> bool:
    """Whether `node` is evaluated at most once in a run of the program."""
    if facts.in_loop(node) or depth == 0:
        return False
    function = next(
        (p for p in facts.parents(node) if isinstance(p, (*FunctionNode, ast.Lambda))), None
    )
    if function is None:
        return True
    if isinstance(function, ast.Lambda):
        return False
    sites = facts.call_sites(function)
    if facts.values.escapes(function):
        return not sites and _is_main(facts, function)
    return len(sites) == 1 and runs_once(facts, sites[0], depth - 1)


def _is_main(facts: Facts, function: ast.AST) -> bool:
    """`app.run(main)`."""
    uses = facts.index.loads.get(function.name, [])  # type: ignore[attr-defined]
    parents = [facts.parent(use) for use in uses]
    return (
        len(parents) == 1
        and isinstance(parents[0], ast.Call)
        and ast.unparse(parents[0].func).endswith("run")
    )
