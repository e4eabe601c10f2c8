"""Models from files that are trained on: their optimizers average nothing, whatever wrote the file.

`load_model` makes a plain optimizer of any format, and `hvd.load_model` wraps only those of .h5 and
SavedModel files that a wrapped optimizer was saved in (run on Keras 2.15 and Horovod 0.28.1).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts, recorded
from ..roles import Role
from ..training.pattern import Pattern, training_of
from .compiles import compiles
from .replaced_optimizers import is_horovods

LOADERS = ("tensorflow.keras.models.load_model", "tensorflow.keras.saving.load_model")
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
    for target, binding in facts.index.attribute_stores.get("optimizer", ()):
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
