"""Whole models in Keras' own format, which remember the class of their optimizer.

`hvd.DistributedOptimizer(Adam())` is of a class `horovod._keras.Adam` that nobody can import again:
`load_model` needs to be told what stands behind it (run on Keras 2.15; `.h5`, SavedModel don't).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.callbacks import CHECKPOINT
from ...library.files import saves_model
from ...library.optimizers import OPTIMIZERS
from ...program.records import NamedTuple
from ..facts import Facts
from ..optimizers.named_optimizers import named_in_compile
from ..optimizers.wrapped_optimizers import optimizers_to_wrap, optimizers_wrapped_already
from ..training.pattern import Pattern, training_of
from .constant_paths import may_be_same, path
from .file_accesses import saves_whole_model
from .path_endings import endings

_LOADERS = ("tensorflow.keras.models.load_model", "tensorflow.keras.saving.load_model")


class StoredClass(NamedTuple):
    """A class that a file names: `canonical` is empty for one of the module."""

    name: str
    canonical: str = ""


def loads_to_tell(facts: Facts) -> dict[ast.AST, tuple[StoredClass, ...]]:
    """Calls of `load_model` that may read such a file, with the classes of its optimizers."""
    classes = _classes(facts) if training_of(facts).pattern is Pattern.KERAS else ()
    if not classes:
        return {}
    files = [path(facts, call) for call in saves(facts)]
    calls = [c for c in facts.calls_of(*_LOADERS) if not _is_told(facts, c) and _may_be(facts, c)]
    return {c: classes for c in calls if any(may_be_same(p, path(facts, c)) for p in files)}


def saves(facts: Facts) -> Iterator[ast.Call]:
    """Calls that write whole models in Keras' own format, as far as the path tells."""
    for call in facts.index.calls:
        name = facts.name(call.func)
        is_callback = facts.kind(call) == CHECKPOINT and not _only_weights(facts, call)
        if not (is_callback or saves_model(name or "") or saves_whole_model(facts, call)):
            continue
        if _may_be(facts, call):
            yield call


def _may_be(facts: Facts, call: ast.Call) -> bool:
    """Whether the path of the call can be that of a file in Keras' own format."""
    given = facts.argument(call, "save_format")
    if isinstance(given, ast.Constant) and given.value is not None:
        return given.value == "keras"  # else a SavedModel, or .h5
    where = path(facts, call)
    if isinstance(where, str):
        return where.endswith(".keras")
    given = facts.argument(call, "filepath", int(saves_model(facts.name(call.func) or "")))
    found = () if given is None else tuple(endings(facts, given))
    return not found or any(last is None or last.endswith(".keras") for last in found)


def _only_weights(facts: Facts, call: ast.Call) -> bool:
    only = facts.argument(call, "save_weights_only", 4)
    return isinstance(only, ast.Constant) and only.value is True


def _is_told(facts: Facts, call: ast.Call) -> bool:
    is_given = any(
        facts.argument(call, name, n + 1) for n, name in enumerate(("custom_objects", "compile"))
    )
    return bool(is_given) or facts.has_hidden_arguments(call)


def _classes(facts: Facts) -> tuple[StoredClass, ...]:
    """The classes of all optimizers that get distributed, each name once."""
    found = (*_wrapped_classes(facts), *_named_classes(facts))
    return tuple({each.name: each for each in found}.values())


def _wrapped_classes(facts: Facts) -> Iterator[StoredClass]:
    for call in (*optimizers_to_wrap(facts), *optimizers_wrapped_already(facts)):
        cls = facts.classes.local(call.func)
        if cls is not None:
            yield StoredClass(cls.name)
        else:
            yield from _of_library(facts.kind(call))


def _named_classes(facts: Facts) -> Iterator[StoredClass]:
    for named in named_in_compile(facts):
        given = named.compiled.optimizer
        if named.wrap and named.cls is not None:
            yield from _of_library(f"{OPTIMIZERS}.{named.cls}")
        elif named.wrap and isinstance(given, ast.Call):
            yield from _of_library(facts.kind(given))


def _of_library(kind: str | None) -> Iterator[StoredClass]:
    if kind:
        yield StoredClass(kind.rpartition(".")[2], kind)
