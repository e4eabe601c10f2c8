"""Which arguments, schedules and settings carry a learning rate, and which are scaled already."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Optional, Union

from ...library.agreement import is_size
from ...library.callbacks import SCHEDULER
from ...library.optimizers import V1, RateArgument, is_legacy, optimizer_rate, schedule_rates
from ...program.call_sites import passed, returns
from ...program.parts import Function, FunctionNode
from ..arguments import ASSIGNS, argument, assigned
from ..by_rank import depends_on_size
from ..facts import Facts
from ..horovod import STEERING, calls_of
from ..keras_version import is_keras_3
from ..roles import Role
from ..taken_methods import attributes_read, settings, taken_methods
from ..training.pattern import runs_graph

# -- schedules -----------------------------------------------------------------------------------
# Learning-rate schedules: which are made where, and which of them carry the scale.
#
# Seeds 000 and 001, environment sigma (`lr_scheduler`): a schedule is scaled where it is made.
# One that another schedule of the user's calls is left alone: the outer one returns the scaled
# rate.


def classes(facts: Facts) -> list[ast.ClassDef]:
    """The schedule classes of the module."""
    found = (node for node in facts.index.definitions if isinstance(node, ast.ClassDef))
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


# -- scaled already ------------------------------------------------------------------------------
# Whether a rate is absolute, or comes from one that carries the scale already.
#
# The rate that an optimizer has, what a scaled schedule gives and what a scaled function for
# LearningRateScheduler returns are multiples already; so is whatever is computed from them.

NAMES = ("learning_rate", "lr")
RATE_ATTRIBUTES = (*NAMES, "_learning_rate", "_lr")
Callback = Union[Function, ast.Lambda]


def absolute(facts: Facts, expr: ast.expr, incoming: str | None) -> list[ast.expr]:
    """The parts of `expr` to multiply so that all of it is a multiple; empty if it is relative."""
    if not is_relative(facts, expr, incoming):
        return [expr]
    if _is_multiple(facts, expr):
        return []
    if isinstance(expr, ast.IfExp):
        return absolute(facts, expr.body, incoming) + absolute(facts, expr.orelse, incoming)
    if isinstance(expr, ast.Name):
        return _absolute_bindings(facts, expr, incoming)
    if isinstance(expr, ast.BinOp):
        return _absolute_terms(facts, expr, incoming)
    return []


def _is_multiple(facts: Facts, expr: ast.expr) -> bool:
    """`rate * hvd.size()`, whatever else in it is counted in steps of all workers."""
    sides = [expr.left, expr.right] if isinstance(expr, ast.BinOp) else []
    is_product = bool(sides) and isinstance(expr.op, ast.Mult)  # type: ignore[attr-defined]
    calls = [side.func for side in sides if isinstance(side, ast.Call)]
    return is_product and any(is_size(facts.name(func) or "") for func in calls)


def _absolute_terms(facts: Facts, expr: ast.BinOp, incoming: str | None) -> list[ast.expr]:
    """`lr - 0.01`: what is added to a multiple is multiplied, and factors of it are not."""
    are_terms = isinstance(expr.op, (ast.Add, ast.Sub))
    found: list[ast.expr] = []
    for side in (expr.left, expr.right):
        if are_terms or is_relative(facts, side, incoming):
            found += absolute(facts, side, incoming)
    return found


def _absolute_bindings(facts: Facts, name: ast.Name, incoming: str | None) -> list[ast.expr]:
    """`lr = 0.1` in one branch, the incoming rate in the other: the first is multiplied."""
    found: list[ast.expr] = []
    for binding in facts.reaching(name):
        value = binding.value
        values: list[ast.AST] = []
        if binding.kind == "param":
            values = _passed(facts, binding.node)
        elif binding.kind == "assign" and not binding.path and value is not None:
            values = [value]
        exprs = (each for each in values if isinstance(each, ast.expr))
        found += [each for each in exprs if not is_relative(facts, each, incoming)]
    return found


def _passed(facts: Facts, parameter: ast.AST) -> list[ast.AST]:
    """What calls pass for a parameter."""
    function = facts.index.parents[facts.index.parents[parameter]]
    sites = facts.call_sites(function)
    values = (passed(call, function, parameter, facts.classes) for call in sites)
    return [value for value in values if value is not None]


def is_relative(facts: Facts, expr: ast.AST, incoming: str | None = None) -> bool:
    """Whether the value comes from a rate that is multiplied already."""
    return depends_on_size(facts, expr) or any(
        is_own_rate(facts, node)
        or _is_schedule_call(facts, node)
        or (isinstance(node, ast.arg) and node.arg == incoming)
        for node in facts.program.sources(expr, ())
    )


def _is_schedule_call(facts: Facts, node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    if facts.role(node.func) is Role.SCHEDULE:
        return True
    called = facts.callee(node)
    return called is not None and called in set(scheduler_functions(facts))


def is_own_rate(facts: Facts, expr: ast.AST) -> bool:
    """`optimizer.lr`, `self.model.optimizer.learning_rate`, under whichever name."""
    found = attributes_read(facts, expr)
    return any(is_optimizer(facts, owner) for owner, name in found if name in RATE_ATTRIBUTES)


def is_optimizer(facts: Facts, expr: ast.expr) -> bool:
    """Whether it is an optimizer: by its role, or as `model.optimizer`."""
    if facts.role(expr) in (Role.OPTIMIZER, Role.LOSS_SCALE):
        return True
    return any(name == "optimizer" for _, name in attributes_read(facts, expr))


def scheduler_functions(facts: Facts) -> Iterator[Callback]:
    """The functions that LearningRateScheduler asks for the rate of an epoch."""
    for call in facts.calls_of(SCHEDULER):
        given = facts.argument(call, "schedule", 0)
        for node in functions_given(facts, given) if given is not None else ():
            if isinstance(node, (ast.Lambda, *FunctionNode)):
                yield node


def functions_given(facts: Facts, given: ast.expr) -> list[ast.AST]:
    """The functions that can flow there; a schedule object counts too."""
    found: list[ast.AST] = []
    for node in facts.origins(given).nodes:
        is_schedule = isinstance(node, ast.Call) and facts.made_by(node) is Role.SCHEDULE
        if is_schedule or isinstance(node, (ast.Lambda, *FunctionNode)):
            found.append(node)
    return found if len(found) == len(facts.origins(given).items) else []


# -- rate arguments ------------------------------------------------------------------------------
# The arguments that carry a learning rate: of optimizers, schedules and warm-up callbacks.

BY_NAME = 99  # a position that no call reaches
_LR_IGNORED = (2, 11)  # since then `lr=` does nothing but warn


def rate_arguments(facts: Facts) -> Iterator[tuple[ast.Call, RateArgument]]:
    """The calls that make optimizers, schedules and warm-ups, each with its argument."""
    for call in facts.creations(Role.OPTIMIZER):
        yield from of_optimizer(facts, call)
    for call in outer(facts):
        yield from _of_schedule(facts, call)
    for call in calls_of(facts, *STEERING):  # the rate that they lead up to, or start from
        yield call, RateArgument("initial_lr", 0)


def of_optimizer(facts: Facts, call: ast.Call) -> Iterator[tuple[ast.Call, RateArgument]]:
    """Where an optimizer gets its rate: in its own call, or in that of `super().__init__`."""
    cls = facts.classes.local(call.func)
    init = None if cls is None else facts.classes.method(cls, "__init__")
    if init is None:
        known = _rate_of_library(facts, call)
        if known is not None:
            yield call, known
        return
    own = _parameter(init)
    if own is not None:
        yield call, own
    else:
        yield from _super_call(
            facts, init, optimizer_rate(facts.kind(call) or "", is_keras_3(facts))
        )


def _rate_of_library(facts: Facts, call: ast.Call) -> RateArgument | None:
    """The argument of its class; of several, of which it takes one, what fits all of them."""
    names = facts.choice(call) or (facts.kind(call) or "",)
    rates = [optimizer_rate(name, is_keras_3(facts)) for name in names]
    first = rates[0]
    if first is None or all(rate == first for rate in rates):
        return first if None not in rates else None
    if any(rate is None or rate.name != first.name for rate in rates):
        return None
    places = {rate.position for rate in rates if rate is not None}
    shared = RateArgument(first.name, places.pop() if len(places) == 1 else BY_NAME)
    return shared if given_rate(facts, call, shared) is not None else None


def _of_schedule(facts: Facts, call: ast.Call) -> Iterator[tuple[ast.Call, RateArgument]]:
    cls = facts.classes.local(call.func)
    if cls is not None and computes_itself(facts, cls):
        return
    init = None if cls is None else facts.classes.method(cls, "__init__")
    for name in schedule_rates(facts.kind(call) or ""):
        if init is None:
            yield call, name
        else:
            yield from _super_call(facts, init, name)


def _parameter(init: Function) -> RateArgument | None:
    """The parameter of a constructor of the user's that is named like a rate."""
    positional = [*init.args.posonlyargs, *init.args.args]
    for number, parameter in enumerate(positional):
        if parameter.arg in NAMES:
            later = len(positional) - number
            defaults = init.args.defaults
            default = ast.unparse(defaults[-later]) if later <= len(defaults) else None
            return RateArgument(parameter.arg, number - 1, default)
    for parameter, value in zip(init.args.kwonlyargs, init.args.kw_defaults):
        if parameter.arg in NAMES:
            return RateArgument(
                parameter.arg, BY_NAME, None if value is None else ast.unparse(value)
            )
    return None


def _super_call(
    facts: Facts, init: Function, argument: RateArgument | None
) -> Iterator[tuple[ast.Call, RateArgument]]:
    for call in facts.calls("__init__"):
        is_super = isinstance(call.func.value, ast.Call)  # type: ignore[attr-defined]
        if argument is not None and is_super and facts.function(call) is init:
            yield call, argument


def given_rate(facts: Facts, call: ast.Call, argument: RateArgument) -> ast.expr | None:
    """What a call is given for it; None if that is left out."""
    value = facts.argument(call, argument.name, argument.position)
    if value is None and argument.name == "learning_rate":
        value = facts.argument(call, "lr")
    return value


def is_of_graph(facts: Facts, call: ast.Call) -> bool:
    """Whether it makes an optimizer of TensorFlow 1 for a session."""
    is_old = (facts.kind(call) or "").startswith(V1)
    return is_old and runs_graph(facts)


def ignored_rates(facts: Facts) -> Iterator[tuple[ast.Call, ast.expr]]:
    """`Adam(lr=0.01)`: newer classes ignore it and take their default."""
    if facts.options.tensorflow < _LR_IGNORED:
        return
    for call in facts.creations(Role.OPTIMIZER):
        given = facts.argument(call, "lr")
        kind = facts.kind(call) or ""
        if given is not None and facts.classes.local(call.func) is None and not is_legacy(kind):
            yield call, given


# -- rate stores ---------------------------------------------------------------------------------
# What a program puts into the learning rate that an optimizer has, in whatever spelling.

# A place that sets a rate, and what it puts there; None: nobody sees what, or whether.
Setting = tuple[ast.expr, Optional[ast.expr]]
_BY_BACKEND = {"set_value": "value", "update": "new_x"}  # the second argument of each
_BACKEND = "tensorflow.keras.backend."


def rate_stores(facts: Facts) -> Iterator[Setting]:
    """Every place where the rate of an optimizer is set."""
    for place, owner, value in settings(facts, NAMES):
        if is_optimizer(facts, owner) and not (value is not None and _is_given(facts, value)):
            yield place, value
    yield from _assignments(facts)


def _is_given(facts: Facts, value: ast.expr) -> bool:
    """Whether an optimizer of the program's own keeps what it is made with: scaled at its call."""
    method = facts.function(value)
    is_start = isinstance(method, FunctionNode) and method.name == "__init__"
    cls = facts.cls(value)
    if not is_start or cls is None or facts.role_of_class(cls) is not Role.OPTIMIZER:
        return False
    bindings = facts.bindings(value) if isinstance(value, ast.Name) else []
    return bool(bindings) and all(binding.kind == "param" for binding in bindings)


def _assignments(facts: Facts) -> Iterator[Setting]:
    """`optimizer.lr.assign(…)`, `backend.set_value(optimizer.lr, …)`."""
    for call in facts.calls(*ASSIGNS):
        assert isinstance(call.func, ast.Attribute)
        if is_own_rate(facts, call.func.value):
            yield call, assigned(call)
    for function, parameter in _BY_BACKEND.items():
        for call in facts.calls_of(_BACKEND + function):
            rate = argument(call, "x", 0)
            if rate is not None and is_own_rate(facts, rate):
                yield call, argument(call, parameter, 1)
    for taken in taken_methods(facts, ASSIGNS):
        if taken.owner is not None and is_own_rate(facts, taken.owner):
            yield taken.use, None
