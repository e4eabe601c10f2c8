"""What a rewrite is: places that the facts decide on, and a Bowler query that edits them.

A module of this folder named `d<code>_<name>.py` registers one rewrite with the decorator below;
there is no list to keep.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Callable, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from bowler import Query

    from ..facts import Facts
    from ..syntax import LN, Capture
else:
    LN = Capture = Any  # said in annotations only

    class Query:
        """Bowler's query; its import takes longer than most files, and few files need it."""

        def __new__(cls):
            from ._bowler import Query as BowlerQuery

            return BowlerQuery()


__all__ = ["LN", "REGISTRY", "Capture", "Places", "Query", "Rewrite", "rewrite"]

D = TypeVar("D")
Find = Callable[["Facts"], Mapping[Any, Any]]
Build = Callable[[Any], "Query"]


class Places(Generic[D]):
    """The nodes of one tree that one rewrite edits, each with a detail; compared by identity."""

    def __init__(self, details: Mapping[ast.AST, D]) -> None:
        self.details = details
        self._found: dict[int, tuple[LN, ast.AST]] = {}
        self._seen: set[int] = set()

    def resolve(self, nodes: Mapping[ast.AST, LN]) -> None:
        """Take the concrete node of every place; they must come from before the first edit."""
        self._found = {id(nodes[place]): (nodes[place], place) for place in self.details}
        if len(self._found) < len(self.details):
            raise ValueError("a statement and its expression are the same place: choose one")

    def here(self, node: LN, capture: Capture, filename: str) -> bool:
        """A filter for Bowler: whether a node is one of these places."""
        self._seen |= {id(node)} & set(self._found)
        return id(node) in self._found

    def __getitem__(self, node: LN) -> D:
        return self.details[self._found[id(node)][1]]

    def __iter__(self) -> Iterator[LN]:
        return (node for node, _ in self._found.values())

    def __len__(self) -> int:
        return len(self.details)

    def line(self, node: LN) -> int:
        """Where a place stands in the original."""
        return getattr(self._found[id(node)][1], "lineno", 1)

    def missed(self) -> list[LN]:
        """The places that no pattern of the query matched."""
        return [node for key, (node, _) in self._found.items() if key not in self._seen]


class Rewrite(NamedTuple):
    """One rule with its example: `after` is `before` with this rule and those it needs applied."""

    code: str
    name: str
    summary: str
    before: str
    after: str
    noop: Sequence[str]
    needs: frozenset[str]
    find: Find
    build: Build
    module: str = ""
    tensorflow: tuple[int, int] = (2, 15)  # the target version that the example is for


REGISTRY: dict[str, Rewrite] = {}


def rewrite(
    *,
    code: str,
    name: str,
    summary: str,
    before: str,
    after: str,
    find: Find,
    noop: Sequence[str] = (),
    needs: Sequence[str] = (),
    tensorflow: tuple[int, int] = (2, 15),
) -> Callable[[Build], Build]:
    """Register a rewrite; the decorated function makes the query from its places."""

    def register(build: Build) -> Build:
        known = REGISTRY.get(code)
        if known is not None and known.module != build.__module__:
            raise ValueError(f"{code} is registered by {known.module} and by {build.__module__}")
        REGISTRY[code] = Rewrite(
            code=code,
            name=name,
            summary=summary,
            before=before,
            after=after,
            noop=tuple(noop),
            needs=frozenset(needs),
            find=find,
            build=build,
            module=build.__module__,
            tensorflow=tensorflow,
        )
        return build

    return register
