"""Steps of Keras 3 that nobody would average: no form is known for them yet."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts, Role
from ..facts.keras_version import is_keras_3
from ..facts.optimizers.compiles import compiles
from ..facts.optimizers.wrapped_optimizers import loads_to_distribute
from ..facts.training.training_loops import STATELESS, unseen_steps
from ..facts.value_parts import bound_to, can_be_named
from ..library import callbacks
from ..library.optimizers import V1
from ..model import Finding
from . import restriction
from ._finding import finding

ALONGSIDE = ("stateless_call", "stateless_compute_loss")
APPLIED = (
    "it can't be seen which variables `{}` of this optimizer changes",
    "apply them by optimizer.apply_gradients(zip(gradients, variables))",
)
WITHOUT_STATE = (
    "a step without state hands its variables on, and nobody could broadcast them",
    "train with fit, or with optimizer.apply_gradients(…)",
)
OLD = (
    "an optimizer of TensorFlow 1 beside Keras 3: nobody would broadcast its state",
    "take one of Keras: keras.optimizers.Adam(…)",
)
ORBAX = (
    "every worker would write these checkpoints, or wait for the others while one does",
    "write ModelCheckpoint in its place",
)
COMPILED = (
    "behind this `compile` stands no statement that could name the model",
    "give the model a name, and compile it in a statement of its own: model.compile(…)",
)
LOADED = (
    "this model goes on with the optimizer of its file, whose gradients nobody averages",
    "compile it again behind this line, with the optimizer and the loss it had",
)
MOVING = (
    "the moving averages of this optimizer would begin with each worker's own weights",
    "leave use_ema out where a model has a `compile` of its own",
)


@restriction(code="N02", name="unknown-step")
def unknown_step(facts: Facts) -> Iterator[Finding]:
    """Other ways to apply gradients, and models that no statement can be written for."""
    if not is_keras_3(facts):
        return
    for call in unseen_steps(facts):
        name = call.func.attr  # type: ignore[attr-defined]
        message, fix = WITHOUT_STATE if name == STATELESS else APPLIED
        yield finding(facts, call, "N02", message.format(name), fix)
    for call in facts.calls(*ALONGSIDE):
        yield finding(facts, call, "N02", *WITHOUT_STATE)
    for call in facts.creations(Role.OPTIMIZER):
        if (facts.kind(call) or "").startswith(V1):
            yield finding(facts, call, "N02", *OLD)
    for call in facts.calls_of(callbacks.ORBAX):
        yield finding(facts, call, "N02", *ORBAX)
    for call in loads_to_distribute(facts):
        if not (bound_to(facts, call) or can_be_named(facts, call)):
            yield finding(facts, call, "N02", *LOADED)
    yield from _compilations(facts)


def _compilations(facts: Facts) -> Iterator[Finding]:
    has_own = False
    for compiled in compiles(facts):
        has_own = has_own or compiled.own_signature
        model = compiled.call.func.value  # type: ignore[attr-defined]
        if not (isinstance(facts.parent(compiled.call), ast.Expr) and _is_path(model)):
            yield finding(facts, compiled.call, "N02", *COMPILED)
    for call in facts.index.calls if has_own else ():
        if any(keyword.arg == "use_ema" for keyword in call.keywords):
            yield finding(facts, call, "N02", *MOVING)


def _is_path(expr: ast.expr) -> bool:
    while isinstance(expr, ast.Attribute):
        expr = expr.value
    return isinstance(expr, ast.Name)
