"""What is an array, how long it is, and how many rows and axes it has."""

from __future__ import annotations

import ast
import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import partial
from typing import Callable

from ...library import losses
from ...library.array_names import LOAD, SAME_LENGTH
from ...library.call_results import gives
from ...library.names import normal
from ...library.row_counts import (
    ALONG_AXES,
    AS_WIDE,
    ELEMENTWISE,
    LOADERS,
    REDUCING,
    SAME,
    SAME_METHODS,
    SPLIT,
    SPREAD,
    WIDENING,
    shape_argument,
)
from ...library.tensorflow_names import SIZES
from ...program.core import SLICE
from ...program.domain import Domain, Operands
from ...program.node_fields import within
from ...program.origins import Kind, Origin
from ...program.things import OPAQUE, Box
from ...program.versions import ENTER, Step
from ..facts import Facts, recorded
from ..roles import Role

# -- array domain --------------------------------------------------------------------------------
# The domain of arrays: whether a value is one, wherever it comes from.
#
# A value is described by words, one for each way on which it may come; `None` is nothing yet.

Words = frozenset[str]

NOTHING: Words = frozenset()
UNKNOWN: Words = frozenset({"unknown"})
ARRAY: Words = frozenset({"array"})
# A tuple or list of the program: the engine follows its elements to where they are read.
CONTAINER: Words = frozenset({"container"})
# "part" is one of several arrays, "used" what is used as an array; "file" is one of NumPy's.
ARRAYS: Words = frozenset({"none", "array", "table", "file", "of numpy", "part", "used"})

_HOLDERS = ARRAYS | {"loaded data"}  # which scikit-learn's loaders give
_OF_ARRAYS = frozenset(["arrays", "loaded data", "file", "of numpy", "part", "used"])
_NO_ARRAYS = frozenset(
    ["tolist", "to_list", "to_dict", "items", "groupby", "iterrows", "itertuples", "keys"]
)
_CONVERSIONS = frozenset(["numpy", "toarray", "todense", "to_numpy"])
_PARTS = frozenset(["values", "T", "data", "target", "images", "real", "imag", "iloc", "loc"])
_EVIDENCE = frozenset(["shape", "dtype", "ndim", "reshape", "astype"])
_OPERATORS = (ast.BinOp, ast.AugAssign, ast.UnaryOp, ast.Compare)


class Arrays:
    """The domain for one module."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        uses = (node.value for node in facts.index.nodes(ast.Attribute) if node.attr in _EVIDENCE)
        self._used = {self._variable(use) for use in uses} - {None}
        self.domain: Domain[Words] = Domain(
            NOTHING, UNKNOWN, frozenset.union, self._create, suppose=self._create, at=self._at
        )

    def _at(self, key: Hashable, words: Words) -> Words:
        """`x.shape` or `x.astype(…)` stands somewhere: no list, dataset or generator has these."""
        if words <= ARRAYS or not isinstance(key, (ast.Name, ast.Attribute)):
            return words
        return frozenset({"used"}) if self._variable(key) in self._used else words

    def _variable(self, expr: ast.AST) -> Hashable:
        """The variable that a name stands for, or the attribute and the class around it."""
        dotted, name = [], expr
        while isinstance(name, ast.Attribute):
            dotted.append(name.attr)
            name = name.value
        if not isinstance(name, ast.Name):
            return None
        if dotted:
            return self._facts.cls(expr), name.id, *dotted
        return self._facts.scope(name).find(name.id), name.id

    def _create(self, origin: Origin, operands: Operands[Words]) -> Words:
        if origin.kind is Kind.CONSTANT:
            return frozenset({"none"}) if origin.name is None else UNKNOWN
        if isinstance(origin.thing, Box):
            return CONTAINER
        if origin.kind is Kind.COMPUTED:
            return _computed(origin, operands)
        if origin.kind is Kind.MEMBER or (origin.kind is Kind.UNKNOWN and origin.name is not None):
            received = [words - CONTAINER for words in operands.of(origin, "of")]
            return _each(received, partial(_part, origin.name))
        return self._call(origin, operands) if isinstance(origin.node, ast.Call) else UNKNOWN

    def _call(self, origin: Origin, operands: Operands[Words]) -> Words:
        func = origin.node.func  # type: ignore[union-attr]
        name = origin.name or self._facts.name(func)
        if name is not None:
            return _named(normal(name))
        if not isinstance(func, ast.Attribute):
            return UNKNOWN
        if func.attr in _CONVERSIONS:
            return ARRAY
        return _each(operands.of(origin, "receiver"), partial(_method, func.attr))


def _computed(origin: Origin, operands: Operands[Words]) -> Words:
    """An operator on an array gives an array, whatever the other operand is."""
    parts = operands.of(origin)
    if not isinstance(origin.node, _OPERATORS):
        return UNKNOWN
    if any(part and part <= ARRAYS for part in parts):
        return ARRAY
    return UNKNOWN if all(parts) else NOTHING


def _each(received: list[Words], row: Callable[[str], str]) -> Words:
    """What becomes of a value, on each way on which it may come."""
    return frozenset(map(row, received[0])) if received else UNKNOWN


def _named(name: str) -> Words:
    found = gives(name)
    if name.startswith("sklearn.datasets."):
        found = "loaded data"
    elif name == LOAD:
        found = "file"
    elif found == "array" and name.startswith("numpy."):
        found = "of numpy"
    return frozenset({found}) if found is not None else UNKNOWN


def _method(method: str, word: str) -> str:
    """What a method gives."""
    if word == "dense transformer":
        return {"fit": word, "transform": "array", "fit_transform": "array"}.get(method, "unknown")
    if word == "file" and method in ("values", "items"):
        return "arrays"
    is_array = word == "random generator" or (word in ARRAYS and method not in _NO_ARRAYS)
    return "array" if is_array else "unknown"


def _part(step: Step, word: str) -> str:
    """What an attribute, an element or one of what is unpacked is; None has none of them."""
    if word == "none":
        return word  # an abstract method gives it: that way ends here
    if step == ENTER and word == "file":
        return word
    what, key = step if isinstance(step, tuple) else (None, None)
    if what == ".":
        return "array" if key in _PARTS and word in _HOLDERS else "unknown"
    if step == SLICE or what == "[":
        return _element(key, word)
    return "part" if word in _OF_ARRAYS else "unknown"


def _element(key: object, word: str) -> str:
    """`x[key]`; one of several arrays is an array, several of them are none."""
    if word in ARRAYS or (word == "loaded data" and key in _PARTS):
        return "array"
    is_several = word in ("arrays", "loaded data")
    return "part" if is_several and isinstance(key, int) else "unknown"


# -- arrays --------------------------------------------------------------------------------------
# What is an array, certainly or for all that is seen: it has a length, and slices per example.


def is_array(facts: Facts, expr: ast.AST) -> bool:
    """Whether the value is an array wherever it comes from; what may be a dataset is none."""
    if Role.DATASET in facts.roles(expr):
        return False
    return facts.program.value(_domain(facts), expr) <= ARRAYS


def may_be_array(facts: Facts, expr: ast.AST) -> bool:
    """The same of what nobody sees the making of, if nothing says that it is something else."""
    is_structure = any(thing is not OPAQUE for thing in facts.program.things(expr))
    if is_structure or Role.DATASET in facts.roles(expr):
        return False
    is_plain = isinstance(expr, (ast.Name, ast.Attribute, ast.Subscript))
    return is_plain and facts.program.value(_domain(facts), expr) <= ARRAYS | UNKNOWN


@recorded
def _domain(facts: Facts) -> Domain[Words]:
    return Arrays(facts).domain


# -- array lengths -------------------------------------------------------------------------------
# Expressions that are as long as an array, and cost nothing to evaluate once more.


def length_of(facts: Facts, expr: ast.AST) -> ast.expr | None:
    """A plain expression that is as long as the array: evaluating it once more costs nothing."""
    if isinstance(expr, (ast.Name, ast.Attribute, ast.Subscript)):
        return expr if is_plain(expr) else None
    if isinstance(expr, ast.BinOp):
        sides = (e for e in (expr.left, expr.right) if is_plain(e))
        return next((e for e in sides if is_array(facts, e)), None)
    return _of_call(facts, expr) if isinstance(expr, ast.Call) and expr.args else None


def _of_call(facts: Facts, call: ast.Call) -> ast.expr | None:
    """`np.array(x)`, `x.astype(t)`."""
    first = call.args[0]
    if isinstance(first, ast.Name) and re.match(SAME_LENGTH, facts.name(call.func) or ""):
        return first
    is_cast = isinstance(call.func, ast.Attribute) and call.func.attr == "astype"
    return length_of(facts, call.func.value) if is_cast else None  # type: ignore[attr-defined]


def is_plain(expr: ast.AST) -> bool:
    """Names, attributes and slices of them: no call, nothing that could have an effect."""
    allowed = (
        ast.Name,
        ast.Attribute,
        ast.Subscript,
        ast.Slice,
        ast.Constant,
        ast.UnaryOp,
        ast.expr_context,
    )
    extra = (ast.operator, ast.unaryop, ast.BinOp)
    inside = all(isinstance(node, (*allowed, *extra)) for node in ast.walk(expr))
    return inside and isinstance(expr, (ast.Name, ast.Attribute, ast.Subscript))


# -- values that are asked for their size --------------------------------------------------------
# Whether a value is only asked how large it is.

_SIZES = frozenset(["shape", "size", "ndim", "dtype"])


def is_size(facts: Facts, node: ast.AST) -> bool:
    """Whether a value is only asked how large it is."""
    if isinstance(node, ast.Attribute):
        return node.attr in _SIZES
    return isinstance(node, ast.Call) and facts.name(node.func) in SIZES


# -- row numbers ---------------------------------------------------------------------------------
# How many rows arrays have: as many as one another, as far as the text says so.

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


# -- axis numbers --------------------------------------------------------------------------------
# How many axes arrays have, by the text: rows of `[n]` and of `[n, 1]` don't meet one by one.

# steps from where an array is read to where it is made


def axes_of(facts: Facts, array: ast.AST, deep: int = _DEEP) -> int | None:
    """Their number; None: unknown."""
    made = facts.origins(array)
    if not deep or not made.complete or len(made.items) != 1:
        return None
    node, path = made.items[0]
    return _unpacked(facts, node, path, deep - 1) if path else _made(facts, node, deep - 1)


def _unpacked(facts: Facts, made: ast.AST, path: Sequence[object], deep: int) -> int | None:
    """Of what a loader or a split gives: labels of Keras' data have one axis, CIFAR's two."""
    name = normal(facts.name(made.func) or "") if isinstance(made, ast.Call) else ""
    last = path[-1]
    if name == SPLIT and isinstance(last, int) and last // 2 < len(made.args):  # type: ignore[attr-defined]
        return axes_of(facts, made.args[last // 2], deep)  # type: ignore[attr-defined]
    if not name.startswith(LOADERS) or last not in (0, 1):
        return None
    if "sklearn" in name:
        return 1 if last == 1 else 2
    return (2 if "cifar" in name else 1) if last == 1 else None


def _made(facts: Facts, made: ast.AST, deep: int) -> int | None:
    if isinstance(made, ast.Constant):
        return 0
    if isinstance(made, (ast.List, ast.Tuple)):
        inner = axes_of(facts, made.elts[0], deep) if made.elts else None
        return None if inner is None else inner + 1
    if isinstance(made, ast.BinOp) and not isinstance(made.op, ast.MatMult):
        return _widest(facts, [made.left, made.right], deep)
    if isinstance(made, ast.Compare):
        return _widest(facts, [made.left, *made.comparators], deep)
    if isinstance(made, ast.UnaryOp):
        return axes_of(facts, made.operand, deep)
    if isinstance(made, ast.Subscript):
        return _axes_of_part(axes_of(facts, made.value, deep), made.slice)
    return _axes_of_call(facts, made, deep) if isinstance(made, ast.Call) else None


def _widest(facts: Facts, parts: list[ast.expr], deep: int) -> int | None:
    """Of what is computed element by element."""
    found = [axes_of(facts, part, deep) for part in parts]
    return None if None in found else max(found)  # type: ignore[type-var]


def _axes_of_part(axes: int | None, index: ast.expr) -> int | None:
    """`x[:, 0]` has an axis less, and `x[:, None]` one more."""
    for each in index.elts if isinstance(index, ast.Tuple) else [index]:
        if isinstance(each, ast.Slice) or axes is None:
            continue
        value = each.value if isinstance(each, ast.Constant) else 0
        is_new = value is None or getattr(each, "attr", "") == "newaxis"
        is_number = isinstance(each, ast.Constant) and isinstance(value, int)
        axes = axes + 1 if is_new else axes - 1 if is_number else None
    return axes


def _axes_of_call(facts: Facts, call: ast.Call, deep: int) -> int | None:
    name = normal(facts.name(call.func) or "")
    method = "" if name else getattr(call.func, "attr", "")
    if shape_argument(name, method) is not None:
        return _shaped(facts, call, name, method)
    if name in AS_WIDE or name in WIDENING:
        inner = axes_of(facts, call.args[0], deep) if call.args else None
        return None if inner is None else inner + (name in WIDENING)
    if name in ELEMENTWISE:
        return _widest(facts, call.args, deep)
    if not method or method == "dot":
        return None
    return _of_method(axes_of(facts, call.func.value, deep), call, method)  # type: ignore[attr-defined]


def _of_method(axes: int | None, call: ast.Call, method: str) -> int | None:
    if method in SAME_METHODS:
        return axes
    if method == "reshape":
        is_tuple = bool(call.args) and isinstance(call.args[0], (ast.Tuple, ast.List))
        given = call.args[0].elts if is_tuple else call.args  # type: ignore[attr-defined]
        return (
            None if any(isinstance(each, (ast.Starred, ast.Name)) for each in given) else len(given)
        )
    if method not in REDUCING or axes is None:
        return None
    known = {k.arg: k.value for k in call.keywords}
    axis = known.get("axis", call.args[0] if call.args else None)
    kept = known.get("keepdims")
    if kept is not None:
        return axes if isinstance(kept, ast.Constant) and kept.value is True else None
    is_one = axis is not None and ast.unparse(axis).lstrip("-").isdigit()
    return axes - 1 if is_one else None


def _shaped(facts: Facts, call: ast.Call, name: str, method: str) -> int | None:
    """As many as the shape has numbers."""
    last = name.rpartition(".")[2] or method
    if last == "linspace":
        return 1
    if last in SPREAD:
        return None if any(isinstance(each, ast.Starred) for each in call.args) else len(call.args)
    given = facts.argument(call, *shape_argument(name, method))  # type: ignore[misc]
    made = facts.origins(given).only if given is not None else None
    if isinstance(made, (ast.Tuple, ast.List)):
        return None if any(isinstance(each, ast.Starred) for each in made.elts) else len(made.elts)
    is_number = isinstance(made, ast.Constant) and isinstance(made.value, int)
    is_length = isinstance(made, ast.Call) and facts.name(made.func) == "builtins.len"
    return 1 if is_number or is_length else None


# -- same meaning --------------------------------------------------------------------------------
# Whether names mean the same at another place: by the order in which statements run.


def means_the_same(facts: Facts, expr: ast.expr, statement: ast.stmt) -> bool:
    """Whether an expression would give the same once more where a statement begins."""
    inside = set(within(expr))
    for name in _names(expr):
        version = facts.order.reads.get(name)
        if version is None or version.node in inside:  # the `i` of `[i for i in a]`
            continue
        if version is not facts.order.at(statement, name.id) or _rebinds(statement, name.id):
            return False
    return not isinstance(statement, ast.While)  # its test is asked again and again


def stay_bound(facts: Facts, expr: ast.expr, first: ast.stmt, second: ast.stmt) -> bool:
    """Whether the names of an expression are bound alike where two statements begin."""
    names = {name.id for name in _names(expr) if name in facts.order.reads}
    versions = ((facts.order.at(first, n), facts.order.at(second, n)) for n in names)
    return all(before is not None and before is behind for before, behind in versions)


def _names(expr: ast.expr) -> Iterator[ast.Name]:
    return (n for n in within(expr) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))


def _rebinds(statement: ast.stmt, name: str) -> bool:
    """`f(x := 1, ds)`."""
    walruses = (n for n in within(statement) if isinstance(n, ast.NamedExpr))
    return any(walrus.target.id == name for walrus in walruses)
