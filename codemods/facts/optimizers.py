"""Optimizers that Keras trains with: which `compile` gets them, and where they are made.

Seeds 000 and 001, environment sigma (`optimizer`), with R05 and R07 lifted: every creation is
wrapped on the spot, so an alias, a branch or a second model always sees the wrapped one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from . import schedules
from .facts import Facts
from .keras_classes import COMPILE_DEFAULT, OPTIMIZERS, of_string, rate_of
from .pattern import Pattern
from .roles import Role

COMPILE_WORDS = frozenset({"optimizer", "loss", "metrics", "loss_weights", "weighted_metrics"})
SIMPLE = (ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return)
INNER = ("inner_optimizer", "optimizer", "opt")


@dataclass(frozen=True)
class Compiled:
    """A `compile` call of a Keras model."""

    call: ast.Call
    own_step: bool  # the model's class has a train_step of its own, which Horovod's tape serves
    own_signature: (
        bool  # its class has a `compile` of its own: arguments mean what that makes of them
    )

    @property
    def optimizer(self) -> ast.expr | None:
        """The optimizer argument; None when it is left out."""
        return Facts.argument(self.call, "optimizer", 0)


@dataclass(frozen=True)
class Untraced:
    """An optimizer that can't be wrapped, and why."""

    node: ast.expr
    why: str
    way_out: str


def compiles(facts: Facts) -> Iterator[Compiled]:
    """Every `compile` of a model in a program that Keras trains."""
    if facts.pattern is not Pattern.KERAS:
        return
    for call in facts.calls("compile"):
        assert isinstance(call.func, ast.Attribute)
        if not _is_super(call.func.value) and _is_models(facts, call, call.func.value):
            cls = _class_of(facts, call.func.value)
            yield Compiled(call, has_own_step(facts, cls), _overrides(facts, cls, "compile"))


def _is_models(facts: Facts, call: ast.Call, receiver: ast.expr) -> bool:
    if facts.training.is_model(receiver):
        return True
    speaks = {keyword.arg for keyword in call.keywords} & COMPILE_WORDS
    return facts.name(call.func) is None and not facts.roles(receiver) - {None} and bool(speaks)


def _class_of(facts: Facts, receiver: ast.expr) -> ast.ClassDef | None:
    """The model's class if it is one of this module."""
    found = facts.values.instance_of(receiver)
    if found is not None:
        return found
    made = [
        facts.classes.local(n.func)
        for n in facts.origins(receiver).nodes
        if isinstance(n, ast.Call)
    ]
    return next((cls for cls in made if cls is not None), None)


def _overrides(facts: Facts, cls: ast.ClassDef | None, method: str) -> bool:
    return cls is not None and facts.classes.method(cls, method) is not None


def has_own_step(facts: Facts, cls: ast.ClassDef | None) -> bool:
    """Whether the class trains in its own `train_step`, without asking Keras' one."""
    step = None if cls is None else facts.classes.method(cls, "train_step")
    if step is None:
        return False
    asks = (n for n in ast.walk(step) if isinstance(n, ast.Attribute) and n.attr == "train_step")
    return not any(_is_super(attribute.value) for attribute in asks)


def _is_super(expr: ast.AST) -> bool:
    return (
        isinstance(expr, ast.Call) and isinstance(expr.func, ast.Name) and expr.func.id == "super"
    )


# -- what flows into them ---------------------------------------------------------------------


def wrapped(facts: Facts) -> list[ast.Call]:
    """The creating calls of every optimizer to wrap, each once, except those named by D301."""
    found: dict[ast.AST, None] = {}
    for compiled in compiles(facts):
        if not compiled.own_step and compiled.optimizer is not None:
            found.update(dict.fromkeys(_creations(facts, compiled.optimizer)))
    for call in minimizing(facts):
        found.update(dict.fromkeys(_creations(facts, call.func.value)))  # type: ignore[attr-defined]
    named = set(map(id, _named_parts(facts)))
    return [call for call in found if isinstance(call, ast.Call) and id(call) not in named]


def minimizing(facts: Facts) -> Iterator[ast.Call]:
    """`optimizer.minimize(loss_function, variables)`: the optimizer itself takes the gradients."""
    for call in facts.calls("minimize"):
        assert isinstance(call.func, ast.Attribute)
        values = [*call.args, *(k.value for k in call.keywords)]
        has_tape = any(facts.role(value) is Role.TAPE for value in values)
        if not has_tape and _is_optimizer(facts, call.func.value):
            yield call


def _is_optimizer(facts: Facts, expr: ast.expr) -> bool:
    return bool(facts.roles(expr) & {Role.OPTIMIZER, Role.LOSS_SCALE})


def _creations(facts: Facts, expr: ast.AST) -> Iterator[ast.Call]:
    return (call for call in innermost(facts, expr) if facts.made_by(call) is Role.OPTIMIZER)


def innermost(facts: Facts, expr: ast.AST) -> list[ast.Call]:
    """The creating calls that flow in; for a LossScaleOptimizer those of the one inside of it."""
    return [node for node in _made(facts, expr) if isinstance(node, ast.Call)]


def _made(facts: Facts, expr: ast.AST) -> list[ast.AST]:
    """What makes the optimizer; things that make none are in it, and stand for the unknown."""
    found: dict[ast.AST, None] = {}
    seen: set[ast.AST] = set()  # `opt = LossScaleOptimizer(opt)`
    queue: list[ast.AST] = [expr]
    while queue:
        origins = facts.origins(queue.pop())
        found.update(dict.fromkeys(origins.unknown))
        for item in origins.items:
            if item.node in seen:
                continue
            seen.add(item.node)
            inner = [] if item.path else _inside(facts, item.node)
            queue.extend(inner)
            if not inner and not _is_none(item.node):
                found[item.node] = None
    return list(found)


def _inside(facts: Facts, node: ast.AST) -> list[ast.AST]:
    """The optimizer in a LossScaleOptimizer; those in `{"adam": Adam(), "sgd": SGD()}[name]`."""
    if isinstance(node, ast.Call) and facts.made_by(node) is Role.LOSS_SCALE:
        inner = inner_optimizer(facts, node)
        return [] if inner is None else [inner]
    if isinstance(node, ast.Subscript):
        only = facts.origins(node.value).only
        return list(only.values) if isinstance(only, ast.Dict) and _is_fixed(facts, node) else []
    return []


def _is_fixed(facts: Facts, choice: ast.Subscript) -> bool:
    """Whether the dictionary is only read by its keys, so that it has what it was made with."""
    if not isinstance(choice.value, ast.Name):
        return isinstance(choice.value, ast.Dict)
    uses = [use for use in facts.index.loads[choice.value.id] if isinstance(use, ast.Name)]
    reads = (facts.parent(use) for use in uses)
    return all(isinstance(r, ast.Subscript) and isinstance(r.ctx, ast.Load) for r in reads)


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def inner_optimizer(facts: Facts, call: ast.Call) -> ast.expr | None:
    """What a LossScaleOptimizer is given."""
    given = (facts.argument(call, name, 0) for name in INNER)
    return next((value for value in given if value is not None), None)


def _named_parts(facts: Facts) -> Iterator[ast.AST]:
    for named in named_in_compile(facts):
        if named.wrap and named.compiled.optimizer is not None:
            yield from ast.walk(named.compiled.optimizer)


# -- optimizers that `compile` gets without a name (D301) -------------------------------------


@dataclass(frozen=True)
class Named:
    """An optimizer that is made in the `compile` call, or given as a string, or left out."""

    compiled: Compiled
    code: str | None  # what makes it; None: the argument that is there
    wrap: bool


def named_in_compile(facts: Facts) -> list[Named]:
    """The `compile` calls whose optimizer gets a name (or at least a class) of its own."""
    found = (_named(facts, compiled) for compiled in compiles(facts))
    return [named for named in found if named is not None]


def _named(facts: Facts, compiled: Compiled) -> Named | None:
    given = compiled.optimizer
    if compiled.own_signature:
        return None
    if given is None:
        hidden = facts.has_hidden_arguments(compiled.call)
        return (
            None
            if hidden
            else Named(compiled, _default(facts, COMPILE_DEFAULT), not compiled.own_step)
        )
    text = string_of(facts, given)
    if text is not None:
        cls = of_string(text)
        return None if cls is None else Named(compiled, _default(facts, cls), not compiled.own_step)
    if compiled.own_step or not _is_made_here(facts, given):
        return None
    return Named(compiled, None, True)


def string_of(facts: Facts, expr: ast.expr) -> str | None:
    """The one string that flows there."""
    only = facts.origins(expr).only
    return only.value if isinstance(only, ast.Constant) and isinstance(only.value, str) else None


def _default(facts: Facts, cls: str) -> str:
    rate = rate_of(cls)
    return f"{facts.spell(f'{OPTIMIZERS}.{cls}')}(learning_rate={rate} * {facts.hvd}.size())"


def _is_made_here(facts: Facts, given: ast.expr) -> bool:
    """Whether each optimizer that flows in is created inside of the argument."""
    inside = set(ast.walk(given))
    made = facts.origins(given).nodes
    return (
        bool(made)
        and all(n in inside and isinstance(n, ast.Call) for n in made)
        and not any(facts.made_by(n) is not Role.OPTIMIZER for n in made if isinstance(n, ast.Call))
    )


# -- what can't be done -----------------------------------------------------------------------


def untraced(facts: Facts) -> Iterator[Untraced]:
    """Optimizers of `compile` that can't be followed to where they are made."""
    for compiled in compiles(facts):
        if not compiled.own_signature:
            yield from _untraced(facts, compiled)
    for call in wrapped(facts):
        yield from _unrebuildable(facts, call)


def _untraced(facts: Facts, compiled: Compiled) -> Iterator[Untraced]:
    given = compiled.optimizer
    if given is None:
        if facts.has_hidden_arguments(compiled.call):
            yield Untraced(
                compiled.call, "the optimizer may be hidden in * or **", "pass optimizer= by name"
            )
        return
    text = string_of(facts, given)
    if text is not None:
        if of_string(text) is None:
            yield Untraced(given, f'Keras knows no optimizer "{text}"', "create it by its class")
        return
    made = _made(facts, given)
    is_known = all(isinstance(n, ast.Call) and facts.made_by(n) is Role.OPTIMIZER for n in made)
    if not made or not is_known:
        yield Untraced(
            given,
            "it can't be told where this optimizer is made",
            "create it by its class in this file: tf.keras.optimizers.Adam(…)",
        )


def _unrebuildable(facts: Facts, call: ast.Call) -> Iterator[Untraced]:
    """`DistributedOptimizer` builds a new object from the config: other parameters are lost."""
    cls = facts.classes.local(call.func)
    if cls is None or facts.classes.method(cls, "__init__") is None:
        return
    if facts.classes.method(cls, "get_config") is None:
        yield Untraced(
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


# -- where a statement can go before ----------------------------------------------------------


def bound_to(facts: Facts, call: ast.Call) -> str | None:
    """The name or attribute that a statement binds to nothing but this call's value."""
    parent = facts.parent(call)
    if isinstance(parent, ast.Assign) and len(parent.targets) == 1:
        target: ast.expr = parent.targets[0]
    elif isinstance(parent, ast.AnnAssign):
        target = parent.target
    else:
        return None
    return ast.unparse(target) if _is_path(target) else None


def _is_path(target: ast.expr) -> bool:
    """`a`, `self.a`, `self.model.a`: reading it again gives what was stored."""
    while isinstance(target, ast.Attribute):
        target = target.value
    return isinstance(target, ast.Name)


def can_be_named(facts: Facts, node: ast.expr) -> bool:
    """Whether a statement right before means the same: not in a lambda or a branch."""
    statement = facts.statement(node)
    if not isinstance(statement, SIMPLE):
        return False
    between = []
    for parent in facts.parents(node):
        if parent is statement:
            break
        between.append(parent)
    deferred = (
        ast.Lambda,
        ast.IfExp,
        ast.BoolOp,
        ast.comprehension,
        ast.ListComp,
        ast.GeneratorExp,
        ast.DictComp,
    )
    return not any(isinstance(parent, deferred) for parent in between)
