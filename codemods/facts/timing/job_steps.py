"""Schedules of the user's own that are told the job's steps: `step = step * hvd.size()`.

A worker takes an Nth of the steps, and only the author knows which numbers of a schedule count
them. One that is told N times the step gives after each part of the training what it gave there on
one device, whatever it reckons. https://keras.io/api/optimizers/learning_rate_schedules
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.agreement import is_size
from ...library.callbacks import SCHEDULER
from ...program.node_fields import within
from ...program.parts import FunctionNode
from ...program.records import NamedTuple
from ..by_rank import depends_on_size
from ..data.divided import is_shorter, shrinks
from ..facts import Facts, recorded
from ..optimizers import rate_carriers
from ..optimizers.rate_carriers import functions_given
from ..roles import Role

_OWN = ("iterations",)  # the optimizer's count: of a worker's own steps
_DRAWN = (".range", ".arange", ".linspace", "builtins.range")  # a curve, to be looked at


class Told(NamedTuple):
    """A `__call__`, its first statement that is no docstring, and the name of its step."""

    function: ast.FunctionDef
    first: ast.stmt
    step: str


@recorded
def told_steps(facts: Facts) -> tuple[Told, ...]:
    """The schedules that can be told so: all of a file, or none where one can't."""
    found = [_told(facts, cls) for cls in rate_carriers.outer_classes(facts)]
    told = tuple(each for each in found if each is not None)
    computing = [c for c in rate_carriers.classes(facts) if rate_carriers.rates_of(facts, c)]
    is_all = len(told) == len(found) == len(computing)
    return told if told and is_all and is_shorter(facts) and _are_asked_by_step(facts) else ()


def _told(facts: Facts, cls: ast.ClassDef) -> Told | None:
    """Where nothing in it is reckoned from what shrinks by itself, and it knows no size yet."""
    own = [s for s in cls.body if isinstance(s, ast.FunctionDef) and s.name == "__call__"]
    names = [each.arg for each in own[0].args.args] if len(own) == 1 else []
    is_plain = len(names) == 2 and not own[0].args.vararg and not own[0].decorator_list
    if not is_plain or len(facts.classes.ancestors(cls)) > 1 or _knows_share(facts, cls):
        return None
    body = own[0].body
    is_docstring = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
    first = body[1:] if is_docstring else body
    return Told(own[0], first[0], names[1]) if first else None


def _knows_share(facts: Facts, cls: ast.ClassDef) -> bool:
    made = [c for c in facts.creations(Role.SCHEDULE) if facts.classes.local(c.func) is cls]
    given = [value for call in made for value in _given(call)]
    values = [n for n in within(cls) if isinstance(n, (ast.Name, ast.Attribute))]
    read = [n for n in values if isinstance(n.ctx, ast.Load)]
    hidden = any(facts.has_hidden_arguments(call) for call in made)
    return hidden or any(shrinks(facts, n) or depends_on_size(facts, n) for n in (*given, *read))


def _given(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def _are_asked_by_step(facts: Facts) -> bool:
    """Whether only optimizers ask them, or the program by the optimizer's count: not by epochs."""
    for call in facts.calls_of(SCHEDULER):
        given = facts.argument(call, "schedule", 0)
        functions = [] if given is None else functions_given(facts, given)
        if any(isinstance(each, ast.Call) for each in functions):
            return False
    return all(_is_step(facts, call) for call in _asked(facts))


def _asked(facts: Facts) -> Iterator[ast.Call]:
    """Where the program itself asks a schedule for a rate, outside of other schedules."""
    inside = set(rate_carriers.classes(facts))
    for call in facts.index.calls:
        if facts.role(call.func) is Role.SCHEDULE and facts.cls(call) not in inside:
            yield call


def _is_step(facts: Facts, call: ast.Call) -> bool:
    parts = [n for value in _given(call) for n in facts.program.ingredients(value)]
    names = [getattr(n, "attr", "") for n in parts]
    calls = [facts.name(n.func) or "" for n in parts if isinstance(n, ast.Call)]
    return any(n in _OWN for n in names) or any(n.endswith(_DRAWN) for n in calls)


def inside_told(facts: Facts) -> frozenset[ast.AST]:
    """What stands in the calls that make schedules inside of those: they get the same step."""
    is_any = bool(told_steps(facts)) or any(is_told(facts, c) for c in rate_carriers.outer(facts))
    return (
        frozenset(n for made in rate_carriers.inner(facts) for n in within(made))
        if is_any
        else frozenset()
    )


def is_told(facts: Facts, call: ast.Call) -> bool:
    """Whether what makes a schedule makes one that multiplies its step by the number of workers."""
    cls = facts.classes.local(call.func)
    function = None if cls is None else facts.classes.method(cls, "__call__")
    return function is not None and counted_step(facts, function) is not None


def counted_step(facts: Facts, function: ast.AST) -> ast.BinOp | None:
    """`step * hvd.size()` of `step = step * hvd.size()`, the step of a `__call__`."""
    names = [each.arg for each in function.args.args] if isinstance(function, FunctionNode) else []
    for statement in function.body if len(names) == 2 else ():  # type: ignore[attr-defined]
        product = statement.value if isinstance(statement, ast.Assign) else None
        if isinstance(product, ast.BinOp) and isinstance(product.op, ast.Mult):
            same = [*statement.targets, product.left]
            is_own = {getattr(each, "id", "") for each in same} == {names[1]}
            called = product.right.func if isinstance(product.right, ast.Call) else product.right
            if is_own and any(map(is_size, facts.program.names(called))):
                return product
    return None
