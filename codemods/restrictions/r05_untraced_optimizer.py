"""Every optimizer that trains is made in sight (seeds 000 and 001, R05 to R07 and R09)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts, Pattern, Role
from ..facts.causes import OPTIMIZERS as SETTING
from ..facts.causes import setting, spelled
from ..facts.gradients.state_broadcasts import broadcasts
from ..facts.horovod import member
from ..facts.optimizers.compiles import compiles
from ..facts.optimizers.optimizer_makers import creation, unseen
from ..facts.optimizers.wrapped_optimizers import handed_unseen, replaced, untraced_optimizers
from ..facts.training import fits
from ..facts.training.pattern import training_of
from ..library.tensorflow_names import LOAD_MODEL
from ..model import Finding
from . import restriction
from ._compilation import compilation
from ._finding import finding, stopped, traced

UNSEEN = "nobody can tell where this optimizer is made; its learning rate would not be scaled"
HANDED = "the optimizer that a `compile` of your own hands on to Keras would not be distributed"
PASS = "pass it as optimizer=, created by its class in this file: tf.keras.optimizers.Adam(…)"
REPLACED = "Keras trains with the optimizer that is set here, and nobody would distribute it"
ELSEWHERE = "this model is compiled elsewhere, with an optimizer that is not distributed"
COMPILE_HERE = "compile it in this file: `{}`"
COMPILE_LOADED = "compile it after loading it: `{}`"
COMPILE = "give it to `compile` instead: model.compile(optimizer=…)"
OPTIMIZERS, MODELS = (Role.OPTIMIZER,), (Role.MODEL,)
LOAD_WRAPPED = "load_model"  # of Horovod


@restriction(code="R05", name="untraced-optimizer")
def untraced_optimizer(facts: Facts) -> Iterator[Finding]:
    """Optimizers of `compile` that can't be followed to where they are made, or not rebuilt."""
    for problem in untraced_optimizers(facts):
        yield stopped(facts, "R05", problem)


@restriction(code="R05", name="handed-on-unseen")
def handed_on_unseen(facts: Facts) -> Iterator[Finding]:
    """Optimizers that a class with a `compile` of its own gives to `super().compile`."""
    for given in handed_unseen(facts):
        yield finding(facts, given, "R05", HANDED, PASS)


@restriction(code="R05", name="replaced-optimizer")
def replaced_optimizer(facts: Facts) -> Iterator[Finding]:
    """`model.optimizer = …`: an optimizer that takes the place of the one of `compile`."""
    for target in replaced(facts):
        yield finding(facts, target, "R05", REPLACED, COMPILE)


@restriction(code="R05", name="applied-from-elsewhere")
def applied_from_elsewhere(facts: Facts) -> Iterator[Finding]:
    """Optimizers of loops and training steps whose rate nobody would scale."""
    told = {problem.node for problem in broadcasts(facts).problems}  # by R08
    for call in unseen(facts):
        if call not in told or training_of(facts).pattern is Pattern.KERAS:
            receiver = call.func.value  # type: ignore[attr-defined]
            fix = creation(facts, receiver) + setting(facts, receiver, SETTING)
            found = finding(facts, call, "R05", UNSEEN, fix)
            yield traced(facts, found, call, receiver, OPTIMIZERS)


@restriction(code="R05", name="compiled-elsewhere")
def compiled_elsewhere(facts: Facts) -> Iterator[Finding]:
    """`fit` of a model that nothing in this file compiles: its optimizer is not distributed."""
    if training_of(facts).pattern is not Pattern.KERAS:
        return
    compiled = [c.call.func.value for c in compiles(facts)]  # type: ignore[attr-defined]
    known = set(map(ast.unparse, compiled))
    for call in fits.fits(facts):
        model: ast.expr = call.func.value  # type: ignore[attr-defined]
        if ast.unparse(model) in known or _is_loaded_wrapped(facts, model):
            continue
        if not any(_same_model(facts, model, other) for other in compiled):
            fix = COMPILE_LOADED if _is_loaded(facts, model) else COMPILE_HERE
            fix = fix.format(compilation(facts, spelled(model)))
            found = finding(facts, call, "R05", ELSEWHERE, fix)
            yield traced(facts, found, call, model, MODELS)


def _is_loaded(facts: Facts, model: ast.expr) -> bool:
    made = (node for node in facts.origins(model).nodes if isinstance(node, ast.Call))
    return any(facts.name(call.func) == LOAD_MODEL for call in made)


def _is_loaded_wrapped(facts: Facts, model: ast.expr) -> bool:
    """Whether `hvd.load_model` gives it, which wraps the optimizer of the file."""
    made = facts.origins(model)
    calls = [node for node in made.nodes if isinstance(node, ast.Call)]
    is_seen = made.complete and 0 < len(made.items) == len(calls)
    return is_seen and all(member(facts, call.func) == LOAD_WRAPPED for call in calls)


def _same_model(facts: Facts, fitted: ast.expr, compiled: ast.expr) -> bool:
    classes = facts.classes.instance_of(fitted), facts.classes.instance_of(compiled)
    if classes[0] is not None and classes[0] is classes[1]:
        return True
    one, other = facts.origins(fitted), facts.origins(compiled)
    return bool(set(one.nodes) & set(other.nodes))
