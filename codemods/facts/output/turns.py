"""Where the first worker of each machine downloads before the others do, and where that can't be.

The others wait before a statement, and it behind it. So nobody may leave the statement on another
way, and no other collective may be called in it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...program.records import NamedTuple
from ..agreement.control import runs_alike
from ..by_rank import asks_for_rank
from ..facts import Facts, recorded
from ..horovod import WAITS, member
from ..precedence import LOOPS
from ..scopes import FunctionNode
from ..setup.import_places import runs_before_init
from ..setup.leading import is_main
from ..training.call_graph import CallGraph
from ..training.training_loops import trains
from .downloads import downloads
from .effects import Effects
from .folders import is_checked_before
from .reloads import waits

_TRY = (ast.Try, getattr(ast, "TryStar", ast.Try))
_LEAVING = (ast.Return, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Await)
_LAZY = (ast.Lambda, ast.GeneratorExp)
_COUNTS = ("init", "rank", "size", "local_rank", "local_size", "cross_rank", "cross_size")
_AROUND = (ast.If, *_TRY, *LOOPS)


class Turn(NamedTuple):
    """The others wait before `first`, and go on behind `last`."""

    first: ast.stmt
    last: ast.stmt
    calls: tuple[ast.Call, ...]


class Fetch(NamedTuple):
    """A statement for the first worker alone, and the one behind which all wait for it."""

    statement: ast.stmt
    waiting: ast.stmt


class Plan(NamedTuple):
    """All that is done about the downloads of a module, and those that nothing is done about."""

    turns: list[Turn]
    fetches: list[Fetch]
    left: list[ast.Call]


@recorded
def plan(facts: Facts) -> Plan:
    """What becomes of every download."""
    return _Planner(facts).plan() if downloads(facts) else Plan([], [], [])


class _Planner:
    def __init__(self, facts: Facts) -> None:
        self._facts, self._effects = facts, Effects(facts)
        self._graph = CallGraph(facts)
        busy = (*downloads(facts), *waits(facts))
        self._homes = {facts.function(node) for node in busy} - {None}
        self._waits = set(waits(facts))

    def plan(self) -> Plan:
        found = Plan([], [], [])
        turns: dict[ast.stmt, list[ast.Call]] = {}
        for call, is_kept in downloads(self._facts).items():
            place = self._place(call)
            if place is None:
                found.left.append(call)
            elif is_kept or self._is_asked_for(call, place):
                turns.setdefault(place, []).append(call)
            elif self._is_alone(call):
                found.fetches.append(Fetch(self._facts.statement(call), place))
            else:
                found.left.append(call)
        found.turns.extend(t for t in self._joined(turns) if not self._is_taken(t.first))
        return found

    def _is_taken(self, first: ast.stmt) -> bool:
        """Whether the program itself lets the others wait above: `if hvd.local_rank(): …`."""
        block, number = self._facts.block(first)
        above = block[number - 1] if number else first
        if not (isinstance(above, ast.If) and asks_for_rank(self._facts, above.test)):
            return False
        return any(member(self._facts, getattr(n, "func", n)) in WAITS for n in ast.walk(above))

    def _is_asked_for(self, call: ast.Call, place: ast.stmt) -> bool:
        """Whether those that come later see that the file is there: a condition decides."""
        return isinstance(place, _AROUND) and is_checked_before(self._facts, call)

    def _is_alone(self, call: ast.Call) -> bool:
        """Whether nobody needs what the call gives, or what its arguments do."""
        is_whole = isinstance(self._facts.parent(call), ast.Expr)
        return is_whole and self._effects.skippable_arguments(call)

    def _joined(self, turns: dict[ast.stmt, list[ast.Call]]) -> Iterator[Turn]:
        """Neighbours share a turn, with what only computes between them."""
        current: Turn | None = None
        for place in sorted(turns, key=lambda place: place.lineno):
            if current is not None and self._is_near(current.last, place):
                current = Turn(current.first, place, (*current.calls, *turns[place]))
                continue
            if current is not None:
                yield current
            current = Turn(place, place, tuple(turns[place]))
        if current is not None:
            yield current

    def _is_near(self, last: ast.stmt, place: ast.stmt) -> bool:
        block, number = self._facts.block(place)
        if last not in block[:number]:
            return False
        between = block[block.index(last) + 1 : number]
        return all(map(self._effects.statement, between)) and not any(
            node in self._waits for each in between for node in ast.walk(each)
        )

    # -- places -------------------------------------------------------------------------------

    def _place(self, call: ast.Call) -> ast.stmt | None:
        """The statement of a call, or what stands around it and can take turns as a whole."""
        statement = place = self._facts.statement(call)
        if self._is_lazy(call) or isinstance(statement, (*FunctionNode, ast.ClassDef)):
            return None
        for parent in self._facts.parents(statement):
            if isinstance(parent, ast.ExceptHandler) or _is_elif(self._facts, parent):
                continue
            if isinstance(parent, (ast.With, ast.AsyncWith)):
                continue
            if not isinstance(parent, _AROUND) or is_main(parent):
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
        name = member(self._facts, call.func) if self._facts.has_horovod else None
        if name is not None and name not in _COUNTS:
            return True
        called = self._graph.called(call)
        return any(home in self._homes for each in called for home in self._graph.running(each))


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
