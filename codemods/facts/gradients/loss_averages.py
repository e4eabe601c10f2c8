"""Whether the average of the workers' gradients is that of one batch which they share out."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...library import losses
from ...library.layers import AXIS_AT, FUNCTION_AT
from ...library.names import normal
from ...library.tensorflow_names import ROW_COUNTS
from ...library.words import words
from ...program.parts import FunctionNode
from ..causes import Problem
from ..data.arrays import is_array
from ..facts import recorded
from ..optimizers.compiles import compiles
from ..roles import Role
from ..training.training_loops import trains
from .mean_losses import given_by, losses_of
from .row_kinds import (
    CONST,
    COUPLED,
    DIVIDED,
    FUNCTION,
    LOSS_OF_MEANS,
    LOSS_OF_SUMS,
    LOSS_OF_TERMS,
    MASKED,
    MEAN,
    PER_ROW,
    ROWS,
    SUM,
    TERMS,
    VECTOR,
    layer_arguments,
    own_calls,
)

if TYPE_CHECKING:
    from ..facts import Facts


# -- own code ------------------------------------------------------------------------------------
# Code of the program's own that Keras calls with whole batches, and may bring rows together.

COUPLES = "this loss couples the rows of a batch: a worker sees only those of its own part"
OWN_ROWS = "nobody can tell whether this code leaves each row of a batch to itself"
OUT = 'or leave `batch = "global"` out: then each worker takes a whole batch'
NAME_IT = "write it with TensorFlow's own functions, row by row, and `tf.reduce_mean` at the end"
APART = NAME_IT.partition(", and")[0]
_CALLABLES = words("activation recurrent_activation function call_method")
_AXES = words("axis axes")
_TIME = "time_major"  # of recurrent layers: the rows lie on the second axis


def own_code(facts: Facts) -> Iterator[Problem]:
    """Layers, models and functions of the program's own that may bring rows together."""
    for function in dict.fromkeys(own_calls(facts)):
        node = next(filter(None, map(_returned, ast.walk(function))), None)
        if node is not None:
            yield from together(facts, node, function)
    for call in facts.index.calls:
        yield from _given(facts, call)
        yield from _axes(facts, call)
    yield from _put_later(facts)
    for compiled in compiles(facts):
        model = compiled.call.func.value  # type: ignore[attr-defined]
        if COUPLED in losses_of(facts).kinds(model):
            yield Problem(model, COUPLES, f"{APART}; {OUT}")


def together(facts: Facts, node: ast.expr, function: ast.AST) -> Iterator[Problem]:
    """Why a function that is given rows may bring them together."""
    kinds = given_by(facts, function)
    if not kinds or not kinds <= {*PER_ROW, CONST}:
        why = COUPLES if kinds & {COUPLED, MEAN, SUM} else OWN_ROWS
        yield Problem(node, why, f"{APART}; {OUT}")


def _returned(node: ast.AST) -> ast.expr | None:
    return node.value if isinstance(node, ast.Return) else None


def _given(facts: Facts, call: ast.Call) -> Iterator[Problem]:
    """The functions that a layer is made with."""
    called = list(_called(facts, call))
    for given in (k.value for k in call.keywords if k.arg is None):
        if ".layers." in (facts.name(call.func) or ""):
            yield Problem(given, OWN_ROWS, f"write its arguments into the call; {OUT}")
    for given in layer_arguments(facts, call):
        functions = facts.program.functions(given)
        for each in functions.nodes:
            yield from together(facts, given, each)
        is_all = functions.is_complete if functions.nodes else _is_known(facts, given)
        if (functions.nodes or given in called) and not is_all:
            yield Problem(given, OWN_ROWS, f"{APART}; {OUT}")


def _put_later(facts: Facts) -> Iterator[Problem]:
    """`model.layers[0].activation = f`, `Layer.call = f`."""
    for attribute in ("call", "axis", *sorted(_CALLABLES)):
        for target, _ in facts.attribute_stores.get(attribute, ()):
            if not (isinstance(target.value, ast.Name) and target.value.id == "self"):
                yield Problem(target, OWN_ROWS, f"give it where the layer is made; {OUT}")


def _called(facts: Facts, call: ast.Call) -> Iterator[ast.expr]:
    """The arguments of a layer that can only be functions, or the names of some."""
    position = FUNCTION_AT.get((facts.name(call.func) or "").rpartition(".")[2])
    yield from call.args[position : position + 1] if position is not None else ()
    yield from (k.value for k in call.keywords if k.arg in _CALLABLES)


def _is_known(facts: Facts, given: ast.expr) -> bool:
    """`"relu"`, `None`, `tf.nn.relu`, `tf.keras.activations.gelu`."""
    made = facts.origins(given).only
    if isinstance(made, ast.Constant):
        return True
    name = facts.name(given) or ""
    is_softmax = name in losses.ALONG and name.endswith("softmax")
    return name in losses.ELEMENTWISE or is_softmax or ".activations." in name


def _axes(facts: Facts, call: ast.Call) -> Iterator[Problem]:
    """A layer that works along another axis than the last one, or one behind the rows."""
    name = facts.name(call.func) or ""
    if ".layers." not in name:
        return
    for each in (k.value for k in call.keywords if k.arg == _TIME):
        if not (isinstance(each, ast.Constant) and each.value is False):
            yield Problem(each, COUPLES, f"let the rows come first; {OUT}")
    position = AXIS_AT.get(name.rpartition(".")[2])
    given = call.args[position : position + 1] if position is not None else []
    for axis in (*given, *(k.value for k in call.keywords if k.arg in _AXES)):
        if not _is_behind(axis):
            yield Problem(axis, COUPLES, f"let it work along the last axis; {OUT}")


def _is_behind(axis: ast.expr) -> bool:
    try:
        found = ast.literal_eval(axis)
    except ValueError:
        return False
    axes = found if isinstance(found, (list, tuple)) else (found,)
    return all(isinstance(each, int) and (each == -1 or each > 0) for each in axes)


# -- row counts ----------------------------------------------------------------------------------
# How many rows a step has, where it trains: an Nth of them on each worker.
#
# Only as the divisor of a sum in a loss it's known what becomes of that number; what else is
# computed by it (a rate, a factor of gradients, a number of steps) isn't that of the whole batch.

WHY = "nobody can tell what this number of rows is for: each worker counts an Nth of a batch"
FIX = (
    "let only a sum in the loss be divided by it, or take a number of the program; or leave "
    '`batch = "global"` out'
)
_NAMES = losses.SHAPES | ROW_COUNTS
_METHODS = words("get_shape __len__ num_elements cardinality")
_ATTRIBUTES = words("shape size")
_CASTS = words("cast float")


def row_counts(facts: Facts) -> Iterator[Problem]:
    """Each number of rows in code that trains which isn't the divisor of a sum."""
    for node in _training_code(facts):
        counted = _counted(facts, node)
        if counted is not None and not _is_harmless(facts, node, counted):
            yield Problem(node, WHY, FIX)  # type: ignore[arg-type]


def is_counted(facts: Facts, size: ast.expr) -> bool:
    """Whether a number is computed from how many rows there are."""
    made = (size, *facts.program.ingredients(size))
    return any(_counted(facts, node) is not None for each in made for node in ast.walk(each))


def _counted(facts: Facts, node: ast.AST) -> ast.AST | None:
    """What is counted there: `len(x)`, `tf.shape(x)`, `x.shape`, `x.get_shape()`."""
    if isinstance(node, ast.Call):
        if normal(facts.name(node.func) or "") in _NAMES:
            return node.args[0] if node.args else node
        return _of_method(node.func) or _in_other_words(facts, node)
    if isinstance(node, ast.Name) and node.id == "len":
        return None if _is_called(facts, node) else node  # `map(len, parts)`
    if not isinstance(node, ast.Attribute) or node.attr not in _ATTRIBUTES:
        return None
    return None if _is_called(facts, node) else node.value


def _is_called(facts: Facts, func: ast.AST) -> bool:
    parent = facts.parent(func)
    return isinstance(parent, ast.Call) and parent.func is func


def _in_other_words(facts: Facts, call: ast.Call) -> ast.AST | None:
    """`sum(1 for each in x)`, `getattr(x, "shape")`."""
    name, first = facts.name(call.func), call.args[0] if call.args else None
    if name == "builtins.sum" and isinstance(first, ast.GeneratorExp):
        return first.generators[0].iter if isinstance(first.elt, ast.Constant) else None
    words_of = {each.value for each in call.args if isinstance(each, ast.Constant)}
    return first if name == "builtins.getattr" and words_of & _ATTRIBUTES else None


def _of_method(func: ast.expr) -> ast.AST | None:
    is_count = isinstance(func, ast.Attribute) and func.attr in _METHODS
    return func.value if is_count else None  # type: ignore[attr-defined]


# -- where it trains ------------------------------------------------------------------------------


@recorded
def _training_code(facts: Facts) -> tuple[ast.AST, ...]:
    """All nodes of loops and functions that train, and of the functions that they name."""
    loops = (*facts.index.nodes(ast.For), *facts.index.nodes(ast.While))
    functions = (node for node in facts.index.definitions if isinstance(node, FunctionNode))
    todo: list[ast.AST] = [node for node in (*loops, *functions) if trains(facts, node)]
    found: dict[ast.AST, None] = {}
    while todo:
        for node in ast.walk(todo.pop()):
            if node not in found:
                found[node] = None
                todo += _named(facts, node)
    return tuple(found)


def _named(facts: Facts, node: ast.AST) -> list[ast.AST]:
    is_read = isinstance(getattr(node, "ctx", None), ast.Load)
    if not is_read or not isinstance(node, (ast.Name, ast.Attribute)):
        return []
    return [*facts.program.functions(node).nodes]


# -- what does no harm ----------------------------------------------------------------------------


def _is_harmless(facts: Facts, node: ast.AST, counted: ast.AST) -> bool:
    if _is_behind_rows(facts.parent(node)) or losses_of(facts).kinds(counted) == {CONST}:
        return True
    return _is_divisor(facts, node) or _is_whole(facts, counted)


def _is_behind_rows(part: ast.AST | None) -> bool:
    """`x.shape[1]`, `x.shape[1:]`."""
    if not isinstance(part, ast.Subscript):
        return False
    is_from = isinstance(part.slice, ast.Slice) and part.slice.step is None
    index = part.slice.lower if is_from else part.slice  # type: ignore[attr-defined]
    return isinstance(index, ast.Constant) and isinstance(index.value, int) and index.value > 0


def _is_divisor(facts: Facts, node: ast.AST) -> bool:
    """`tf.reduce_sum(x) / tf.cast(tf.shape(a)[0], tf.float32)`."""
    below, parent = node, facts.parent(node)
    while isinstance(parent, ast.Subscript) or _is_cast(parent):
        below, parent = parent, facts.parent(parent)  # type: ignore[arg-type, assignment]
    if not isinstance(parent, ast.BinOp) or parent.right is not below:
        return False
    kinds = losses_of(facts).kinds
    return kinds(parent.left) == {SUM} and kinds(parent) == {MEAN}


def _is_cast(node: ast.AST | None) -> bool:
    name = (
        getattr(node.func, "attr", getattr(node.func, "id", ""))
        if isinstance(node, ast.Call)
        else ""
    )
    return name in _CASTS


def _is_whole(facts: Facts, counted: ast.AST) -> bool:
    """An array that is assigned outside of loops: all of the data."""
    if not isinstance(counted, ast.Name) or not is_array(facts, counted):
        return False
    stores = [n for n in facts.index.nodes(ast.Name) if n.id == counted.id]
    stores = [n for n in stores if isinstance(n.ctx, ast.Store)]
    named = any(arg.arg == counted.id for arg in facts.index.nodes(ast.arg))
    in_loops = (isinstance(p, (ast.For, ast.While)) for n in stores for p in facts.parents(n))
    is_row = losses_of(facts).kinds(counted) & {*PER_ROW}
    return bool(stores) and not (named or is_row or any(in_loops))


# -- why an average is another one ---------------------------------------------------------------
# Why the average of the workers' gradients isn't known to be that of one batch they share out.
#
# It is where each loss is a mean over rows, each term of one row, with a constant divisor.
# Whether something is clipped before the average is asked by the obligation *averaged*; what an
# optimizer clips by itself, as by `clipnorm`, comes behind it (run on two workers: equal to
# 1e-7).

_SUMMED = (
    "this loss is a sum over the rows: with an Nth of them its gradients are N times too small"
)
_DIVIDED = (
    "this loss is a sum over the rows, divided by a number that stays: with an Nth of the rows its "
    "gradients are N times too small"
)
_MASKED = (
    "this loss is divided by a sum of the batch's own (of a mask, or of weights): the mean of the "
    "workers' quotients is another number than the quotient of the sums"
)
_UNKNOWN = "nobody can tell whether this loss is a mean over rows, each term of one row alone"
_ADDED = "`add_loss` and activity regularizers add a number of which nobody knows what divides it"
_USE_MEAN = "let it be a mean over the rows (`tf.reduce_mean`, or Keras' `sum_over_batch_size`)"
_WHY = {
    SUM: (_SUMMED, _USE_MEAN),
    TERMS: (_SUMMED, _USE_MEAN),
    ROWS: (_SUMMED, _USE_MEAN),
    VECTOR: (_SUMMED, _USE_MEAN),
    LOSS_OF_SUMS: (_SUMMED, _USE_MEAN),
    LOSS_OF_TERMS: (_SUMMED, _USE_MEAN),
    DIVIDED: (_DIVIDED, _USE_MEAN),
    MASKED: (_MASKED, "divide by the number of rows, which all workers have alike"),
    COUPLED: (COUPLES, "leave the batch whole on each worker"),
}
_ORDER = (DIVIDED, SUM, LOSS_OF_SUMS, LOSS_OF_TERMS, MASKED, COUPLED)
_SCALARS = frozenset({MEAN, CONST})
_LOSS = ("loss", 1)
_HOLDING = (ast.Dict, ast.List, ast.Tuple, ast.Set, ast.DictComp, ast.ListComp)


def unlike(facts: Facts) -> Iterator[Problem]:
    """Each place by which the average of the gradients may be another one than the batch's."""
    yield from _compiled(facts)
    yield from _taped(facts)
    yield from _added(facts)
    yield from own_code(facts)
    yield from row_counts(facts)


def problem(node: ast.expr, kinds: frozenset[str], allowed: frozenset[str]) -> Problem | None:
    """Why what a loss may be is no mean over rows."""
    wrong = kinds - allowed
    if kinds and not wrong:
        return None
    worst = next((kind for kind in (*_ORDER, *_WHY) if kind in wrong), "")
    why, fix = _WHY.get(worst, (_UNKNOWN, NAME_IT))
    return Problem(node, why, f"{fix}; {OUT}")


# -- what losses are ------------------------------------------------------------------------------


def _compiled(facts: Facts) -> Iterator[Problem]:
    """The losses that models are compiled with."""
    for compiled in compiles(facts):
        given = facts.argument(compiled.call, *_LOSS)
        if compiled.own_signature or (given is None and not compiled.own_step):
            yield Problem(compiled.call, _UNKNOWN, f"{NAME_IT}; {OUT}")
        for each in _each(facts, given):
            found = _of_compile(facts, each)
            if found is not None:
                yield found


def _each(facts: Facts, given: ast.expr | None) -> Iterator[ast.expr]:
    """One loss, or those of a list or dictionary that nothing changes on its way."""
    made = _written(facts, given) if given is not None else None
    if isinstance(made, ast.Dict):
        yield from made.values
    elif isinstance(made, (ast.List, ast.Tuple)):
        yield from made.elts
    elif given is not None:
        yield given


def _written(facts: Facts, given: ast.expr) -> ast.AST | None:
    """A literal: written there, or the only value of a name which is read nowhere else."""
    if not isinstance(given, ast.Name):
        return given
    made = facts.origins(given).only
    stored = [n for n in facts.index.nodes(ast.Name) if n.id == given.id and n is not given]
    return made if len(stored) == 1 and isinstance(stored[0].ctx, ast.Store) else None


def _of_compile(facts: Facts, given: ast.expr) -> Problem | None:
    """What Keras makes a mean of: names, functions of each row, losses that are means."""
    found = facts.origins(given)
    made = found.only
    if isinstance(made, ast.Constant):
        is_known = made.value is None or losses.is_named(str(made.value))
        return None if is_known else Problem(given, _UNKNOWN, f"{NAME_IT}; {OUT}")
    functions = facts.program.functions(given)
    if functions.nodes and functions.is_complete:
        kinds = frozenset().union(*(given_by(facts, each) for each in functions.nodes))
        return problem(given, kinds, frozenset({MEAN, TERMS, ROWS, CONST}))
    if functions.nodes or any(isinstance(each, _HOLDING) for each in found.nodes):
        return Problem(given, _UNKNOWN, f"{NAME_IT}; {OUT}")  # what is put into it, who knows
    allowed = frozenset({LOSS_OF_MEANS, FUNCTION})
    return problem(given, losses_of(facts).kinds(given), allowed)


def _taped(facts: Facts) -> Iterator[Problem]:
    """What tapes take gradients of, and what `minimize` does."""
    for call in facts.calls("gradient", "jacobian"):
        is_tape = Role.TAPE in facts.roles(call.func.value)  # type: ignore[attr-defined]
        given = facts.argument(call, "target", 0) if is_tape else None
        found = given and problem(given, losses_of(facts).kinds(given), _SCALARS)
        if found:
            yield found
        weighed = facts.argument(call, "output_gradients", 2) if is_tape else None
        if weighed is not None:
            yield Problem(weighed, _UNKNOWN, f"leave `output_gradients` out; {OUT}")
    for call in facts.calls("minimize"):
        yield from _minimized(facts, call)


def _minimized(facts: Facts, call: ast.Call) -> Iterator[Problem]:
    given = facts.argument(call, "loss", 0)
    if given is None or Role.OPTIMIZER not in facts.roles(call.func.value):  # type: ignore[attr-defined]
        return
    functions = facts.program.functions(given).nodes
    kinds = frozenset().union(*(given_by(facts, each) for each in functions))
    found = problem(given, kinds if functions else losses_of(facts).kinds(given), _SCALARS)
    if found is not None:
        yield found


# -- what else there is ---------------------------------------------------------------------------


def _added(facts: Facts) -> Iterator[Problem]:
    """What is added to a loss in ways of its own, and masks that divide it."""
    yield from _set_later(facts)
    for call in facts.calls("add_loss"):
        yield Problem(call, _ADDED, OUT.partition(" ")[2])
    rows: tuple[tuple[str, str], ...] = (("activity_regularizer", _ADDED), ("mask_zero", _MASKED))
    for call in facts.index.calls:
        for keyword in call.keywords:
            why = dict(rows).get(keyword.arg or "")
            if why and not (isinstance(keyword.value, ast.Constant) and not keyword.value.value):
                yield Problem(keyword.value, why, OUT.partition(" ")[2])
        name = facts.name(call.func) or ""
        if name.rpartition(".")[2] in losses.MASKS and ".layers." in name:
            yield Problem(call, _MASKED, OUT.partition(" ")[2])


def _set_later(facts: Facts) -> Iterator[Problem]:
    """`loss.reduction = "sum"`, `setattr(loss, "reduction", "sum")`."""
    places: list[ast.expr] = [t for t, _ in facts.attribute_stores.get("reduction", ())]
    for call in facts.index.calls:
        words = (each.value for each in call.args if isinstance(each, ast.Constant))
        if facts.name(call.func) == "builtins.setattr" and "reduction" in words:
            places.append(call)
    for place in places:
        yield Problem(place, _UNKNOWN, f"give `reduction=` where the loss is made; {OUT}")
