"""Collectives that a clock or random numbers of a worker's own decide about."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.draws import NUMPY, PYTHON, TENSORFLOW
from ...library.ranks import is_own
from ..agreement.chance import seeded
from ..agreement.control import conditions
from ..facts import Facts
from ..rank_domain import TAINTED, Taint
from .collectives import STEP, collectives

_DRAWN = (NUMPY, PYTHON, TENSORFLOW)


def own_decisions(facts: Facts) -> Iterator[tuple[ast.Call, ast.expr, ast.Call]]:
    """The call, the test around it, and what each worker answers for itself."""
    for each in collectives(facts).values():
        for test in _tests(facts, each.call) if each.kind != STEP else ():
            source = next(_sources(facts, test), None)
            if source is not None:
                yield each.call, test, source
                break


def _tests(facts: Facts, call: ast.Call) -> Iterator[ast.expr]:
    for condition in conditions(facts, call):
        for test in condition.tests if condition.kind in ("branch", "loop") else ():
            if isinstance(test, ast.expr) and test not in facts.order.iterables:
                if facts.program.value(TAINTED, test) is Taint.OWN:
                    yield test


def _sources(facts: Facts, test: ast.expr) -> Iterator[ast.Call]:
    for node in facts.program.ingredients(test):
        name = facts.name(node.func) if isinstance(node, ast.Call) else None
        if isinstance(node, ast.Call) and name is not None and is_own(name):
            if name.rpartition(".")[0] not in seeded(facts) or not name.startswith(_DRAWN):
                yield node
