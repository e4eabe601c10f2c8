"""Classes of the module: library bases, methods, and what instances are made of (seed 003, 3.2)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .index import Index
from .names import Names
from .scopes import Binding, Function, FunctionNode


class Classes:
    """The class hierarchy as far as it can be seen in one module."""

    def __init__(self, index: Index, names: Names) -> None:
        self._index, self._names = index, names

    def local(self, expr: ast.AST) -> ast.ClassDef | None:
        """The class of this module that an expression names, if it is bound once."""
        found = self._bound_once(expr)
        return found if isinstance(found, ast.ClassDef) else None

    def function(self, expr: ast.AST) -> Function | None:
        """The function of this module that an expression names, if it is bound once."""
        found = self._bound_once(expr)
        return found if isinstance(found, FunctionNode) else None

    def _bound_once(self, expr: ast.AST) -> ast.AST | None:
        if not isinstance(expr, ast.Name):
            return None
        bindings = [b for b in self._names.bindings(expr) if not self._recompiles(b, expr.id)]
        if len(bindings) != 1:
            return None
        compiled = self._compiled(bindings[0].value)
        return bindings[0].value if compiled is None else self._bound_once(compiled)

    def _recompiles(self, binding: Binding, name: str) -> bool:
        """`step = tf.function(step)` leaves the meaning of `step` as it was."""
        inner = self._compiled(binding.value)
        return isinstance(inner, ast.Name) and inner.id == name

    def _compiled(self, value: ast.AST | None) -> ast.AST | None:
        """What `tf.function(…)` compiles."""
        if isinstance(value, ast.Call) and value.args:
            if self._names.name(value.func) == "tensorflow.function":
                return value.args[0]
        return None

    def compiled_name(self, use: ast.AST) -> ast.Name | None:
        """The name that a `name = tf.function(use)` gives to the function `use`."""
        call = self._index.parents.get(use)
        if call is None or self._compiled(call) is not use:
            return None
        statement = self._index.parents.get(call)
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            return statement.targets[0]
        return None

    def ancestors(self, cls: ast.ClassDef) -> Iterator[ast.ClassDef]:
        """The class and its local bases, nearest first."""
        seen: list[ast.ClassDef] = []
        queue = [cls]
        while queue:
            current = queue.pop(0)
            if current not in seen:
                seen.append(current)
                yield current
                queue += [base for base in map(self.local, current.bases) if base is not None]

    def library_bases(self, cls: ast.ClassDef) -> tuple[str, ...]:
        """Canonical names of the library classes it derives from, nearest first."""
        bases = (base for ancestor in self.ancestors(cls) for base in ancestor.bases)
        return tuple(name for name in map(self._names.name, bases) if name is not None)

    def has_unknown_base(self, cls: ast.ClassDef) -> bool:
        """True when a base is neither a class of this module nor of a library."""
        return any(
            self.local(base) is None and self._names.name(base) is None
            for ancestor in self.ancestors(cls)
            for base in ancestor.bases
        )

    def method(self, cls: ast.ClassDef, name: str) -> Function | None:
        """The method that an instance of `cls` has under `name`."""
        for ancestor in self.ancestors(cls):
            for statement in ancestor.body:
                if isinstance(statement, FunctionNode) and statement.name == name:
                    return statement
        return None

    def family(self, cls: ast.ClassDef) -> list[ast.ClassDef]:
        """The class, its local ancestors and everything derived from it in this module."""
        above = list(self.ancestors(cls))
        every = (n for n in self._index.scopes if isinstance(n, ast.ClassDef))
        return above + [n for n in every if n not in above and cls in self.ancestors(n)]

    def enclosing(self, node: ast.AST) -> ast.ClassDef | None:
        """The class whose method (or body) holds `node`, through nested functions."""
        parent = self._index.parents.get(node)
        while parent is not None and not isinstance(parent, ast.ClassDef):
            parent = self._index.parents.get(parent)
        return parent

    def self_class(self, expr: ast.AST) -> ast.ClassDef | None:
        """The class when `expr` is the `self` of one of its methods (nested functions included)."""
        if not isinstance(expr, ast.Name):
            return None
        bindings = self._names.bindings(expr)
        if len(bindings) != 1 or bindings[0].kind != "param":
            return None
        function = self._index.parents[self._index.parents[bindings[0].node]]
        return self.method_of(function) if is_first_parameter(function, expr.id) else None

    def method_of(self, function: ast.AST) -> ast.ClassDef | None:
        """The class of which `function` is an ordinary method."""
        parent = self._index.parents.get(function)
        is_method = isinstance(parent, ast.ClassDef) and not is_static(function)
        return parent if is_method else None  # type: ignore[return-value]


def is_first_parameter(function: ast.AST, name: str) -> bool:
    """Whether `name` is the first positional parameter (`self`, whatever it is called)."""
    if not isinstance(function, FunctionNode):
        return False
    positional = [*function.args.posonlyargs, *function.args.args]
    return bool(positional) and positional[0].arg == name


def is_static(function: ast.AST) -> bool:
    """Whether a decorator makes it a static method."""
    decorators = getattr(function, "decorator_list", [])
    return any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in decorators)


def is_property(function: ast.AST) -> bool:
    """Whether reading the attribute calls it."""
    decorators = getattr(function, "decorator_list", [])
    names = {d.id if isinstance(d, ast.Name) else getattr(d, "attr", "") for d in decorators}
    return bool(names & {"property", "cached_property"})


def is_super(expr: ast.AST) -> bool:
    """Whether it is `super()`."""
    return (
        isinstance(expr, ast.Call) and isinstance(expr.func, ast.Name) and expr.func.id == "super"
    )
