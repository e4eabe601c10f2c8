"""Which function a call runs, and which class of the module a value is an instance of.

What names alone say counts first; the engine answers where a value has to be followed.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cached_property

from ..program.program import Program
from .call_sites import CallSites
from .classes import Classes
from .index import Index
from .names import Names
from .scopes import Function, FunctionNode


class Values:
    """The functions that calls run, and the classes of values, in one module."""

    def __init__(
        self, index: Index, names: Names, classes: Classes, program: Callable[[], Program]
    ) -> None:
        self._classes, self._scopes = classes, index.scopes
        self._program = program
        self._callees: dict[ast.Call, Function | None] = {}
        self._calls = CallSites(index, names, classes)
        self._sites: dict[ast.AST, list[ast.Call]] = {}
        self.escapes = self._calls.escapes

    def call_sites(self, function: ast.AST) -> list[ast.Call]:
        """Every call of a function that the module shows: not those of its name on other objects.

        Of a class: of its `__init__`.
        """
        if function not in self._sites:
            sites = self._calls.of(function)
            if self._calls.has_twins(function):
                sites = [call for call in sites if not self._runs_other(call, function)]
            self._sites[function] = sites
        return self._sites[function]

    def _runs_other(self, call: ast.Call, function: ast.AST) -> bool:
        """Whether the object of a method is known to be of a class that has another one."""
        owner = call.func.value if isinstance(call.func, ast.Attribute) else None
        if owner is None or self._classes.self_class(owner) or self._classes.local(owner):
            return False
        callee = self.callee(call)
        return callee is not None and callee is not function

    def callee(self, call: ast.Call) -> Function | None:
        """The function or method of this module that a call runs, if it can only be that one."""
        if call not in self._callees:
            self._callees[call] = self._callee(call.func)
        return self._callees[call]

    def _callee(self, func: ast.expr) -> Function | None:
        function = self._classes.function(func)
        if function is not None:
            return function
        if isinstance(func, ast.Attribute):
            cls = self.instance_of(func.value)
            return self._method(cls, func) if cls is not None else None
        return self._function_value(func)

    def _method(self, cls: ast.ClassDef, func: ast.Attribute) -> Function | None:
        """The method of a class; of `self` it may be another one in a class below."""
        is_other = self._classes.self_class(func.value) and any(
            each is not cls and cls in self._classes.ancestors(each)
            for each in self._with_method.get(func.attr, ())
        )
        return None if is_other else self._classes.method(cls, func.attr)

    @cached_property
    def _with_method(self) -> dict[str, list[ast.ClassDef]]:
        """The classes that have a method of each name in their bodies."""
        found: dict[str, list[ast.ClassDef]] = {}
        for cls in (node for node in self._scopes if isinstance(node, ast.ClassDef)):
            for name in self._classes.own_methods(cls):
                found.setdefault(name, []).append(cls)
        return found

    def _function_value(self, func: ast.AST) -> Function | None:
        """`step = make_step()` where `make_step` returns one function of its own."""
        if not isinstance(func, (ast.Name, ast.Call)):
            return None
        found = self._program().functions(func).only
        return found if isinstance(found, FunctionNode) else None

    def instance_of(self, expr: ast.AST) -> ast.ClassDef | None:
        """The class of this module that `expr` is an instance of (or, for static calls, is)."""
        cls = self._classes.self_class(expr) or self._classes.local(expr)
        if cls is not None or not isinstance(expr, (ast.Name, ast.Attribute, ast.Call)):
            return cls
        found = self._program().instances(expr).only
        return found if isinstance(found, ast.ClassDef) else None
