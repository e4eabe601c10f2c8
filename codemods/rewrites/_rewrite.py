"""What a rewrite is: edits whose places the facts decide on, and a Bowler query that makes them.

A module of this folder named `d<code>_<name>.py` registers one rewrite with the decorator below;
there is no list to keep.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Callable

from ..edits import At, Places
from ..model import OWN_BATCH, Options
from ..program.records import NamedTuple

if TYPE_CHECKING:
    from bowler import Query

    from ..facts import Facts
else:

    class Query:
        """Bowler's query; its import takes longer than most files, and few files need it."""

        def __new__(cls):
            from ._bowler import Query as BowlerQuery

            return BowlerQuery()


__all__ = ["REGISTRY", "Query", "Rewrite", "rewrite"]

Find = Callable[["Facts"], Iterable[At]]
Build = Callable[[Places], "Query"]


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
    keras: str = ""  # and which Keras, as a person asks for it
    warmup: int = 0  # and the epochs in which rates grow
    batch: str = OWN_BATCH  # and whose a batch is

    @property
    def options(self) -> Options:
        """What a person chooses for whom the example is meant."""
        chosen = Options(tensorflow=self.tensorflow, keras=self.keras)
        return chosen._replace(warmup=self.warmup, batch=self.batch)


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
    keras: str = "",
    warmup: int = 0,
    batch: str = OWN_BATCH,
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
            keras=keras,
            warmup=warmup,
            batch=batch,
        )
        return build

    return register
