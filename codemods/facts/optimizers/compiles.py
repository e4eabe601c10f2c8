"""Which optimizer each `compile` gives to a model of Keras, and whether it is wrapped there."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.optimizers import COMPILE_DEFAULT, of_string
from ...program.node_fields import within
from ...program.parts import is_super
from ...program.records import NamedTuple
from ..facts import Facts
from ..keras_version import is_keras_3
from ..roles import Role
from ..training.pattern import Pattern, training_of
from ..value_parts import can_be_named
from .optimizer_makers import is_looked_up, is_text

# -- compiles ------------------------------------------------------------------------------------
# The `compile` calls of a program that Keras trains: which optimizer each of them gets.
#
# Seed 000, the rules on `model.compile`.

COMPILE_WORDS = frozenset({"optimizer", "loss", "metrics", "loss_weights", "weighted_metrics"})


class Compiled(NamedTuple):
    """A `compile` call of a Keras model."""

    call: ast.Call
    own_step: bool  # each model has a train_step of its own, which Horovod's tape serves
    own_signature: (
        bool  # its class has a `compile` of its own: arguments mean what that makes of them
    )

    @property
    def optimizer(self) -> ast.expr | None:
        """The optimizer argument; None when it is left out."""
        return Facts.argument(self.call, "optimizer", 0)


def compiles(facts: Facts) -> Iterator[Compiled]:
    """Every `compile` of a model in a program that Keras trains."""
    if training_of(facts).pattern is not Pattern.KERAS:
        return
    for call in facts.calls("compile"):
        assert isinstance(call.func, ast.Attribute)
        if not is_super(call.func.value) and _is_models(facts, call, call.func.value):
            cls = class_of(facts, call.func.value)
            own_step = has_own_step(facts, call.func.value)
            yield Compiled(call, own_step, _overrides(facts, cls, "compile"))


def _is_models(facts: Facts, call: ast.Call, receiver: ast.expr) -> bool:
    if training_of(facts).is_model(receiver):
        return True
    speaks = {keyword.arg for keyword in call.keywords} & COMPILE_WORDS
    return facts.name(call.func) is None and not facts.roles(receiver) - {None} and bool(speaks)


def class_of(facts: Facts, receiver: ast.expr) -> ast.ClassDef | None:
    """The model's class if it is one of this module."""
    return next((cls for cls in _classes(facts, receiver) if cls is not None), None)


def _classes(facts: Facts, receiver: ast.expr) -> list[ast.ClassDef | None]:
    """The classes of the models that may be meant; None for one that is not of this module."""
    found = facts.classes.instance_of(receiver)
    if found is not None:
        return [found]
    made = (node for node in facts.origins(receiver).nodes if isinstance(node, ast.Call))
    return [facts.classes.local(call.func) for call in made]


def _overrides(facts: Facts, cls: ast.ClassDef | None, method: str) -> bool:
    return cls is not None and facts.classes.method(cls, method) is not None


def has_own_step(facts: Facts, receiver: ast.expr) -> bool:
    """Whether all models that may be meant train in a `train_step` of their own."""
    classes = _classes(facts, receiver)
    return bool(classes) and all(_trains_itself(facts, cls) for cls in classes)


def _trains_itself(facts: Facts, cls: ast.ClassDef | None) -> bool:
    """Whether the class trains in its own `train_step`, without asking Keras' one."""
    step = None if cls is None else facts.classes.method(cls, "train_step")
    if step is None:
        return False
    asks = (n for n in within(step) if isinstance(n, ast.Attribute) and n.attr == "train_step")
    return not any(is_super(attribute.value) for attribute in asks)


def string_of(facts: Facts, expr: ast.expr) -> str | None:
    """The one string that flows there."""
    only = facts.origins(expr).only
    return only.value if isinstance(only, ast.Constant) and isinstance(only.value, str) else None


# -- named optimizers ----------------------------------------------------------------------------
# Optimizers that `compile` wraps itself (D301): they have no name, or a tape shares them.

_TAPE = Pattern.GRADIENT_TAPE


class Named(NamedTuple):
    """An optimizer that is made in the `compile` call, given as a string, left out, or shared."""

    compiled: Compiled
    cls: str | None  # the class of Keras to make it of; None: the argument is it
    wrap: bool
    is_shared: bool = False  # a tape applies it as well, in other runs: as it is
    is_text: bool = False  # the argument names the class when the program runs
    is_looked_up: bool = False  # its rate is only known then


def named_in_compile(facts: Facts) -> list[Named]:
    """The `compile` calls whose optimizer gets a name, a class or a wrapper there."""
    found = (_named(facts, compiled) for compiled in compiles(facts))
    return [named for named in found if named is not None]


def _named(facts: Facts, compiled: Compiled) -> Named | None:
    given = compiled.optimizer
    if compiled.own_signature:
        return None
    wrap = not (compiled.own_step or is_keras_3(facts))
    if given is None:
        hidden = facts.has_hidden_arguments(compiled.call)
        return None if hidden else Named(compiled, COMPILE_DEFAULT, wrap)
    is_read = not isinstance(given, (ast.Constant, ast.Name))  # `config.optimizer` may be changed
    can_name = can_be_named(facts, compiled.call)
    text = None if is_read and can_name and is_text(facts, given) else string_of(facts, given)
    if text is not None:
        cls = of_string(text, is_keras_3(facts))
        return None if cls is None else Named(compiled, cls, wrap)
    if can_name and is_text(facts, given):
        return Named(compiled, None, wrap, is_text=True, is_looked_up=True)
    if wrap and _is_applied(facts, given):
        return Named(compiled, None, True, is_shared=True)
    is_looked = can_name and is_looked_up(facts, given)
    if not (wrap or is_looked) or not _is_made_here(facts, given):
        return None
    return Named(compiled, None, wrap, is_looked_up=is_looked)


def _is_applied(facts: Facts, optimizer: ast.expr) -> bool:
    """Whether a tape's loop applies it, too."""
    steps = (call for call, pattern in training_of(facts).places if pattern is _TAPE)
    receivers = (call.func.value for call in steps if isinstance(call.func, ast.Attribute))
    made = set(facts.origins(optimizer).nodes)
    return any(not made.isdisjoint(facts.origins(each).nodes) for each in receivers)


def _is_made_here(facts: Facts, given: ast.expr) -> bool:
    """Whether each optimizer that flows in is created inside of the argument."""
    inside = set(within(given))
    made = facts.origins(given).nodes
    return (
        bool(made)
        and all(n in inside and isinstance(n, ast.Call) for n in made)
        and not any(facts.made_by(n) is not Role.OPTIMIZER for n in made if isinstance(n, ast.Call))
    )
