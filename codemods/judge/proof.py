"""What the judge answers: for an obligation, whether it holds of a program, and why."""

from __future__ import annotations

from ..program.records import NamedTuple

# Whether an obligation holds: nobody writes a result of which it isn't proved.
PROVED, VIOLATED, NOT_PROVED = "proved", "violated", "not proved"
# How *size* holds where nothing grows: which examples a worker has is then a matter of time only.
KEPT_HOW = "no learning rate grows with the number of workers"

# Where each worker's share is cut, on the ladder (`rungs`).
FILES, ARRAYS, PIPELINE, TURNS = 0, 1, 2, 3
WORDS = {
    FILES: "files before they are read",
    ARRAYS: "arrays at their source",
    PIPELINE: "elements of a pipeline",
    TURNS: "whole batches in turns",
}


class Proof(NamedTuple):
    """The answer of a prover about one obligation, at one place of a program or for all of it.

    `line` counts from 1 in the text that was judged, 0: the whole program; `column` from 0 in
    characters. `verdict` is one of the three above. `why` is a sentence: how it was proved, or
    what is wrong. `code`: the way in which it is violated, where that has a page of its own.
    `assumptions`: what must be so outside of the program. `rungs`: where shares are cut (`rungs`).
    """

    obligation: str
    verdict: str
    why: str
    path: str = ""
    line: int = 0
    column: int = 0
    fix: str = ""
    code: str = ""
    assumptions: tuple[str, ...] = ()
    rungs: tuple[int, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether nothing is in the way of writing the program."""
        return self.verdict == PROVED
