"""Places of rules in a program of several files, sorted by the file in which they stand."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from ..applying.places_to_edit import Found
from ..edits import At, Places
from ..facts import Facts
from ..model import Options
from ..program.node_fields import within
from ..syntax import Source
from .joined import Joined


class Apart(ValueError):
    """An edit takes statements of two files along."""


class ByFile:
    """The rules with their places in each file, on trees of the files alone."""

    def __init__(self, joined: Joined, options: Options) -> None:
        self._joined, self._options = joined, options
        self._nodes: dict[str, Mapping[ast.AST, ast.AST]] = {}
        self.facts: dict[str, Facts] = {}

    def sorted(self, found: Iterable[Found]) -> dict[str, list[Found]]:
        """The rules that change something in each file. Raises Apart."""
        every: dict[str, list[Found]] = {}
        for rule, places in found:
            edits: dict[str, list[At]] = {}
            for at in places.edits:
                edits.setdefault(self._path(at), []).append(self._alone(at))
            for path, own in edits.items():
                every.setdefault(path, []).append((rule, Places(own)))
        return every

    def _path(self, at: At) -> str:
        paths = {self.path(node) for node in (at.place, *at.along)}
        if len(paths) > 1:
            raise Apart(", ".join(sorted(paths)))
        return paths.pop()

    def own(self, path: str) -> Facts:
        """What is known of a file alone."""
        self._in(path)
        return self.facts[path]

    def path(self, node: ast.AST) -> str:
        """The file in which a node stands."""
        line = getattr(node, "lineno", 0)
        return self._joined.piece(line).path if line else self._joined.entry.path

    def _alone(self, at: At) -> At:
        nodes = self._in(self.path(at.place))
        if not nodes.keys() >= {at.place, *at.along}:
            raise Apart("what starts the program")
        return at._replace(place=nodes[at.place], along=tuple(nodes[node] for node in at.along))

    def _in(self, path: str) -> Mapping[ast.AST, ast.AST]:
        """The nodes of a file by those of the program."""
        if path not in self._nodes:
            file = self._joined.file(path)
            facts = self.facts[path] = Facts(Source(self._joined.texts[path]), self._options)
            own = (node for node in file.nodes if node not in self._joined.calls)
            nodes = dict(zip(own, within(facts.module)))
            nodes.update({new: nodes[old] for new, old in file.stands_for.items()})
            self._nodes[path] = nodes
        return self._nodes[path]
