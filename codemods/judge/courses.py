"""In which order workers may meet: a graph of meetings and of what decides between ways.

Equal ways are one node (as in a decision diagram), so that two sides of a test which lead through
the same meetings are the same, and the test is gone. What is left are the tests that matter.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterator, Mapping
from typing import Union

from ..program.records import NamedTuple

# How a test decides: alike on all workers, by the worker's number, or for each worker by itself.
ALIKE, RANK, ALONE = "alike", "rank", "alone"
Numbers = Mapping[ast.AST, tuple[object, ...]]  # what each worker answers a test by rank
_ERROR = "error "


class Leaf(NamedTuple):
    """The end of a way: of the function, of the program, an error, or another round of a loop."""

    name: str
    of: ast.AST | None = None


class Meet(NamedTuple):
    """A meeting of a sign, and what comes behind it."""

    sign: Hashable
    next: int


class Choice(NamedTuple):
    """A test that decides between two ways."""

    how: str
    test: ast.AST
    yes: int
    no: int


class Loop(NamedTuple):
    """A loop: a round of it, which leads to another one or out of it."""

    of: ast.AST
    round: int
    next: int


Node = Union[Leaf, Meet, Choice, Loop]


class Courses:
    """All nodes of a program's ways; each is a number, and equal ones are the same number."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self._numbers: dict[Node, int] = {}
        self.places: dict[int, ast.AST] = {}  # of a meeting, where it was seen first
        self.end = self.leaf("end")
        self.exit = self.leaf("exit")  # of this worker's program, while the others go on

    def _number(self, node: Node) -> int:
        found = self._numbers.get(node)
        if found is None:
            found = self._numbers[node] = len(self.nodes)
            self.nodes.append(node)
        return found

    def leaf(self, name: str, of: ast.AST | None = None) -> int:
        """An end of ways."""
        return self._number(Leaf(name, of))

    def error(self, name: str) -> int:
        """An error of that name, which ends the job on all workers unless somebody takes it."""
        return self.leaf(f"{_ERROR}{name}")

    def error_of(self, n: int) -> str | None:
        """The name of the error that a way ends in."""
        node = self.nodes[n]
        is_error = isinstance(node, Leaf) and node.name.startswith(_ERROR)
        return node.name[len(_ERROR) :] if is_error else None  # type: ignore[union-attr]

    def _other_than_error(self, yes: int, no: int) -> int | None:
        """The other way, where one of two is an error."""
        if self.error_of(yes) is not None:
            return no
        return yes if self.error_of(no) is not None else None

    def meet(self, sign: Hashable, place: ast.AST, next: int) -> int:
        """A meeting, and then what comes next."""
        found = self._number(Meet(sign, next))
        self.places.setdefault(found, place)
        return found

    def choice(self, how: str, test: ast.AST, yes: int, no: int) -> int:
        """One of two ways; an error that all workers meet needs no look."""
        if yes == no:
            return yes
        other = self._other_than_error(yes, no) if how == ALIKE else None
        return self._number(Choice(how, test, yes, no)) if other is None else other

    def loop(self, of: ast.AST, round: int, next: int) -> int:
        """Rounds until one leads out; one in which nobody meets is what comes next."""
        again = self.leaf("again", of)
        if self.replaced(round, {again: next, next: next}) == next:
            return next
        if not self._leads(round, again):
            return round
        return self._number(Loop(of, round, next))

    def _leads(self, n: int, leaf: int) -> bool:
        return any(m == leaf for m in self.within(n, first=leaf))

    def within(self, n: int, first: int = 0) -> Iterator[int]:
        """The nodes of a way, each once, from a number on: what is made of others has a higher one.

        So no way leads from a node to one of a higher number.
        """
        seen, waiting = {n}, [n]
        while waiting:
            n = waiting.pop()
            yield n
            further = [m for m in self.after(n) if m >= first and m not in seen]
            seen.update(further)
            waiting += further

    def after(self, n: int) -> tuple[int, ...]:
        """Where ways lead on from a node."""
        node = self.nodes[n]
        if isinstance(node, Meet):
            return (node.next,)
        if isinstance(node, Choice):
            return (node.yes, node.no)
        return (node.round, node.next) if isinstance(node, Loop) else ()

    def replaced(
        self, root: int, by: Mapping[int, int], worker: int = 0, numbers: Numbers | None = None
    ) -> int:
        """The ways with others in place of some nodes; with numbers, those of one worker alone."""
        known = dict(by)
        waiting = [root]
        while waiting:
            n = waiting[-1]
            needs = [m for m in self.after(n) if m not in known] if n not in known else []
            if needs:
                waiting += needs
                continue
            waiting.pop()
            if n not in known:
                known[n] = self._rebuilt(n, known, worker, numbers)
        return known[root]

    def _rebuilt(
        self, n: int, known: Mapping[int, int], worker: int, numbers: Numbers | None
    ) -> int:
        node = self.nodes[n]
        if isinstance(node, Meet):
            return self.meet(node.sign, self.places[n], known[node.next])
        if isinstance(node, Choice):
            yes, no = known[node.yes], known[node.no]
            if numbers is not None and node.how == RANK:
                return yes if numbers[node.test][worker] else no
            return self.choice(node.how, node.test, yes, no)
        if isinstance(node, Loop):
            return self.loop(node.of, known[node.round], known[node.next])
        return n

    # -- do workers meet? -----------------------------------------------------------------------

    def parting(self, a: int, b: int) -> tuple[int, int] | None:
        """Where two ways first lead to unlike meetings; None: workers on them meet all the same.

        An error ends the job on all workers.
        """
        seen: set[tuple[int, int]] = set()
        waiting = [(a, b)]
        while waiting:
            pair = waiting.pop()
            if pair in seen or pair[0] == pair[1] or self._other_than_error(*pair) is not None:
                continue
            seen.add(pair)
            further = self._pairs(*pair)
            if further is None:
                return pair
            waiting += further
        return None

    def _pairs(self, a: int, b: int) -> list[tuple[int, int]] | None:
        """The ways behind two that go on alike; None if they don't."""
        one, other = self.nodes[a], self.nodes[b]
        for mine, rest in ((one, b), (other, a)):
            if isinstance(mine, Choice) and mine.how != ALIKE:  # either way, it has to meet
                return [(mine.yes, rest), (mine.no, rest)]
        if isinstance(one, Choice) and isinstance(other, Choice) and one.test is other.test:
            return [(one.yes, other.yes), (one.no, other.no)]
        if isinstance(one, Meet) and isinstance(other, Meet) and one.sign == other.sign:
            return [(one.next, other.next)]
        if isinstance(one, Loop) and isinstance(other, Loop) and one.of is other.of:
            return [(one.round, other.round), (one.next, other.next)]
        return None

    def first_meeting(self, *starts: int) -> ast.AST | None:
        """Where the first meeting stands that ways lead to."""
        for start in starts:
            for n in self.within(start):
                if n in self.places:
                    return self.places[n]
        return None
