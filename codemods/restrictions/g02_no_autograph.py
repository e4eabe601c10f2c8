"""A step that applies gradients is compiled by `tf.function` with AutoGraph and without XLA.

AutoGraph turns the `if` around the broadcast into one that the graph decides; XLA has no kernels
for Horovod's operations unless HOROVOD_ENABLE_XLA_OPS is set and Horovod was built for it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..facts.keras_version import is_keras_3
from ..facts.optimizers.compiles import compiles
from ..facts.training.pattern import training_of
from ..library.tensorflow_names import FUNCTION, UNTRACED
from ..model import Finding
from ..program.parts import FunctionNode
from . import restriction
from ._finding import finding

XLA = ("jit_compile", "experimental_compile")


@restriction(code="G02", name="no-autograph")
def no_autograph(facts: Facts) -> Iterator[Finding]:
    """Functions that train and are compiled in a way that Horovod's operations don't survive."""
    trains = {facts.function(call) for call, _ in training_of(facts).places} - {None}
    for function in facts.index.definitions:
        settings = list(_settings(facts, function)) if isinstance(function, FunctionNode) else []
        if settings and training_of(facts).reached(function) & trains:
            yield from (_refused(facts, setting) for setting in settings)
    for compiled in () if is_keras_3(facts) else compiles(facts):  # D105 turns it off there
        given = facts.argument(compiled.call, "jit_compile")
        if given is not None and _is_true(given):
            yield _refused(facts, given)


def _refused(facts: Facts, node: ast.expr) -> Finding:
    return finding(
        facts,
        node,
        "G02",
        "this step is compiled with XLA or without AutoGraph, which Horovod's operations need",
        "leave the setting out: plain `@tf.function`",
    )


def _settings(facts: Facts, function: ast.AST) -> Iterator[ast.expr]:
    """The decorators and `tf.function(step, …)` calls that set it."""
    for decorator in function.decorator_list:  # type: ignore[attr-defined]
        if facts.name(decorator) == UNTRACED or _sets(facts, decorator):
            yield decorator
    for call in facts.calls_of(FUNCTION):
        if call.args and facts.classes.function(call.args[0]) is function and _sets(facts, call):
            yield call


def _sets(facts: Facts, call: ast.expr) -> bool:
    if not isinstance(call, ast.Call):
        return False
    if any(
        _is_true(value)
        for value in (facts.argument(call, name) for name in XLA)
        if value is not None
    ):
        return True
    autograph: ast.expr | None = facts.argument(call, "autograph", 2)
    return isinstance(autograph, ast.Constant) and autograph.value is False


def _is_true(value: ast.expr) -> bool:
    return not (isinstance(value, ast.Constant) and not value.value)
