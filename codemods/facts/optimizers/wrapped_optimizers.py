"""Which optimizers average: where they are wrapped, and what trains past them or adds up before."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.names import in_v1
from ...library.optimizers import V1, of_string
from ...library.tensorflow_names import LOADERS
from ...program.node_fields import within
from ...program.parts import is_super
from ...program.records import NamedTuple
from ..averaging import Averaged, averaged, is_for_one
from ..causes import OPTIMIZERS, Problem, cause_of, setting
from ..facts import Facts, recorded
from ..flow import flow_to
from ..horovod import OPTIMIZER, calls_of, member
from ..keras_version import is_keras_3
from ..roles import Role
from ..training.pattern import Pattern, is_distributed, runs_graph, training_of
from ..training.session_runs import COMPUTATIONS, applies, given_optimizers
from ..value_parts import can_be_named
from . import rate_carriers
from .compiles import Compiled, class_of, compiles, has_own_step, named_in_compile, string_of
from .optimizer_makers import creation, creations, innermost, is_seen, is_text, ready_made

# -- graph gradients -----------------------------------------------------------------------------
# Gradients of `tf.gradients` that an optimizer applies: Horovod averages only what it computes.
#
# `compute_gradients` calls `tf.gradients`, and pairs what it gives with the variables:
# https://www.tensorflow.org/api_docs/python/tf/compat/v1/train/Optimizer. Where the optimizer is
# made later, the gradients themselves are averaged (Horovod's issues 141, 291).

GRADIENTS = in_v1("gradients")


class GraphGradients(NamedTuple):
    """A call of `tf.gradients`, and the optimizer that can compute the same, where there is one."""

    call: ast.Call
    optimizer: ast.Name | None


@recorded
def graph_gradients(facts: Facts) -> tuple[GraphGradients, ...]:
    """The gradients that optimizers of a graph apply, though none of them computes these."""
    if not runs_graph(facts) or is_distributed(facts):
        return ()
    found: dict[ast.Call, list[ast.expr]] = {}
    for step in facts.calls("apply_gradients"):
        given = facts.argument(step, "grads_and_vars", 0) if applies(facts, step) else None
        for call in flow_to(facts, given, ("each", 0)).foreign if given is not None else ():
            if facts.name(call.func) in GRADIENTS:
                found.setdefault(call, []).append(step.func.value)  # type: ignore[attr-defined]
    return tuple(GraphGradients(call, _computes(facts, call, by)) for call, by in found.items())


def _computes(facts: Facts, call: ast.Call, optimizers: list[ast.expr]) -> ast.Name | None:
    """The one optimizer that has its name in the same block before the gradients are computed."""
    is_plain = len(call.args) == 2 and not call.keywords
    names = [each for each in optimizers if isinstance(each, ast.Name)]
    is_one = len(names) == len(optimizers) and len({name.id for name in names}) == 1
    return names[0] if is_plain and is_one and _is_before(facts, names[0], call) else None


def _is_before(facts: Facts, optimizer: ast.Name, call: ast.Call) -> bool:
    bindings = facts.bindings(optimizer)
    block, number = facts.block(facts.statement(call))
    return len(bindings) == 1 and bindings[0].node in block[:number]


# -- wrapped optimizers --------------------------------------------------------------------------
# Optimizers that Keras trains with: which `compile` gets them, and where they are made.
#
# Seeds 000 and 001, environment sigma (`optimizer`), with R05 and R07 lifted: every creation is
# wrapped on the spot, so an alias, a branch or a second model always sees the wrapped one.

_SCHEDULE = (
    "`compile` gets this optimizer, which a tape applies as well, with a schedule of the program's "
    "own: Horovod can't rebuild it"
)
_OWN_OPTIMIZER = "give `compile` an optimizer of its own"


def optimizers_to_wrap(facts: Facts) -> list[ast.Call]:
    """The creating calls of every optimizer to wrap, each once, except those named by D301.

    With Keras 3 none is: there the compiled model averages.
    """
    found: dict[ast.AST, None] = {}
    if is_keras_3(facts):
        return []
    for compiled in compiles(facts):
        is_for_many = not (compiled.own_step or is_for_one(facts, compiled.call))
        if is_for_many and compiled.optimizer is not None:
            found.update(dict.fromkeys(_plain(facts, compiled.optimizer)))
    for call in minimizing_calls(facts):
        found.update(dict.fromkeys(_plain(facts, call.func.value)))  # type: ignore[attr-defined]
    for optimizer in given_optimizers(facts) if runs_graph(facts) else ():
        found.update(dict.fromkeys(_plain(facts, optimizer)))
    computing = [each.optimizer for each in graph_gradients(facts)]
    for name in (each for each in computing if each is not None):
        found.update(dict.fromkeys(_plain(facts, name)))
    for one in ready_made(facts).optimizers:
        found.update(dict.fromkeys(one.made))
    named = set(map(id, _named_parts(facts)))
    return [call for call in found if isinstance(call, ast.Call) and id(call) not in named]


def optimizers_wrapped_already(facts: Facts) -> Iterator[ast.Call]:
    """The creating calls of the optimizers that the program itself wraps."""
    for call in calls_of(facts, OPTIMIZER):
        yield from _creations(facts, call)


def distributed_optimizers(facts: Facts) -> frozenset[ast.AST]:
    """The creating calls of the optimizers that are wrapped, by the program or by distify."""
    return frozenset((*optimizers_to_wrap(facts), *optimizers_wrapped_already(facts)))


def minimizing_calls(facts: Facts) -> Iterator[ast.Call]:
    """`optimizer.minimize(loss_function, variables)`: the optimizer itself takes the gradients."""
    is_graph = runs_graph(facts)
    for call in facts.calls("minimize", *(COMPUTATIONS if is_graph else ())):
        assert isinstance(call.func, ast.Attribute)
        values = [*call.args, *(k.value for k in call.keywords)]
        has_tape = any(facts.role(value) is Role.TAPE for value in values)
        if not has_tape and _is_optimizer(facts, call.func.value):
            yield call


def _is_optimizer(facts: Facts, expr: ast.expr) -> bool:
    return bool(facts.roles(expr) & {Role.OPTIMIZER, Role.LOSS_SCALE})


def _plain(facts: Facts, expr: ast.expr) -> Iterator[ast.Call]:
    """The creations of an optimizer that no wrapper of Horovod has on its way here."""
    return _creations(facts, expr) if averaged(facts, expr) is Averaged.NO else iter(())


def _creations(facts: Facts, expr: ast.AST) -> Iterator[ast.Call]:
    return (call for call in innermost(facts, expr) if facts.made_by(call) is Role.OPTIMIZER)


def _named_parts(facts: Facts) -> Iterator[ast.AST]:
    for named in named_in_compile(facts):
        if named.wrap and named.compiled.optimizer is not None:
            yield from within(named.compiled.optimizer)
    yield from _shared(facts)


def _shared(facts: Facts) -> Iterator[ast.Call]:
    """The creating calls of the optimizers that a tape applies as they are."""
    for named in named_in_compile(facts):
        if named.is_shared and named.compiled.optimizer is not None:
            yield from _creations(facts, named.compiled.optimizer)


# -- what can't be done -----------------------------------------------------------------------


def untraced_optimizers(facts: Facts) -> Iterator[Problem]:
    """Optimizers of `compile` that can't be followed to where they are made."""
    for compiled in compiles(facts):
        if not compiled.own_signature:
            yield from _untraced(facts, compiled)
    for call in (*optimizers_to_wrap(facts), *_shared(facts)):
        yield from _unrebuildable(facts, call)
    for call in _shared(facts):
        if users_schedule(facts, call):
            yield Problem(call, _SCHEDULE, _OWN_OPTIMIZER)


def _untraced(facts: Facts, compiled: Compiled) -> Iterator[Problem]:
    given = compiled.optimizer
    if given is None:
        if facts.has_hidden_arguments(compiled.call):
            yield Problem(
                compiled.call,
                "the optimizer may be among what `*` or `**` hands on here",
                "pass optimizer= by name",
            )
        return
    text = string_of(facts, given)
    if text is not None:
        if of_string(text, is_keras_3(facts)) is None:
            yield Problem(given, f'Keras knows no optimizer "{text}"', "create it by its class")
        return
    if is_text(facts, given) and can_be_named(facts, compiled.call):
        return
    makers = creations(facts, given)
    is_known = all(isinstance(n, ast.Call) and facts.made_by(n) is Role.OPTIMIZER for n in makers)
    if not makers or not is_known:
        yield Problem(
            given,
            "nobody can tell where this optimizer is made",
            creation(facts, given) + setting(facts, given, OPTIMIZERS),
            cause_of(facts, given, (Role.OPTIMIZER,)),
        )


def _unrebuildable(facts: Facts, call: ast.Call) -> Iterator[Problem]:
    """`DistributedOptimizer` builds a new object from the config: other parameters are lost.

    One of TensorFlow 1 it keeps as it is, and asks it.
    """
    cls = facts.classes.local(call.func)
    is_old = (facts.kind(call) or "").startswith(V1)
    if cls is None or is_old or facts.classes.method(cls, "__init__") is None:
        return
    if facts.classes.method(cls, "get_config") is None:
        yield Problem(
            call,
            f"`{cls.name}` has parameters of its own and no get_config: Horovod can't rebuild it",
            "define get_config so that it returns every parameter of __init__",
        )


def users_schedule(facts: Facts, call: ast.Call) -> bool:
    """Whether the rate is a schedule of a class of the user's.

    Keras can't rebuild such a schedule from the optimizer's config, so it is set after wrapping.
    """
    rate = facts.argument(call, "learning_rate", 0)
    made = () if rate is None else facts.origins(rate).nodes
    return any(rate_carriers.is_users(facts, node) for node in made)


# -- replaced optimizers -------------------------------------------------------------------------
# Optimizers that a model gets past its `compile`: `model.optimizer = Adam(0.1)`.
#
# Keras' own step trains with what stands there, whatever `compile` was given (seed 000, the rules
# on `model.compile`).


def replaced(facts: Facts) -> Iterator[ast.expr]:
    """The places that give a model an optimizer which is not one of those that are wrapped."""
    if training_of(facts).pattern is not Pattern.KERAS:
        return
    for target, binding in facts.attribute_stores.get("optimizer", ()):
        if _is_trained(facts, target.value) and not _is_wrapped(facts, binding.value):
            yield target


def is_horovods(facts: Facts, given: ast.AST) -> bool:
    """Whether it is a `DistributedOptimizer`, wherever it comes from."""
    made = facts.origins(given)
    return made.complete and all(
        isinstance(node, ast.Call) and member(facts, node.func) == OPTIMIZER for node in made.nodes
    )


def _is_trained(facts: Facts, receiver: ast.expr) -> bool:
    """Whether it is a model that Keras' own step trains."""
    is_model = training_of(facts).is_model(receiver) or _is_callbacks(facts, receiver)
    return is_model and not has_own_step(facts, receiver)


def _is_callbacks(facts: Facts, receiver: ast.expr) -> bool:
    """`self.model` of a callback: the model that is fitted."""
    if not isinstance(receiver, ast.Attribute) or receiver.attr != "model":
        return False
    cls = facts.classes.self_class(receiver.value)
    return cls is not None and facts.role_of_class(cls) is Role.CALLBACK


def _is_wrapped(facts: Facts, given: ast.AST | None) -> bool:
    """Whether each optimizer that flows there is wrapped where it is made; None is no optimizer."""
    if given is None or is_horovods(facts, given):
        return given is not None
    return distributed_optimizers(facts).issuperset(creations(facts, given))


# -- loaded models -------------------------------------------------------------------------------
# Models from files that are trained on: their optimizers average nothing, whatever wrote the
# file.
#
# `load_model` makes a plain optimizer of any format, and `hvd.load_model` wraps only those of .h5
# and SavedModel files that a wrapped optimizer was saved in (run on Keras 2.15 and Horovod
# 0.28.1).

BUILT = (2, 11)  # from here on optimizers have `build`, but for the legacy classes

POLICY = ("mixed_precision.set_global_policy", "mixed_precision.set_policy")


@recorded
def loads_to_distribute(facts: Facts) -> list[ast.Call]:
    """Calls of `load_model` whose model is trained with the optimizer of the file."""
    return [call for call in facts.calls_of(*LOADERS) if _is_trained_on(facts, call)]


def _is_trained_on(facts: Facts, load: ast.Call) -> bool:
    compiled = facts.argument(load, "compile", 2)
    if isinstance(compiled, ast.Constant) and compiled.value is False:
        return False
    places = training_of(facts).places
    trains = [call for call, pattern in places if pattern is Pattern.KERAS]
    uses = [call for call in trains if _may_be(facts, call, load)]
    return any(not _is_compiled_before(facts, load, use) for use in uses) and not any(
        _is_load(facts, target.value, load) for target in _distributed(facts)
    )


def _may_be(facts: Facts, call: ast.Call, load: ast.Call) -> bool:
    """Whether it trains this model, as far as can be followed."""
    func = call.func
    return isinstance(func, ast.Attribute) and (
        _is_load(facts, func.value, load) or not facts.origins(func.value).complete
    )


def _is_load(facts: Facts, model: ast.expr, load: ast.Call) -> bool:
    return load in facts.origins(model).nodes


def _distributed(facts: Facts) -> Iterator[ast.Attribute]:
    """`model.optimizer`, where it is given an optimizer of Horovod's."""
    for target, binding in facts.attribute_stores.get("optimizer", ()):
        if binding.value is not None and is_horovods(facts, binding.value):
            yield target


def _is_compiled_before(facts: Facts, load: ast.Call, use: ast.Call) -> bool:
    """Whether the model gets an optimizer behind the load, on every way to its training."""
    return any(
        _is_load(facts, compiled.call.func.value, load)  # type: ignore[attr-defined]
        and _stands_between(facts, load, facts.statement(compiled.call), use)
        for compiled in compiles(facts)
    )


def _stands_between(facts: Facts, load: ast.Call, compiling: ast.stmt, use: ast.Call) -> bool:
    block, number = facts.block(compiling)
    behind, before = set(block[number + 1 :]), set(block[:number])
    around = {facts.statement(use), *facts.parents(use)}
    if behind.isdisjoint(around):
        return False
    loaded = {facts.statement(load), *facts.parents(load)}
    return not before.isdisjoint(loaded) or facts.function(load) is not facts.function(use)


def cannot_be_built(facts: Facts) -> bool:
    """Whether the optimizers of the program have no `build`, which makes room for their state."""
    if facts.options.tensorflow < BUILT:
        return True
    return any(_is_unbuilt(facts, call) for call in facts.index.calls)


def _is_unbuilt(facts: Facts, call: ast.Call) -> bool:
    if facts.made_by(call) is Role.LOSS_SCALE or (facts.name(call.func) or "").endswith(POLICY):
        return True
    return facts.made_by(call) is Role.OPTIMIZER and ".legacy." in (facts.kind(call) or "")


# -- passes --------------------------------------------------------------------------------------
# Where gradients of several batches can't be added up by Horovod before they are averaged.
#
# `backward_passes_per_step` is an option of the wrapped optimizer of Keras 2 (Horovod 0.28.1):
# its tapes have none, and what wraps the wrapper, or asks it in a session, goes around its sums.

OWN = "Keras 3 adds gradients up itself, and knows nothing of Horovod's optimizer"
OWN_FIX = "give the optimizer `gradient_accumulation_steps={}`, and leave the setting out"
TAPE = "a tape of Horovod's averages the gradients of every batch"
TAPE_FIX = "add up the gradients of {} batches in variables, and apply their mean"
GRAPH = "in a session Horovod keeps the sums in local variables, which nobody makes here"
MIXED = "with mixed precision the scaled loss goes around Horovod's sums"
LOADED = "the optimizer of a loaded model is wrapped as it is in the file"


@recorded
def passes(facts: Facts) -> int:
    """How many batches' gradients each worker adds up for a step."""
    number = facts.options.passes
    return 1 if facts.has_horovod or any(True for _ in blockers_of_accumulation(facts)) else number


def blockers_of_accumulation(facts: Facts) -> Iterator[Problem]:
    """The first place of each kind that keeps gradients from being added up."""
    if facts.options.passes == 1 or facts.has_horovod:
        return
    number, places = facts.options.passes, training_of(facts).places
    if is_keras_3(facts):
        yield Problem(places[0][0], OWN, OWN_FIX.format(number))
    elif runs_graph(facts):
        yield Problem(places[0][0], GRAPH, "leave the setting out")
    else:
        for call in _by_tape(facts):
            yield Problem(call, TAPE, TAPE_FIX.format(number))
        for call in _mixed(facts):
            yield Problem(call, MIXED, "train in one precision, or leave the setting out")
        for call in loads_to_distribute(facts):
            yield Problem(call, LOADED, "compile it anew: `model.compile(optimizer, …)`")


def _by_tape(facts: Facts) -> Iterator[ast.Call]:
    """Training that no `fit` does: tapes, also in a `train_step`, and `minimize`."""
    yield from (compiled.call for compiled in compiles(facts) if compiled.own_step)
    yield from minimizing_calls(facts)
    places = training_of(facts).places
    yield from (call for call, pattern in places if pattern is not Pattern.KERAS)
    yield from (
        call
        for call, _ in places
        if isinstance(call.func, ast.Attribute) and call.func.attr == "train_on_batch"
    )


def _mixed(facts: Facts) -> Iterator[ast.Call]:
    yield from facts.creations(Role.LOSS_SCALE)
    for call in facts.index.calls:
        if (facts.name(call.func) or "").endswith(POLICY):
            yield call


# -- own compiles --------------------------------------------------------------------------------
# Model classes with a `compile` of their own: which optimizer they hand on to Keras.
#
# What the arguments of such a `compile` mean is up to the class, but what `super().compile` is
# given trains the model, unless its own `train_step` leaves it alone.


def handed_unseen(facts: Facts) -> Iterator[ast.expr]:
    """Optimizers that `super().compile` is given and that may be made elsewhere, or the calls."""
    found: dict[ast.expr, None] = {}
    for compiled in compiles(facts):
        cls = class_of(facts, compiled.call.func.value)  # type: ignore[attr-defined]
        if compiled.own_signature and cls is not None and _is_used(facts, compiled, cls):
            found.update(dict.fromkeys(_unseen(facts, compiled, cls)))
    yield from found


def _is_used(facts: Facts, compiled: Compiled, cls: ast.ClassDef) -> bool:
    """Whether Keras' step trains with it, or a step of the class does."""
    uses = facts.index.loads.get("optimizer", ())
    bases = (use.value for use in uses if isinstance(use, ast.Attribute))
    return not compiled.own_step or cls in map(facts.classes.self_class, bases)


def _unseen(facts: Facts, compiled: Compiled, cls: ast.ClassDef) -> Iterator[ast.expr]:
    method = facts.classes.method(cls, "compile")
    for call in facts.calls("compile"):
        if facts.function(call) is method and is_super(call.func.value):  # type: ignore[attr-defined]
            given = facts.argument(call, "optimizer", 0)
            if given is None and facts.has_hidden_arguments(call):
                given = compiled.optimizer
            if given is None and compiled.own_step:
                given = _put_behind(facts, call)
            if given is None or not _is_served(facts, compiled, given):
                yield given or call


def _put_behind(facts: Facts, call: ast.Call) -> ast.expr | None:
    """What a method makes the model's optimizer itself, behind `super().compile()`."""
    block = facts.parent(facts.statement(call))
    body: list[ast.stmt] = getattr(block, "body", [])
    for statement in body:
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        kept = [t for t in targets if isinstance(t, ast.Attribute) and t.attr == "optimizer"]
        is_own = any(facts.classes.self_class(target.value) is not None for target in kept)
        if is_own and statement.lineno > call.lineno:
            return statement.value  # type: ignore[attr-defined, no-any-return]
    return None


def _is_served(facts: Facts, compiled: Compiled, given: ast.expr) -> bool:
    """Whether its rate is scaled and, where Keras' own step trains, the optimizer is wrapped.

    With Keras 3 the model averages, whatever its optimizer is.
    """
    if compiled.own_step or is_keras_3(facts):
        return is_seen(facts, given)
    makers = innermost(facts, given)
    return bool(makers) and distributed_optimizers(facts).issuperset(makers)
