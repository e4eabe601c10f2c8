"""Runs that rank 0 alone makes, as nothing but its own output reads them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.experiments import makes_run
from ..facts import Facts
from .experiments import own_runs, reads_runs
from .guards import is_left_to_rank_zero


def kept_runs(facts: Facts) -> dict[ast.Call, bool]:
    """The calls that make them, and whether a `with` enters what is made."""
    if reads_runs(facts):
        return {}
    found: dict[ast.Call, bool] = {}
    for call in own_runs(facts):
        place, target = _holder(facts, call)
        is_known = place is not None and makes_run(facts.name(call.func) or "")
        if is_known and all(is_left_to_rank_zero(facts, use) for use in _uses(facts, target)):
            found[call] = isinstance(place, ast.withitem)
    return found


def _holder(facts: Facts, call: ast.Call) -> tuple[ast.AST | None, ast.Name | None]:
    """The `with` or the assignment that a run goes to, and the name that it gets there."""
    parent = facts.parent(call)
    if isinstance(parent, ast.withitem):
        target = parent.optional_vars
        if target is None or isinstance(target, ast.Name):
            return parent, target
    if isinstance(parent, ast.Assign) and len(parent.targets) == 1:
        if isinstance(parent.targets[0], ast.Name):
            return parent, parent.targets[0]
    return None, None


def _uses(facts: Facts, target: ast.Name | None) -> Iterator[ast.AST]:
    """Where the name is read; also those of the same name that mean something else."""
    yield from () if target is None else facts.index.loads.get(target.id, ())
