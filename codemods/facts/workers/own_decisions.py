"""Collectives that a clock or random numbers of a worker's own decide about."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.agreement import is_rank, is_told
from ...library.draws import NUMPY, PYTHON, TENSORFLOW
from ..agreement.chance import seeded
from ..agreement.control import conditions, tests_around
from ..agreement.reasons import gives_own, valued_parts
from ..facts import Facts
from ..rank_domain import TAINTED, Taint
from .collectives import STEP, collectives, names_of
from .rank_tests import ends_quietly

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
        tests = condition.tests if condition.kind in ("branch", "loop") else ()
        jumps = (jump for jump in condition.jumps if ends_quietly(facts, jump))
        behind = (test for jump in jumps for test in tests_around(facts, jump))
        for test in (*tests, *behind):
            if isinstance(test, ast.expr) and test not in facts.order.iterables:
                yield test


def _sources(facts: Facts, test: ast.expr) -> Iterator[ast.Call]:
    """The clocks, draws and models whose answer nobody averages on the way to a test."""
    if facts.program.value(TAINTED, test) is Taint.RANK:
        return
    parts = (facts.program.ingredients(p, lambda n: _is_told(facts, n)) for p in valued_parts(test))
    for node in (node for part in parts for node in part):
        if isinstance(node, ast.Call) and (gives_own(facts, node) or _is_cut(facts, test, node)):
            name = facts.name(node.func) or ""
            if name.rpartition(".")[0] not in seeded(facts) or not name.startswith(_DRAWN):
                yield node


def _is_cut(facts: Facts, test: ast.expr, call: ast.Call) -> bool:
    """Whether the data of a test is cut by the worker's number, which this call gives."""
    is_data = facts.program.value(TAINTED, test) is Taint.OWN
    return is_data and any(is_rank(name) for name in names_of(facts, call))


def _is_told(facts: Facts, node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and any(is_told(name) for name in names_of(facts, node))
