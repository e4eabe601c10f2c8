"""Streams of numbers of chance that some workers draw from more often than others.

One seed makes the workers' numbers alike, until one of them draws once more: a look at a few
examples on rank 0, a picture. Whatever is drawn behind that is each worker's own.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property

from ..library.agreement import CHANCE, gives
from ..library.horovod_alone import RANKS, part
from ..library.names import normal
from ..library.seeds import SEEDS, stream
from ..program.node_fields import within
from .case import Case

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class Streams:
    """The draws of one program from the streams that a seed makes alike."""

    def __init__(self, case: Case) -> None:
        self._case, self._program = case, case.program
        self._by_rank = self._program.sought(self._is_rank)
        nodes = (n for source in case.after.values() for n in within(source.module))
        self._calls = [node for node in nodes if isinstance(node, ast.Call)]

    def moved_before(self, call: ast.Call) -> ast.Call | None:
        """The draw of some workers alone that stands before one of all workers, in one block."""
        for name in self.draws(call):
            for other in self._alone.get(name, ()):
                is_before = (other.lineno, other.col_offset) < (call.lineno, call.col_offset)
                if is_before and self._function(other) is self._function(call):
                    if not self._is_seeded_between(name, other, call):
                        return other
        return None

    def draws(self, call: ast.Call) -> set[str]:
        """The streams from which a call draws."""
        names = [normal(name) for name in self._program.names(call.func)]
        return {stream(name) for name in names if gives(name) == CHANCE}

    @cached_property
    def _alone(self) -> dict[str, list[ast.Call]]:
        """The draws under a test by rank, by their streams."""
        found: dict[str, list[ast.Call]] = {}
        for call in self._calls:
            for name in self.draws(call):
                if any(self._by_rank(test) for test in self._tests(call)):
                    found.setdefault(name, []).append(call)
        return found

    def _tests(self, node: ast.AST) -> Iterator[ast.expr]:
        """What decides in its function whether a node runs."""
        parents = self._case.parents
        while node in parents and not isinstance(node, _FUNCTIONS):
            inside, node = node, parents[node]
            if isinstance(node, (ast.If, ast.IfExp, ast.While)) and inside is not node.test:
                yield node.test

    def _is_seeded_between(self, name: str, first: ast.Call, last: ast.Call) -> bool:
        """Whether all workers seed the stream again before the second draw."""
        for call in self._calls:
            seeds = (SEEDS.get(normal(each), ()) for each in self._program.names(call.func))
            if any(name in each for each in seeds) and first.lineno < call.lineno <= last.lineno:
                if not any(self._by_rank(test) for test in self._tests(call)):
                    return True
        return False

    def _function(self, node: ast.AST) -> ast.AST | None:
        parents = self._case.parents
        while node in parents:
            node = parents[node]
            if isinstance(node, _FUNCTIONS):
                return node
        return None

    def _is_rank(self, node: ast.AST) -> bool:
        names = self._program.names(node.func) if isinstance(node, ast.Call) else ()
        return any(part(name) in RANKS for name in names)
