"""Optimizers that Keras trains with: which `compile` gets them, and where they are made.

Seeds 000 and 001, environment sigma (`optimizer`), with R05 and R07 lifted: every creation is
wrapped on the spot, so an alias, a branch or a second model always sees the wrapped one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.optimizers import V1, of_string
from ...program.node_fields import within
from ..averaging import Averaged, averaged
from ..causes import cause_of
from ..facts import Facts
from ..horovod import OPTIMIZER, calls_of
from ..keras_version import is_keras_3
from ..naming import can_be_named
from ..problems import Problem
from ..roles import Role
from ..training.pattern import runs_graph
from ..training.session_runs import COMPUTATIONS, given_optimizers
from ..unfollowed import OPTIMIZERS, setting
from . import schedules
from .compiles import Compiled, compiles, string_of
from .graph_gradients import graph_gradients
from .keras_names import creation
from .looked_up import is_text
from .named_optimizers import named_in_compile
from .optimizer_makers import creations, innermost
from .ready_made import ready_made

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
        if not compiled.own_step and compiled.optimizer is not None:
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
    return any(schedules.is_users(facts, node) for node in made)
