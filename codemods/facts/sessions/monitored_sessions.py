"""What monitored sessions and Estimators are given, and what of it can't be followed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.estimators import (
    FROM_MODEL,
    MAKERS,
    RUN_CONFIGS,
    SPECS,
    TOGETHER,
    TRAIN,
    is_ready_made,
    position,
)
from ...library.names import in_v1
from ...library.sessions import CREATORS, MONITORED, SUPERVISORS, is_hook
from ...library.sessions import SPECS as SPEC_HOOKS
from ...library.sessions import position as position_of_session
from ...library.sessions import position as sessions_position
from ...program.node_fields import within
from ...program.records import NamedTuple
from ..agreement.control import is_left_out
from ..causes import Problem, cause_of
from ..facts import Facts, recorded
from ..optimizers.optimizer_makers import ready_made
from ..output.callback_lists import CallbackList, ListForm, Where, list_of, verdict
from ..roles import Role
from ..training.estimator_training import estimator_trainings, given, is_endless_input, ready_input
from ..training.pattern import Pattern, training_of
from ..training.session_runs import (
    COMPUTATIONS,
    is_global_step,
    is_own_hook,
    leads_to_step,
    session_runs,
)
from .graph_steps import unaveraged_steps
from .session_configurations import HIDDEN, PASS, argument, configs
from .session_starts import is_iterators_start, starts

# -- hooks ---------------------------------------------------------------------------------------
# Which hooks a monitored session is given, and which of them only rank 0 may keep.
#
# Horovod's hook broadcasts the variables of worker 0 once the session has made or restored them.

_NAN = in_v1("train.NanTensorHook", "estimator.NanTensorHook")
_FOLDERS = ("checkpoint_dir", "summary_dir", "chief_only_hooks", "logdir")
_FOLLOWED = (ListForm.MISSING, ListForm.DISPLAY, ListForm.NAMED)
_SINGLE = (ListForm.SINGLE, ListForm.WRITER)
_FOREIGN = "nobody can tell what this hook does, and whether all workers need it"
_OWN = "give the session hooks of TensorFlow's, or of a class of this file"
_UNKNOWN = "nobody can tell which hooks this session is given, and whether all workers need them"
_WRITE = "write the list of hooks here, or build it in this function by `append`"


class HookList(NamedTuple):
    """What takes hooks, as which argument, and what is known about what it is given."""

    call: ast.Call
    argument: str
    position: int | None
    given: CallbackList
    starts: bool = True  # whether Horovod's hook belongs there


@recorded
def hook_lists(facts: Facts) -> tuple[HookList, ...]:
    """The hooks of every monitored session, in the order of the text."""
    sessions = [_of_session(facts, call) for call in facts.calls_of(*MONITORED)]
    trainings = [_of_training(facts, call) for call in estimator_trainings(facts)]
    specs = [each for call in facts.calls_of(*SPECS) for each in _of_spec(facts, call)]
    return (*sessions, *trainings, *specs)


def _of_training(facts: Facts, call: ast.Call) -> HookList:
    return HookList(call, "hooks", TRAIN["hooks"], list_of(facts, given(facts, call, "hooks")))


def _of_spec(facts: Facts, call: ast.Call) -> Iterator[HookList]:
    """The hooks that a model asks for itself; Horovod's stands with `train`."""
    for name in SPEC_HOOKS:
        value = facts.argument(call, name)
        if value is not None:
            yield HookList(call, name, None, list_of(facts, value), starts=False)


def _of_session(facts: Facts, call: ast.Call) -> HookList:
    where = sessions_position(facts.name(call.func) or "", "hooks")
    return HookList(call, "hooks", where, list_of(facts, facts.argument(call, "hooks", where)))


def unseen_hooks(facts: Facts) -> Iterator[Problem]:
    """Lists of hooks of which one may be anything."""
    for one in hook_lists(facts):
        value = facts.argument(one.call, one.argument, one.position)
        foreign = [each for each, _ in one.given.judged if not _is_hook(facts, each)]
        if foreign:
            yield Problem(foreign[0], _FOREIGN, _OWN)
        elif value is None or one.given.form in _FOLLOWED:
            continue
        elif not one.starts or one.given.form in _SINGLE or not _is_seen(facts, value):
            yield Problem(value, _UNKNOWN, _WRITE, cause_of(facts, value))


def _is_seen(facts: Facts, value: ast.expr) -> bool:
    """Whether a value is made of lists that are written out, with hooks that are known."""
    origins = facts.origins(value)
    if not origins.complete:
        return False
    return all(_is_part(facts, node) for node in origins.nodes)


def _is_part(facts: Facts, node: ast.AST) -> bool:
    if isinstance(node, (ast.List, ast.Tuple)):
        return all(_is_known(facts, element) for element in node.elts)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _is_seen(facts, node.left) and _is_seen(facts, node.right)
    return isinstance(node, ast.Constant) and node.value is None


def _is_known(facts: Facts, element: ast.expr) -> bool:
    if isinstance(element, ast.Starred):
        return _is_seen(facts, element.value)
    return verdict(facts, element).where is not Where.UNKNOWN and _is_hook(facts, element)


def _is_hook(facts: Facts, element: ast.expr) -> bool:
    """Whether it is a hook of TensorFlow's, or of a class that is in sight."""
    made = facts.origins(element).nodes
    return all(isinstance(node, ast.Call) and is_hook(facts.kind(node) or "") for node in made)


def left_to_rank_zero(facts: Facts) -> Iterator[ast.expr]:
    """Folders for checkpoints and summaries, also a supervisor's, and hooks for the chief alone."""
    for session in facts.calls_of(*MONITORED, *CREATORS, *SUPERVISORS):
        for name in _FOLDERS:
            given = argument(facts, session, name)
            if given is not None and not (isinstance(given, ast.Constant) and given.value is None):
                yield given


def watched_losses(facts: Facts) -> Iterator[ast.Call]:
    """Hooks that end the training when a loss is no number: that of all workers, then."""
    yield from facts.calls_of(*_NAN)


# -- monitored -----------------------------------------------------------------------------------
# What of a monitored session can't be followed, or would stop one worker alone.

_PUTS = ("run", "restore", "load", "eval", "init_fn")
_FINAL = "a monitored session takes no operation that broadcasts: its graph is finished"
_BY_SCAFFOLD = "give the values by `tf.train.Scaffold(init_fn=…)`, which runs before the broadcast"
STOPS = "this stops the training by a value of one worker's own: the others would wait for ever"
BY_STEPS = "decide by the number of steps, or by the average of the value over all workers"
_IN_HOOK = (
    "decide by a count of the hook's own, `self.count += 1`, by the step asked for in a run of its "
    "own, `run_context.session.run(step)`, or by the average of the value over all workers"
)
_LATE = (
    "nobody can tell what this hook runs behind the broadcast: each worker may run another thing"
)
_FETCHED = "worker 0 alone writes these averaged gradients, also in runs that take no step"
_ONLY_STEPS = "run nothing but training steps in this session, or leave these summaries out"


def is_monitored(facts: Facts) -> bool:
    """Whether the sessions of the module are monitored."""
    return training_of(facts).pattern is Pattern.MONITORED_SESSION


def unmonitored(facts: Facts) -> Iterator[Problem]:
    """Everything that is in the way of these sessions alone."""
    for session in facts.calls_of(*MONITORED):
        if facts.has_hidden_arguments(session):
            yield Problem(session, HIDDEN, PASS)
    for start in starts(facts):
        yield Problem(start.call, _FINAL, _BY_SCAFFOLD)
    yield from unseen_hooks(facts)
    yield from of_hooks(facts)
    if not all(leads_to_step(facts, run.fetches) for run in session_runs(facts)):
        yield from averaged_summaries(facts)


def of_hooks(facts: Facts) -> Iterator[Problem]:
    """What hooks of the program's own do that one worker may do alone."""
    for cls in facts.index.nodes(ast.ClassDef):
        if is_own_hook(facts, cls):
            yield from _of_class(facts, cls)


def _of_class(facts: Facts, cls: ast.ClassDef) -> Iterator[Problem]:
    for node in within(cls):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if node.func.attr == "request_stop" and is_left_out(facts, node):
            yield Problem(node, STOPS, _IN_HOOK)
        elif _puts_late(facts, node):
            yield Problem(node, _LATE, _BY_SCAFFOLD)


def _puts_late(facts: Facts, call: ast.Call) -> bool:
    """Whether a hook runs something by itself, but for the beginning of data and the step."""
    assert isinstance(call.func, ast.Attribute)
    if call.func.attr not in _PUTS or facts.name(call.func) is not None:
        return False
    if is_global_step(facts, call):
        return False
    return not any(is_iterators_start(facts, each) for each in (*call.args, call.func.value))


def averaged_summaries(facts: Facts) -> Iterator[Problem]:
    """Summaries of averaged gradients: to compute one is to average, which takes all workers."""
    for call in facts.index.calls:
        name = facts.name(call.func) or ""
        if name.startswith("tensorflow.summary.") or name.endswith(".LoggingTensorHook"):
            if any(_is_gradient(node) for node in facts.program.ingredients(call)):
                yield Problem(call, _FETCHED, _ONLY_STEPS)


def _is_gradient(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and getattr(node.func, "attr", "") in COMPUTATIONS


# -- estimators ----------------------------------------------------------------------------------
# What Estimators write, and what of them can't be followed.

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
