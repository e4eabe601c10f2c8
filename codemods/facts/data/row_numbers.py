"""How many rows arrays have: as many as one another, as far as the text says so."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterable, Iterator, Sequence

from ...library import losses
from ...library.names import normal
from ...library.row_counts import (
    ALONG_AXES,
    ELEMENTWISE,
    LOADERS,
    REDUCING,
    SAME,
    SAME_METHODS,
    SPLIT,
    shape_argument,
)
from ..facts import Facts
from .arrays import is_array

_DEEP = 20  # steps from where an array is read to where it is made


def as_many(facts: Facts, arrays: Sequence[ast.expr]) -> bool:
    """Whether all of them have equally many rows, more than one; of one that may be unknown."""
    if not arrays or not all(holds_rows(facts, each) for each in arrays):
        return False
    found = {rows_of(facts, each) for each in arrays}
    return len(found) == 1 and (None not in found or len(arrays) == 1) and not found & {0, 1}


def holds_rows(facts: Facts, array: ast.expr) -> bool:
    """Whether it is an array, or a list that is written out."""
    number = rows_of(facts, array)
    return is_array(facts, array) or (isinstance(number, int) and number > 0)


def rows_of(facts: Facts, array: ast.expr) -> Hashable | None:
    """How many rows it has: a number, or what says it, equal for equal numbers; None: unknown.

    A number by itself has none.
    """
    return _Rows(facts).of(array)


class _Rows:
    """Follows an array to what says how many rows it has."""

    def __init__(self, facts: Facts) -> None:
        self._facts, self._deep = facts, 0

    def of(self, array: ast.AST) -> Hashable | None:
        """See `rows_of`."""
        made = self._facts.origins(array)
        if self._deep == _DEEP or not made.complete or len(made.items) != 1:
            return None
        self._deep += 1
        found = self._part(*made.items[0])
        self._deep -= 1
        return self._itself(*made.items[0]) if found is None else found

    def _itself(self, made: ast.AST, path: Sequence[object]) -> Hashable | None:
        """What is made once has as many rows as it has, wherever it is read."""
        is_once = self._facts.function(made) is None and not self._facts.in_loop(made)
        return (made, tuple(path)) if is_once and isinstance(made, ast.Call) else None

    def _part(self, made: ast.AST, path: Sequence[object]) -> Hashable | None:
        """Of what is unpacked: `(x, y), (u, v) = load_data()`, `x, u, y, v = train_test_split`."""
        if not path:
            return self._made(made)
        name = normal(self._facts.name(made.func) or "") if isinstance(made, ast.Call) else ""
        is_split = name == SPLIT and isinstance(path[-1], int)
        if is_split or not name.startswith(LOADERS):
            return self._itself(made, (path[-1] % 2,)) if is_split else None  # type: ignore[operator]
        return self._itself(made, path[:-1])

    def _made(self, made: ast.AST) -> Hashable | None:
        if isinstance(made, ast.Constant):
            return 0
        if isinstance(made, (ast.List, ast.Tuple)):
            return None if any(isinstance(e, ast.Starred) for e in made.elts) else len(made.elts)
        if isinstance(made, ast.ListComp):
            return self._listed(made)
        if isinstance(made, (ast.BinOp, ast.Compare, ast.UnaryOp)):
            return self._of_all(_operands(made))
        if isinstance(made, ast.Subscript):
            return self.of(made.value) if _keeps_all(made.slice) else None
        return self._of_call(made) if isinstance(made, ast.Call) else None

    def _listed(self, made: ast.ListComp) -> Hashable | None:
        """`[f"train-{i}.tfrecord" for i in range(1024)]`."""
        first = made.generators[0]
        if len(made.generators) > 1 or first.ifs:
            return None
        over = first.iter if isinstance(first.iter, ast.Call) else None
        if over is not None and self._facts.name(over.func) == "builtins.range":
            return self._number(over.args[0]) if len(over.args) == 1 else None
        return self.of(first.iter)

    def _of_call(self, call: ast.Call) -> Hashable | None:
        name = losses.of_tensorflow_2(normal(self._facts.name(call.func) or ""))
        method = "" if name else getattr(call.func, "attr", "")
        shape = shape_argument(name, method)
        if shape is not None:
            starred = [a for a in call.args[:1] if isinstance(a, ast.Starred)]
            given = starred[0] if starred else self._facts.argument(call, *shape)
            is_number = given is None and not call.args and not call.keywords
            return 0 if is_number else None if given is None else self._size(given)
        if name in SAME:
            return self.of(call.args[0]) if call.args and not _is_in_front(call, name) else None
        if name in ELEMENTWISE or name in losses.ELEMENTWISE:
            return self._of_all(call.args)
        is_kept = method in SAME_METHODS or _keeps_first(call, method)
        return self.of(call.func.value) if method and is_kept else None  # type: ignore[attr-defined]

    def _of_all(self, parts: Iterable[ast.expr]) -> Hashable | None:
        """Of what is computed element by element; a plain number has no rows."""
        found = {self.of(part) for part in parts} - {0}
        return None if len(found) > 1 else next(iter(found), 0)

    def _size(self, shape: ast.expr) -> Hashable | None:
        """The first number of a shape, which may be written as `*x.shape`."""
        shape = shape.value if isinstance(shape, ast.Starred) else shape
        if isinstance(shape, ast.Attribute) and shape.attr == "shape":
            return self.of(shape.value)
        made = self._facts.origins(shape).only
        if isinstance(made, (ast.Tuple, ast.List)):
            return self._number(made.elts[0]) if made.elts else None
        return self._number(shape)

    def _number(self, number: ast.expr) -> Hashable | None:
        made = self._facts.origins(number).only
        if isinstance(made, ast.Call) and self._facts.name(made.func) == "builtins.len":
            return self.of(made.args[0]) if made.args else None
        if isinstance(made, ast.Constant):
            return made.value if isinstance(made.value, int) else None
        return made


def _operands(made: ast.AST) -> list[ast.expr]:
    """What is met element by element; `x @ w` has the rows of `x`."""
    if isinstance(made, ast.BinOp):
        return [made.left] if isinstance(made.op, ast.MatMult) else [made.left, made.right]
    return [made.left, *made.comparators] if isinstance(made, ast.Compare) else [made.operand]  # type: ignore[attr-defined]


def _keeps_all(index: ast.expr) -> bool:
    """`x[:, None]`, `x[:, :3]`."""
    first = index.elts[0] if isinstance(index, ast.Tuple) and index.elts else index
    return isinstance(first, ast.Slice) and first.lower is first.upper is first.step is None


def _keeps_first(call: ast.Call, method: str) -> bool:
    """`x.sum(axis=1)`, `x.reshape(len(x), -1)`: the first axis stays as long as it is."""
    if method in REDUCING:
        return any(ast.unparse(axis) in ("1", "-1") for axis in _axes(call))
    if method != "reshape" or not call.args:
        return False
    shape = call.args[0]
    given = shape.elts if isinstance(shape, (ast.Tuple, ast.List)) else call.args
    if [ast.unparse(each) for each in given] == ["-1", "1"]:
        return True  # as it is written for what has one axis
    parts = [ast.unparse(n) for n in ast.walk(given[0]) if isinstance(n, (ast.Name, ast.Attribute))]
    return ast.unparse(call.func.value) in parts  # type: ignore[attr-defined]


def _is_in_front(call: ast.Call, name: str) -> bool:
    """`np.expand_dims(x, 0)`: another axis comes, or may come, before the rows."""
    given = [*call.args[1:], *(k.value for k in call.keywords if k.arg == "axis")]
    if name not in ALONG_AXES or name.endswith(".one_hot"):
        return any(k.arg == "axis" and ast.unparse(k.value) != "-1" for k in call.keywords)
    return not all(ast.unparse(axis) in ("1", "-1", "2") for axis in given)


def _axes(call: ast.Call) -> Iterator[ast.expr]:
    yield from call.args[:1]
    yield from (k.value for k in call.keywords if k.arg == "axis")
