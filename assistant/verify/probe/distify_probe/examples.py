"""Hooks into all that hands examples to a training step; `consumed` and `traced` keep them."""

from __future__ import annotations

import sys
import threading
from types import FrameType, ModuleType
from typing import Any, Callable

from . import batches, consumed, imports, inside, places, record, replay, traced

SHARDS = 50  # calls of Dataset.shard that are told
MODELS = ("keras.engine.training", "keras.src.engine.training", "tf_keras.engine.training",
          "tf_keras.src.engine.training", "tensorflow.python.keras.engine.training",
          "keras.src.models.model")  # fmt: skip
FRAMES = 12  # between Keras' own loop and the iterator

_thread = threading.local()
_shards = 0
_shuffles = 0


# ---------------------------------------------------------------- tf.data


@imports.when_imported("tensorflow.python.data.ops.iterator_ops")
def hook_iterators(module: ModuleType) -> None:
    """Every element that a program takes, eagerly or in a graph."""
    if hasattr(module, "OwnedIterator"):  # TensorFlow 1.15 has another, for eager code
        imports.replace(module.OwnedIterator, "_next_internal", _around_next)
        imports.replace(module.OwnedIterator, "__init__", _begin)


def _begin(original: Callable[..., Any], iterator: Any, *args: Any, **kwargs: Any) -> None:
    original(iterator, *args, **kwargs)
    _note_begin(iterator)


@record.careful("examples")
def _note_begin(iterator: Any) -> None:
    if inside.eager():
        consumed.began(iterator, getattr(iterator, "_dataset", None))


def _around_next(original: Callable[..., Any], iterator: Any) -> Any:
    try:
        element = original(iterator)
    except BaseException:
        consumed.ended(iterator)
        raise
    if replay.gives("dataset"):
        element = replay.in_the_place_of(element)
    _took(iterator, element)
    return element


@record.careful("examples")
def _took(iterator: Any, element: Any) -> None:
    if consumed.is_full():
        return
    values = batches.leaves(element)
    batch = _for_keras() or batches.is_batch(values, getattr(iterator, "_dataset", None))
    if inside.eager():
        consumed.took(iterator, values, batch)
    elif inside.in_function():
        traced.note("dataset", values, batch)


def _for_keras() -> bool:
    """Whether Keras takes the element: what `fit` is given are batches, whatever their shapes."""
    frame: FrameType | None = sys._getframe(3)
    for _ in range(FRAMES):
        if frame is None or places.is_the_users(frame.f_code.co_filename):
            return False
        if frame.f_code.co_filename.replace("\\", "/").endswith(places.LOOPS):
            return True
        frame = frame.f_back
    return False


@imports.when_imported("tensorflow.python.data.ops.dataset_autograph")
def hook_dataset_loops(module: ModuleType) -> None:
    """`for x in dataset` inside of a `tf.function`."""
    imports.replace(module, "_tf_ag_dataset_for_stmt", _around_loop)


@imports.when_imported("tensorflow.python.autograph.operators.control_flow")
def hook_iterator_loops(module: ModuleType) -> None:
    """`for x in iterator` inside of a `tf.function`."""
    imports.replace(module, "_tf_iterator_for_stmt", _around_loop)


def _around_loop(
    original: Callable[..., Any], source: Any, extra_test: Any, body: Any, *rest: Any
) -> Any:
    @record.careful("examples")
    def look(element: Any) -> None:
        values = batches.leaves(element)
        dataset = source if hasattr(source, "_inputs") else getattr(source, "_dataset", None)
        traced.note("dataset", values, batches.is_batch(values, dataset))

    def watched(element: Any) -> Any:
        look(element)
        return body(element)

    return original(source, extra_test, watched, *rest)


@imports.when_imported("tensorflow.python.data.ops.dataset_ops")
def hook_shard(module: ModuleType) -> None:
    """Which share of the data a worker asks for, and in which order it is before."""
    imports.replace(module.DatasetV2, "shard", _around_shard)
    imports.replace(module.DatasetV2, "shuffle", _around_shuffle)


def _around_shuffle(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    _note_shuffle(*args[1:], **kwargs)
    return original(*args, **kwargs)


@record.careful("examples")
def _note_shuffle(buffer_size: Any = None, seed: Any = None, *_: Any, **__: Any) -> None:
    global _shuffles
    _shuffles += 1
    if _shuffles <= SHARDS:
        record.write("shuffle", seeded=seed is not None, where=places.where())


def _around_shard(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    _note_shard(*args[1:], **kwargs)
    return original(*args, **kwargs)


@record.careful("examples")
def _note_shard(num_shards: Any, index: Any, name: Any = None) -> None:
    global _shards
    _shards += 1
    if _shards <= SHARDS:
        record.write(
            "shard", shards=_number(num_shards), index=_number(index), where=places.where()
        )


def _number(value: Any) -> int | None:
    value = value.numpy() if hasattr(value, "numpy") else value
    return int(value) if hasattr(value, "__index__") else None


# ---------------------------------------------------------------- compiled functions and models


@imports.when_imported("tensorflow.python.eager.polymorphic_function.polymorphic_function")
def hook_functions(module: ModuleType) -> None:
    """The arguments of a compiled training step; outside of the hook that tells the steps."""
    imports.replace(module.Function, "__call__", _around_call)


def _around_call(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    if getattr(_thread, "in_function", False):
        return original(*args, **kwargs)
    if replay.gives("arguments"):
        more, kwargs = replay.in_the_place_of((args[1:], kwargs))
        args = (args[0], *more)
    if not _look_at_arguments(args[1:], kwargs):
        return original(*args, **kwargs)
    _thread.in_function = True
    try:
        return original(*args, **kwargs)
    finally:
        _thread.in_function = False
        consumed.arguments.clear()


@record.careful("examples")
def _look_at_arguments(args: Any, kwargs: Any) -> bool:
    if not inside.eager():
        return False
    if not consumed.is_full():
        consumed.arguments[:] = batches.leaves((args, kwargs))
    return True


@imports.when_imported(*MODELS)
def hook_models(module: ModuleType) -> None:
    """What a model is called with while a tape records."""
    imports.replace(module.Model, "__call__", _around_model)


def _around_model(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    if getattr(_thread, "in_model", False):
        return original(*args, **kwargs)
    _thread.in_model = True
    try:
        _look_at_inputs(*args[1:], **kwargs)
        return original(*args, **kwargs)
    finally:
        _thread.in_model = False


@record.careful("examples")
def _look_at_inputs(*args: Any, **kwargs: Any) -> None:
    given = args[:1] or (kwargs.get("inputs"),)
    if consumed.is_full() or inside.python("pywrap_tfe").TFE_Py_TapeSetIsEmpty():
        return
    values = batches.leaves(given)
    if inside.eager():
        consumed.called(values)
    elif inside.in_function():
        traced.note("model", values, True)


@imports.when_imported("tensorflow.python.eager.backprop")
def hook_tapes(module: ModuleType) -> None:
    """A gradient tells training from all other calls of a model."""
    imports.replace(module.GradientTape, "gradient", _around_gradient)


def _around_gradient(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    _differentiated()
    return original(*args, **kwargs)


@record.careful("examples")
def _differentiated() -> None:
    if consumed.is_full():
        return
    if inside.eager():
        consumed.differentiated()
    elif inside.in_function():
        traced.differentiated(bool(batches.alike(consumed.arguments)))
