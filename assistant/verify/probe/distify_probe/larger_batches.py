"""Lets one process do what N workers do: larger batches, a higher rate, the same order and seeds.

Every part is asked for by an option of its own; without them nothing is hooked into.
"""

from __future__ import annotations

import inspect
import random
import sys
import threading
from types import ModuleType
from typing import Any, Callable

from . import imports, inside, record, setting
from .higher_rates import (
    RATES,
    TF1,
    hook_keras_3_optimizers,
    hook_legacy_optimizers,
    hook_new_optimizers,
    hook_tf1_optimizer,
)

BATCHES: int = int(setting.OPTIONS.get("batch_factor") or 1)
SHUFFLES: bool = setting.OPTIONS.get("shuffle") is not False
SEED: int | None = setting.OPTIONS.get("seed")
EXAMPLES = {"x", "y", "sample_weight"}  # arguments of `fit`
KERAS_BATCH = 32  # what `fit` takes where it is told no size
KERAS = ("keras", "keras.src", "tf_keras.src", "tf_keras")
KERAS_3_FIT = "keras.src.backend.tensorflow.trainer"
_thread = threading.local()


# ---------------------------------------------------------------- batches and order


def hook_datasets(module: ModuleType) -> None:
    """`Dataset.batch` and `Dataset.shuffle`."""
    if BATCHES > 1:
        for name in ("batch", "padded_batch", "ragged_batch"):
            imports.replace(module.DatasetV2, name, _larger)
        imports.replace(module.DatasetV2, "unbatch", _unbatched)
    if not SHUFFLES:
        imports.replace(module.DatasetV2, "shuffle", _in_order)


def _larger(
    original: Callable[..., Any], dataset: Any, batch_size: Any, *args: Any, **kwargs: Any
) -> Any:
    if getattr(_thread, "inside", False) or _keras_calls():
        return original(dataset, batch_size, *args, **kwargs)
    _thread.inside = True
    try:
        larger = original(_whole(dataset), batch_size * BATCHES, *args, **kwargs)
        larger._distify_as_written = original(dataset, batch_size, *args, **kwargs)
        return larger
    finally:
        _thread.inside = False


def _whole(dataset: Any) -> Any:
    """Without the last examples that don't go round: no worker has them either."""
    count = inside.python("framework.tensor_util").constant_value(dataset.cardinality())
    return dataset.take(count // BATCHES * BATCHES) if count and count > 0 else dataset


def _keras_calls() -> bool:
    """Keras cuts arrays into batches by itself: those are enlarged where `fit` is called."""
    name = sys._getframe(3).f_globals.get("__name__", "")
    return name.partition(".")[0] in ("keras", "tf_keras") or ".keras." in name


def _unbatched(original: Callable[..., Any], dataset: Any, *args: Any, **kwargs: Any) -> Any:
    """Grouping examples for a moment is no batch: it drops as many as before."""
    return original(getattr(dataset, "_distify_as_written", dataset), *args, **kwargs)


def _in_order(original: Callable[..., Any], dataset: Any, *args: Any, **kwargs: Any) -> Any:
    return dataset


def hook_fit(module: ModuleType) -> None:
    """`Model.fit` on arrays."""
    owner: Any = getattr(module, "Model", None) or getattr(module, "TensorFlowTrainer", None)
    signature = inspect.signature(owner.fit)

    def around(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        given = signature.bind(*args, **kwargs)
        if not SHUFFLES:
            given.arguments["shuffle"] = False
        size = given.arguments.get("batch_size")
        if BATCHES > 1 and _is_arrays(given.arguments.get("x")):
            given.arguments["batch_size"] = BATCHES * (size or KERAS_BATCH)
            for name in EXAMPLES & set(given.arguments):
                given.arguments[name] = _cut(given.arguments[name])
        return original(*given.args, **given.kwargs)

    imports.replace(owner, "fit", around)


def _cut(x: Any) -> Any:
    """Arrays of examples, without the last ones that don't go round."""
    if isinstance(x, dict):
        return {key: _cut(value) for key, value in x.items()}
    if isinstance(x, (list, tuple)):
        return [_cut(each) for each in x]
    shape: Any = getattr(x, "shape", ())
    return x[: shape[0] // BATCHES * BATCHES] if len(shape) and shape[0] else x


def _is_arrays(x: Any) -> bool:
    if isinstance(x, (list, tuple)):
        return all(map(_is_arrays, x))
    if isinstance(x, dict):
        return all(map(_is_arrays, x.values()))
    if hasattr(x, "shape") or isinstance(x, (int, float)):
        return True
    if not hasattr(x, "element_spec"):
        record.blind("scaling", f"the batches of a {type(x).__name__} can't be made larger")
    return False


# ---------------------------------------------------------------- rates


# ---------------------------------------------------------------- seeds


def seed_numpy(module: ModuleType) -> None:
    """The generator behind `np.random.<function>`."""
    module.random.seed(SEED)


def seed_tensorflow(module: ModuleType) -> None:
    """The seed of the program's operations."""
    module.random.set_seed(SEED)


def seed_keras(module: ModuleType) -> None:
    """What initial weights are drawn from, as `keras.utils.set_random_seed` does it."""
    if hasattr(module, "_SEED_GENERATOR"):  # else it only hands on the names of the real one
        module._SEED_GENERATOR.generator = random.Random(SEED)


def _start() -> None:
    when = imports.when_imported
    legacy = tuple(f"{keras}.optimizers.legacy.optimizer_v2" for keras in KERAS)
    if BATCHES > 1 or not SHUFFLES:
        when("tensorflow.python.data.ops.dataset_ops")(hook_datasets)
        when(*(f"{keras}.engine.training" for keras in KERAS), KERAS_3_FIT)(hook_fit)
    if RATES != 1:
        when(*(f"{keras}.optimizers.optimizer" for keras in KERAS))(hook_new_optimizers)
        when("keras.src.optimizers.base_optimizer")(hook_keras_3_optimizers)
        when(*legacy, "tensorflow.python.keras.optimizer_v2.optimizer_v2")(hook_legacy_optimizers)
        when(*(f"tensorflow.python.training.{name}" for name in TF1))(hook_tf1_optimizer)
    if SEED is not None:
        random.seed(SEED)
        when("numpy")(seed_numpy)
        when("tensorflow")(seed_tensorflow)
        when(*(f"{keras}.backend" for keras in KERAS))(seed_keras)


_start()
