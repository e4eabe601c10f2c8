"""What a repair is: edits that take a violation away, and a Bowler query that makes them.

A module of this folder named `a<number>_<name>.py` registers one repair with the decorator below;
there is no list to keep. What it makes is no distributed program yet: the rules come behind it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Callable

from ..edits import At, Insert, Places, Remove, insert, remove
from ..edits.patterns import STATEMENT
from ..model import Options
from ..program.records import NamedTuple
from ..rewrites import Query, Rewrite

if TYPE_CHECKING:
    from ..facts import Facts

__all__ = ["REGISTRY", "Query", "Repair", "put_in_place", "repair"]

Find = Callable[["Facts"], Iterable[At]]
Build = Callable[[Places], "Query"]


class Repair(NamedTuple):
    """One repair with its example: `after` is `before` with this repair and no rule applied."""

    rule: Rewrite
    answers: frozenset[str]  # codes of restrictions
    is_automatic: bool  # on one worker the program does what it did before; else a person chooses
    chosen: Options  # under which its example is refused
    of_notes: bool  # made, where it is asked for, though nothing blocks the file
    in_the_way: Callable[[Facts], Iterable[ast.AST]] | None = None  # why it is not offered

    @property
    def code(self) -> str:
        """As a person names it; codes of repairs sort before those of rules."""
        return self.rule.code


REGISTRY: dict[str, Repair] = {}


def repair(
    *,
    code: str,
    name: str,
    title: str,
    answers: Sequence[str],
    is_automatic: bool,
    before: str,
    after: str,
    find: Find,
    noop: Sequence[str] = (),
    chosen: Options | None = None,
    of_notes: bool = False,
    in_the_way: Callable[[Facts], Iterable[ast.AST]] | None = None,
) -> Callable[[Build], Build]:
    """Register a repair; the decorated function makes the query from its places."""

    def register(build: Build) -> Build:
        known = REGISTRY.get(code)
        if known is not None and known.rule.module != build.__module__:
            raise ValueError(f"{code} is registered by {known.rule.module} and {build.__module__}")
        rule = Rewrite(
            code=code,
            name=name,
            summary=title,
            before=before,
            after=after,
            noop=tuple(noop),
            needs=frozenset(),
            find=find,
            build=build,
            module=build.__module__,
        )
        asked = chosen or Options()
        REGISTRY[code] = Repair(rule, frozenset(answers), is_automatic, asked, of_notes, in_the_way)
        return build

    return register


def put_in_place(at: Places) -> Query:
    """The query of a repair that puts lines where a statement stands, and takes that away."""
    return (
        Query()
        .select(STATEMENT)
        .filter(at.each(Insert))
        .modify(insert)
        .select(STATEMENT)
        .filter(at.each(Remove))
        .modify(remove)
    )
