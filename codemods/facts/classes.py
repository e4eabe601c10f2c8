"""Classes of the module: library bases, methods, and what instances are made of (seed 003, 3.2)."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator, Sequence

from ..program.bindings import Binding, Bindings
from ..program.index import Index
from ..program.parts import Function, FunctionNode
from ..program.records import NamedTuple
from .families import Families
from .names import Names


class Outside(NamedTuple):
    """What a class derives from that is no class of this module: names of libraries, others."""

    names: tuple[str, ...]
    has_unknown: bool


class Classes:
    """The class hierarchy as far as it can be seen in one module."""

    def __init__(self, index: Index, names: Names, bindings: Callable[[], Bindings]) -> None:
        self._index, self._names, self._bindings = index, names, bindings
        self._once: dict[int, ast.AST | None] = {}  # by the id of the bindings of a name
        self._methods: dict[ast.ClassDef, dict[str, Function]] = {}
        self._bases: dict[ast.ClassDef, Outside] = {}
        self._own_bases: dict[ast.ClassDef, Outside] = {}
        self._families = Families(self.local, self._every)

    def _every(self) -> Iterator[ast.ClassDef]:
        return iter(self._index.nodes(ast.ClassDef))

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
        bindings = self._bindings().of(expr)
        if id(bindings) not in self._once:
            self._once[id(bindings)] = None  # a name that is compiled from itself alone
            self._once[id(bindings)] = self._single(bindings, expr.id)
        return self._once[id(bindings)]

    def _single(self, bindings: Sequence[Binding], name: str) -> ast.AST | None:
        """What the only binding binds, seen through `tf.function(…)`."""
        others = [binding for binding in bindings if not self._recompiles(binding, name)]
        if len(others) != 1:
            return None
        compiled = self._compiled(others[0].value)
        return others[0].value if compiled is None else self._bound_once(compiled)

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

    def ancestors(self, cls: ast.ClassDef) -> Collection[ast.ClassDef]:
        """The class and its local bases in Python's order."""
        return self._families.ancestors(cls)

    def library_bases(self, cls: ast.ClassDef) -> tuple[str, ...]:
        """Canonical names of the library classes it derives from, nearest first."""
        return self._outside(cls).names

    def has_unknown_base(self, cls: ast.ClassDef) -> bool:
        """True when a base is neither a class of this module nor of a library."""
        return self._outside(cls).has_unknown

    def _outside(self, cls: ast.ClassDef) -> Outside:
        """Its bases from outside; a class with one local base adds its own to those of that one."""
        chain: dict[ast.ClassDef, ast.ClassDef | None] = {}
        waiting: ast.ClassDef | None = cls
        while waiting is not None and waiting not in chain and waiting not in self._bases:
            local = [base for base in map(self.local, waiting.bases) if base is not None]
            base = local[0] if len(local) == 1 else None
            chain[waiting], waiting = base, base
        for each, base in reversed(chain.items()):
            above = None if base is None else self._bases.get(base)
            self._bases[each] = self._derived(each, above)
        return self._bases[cls]

    def _derived(self, cls: ast.ClassDef, above: Outside | None) -> Outside:
        places = [cls] if above is not None else list(self.ancestors(cls))
        above = above or Outside((), False)
        own = [each for each in map(self._own, places) if each.names or each.has_unknown]
        names = tuple(name for each in own for name in each.names)
        unknown = any(each.has_unknown for each in own)
        return Outside(names + above.names, unknown or above.has_unknown)

    def _own(self, cls: ast.ClassDef) -> Outside:
        """What it derives from outside of the module by itself."""
        if cls not in self._own_bases:
            names = [self._names.name(base) for base in cls.bases]
            unknown = (self.local(b) is None for b, name in zip(cls.bases, names) if name is None)
            self._own_bases[cls] = Outside(tuple(filter(None, names)), any(unknown))
        return self._own_bases[cls]

    def method(self, cls: ast.ClassDef, name: str) -> Function | None:
        """The method that an instance of `cls` has under `name`."""
        own = (self.own_methods(ancestor) for ancestor in self.ancestors(cls))
        return next((methods[name] for methods in own if name in methods), None)

    def next_method(self, cls: ast.ClassDef, made: ast.ClassDef, name: str) -> Function | None:
        """The method that `super()` in `cls` means in an instance of `made`, derived from it."""
        order = list(self.ancestors(made))
        own = map(self.own_methods, order[order.index(cls) + 1 :])
        return next((methods[name] for methods in own if name in methods), None)

    def own_methods(self, cls: ast.ClassDef) -> dict[str, Function]:
        """The functions of its body by name; of two with one name the first."""
        if cls not in self._methods:
            functions = [each for each in cls.body if isinstance(each, FunctionNode)]
            self._methods[cls] = {each.name: each for each in reversed(functions)}
        return self._methods[cls]

    def family(self, cls: ast.ClassDef) -> Collection[ast.ClassDef]:
        """The class, its local ancestors and everything derived from it in this module."""
        return self._families.family(cls)

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
        bindings = self._bindings().of(expr)
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
