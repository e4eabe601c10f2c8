"""What a value is made from: all that flows into it, is computed into it, or is put into it.

`origins` says what a value is; this goes on behind calls and containers of outside code, which may
hold on to whatever they get: `copy(a)`, `box.a = a`, `boxes[0].append(a)`, `model.compile(a)`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Callable, Optional

from .core import Core
from .edges import VALUE, Edge
from .node_fields import nodes_in
from .origins import Kind
from .things import Bound, Function
from .versions import Path

Until = Optional[Callable[[ast.AST], bool]]
_MADE = (VALUE | Edge.COMPUTED)._value_


class Ingredients:
    """The ways back from values of one program."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._known: dict[int, list[int]] | None = None
        self._grown = 0  # how far the graph had grown when the links below were found
        self._links: dict[bool, dict[int, list[int]]] = {}

    def of(self, n: int, until: Until = None, with_parts: bool = False) -> Iterator[ast.AST]:
        """The syntax on the ways back from a node, each once; a way ends where `until` says yes.

        With parts, all of an expression counts, also what a function of the project gets to see
        and never gives back.
        """
        core, seen, waiting = self._core, set(), [n]
        while waiting:
            n = waiting.pop()
            if n in seen:
                continue
            seen.add(n)
            core.count()
            key = core.keys[n]
            if isinstance(key, ast.AST):
                yield key
                if until is not None and until(key):
                    continue
            known = self._known_links(with_parts)  # whoever asks may let the graph grow meanwhile
            if n not in known:
                known[n] = [*(self._parts(key) if with_parts else ()), *self._behind(n)]
            waiting += known[n]

    def _known_links(self, with_parts: bool) -> dict[int, list[int]]:
        """Where one step leads from nodes: the same ways are gone for many values."""
        if self._grown != self._core.growth:
            self._links, self._grown = {}, self._core.growth
        return self._links.setdefault(with_parts, {})

    def part(self, n: int, path: Path) -> int:
        """The node of a part of a value, which nobody may have read before."""
        for step in path:
            n = self._core.load(n, step)
        self._core.solve()
        return n

    def _behind(self, n: int) -> Iterator[int]:
        core = self._core
        yield from (source for label, source in core.sources[n] if label & _MADE)
        for origin in core.origins[n] or ():
            yield from (m for label, m in origin.operands if label != "func")
        yield from self.puts(n)

    def puts(self, n: int) -> Sequence[int]:
        """What is put into an object of outside code that a node creates: `weights[0] = a`."""
        return self._puts.get(n, ())

    def _parts(self, key: object) -> Iterator[int]:
        if isinstance(key, (ast.expr, ast.keyword)):
            for child in reversed(nodes_in(key)):
                if isinstance(child, (ast.expr, ast.keyword)):
                    yield self._core.node(child)
        if isinstance(key, ast.Call):
            yield from self._results(self._core.node(key.func))

    def _results(self, func: int) -> Iterator[int]:
        """What functions give that an outside decorator wraps."""
        core = self._core
        for n in self._back(func, self._undecorated):
            for thing in core.things[n]:
                function = thing.function if isinstance(thing, Bound) else thing
                if isinstance(function, Function):
                    yield core.result(function)

    def _undecorated(self, n: int) -> list[int]:
        core, key = self._core, self._core.keys[n]
        is_function = isinstance(key, (ast.FunctionDef, ast.AsyncFunctionDef))
        return [core.node((key, "plain"))] if is_function and (key, "plain") in core.ids else []

    def _back(self, n: int, further: Callable[[int], list[int]]) -> Iterator[int]:
        """The nodes from which a value comes as it is, and where more steps lead from each."""
        core, seen, waiting = self._core, set(), [n]
        while waiting:
            n = waiting.pop()
            if n not in seen:
                seen.add(n)
                core.count()
                yield n
                waiting += [m for label, m in core.sources[n] if label & VALUE._value_]
                waiting += further(n)

    @property
    def _puts(self) -> dict[int, list[int]]:
        """What is put into each object of outside code, by the node that creates the object."""
        if self._known is None:
            self._known = {}
            for base, value in self._core.puts:
                for holder in self._holders(base):
                    self._known.setdefault(holder, []).append(value)
        return self._known

    def _holders(self, base: int) -> Iterator[int]:
        """Where an object is created, or what it is an element of."""
        core = self._core
        for n in self._back(base, self._wholes):
            key = core.keys[n]
            is_field = isinstance(key, tuple) and key[1:2] == ("field",)
            if is_field or core.origins[n]:  # `self.a`, whatever stands there
                yield n

    def _wholes(self, n: int) -> list[int]:
        """What a node is an element of."""
        found = []
        for origin in self._core.origins[n] or ():
            is_attribute = isinstance(origin.name, tuple) and origin.name[0] == "."
            if origin.kind in (Kind.MEMBER, Kind.UNKNOWN) and not is_attribute:
                found += [m for label, m in origin.operands if label == "of"]
        return found
