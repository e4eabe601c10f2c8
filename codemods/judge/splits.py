"""Where workers part: the tests that lead some of them to a meeting that others don't come to."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import Callable

from ..program.node_fields import within
from ..program.program import Program
from ..program.records import NamedTuple
from .courses import ALONE, RANK, Choice
from .meetings import Meetings
from .own import Level, Own, Owners
from .traced import Traces
from .ways import Ways
from .workers import WORKERS


class Split(NamedTuple):
    """A test that leads some workers to a meeting, at `place`, that others don't come to.

    `parting`: the ways on which they go on.
    """

    test: ast.AST
    place: ast.AST | None
    own: Own
    parting: tuple[int, int] = ()  # type: ignore[assignment]


class Search:
    """The splits of one program; `parents`: what holds each node of its trees.

    `owners`: says whose own values are, if anybody asks.
    """

    def __init__(
        self,
        program: Program,
        trees: list[ast.Module],
        parents: dict[ast.AST, ast.AST],
        meetings: Meetings,
        owners: Callable[[], Owners],
    ) -> None:
        self._program, self._trees, self._parents = program, trees, parents
        self.meetings, self._owners = meetings, owners

    @cached_property
    def owners(self) -> Owners:
        """Whose own values are."""
        return self._owners()

    @cached_property
    def ways(self) -> Ways:
        """The ways through the program."""
        return Ways(self._program, self.owners, self.meetings, self._parents)

    @cached_property
    def traces(self) -> Traces:
        """What is taped and traced."""
        return Traces(self._program, self.owners, self.meetings)

    def splits(self) -> list[Split]:
        """All of the program, each test once."""
        found: dict[ast.AST, Split] = {}
        for root in self._roots():
            for split in self._of(self.ways.of(root)):
                found.setdefault(split.test, split)
        return list(found.values())

    def is_on_way(self, place: ast.AST) -> bool:
        """Whether a way has been seen to a meeting at a place."""
        return any(each is place for each in self.ways.courses.places.values())

    def further(self, split: Split) -> Iterator[ast.AST]:
        """The meetings on the ways behind a test, those of another round of a loop among them."""
        for n in (m for start in split.parting for m in self.ways.courses.within(start)):
            if n in self.ways.courses.places:
                yield self.ways.courses.places[n]
            loop = getattr(self.ways.courses.nodes[n], "of", None)
            yield from (c for c in within(loop) if c in self.meetings.known) if loop else ()

    def _is_called_here(
        self, function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    ) -> bool:
        """Whether a call names it, as ways go; not `map(load, names)`, which calls it itself."""
        sites = (n for n in self._program.call_sites(function).nodes if isinstance(n, ast.Call))
        return any(function in self._program.functions(site.func).nodes for site in sites)

    def _roots(self) -> list[ast.AST]:
        """Modules, and the functions that outside code calls, or that nobody does."""
        program, leading = self._program, self.ways.leading
        functions = [f for f in self.meetings.functions if f in leading]
        alone = (f for f in functions if program.is_handed_out(f) or not self._is_called_here(f))
        return [*self._trees, *alone]

    def _of(self, way: int) -> Iterator[Split]:
        courses, numbers = self.ways.courses, self.ways.numbers
        way = courses.replaced(way, {courses.exit: courses.end})
        ways = [courses.replaced(way, {}, worker, numbers) for worker in WORKERS]
        for each in dict.fromkeys(ways):
            yield from self._alone(each)
        for each in dict.fromkeys(ways[1:]):
            parting = courses.parting(ways[0], each)
            if parting is not None:
                yield self._by_rank(way, ways.index(each), parting)

    def _alone(self, way: int) -> Iterator[Split]:
        """The tests that each worker answers for itself, whose two ways don't meet."""
        courses = self.ways.courses
        for n in list(courses.within(way)):
            node = courses.nodes[n]
            if isinstance(node, Choice) and node.how == ALONE:
                parting = courses.parting(node.yes, node.no)
                if parting is not None:
                    place = courses.first_meeting(*parting)
                    yield Split(node.test, place, self.ways.own(node.test), parting)

    def _by_rank(self, way: int, worker: int, parting: tuple[int, int]) -> Split:
        """The test by rank at which two workers part: the last one, if several do."""
        courses = self.ways.courses
        nodes = (courses.nodes[n] for n in courses.within(way))
        tests = [n for n in nodes if isinstance(n, Choice) and n.how == RANK]
        apart = [test for test in tests if self._parts(test, worker)]
        test = (apart or tests)[-1].test
        return Split(test, courses.first_meeting(*parting), Own(Level.OWN, "rank", test))

    def _parts(self, choice: Choice, worker: int) -> bool:
        numbers, courses = self.ways.numbers, self.ways.courses
        answers = numbers[choice.test]
        if bool(answers[0]) == bool(answers[worker]):
            return False
        sides = (choice.yes, choice.no) if answers[0] else (choice.no, choice.yes)
        ways = [courses.replaced(s, {}, w, numbers) for s, w in zip(sides, (0, worker))]
        return courses.parting(*ways) is not None
