"""Learning-rate schedules: which are made where, and which of them carry the scale.

Seeds 000 and 001, environment sigma (`lr_scheduler`): a schedule is scaled where it is made. One
that another schedule of the user's calls is left alone: the outer one returns the scaled rate.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..functions import returns
from ..roles import Role


def classes(facts: Facts) -> list[ast.ClassDef]:
    """The schedule classes of the module."""
    found = (node for node in facts.index.scopes if isinstance(node, ast.ClassDef))
    return [cls for cls in found if facts.role_of_class(cls) is Role.SCHEDULE]


def computes_itself(facts: Facts, cls: ast.ClassDef) -> bool:
    """Whether the class (or a local base) has a `__call__` of its own."""
    return facts.classes.method(cls, "__call__") is not None


def is_users(facts: Facts, call: ast.AST) -> bool:
    """Whether a call makes an instance of a schedule class of the module."""
    cls = facts.classes.local(call.func) if isinstance(call, ast.Call) else None
    return cls is not None and facts.role_of_class(cls) is Role.SCHEDULE


def inner(facts: Facts) -> set[ast.AST]:
    """Schedules that serve a schedule class of the user's: given to it or made inside of it."""
    found: set[ast.AST] = set()
    for call in facts.creations(Role.SCHEDULE):
        owner = facts.cls(call)
        if owner is not None and facts.role_of_class(owner) is Role.SCHEDULE:
            found.add(call)
        if is_users(facts, call):
            for argument in _arguments(call):
                found.update(_schedules(facts, argument))
    return found


def outer(facts: Facts) -> Iterator[ast.Call]:
    """The schedules that carry the scale."""
    inside = inner(facts)
    return (call for call in facts.creations(Role.SCHEDULE) if call not in inside)


def outer_classes(facts: Facts) -> Iterator[ast.ClassDef]:
    """The user's classes whose `__call__` returns the scaled rate.

    Those of which every instance is inside of another schedule are left out.
    """
    inside = {facts.classes.local(call.func) for call in inner(facts) if isinstance(call, ast.Call)}
    outside = {facts.classes.local(call.func) for call in outer(facts)}
    for cls in classes(facts):
        if cls not in inside or cls in outside:
            yield cls


def ambiguous(facts: Facts) -> Iterator[ast.Call]:
    """Schedules of a class that is used both on its own and inside of another schedule."""
    outside = {facts.classes.local(call.func) for call in outer(facts)}
    for call in facts.creations(Role.SCHEDULE):
        if (
            call in inner(facts)
            and is_users(facts, call)
            and facts.classes.local(call.func) in outside
        ):
            yield call


def rates_of(facts: Facts, cls: ast.ClassDef) -> list[ast.expr]:
    """What the `__call__` that a class defines itself returns."""
    own = [s for s in cls.body if isinstance(s, ast.FunctionDef) and s.name == "__call__"]
    return [r.value for function in own for r in returns(function) if r.value is not None]


def calls_super(facts: Facts, cls: ast.ClassDef) -> bool:
    """Whether its `__call__` asks a class of the module that is scaled itself."""
    above = [a for a in facts.classes.ancestors(cls) if a is not cls]
    return any(rates_of(facts, base) for base in above) and bool(rates_of(facts, cls))


def _arguments(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(k.value for k in call.keywords)]


def _schedules(facts: Facts, expr: ast.expr) -> list[ast.AST]:
    made = facts.origins(expr).nodes
    return [n for n in made if isinstance(n, ast.Call) and facts.made_by(n) is Role.SCHEDULE]
