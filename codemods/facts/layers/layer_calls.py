"""Whether what a `call` does may be done twice in a step.

It must give the same tensor, change nothing, and read no tensor but its arguments and weights.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Callable

from ...library.layers import is_pure
from ...library.loops import SEEDED
from ...program.node_fields import children, within
from ...program.records import NamedTuple
from .layer_lists import made_once

if TYPE_CHECKING:
    from ..facts import Facts
    from ..scopes import Function

WEIGHTS = ("tensorflow.Variable",)
CHANGES = ("add_update", "add_loss", "add_metric", "update_state", "reset_state")


class Problem(NamedTuple):
    """What is in the way: the code of the restriction, the place, and what stands there.

    `repair`: what would be the same in every run, a layer by its class or a function by its name.
    """

    code: str
    node: ast.AST
    what: str = ""
    repair: str = ""


Ask = Callable[[ast.expr], Iterable[Problem]]  # of the expression that holds a layer


class Body:
    """What a `call` does: assignments to names and a return, from known functions and layers."""

    def __init__(self, facts: Facts, method: Function, of_layer: Ask) -> None:
        self.facts, self.method, self.of_layer = facts, method, of_layer

    def problems(self) -> Iterator[Problem]:
        """Everything in the body that is not known to be the same in every run."""
        arguments = self.method.args
        if arguments.vararg or arguments.kwarg or isinstance(self.method, ast.AsyncFunctionDef):
            yield Problem("C05", self.method, "arguments that can't be seen")
        for statement in self.method.body:
            yield from self._statement(statement)

    def _statement(self, statement: ast.stmt) -> Iterator[Problem]:
        is_named = isinstance(statement, ast.Assign) and all(map(_is_name, statement.targets))
        value = getattr(statement, "value", None)
        if isinstance(value, ast.expr) and (is_named or isinstance(statement, ast.Return)):
            yield from self._value(value)
        elif not _is_docstring(statement):
            found = list(self._effects(statement))
            yield from found or [Problem("C05", statement, ast.unparse(statement).splitlines()[0])]

    def _effects(self, statement: ast.stmt) -> Iterator[Problem]:
        """What a statement changes or draws, said more precisely than that it is unknown."""
        for call in within(statement):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
                if call.func.attr.startswith("assign") or call.func.attr in CHANGES:
                    yield Problem("C02", call, call.func.attr)

    def _value(self, expr: ast.expr) -> Iterator[Problem]:
        if isinstance(expr, ast.Constant):
            return
        if isinstance(expr, ast.Name):
            if not self._is_local(expr):
                yield Problem("C03", expr, expr.id)
        elif isinstance(expr, ast.Attribute):
            yield from self._attribute(expr)
        elif isinstance(expr, ast.Call):
            yield from self._call(expr)
        elif isinstance(expr, _COMPOSED):
            for child in children(expr):
                if isinstance(child, ast.expr):
                    yield from self._value(child)
        else:
            yield Problem("C05", expr, ast.unparse(expr))

    def _is_local(self, name: ast.Name) -> bool:
        """A parameter or a name of the body; or a number that the module binds once."""
        bindings = self.facts.names.bindings(name)
        if bindings and all(self._is_inside(binding.node) for binding in bindings):
            return True
        value = made_once(self.facts, name)
        return isinstance(value, ast.Constant)

    def _is_inside(self, node: ast.AST) -> bool:
        return self.method in self.facts.parents(node)

    def _attribute(self, expr: ast.Attribute) -> Iterator[Problem]:
        """`x.shape`, a weight of this layer, or a number that it keeps."""
        if expr.attr in ("shape", "dtype") and not self._is_self(expr.value):
            yield from self._value(expr.value)
            return
        value = made_once(self.facts, expr)
        if isinstance(value, ast.Constant) or self._is_weight(value):
            return
        yield Problem("C03" if self._is_self(expr.value) else "C05", expr, ast.unparse(expr))

    def _is_self(self, expr: ast.expr) -> bool:
        return self.facts.classes.self_class(expr) is not None

    def _is_weight(self, value: ast.expr | None) -> bool:
        if not isinstance(value, ast.Call):
            return False
        if isinstance(value.func, ast.Attribute) and value.func.attr == "add_weight":
            return self._is_self(value.func.value)
        return self.facts.name(value.func) in WEIGHTS

    def _call(self, call: ast.Call) -> Iterator[Problem]:
        name = self.facts.name(call.func)
        for given in [*call.args, *(keyword.value for keyword in call.keywords)]:
            yield from self._value(given)
        if self._is_pure(call.func):
            return
        found = list(self._effects(ast.Expr(call)))
        if found:
            yield from found
        elif name is not None and (".random." in name or name.endswith("dropout")):
            yield Problem("C01", call, name.replace("tensorflow.", "tf.", 1), _seeded(call, name))
        else:
            yield from self._of_unknown(call)

    def _of_unknown(self, call: ast.Call) -> Iterator[Problem]:
        """A layer that this one holds, or nobody knows what."""
        if isinstance(call.func, ast.Attribute) and self._is_self(call.func.value):
            yield from self.of_layer(call.func)
        else:
            yield Problem("C05", call, ast.unparse(call.func))

    def _is_pure(self, function: ast.expr) -> bool:
        """A function of its arguments only, or an attribute of the layer that is one."""
        value = made_once(self.facts, function)
        return any(
            is_pure(self.facts.name(each) or "") for each in (function, value) if each is not None
        )


_COMPOSED = (
    ast.BinOp,
    ast.UnaryOp,
    ast.Compare,
    ast.Tuple,
    ast.List,
    ast.Subscript,
    ast.Slice,
    ast.Starred,
)


def _seeded(call: ast.Call, name: str) -> str:
    """The function that draws the same for a seed, if it can be told one."""
    function, most = SEEDED.get(name, ("", 0))
    has_own = any(keyword.arg in (None, "seed") for keyword in call.keywords)
    is_plain = len(call.args) <= most and not any(isinstance(a, ast.Starred) for a in call.args)
    return function if is_plain and not has_own else ""


def _is_name(target: ast.expr) -> bool:
    names = target.elts if isinstance(target, ast.Tuple) else [target]
    return all(isinstance(name, ast.Name) for name in names)


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
