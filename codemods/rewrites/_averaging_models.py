"""Where compiled models of Keras 3 are told to average their gradients (D105)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..edits import At, Insert, Name, Replace
from ..facts.averaging import is_averaged
from ..facts.optimizers.compiles import compiles
from ..facts.optimizers.wrapped_optimizers import loads_to_distribute
from ..facts.value_parts import bound_to
from ._keras_3_forms import AVERAGE, NO_XLA, averaging, definitions
from ._new_code import fresh, fresh_for

if TYPE_CHECKING:
    from ..facts import Facts

MODEL = "loaded_model"


def compiled_models(facts: Facts) -> Iterator[At]:
    """Behind each `compile`, and behind loading a model that is trained on as it was compiled.

    A model with a training step of its own averages there (D201).
    """
    averaged = [*_compiled(facts), *_loaded(facts)]
    if averaged:
        yield definitions(facts, averaging(facts))
    for call, model in averaged:
        name = model or fresh_for(facts, MODEL, call)
        line = f"{fresh(facts, AVERAGE)}({name})\n"
        if model:
            yield At(facts.statement(call), Insert(after=line))
        else:
            yield At(call, Name(name, line))
    for compiled in compiles(facts):
        given = facts.argument(compiled.call, "jit_compile")
        if given is not None and not _is_false(given):
            yield At(given, Replace("False"))
        model = _model(compiled.call)
        if compiled.own_step and not _has_no_xla(facts, compiled.call, model):
            line = NO_XLA.format(model=model)
            yield At(facts.statement(compiled.call), Insert(after=line))


def _compiled(facts: Facts) -> Iterator[tuple[ast.Call, str]]:
    for compiled in compiles(facts):
        model = _model(compiled.call)
        if not compiled.own_step and not is_averaged(facts, compiled.call, model):
            yield compiled.call, model


def _loaded(facts: Facts) -> Iterator[tuple[ast.Call, str]]:
    """Those that are trained on as they were saved, by their names; "" for one without a name."""
    for call in loads_to_distribute(facts):
        model = bound_to(facts, call)
        if model is None or not is_averaged(facts, call, model):
            yield call, model or ""


def _model(compiling: ast.Call) -> str:
    return ast.unparse(compiling.func.value)  # type: ignore[attr-defined]


def _is_false(given: ast.expr) -> bool:
    return isinstance(given, ast.Constant) and given.value is False


def _has_no_xla(facts: Facts, compiling: ast.Call, model: str) -> bool:
    block, number = facts.block(facts.statement(compiling))
    stores = facts.attribute_stores.get("jit_compile", ())
    return any(
        facts.statement(target) in block[number + 1 :] and ast.unparse(target.value) == model
        for target, _ in stores
    )
