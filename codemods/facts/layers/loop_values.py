"""What a value in a loop is: a number, what holds weights, data, or a tensor with a gradient.

Only the last one must be an argument of what is run again: through what is closed over no
gradient flows, but to variables. What nobody can say is unknown.
"""

from __future__ import annotations

import ast
import re
from enum import IntEnum
from typing import TYPE_CHECKING

from ...library.layers import layer
from ..scopes import FunctionNode
from .layer_bodies import BASES

if TYPE_CHECKING:
    from ...program.creations import Creation
    from ..facts import Facts


class Value(IntEnum):
    """The wider one counts of two."""

    NOTHING = 0  # no value is known yet: a cycle
    NUMBER = 1  # of Python, a text, None
    DATA = 2  # a tensor or an array that no weight has made, or one without a gradient
    HELD = 3  # layers, variables, functions, and lists of these
    TENSOR = 4
    UNKNOWN = 5


_MOST = 60  # expressions behind one another
_NUMBERS = frozenset(f"builtins.{n}" for n in ("range", "len", "int", "float", "bool", "str"))
_PASSED = frozenset(
    f"builtins.{n}"
    for n in ("list", "tuple", "zip", "enumerate", "reversed", "min", "max", "sum", "abs", "dict")
)
READING = ("items", "values", "keys", "get")  # of a dictionary: what is in it
_SHAPES = ("shape", "dtype", "ndim", "rank", "name")
# What has no gradient, whatever it is made of.
_FLAT = frozenset(
    f"tensorflow.{n}"
    for n in ("argmax", "argmin", "argsort", "equal", "not_equal", "greater", "less", "shape",
              "greater_equal", "less_equal", "logical_and", "logical_not", "logical_or", "range",
              "sequence_mask", "one_hot", "stop_gradient", "size", "rank", "math.equal", "round",
              "math.not_equal", "math.greater", "math.less", "math.logical_and", "zeros_like",
              "math.logical_not", "ones_like", "sign", "math.sign")
)  # fmt: skip
_HOLDERS = ("tensorflow.Variable", "tensorflow.keras.Sequential", "tensorflow.keras.Model")


class Values:
    """The values of one program's expressions; each is asked for once."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._known: dict[ast.AST, Value] = {}
        self._depth = 0

    def of(self, expr: ast.AST) -> Value:
        """What an expression gives."""
        if expr in self._known:
            return self._known[expr]
        if self._depth > _MOST:
            return Value.UNKNOWN
        self._known[expr] = Value.NOTHING
        self._depth += 1
        found = self._made(expr)
        self._depth -= 1
        self._known[expr] = found
        if self._depth == 0:  # what was asked inside of a cycle is asked again by itself
            self._known = {expr: found}
        return found

    def _made(self, expr: ast.AST) -> Value:
        if isinstance(expr, ast.Constant):
            return Value.NUMBER
        if isinstance(expr, (ast.Lambda, FunctionNode, ast.ClassDef)):
            return Value.HELD
        if isinstance(expr, ast.Compare):
            return min(self._widest(expr), Value.DATA)
        if isinstance(expr, ast.Attribute) and expr.attr in _SHAPES:
            return Value.NUMBER
        if isinstance(expr, ast.Call):
            return self._call(expr)
        if isinstance(expr, (ast.Name, ast.Attribute)):
            return self._origins(expr)
        if type(expr) in _PARTS:
            return max(self.of(getattr(expr, field)) for field in _PARTS[type(expr)])
        if isinstance(expr, _COMPOSED):
            return self._widest(expr)
        return Value.UNKNOWN

    def _widest(self, expr: ast.AST) -> Value:
        parts = [part for part in ast.iter_child_nodes(expr) if isinstance(part, ast.expr)]
        found = max(map(self.of, parts), default=Value.NUMBER)
        is_computed = isinstance(expr, (ast.BinOp, ast.UnaryOp))
        return Value.TENSOR if is_computed and found is Value.HELD else found

    def _origins(self, expr: ast.AST) -> Value:
        """The widest of what flows there."""
        found = self._facts.origins(expr)
        made = [self._part(each) for each in found.items if each.node is not expr]
        if any(each.node is expr for each in found.items):
            made.append(self._attribute(expr))
        return max([*made, *map(self._unseen, found.unknown)], default=Value.UNKNOWN)

    def _part(self, made: Creation) -> Value:
        """What a part of a value is: what `enumerate` makes itself is the number that it counts."""
        call = made.node
        name = self._facts.name(call.func) if isinstance(call, ast.Call) else ""
        is_counted = name == "builtins.enumerate" and len(made.path) == 1
        return Value.NUMBER if is_counted else self.of(call)

    def _attribute(self, expr: ast.AST) -> Value:
        """A name of a library, or an attribute of what is held: its weights."""
        if not isinstance(expr, ast.Attribute):
            return Value.UNKNOWN
        if self._facts.name(expr) is not None:
            return Value.HELD
        return self.of(expr.value)

    def _unseen(self, node: ast.AST) -> Value:
        """A parameter that Keras gives to `call`."""
        function = self._facts.function(node) if isinstance(node, ast.arg) else None
        if not isinstance(function, FunctionNode) or function.name not in BASES.values():
            return Value.UNKNOWN
        assert isinstance(node, ast.arg)
        if self._facts.classes.method_of(function) is None:
            return Value.UNKNOWN
        if node.arg == "training":
            return Value.NUMBER
        if node.arg == "mask":  # of truth values, as Keras makes them
            return Value.DATA
        return Value.TENSOR if node in function.args.args[1:2] else Value.UNKNOWN

    def _call(self, call: ast.Call) -> Value:
        facts, name = self._facts, self._facts.name(call.func) or ""
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        if name in _NUMBERS:
            return Value.NUMBER
        if name in _PASSED:
            return max(map(self.of, given), default=Value.NUMBER)
        if name in _HOLDERS or layer(name) or facts.classes.local(call.func):
            return Value.HELD
        if name.startswith("numpy.") or name in _FLAT:
            return Value.DATA
        if name == "tensorflow.cast" and self._is_flat(call):
            return Value.DATA
        if name == "tensorflow.TensorArray":
            return Value.UNKNOWN
        if name.startswith("tensorflow."):
            is_made = max(map(self.of, given), default=Value.NUMBER) > Value.DATA
            return Value.TENSOR if is_made else Value.DATA
        inside = facts.origins(call)
        if any(each.node is not call for each in inside.items):
            return self._origins(call)
        return self._unknown_call(call)

    def _is_flat(self, cast: ast.Call) -> bool:
        """Whether whole numbers or truth values are made of a tensor."""
        wished = self._facts.argument(cast, "dtype", 1)
        name = ast.unparse(wished) if isinstance(wished, ast.expr) else ""
        return bool(re.search(r"bool|int", name))

    def _unknown_call(self, call: ast.Call) -> Value:
        """A layer gives a tensor; a method of a tensor, or of data, the same."""
        is_method = isinstance(call.func, ast.Attribute)
        if is_method and call.func.attr in READING:  # type: ignore[attr-defined]
            return self.of(call.func.value)  # type: ignore[attr-defined]
        if isinstance(call.func, ast.Attribute) and self.of(call.func) is Value.UNKNOWN:
            found = self.of(call.func.value)
        else:
            found = self.of(call.func)
        return Value.TENSOR if found is Value.HELD else found


# What has the value of these parts.
_PARTS: dict[type[ast.AST], tuple[str, ...]] = {
    ast.Subscript: ("value",),
    ast.ListComp: ("elt",),
    ast.GeneratorExp: ("elt",),
    ast.AugAssign: ("target", "value"),
}
_COMPOSED = (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.IfExp, ast.Tuple, ast.List, ast.Starred,
             ast.Dict, ast.JoinedStr, ast.Slice)  # fmt: skip
