"""One number for each example of a batch: the same on every worker and in every place of a batch.

Of an example's features at most 1,024 are taken, spread over all of them. Their bits are mixed and
added up with odd 64-bit weights (multilinear hashing): zeros that a batch pads with don't count.
numpy and TensorFlow give the same numbers, so it is no matter which of them saw the batch.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Sequence
from typing import Any

from . import inside

FEATURES = 1024
MIX = 0x5BD1E995 | 1  # 31 bits: its product with 32 bits stays positive in an int64
SHIFT = 23
STRINGS = (1 << 31) - 1
DENSE = 1 << 24  # elements of a sparse batch that may be laid out


class Unknown(Exception):
    """A kind of batch that no fingerprint is made of; says which."""


@functools.lru_cache(maxsize=64)
def weights(component: int, words: int) -> Any:
    """Odd pseudo-random numbers, int64 [words] (splitmix64)."""
    np = importlib.import_module("numpy")

    with np.errstate(over="ignore"):
        z = np.arange(1, words + 1, dtype=np.uint64) + np.uint64(component << 32)
        z = z * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return ((z ^ (z >> np.uint64(31))) | np.uint64(1)).view(np.int64)


@functools.lru_cache(maxsize=64)
def sample(features: int) -> Any:
    """Which features are taken, int64 [at most 1,024]: one a stretch, unevenly."""
    np = importlib.import_module("numpy")

    if features <= FEATURES:
        return np.arange(features)
    stretch = features // FEATURES
    number = np.arange(FEATURES)
    return number * stretch + number * 40503 % stretch


def hexadecimal(rows: Any) -> list[str]:
    """int64 [batch] as the records write it."""
    digits = rows.astype(">i8").tobytes().hex()
    return [digits[start : start + 16] for start in range(0, len(digits), 16)]


# ---------------------------------------------------------------- numpy


def of_arrays(components: Sequence[Any]) -> Any:
    """int64 [batch] of arrays [batch, …]."""
    np = importlib.import_module("numpy")

    with np.errstate(over="ignore"):
        return functools.reduce(np.add, map(_of_array, components, range(len(components))))


def _of_array(array: Any, component: int) -> Any:
    np = importlib.import_module("numpy")

    rows = array.reshape(len(array), -1) if array.size else array.reshape(len(array), 0)
    if rows.shape[1] > FEATURES:
        rows = rows[:, sample(rows.shape[1])]
    words = _words(np.ascontiguousarray(rows)).astype(np.int64)
    words *= MIX
    words ^= words >> SHIFT
    return words @ weights(component, words.shape[1])


def _words(rows: Any) -> Any:
    """The bits of [batch, features] as unsigned numbers of at most 32 bits."""
    np = importlib.import_module("numpy")

    if rows.dtype.kind in "OSU":
        return _of_strings(rows)
    size = rows.dtype.itemsize
    if size not in (1, 2, 4, 8, 16) or rows.dtype.hasobject:
        raise Unknown(f"values of type {rows.dtype}")
    return rows.view({1: np.uint8, 2: np.uint16}.get(size, np.uint32))


def _of_strings(rows: Any) -> Any:
    import zlib

    np = importlib.import_module("numpy")

    def code(value: Any) -> int:
        data = value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")
        return zlib.crc32(data)

    codes = [code(value) for value in rows.ravel().tolist()]
    return np.array(codes, np.uint32).reshape(rows.shape)


# ---------------------------------------------------------------- TensorFlow


def of_tensors(components: Sequence[Any]) -> Any:
    """The same for tensors, as operations (also of a graph): an int64 tensor [batch]."""
    add = inside.python("ops.math_ops").add_n
    rows = [_of_tensor(each, number) for number, each in enumerate(components)]
    if all(each.shape[0] is not None for each in components):
        return add(rows)
    return add([rows[0], *(_if_as_long(each, rows[0]) for each in rows[1:])])


def _if_as_long(rows: Any, first: Any) -> Any:
    """The rows, or zeros where there are not as many as in the first component.

    A graph that does not know its batches may get several at once: `zip((unlabeled, labeled))`.
    """
    array_ops, math_ops = inside.python("ops.array_ops"), inside.python("ops.math_ops")
    wanted, there = array_ops.size(first), array_ops.size(rows)
    filled = array_ops.pad(rows[:wanted], [[0, math_ops.maximum(wanted - there, 0)]])
    return filled * math_ops.cast(math_ops.equal(wanted, there), "int64")


def _of_tensor(tensor: Any, component: int) -> Any:
    array_ops, math_ops = inside.python("ops.array_ops"), inside.python("ops.math_ops")
    bits = inside.python("ops.gen_bitwise_ops")
    rows = _sampled(dense(tensor), array_ops, math_ops)
    int64 = math_ops.cast(_tensor_words(rows, array_ops, math_ops), "int64") * MIX
    int64 = bits.bitwise_xor(int64, bits.right_shift(int64, math_ops.cast(SHIFT, "int64")))
    known = int64.shape[1]
    most = FEATURES * 4 if known is None else known
    odd = inside.python("framework.constant_op").constant(weights(component, most))
    return math_ops.reduce_sum(int64 * odd[: array_ops.shape(int64)[1]], axis=1)


def dense(tensor: Any) -> Any:
    """A ragged or sparse batch with zeros where it holds nothing.

    Raises Unknown for one that would be too large, or whose shape is not known.
    """
    if hasattr(tensor, "row_splits"):
        if tensor.ragged_rank > 1:
            raise Unknown("ragged in more than one dimension")
        return tensor.to_tensor()
    if hasattr(tensor, "dense_shape"):
        if not (tensor.shape.num_elements() or 0) <= DENSE:
            raise Unknown("a large sparse batch")
        return inside.python("ops.sparse_ops").sparse_tensor_to_dense(
            tensor, validate_indices=False
        )
    return tensor


def _sampled(tensor: Any, array_ops: Any, math_ops: Any) -> Any:
    batch = array_ops.shape(tensor)[0]
    features = tensor.shape[1:].num_elements()
    if features is not None:
        rows = array_ops.reshape(tensor, [batch, features])
        return array_ops.gather(rows, sample(features), axis=1) if features > FEATURES else rows
    features = math_ops.reduce_prod(array_ops.shape(tensor)[1:])
    stretch = math_ops.maximum(features // FEATURES, 1)
    number = math_ops.range(math_ops.minimum(features, FEATURES))
    places = number * stretch + math_ops.floormod(number * 40503, stretch)
    return array_ops.gather(array_ops.reshape(tensor, [batch, features]), places, axis=1)


def _tensor_words(rows: Any, array_ops: Any, math_ops: Any) -> Any:
    dtype = rows.dtype
    if dtype.name == "string":
        return inside.python("ops.gen_string_ops").string_to_hash_bucket_fast(rows, STRINGS)
    if dtype.name == "bool":
        return math_ops.cast(rows, "uint8")
    unsigned = {1: "uint8", 2: "uint16", 4: "uint32", 8: "uint32", 16: "uint32"}.get(dtype.size)
    if unsigned is None or dtype.name in ("resource", "variant"):
        raise Unknown(f"values of type {dtype.name}")
    if dtype.name == unsigned:
        return rows
    words = array_ops.bitcast(rows, inside.python("framework.dtypes").as_dtype(unsigned))
    if dtype.size <= 4:
        return words
    shape = array_ops.shape(rows)
    return array_ops.reshape(words, [shape[0], shape[1] * (dtype.size // 4)])
