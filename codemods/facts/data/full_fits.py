"""Whether every `fit` takes all of its data in every step: `fit(x, y, batch_size=len(x))`.

The workers then share out the very batch that one process takes: a step covers no more examples
than before, so the learning rate is to stay.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...program.node_fields import within
from ..facts import Facts, recorded
from ..training import fits
from ..training.pattern import Pattern, training_of

BY_DEFAULT = 32  # https://keras.io/api/models/model_training_apis: `batch_size`
_ARRAYS = ("numpy.array", "numpy.asarray", "tensorflow.constant", "tensorflow.convert_to_tensor")


@recorded
def full_fits(facts: Facts) -> tuple[ast.Call, ...]:
    """All calls of `fit`, if each of them certainly takes all of its data at once; else none."""
    training = training_of(facts)
    calls = tuple(fits.fits(facts))
    is_keras = training.pattern is Pattern.KERAS and len(calls) == len(training.places)
    return calls if is_keras and all(_takes_all(facts, call) for call in calls) else ()


def _takes_all(facts: Facts, call: ast.Call) -> bool:
    if "*" in fits.hidden(facts, call) or fits.arguments(facts, call, "steps_per_epoch"):
        return False
    examples, sizes = fits.examples(facts, call), fits.arguments(facts, call, "batch_size")
    if len(examples) != 1 or (sizes and not fits.is_given(facts, call, "batch_size")):
        return False
    if not sizes:
        return _is_short(facts, examples[0], BY_DEFAULT)
    arrays = (*examples, *fits.arguments(facts, call, "y"))
    whole = [_unshared(facts, array) for array in arrays]
    return all(any(_is_all(facts, size, array) for array in whole) for size in sizes)


def _unshared(facts: Facts, array: ast.expr) -> ast.expr:
    """The array behind a worker's share of it, `x[shard]`, as D107 cuts it; else itself."""
    if not isinstance(array, ast.Subscript):
        return array
    cut = facts.origins(array.slice).only or array.slice
    names = (facts.name(node.func) or "" for node in within(cut) if isinstance(node, ast.Call))
    by_worker = any(name.startswith("horovod.") and name.endswith(".rank") for name in names)
    return array.value if by_worker else array


def _is_all(facts: Facts, size: ast.expr, array: ast.expr) -> bool:
    """Whether a batch is as long as the array, or longer."""
    made = facts.origins(size).only
    if isinstance(made, ast.Constant) and isinstance(made.value, int):
        return _is_short(facts, array, made.value)
    return any(_is_same(facts, of, array) for of in _measured(facts, made))


def _measured(facts: Facts, made: ast.AST | None) -> Iterator[ast.expr]:
    """`x` of `len(x)` and of `x.shape[0]`."""
    if isinstance(made, ast.Call) and facts.name(made.func) == "builtins.len":
        yield from made.args
    elif isinstance(made, ast.Subscript) and isinstance(made.value, ast.Attribute):
        index = made.slice
        if made.value.attr == "shape" and isinstance(index, ast.Constant) and index.value == 0:
            yield made.value.value


def _is_same(facts: Facts, one: ast.expr, other: ast.expr) -> bool:
    """Whether both are what was made at one place, which is not run again and again."""
    first, second = facts.origins(one), facts.origins(other)
    is_known = first.complete and second.complete and len(first.items) == 1
    return is_known and first.items == second.items and not facts.in_loop(first.items[0].node)


def _is_short(facts: Facts, array: ast.expr, most: int) -> bool:
    """Whether an array is written out in the text, with no more elements than that."""
    made = facts.origins(array).only
    if not isinstance(made, ast.Call) or facts.name(made.func) not in _ARRAYS or not made.args:
        return False
    written = made.args[0]
    if not isinstance(written, (ast.List, ast.Tuple)):
        return False
    return len(written.elts) <= most and not any(isinstance(e, ast.Starred) for e in written.elts)
