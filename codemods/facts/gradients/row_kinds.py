"""What values are by their rows: losses, rows of a batch, or arrays that each step reads whole."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import product
from typing import Callable

from ...library.names import normal
from ...library.tensorflow_names import MODULE
from ...library.words import words
from ...program.call_sites import returns
from ...program.node_fields import within
from ...program.parts import FunctionNode
from ..data.arrays import as_many, axes_of, holds_rows, is_array, rows_of
from ..data.full_batch import code_of_steps, is_full_batch, rounds_of_training
from ..facts import Facts, recorded
from ..roles import Role
from ..training.session_runs import Run, fed, training_runs

# -- loss kinds ----------------------------------------------------------------------------------
# What values are, seen as losses, and what operators make of two of them.

Kinds = frozenset[str]
NOTHING: Kinds = frozenset()
# No rows: weights, numbers. A tensor of rows with more axes behind; one of which that isn't known.
CONST, ROWS, TERMS = "constant", "rows", "terms"
VECTOR = "one number of each row"  # of which it is known that it has no other axis
OWN = "rows of its own"  # what isn't shared out, and may have a row of each example
MEAN, SUM, DIVIDED, COUNT = "mean", "sum", "divided", "count"
MASKED, COUPLED, UNKNOWN = "masked", "coupled", "unknown"
SHAPE, NET = "shape", "net"
INDEXED = "indexed"  # a part of rows; which one is told by the index, where it stands
# Of Keras: an instance by what it makes of its terms, and a function that gives these.
LOSS_OF_MEANS, LOSS_OF_SUMS, LOSS_OF_TERMS = "loss of means", "loss of sums", "loss of terms"
FUNCTION = "function of terms"
CALLED = frozenset({LOSS_OF_MEANS, LOSS_OF_SUMS, LOSS_OF_TERMS, FUNCTION})
BAD = (UNKNOWN, COUPLED, MASKED)
PER_ROW = (ROWS, TERMS, VECTOR)


def binary(op: ast.operator, left: Kinds, right: Kinds) -> Kinds:
    """What an operator gives, of what its two sides may be."""
    row = _OPERATORS.get(type(op), joint)
    return frozenset(row(a, b) for a, b in product(left, right))


def _worst(a: str, b: str) -> str:
    return next(kind for kind in BAD if kind in (a, b))


def joint(a: str, b: str) -> str:
    """Of an operator by which nothing goes through unchanged."""
    if a in BAD or b in BAD:
        return _worst(a, b)
    if {a, b} <= {CONST, COUNT}:
        return UNKNOWN if COUNT in (a, b) else CONST  # only by itself it makes a mean of a sum
    if {a, b} <= {CONST, *PER_ROW}:
        return _rows(a, b)
    if OWN in (a, b):
        return OWN if {a, b} <= {CONST, OWN} else UNKNOWN
    return UNKNOWN if {a, b} & {SHAPE, NET} else COUPLED


def _rows(a: str, b: str) -> str:
    """`[n, 1] - [n]` is `[n, n]`: each row meets all others."""
    if {a, b} == {ROWS, VECTOR}:
        return COUPLED
    if ROWS in (a, b):
        return ROWS
    return VECTOR if VECTOR in (a, b) and TERMS not in (a, b) else TERMS


def _sum(a: str, b: str) -> str:
    scalars = {CONST, MEAN, SUM, DIVIDED}
    if {a, b} <= scalars and {a, b} != {CONST}:
        return next(kind for kind in (SUM, DIVIDED, MEAN) if kind in (a, b))
    return joint(a, b)


def _product(a: str, b: str) -> str:
    for one, other in ((a, b), (b, a)):
        if one == CONST and other in (MEAN, SUM, DIVIDED):
            return other
    return joint(a, b)


def _quotient(a: str, b: str) -> str:
    if b == CONST and a in (MEAN, SUM, DIVIDED):
        return DIVIDED if a == SUM else a
    if a == SUM and b == COUNT:
        return MEAN
    if a in (SUM, DIVIDED, MEAN) and b in (SUM, DIVIDED, MEAN):
        return MASKED
    return joint(a, b)


def _matrix(a: str, b: str) -> str:
    if a in BAD or b in BAD:
        return _worst(a, b)
    if a in (ROWS, TERMS) and b in (CONST, OWN):
        return ROWS
    if {a, b} <= {CONST, OWN}:
        return OWN if OWN in (a, b) else CONST
    return COUPLED


_OPERATORS: dict[type[ast.operator], Callable[[str, str], str]] = {
    ast.Add: _sum,
    ast.Sub: _sum,
    ast.Mult: _product,
    ast.Div: _quotient,
    ast.MatMult: _matrix,
}


def mixed(values: list[Kinds]) -> Kinds:
    """Of several values, element by element."""
    found = frozenset({CONST})
    for kinds in values:
        found = frozenset(joint(a, b) for a, b in product(found, kinds))
    return found


# -- given rows ----------------------------------------------------------------------------------
# Which code and which syntax gets rows of a batch: layers, their functions, slices of a loop.

_OF_WEIGHTS = ("initializer", "regularizer", "constraint")
_KNOWN_MODULES = words("tensorflow keras builtins abc typing dataclasses enum collections object")


def given_rows(facts: Facts) -> Iterator[ast.expr]:
    """What is called with rows: the functions that layers are given, or `map` of a data set."""
    for call in facts.index.calls:
        if getattr(call.func, "attr", "") == "map" and facts.name(call.func) is None:
            given = facts.argument(call, "map_func", 0)
            yield from (given,) if given is not None else ()
        yield from layer_arguments(facts, call)


def layer_arguments(facts: Facts, call: ast.Call) -> Iterator[ast.expr]:
    """What a layer of Keras is made with, which it may call with rows; weights are none."""
    if ".layers." in (facts.name(call.func) or ""):
        yield from call.args
        yield from (k.value for k in call.keywords if not (k.arg or "").endswith(_OF_WEIGHTS))


def own_calls(facts: Facts) -> Iterator[ast.FunctionDef]:
    """The `call` of each class of the program's own that is a model or a layer."""
    for cls in facts.index.nodes(ast.ClassDef):
        places = facts.classes.ancestors(cls) if _is_of_keras(facts, cls) else ()
        for each in (node for place in places for node in place.body):
            if isinstance(each, ast.FunctionDef) and each.name in ("call", "__call__"):
                yield each


def _is_of_keras(facts: Facts, cls: ast.ClassDef) -> bool:
    """Whether it is a model or a layer, or nobody can tell what it is."""
    if facts.role_of_class(cls) is Role.MODEL or facts.classes.has_unknown_base(cls):
        return True
    names = facts.classes.library_bases(cls)
    return any(
        ".layers." in name or name == MODULE or name.partition(".")[0] not in _KNOWN_MODULES
        for name in names
    )


def takes_batch(facts: Facts, part: ast.Subscript) -> bool:
    """Whether a loop takes the rows of a batch there, `y[i : i + BATCH]`, before it computes."""
    around = (each for each in facts.parents(part) if isinstance(each, ast.With))
    items = (item.context_expr for each in around for item in each.items)
    if not is_array(facts, part.value) or any(Role.TAPE in facts.roles(each) for each in items):
        return False
    made = [part.slice, *facts.program.ingredients(part.slice)]
    is_chosen = any(isinstance(node, ast.Compare) for node in made)  # as many as there are
    return any(map(is_moving, made)) and not is_chosen


def is_moving(index: ast.AST) -> bool:
    """`[i : i + BATCH]`, also of an order by which rows are picked."""
    index = index.slice if isinstance(index, ast.Subscript) else index
    if not isinstance(index, ast.Slice) or index.lower is None or index.upper is None:
        return False
    return any(isinstance(node, ast.Name) for node in within(index.lower))


def keeps_rows(index: ast.expr) -> bool:
    """`x[:, 0]`: all rows, a part of other axes, unlike `x[..., 0]`; `x["label"]` of several."""
    if isinstance(index, ast.Constant):
        return isinstance(index.value, str)
    first = index.elts[0] if isinstance(index, ast.Tuple) and index.elts else None
    return isinstance(first, ast.Slice) and first.lower is first.upper is first.step is None


# -- whole reads ---------------------------------------------------------------------------------
# Where the steps of a full batch read arrays: of all of them each step takes all rows.

_OTHERS = ("tensorflow.keras.losses.", "tensorflow.keras.metrics.", "tensorflow.keras.layers.")
_TAKING = ("gradient", "jacobian")


@recorded
def whole_reads(facts: Facts) -> tuple[ast.expr, ...]:
    """The reads of arrays of equally many rows that were made before all steps; none: of others."""
    arrays = tuple(each for each in data_reads(facts) if holds_rows(facts, each))
    are_theirs = all(_is_of_steps(facts, each) for each in arrays)
    return arrays if are_theirs and as_many(facts, arrays) else ()


@recorded
def data_reads(facts: Facts) -> tuple[ast.expr, ...]:
    """All reads of what was made before all steps, and is no model, function or plain number."""
    found = dict.fromkeys(_reads(facts) if is_full_batch(facts) else ())
    return tuple(sorted(found, key=facts.place))


def feeds(facts: Facts, placeholder: ast.AST) -> list[ast.expr]:
    """What the runs that train feed a placeholder with."""
    pairs = (pair for run in training_runs(facts).values() for pair in _pairs(facts, run))
    return [value for key, value in pairs if placeholder in facts.origins(key).nodes]


def _pairs(facts: Facts, run: Run) -> Iterator[tuple[ast.expr, ast.expr]]:
    given = fed(facts, run)
    made = given if given is None or isinstance(given, ast.Dict) else facts.origins(given).only
    if isinstance(made, ast.Dict):
        yield from ((key, value) for key, value in zip(made.keys, made.values) if key is not None)


def _reads(facts: Facts) -> Iterator[ast.expr]:
    runs = training_runs(facts).values()
    made = [*taken(facts), *(v for run in runs for _, v in _pairs(facts, run))]
    functions = (f for each in made for f in facts.program.functions(each).nodes)
    returned = [value for function in functions for value in _given(function)]
    for node in facts.program.ingredients_of([*made, *returned]):
        if isinstance(node, ast.Name) and _is_data(facts, node) and _is_made_before(facts, node):
            yield node


def _is_data(facts: Facts, name: ast.Name) -> bool:
    """Whether it may be, or hold, examples: nothing that is called or trained, and no number."""
    is_known = facts.role(name) is not None or bool(facts.program.functions(name).nodes)
    made = facts.origins(name).nodes
    if is_known or rows_of(facts, name) == 0:
        return False
    names = (normal(facts.name(each.func) or "") for each in made if isinstance(each, ast.Call))
    return not any(name.endswith("Variable") or name.startswith(_OTHERS) for name in names)


def taken(facts: Facts) -> Iterator[ast.expr]:
    """What tapes take gradients of, and what `minimize` does."""
    for call in facts.calls(*_TAKING):
        is_tape = Role.TAPE in facts.roles(call.func.value)  # type: ignore[attr-defined]
        given = facts.argument(call, "target", 0) if is_tape else None
        yield from (given,) if given is not None else ()
    for call in facts.calls("minimize"):
        is_ours = Role.OPTIMIZER in facts.roles(call.func.value)  # type: ignore[attr-defined]
        given = facts.argument(call, "loss", 0) if is_ours else None
        yield from (given,) if given is not None else ()


def _given(function: ast.AST) -> list[ast.expr]:
    """What a function gives."""
    if isinstance(function, ast.Lambda):
        return [function.body]
    given = returns(function) if isinstance(function, FunctionNode) else []
    return [each.value for each in given if each.value is not None]


def _is_made_before(facts: Facts, name: ast.Name) -> bool:
    """Whether it is bound before all steps, where the loops stand, and read in one of them."""
    bindings, loops = facts.bindings(name), rounds_of_training(facts)
    made = [each.node for each in bindings if each.kind == "assign"]
    is_before = all(set(loops).isdisjoint(facts.parents(each)) for each in made)
    is_plain = len(made) == len(bindings) > 0 and is_before
    homes = {facts.function(each) for each in (*made, *loops)}
    return is_plain and len(homes) == 1 and name in code_of_steps(facts)


def _is_of_steps(facts: Facts, name: ast.expr) -> bool:
    """Whether nothing else reads it there: a function may be called outside of steps, too."""
    loops = rounds_of_training(facts)
    around, home = facts.function(name), facts.function(loops[0])
    loads = facts.index.loads.get(getattr(around, "name", ""), ())
    are_inside = all(not set(loops).isdisjoint(facts.parents(load)) for load in loads)
    return around is home or (home is None and bool(loads) and are_inside)


# -- whole kinds ---------------------------------------------------------------------------------
# What values are where each step reads all rows of arrays: which have as many rows as these.
#
# A variable, or a list, that is no data may have a row of each example, too: codes that are
# trained, dual variables. Of it there is no share, so that it meets no share either.


def kind_of_read(facts: Facts, array: ast.expr) -> str:
    """Of an array of rows: with one axis, with more behind, or with nobody knows how many."""
    axes = axes_of(facts, array)
    return TERMS if axes is None else VECTOR if axes == 1 else ROWS


def kind_of_fed(facts: Facts, value: ast.expr, shape: ast.expr | None) -> str | None:
    """Of a placeholder that is fed rows; None where it takes but so many of them."""
    made = facts.origins(shape).only if shape is not None else None
    if made is None or (isinstance(made, ast.Constant) and made.value is None):
        return kind_of_read(facts, value) if shape is None or made is not None else None
    if not isinstance(made, (ast.List, ast.Tuple)) or not made.elts:
        return None
    first = made.elts[0]
    is_open = isinstance(first, ast.Constant) and first.value is None
    return None if not is_open else ROWS if len(made.elts) > 1 else VECTOR


def kind_beside(facts: Facts, made: ast.AST) -> Kinds:
    """Of a variable, by what it begins with, or of a list: a constant, if it has other rows."""
    arrays = whole_reads(facts)
    if not arrays:
        return frozenset({CONST})
    initial = facts.argument(made, "initial_value", 0) if isinstance(made, ast.Call) else made
    number = rows_of(facts, initial) if isinstance(initial, ast.expr) else None
    is_other = isinstance(number, int) and number != rows_of(facts, arrays[0])
    return frozenset({CONST if is_other else OWN})
