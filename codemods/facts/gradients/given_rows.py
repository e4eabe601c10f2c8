"""Which code and which syntax gets rows of a batch: layers, their functions, slices of a loop."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.words import words
from ...program.node_fields import within
from ..data.arrays import is_array
from ..facts import Facts
from ..roles import Role

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
        ".layers." in name
        or name == "tensorflow.Module"
        or name.partition(".")[0] not in _KNOWN_MODULES
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
