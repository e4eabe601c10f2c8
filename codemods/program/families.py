"""Classes of a project: what they derive from, their methods, and which class an expression is."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable
from functools import cached_property
from typing import Callable

from . import things
from .bindings import Bindings
from .edges import Edge
from .index import Index
from .linearization import Orders, linearized
from .parts import Function, FunctionNode, is_first_parameter, is_static
from .program import Program
from .records import NamedTuple
from .versions import UNBOUND

_Line = dict[ast.ClassDef, None]  # ordered, and soon asked for one
_DEFINITIONS = (*FunctionNode, ast.ClassDef)
_DEFINED = (things.Function, things.Class)
_NAMES = Edge.ALIAS | Edge.CHOICE  # no way through calls: each would be as long as a program's


class Outside(NamedTuple):
    """What a class derives from that is no class of the project: names of libraries, others."""

    names: tuple[str, ...]
    has_unknown: bool


class Families:
    """The class hierarchy; `name` gives the full name of a library's thing."""

    def __init__(
        self,
        index: Index,
        bindings: Callable[[], Bindings],
        program: Callable[[], Program],
        name: Callable[[ast.AST], str | None],
    ) -> None:
        self._index, self._bindings, self._program, self._name = index, bindings, program, name
        self._defined: dict[ast.Name, ast.AST | None] = {}
        self._methods: dict[ast.ClassDef, dict[str, Function]] = {}
        self._bases: dict[ast.ClassDef, list[ast.ClassDef]] = {}
        self._orders: Orders[ast.ClassDef] = {}
        self._ancestors: dict[ast.ClassDef, _Line] = {}
        self._families: dict[ast.ClassDef, _Line] = {}
        self._outsides: dict[ast.ClassDef, Outside] = {}
        self._own_outsides: dict[ast.ClassDef, Outside] = {}

    # -- which class or function a name is ------------------------------------------------------

    def local(self, expr: ast.AST) -> ast.ClassDef | None:
        """The class of the project that a name means, if it can only be that one."""
        found = self._definition(expr)
        return found if isinstance(found, ast.ClassDef) else None

    def function(self, expr: ast.AST) -> Function | None:
        """The function of the project that a name means, whatever decorators make of it."""
        found = self._definition(expr)
        return found if isinstance(found, FunctionNode) else None

    def _definition(self, expr: ast.AST) -> ast.AST | None:
        if not isinstance(expr, ast.Name):
            return None
        if expr not in self._defined:
            found = self._program().things(expr)
            is_one = len(found) == 1 and isinstance(found[0], _DEFINED)
            self._defined[expr] = found[0].node if is_one else self._decorated(expr)  # type: ignore[attr-defined]
        return self._defined[expr]

    def _decorated(self, name: ast.Name) -> ast.AST | None:
        """The only definition that binds a name: what its decorators give, nobody may know."""
        program = self._program()
        ends = program.follow(name, _NAMES, lambda key: isinstance(key, _DEFINITIONS))
        found = {program.key(n) for n in ends} - {UNBOUND}
        only = found.pop() if len(found) == 1 else None
        return only if isinstance(only, _DEFINITIONS) else None

    def self_class(self, expr: ast.AST) -> ast.ClassDef | None:
        """The class when `expr` is the `self` of one of its methods (nested functions included)."""
        bindings = self._bindings().of(expr)
        if len(bindings) != 1 or bindings[0].kind != "param":
            return None
        parents, parameter = self._index.parents, bindings[0].node
        function = parents[parents[parameter]]
        is_first = is_first_parameter(function, parameter.arg)  # type: ignore[attr-defined]
        return self.method_of(function) if is_first else None

    def instance_of(self, expr: ast.AST) -> ast.ClassDef | None:
        """The class of the project that `expr` is an instance of (or, for static calls, is)."""
        cls = self.self_class(expr) or self.local(expr)
        if cls is not None or not isinstance(expr, (ast.Name, ast.Attribute, ast.Call)):
            return cls
        found = self._program().instances(expr).only
        return found if isinstance(found, ast.ClassDef) else None

    # -- above and below ------------------------------------------------------------------------

    def ancestors(self, cls: ast.ClassDef) -> Collection[ast.ClassDef]:
        """The class and its bases in the project in Python's order, or in any if it has none."""
        if cls not in self._ancestors:
            order = linearized(cls, self._bases_of, self._orders)
            self._ancestors[cls] = dict.fromkeys(order or self._all_above(cls))
        return self._ancestors[cls].keys()

    def _bases_of(self, cls: ast.ClassDef) -> list[ast.ClassDef]:
        """The bases of a class in the project, which all classes below it ask for."""
        if cls not in self._bases:
            found = map(self._class, cls.bases)
            self._bases[cls] = [base for base in found if base is not None]
        return self._bases[cls]

    def _class(self, base: ast.expr) -> ast.ClassDef | None:
        only = self.local(base) or self._program().classes(base).only
        return only if isinstance(only, ast.ClassDef) else None

    def _all_above(self, cls: ast.ClassDef) -> _Line:
        found, waiting = _Line(), [cls]
        while waiting:
            each = waiting.pop()
            if each not in found:
                found[each] = None
                waiting += self._bases_of(each)
        return found

    def family(self, cls: ast.ClassDef) -> Collection[ast.ClassDef]:
        """The class, its ancestors in the project and everything derived from it there."""
        if cls not in self._families:
            below = self._derived.get(cls, ())
            self._families[cls] = dict.fromkeys([*self.ancestors(cls), *below])
        return self._families[cls].keys()

    @cached_property
    def _derived(self) -> dict[ast.ClassDef, list[ast.ClassDef]]:
        found: dict[ast.ClassDef, list[ast.ClassDef]] = {}
        for each in self._index.nodes(ast.ClassDef):
            for above in self.ancestors(each):
                found.setdefault(above, []).append(each)
        return found

    # -- what stands outside --------------------------------------------------------------------

    def library_bases(self, cls: ast.ClassDef) -> tuple[str, ...]:
        """Canonical names of the library classes it derives from, nearest first."""
        return self._outside(cls).names

    def has_unknown_base(self, cls: ast.ClassDef) -> bool:
        """True when a base is neither a class of the project nor of a library."""
        return self._outside(cls).has_unknown

    def _outside(self, cls: ast.ClassDef) -> Outside:
        """Its bases from outside; a class with one local base adds its own to those of that one."""
        chain: dict[ast.ClassDef, ast.ClassDef | None] = {}
        waiting: ast.ClassDef | None = cls
        while waiting is not None and waiting not in chain and waiting not in self._outsides:
            local = self._bases_of(waiting)
            base = local[0] if len(local) == 1 else None
            chain[waiting], waiting = base, base
        for each, base in reversed(chain.items()):
            above = None if base is None else self._outsides.get(base)
            self._outsides[each] = self._derived_outside(each, above)
        return self._outsides[cls]

    def _derived_outside(self, cls: ast.ClassDef, above: Outside | None) -> Outside:
        places: Iterable[ast.ClassDef] = [cls] if above is not None else self.ancestors(cls)
        above = above or Outside((), False)
        own = [each for each in map(self._own, places) if each.names or each.has_unknown]
        names = tuple(name for each in own for name in each.names)
        unknown = any(each.has_unknown for each in own)
        return Outside(names + above.names, unknown or above.has_unknown)

    def _own(self, cls: ast.ClassDef) -> Outside:
        """What it derives from outside of the project by itself."""
        if cls not in self._own_outsides:
            others = [base for base in cls.bases if self._class(base) is None]
            names = [self._name(base) for base in others]
            self._own_outsides[cls] = Outside(tuple(filter(None, names)), None in names)
        return self._own_outsides[cls]

    # -- methods --------------------------------------------------------------------------------

    def method(self, cls: ast.ClassDef, name: str) -> Function | None:
        """The method that an instance of `cls` has under `name`."""
        return self._first_with(name, self.ancestors(cls))

    def next_method(self, cls: ast.ClassDef, made: ast.ClassDef, name: str) -> Function | None:
        """The method that `super()` in `cls` means in an instance of `made`, derived from it."""
        order = list(self.ancestors(made))
        return self._first_with(name, order[order.index(cls) + 1 :])

    def _first_with(self, name: str, classes: Iterable[ast.ClassDef]) -> Function | None:
        own = map(self._own_methods, classes)
        return next((methods[name] for methods in own if name in methods), None)

    def _own_methods(self, cls: ast.ClassDef) -> dict[str, Function]:
        """The functions of its body by name; of two with one name the first."""
        if cls not in self._methods:
            functions = [each for each in cls.body if isinstance(each, FunctionNode)]
            self._methods[cls] = {each.name: each for each in reversed(functions)}
        return self._methods[cls]

    def method_of(self, function: ast.AST) -> ast.ClassDef | None:
        """The class of which `function` is an ordinary method."""
        parent = self._index.parents.get(function)
        is_method = isinstance(parent, ast.ClassDef) and not is_static(function)
        return parent if is_method else None  # type: ignore[return-value]
