"""How many rows a step has, where it trains: an Nth of them on each worker.

Only as the divisor of a sum in a loss it's known what becomes of that number; what else is computed
by it (a rate, a factor of gradients, a number of steps) isn't that of the whole batch.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...library import losses
from ...library.names import normal
from ...library.words import words
from ..data.arrays import is_array
from ..facts import recorded
from ..problems import Problem
from ..scopes import FunctionNode
from ..training.training_loops import trains
from .loss_kinds import CONST, MEAN, PER_ROW, SUM
from .mean_losses import losses_of

if TYPE_CHECKING:
    from ..facts import Facts

WHY = "nobody can tell what this number of rows is for: each worker counts an Nth of a batch"
FIX = (
    "let only a sum in the loss be divided by it, or take a number of the program; or leave "
    '`batch = "global"` out'
)
_NAMES = losses.SHAPES | words(
    "builtins.len numpy.shape numpy.size tensorflow.shape_n "
    "tensorflow.data.experimental.cardinality"
)
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
    functions = (node for node in facts.index.scopes if isinstance(node, FunctionNode))
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
