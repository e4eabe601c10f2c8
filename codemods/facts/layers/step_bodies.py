"""Whether the body of a loop may be run twice in a step, and what each value in it is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import TYPE_CHECKING, cast

from ...library.layers import layer
from ...library.tensorflow_names import (
    CALLED_METHODS,
    CAST,
    LABELS,
    PLAIN_MODELS,
    TENSOR_ARRAY,
    VARIABLE,
)
from ...program.node_fields import children, within
from ...program.parts import FunctionNode
from .layer_calls import Body, Problem, without_training
from .layer_calls import problems as of_layer
from .layer_lists import MAKERS

if TYPE_CHECKING:
    from ...program.creations import Creation
    from ...program.parts import Function
    from ..facts import Facts


# -- loop values ---------------------------------------------------------------------------------
# What a value in a loop is: a number, what holds weights, data, or a tensor with a gradient.
#
# Only the last one must be an argument of what is run again: through what is closed over no
# gradient flows, but to variables. What nobody can say is unknown.


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
_HOLDERS = (VARIABLE, *PLAIN_MODELS)


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
        if not isinstance(function, FunctionNode) or function.name not in CALLED_METHODS.values():
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
        if name == CAST and self._is_flat(call):
            return Value.DATA
        if name == TENSOR_ARRAY:
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


# -- step bodies ---------------------------------------------------------------------------------
# Whether the body of a loop may be run twice in a step: what it does changes nothing else.
#
# It may bind names, ask functions and layers that give the same each time, and run loops and
# branches of its own; what `layer_calls` says of a `call` holds for it and for what it calls.

OWN = frozenset(
    f"builtins.{name}"
    for name in ("range", "len", "zip", "enumerate", "reversed", "int", "float", "bool", "min",
                 "max", "list", "tuple", "dict", "sum", "abs", "isinstance", "str", "sorted",
                 "round")
)  # fmt: skip
ANEW = "anew"  # not of a restriction: what a step makes for itself
_MORE = (
    ast.IfExp,
    ast.BoolOp,
    ast.Dict,
    ast.ListComp,
    ast.GeneratorExp,
    ast.DictComp,
    ast.JoinedStr,
)


class StepBody(Body):
    """The statements of a loop; `changed` are the boxes that each step gets a copy of."""

    def __init__(
        self,
        facts: Facts,
        values: Values,
        changed: frozenset[str] = frozenset(),
        around: tuple[ast.AST, ...] = (),
        home: ast.AST | None = None,
    ) -> None:
        def held(expr: ast.expr) -> Iterable[Problem]:
            return self.of_held(expr)

        super().__init__(facts, cast("Function", None), held)
        self._values, self._changed, self._around = values, changed, around
        self._home = home  # the loop, if it is one

    def of(self, statements: Iterable[ast.stmt]) -> Iterator[Problem]:
        """What is not known to be the same in every run."""
        for statement in statements:
            yield from self._statement(statement)

    def expression(self, expr: ast.expr) -> Iterator[Problem]:
        """The same of an expression."""
        yield from self._value(expr)

    def _statement(self, statement: ast.stmt) -> Iterator[Problem]:
        if isinstance(statement, (ast.Pass, ast.Break, ast.Continue)):
            return
        if isinstance(statement, (ast.If, ast.While, ast.For)) and not _ends_otherwise(statement):
            head = statement.iter if isinstance(statement, ast.For) else statement.test
            yield from self._value(head)
            yield from self.of([*statement.body, *statement.orelse])
        elif isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign)) and statement.value:
            for target in _targets(statement):
                yield from self._target(target)
            yield from self._value(statement.value)
        elif isinstance(statement, ast.Assert):
            yield from self._value(statement.test)
        elif isinstance(statement, ast.With) and self._is_label(statement):
            yield from self.of(statement.body)
        elif self._fills(statement):
            yield from self._value(statement.value.args[0])  # type: ignore[attr-defined]
        else:
            yield from super()._statement(statement)

    def _is_label(self, statement: ast.With) -> bool:
        """Whether a `with` says only how operations are named, or where they run."""
        made = [item.context_expr for item in statement.items if item.optional_vars is None]
        names = [self.facts.name(m.func) if isinstance(m, ast.Call) else "" for m in made]
        return len(made) == len(statement.items) and set(names) <= set(LABELS)

    def _target(self, target: ast.expr) -> Iterator[Problem]:
        if isinstance(target, (ast.Tuple, ast.List)):
            for each in target.elts:
                yield from self._target(each)
        elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
            if target.value.id not in self._changed:
                yield Problem("C02", target, ast.unparse(target))
            yield from self._value(target.slice)
        elif not isinstance(target, ast.Name):
            yield Problem("C02", target, ast.unparse(target))

    def _fills(self, statement: ast.stmt) -> bool:
        """Whether it is `outputs.append(x)` of a list that belongs to the loop."""
        call = statement.value if isinstance(statement, ast.Expr) else None
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            return False
        to = call.func.value
        is_own = isinstance(to, ast.Name) and to.id in self._changed
        return is_own and call.func.attr == "append" and len(call.args) == 1 and not call.keywords

    def _is_local(self, name: ast.Name) -> bool:
        """What a loop closes over is asked of the loop; a function reads weights and numbers."""
        if not self._around or self.facts.name(name) is not None:
            return True
        return self._values.of(name) <= Value.HELD or self._is_of_function(name)

    def _is_of_function(self, name: ast.Name) -> bool:
        bindings = self.facts.bindings(name)
        return bool(bindings) and all(
            any(p in self._around for p in (b.node, *self.facts.parents(b.node))) for b in bindings
        )

    def _attribute(self, expr: ast.Attribute) -> Iterator[Problem]:
        if self._values.of(expr) > Value.HELD:
            yield from super()._attribute(expr)
        elif self._is_stored_again(expr):
            yield Problem("C02", expr, ast.unparse(expr))

    def _is_stored_again(self, expr: ast.Attribute) -> bool:
        """Whether an attribute may be another one when the step is run again."""
        stores = self.facts.attribute_stores.get(expr.attr, [])
        places = [self.facts.function(target) for target, _ in stores]
        return any(getattr(place, "name", None) not in MAKERS for place in places)

    def _value(self, expr: ast.expr) -> Iterator[Problem]:
        if isinstance(expr, _MORE):
            for child in children(expr):
                if isinstance(child, ast.comprehension):
                    yield from self._value(child.iter)
                    for test in child.ifs:
                        yield from self._value(test)
                elif isinstance(child, ast.expr):
                    yield from self._value(child)
        elif not isinstance(expr, ast.FormattedValue):
            yield from super()._value(expr)

    def _call(self, call: ast.Call) -> Iterator[Problem]:
        function = self.facts.callee(call)
        is_read = isinstance(call.func, ast.Attribute) and call.func.attr in READING
        is_own = self.facts.name(call.func) in OWN or (is_read and not call.keywords)
        if is_own or isinstance(function, FunctionNode):
            for given in [*call.args, *(keyword.value for keyword in call.keywords)]:
                yield from self._value(given)
        if isinstance(function, FunctionNode):
            yield from self._function(call, function)
        elif not is_own and isinstance(self._made(call.func), ast.Lambda):
            yield from self._lambda(call, self._made(call.func))  # type: ignore[arg-type]
        elif not is_own:
            yield from super()._call(call)

    def _made(self, called: ast.expr) -> ast.AST | None:
        return self.facts.origins(called).only if isinstance(called, ast.Name) else None

    def _lambda(self, call: ast.Call, function: ast.Lambda) -> Iterator[Problem]:
        """What a `lambda` of the file gives."""
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        if function in self._around or function.args.vararg or function.args.kwarg:
            yield Problem("C05", call, ast.unparse(call.func))
            return
        for each in given:
            yield from self._value(each)
        around = (*self._around, function)
        inside = StepBody(self.facts, self._values, around=around, home=self._home)
        yield from inside.expression(function.body)

    def _function(self, call: ast.Call, function: Function) -> Iterator[Problem]:
        """What a function of the file does, run by the loop."""
        is_plain = isinstance(function, ast.FunctionDef) and not function.decorator_list
        if function in self._around or not is_plain or len(self._around) > 8:
            yield Problem("C05", call, ast.unparse(call.func))
            return
        assert isinstance(function, ast.FunctionDef)
        around = (*self._around, function)
        inside = StepBody(self.facts, self._values, around=around, home=self._home)
        yield from inside.of(function.body)

    def of_held(self, expr: ast.expr) -> Iterator[Problem]:
        """What is in the way in the layers that an expression may be."""
        found = self.facts.origins(expr)
        makers = [each.node for each in found.items]
        if found.unknown or not makers or not all(isinstance(m, ast.Call) for m in makers):
            yield Problem("C05", expr, ast.unparse(expr))
            return
        for maker in makers:
            assert isinstance(maker, ast.Call)
            if {self._home, *self._around} & {*self.facts.parents(maker)}:
                yield Problem(ANEW, maker, ast.unparse(maker.func))
            yield from of_layer(self.facts, maker)

    def _of_unknown(self, call: ast.Call) -> Iterator[Problem]:
        """A layer; nobody tells one in time whether it trains but who calls it."""
        is_told = any(keyword.arg == "training" for keyword in call.keywords)
        for problem in self.of_held(call.func):
            yield problem if is_told else without_training(problem)


def _targets(statement: ast.stmt) -> list[ast.expr]:
    if isinstance(statement, ast.Assign):
        return statement.targets
    return [statement.target]  # type: ignore[attr-defined]


def _ends_otherwise(statement: ast.stmt) -> bool:
    """Whether a loop has an `else`."""
    return isinstance(statement, (ast.For, ast.While)) and bool(statement.orelse)


# -- names that are read first -------------------------------------------------------------------
# Which names statements read before they bind them, and which they bind whatever happens.

_SCOPES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def bound(statements: Iterable[ast.AST]) -> set[str]:
    """The names that statements bind, but for those of comprehensions."""
    return {n.id for s in statements for n in _own(s) if not isinstance(n.ctx, ast.Load)}


def _own(node: ast.AST) -> Iterator[ast.Name]:
    if isinstance(node, ast.Name):
        yield node
    elif not isinstance(node, _SCOPES):
        for child in children(node):
            yield from _own(child)


def reads(node: ast.AST) -> Iterator[ast.Name]:
    """The names that are read in an expression or statement, but for its own comprehensions'."""
    inner: set[str] = set()
    for each in within(node):
        if isinstance(each, ast.comprehension):
            inner |= {n.id for n in within(each.target) if isinstance(n, ast.Name)}
        elif isinstance(each, ast.Lambda):
            inner |= {a.arg for a in each.args.args}
    for each in within(node):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load) and each.id not in inner:
            yield each


class Exposed:
    """Walks over a block: `names` are read before they are surely bound there."""

    def __init__(self, statements: list[ast.stmt]) -> None:
        self.names: set[str] = set()
        self.surely = self._block(statements, frozenset())

    def _read(self, node: ast.AST | None, before: frozenset[str]) -> None:
        if node is not None:
            self.names |= {n.id for n in reads(node)} - before

    def _block(self, statements: list[ast.stmt], before: frozenset[str]) -> frozenset[str]:
        for statement in statements:
            before = self._statement(statement, before)
        return before

    def _statement(self, statement: ast.stmt, before: frozenset[str]) -> frozenset[str]:
        if isinstance(statement, ast.If):
            self._read(statement.test, before)
            then = self._block(statement.body, before)
            return then & self._block(statement.orelse, before)
        if isinstance(statement, (ast.For, ast.While)):
            head = statement.iter if isinstance(statement, ast.For) else statement.test
            self._read(head, before)
            own = bound([statement.target]) if isinstance(statement, ast.For) else set()
            self._block(statement.body, before | own)
            self._block(statement.orelse, before)
            return before
        if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            self.names |= {statement.target.id} - before
        self._read(statement, before)
        return before | frozenset(bound([statement]))
