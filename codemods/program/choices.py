"""Versions that things decide about: where `with` may swallow an exception, a call not return."""

from __future__ import annotations

import ast

from .branches import is_false, is_true
from .classes import Classes
from .core import Core
from .edges import Edge
from .node_fields import within
from .parts import FUNCTIONS
from .things import OPAQUE, Box, Instance, Library, Thing
from .variables import Variables
from .versions import Version

_TRIES: tuple[type[ast.Try], ...] = (ast.Try, getattr(ast, "TryStar", ast.Try))
_AROUND: tuple[type[ast.Try | ast.With | ast.AsyncWith], ...] = (
    *_TRIES,
    ast.With,
    ast.AsyncWith,
)
_LEAVING = (ast.Return, ast.Break, ast.Continue)


class Choices:
    """The rows of versions that wait for things."""

    def __init__(self, core: Core, classes: Classes, variables: Variables) -> None:
        self._core, self._classes, self._variables = core, classes, variables
        variables.choose.update(
            {
                "swallow": self._swallow,
                "true": self._true,
                "false": self._false,
                "returns": self._returns,
                "imported": self._imported,
            }
        )

    def _swallow(self, version: Version, n: int) -> None:
        """The first is sure; the others count where a context manager may end an exception."""
        core, args = self._core, version.args or []
        for argument in args[:1]:
            core.edge(core.node(argument), n, Edge.CHOICE)
        for context in version.tests:
            core.watch(core.node(context), self._swallows, version, n, context)

    def _swallows(self, thing: Thing, version: Version, n: int, context: ast.AST) -> None:
        if self._is_harmless(thing, context):
            return
        for argument in (version.args or [])[1:]:
            self._core.edge(self._core.node(argument), n, Edge.CHOICE)
        self._core.decide((self._variables.exception(context),), n)

    def _is_harmless(self, thing: Thing, context: ast.AST) -> bool:
        if isinstance(thing, Instance):
            return self._never_true(thing)
        if thing is OPAQUE:
            return self._is_quiet(context)
        return isinstance(thing, Box) and thing.kind == "generator" and self._hands_on(thing)

    def _hands_on(self, thing: Box) -> bool:
        """Whether a generator that is a context manager lets what is raised at its `yield` go."""
        function = thing.origin[0] if isinstance(thing.origin, tuple) else None
        found = within(function) if isinstance(function, FUNCTIONS) else ()
        return all(self._lets_go(node) for node in found if _is_around_yield(node))

    def _lets_go(self, node: ast.AST) -> bool:
        if isinstance(node, (ast.With, ast.AsyncWith)):
            return all(self._is_quiet(item.context_expr) for item in node.items)
        assert isinstance(node, _TRIES)
        behind = [*node.finalbody, *(s for handler in node.handlers for s in handler.body)]
        if any(isinstance(inner, _LEAVING) for s in behind for inner in within(s)):
            return False  # `finally: return` swallows, and so may a handler that leaves early
        return all(isinstance(handler.body[-1], ast.Raise) for handler in node.handlers)

    def _never_true(self, thing: Instance) -> bool:
        """Whether `__exit__` is of the class itself and returns nothing."""
        method = self._classes.in_class(thing.cls, "__exit__")
        if method is None:
            return False
        nodes = [t for t in thing.cls.node.body if getattr(t, "name", "") == "__exit__"]
        returns = (r for m in nodes for r in within(m) if isinstance(r, ast.Return))
        return not any(r.value is not None for r in returns)

    def _is_quiet(self, context: ast.AST) -> bool:
        """Whether the library says that the context manager lets exceptions through."""
        func = context.func if isinstance(context, ast.Call) else None
        if func is None:
            return False
        things = self._core.things[self._core.node(func)]
        names = [t.name for t in things if isinstance(t, Library)]
        if isinstance(func, ast.Attribute) and not names:
            names = ["." + func.attr]
        return bool(names) and not any(map(self._core.questions.swallows, names))

    def _true(self, version: Version, n: int) -> None:
        if not is_false(version.tests[0]):
            self._let(version, n)

    def _false(self, version: Version, n: int) -> None:
        if not is_true(version.tests[0]):
            self._let(version, n)

    def _returns(self, version: Version, n: int) -> None:
        """Only where the call may return."""
        call = version.tests[0]
        assert isinstance(call, ast.Call)
        self._core.watch(self._core.node(call.func), self._returned, version, n)

    def _returned(self, thing: Thing, version: Version, n: int) -> None:
        is_last = isinstance(thing, Library) and self._core.questions.never_returns(thing.name)
        if not is_last:
            self._let(version, n)

    def _imported(self, version: Version, n: int) -> None:
        """Only where a function is called from another module, or from outside of the project."""
        place = self._core.place(("called from elsewhere", version.node))
        self._core.watch(place, self._called, version, n)

    def _called(self, thing: Thing, version: Version, n: int) -> None:
        self._let(version, n)

    def _let(self, version: Version, n: int) -> None:
        for argument in version.args or ():
            self._core.edge(self._core.node(argument), n, Edge.ALIAS)


def _is_around_yield(node: ast.AST) -> bool:
    """A `try` or `with` in whose body something is yielded."""
    if not isinstance(node, _AROUND):
        return False
    inner = (n for statement in node.body for n in within(statement))
    return any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in inner)
