"""Runs of experiment loggers: one for the program, not one for each worker."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.experiments import is_plain_run, logs, makes_run, reads_run, silenced
from ..by_rank import is_decided
from ..facts import Facts, recorded


def is_logged(facts: Facts, call: ast.Call) -> bool:
    """Whether it is a statement that begins a run, writes to it or ends it, and nothing more."""
    if not isinstance(facts.parent(call), ast.Expr):
        return False
    name = facts.name(call.func)
    if name is None:
        return isinstance(call.func, ast.Attribute) and is_run(facts, call.func.value)
    return logs(name) or (is_plain_run(name) and not reads_runs(facts))


def is_stored(facts: Facts, target: ast.AST) -> bool:
    """`run["rate"] = 0.1` writes to a run."""
    return isinstance(target, ast.Subscript) and is_run(facts, target.value)


def is_run(facts: Facts, expr: ast.expr) -> bool:
    """Whether the value is a run that nothing silences, and nothing else."""
    if not (isinstance(expr, ast.Name) and _makes_runs(facts)):
        return False
    origins = facts.origins(expr)
    made = [node for node in origins.nodes if isinstance(node, ast.Call)]
    is_sure = origins.complete and len(made) == len(origins.nodes) > 0
    return is_sure and all(makes_run(facts.name(call.func) or "") for call in made)


@recorded
def _makes_runs(facts: Facts) -> bool:
    return any(makes_run(facts.name(call.func) or "") for call in facts.index.calls)


@recorded
def reads_runs(facts: Facts) -> bool:
    """Whether the program asks for its run, which the other workers don't have then."""
    return any(reads_run(facts.name(call.func) or "") for call in facts.index.calls)


def own_runs(facts: Facts) -> Iterator[ast.Call]:
    """The calls by which each worker would make a run of its own."""
    for call in facts.index.calls:
        name = facts.name(call.func) or ""
        is_made = makes_run(name) and not is_logged(facts, call)
        is_hidden = silenced(name) is not None and any(k.arg is None for k in call.keywords)
        if (is_made or is_hidden) and not is_decided(facts, call):
            yield call
