"""Where a value comes from: the creating expressions that can flow to an expression.

The seeds' environment sigma keeps one identifier per role and restricts programs so that this
suffices (R05 to R10); following the flow through names, `self.x`, parameters, returns and unpacking
lifts most of those restrictions without giving up soundness: what can't be followed is `unknown`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass

from .call_sites import CallSites, passed
from .classes import Classes, is_property
from .index import Index
from .names import Names
from .scopes import EACH, Binding, Function, FunctionNode, Path

# These change nothing about what a function returns.
TRANSPARENT = frozenset(
    {
        "staticmethod",
        "classmethod",
        "property",
        "functools.wraps",
        "functools.lru_cache",
        "functools.cache",
    }
)

MAX_PATH = 8  # `for x in x` grows a path for ever


@dataclass(frozen=True)
class Origin:
    """A creating expression, or the part of its value at `path` (tuple index or "each")."""

    node: ast.AST
    path: Path = ()


@dataclass(frozen=True)
class Origins:
    """Everything that can flow to an expression; incomplete when `unknown` is not empty."""

    items: tuple[Origin, ...]
    unknown: tuple[ast.AST, ...] = ()

    @property
    def complete(self) -> bool:
        """Nothing but `items` can flow in."""
        return not self.unknown

    @property
    def nodes(self) -> tuple[ast.AST, ...]:
        """The creating expressions themselves, without those that only hold the value inside."""
        return tuple(item.node for item in self.items if not item.path)

    @property
    def only(self) -> ast.AST | None:
        """The one creating expression when there is exactly one and nothing unknown."""
        return (
            self.items[0].node
            if self.complete and len(self.items) == 1 and not self.items[0].path
            else None
        )


class Values:
    """Follows values backwards through one module."""

    def __init__(self, index: Index, names: Names, classes: Classes) -> None:
        self._index, self._names, self._classes = index, names, classes
        self._known: dict[ast.AST, Origins] = {}
        self._busy: set[ast.AST] = set()
        self._calls = CallSites(index, names, classes)
        self.call_sites, self.escapes = self._calls.of, self._calls.escapes

    def origins(self, expr: ast.AST) -> Origins:
        """The creating expressions of `expr`."""
        if expr not in self._known:
            trace = _Trace(self)
            trace.run(expr, ())
            self._known[expr] = Origins(
                tuple(dict.fromkeys(trace.items)), tuple(dict.fromkeys(trace.unknown))
            )
        return self._known[expr]

    def callee(self, call: ast.Call) -> Function | None:
        """The function or method of this module that a call runs, if it can only be that one."""
        func = call.func
        function = self._classes.function(func)
        if function is not None:
            return function
        if isinstance(func, ast.Attribute):
            cls = self.instance_of(func.value)
            return self._classes.method(cls, func.attr) if cls is not None else None
        return self._function_value(func)

    def _function_value(self, func: ast.AST) -> Function | None:
        """`step = make_step()` where `make_step` returns one function of its own."""
        if func in self._busy or not isinstance(func, (ast.Name, ast.Call)):
            return None
        self._busy.add(func)
        found = self.origins(func).only
        self._busy.discard(func)
        return found if isinstance(found, FunctionNode) else None

    def instance_of(self, expr: ast.AST) -> ast.ClassDef | None:
        """The class of this module that `expr` is an instance of (or, for static calls, is)."""
        cls = self._classes.self_class(expr) or self._classes.local(expr)
        if cls is not None or not isinstance(expr, (ast.Name, ast.Attribute, ast.Call)):
            return cls
        if expr in self._busy:  # `ds = ds.batch(2)`: a cycle names no class
            return None
        self._busy.add(expr)
        found = self.origins(expr).only
        self._busy.discard(expr)
        return self._classes.local(found.func) if isinstance(found, ast.Call) else None


class _Trace:
    """One backward walk; `seen` cuts cycles (`ds = ds.batch(2)` in a loop)."""

    def __init__(self, values: Values) -> None:
        self._values = values
        self._index, self._names, self._classes = values._index, values._names, values._classes
        self._seen: set[tuple[ast.AST, Path]] = set()
        self._waiting: list[tuple[ast.AST, Path]] = []
        self.items: list[Origin] = []
        self.unknown: list[ast.AST] = []

    def run(self, node: ast.AST, path: Path) -> None:
        """Collect the origins of the part of `node`'s value at `path`."""
        self.follow(node, path)
        while self._waiting:
            node, path = self._waiting.pop(0)
            step = _STEPS.get(type(node))
            if step is not None:
                step(self, node, path)
            else:
                self._found(node, path)

    def follow(self, node: ast.AST, path: Path) -> None:
        """Look there as well; no recursion, since a flow may be longer than Python's stack."""
        if (node, path) not in self._seen and len(path) <= MAX_PATH:
            self._seen.add((node, path))
            self._waiting.append((node, path))
        elif len(path) > MAX_PATH:
            self.unknown.append(node)

    def _found(self, node: ast.AST, path: Path) -> None:
        self.items.append(Origin(node, path))

    def _name(self, node: ast.Name, path: Path) -> None:
        bindings = self._names.bindings(node)
        if not bindings:
            self._found(node, path) if self._names.name(node) else self.unknown.append(node)
        for binding in bindings:
            self._binding(binding, node, path)

    def _binding(self, binding: Binding, use: ast.AST, path: Path) -> None:
        if binding.kind == "param":
            self._parameter(binding.node, path)
        elif binding.kind == "import":
            self._found(use, path)
        elif binding.value is not None:
            self.follow(binding.value, binding.path + path)
        else:
            self.unknown.append(binding.node)

    def _parameter(self, arg: ast.AST, path: Path) -> None:
        function = self._index.parents[self._index.parents[arg]]
        sites = self._values.call_sites(function)
        if (
            not sites
            or self._values.escapes(function)
            or _has_unknown_decorator(function, self._names)
        ):
            self.unknown.append(arg)
        for call in sites:
            value = passed(call, function, arg, self._classes)
            self.unknown.append(arg) if value is None else self.follow(value, path)

    def _attribute(self, node: ast.Attribute, path: Path) -> None:
        if self._names.name(node) is not None:
            self._found(node, path)
            return
        cls = self._values.instance_of(node.value)
        if cls is None or not self._member(cls, node.attr, path):
            self._found(node, path)

    def _member(self, cls: ast.ClassDef, attr: str, path: Path) -> bool:
        """Follow what instances of `cls` hold in `attr`; False when the module doesn't say."""
        family = self._classes.family(cls)
        method = self._classes.method(cls, attr)
        if method is not None:
            self._returns(method, path) if is_property(method) else self._found(method, path)
            return True
        found = False
        for target, binding in self._index.attribute_stores.get(attr, []):
            owner = self._classes.self_class(target.value) or self._values.instance_of(target.value)
            if owner in family:
                self._binding(binding, target, path)
                found = True
        for member in family:
            for binding in self._index.scopes[member].bindings.get(attr, []):
                self._binding(binding, member, path)
                found = True
        return found

    def _call(self, node: ast.Call, path: Path) -> None:
        function = self._values.callee(node)
        if (
            function is None
            or _is_generator(function)
            or isinstance(function, ast.AsyncFunctionDef)
        ):
            self._found(node, path)
            return
        if _has_unknown_decorator(function, self._names):
            self.unknown.append(node)
        self._returns(function, path)

    def _returns(self, function: Function, path: Path) -> None:
        for statement in returns(function):
            if statement.value is not None:
                self.follow(statement.value, path)

    def _display(self, node: ast.AST, path: Path) -> None:
        """`(a, b)` at path (0,) is `a`."""
        elements = node.elts  # type: ignore[attr-defined]
        plain = not any(isinstance(e, ast.Starred) for e in elements)
        if path and plain and path[0] == EACH:
            for element in elements:
                self.follow(element, path[1:])
        elif path and plain and isinstance(path[0], int) and path[0] < len(elements):
            self.follow(elements[path[0]], path[1:])
        else:
            self._found(node, path)

    def _subscript(self, node: ast.Subscript, path: Path) -> None:
        key = node.slice
        key = (
            getattr(key, "value", key) if type(key).__name__ == "Index" else key
        )  # Python 3.8 trees
        if isinstance(key, ast.Constant) and isinstance(key.value, int) and key.value >= 0:
            inner = _Trace(self._values)
            inner._seen = self._seen
            inner.run(node.value, ())
            if inner.items and not inner.unknown and all(_holds(i, key.value) for i in inner.items):
                for item in inner.items:
                    self.follow(item.node.elts[key.value], path)  # type: ignore[attr-defined]
                return
        self._found(node, path)

    def _if(self, node: ast.IfExp, path: Path) -> None:
        self.follow(node.body, path)
        self.follow(node.orelse, path)

    def _bool(self, node: ast.BoolOp, path: Path) -> None:
        for value in node.values:
            self.follow(value, path)

    def _inner(self, node: ast.AST, path: Path) -> None:
        self.follow(node.value, path)  # type: ignore[attr-defined]


_STEPS: dict[type, Callable[..., None]] = {
    ast.Name: _Trace._name,
    ast.Attribute: _Trace._attribute,
    ast.Call: _Trace._call,
    ast.Tuple: _Trace._display,
    ast.List: _Trace._display,
    ast.Subscript: _Trace._subscript,
    ast.IfExp: _Trace._if,
    ast.BoolOp: _Trace._bool,
    ast.NamedExpr: _Trace._inner,
    ast.Starred: _Trace._inner,
}


def returns(function: Function) -> list[ast.Return]:
    """The `return` statements of a function itself."""
    found: list[ast.Return] = []
    stack: list[ast.AST] = list(reversed(function.body))
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Return):
            found.append(node)
        elif not isinstance(node, (*FunctionNode, ast.ClassDef, ast.expr)):
            stack.extend(reversed(list(ast.iter_child_nodes(node))))
    return found


def _is_generator(function: Function) -> bool:
    stack: list[ast.AST] = list(function.body)
    while stack:
        node = stack.pop()
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(node, (*FunctionNode, ast.ClassDef, ast.Lambda)):
            stack.extend(ast.iter_child_nodes(node))
    return False


def _has_unknown_decorator(function: ast.AST, names: Names) -> bool:
    for decorator in getattr(function, "decorator_list", []):
        name = names.name(decorator.func if isinstance(decorator, ast.Call) else decorator) or ""
        if name not in TRANSPARENT and name.replace("builtins.", "") not in TRANSPARENT:
            if name not in (
                "tensorflow.function",
                "tensorflow.autograph.experimental.do_not_convert",
            ):
                return True
    return False


def _holds(origin: Origin, number: int) -> bool:
    node = origin.node
    if origin.path or not isinstance(node, (ast.Tuple, ast.List)) or number >= len(node.elts):
        return False
    return not any(isinstance(e, ast.Starred) for e in node.elts)
