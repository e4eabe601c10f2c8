"""Which workers of a model job come to a place: by the tests by rank on the way to it.

Upper bounds: who isn't named never comes there. What a test says that isn't by rank, it may say to
any of them.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property

from ..library import effects
from ..program.parts import FUNCTIONS
from ..program.program import Program
from ..program.records import NamedTuple
from .workers import NUMBERS, WORKERS

ALL: frozenset[int] = frozenset(WORKERS)
NOBODY: frozenset[int] = frozenset()
_JUMPS = (ast.Return, ast.Continue, ast.Break, ast.Raise)
_TESTED = (ast.If, ast.IfExp, ast.While)
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
_DEEPEST = 8  # names for names of a test


class Said(NamedTuple):
    """To which workers a test may say yes, and to which no."""

    yes: frozenset[int]
    no: frozenset[int]


_EITHER = Said(ALL, ALL)


class Reach:
    """Answers of one program."""

    def __init__(
        self, program: Program, nodes: list[ast.AST], parents: dict[ast.AST, ast.AST]
    ) -> None:
        self._program, self._nodes, self._parents = program, nodes, parents
        self._known: dict[ast.AST, frozenset[int]] = {}
        self._is_solved = False

    def workers(self, node: ast.AST) -> frozenset[int]:
        """The workers that may come to a node."""
        if not self._is_solved:
            self._is_solved = True
            self._solve()
        found, child = ALL, node
        while found and child in self._parents:
            parent = self._parents[child]
            found &= self._entering(parent, child)
            if isinstance(parent, FUNCTIONS) and self._is_inside(parent, child):
                return found & self._known[parent]
            child = parent
        return found

    @staticmethod
    def _is_inside(function: ast.AST, child: ast.AST) -> bool:
        """Whether a part of a function runs when it is called, and not where it is made."""
        body = function.body  # type: ignore[attr-defined]
        return child is body or (isinstance(body, list) and child in body)

    # -- within a function ----------------------------------------------------------------------

    def _entering(self, parent: ast.AST, child: ast.AST) -> frozenset[int]:
        """Who comes from a node to a part of it."""
        if isinstance(parent, _TESTED) and child is not parent.test:
            said = self.said(parent.test)
            body = parent.body if isinstance(parent.body, list) else [parent.body]
            return (said.yes if child in body else said.no) & self._behind(parent, child)
        if isinstance(parent, ast.BoolOp):
            before = parent.values[: parent.values.index(child)]  # type: ignore[arg-type]
            is_and = isinstance(parent.op, ast.And)
            return _common(s.yes if is_and else s.no for s in map(self.said, before))
        if hasattr(parent, "generators") and not isinstance(child, ast.comprehension):
            tests = (test for part in parent.generators for test in part.ifs)
            return _common(self.said(test).yes for test in tests)
        return self._behind(parent, child)

    def _behind(self, parent: ast.AST, child: ast.AST) -> frozenset[int]:
        """Who is left behind the statements before: `if hvd.rank() != 0: return`."""
        if not isinstance(child, ast.stmt):
            return ALL
        blocks = (getattr(parent, field, None) for field in _BLOCKS)
        block = next((b for b in blocks if isinstance(b, list) and child in b), [])
        before = (s for s in block[: block.index(child)] if isinstance(s, ast.If))
        return _common(self._passing(each) for each in before)

    def _passing(self, test: ast.If) -> frozenset[int]:
        said = self.said(test.test)
        yes = NOBODY if self._leaves(test.body) else said.yes
        return yes | (NOBODY if self._leaves(test.orelse) else said.no)

    def _leaves(self, block: list[ast.stmt]) -> bool:
        last = block[-1] if block else None
        if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
            return any(map(effects.never_returns, self._program.names(last.value.func)))
        return isinstance(last, _JUMPS)

    def said(self, test: ast.expr, depth: int = _DEEPEST) -> Said:
        """What a test may say to whom."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return Said(*reversed(self.said(test.operand, depth)))
        if isinstance(test, ast.BoolOp):
            each = [self.said(value, depth) for value in test.values]
            if isinstance(test.op, ast.And):
                return Said(_common(s.yes for s in each), NOBODY.union(*(s.no for s in each)))
            return Said(NOBODY.union(*(s.yes for s in each)), _common(s.no for s in each))
        numbers = self._program.value(NUMBERS, test) or ()
        if len(numbers) == len(ALL):
            yes = frozenset(worker for worker, number in zip(WORKERS, numbers) if number)
            return Said(yes, ALL - yes)
        made = self._bound.get(test.id) if isinstance(test, ast.Name) else None
        return self.said(made, depth - 1) if made is not None and depth else _EITHER

    @cached_property
    def _bound(self) -> dict[str, ast.expr]:
        """What each name is that the program binds once: `is_chief = hvd.rank() == 0 and save`."""
        stores = (n.id for n in self._nodes if isinstance(n, ast.Name) and not _is_read(n))
        args = (n.arg for n in self._nodes if isinstance(n, ast.arg))
        counts = Counter((*stores, *args))
        assigned = (n for n in self._nodes if isinstance(n, ast.Assign) and len(n.targets) == 1)
        pairs = ((n.targets[0], n.value) for n in assigned)
        named = ((t.id, value) for t, value in pairs if isinstance(t, ast.Name))
        return {name: value for name, value in named if counts[name] == 1}

    # -- functions ------------------------------------------------------------------------------

    def _solve(self) -> None:
        """Who comes into each function: as few as there must be, whoever calls whom."""
        waiting: dict[ast.AST, None] = dict.fromkeys(filter(_is_function, self._nodes))
        self._known.update(dict.fromkeys(waiting, NOBODY))
        inside: dict[ast.AST | None, list[ast.AST]] = {}
        for function in waiting:
            for place in self._places(function):
                inside.setdefault(self._home(place), []).append(function)
        while waiting:
            function, _ = waiting.popitem()
            found = self._asked(function)
            if found != self._known[function]:
                self._known[function] = found
                waiting.update(dict.fromkeys(inside.get(function, ())))

    def _places(self, function: ast.AST) -> Iterator[ast.AST]:
        """What decides who comes into a function."""
        yield function
        yield from self._uses.get(function, ())
        yield from self._makers.get(self._parents[function], ())

    def _home(self, node: ast.AST) -> ast.AST | None:
        """The function whose body a node stands in."""
        child = node
        while child in self._parents:
            parent = self._parents[child]
            if isinstance(parent, FUNCTIONS) and self._is_inside(parent, child):
                return parent
            child = parent
        return None

    def _asked(self, function: ast.AST) -> frozenset[int]:
        """Who comes to where a function is called or handed out, and to where it is made."""
        found = self.workers(function)
        if found:
            found &= self._through(self._uses.get(function, ()))
        cls = self._parents.get(function)
        if found and isinstance(cls, ast.ClassDef):
            found &= self._through(self._makers.get(cls, ()))
        return found

    def _through(self, places: Iterable[ast.AST]) -> frozenset[int]:
        """Who comes to any of some places; to none that is known of, all may."""
        found: list[ast.AST] = list(places)
        return NOBODY.union(*map(self.workers, found)) if found else ALL

    @cached_property
    def _uses(self) -> dict[ast.AST, list[ast.AST]]:
        """Where each function is read: called, or handed to somebody."""
        found: dict[ast.AST, list[ast.AST]] = {}
        for node in self._nodes:
            if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
                for function in self._program.functions(node).nodes:
                    found.setdefault(function, []).append(node)
        hooks = [function for function in found if self._is_hook(function)]
        for function in hooks:  # outside code calls them, too
            del found[function]
        return found

    def _is_hook(self, function: ast.AST) -> bool:
        is_method = isinstance(self._parents.get(function), ast.ClassDef)
        return is_method and effects.is_hook(getattr(function, "name", ""))

    @cached_property
    def _makers(self) -> dict[ast.AST, list[ast.AST]]:
        """Where instances of each class are made, also those of classes that derive from it."""
        found: dict[ast.AST, list[ast.AST]] = {}
        for node in self._nodes:
            if isinstance(node, ast.Call):
                for cls in self._program.classes(node.func).nodes:
                    for each in self._family(cls):
                        found.setdefault(each, []).append(node)
        return found

    def _family(self, cls: ast.AST) -> Iterator[ast.AST]:
        waiting, seen = [cls], {cls}
        while waiting:
            each = waiting.pop()
            yield each
            for base in getattr(each, "bases", ()):
                more = [c for c in self._program.classes(base).nodes if c not in seen]
                seen.update(more)
                waiting += more


def _is_function(node: ast.AST) -> bool:
    return isinstance(node, FUNCTIONS)


def _is_read(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Load)


def _common(sets: Iterable[frozenset[int]]) -> frozenset[int]:
    return ALL.intersection(*sets)
