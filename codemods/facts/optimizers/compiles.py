"""The `compile` calls of a program that Keras trains: which optimizer each of them gets.

Seed 000, the rules on `model.compile`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...program.node_fields import within
from ...program.records import NamedTuple
from ..classes import is_super
from ..facts import Facts
from ..training.pattern import Pattern, training_of

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
    found = facts.values.instance_of(receiver)
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
