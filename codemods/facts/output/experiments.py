"""Runs of experiment loggers: one for the program, not one for each worker."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.experiments import is_plain_run, logs, makes_run, reads_run, silenced
from ..by_rank import is_decided
from ..facts import Facts, recorded


def is_logged(facts: Facts, call: ast.Call) -> bool:
    """Whether it is a statement that begins a run, writes to it or ends it, and nothing more."""
    name = facts.name(call.func) or ""
    if not isinstance(facts.parent(call), ast.Expr):
        return False
    return logs(name) or (is_plain_run(name) and not _reads_run(facts))


@recorded
def _reads_run(facts: Facts) -> bool:
    """Whether the program asks for its run, which the other workers don't have then."""
    return any(reads_run(facts.name(call.func) or "") for call in facts.index.calls)


def own_runs(facts: Facts) -> Iterator[ast.Call]:
    """The calls by which each worker makes a run of its own."""
    for call in facts.index.calls:
        name = facts.name(call.func) or ""
        is_made = makes_run(name) and not is_logged(facts, call)
        is_hidden = silenced(name) is not None and any(k.arg is None for k in call.keywords)
        if (is_made or is_hidden) and not is_decided(facts, call):
            yield call
