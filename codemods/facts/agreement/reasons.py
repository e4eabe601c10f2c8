"""Which value makes workers decide differently, in words: what is known to be each one's own."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Callable

from ...library import agreement as table
from ...library.agreement import COLLECTIVES, SHARED_MEMBERS
from ..agreement_domain import Agreement
from ..causes import spelled
from ..facts import Facts, recorded
from ..input_files import is_of_inputs
from ..roles import Role
from ..training.session_runs import fetched_along
from ..value_parts import ingredients
from .chance import is_seeded
from .control import Decision, agreement, agreement_of_rounds, is_shared, tests_around

_SAYS = ("train_on_batch", "test_on_batch", "predict_on_batch")
_RACING = (
    "fetched along with a step: it may be the number before it on one worker, behind it on another "
    "(asked for in a run of its own behind the step, it is the same on all)"
)
VALUES = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)


def why_different(facts: Facts, decision: Decision) -> str:
    """`; `time.time()` in line 5 is each worker's own`, or nothing where no value is to blame."""
    test = test_of(facts, decision)
    if test is None:
        return ""
    racing = next((n for n in _values(test) if fetched_along(facts, n)), None)
    if racing is not None:
        return f"; `{spelled(racing)}` is {_RACING}"
    source = next(sources(facts, test), None)
    if source is not None:
        line, here = facts.place(source)[0], facts.place(decision)[0]
        where = f" in line {line}" if line != here else ""
        return f"; `{spelled(source)}`{where} is each worker's own"
    value = next((node for node in _values(test) if not is_shared(facts, node)), None)
    what = "" if value is None else f"whether `{spelled(value)}` is the same on all of them"
    return f"; nobody can tell {what}" if what else ""


def _values(test: ast.expr) -> list[ast.expr]:
    return [node for node in ast.walk(test) if isinstance(node, VALUES)]


def test_of(facts: Facts, decision: Decision) -> ast.expr | None:
    """The condition itself, or the one that leads to a jump."""
    if isinstance(decision, ast.expr):
        return decision
    tests = tests_around(facts, decision)
    return next((test for test in tests if not is_shared(facts, test)), None)


def is_own(facts: Facts, decision: Decision) -> bool:
    """Whether it is known that each worker decides by a value of its own, which nobody averages."""
    test = test_of(facts, decision)
    if test is None or test in facts.order.iterables:
        return False
    return any(map(_made_from_own(facts), valued_parts(test)))


@recorded
def _made_from_own(facts: Facts) -> Callable[[ast.AST], bool]:
    """Whether a worker's own value is behind another one, and no average of all of them."""

    def is_own_call(node: ast.AST) -> bool:
        return isinstance(node, ast.Call) and not is_told(node) and gives_own(facts, node)

    def is_told(node: ast.AST) -> bool:
        return isinstance(node, ast.Call) and facts.name(node.func) in COLLECTIVES

    return facts.program.sought(is_own_call, is_told)


def valued_parts(test: ast.expr) -> Iterator[ast.expr]:
    """What of a test asks for values; whether something is None, and shapes, are alike for all."""
    if isinstance(test, ast.BoolOp):
        for value in test.values:
            yield from valued_parts(value)
    elif isinstance(test, ast.UnaryOp):
        yield from valued_parts(test.operand)
    elif not any(_is_of_kind(node) for node in ast.walk(test)):
        yield test


def _is_of_kind(node: ast.AST) -> bool:
    if isinstance(node, ast.Compare):
        return isinstance(node.ops[0], (ast.Is, ast.IsNot))
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in ("isinstance", "hasattr", "len")
    return isinstance(node, ast.Attribute) and node.attr in SHARED_MEMBERS


def gives_own(facts: Facts, call: ast.Call) -> bool:
    """A clock, a draw that nobody seeds, what a model says of a worker's own batch."""
    name = facts.name(call.func)
    if name is not None:
        return table.is_own(name) and not is_seeded(facts, call)
    is_method = isinstance(call.func, ast.Attribute) and call.func.attr in _SAYS
    if isinstance(call.func, ast.Attribute) and call.func.attr == "fit":
        is_method = all(k.arg != "callbacks" for k in call.keywords)  # one averages its metrics
    model = call.func.value if is_method else call.func  # type: ignore[attr-defined]
    return facts.role(model) is Role.MODEL


def clocks(facts: Facts, test: ast.expr) -> Iterator[ast.Call]:
    """The clocks, and the draws that nobody seeds, on the way to a test; of what is told, none."""
    for part in valued_parts(test):
        for node in facts.program.ingredients(part, lambda n: _is_told(facts, n)):
            if isinstance(node, ast.Call) and facts.name(node.func) and gives_own(facts, node):
                yield node


def _is_told(facts: Facts, node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and table.is_told(facts.name(node.func) or "")


def by_clock(facts: Facts, decision: Decision) -> bool:
    """Whether a clock or a draw decides, or says how often a loop goes on."""
    test = test_of(facts, decision)
    if test is None or not any(True for _ in clocks(facts, test)):
        return False
    is_count = test in facts.order.iterables
    return not is_count or agreement_of_rounds(facts, test) is Agreement.DIFFERS


def sources(facts: Facts, test: ast.AST) -> Iterator[ast.expr]:
    """Library functions that give each worker a value of its own, called on the way to a test.

    Last what a model computes: of the share of the worker, if it trains.
    """
    computed: list[ast.expr] = []
    for node in ingredients(facts, test):
        if isinstance(node, ast.Call) and facts.role(node.func) is Role.MODEL:
            computed.append(node)
        elif isinstance(node, ast.Call) and facts.name(node.func) is not None:
            is_own = agreement(facts, node.func) in (Agreement.READ, Agreement.DIFFERS)
            if is_own and not is_of_inputs(facts, node) and not is_seeded(facts, node):
                yield node
    yield from computed
