"""Where Estimators of TensorFlow 1 train, and which functions make their data."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from ...library.estimators import INPUTS, TRAIN
from ...program.parts import FunctionNode
from ..facts import Facts, recorded
from ..roles import Role

TRAINS = "train"
_TAKERS = (TRAINS, "evaluate", "predict", "export_saved_model")


@recorded
def estimator_trainings(facts: Facts) -> tuple[ast.Call, ...]:
    """The calls of `train` of an Estimator, in the order of the text."""
    return tuple(call for call in facts.calls(TRAINS) if is_estimators(facts, call))


def is_estimators(facts: Facts, call: ast.Call) -> bool:
    """Whether a method is that of an Estimator."""
    func = call.func
    return isinstance(func, ast.Attribute) and facts.role(func.value) is Role.ESTIMATOR


def given(facts: Facts, call: ast.Call, name: str) -> ast.expr | None:
    """What `train` is given by that name or in its place."""
    return facts.argument(call, name, TRAIN.get(name))


@recorded
def input_functions(facts: Facts) -> Mapping[ast.AST, frozenset[ast.Call]]:
    """The functions and lambdas that make data, each with the calls that it makes them for."""
    found: dict[ast.AST, set[ast.Call]] = {}
    for call in facts.calls(*_TAKERS):
        value = given(facts, call, "input_fn") if is_estimators(facts, call) else None
        if value is not None:
            for function in facts.program.functions(value).nodes:
                found.setdefault(function, set()).add(call)
    return {function: frozenset(calls) for function, calls in found.items()}


def served(facts: Facts, node: ast.AST) -> frozenset[ast.Call]:
    """The calls of Estimators that get the data which is made at a place."""
    around = (n for n in facts.parents(node) if isinstance(n, (ast.Lambda, *FunctionNode)))
    home: ast.AST | None = next(around, None)
    found = (
        calls
        for function, calls in input_functions(facts).items()
        if home is function or home in _running(facts, function)
    )
    return frozenset().union(*found)


def _running(facts: Facts, function: ast.AST) -> set[ast.AST | None]:
    """The functions that run when this one does, in the calls within it and so on."""
    seen: set[ast.AST | None] = {function}
    queue = [function]
    for each in queue:  # which grows
        calls = (node for node in ast.walk(each) if isinstance(node, ast.Call))
        for callee in (facts.callee(call) for call in calls):
            if callee is not None and callee not in seen:
                seen.add(callee)
                queue.append(callee)
    return seen


def trains_on(facts: Facts, node: ast.AST) -> ast.Call | None:
    """The `train` that gets what is made at a place, if nothing but such calls does."""
    calls = served(facts, node)
    is_training = bool(calls) and all(call.func.attr == TRAINS for call in calls)  # type: ignore[attr-defined]
    return min(calls, key=lambda call: call.lineno) if is_training else None


def ready_input(facts: Facts, call: ast.Call) -> ast.Call | None:
    """`numpy_input_fn(…)` that `train` is given: queues over arrays."""
    value = given(facts, call, "input_fn")
    made = None if value is None else facts.origins(value).only
    is_ready = isinstance(made, ast.Call) and facts.name(made.func) in INPUTS
    return made if is_ready else None  # type: ignore[return-value]


def is_endless_input(facts: Facts, made: ast.Call) -> bool:
    """Whether it draws for ever, in an order of each worker's own."""
    epochs = _constant(facts, made, "num_epochs", 1)
    return epochs is None and _constant(facts, made, "shuffle", False) is True


def _constant(facts: Facts, made: ast.Call, name: str, otherwise: object) -> object:
    value = facts.argument(made, name)
    if value is None:
        return otherwise
    return value.value if isinstance(value, ast.Constant) else otherwise
