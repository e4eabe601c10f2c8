"""Which function a call runs, where functions are called, and which class a value is of.

The engine answers: it follows functions and objects through names, containers and arguments.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import TYPE_CHECKING

from ..program.families import Families
from ..program.index import Index
from ..program.parts import Function, FunctionNode
from ..program.program import Program

if TYPE_CHECKING:
    from .facts import Facts

_MAKING = ("__init__", "__new__", "__post_init__")  # what a call of a class runs
_IN_TEXT = attrgetter("lineno", "col_offset", "end_lineno", "end_col_offset")


class Values:
    """The functions that calls run, and the classes of values, in one module."""

    def __init__(self, index: Index, classes: Families, program: Callable[[], Program]) -> None:
        self._index, self._classes, self._program = index, classes, program
        self._sites: dict[ast.AST, list[ast.Call]] = {}

    def call_sites(self, function: ast.AST) -> list[ast.Call]:
        """Every call of a function that the module shows, in the order of the text.

        Of an `__init__`: the calls of its classes, too.
        """
        if function not in self._sites:
            every = dict.fromkeys([*self._runs(function), *self._wrapped(function)])
            calls = [node for node in every if self._is_direct(node, function)]
            self._sites[function] = sorted(calls, key=_IN_TEXT)  # type: ignore[arg-type]
        return self._sites[function]

    def escapes(self, function: ast.AST) -> bool:
        """Whether it is called in other ways, too: by code out of sight, in `map(f, a)`, as `+`."""
        if not isinstance(function, FunctionNode):
            return False
        thing = self._program().function(function)
        is_started = thing.is_started and not function.decorator_list  # `app.run(main)`
        is_seen = set(self._runs(function)).issubset(self.call_sites(function))
        return thing.is_given_away or is_started or not is_seen

    def _runs(self, function: ast.AST) -> Iterable[ast.AST | None]:
        """The syntax by which a function runs; None stands for what says it without a call."""
        if not isinstance(function, FunctionNode):
            return ()
        return self._program().function(function).calls.values()

    def _wrapped(self, function: ast.AST) -> list[ast.Call]:
        """The calls by its name of a function that a library wraps: it runs that with options."""
        if not getattr(function, "decorator_list", None):
            return []
        return [call for call in self._index.calls if self._classes.function(call.func) is function]

    def _is_direct(self, node: ast.AST | None, function: ast.AST) -> bool:
        """Whether a call has the arguments of the function: not those of a `partial` of it."""
        if not isinstance(node, ast.Call):
            return False
        program, name = self._program(), function.name  # type: ignore[attr-defined]
        if function in program.functions(node.func).nodes:
            return True
        if self._classes.function(node.func) is function:
            return True
        if name == "__call__":
            return bool(program.instances(node.func).nodes)
        return name in _MAKING and bool(program.classes(node.func).nodes)

    def callee(self, call: ast.Call) -> Function | None:
        """The function or method of this module that a call runs, if it can only be that one."""
        found = self._program().functions(call.func).only
        return found if isinstance(found, FunctionNode) else None

    def instance_of(self, expr: ast.AST) -> ast.ClassDef | None:
        """The class of this module that `expr` is an instance of (or, for static calls, is)."""
        cls = self._classes.self_class(expr) or self._classes.local(expr)
        if cls is not None or not isinstance(expr, (ast.Name, ast.Attribute, ast.Call)):
            return cls
        found = self._program().instances(expr).only
        return found if isinstance(found, ast.ClassDef) else None


def redefinition(facts: Facts, function: Function) -> Function | None:
    """The function that is called by the name of this one, which nothing calls then."""
    if facts.call_sites(function) or facts.values.escapes(function):
        return None
    block, _ = facts.block(function)
    named = (n for n in block if isinstance(n, FunctionNode) and n.name == function.name)
    return next((each for each in named if facts.call_sites(each)), None)
