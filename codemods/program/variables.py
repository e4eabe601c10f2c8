"""The nodes of versions of variables: bindings and joins."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Callable, cast

from .core import Core
from .edges import Edge
from .origins import Kind, Origin
from .sizes import rounds
from .sources import Source
from .things import OPAQUE, UNKNOWN
from .versions import UNBOUND, Version

Import = Callable[[Source, ast.AST, ast.alias, int], None]


class Variables:
    """The nodes of versions, each with its edges."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._joined: set[int] = set()
        self.parameters: set[int] = set()
        self.iterables: set[ast.AST] = set()
        self.cells: list[tuple[Source, Version, int]] = []
        self.bind_import: Import
        self.choose: dict[str, Callable[[Version, int], None]] = {}

    def version(self, source: Source, version: Version) -> int:
        """The node of a version."""
        n = self._core.ids.get(version)
        if n is not None:
            return n
        waiting = [version]
        while waiting:
            each = waiting.pop()
            n = self._core.node(each)
            if n in self._joined:
                continue
            self._joined.add(n)
            if each.args is None:
                self._binding(source, each, n)
            else:
                self._core.origins[n] = self._core.origins[n] or []
                waiting += each.args
                self._choice(source, each, n)
        return self._core.ids[version]

    def _choice(self, source: Source, version: Version, n: int) -> None:
        if version.kind == "cell":
            self.cells.append((source, version, n))
        choose = self.choose.get(version.kind)
        if choose is not None:
            choose(version, n)
            return
        for argument in version.args or ():
            self._core.edge(self._core.node(argument), n, Edge.CHOICE)
        self._core.decide(self._deciding(version.tests), n)

    def _deciding(self, tests: Sequence[ast.AST]) -> tuple[int, ...]:
        """The nodes of tests; of several one, since all variables of a join share them."""
        if len(tests) < 2:
            return tuple(map(self.test, tests))
        place = self._core.place(("tests", id(tests)))
        if not self._core.sources[place]:
            self._core.decide(tuple(map(self.test, tests)), place)
        return (place,)

    def test(self, test: ast.AST) -> int:
        """The node of what decides: a test's value, how often a loop runs, whether it raises."""
        if test in self.iterables:
            return rounds(self._core, cast(ast.expr, test))
        return self._core.node(test) if isinstance(test, ast.expr) else self.exception(test)

    def exception(self, node: ast.AST) -> int:
        """The node of whether code of a statement raises."""
        n = self._core.ids.get(("exception", node))
        if n is None:
            n = self._core.node(("exception", node))
            self._core.create(n, Origin(Kind.EXCEPTION, node=node))
        return n

    def _binding(self, source: Source, version: Version, n: int) -> None:
        core = self._core
        if version is UNBOUND:
            core.origins[n] = []
        elif version.kind == "param" and version.node is not None:
            core.edge(core.node(version.node), n, Edge.ALIAS)
            self.parameters.add(core.node(version.node))
        elif version.kind == "import":
            assert isinstance(version.value, ast.alias)
            assert version.node is not None
            self.bind_import(source, version.node, version.value, n)
        elif version.kind == "except" or version.value is None:
            core.create(n, Origin(Kind.UNKNOWN), OPAQUE if version.kind == "except" else UNKNOWN)
        else:
            value = core.node(version.value)
            for step in version.path:
                value = core.load(value, step)
            core.edge(value, n, Edge.PART if version.path else Edge.ALIAS)
