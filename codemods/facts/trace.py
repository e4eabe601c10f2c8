"""One walk from an expression back to what created its value."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from .call_sites import passed
from .classes import is_property
from .functions import has_unknown_decorator, is_generator, returns
from .origins import Origin
from .scopes import EACH, Binding, Function, Path

if TYPE_CHECKING:
    from .values import Values

MAX_PATH = 8  # `for x in x` grows a path for ever


class Trace:
    """One backward walk; `seen` cuts cycles (`ds = ds.batch(2)` in a loop)."""

    def __init__(self, values: Values) -> None:
        self._values = values
        self._index, self._names, self._classes = values.index, values.names, values.classes
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
            or has_unknown_decorator(function, self._names)
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
        if function is None or is_generator(function) or isinstance(function, ast.AsyncFunctionDef):
            self._found(node, path)
            return
        if has_unknown_decorator(function, self._names):
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
            inner = Trace(self._values)
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
    ast.Name: Trace._name,
    ast.Attribute: Trace._attribute,
    ast.Call: Trace._call,
    ast.Tuple: Trace._display,
    ast.List: Trace._display,
    ast.Subscript: Trace._subscript,
    ast.IfExp: Trace._if,
    ast.BoolOp: Trace._bool,
    ast.NamedExpr: Trace._inner,
    ast.Starred: Trace._inner,
}


def _holds(origin: Origin, number: int) -> bool:
    node = origin.node
    if origin.path or not isinstance(node, (ast.Tuple, ast.List)) or number >= len(node.elts):
        return False
    return not any(isinstance(e, ast.Starred) for e in node.elts)
