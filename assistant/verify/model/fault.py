"""What a model says: faults with the way they come about, what is proved, and what is assumed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

CONVICTED = "convicted"  # the run saw it, too
POSSIBLE = "possible"  # the graph allows it; this run did not see it
NOTE = "note"  # only if what was alike in this run is not always
WAITS = frozenset({"M02", "M04", "M05"})  # of these a run stands still
SAFE, NOT_SAFE, NOT_MODELLED = "SAFE", "NOT SAFE", "COULD NOT BE MODELLED"

# What every proof here stands on; told with each, as it is not checked by the model.
ASSUMED = (
    "all workers start from equal variables (the run checks the trained ones)",
    "equal inputs give equal results in every kernel (GPU atomics may round differently)",
    "Python outside of the graphs does the same on all workers",
)


@dataclass(frozen=True)
class Step:
    """One place on the way of a difference: a line of the program, and what is computed there."""

    where: str | None
    what: str


@dataclass(frozen=True)
class Fault:
    """One root cause; `path` leads from what goes wrong back to where it comes from."""

    code: str
    title: str
    text: str = ""
    grade: str = POSSIBLE
    where: str | None = None
    names: tuple[str, ...] = ()  # of variables, collectives or a queue, the nearest one first
    path: tuple[Step, ...] = ()
    fix: str = ""
    graph: str = ""


@dataclass(frozen=True)
class Answer:
    """All that was found out about the training graphs of a run."""

    graphs: int = 0
    operations: int = 0
    collectives: int = 0
    faults: tuple[Fault, ...] = ()
    unmodelled: tuple[str, ...] = ()  # why the program, or a part of it, is outside of the model
    proved: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ASSUMED

    @property
    def headline(self) -> str:
        """A fault is told whatever else was left out; without one, all must have been modelled."""
        if any(fault.grade != NOTE for fault in self.faults):
            return NOT_SAFE
        return NOT_MODELLED if self.unmodelled or not self.graphs else SAFE

    @property
    def exit_code(self) -> int:
        """0 safe, 1 not safe, 2 could not be modelled."""
        return (SAFE, NOT_SAFE, NOT_MODELLED).index(self.headline)
