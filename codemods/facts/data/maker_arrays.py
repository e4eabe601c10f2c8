"""Arrays of which a function of the program makes a dataset: each worker gives it its share.

`train = dataset(x, y, shuffle=True)`, where the same function makes the data of tests: it can't cut
the examples, and what it is given can be.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import takewhile

from ...library.datasets import (
    BATCHING,
    REGROUPING,
    ROW_BY_ROW,
    ROW_BY_ROW_METHODS,
    SIFTING,
)
from ...library.names import normal
from ...program.node_fields import children, within
from ..facts import Facts
from ..passed_arguments import passed
from ..scopes import Binding, FunctionNode
from ..training.training_loops import is_delayed
from .containers_of_arrays import TRAINING, Arrays, collect
from .cut_places import made_by
from .sizes import is_size
from .stages import Way

_PLAIN = (
    ast.Tuple,
    ast.List,
    ast.Dict,
    ast.UnaryOp,
    ast.Constant,
    ast.Name,
    ast.Starred,
)
_MIXING = REGROUPING | SIFTING


def maker_arrays(facts: Facts, way: Way) -> Arrays | None:
    """The arrays that the call on the way of a dataset is given, if no more than its examples.

    None where the function takes them another way than row by row, or asks for something of all.
    """
    made = next(iter(made_by(way)), None)
    source = way[0]
    if not isinstance(made, ast.Call) or source.method != "from_tensor_slices":
        return None
    methods = [stage.method for stage in way]
    is_regrouped = any(m in _MIXING for m in methods) or sum(m in BATCHING for m in methods) > 1
    if is_regrouped or facts.has_hidden_arguments(made) or is_delayed(facts, made):
        return None
    function = facts.function(source.call)
    if not isinstance(function, FunctionNode) or facts.callee(made) is not function:
        return None
    values = _given(facts, made, function, source.call)
    return None if values is None else collect(facts, made, TRAINING, values, is_known=True)


def _given(
    facts: Facts, made: ast.Call, function: ast.AST, source: ast.Call
) -> list[ast.expr] | None:
    """What the call passes for the parameters that the elements are slices of."""
    arguments = {*made.args, *(keyword.value for keyword in made.keywords)}
    found: dict[ast.expr, None] = {}
    rows = _Rows(facts, function)
    for part in source.args[:1]:
        for arg in rows.parameters(part):
            value = None if arg is None else passed(made, function, arg, facts.classes)
            if value not in arguments:
                return None
            found[value] = None
    return list(found) if rows.are_all_reads() else None


class _Rows:
    """The parameters of a function that a value has its rows of, one of each for one of its own."""

    def __init__(self, facts: Facts, function: ast.AST) -> None:
        self._facts, self._function = facts, function
        self._seen: set[ast.AST] = set()

    def are_all_reads(self) -> bool:
        """Whether nothing else of the function reads them, but how long they are for a shuffle.

        A mean, a vocabulary, a number of classes, a batch by their length would be of a share.
        """
        names = {node.id for node in self._seen if isinstance(node, ast.Name)}
        loads = (n for n in within(self._function) if isinstance(n, ast.Name) and n.id in names)
        return all(
            n in self._seen or not isinstance(n.ctx, ast.Load) or self._is_of_shuffle(n)
            for n in loads
        )

    def _is_of_shuffle(self, name: ast.Name) -> bool:
        """`shuffle(len(x))`, `shuffle(x.shape[0])`."""
        around = list(takewhile(lambda p: isinstance(p, ast.expr), self._facts.parents(name)))
        is_length = any(is_size(self._facts, each) for each in around)
        calls = [p for p in self._facts.parents(name) if isinstance(p, ast.Call)]
        methods = [getattr(call.func, "attr", "") for call in calls]
        return is_length and "shuffle" in methods[:2]

    def parameters(self, expr: ast.AST) -> Iterator[ast.arg | None]:
        """Each of them; None where the rows may be others."""
        if expr in self._seen or isinstance(expr, (ast.Constant, ast.expr_context)):
            return
        self._seen.add(expr)
        if isinstance(expr, ast.Name):
            yield from self._bound(expr)
        elif isinstance(expr, ast.Call):
            yield from self._called(expr)
        elif isinstance(expr, ast.Subscript):
            yield from self.parameters(expr.value) if _keeps_rows(expr.slice) else [None]
        elif isinstance(expr, ast.Attribute):
            yield from self.parameters(expr.value) if expr.attr == "values" else [None]
        elif isinstance(expr, ast.BinOp):
            yield from self._of_both(expr)
        elif isinstance(expr, _PLAIN):
            for part in children(expr):
                yield from self.parameters(part)
        else:
            yield None

    def _of_both(self, expr: ast.BinOp) -> Iterator[ast.arg | None]:
        """`x / 255.0`; of `x - mean`, one may be there for all rows of the other."""
        left, right = (list(self.parameters(side)) for side in (expr.left, expr.right))
        yield from [None] if left and right else left or right

    def _bound(self, name: ast.Name) -> Iterator[ast.arg | None]:
        """What a name stands for in the function; a name from outside tells nothing of rows."""
        bindings = self._facts.names.bindings(name)
        for binding in bindings:
            if isinstance(binding.node, ast.arg):
                is_own = self._facts.function(name) is self._function
                yield binding.node if is_own else None
            elif binding.kind == "assign" and binding.value is not None:
                yield from self._assigned(binding)
            else:
                is_scaled = binding.kind == "aug" and isinstance(binding.value, ast.Constant)
                yield from [] if is_scaled else [None]
        if not bindings:
            yield None

    def _assigned(self, binding: Binding) -> Iterator[ast.arg | None]:
        """`x = x / 255`; `x, y = pair` of a parameter."""
        part = binding.part if binding.path else binding.value
        part = binding.value if part is None and isinstance(binding.value, ast.Name) else part
        yield from [None] if part is None else self.parameters(part)

    def _called(self, call: ast.Call) -> Iterator[ast.arg | None]:
        """What is made of rows, one by one: `tf.cast(x, t)`, `df.pop("y")`, `x.reshape(-1, 4)`."""
        name = self._facts.name(call.func)
        if name is not None:
            is_known = normal(name) in ROW_BY_ROW and bool(call.args)
            is_known = is_known and (len(call.args) > 1 or not _counts_classes(name, call))
            yield from self.parameters(call.args[0]) if is_known else [None]
            return
        func = call.func
        is_method = isinstance(func, ast.Attribute) and func.attr in ROW_BY_ROW_METHODS
        is_known = is_method and self._is_of_rows(func.attr, call)  # type: ignore[attr-defined]
        if not is_known:
            yield None
        else:
            yield from self.parameters(func.value)  # type: ignore[attr-defined]

    def _is_of_rows(self, method: str, call: ast.Call) -> bool:
        """Whether it leaves as many rows as there are."""
        if method == "pop":  # of a copy: whoever gave the table reads it once more
            made = self._facts.origins(call.func.value).nodes  # type: ignore[attr-defined]
            return all(isinstance(n, ast.Call) and _method(n) == "copy" for n in made)
        if method == "drop":
            return any(keyword.arg in ("axis", "columns") for keyword in call.keywords)
        return method != "reshape" or self._begins_with_all(call)

    def _begins_with_all(self, call: ast.Call) -> bool:
        """`(-1, 28, 28)`, `(x.shape[0], 784)`, `(len(x), 1)`."""
        first = call.args[0] if call.args else None
        first = first.elts[0] if isinstance(first, (ast.Tuple, ast.List)) and first.elts else first
        if isinstance(first, ast.Subscript):
            first = first.value
        is_rest = isinstance(first, ast.UnaryOp) and len(call.args) + len(_tuple(call)) > 1
        return is_rest or (first is not None and is_size(self._facts, first))


def _method(call: ast.Call) -> str:
    return getattr(call.func, "attr", "")


def _counts_classes(name: str, call: ast.Call) -> bool:
    """`to_categorical(y)`: as wide as the largest class that is there."""
    is_told = any(keyword.arg == "num_classes" for keyword in call.keywords)
    return name.endswith(".to_categorical") and not is_told


def _tuple(call: ast.Call) -> list[ast.expr]:
    first = call.args[0] if call.args else None
    return first.elts if isinstance(first, (ast.Tuple, ast.List)) else []


def _keeps_rows(index: ast.expr) -> bool:
    """`df["y"]`, `df[["a", "b"]]`, `x[..., None]`, `x[:, 0]`."""
    first = index.elts[0] if isinstance(index, ast.Tuple) and index.elts else index
    if isinstance(first, ast.Slice):
        return first.lower is None and first.upper is None and first.step is None
    if isinstance(first, ast.List):
        return all(isinstance(e, ast.Constant) and isinstance(e.value, str) for e in first.elts)
    return isinstance(first, ast.Constant) and (first.value is ... or isinstance(first.value, str))
