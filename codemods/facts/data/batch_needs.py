"""What a training needs of its batches: one size, all of the data, or those of one process."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.array_names import OF_VALUES
from ...program.node_fields import within
from ..by_rank import depends_on_rank, depends_on_size
from ..facts import Facts, recorded
from ..names import KERAS
from ..training import fits
from ..training.pattern import Pattern, training_of

# -- batch needs ---------------------------------------------------------------------------------
# Models that depend on which batches they get: state from one to the next, or one fixed size.


def order_matters(facts: Facts) -> bool:
    """Whether a layer keeps its state from batch to batch (`stateful=True`)."""
    return any(
        keyword.arg == "stateful" and not _is_constant(keyword.value, False)
        for call in facts.index.calls
        for keyword in call.keywords
    )


def size_is_fixed(facts: Facts) -> bool:
    """Whether the model only takes batches of one size, which a share may not divide into."""
    return any(map(_fixes_size, _layers(facts)))


def _layers(facts: Facts) -> list[ast.Call]:
    names = (f"{KERAS}.layers.", f"{KERAS}.Input")
    return [c for c in facts.index.calls if (facts.name(c.func) or "").startswith(names)]


def _fixes_size(layer: ast.Call) -> bool:
    for keyword in layer.keywords:
        if keyword.arg == "batch_size" and not _is_constant(keyword.value, None):
            return True
        if keyword.arg in ("batch_input_shape", "batch_shape"):
            shape = keyword.value
            sizes = shape.elts[:1] if isinstance(shape, (ast.Tuple, ast.List)) else [shape]
            return not all(_is_constant(size, None) for size in sizes)
    return False


def _is_constant(expr: ast.expr, value: object) -> bool:
    return isinstance(expr, ast.Constant) and expr.value is value


# -- whose batch ---------------------------------------------------------------------------------
# Whether all workers together take the batch of one process: asked for, or written so already.
#
# A program whose batches are divided by the number of workers has its rates and steps as they
# are.

_SIZED = ("batch", "padded_batch", "fit")


@recorded
def keeps_batch(facts: Facts) -> bool:
    """Whether each worker takes an Nth of every batch, at the rate and in the steps of one."""
    if facts.options.keeps_batch:
        return True
    return facts.has_horovod and any(_is_divided(facts, size) for size in _sizes(facts))


def _sizes(facts: Facts) -> Iterator[ast.expr]:
    """What says how many rows a step takes."""
    for call in facts.index.calls:
        method = getattr(call.func, "attr", "")
        place = 2 if method == "fit" else 0
        if method in _SIZED:
            yield from call.args[place : place + 1]
        yield from (each.value for each in call.keywords if each.arg == "batch_size")
    for part in facts.index.nodes(ast.Slice):
        if part.lower is not None and part.upper is not None:
            yield part.upper


def _is_divided(facts: Facts, size: ast.expr) -> bool:
    """Whether it is something by the number of workers, and nothing times that."""
    parts = [n for n in within(size) if isinstance(n, (ast.Name, ast.Call, ast.BinOp))]
    made = [*parts, *(node for part in parts for node in facts.origins(part).nodes)]
    asked = [n for n in made if isinstance(n, ast.BinOp) and depends_on_size(facts, n.right)]
    divided = any(isinstance(each.op, (ast.FloorDiv, ast.Div)) for each in asked)
    times = (n for n in asked if isinstance(n.op, ast.Mult) and isinstance(n.right, ast.Call))
    return divided and not any(True for _ in times)


# -- full fits -----------------------------------------------------------------------------------
# Whether every `fit` takes all of its data in every step: `fit(x, y, batch_size=len(x))`.
#
# The workers then share out the very batch that one process takes: a step covers no more examples
# than before, so the learning rate is to stay. A share of it, as D107 cuts it, is no other batch.

BY_DEFAULT = 32  # https://keras.io/api/models/model_training_apis: `batch_size`


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
    examples = [_shared(facts, each) for each in fits.examples(facts, call)]
    sizes = fits.arguments(facts, call, "batch_size")
    if len(examples) != 1 or (sizes and not fits.is_given(facts, call, "batch_size")):
        return False
    if not sizes:
        return _is_short(facts, examples[0], BY_DEFAULT)
    arrays = [*examples, *(_shared(facts, each) for each in fits.arguments(facts, call, "y"))]
    return all(any(_is_all(facts, size, array) for array in arrays) for size in sizes)


def _shared(facts: Facts, array: ast.expr) -> ast.expr:
    """What each worker takes a share of: `x` of `x[shard]`, with a slice by its number."""
    made = facts.origins(array).only
    is_share = isinstance(made, ast.Subscript) and depends_on_rank(facts, made.slice)
    return made.value if is_share else array  # type: ignore[union-attr]


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
    if not isinstance(made, ast.Call) or facts.name(made.func) not in OF_VALUES or not made.args:
        return False
    written = made.args[0]
    if not isinstance(written, (ast.List, ast.Tuple)):
        return False
    return len(written.elts) <= most and not any(isinstance(e, ast.Starred) for e in written.elts)
