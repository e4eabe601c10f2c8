"""Which of the values at hand are a batch, and of how many examples."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

from . import fingerprint, inside

MAKES_BATCHES = ("MapAndBatch", "Batch", "DenseToRagged", "GroupByWindow", "Rebatch")
UNDOES_BATCHES = ("Unbatch", "FlatMap", "Interleave", "Window")


def leaves(structure: Any) -> list[Any]:
    """The tensors and arrays of a structure; no variables, resources, numbers or models."""
    return [each for each in inside.python("util.nest").flatten(structure) if _is_data(each)]


def _is_data(value: Any) -> bool:
    shape, dtype = getattr(value, "shape", None), getattr(value, "dtype", None)
    if shape is None or dtype is None or hasattr(value, "assign"):
        return False
    return getattr(dtype, "name", "") not in ("resource", "variant")


def rank(value: Any) -> int:
    """Number of dimensions, -1 where it is unknown."""
    dimensions = value.shape.rank if hasattr(value.shape, "rank") else len(value.shape)
    return -1 if dimensions is None else int(dimensions)


def size(value: Any) -> int | None:
    """The length of the first dimension; None: unknown."""
    first = getattr(value.shape[0], "value", value.shape[0])  # TensorFlow 1 has objects there
    return None if first is None else int(first)


def is_finite(value: Any) -> bool:
    """Whether all numbers of a value that is at hand are; others are taken to be."""
    array = _on_cpu(value)
    if array is None or array.dtype.kind != "f":
        return True
    return bool(importlib.import_module("numpy").isfinite(array).all())


def alike(values: Sequence[Any]) -> list[Any]:
    """Those that have the first dimension most of them have, or nothing."""
    groups: dict[int | None, list[Any]] = {}
    for value in values:
        if rank(value) > 0:
            groups.setdefault(size(value), []).append(value)
    return max(groups.values(), key=len, default=[])


def is_batch(values: Sequence[Any], dataset: Any) -> bool:
    """Whether an element of a tf.data pipeline holds several examples.

    The pipeline says so; where it was made of a generator, the shapes have to.
    """
    if not values or any(rank(value) < 1 for value in values):
        return False
    said = _pipeline_says(dataset)
    if said is not None:
        return said
    ranks, sizes = {rank(value) for value in values}, {size(value) for value in values}
    return len(sizes) == 1 and (None in sizes or (len(values) > 1 and ranks != {1}))


def _pipeline_says(dataset: Any) -> bool | None:
    while dataset is not None:
        name = type(dataset).__name__
        if any(kind in name for kind in UNDOES_BATCHES):
            return None
        if any(kind in name for kind in MAKES_BATCHES):
            return True
        inputs = dataset._inputs()
        dataset = inputs[0] if len(inputs) == 1 else None
    return None


def fingerprints(values: Sequence[Any], batch: bool) -> list[str]:
    """One of each example, of values that are at hand. Raises Unknown where there can be none."""
    if not values:
        return []
    on_cpu = [_on_cpu(each) for each in values]
    if all(each is not None for each in on_cpu):
        arrays = on_cpu if batch else [each[None] for each in on_cpu]
        return fingerprint.hexadecimal(fingerprint.of_arrays(arrays))
    with inside.python("framework.ops").init_scope():
        values = list(values) if batch else [expanded(each) for each in values]
        return fingerprint.hexadecimal(fingerprint.of_tensors(values).numpy())


def expanded(value: Any) -> Any:
    """One example as a batch of one."""
    return inside.python("ops.array_ops").expand_dims(fingerprint.dense(value), 0)


def _on_cpu(value: Any) -> Any:
    """The numpy array behind a value, without a copy; None for what only TensorFlow can read."""
    np = importlib.import_module("numpy")

    if isinstance(value, (np.ndarray, np.generic)):
        return np.asarray(value)
    if not (hasattr(value, "_numpy") and hasattr(value, "device")):
        return None  # ragged or sparse
    if value.dtype.name == "string" or "CPU" not in value.device:
        return None
    return np.asarray(value._numpy())
