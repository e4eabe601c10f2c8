"""The places of one rule: which edits are due at a node, and which of them were made."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Callable

from ..syntax.source import Unmade
from .kinds import At, Edit

if TYPE_CHECKING:
    from ..syntax import LN, Capture

    Filter = Callable[[LN, Capture, str], bool]


class Places:
    """Where one rule edits one tree, and how; nodes are compared by identity.

    Edits of one kind at one place are made in the order given, those of different kinds in that of
    the links. The same edit given twice is one edit. Raises Unmade if two want the same of a place,
    each with other nodes along.
    """

    def __init__(self, edits: Iterable[At]) -> None:
        self._edits = _each_once(edits)
        self._last: At | None = None
        self._nodes: Mapping[ast.AST, LN] = {}
        self._due: dict[int, list[At]] = {}

    @property
    def edits(self) -> tuple[At, ...]:
        """The edits, in the order given."""
        return self._edits

    @property
    def nodes(self) -> tuple[ast.AST, ...]:
        """Every node that is edited or taken along, each once."""
        return tuple(dict.fromkeys(node for at in self._edits for node in (at.place, *at.along)))

    def __len__(self) -> int:
        return len(self._edits)

    def resolve(self, nodes: Mapping[ast.AST, LN]) -> None:
        """Take the concrete node of every place; they must come from before the first edit."""
        self._nodes = {place: nodes[place] for place in self.nodes}
        seen: dict[int, ast.AST] = {}
        for place, node in self._nodes.items():
            if seen.setdefault(id(node), place) is not place:
                raise Unmade("a statement and its expression are the same place: choose one", place)
        for at in self._edits:
            self._due.setdefault(id(nodes[at.place]), []).append(at)

    def node(self, place: ast.AST) -> LN:
        """The concrete node of a place."""
        return self._nodes[place]

    def each(self, kind: type[Edit]) -> Filter:
        """A filter for Bowler: whether edits of a kind are due at a node; it hands them on."""

        def is_due(node: LN, capture: Capture, filename: str) -> bool:
            due = self._due.get(id(node))
            if not due or all(type(at.edit) is not kind for at in due):
                return False
            capture["edits"] = self._hand_out(node, kind)
            return True

        is_due.__name__ = kind.__name__
        return is_due

    def _hand_out(self, node: LN, kind: type[Edit]) -> Iterator[tuple[Edit, list[LN]]]:
        """The edits of a kind with the nodes along; what was handed out is no longer due."""
        due = self._due[id(node)]
        for at in [at for at in due if type(at.edit) is kind]:
            due[:] = [other for other in due if other is not at]
            self._last = at
            yield at.edit, [self._nodes[other] for other in at.along]

    @property
    def line(self) -> int:
        """The line in the original of the edit that was handed out last; of the first before."""
        return _line((self._last or self._edits[0]).place)

    def __iter__(self) -> Iterator[tuple[int, LN]]:
        """The concrete nodes, with their lines in the original."""
        return ((_line(place), node) for place, node in self._nodes.items())

    def kinds(self) -> set[str]:
        """The kinds of the edits that are still due, by the names of their filters."""
        return {type(at.edit).__name__ for edits in self._due.values() for at in edits}

    def left(self) -> list[tuple[int, LN]]:
        """The places at which edits are still due, as above."""
        due = {id(at) for edits in self._due.values() for at in edits}
        return [(_line(at.place), self._nodes[at.place]) for at in self._edits if id(at) in due]


def _each_once(edits: Iterable[At]) -> tuple[At, ...]:
    found: dict[tuple[ast.AST, type[Edit], Edit], At] = {}
    for at in edits:
        if found.setdefault((at.place, type(at.edit), at.edit), at).along != at.along:
            raise Unmade("two changes of one kind are due at one place", at.place)
    return tuple(found.values())


def _line(place: ast.AST) -> int:
    line: Any = getattr(place, "lineno", 1)
    return int(line)
