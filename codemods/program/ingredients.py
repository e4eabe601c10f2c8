"""What a value is made from: all that flows into it, is computed into it, or is put into it.

`origins` says what a value is; this goes on behind calls and containers of outside code, which may
hold on to whatever they get: `copy(a)`, `box.a = a`, `boxes[0].append(a)`, `model.compile(a)`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Callable, Optional

from .core import Core
from .edges import VALUE, Edge
from .held_attributes import WHICH, HeldAttributes
from .node_fields import nodes_in
from .stored_values import StoredValues
from .things import Bound, Function
from .versions import Path

Until = Optional[Callable[[ast.AST], bool]]
_MADE = (VALUE | Edge.COMPUTED)._value_
# Keys of nodes, so that each is looked for once: what the functions give that come to a node, and
# what is put into the object that comes there, what says which one it is.
_GIVEN = "given by"
_PUT_IN = "put in"
_WITH_PARTS = (ast.expr, ast.keyword)
MOST_KEPT = 1_000_000  # syntax in what is told again


class Ingredients:
    """The ways back from values of one program."""

    def __init__(self, core: Core) -> None:
        self._core, self._held = core, HeldAttributes(core)
        self._grown = 0  # how far the graph had grown when the links below were found
        self._links: dict[bool, dict[int, list[int]]] = {}
        self._told: dict[tuple[int, Until], list[ast.AST]] = {}
        self._kept_nodes = 0

    def told(self, n: int, until: Until) -> Iterator[ast.AST]:
        """The syntax on the ways back from a node, with parts; kept once somebody has had it all.

        The same is asked of the same value by many, and it may be most of a program.
        """
        self._known_links(True)  # forgets what was told before the graph has grown
        known = self._told.get((n, until))
        return self._keeping(n, until) if known is None else iter(known)

    def _keeping(self, n: int, until: Until) -> Iterator[ast.AST]:
        found, growth = list[ast.AST](), self._core.growth
        for node in self.of([n], until, with_parts=True):
            found.append(node)
            yield node
        if self._core.growth == growth == self._grown:
            self._kept_nodes += len(found)
            if self._kept_nodes > MOST_KEPT:
                self._told, self._kept_nodes = {}, len(found)
            self._told[n, until] = found

    def of(
        self,
        starts: Iterable[int],
        until: Until = None,
        with_parts: bool = False,
        seen: set[int] | None = None,
    ) -> Iterator[ast.AST]:
        """The syntax on the ways back from nodes, each once; a way ends where `until` says yes.

        With parts, all of an expression counts, also what a function of the project gets to see
        and never gives back. Nodes of `seen` are passed over, and those that are reached added.
        """
        core, waiting = self._core, list(starts)
        keys, known = core.keys, self._known_links(with_parts)
        seen = set() if seen is None else seen
        while waiting:
            n = waiting.pop()
            if n in seen:
                continue
            seen.add(n)
            core.count()
            key = keys[n]
            if isinstance(key, ast.AST):
                yield key
                if until is not None and until(key):
                    continue
                known = self._known_links(with_parts)  # the graph may have grown meanwhile
            behind = known.get(n)
            waiting += self.links(n, with_parts) if behind is None else behind

    def links(self, n: int, with_parts: bool = True) -> list[int]:
        """Where one step back leads from a node."""
        known = self._known_links(with_parts)  # whoever asks may let the graph grow meanwhile
        if n not in known:
            known[n] = self._found_links(n, with_parts)
        return known[n]

    def _known_links(self, with_parts: bool) -> dict[int, list[int]]:
        """Where one step leads from nodes: the same ways are gone for many values."""
        if self._grown != self._core.growth:
            self._links, self._grown = {}, self._core.growth
            self._told, self._kept_nodes = {}, 0
        return self._links.setdefault(with_parts, {})

    def part(self, n: int, path: Path) -> int:
        """The node of a part of a value, which nobody may have read before."""
        for step in path:
            n = self._core.load(n, step)
        self._core.solve()
        return n

    def _found_links(self, n: int, with_parts: bool) -> list[int]:
        key = self._core.keys[n]
        if isinstance(key, tuple) and key[0] == _GIVEN:
            return list(self._given(key[1]))
        if isinstance(key, tuple) and key[0] == _PUT_IN:
            return list(self._put_in(key[1]))
        if isinstance(key, tuple) and key[0] == WHICH:
            return list(self._held.which(key[1]))
        found = [*self._parts(key)] if with_parts and isinstance(key, _WITH_PARTS) else []
        found += [source for label, source in self._core.sources[n] if label & _MADE]
        left_out = ("func", "receiver") if self._held.calls_one(key) else ("func",)
        for origin in self._core.origins[n] or ():
            found += [m for label, m in origin.operands if label not in left_out]
        if self._is_holder(n):
            found.append(self._core.node((_PUT_IN, n)))
        return found

    def puts(self, n: int) -> Sequence[int]:
        """What is put into an object of outside code that a node creates: `weights[0] = a`."""
        kept, seen, waiting = self._kept, {n}, [n] if self._is_holder(n) else []
        found: dict[int, None] = {}
        while waiting:
            n = waiting.pop()
            found.update(dict.fromkeys(kept.values.get(n, ())))
            further = [m for m in kept.ways_on.get(n, ()) if m not in seen]
            seen.update(further)
            waiting += further
        return list(found)

    def _put_in(self, n: int) -> Iterator[int]:
        """What is put into the object that comes to a node, there or where it goes from there."""
        yield from self._kept.values.get(n, ())
        yield from (self._core.node((_PUT_IN, m)) for m in self._kept.ways_on.get(n, ()))

    def _parts(self, key: ast.AST) -> Iterator[int]:
        if isinstance(key, ast.Attribute) and self._held.is_one(key):
            yield self._core.node((WHICH, self._core.node(key.value)))
            return
        for child in reversed(nodes_in(key)):
            if isinstance(child, _WITH_PARTS):
                yield self._core.node(child)
        if isinstance(key, ast.Call):
            yield self._core.node((_GIVEN, self._core.node(key.func)))

    def _given(self, n: int) -> Iterator[int]:
        """What the functions that come to a node give, also those that outside code wraps."""
        core, key = self._core, self._core.keys[n]
        for thing in core.things[n]:
            function = thing.function if isinstance(thing, Bound) else thing
            if isinstance(function, Function):
                yield core.result(function)
        back = [m for label, m in core.sources[n] if label & VALUE._value_]
        if isinstance(key, (ast.FunctionDef, ast.AsyncFunctionDef)) and (key, "plain") in core.ids:
            back.append(core.node((key, "plain")))
        yield from (core.node((_GIVEN, m)) for m in back)

    def _is_holder(self, n: int) -> bool:
        """Whether something is put into what a node creates, or into `self.a`, whatever it is."""
        if n not in self._kept.leading:
            return False
        key = self._core.keys[n]
        return bool(self._core.origins[n]) or (isinstance(key, tuple) and key[1:2] == ("field",))

    @cached_property
    def _kept(self) -> StoredValues:
        return StoredValues(self._core)
