"""What Estimators write, and what of them can't be followed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.estimators import (
    FROM_MODEL,
    MAKERS,
    RUN_CONFIGS,
    SPECS,
    TOGETHER,
    is_ready_made,
    position,
)
from ...library.sessions import position as position_of_session
from ..causes import cause_of
from ..facts import Facts
from ..optimizers.optimizer_makers import ready_made
from ..problems import Problem
from ..roles import Role
from ..training.estimators import estimator_trainings, given, is_endless_input, ready_input
from ..training.pattern import training_of
from ..training.session_runs import leads_to_step
from .configs import HIDDEN, PASS, configs
from .hooks import unseen_hooks
from .monitored import of_hooks
from .steps import unaveraged_steps

_TURNS = (
    "this trains and evaluates in turns by the clock: worker 0 would evaluate while the others wait"
)
_APART = (
    "train first, then evaluate: `estimator.train(train_input_fn, max_steps=max_steps)`, "
    "`estimator.evaluate(eval_input_fn)`"
)
_TPU = "Horovod has no collectives for a TPU: this shares out its work by itself"
_OTHER = "use `tf.estimator.Estimator` with the same `model_fn`"
_KERAS = "an Estimator of a Keras model makes its optimizer anew, which nothing averages then"
_FIT = "train the model itself: `model.fit(…)`"
_READY = "this Estimator has an optimizer of its own, which Horovod would have to wrap"
_MODEL = "write its model as a `model_fn` of `tf.estimator.Estimator`"
_NO_STEP = "nobody can tell which optimizer takes the steps of this model"
_STEP = "give `EstimatorSpec(train_op=…)` what `minimize` of an optimizer of this file returns"
_NO_TRAINING = "nobody can tell what trains this Estimator"
_TRAIN = "call its `train` in this file"
_AGAIN = (
    "worker 0 alone knows how far an earlier `train` came, and would leave out what others wait for"
)
_BY_STEPS = "say by `steps` how many each `train` takes"
_QUEUE = "the examples of this queue can't be shared out: it ends after all of them"
_DATASET = "read them by `tf.data` in a function, or let it shuffle for ever: `num_epochs=None`"
_TPUS = ("TPUEstimator",)


def unsupported(facts: Facts) -> Iterator[Problem]:
    """Everything that is in the way, by the kind of thing."""
    yield from _of_kinds(facts)
    yield from _of_models(facts)
    yield from configs(facts).problems
    yield from unaveraged_steps(facts)
    yield from _of_trainings(facts)
    yield from unseen_hooks(facts)
    yield from of_hooks(facts)


def _of_kinds(facts: Facts) -> Iterator[Problem]:
    """Estimators that no rule is made for, and how they are trained."""
    for call in facts.calls_of(*TOGETHER):
        yield Problem(call, _TURNS, _APART)
    for call in facts.calls_of(*FROM_MODEL):
        yield Problem(call, _KERAS, _FIT)
    for call in facts.creations(Role.ESTIMATOR):
        name = facts.name(call.func) or facts.kind(call) or ""
        if name.endswith(_TPUS):
            yield Problem(call, _TPU, _OTHER)
        elif name not in MAKERS:
            yield Problem(call, _READY, _MODEL)
        elif facts.has_hidden_arguments(call):
            yield Problem(call, HIDDEN, PASS)
    yield from ready_made(facts).problems


def _of_models(facts: Facts) -> Iterator[Problem]:
    """Model functions whose step can't be seen: nothing would average its gradients."""
    for call in facts.creations(Role.ESTIMATOR):
        name = facts.name(call.func) or ""
        model = facts.argument(call, "model_fn", 0)
        is_plain = name in MAKERS and not is_ready_made(name)
        if is_plain and model is not None and not _takes_step(facts, model):
            yield Problem(model, _NO_STEP, _STEP, cause_of(facts, model))


def _takes_step(facts: Facts, model: ast.expr) -> bool:
    """Whether each `train_op` that a model function gives is of an optimizer of this file."""
    functions = facts.program.functions(model)
    running = {f for each in functions.nodes for f in training_of(facts).reached(each)}
    specs = (spec for spec in facts.calls_of(*SPECS) if facts.function(spec) in running)
    given = (facts.argument(spec, "train_op", 3) for spec in specs)
    steps = [step for step in given if step is not None and not _is_none(step)]
    return functions.is_complete and bool(steps) and all(leads_to_step(facts, s) for s in steps)


def _of_trainings(facts: Facts) -> Iterator[Problem]:
    trainings = estimator_trainings(facts)
    if not trainings and not any(facts.calls_of(*TOGETHER, *FROM_MODEL)):
        for call in facts.creations(Role.ESTIMATOR):
            yield Problem(call, _NO_TRAINING, _TRAIN)
    for call in trainings:
        if facts.has_hidden_arguments(call):
            yield Problem(call, HIDDEN, PASS)
        yield from _of_last_step(facts, call, is_only=len(trainings) == 1)
        made = ready_input(facts, call)
        if made is not None and not is_endless_input(facts, made):
            yield Problem(made, _QUEUE, _DATASET, cause_of(facts, made))


def _of_last_step(facts: Facts, call: ast.Call, is_only: bool) -> Iterator[Problem]:
    """`max_steps` that can't be said by `steps`, which counts anew in each `train`."""
    last = given(facts, call, "max_steps")
    if last is None or _is_none(last):
        return
    if last in call.args or facts.in_loop(call) or not is_only:
        yield Problem(last, _AGAIN, _BY_STEPS)


def counted_ends(facts: Facts) -> Iterator[tuple[ast.Call, ast.expr]]:
    """`train` that goes on up to a step, and the step: worker 0 alone would know it is reached."""
    for call in estimator_trainings(facts):
        last = facts.argument(call, "max_steps")
        if last is not None and not _is_none(last):
            yield call, last


def folders(facts: Facts) -> Iterator[ast.expr]:
    """Where Estimators keep their checkpoints and summaries."""
    for call in facts.creations(Role.ESTIMATOR):
        where = position(facts.name(call.func) or "", "model_dir")
        yield from _folder(facts, call, where)
    for call in facts.calls_of(*RUN_CONFIGS):
        yield from _folder(
            facts, call, position_of_session(facts.name(call.func) or "", "model_dir")
        )


def _folder(facts: Facts, call: ast.Call, where: int | None) -> Iterator[ast.expr]:
    value = facts.argument(call, "model_dir", where)
    if value is not None and not _is_none(value):
        yield value


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None
