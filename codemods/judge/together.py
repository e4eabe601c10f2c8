"""All workers call the same collectives on the same tensors in the same order.

Through calls, early exits, exceptions and loops: no branch on a worker's own value decides it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property

from ..program.records import NamedTuple
from .case import Case, proved
from .courses import ALONE, RANK, Choice, Meet
from .meetings import STEP, Meetings
from .own import Level, Own, Owners
from .proof import Proof
from .ways import Ways
from .workers import WORKERS

NAME = "together"
HOW = "all workers come to the same collectives in the same order"
FILES = "the files that the program finds are the same for all workers"
FIX = "let every worker come here, and put only what needs no other worker under the condition"


class Split(NamedTuple):
    """A test that leads some workers to a meeting that the others don't come to."""

    test: ast.AST
    place: ast.AST | None
    own: Own


class Search:
    """The splits of one program."""

    def __init__(self, case: Case) -> None:
        self._case = case
        trees = {path: source.module for path, source in case.after.items()}
        self._trees = list(trees.values())
        self.meetings = Meetings(case.program, self._trees)
        self._trees_by_path = trees

    @cached_property
    def owners(self) -> Owners:
        """Whose own values are."""
        return Owners(self._case.program, self._trees_by_path)

    @cached_property
    def ways(self) -> Ways:
        """The ways through the program."""
        return Ways(self._case.program, self.owners, self.meetings, self._case.parents)

    def splits(self) -> Iterator[Split]:
        """All of the program, each test once."""
        found: dict[ast.AST, Split] = {}
        for root in self._roots():
            for split in self._of(self.ways.of(root)):
                found.setdefault(split.test, split)
        yield from found.values()

    def _roots(self) -> list[ast.AST]:
        """Modules, and functions that outside code calls, or nobody."""
        program, leading = self._case.program, self.ways.leading
        functions = [f for f in leading if not program.call_sites(f).nodes or program.is_handed_out(f)]
        return [*self._trees, *functions]

    def _of(self, way: int) -> Iterator[Split]:
        courses = self.ways.courses
        ways = [
            courses.replaced(way, {courses.exit: courses.end}, worker, self.ways.numbers)
            for worker in range(len(WORKERS))
        ]
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
                    yield Split(node.test, courses.first_meeting(*parting), self._own(node.test))

    def _own(self, test: ast.AST) -> Own:
        if isinstance(test, ast.stmt):  # in which an error may be raised
            return self.ways.raising(test)._replace(level=Level.UNKNOWN)
        parent = self._case.parents.get(test)
        is_count = getattr(parent, "iter", None) is test
        return self.owners.rounds(test) if is_count else self.owners.of(test)  # type: ignore

    def _by_rank(self, way: int, worker: int, parting: tuple[int, int]) -> Split:
        """The test by rank at which two workers part."""
        courses = self.ways.courses
        place = courses.first_meeting(*parting)
        tests = [courses.nodes[n] for n in courses.within(way)]
        split = [t for t in tests if isinstance(t, Choice) and t.how == RANK]
        apart = [t for t in split if self._parts(t, worker)]
        test = (apart or split)[-1].test
        return Split(test, place, Own(Level.OWN, "rank", test))

    def _parts(self, choice: Choice, worker: int) -> bool:
        numbers, courses = self.ways.numbers, self.ways.courses
        answers = numbers[choice.test]
        if bool(answers[0]) == bool(answers[worker]):
            return False
        sides = (choice.yes, choice.no) if answers[0] else (choice.no, choice.yes)
        one = courses.replaced(sides[0], {}, 0, numbers)
        other = courses.replaced(sides[1], {}, worker, numbers)
        return courses.parting(one, other) is not None


def prove(case: Case) -> Iterator[Proof]:
    """Whether all workers come to all collectives together."""
    search = Search(case)
    found = [_answer(case, search, split) for split in search.splits()] if search.meetings.known else []
    yield from found or [proved(NAME, HOW, FILES)]


def _answer(case: Case, search: Search, split: Split) -> Proof:
    meeting = search.meetings.known.get(split.place)  # type: ignore[arg-type]
    what = "a collective" if meeting is None else f"`{meeting.what}`"
    where = "" if split.place is None else f" in line {case.place(split.place).line}"
    test = ast.unparse(split.test) if isinstance(split.test, ast.expr) else "an error"
    why = f"`{test}` is answered by each worker for itself, and decides whether it comes to {what}{where}: {split.own.kind} {ast.unparse(split.own.source) if split.own.source is not None else '?'}"
    if split.own.level is Level.OWN:
        return case.violated(NAME, split.test, why, FIX)
    return case.not_proved(NAME, split.test, why, FIX)
