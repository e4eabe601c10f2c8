"""Which accesses to files workers may make at the same time: between two meetings.

A worker goes on behind a meeting only when all others have come to it. So what one does before it
is done when another one does what stands behind it; of what isn't parted by one, nobody can tell
which comes first. Loops are taken to go round, since a training that takes no step is none.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from ..program.node_fields import within
from ..program.records import NamedTuple
from .meetings import Meetings
from .reach import ALL
from .turns import Turns

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_TRIES = (ast.Try, getattr(ast, "TryStar", ast.Try))
_SKIPPED = (*_FUNCTIONS, ast.ClassDef)


class Item(NamedTuple):
    """An access by some workers; `is_perhaps`: on some ways, a meeting lies between."""

    number: int
    workers: frozenset[int]
    is_perhaps: bool = False


class Part(NamedTuple):
    """A part of the program: what is done in it before its first meeting, and behind its last one.

    `passes`: whether a way leads through it without a meeting; `is_free`: whether all ways do.
    """

    first: frozenset[Item] = frozenset()
    last: frozenset[Item] = frozenset()
    passes: bool = True
    is_free: bool = True


NOTHING = Part()
MEETING = Part(passes=False, is_free=False)


class Phases:
    """The accesses of one program that meet; `numbers`: those of each call, with who makes them.

    `asked`: those before which a test in a turn asks if the file is there.
    """

    def __init__(
        self,
        meetings: Meetings,
        turns: Turns,
        numbers: dict[ast.Call, list[Item]],
        parents: dict[ast.AST, ast.AST],
        asked: frozenset[int] = frozenset(),
    ) -> None:
        self._meetings, self._turns, self._numbers = meetings, turns, numbers
        self._parents, self._asked = parents, asked
        self._done: frozenset[int] = frozenset()  # by those whose turn came first
        self._known: dict[tuple[ast.AST, frozenset[int]], Part] = {}
        self._only = ALL
        self.pairs: dict[tuple[Item, Item], None] = {}
        self.in_turns: list[list[Item]] = []

    def run(self, trees: Iterable[ast.Module]) -> None:
        """Finds the pairs of the program."""
        for tree in trees:
            self._block(tree.body)
        for function in self._meetings.functions:
            if function in self._leading:
                self._function(function)

    # -- parts ----------------------------------------------------------------------------------

    def _then(self, a: Part, b: Part) -> Part:
        """One part, and then another one."""
        if b is NOTHING or a is NOTHING:
            return b if a is NOTHING else a
        self.pairs.update(dict.fromkeys((x, y) for x in a.last for y in b.first))
        first = a.first | (_through(b.first, a) if a.passes else frozenset())
        last = b.last | (_through(a.last, b) if b.passes else frozenset())
        return Part(first, last, a.passes and b.passes, a.is_free and b.is_free)

    @staticmethod
    def _either(parts: Sequence[Part]) -> Part:
        """One of several parts."""
        if len(parts) == 1:
            return parts[0]
        return Part(
            frozenset().union(*(p.first for p in parts)),
            frozenset().union(*(p.last for p in parts)),
            any(p.passes for p in parts),
            all(p.is_free for p in parts),
        )

    def _all(self, parts: Iterable[Part]) -> Part:
        found = NOTHING
        for part in parts:
            found = self._then(found, part)
        return found

    def _again(self, part: Part) -> Part:
        """The rounds of a loop."""
        self._then(part, part)
        return part

    # -- statements -----------------------------------------------------------------------------

    def _block(self, body: Sequence[ast.stmt]) -> Part:
        found, at = NOTHING, 0
        while at < len(body):
            end = self._turns.end(body, at)
            if end is None:
                found = self._then(found, self._statement(body[at]))
                at += 1
            else:
                found = self._then(found, self._turn(body[at : end + 1]))
                at = end + 1
        return found

    def _turn(self, body: Sequence[ast.stmt]) -> Part:
        """Some wait until the others are through: what these do is done when they begin."""
        waiting, only, done = self._turns.waiting(body[0]), self._only, self._done
        inner = body[1:-1]
        parts = []
        for group, is_there in ((ALL - waiting, done), (waiting, self._asked)):
            self._only, self._done = only & group, is_there
            parts.append(self._block(inner))
        self._only, self._done = only, done
        items = (i for s in inner for n in within(s) for i in self._of(n))
        self.in_turns.append(list(items))
        return Part(parts[0].first, parts[1].last, passes=False, is_free=False)

    def _statement(self, node: ast.stmt) -> Part:
        if isinstance(node, _SKIPPED) or node not in self._marked:
            return NOTHING
        if isinstance(node, ast.If):
            return self._if(node)
        if isinstance(node, (ast.For, ast.AsyncFor)):
            rounds = self._again(self._block(node.body))
            return self._all([self._expr(node.iter), rounds, self._block(node.orelse)])
        if isinstance(node, ast.While):
            body = self._then(self._expr(node.test), self._block(node.body))
            return self._then(self._again(body), self._block(node.orelse))
        return self._compound(node)

    def _if(self, node: ast.If) -> Part:
        chain = [node]
        while len(chain[-1].orelse) == 1 and isinstance(chain[-1].orelse[0], ast.If):
            chain.append(chain[-1].orelse[0])  # however many `elif` there are
        way = self._block(chain[-1].orelse)
        for each in reversed(chain):
            sides = [self._block(each.body), way]
            way = self._then(self._expr(each.test), self._either(sides))
        return way

    def _compound(self, node: ast.stmt) -> Part:
        """`with`, `try`, `match`, and what has no blocks."""
        if isinstance(node, _TRIES):
            handlers = [NOTHING, *(self._block(h.body) for h in node.handlers)]
            parts = [self._block(node.body), self._either(handlers)]
            return self._all([*parts, self._block(node.orelse), self._block(node.finalbody)])
        cases = getattr(node, "cases", None)
        if cases is not None:
            sides = [NOTHING, *(self._block(case.body) for case in cases)]
            return self._then(self._expr(node.subject), self._either(sides))  # type: ignore
        body = getattr(node, "body", None)
        heads = (c for c in ast.iter_child_nodes(node) if not isinstance(c, ast.stmt))
        return self._all([*map(self._expr, heads), self._block(body or [])])

    def _expr(self, node: ast.AST) -> Part:
        """What an expression does, in the order in which it is evaluated."""
        return self._all(map(self._call, self._calls(node)))

    def _calls(self, node: ast.AST) -> Iterator[ast.Call]:
        """The calls of an expression that matter: what they are given comes before them."""
        waiting = [(node, False)]
        while waiting:
            each, is_done = waiting.pop()
            if is_done and isinstance(each, ast.Call):
                yield each
            elif each in self._marked and not is_done and not isinstance(each, _SKIPPED):
                waiting.append((each, True))
                waiting += [(child, False) for child in reversed([*ast.iter_child_nodes(each)])]

    def _call(self, call: ast.Call) -> Part:
        items = frozenset(self._of(call))
        if items:
            return Part(items, items)
        known = self._meetings.known.get(call)
        if known is not None:
            return MEETING if not known.is_perhaps else Part(is_free=False)
        run = self._run_by(call)
        if run:
            others = len(self._meetings.run_by(call)) > len(run)
            return self._either([*map(self._function, run), *([NOTHING] if others else [])])
        return Part(is_free=False) if any(True for _ in self._meetings.signs(call)) else NOTHING

    def _of(self, node: ast.AST) -> Iterator[Item]:
        for item in self._numbers.get(node, ()):  # type: ignore[call-overload]
            workers = item.workers & self._only
            if workers and item.number not in self._done:
                yield item._replace(workers=workers)

    # -- functions ------------------------------------------------------------------------------

    @cached_property
    def _leading(self) -> set[ast.AST]:
        """The functions in which something is done to files, or workers meet."""
        return self._meetings.leading(self._numbers) | self._meetings.meeting

    @cached_property
    def _marked(self) -> set[ast.AST]:
        """The nodes in which a call stands that matters."""
        found: set[ast.AST] = set()
        for call in self._meetings.calls:
            node: ast.AST | None = call if self._matters(call) else None
            while node is not None and node not in found:
                found.add(node)
                node = self._parents.get(node)
        return found

    def _matters(self, call: ast.Call) -> bool:
        if call in self._numbers or call in self._meetings.known:
            return True
        return bool(self._run_by(call)) or any(True for _ in self._meetings.signs(call))

    def _run_by(self, call: ast.Call) -> list[ast.AST]:
        return [f for f in self._meetings.run_by(call) if f in self._leading]

    def _function(self, function: ast.AST) -> Part:
        """What a function does: what it calls is looked at before, however deep that is."""
        only, waiting, opened = self._only, [function], set()
        if (function, only) in self._known:
            return self._known[(function, only)]
        while waiting:
            each = waiting[-1]
            if each in opened:
                self._known[(waiting.pop(), only)] = self._body(each)
            else:
                opened.add(each)
                self._known[(each, only)] = NOTHING  # where it calls itself
                waiting += [f for f in self._callees(each) if (f, only) not in self._known]
        return self._known[(function, only)]

    def _body(self, function: ast.AST) -> Part:
        body = function.body  # type: ignore[attr-defined]
        return self._block(body) if isinstance(body, list) else self._expr(body)

    def _callees(self, function: ast.AST) -> list[ast.AST]:
        calls = (n for n in within(function) if isinstance(n, ast.Call) and n in self._marked)
        return list(dict.fromkeys(f for call in calls for f in self._run_by(call)))


def _through(items: frozenset[Item], part: Part) -> frozenset[Item]:
    """Items as they are seen across a part."""
    return items if part.is_free else frozenset(i._replace(is_perhaps=True) for i in items)
