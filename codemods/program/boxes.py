"""Containers: their parts by key, copies that see the parts of what was copied, stores."""

from __future__ import annotations

import ast
from collections.abc import Hashable
from typing import Any, Callable

from .core import AWAIT, NEXT, SLICE, Core, Load, Store
from .edges import Edge
from .keys import KEYED, add_key, is_by_default, key_of, known_key, known_numbers
from .origins import Call, Kind, Origin
from .sizes import RESIZING, resize, sized
from .things import Box, Key, Library, Method, Thing
from .versions import EACH, ENTER

MethodRule = Callable[[Core, Box, Call], None]


def box(core: Core, origin: Hashable, kind: str, length: int | None = None) -> Box:
    """A new container; one for each place that makes one."""
    known = core.boxes.get(origin)
    if known is None:
        rest, every = core.place(("rest", origin)), core.place(("all", origin))
        core.edge(rest, every, Edge.ELEMENT)
        size = core.place(("size", origin))
        keys = core.place(("keys", origin)) if kind == "dict" else None
        known = core.boxes[origin] = Box(origin, kind, rest, every, size, length, keys)
    return known


def part(core: Core, owner: Box, key: Key) -> int:
    """The node of what is stored at a key."""
    found = owner.fields.get(key)
    if found is None:
        found = owner.fields[key] = core.place(("field", owner.origin, key))
        core.edge(owner.rest, found, Edge.ELEMENT)
        core.edge(found, owner.all, Edge.ELEMENT)
    return found


def read(core: Core, owner: Box, key: Key) -> int:
    """The node of what a key may give: also what the copied containers hold there."""
    waiting = [owner]
    while waiting:
        each = waiting.pop()
        if key not in each.read and key not in each.hidden:
            each.read.add(key)
            for parent in each.parents:
                core.edge(part(core, parent, key), part(core, each, key), Edge.ELEMENT)
            waiting += each.parents
    return part(core, owner, key)


def chosen(thing: Thing, core: Core, key: int, target: int) -> None:
    """Let a key that nobody knows decide which part of a container is read."""
    if isinstance(thing, Box):
        core.decide((key,), target)
    elif isinstance(thing, Library) and thing.name == "os.environ":
        core.note(key, target, Edge.COMPUTED)


def inherit(core: Core, child: Box, parent: Box) -> None:
    """Let a container hold whatever another one holds at the same keys."""
    if parent in child.parents or parent is child:
        return
    child.parents.append(parent)
    core.edge(parent.rest, child.rest, Edge.ELEMENT)
    core.edge(parent.all, child.all, Edge.ELEMENT)
    core.note(parent.size, child.size, Edge.CONDITION)
    add_key(core, child, parent.keys)
    for key in list(child.read):
        core.edge(read(core, parent, key), part(core, child, key), Edge.ELEMENT)


def mix(core: Core, owner: Box) -> None:
    """Let any element be at any place: numbers have changed."""
    if owner.kind not in KEYED:
        core.edge(owner.all, owner.rest, Edge.ELEMENT)


class Boxes:
    """The rows of containers and their methods."""

    def __init__(self, core: Core, methods: dict[str, MethodRule]) -> None:
        self._core, self._methods = core, methods
        self._absent: list[Load] = []
        core.loads[Box] = self.load
        core.stores[Box] = self.store
        core.escapes[Box] = self.escape
        core.calls[Method] = self.call

    def load(self, owner: Box, step: Load) -> None:
        """Read a part of a container."""
        what = step.step
        if isinstance(what, tuple) and what[0] == ".":
            self._attribute(owner, what[1], step)
        elif isinstance(what, tuple) and what[0] == "[":
            self._item(owner, what[1], step.target)
        elif what in (EACH, NEXT) or isinstance(what, int):
            self._element(owner, what, step.target)
        elif what == AWAIT and owner.kind != "coroutine":
            self._core.member(step)
        elif what in (ENTER, AWAIT):
            self._core.edge(owner.all, step.target, Edge.ELEMENT)
        else:
            self._several(owner, what, step.target)

    def _attribute(self, owner: Box, name: str, step: Load) -> None:
        is_method = owner.length is not None and name.startswith("_")  # of a named tuple
        if owner.kind == "record" and not is_method:
            self._core.edge(read(self._core, owner, name), step.target, Edge.ATTRIBUTE)
            if owner.length is None:
                self._absent.append(step)
        else:
            method = owner.methods.setdefault(name, Method(owner, name))
            self._core.hold(step.target, method)

    def _item(self, owner: Box, key: Any, target: int) -> None:
        known = known_key(owner, key)
        syntax = self._core.keys[target]
        if is_by_default(owner) and isinstance(syntax, ast.Subscript):
            add_key(self._core, owner, self._core.node(syntax.slice))
        source = owner.all if known is None else read(self._core, owner, known)
        self._core.edge(source, target, Edge.PART)

    def _element(self, owner: Box, what: Any, target: int) -> None:
        if owner.kind == "dict":
            made = owner.origin if isinstance(owner.origin, ast.AST) else None
            self._core.create(target, key_of(owner, made))
        elif isinstance(what, int):
            self._item(owner, what, target)
        else:
            self._core.edge(owner.all, target, Edge.ELEMENT)

    def _several(self, owner: Box, what: Any, target: int) -> None:
        """A slice, or the starred part of an unpacking: one container for each length."""
        core = self._core
        numbers = known_numbers(owner, what, core.keys[target])
        if numbers is None:
            found = box(core, ("several", target), "list")
            core.edge(owner.all, found.rest, Edge.ELEMENT)
        else:
            found = box(core, ("several", target, owner.length), "list", len(numbers))
            for number, key in enumerate(numbers):
                core.edge(read(core, owner, key), part(core, found, number), Edge.PART)
            core.edge(owner.rest, found.rest, Edge.ELEMENT)
        core.note(owner.size, found.size, Edge.CONDITION)
        core.hold(target, found)

    def store(self, owner: Box, store: Store) -> None:
        """Put a value into a container."""
        core, what = self._core, store.step
        if what == SLICE:  # `s[:] = other`: its elements, at any number
            mix(core, owner)
            core.put(core.load(store.value, EACH), owner.rest, Edge.STORED, store.conditions)
            core.decide(store.conditions, owner.size)
            sized(core, owner, store.value)
            return
        if owner.kind == "dict":
            core.decide(store.conditions, owner.size)
            add_key(core, owner, store.key)
        key = known_key(owner, what[1])
        place = owner.rest if key is None else part(core, owner, key)
        core.put(store.value, place, Edge.STORED, store.conditions)

    def escape(self, owner: Box, may_change: bool) -> None:
        """Outside code gets the elements, and may put in others."""
        self._core.hand_out(owner.all, may_change)
        if may_change:
            self._core.unknown(owner.rest)
            self._core.unknown(owner.size)
            if owner.keys is not None:
                self._core.unknown(owner.keys)

    def settle(self) -> bool:
        """Let attributes that nobody stores be those of the outside thing that keeps the others."""
        absent, self._absent = self._absent, []
        for load in absent:
            if not self._core.things[load.target]:
                self._core.member(load)
        return bool(absent)

    def call(self, method: Method, call: Call) -> None:
        """Call a method of a container."""
        rule = self._methods.get(method.name)
        if rule is not None:
            rule(self._core, method.box, call)
            if method.name in RESIZING:
                resize(self._core, method.box, call, method.name)
        else:
            operands = [("of", n) for n in (method.box.all, *call.values())]
            origin = Origin(Kind.COMPUTED, method.name, call.node, operands)
            self._core.create(call.result, origin)
