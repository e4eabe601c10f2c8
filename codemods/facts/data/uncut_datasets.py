"""The datasets of which something that nobody can follow may need all elements."""

from __future__ import annotations

import ast

from .links import ANY, Found
from .stages import Way


class UncutDatasets:
    """What must stay as it is; nothing behind a source may be cut where its ways are lost."""

    def __init__(self) -> None:
        self._exprs: set[ast.expr | None] = set()
        self._sources: set[ast.AST] = set()

    def add(self, found: Found) -> None:
        """Keep the datasets on all ways to a value."""
        self._sources |= found.lost
        for link in found.links:
            self._exprs.update(each.expr for each in link.back())

    def has(self, expr: ast.expr, way: Way) -> bool:
        """Whether a dataset on this way has to stay as it is."""
        return expr in self._exprs or way[0].expr in self._sources or ANY in self._sources
