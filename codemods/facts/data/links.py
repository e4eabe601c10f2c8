"""The ways of a dataset while they are followed; each shares what lies behind it with others."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...program.records import NamedTuple

MOST_WAYS = 32
MOST_SOURCES = 64
ANY = ast.Pass()  # stands for every source, where there are too many to tell them apart


class PipelineStep:
    """A dataset on its way, and the way before it; `expr` is None where a memory is passed.

    What stands in an attribute, a global variable or a list may have been put there by another
    call of the function that reads it.
    """

    __slots__ = ("before", "expr", "is_whole", "method", "source")

    def __init__(
        self, before: PipelineStep | None, expr: ast.expr | None, method: str, is_whole: bool
    ) -> None:
        self.before, self.expr, self.method, self.is_whole = before, expr, method, is_whole
        self.source: ast.AST = before.source if before is not None else expr or ANY

    def back(self) -> Iterator[PipelineStep]:
        """This link, and those before it back to the source."""
        link: PipelineStep | None = self
        while link is not None:
            yield link
            link = link.before


class Found(NamedTuple):
    """What is known of a value: the ways to it, as far as they are known."""

    links: frozenset[PipelineStep] = frozenset()
    is_complete: bool = True  # nothing else can get there
    may_be_none: bool = False
    lost: frozenset[ast.AST] = frozenset()  # sources of ways that nobody can count


NOTHING = Found()
UNKNOWN = Found(is_complete=False)
NONE = Found(may_be_none=True)


def join(a: Found, b: Found) -> Found:
    """One of both; more ways than anybody can count are known by their sources alone."""
    if a == b or b == NOTHING:
        return a
    if a == NOTHING:
        return b
    links, lost = a.links | b.links, a.lost | b.lost
    is_complete = a.is_complete and b.is_complete
    if lost or len(links) > MOST_WAYS:
        lost |= {link.source for link in links}
        links, is_complete = frozenset(), False
        lost = lost if len(lost) <= MOST_SOURCES else frozenset({ANY})
    return Found(links, is_complete, a.may_be_none or b.may_be_none, lost)


class Links:
    """Makes links, equal ones once."""

    def __init__(self) -> None:
        self._known: dict[tuple[PipelineStep | None, ast.expr | None, str, bool], PipelineStep] = {}

    def link(
        self, before: PipelineStep | None, expr: ast.expr | None, method: str, is_whole: bool = True
    ) -> PipelineStep:
        """The one link with these parts."""
        key = (before, expr, method, is_whole)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = PipelineStep(*key)
        return found

    def parts(self, link: PipelineStep) -> PipelineStep | None:
        """The way of something inside of what a source gave; None behind a method."""
        way = list(link.back())
        if any(each.method for each in way[:-1]):
            return None
        found = None
        for each in reversed(way):
            found = self.link(found, each.expr, each.method, is_whole=False)
        return found
