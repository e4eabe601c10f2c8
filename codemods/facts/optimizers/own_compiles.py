"""Model classes with a `compile` of their own: which optimizer they hand on to Keras.

What the arguments of such a `compile` mean is up to the class, but what `super().compile` is given
trains the model, unless its own `train_step` leaves it alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..classes import is_super
from ..facts import Facts
from ..keras_version import is_keras_3
from .applied_optimizers import is_seen
from .compiles import Compiled, class_of, compiles
from .optimizer_makers import innermost
from .wrapped_optimizers import distributed_optimizers


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
