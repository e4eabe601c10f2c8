"""Which value makes workers decide differently, in words: what is known to be each one's own."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..agreement_domain import Agreement
from ..causes import spelled
from ..facts import Facts
from ..ingredients import ingredients
from ..roles import Role
from .chance import is_seeded
from .control import Decision, agreement, is_shared, tests_around

VALUES = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)


def why_different(facts: Facts, decision: Decision) -> str:
    """`; `time.time()` in line 5 is each worker's own`, or nothing where no value is to blame."""
    test = test_of(facts, decision)
    if test is None:
        return ""
    source = next(sources(facts, test), None)
    if source is not None:
        line, here = facts.place(source)[0], facts.place(decision)[0]
        where = f" in line {line}" if line != here else ""
        return f"; `{spelled(source)}`{where} is each worker's own"
    values = (node for node in ast.walk(test) if isinstance(node, VALUES))
    value = next((node for node in values if not is_shared(facts, node)), None)
    what = "" if value is None else f"whether `{spelled(value)}` is the same on all of them"
    return f"; unknown: {what}" if what else ""


def test_of(facts: Facts, decision: Decision) -> ast.expr | None:
    """The condition itself, or the one that leads to a jump."""
    if isinstance(decision, ast.expr):
        return decision
    tests = tests_around(facts, decision)
    return next((test for test in tests if not is_shared(facts, test)), None)


def sources(facts: Facts, test: ast.AST) -> Iterator[ast.expr]:
    """Library functions that give each worker a value of its own, called on the way to a test.

    Last what a model computes: of the share of the worker, if it trains.
    """
    computed: list[ast.expr] = []
    for node in ingredients(facts, test):
        if isinstance(node, ast.Call) and facts.role(node.func) is Role.MODEL:
            computed.append(node)
        elif isinstance(node, ast.Call) and facts.name(node.func) is not None:
            if agreement(facts, node.func) is Agreement.DIFFERS and not is_seeded(facts, node):
                yield node
    yield from computed
