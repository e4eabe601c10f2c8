"""What is put into objects of outside code, and on which ways these get there."""

from __future__ import annotations

from collections import defaultdict

from .core import Core
from .edges import VALUE
from .origins import Kind


class StoredValues:
    """`values`: what is put into the object that comes to a node; `leading`: all nodes from which
    an object comes to one of these, and `ways_on`: where it goes from there.
    """

    def __init__(self, core: Core) -> None:
        self.values: dict[int, list[int]] = defaultdict(list)
        self.ways_on: dict[int, list[int]] = defaultdict(list)
        for base, value, _ in core.puts:
            self.values[base].append(value)
        self.leading = ways_back(core, list(self.values), self.ways_on)


def ways_back(core: Core, waiting: list[int], ways_on: dict[int, list[int]]) -> set[int]:
    """All nodes from which an object comes to those that wait; `ways_on` gets the ways there."""
    leading = set(waiting)
    while waiting:
        n = waiting.pop()
        core.count()
        for m in _back(core, n):
            ways_on[m].append(n)
            if m not in leading:
                leading.add(m)
                waiting.append(m)
    return leading


def _back(core: Core, n: int) -> list[int]:
    """Where a value comes from as it is, and what it is an element of."""
    found = [m for label, m in core.sources[n] if label & VALUE._value_]
    for origin in core.origins[n] or ():
        is_attribute = isinstance(origin.name, tuple) and origin.name[0] == "."
        if origin.kind in (Kind.MEMBER, Kind.UNKNOWN) and not is_attribute:
            found += [m for label, m in origin.operands if label == "of"]
    return found
