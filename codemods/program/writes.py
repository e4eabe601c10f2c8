"""What is written into objects: values that are put in, and calls that change them in place.

`weights[0] = a`, `random.shuffle(a)`, `table.clip(0, 1, inplace=True)`: whoever reads the object
later sees that. An object is what a node creates, wherever it goes from there.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Union

from .core import Core
from .creations import Creations
from .edges import Edge
from .origins import Call
from .stored_values import ways_back
from .things import Box, Library

RECEIVER = "receiver"
WRITTEN = "written into"  # the key of a node: what is written into the object at another node
Place = Union[int, str]


class Writes:
    """The nodes that are written into objects, found once for a program."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._values: dict[int, list[int]] = defaultdict(list)
        self._ways_on: dict[int, list[int]] = defaultdict(list)
        self._boxes: set[int] = set()  # where the elements of containers are that are changed
        for base, value, conditions in [*core.puts, *self._changes()]:
            self._write(base, value, conditions)
        self._leading = ways_back(core, list(self._values), self._ways_on)

    def into(self, n: int) -> Sequence[int]:
        """The nodes that count for the value at a node beside those that it comes from."""
        core, key = self._core, self._core.keys[n]
        if isinstance(key, tuple) and key[0] == WRITTEN:
            ways = (core.node((WRITTEN, m)) for m in self._ways_on.get(key[1], ()))
            return [*self._values.get(key[1], ()), *ways]
        is_field = isinstance(key, tuple) and key[1:2] == ("field",)
        if n in self._boxes or (n in self._leading and (is_field or core.origins[n])):
            return [core.node((WRITTEN, n))]
        return ()

    def _write(self, base: int, value: int, conditions: tuple[int, ...]) -> None:
        """Note what is written into the object at a node, and into the elements of containers."""
        core = self._core
        write = core.place(("write", base, value))
        core.note(value, write, Edge.COMPUTED)
        core.decide(conditions, write)
        boxes = [thing.rest for thing in core.things[base] if isinstance(thing, Box)]
        self._boxes.update(boxes)
        for n in (base, *boxes):
            self._values[n].append(write)

    def _changes(self) -> Iterator[tuple[int, int, tuple[int, ...]]]:
        """What calls change, the call, and what decides whether it is made."""
        for call in list(self._core.sites.values()):
            node = call.node
            if not isinstance(node, ast.Call):
                continue
            for place in self._changed(call, node):
                n = self._at(call, node, place)
                if n is not None:
                    yield n, call.result, call.conditions

    def _at(self, call: Call, node: ast.Call, place: Place) -> int | None:
        """The node of an argument or of the object whose method is called."""
        if place == RECEIVER:
            func = node.func
            return self._core.node(func.value) if isinstance(func, ast.Attribute) else None
        return call.argument(place) if isinstance(place, int) else call.keywords.get(place)

    def _changed(self, call: Call, node: ast.Call) -> set[Place]:
        """The places that the library names for what a call may run."""
        core, on = self._core, [k.arg for k in node.keywords if k.arg and not _is_off(k.value)]
        names = [t.name for t in core.things[call.func] if isinstance(t, Library)]
        if not names and isinstance(node.func, ast.Attribute):
            method = "." + node.func.attr
            return set(core.questions.changes(method, on, self._makers(method, node.func.value)))
        return {place for name in names for place in core.questions.changes(name, on, [])}

    def _makers(self, method: str, receiver: ast.expr) -> list[str]:
        """The names of what makes the object of a method, if its name alone says nothing."""
        if not self._core.questions.depends_on_maker(method):
            return []
        made = Creations(self._core, receiver).nodes
        origins = (o for node in made for o in self._core.origins[self._core.node(node)] or ())
        return [origin.name for origin in origins if isinstance(origin.name, str)]


def _is_off(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and not value.value
