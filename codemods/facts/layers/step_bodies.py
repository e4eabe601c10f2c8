"""Whether the body of a loop may be run twice in a step: what it does changes nothing else.

It may bind names, ask functions and layers that give the same each time, and run loops and
branches of its own; what `layer_calls` says of a `call` holds for it and for what it calls.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, cast

from ...program.node_fields import children
from ..scopes import FunctionNode
from .layer_bodies import problems as of_layer
from .layer_bodies import without_training
from .layer_calls import Body, Problem
from .layer_lists import MAKERS
from .loop_values import READING, Value, Values

if TYPE_CHECKING:
    from ..facts import Facts
    from ..scopes import Function

OWN = frozenset(
    f"builtins.{name}"
    for name in ("range", "len", "zip", "enumerate", "reversed", "int", "float", "bool", "min",
                 "max", "list", "tuple", "dict", "sum", "abs", "isinstance", "str", "sorted",
                 "round")
)  # fmt: skip
ANEW = "anew"  # not of a restriction: what a step makes for itself
LABELS = ("tensorflow.name_scope", "tensorflow.device")
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
        bindings = self.facts.names.bindings(name)
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
        stores = self.facts.index.attribute_stores.get(expr.attr, [])
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
