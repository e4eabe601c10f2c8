"""What variables hold where a statement begins."""

from __future__ import annotations

import ast
from bisect import bisect_left

from .record import Place, Record
from .state import Key
from .versions import UNBOUND, Version

History = dict[Key, tuple[list[int], list[Version]]]


class Holding:
    """Answers for one module; what a frame binds, and takes back behind a branch, is logged."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._histories: dict[int, History] = {}

    def at(self, statement: ast.stmt, name: str) -> Version | None:
        """The version that a name stands for there; None if other code may bind it meanwhile."""
        place = self._record.places.get(statement)
        owner = None if place is None else place.scope.find(name)
        if place is None or owner is None or name in owner.shared:
            return None
        if isinstance(owner.node, ast.ClassDef):  # what it has not bound yet, the module may have
            return None
        key, frame = (owner, name), place.scope.frame
        if owner.frame is not frame:
            return self._record.outer.entry(frame, key) or self._record.cell(key)
        return self._last(place, key)

    def _last(self, place: Place, key: Key) -> Version:
        """What a variable was bound to last before a statement was reached."""
        positions, versions = self._history(place).get(key, ([], []))
        number = bisect_left(positions, place.length)
        return versions[number - 1] if number else UNBOUND

    def _history(self, place: Place) -> History:
        found = self._histories.get(id(place.log))
        if found is None:
            found = self._histories[id(place.log)] = {}
            for position, (key, version) in enumerate(place.log):
                positions, versions = found.setdefault(key, ([], []))
                positions.append(position)
                versions.append(version)
        return found
