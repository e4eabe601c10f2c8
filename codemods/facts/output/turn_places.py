"""Which statement workers can take turns in: the others wait before it, the first one behind it.

So nobody may leave the statement on another way, and no other collective may be called in it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ..agreement.control import runs_alike
from ..facts import Facts
from ..horovod import member
from ..precedence import LOOPS
from ..scopes import FunctionNode
from ..setup.import_places import runs_before_init
from ..setup.leading import is_main
from ..training.call_graph import call_graph
from ..training.training_loops import trains

_TRY = (ast.Try, getattr(ast, "TryStar", ast.Try))
_LEAVING = (ast.Return, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Await)
_LAZY = (ast.Lambda, ast.GeneratorExp)
_COUNTS = ("init", "rank", "size", "local_rank", "local_size", "cross_rank", "cross_size")
AROUND = (ast.If, *_TRY, *LOOPS)


class TurnPlaces:
    """Answers for one module, in which `calls` would take turns and all wait before `waits`."""

    def __init__(self, facts: Facts, calls: Iterable[ast.AST], waits: set[ast.AST]) -> None:
        self._facts, self._waits, self._graph = facts, waits, call_graph(facts)
        there = [call for call in facts.index.calls if self._is_collective(call)]
        self._homes = {facts.function(node) for node in (*calls, *waits, *there)} - {None}

    def of(self, call: ast.Call) -> ast.stmt | None:
        """The statement of a call, or what stands around it and can take turns as a whole."""
        statement = place = self._facts.statement(call)
        if self._is_lazy(call) or isinstance(statement, (*FunctionNode, ast.ClassDef)):
            return None
        for parent in self._facts.parents(statement):
            if isinstance(parent, ast.ExceptHandler) or _is_elif(self._facts, parent):
                continue
            if isinstance(parent, (ast.With, ast.AsyncWith)):
                continue
            if not isinstance(parent, AROUND) or is_main(parent):
                break
            if not self._may_enter(parent):
                if isinstance(parent, _TRY):
                    return None  # who raises and goes on would leave the others waiting
                break
            place = parent
        return place if self._is_free(place) else None

    def _is_lazy(self, call: ast.Call) -> bool:
        """Whether its statement only says what will be done later."""
        around = self._facts.parents(call)
        return any(isinstance(p, _LAZY) for p in _until_statement(around))

    def _is_free(self, place: ast.stmt) -> bool:
        """Whether all workers come to it, Horovod is started, and its turn can be written."""
        if isinstance(place, ast.If) and _is_elif(self._facts, place):
            return False
        if runs_before_init(self._facts, place) or not runs_alike(self._facts, place):
            return False
        return self._may_enter(place)

    def _may_enter(self, place: ast.stmt) -> bool:
        """Whether workers can take turns in it."""
        if trains(self._facts, place):
            return False
        for node in ast.walk(place):
            leaves = isinstance(node, _LEAVING) and node is not place
            if leaves and not _ends_within(self._facts, node, place):
                return False
            if isinstance(node, ast.Call) and self._meets(node):
                return False
        return self._waits.isdisjoint(ast.walk(place))

    def _meets(self, call: ast.Call) -> bool:
        """Whether workers wait for each other in a call, or would."""
        if self._is_collective(call):
            return True
        called = self._graph.called(call)
        return any(home in self._homes for each in called for home in self._graph.running(each))

    def _is_collective(self, call: ast.Call) -> bool:
        """Whether the program itself calls something of Horovod's there that workers wait in."""
        name = member(self._facts, call.func) if self._facts.has_horovod else None
        return name is not None and name not in _COUNTS


def _until_statement(around: Iterator[ast.AST]) -> Iterator[ast.AST]:
    for parent in around:
        if isinstance(parent, ast.stmt):
            return
        yield parent


def _is_elif(facts: Facts, node: ast.AST) -> bool:
    parent = facts.parent(node)
    return isinstance(parent, ast.If) and parent.orelse == [node]


def _ends_within(facts: Facts, leaving: ast.AST, place: ast.stmt) -> bool:
    """Whether a jump stays inside: that of a loop, or in a function that is only defined there."""
    for parent in facts.parents(leaving):
        if isinstance(parent, (*FunctionNode, ast.Lambda)):
            return True
        if isinstance(parent, LOOPS) and isinstance(leaving, (ast.Break, ast.Continue)):
            return True
        if parent is place:
            return False
    return False
