"""What is to be verified: one program, how it is started, and how patient to be with it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...notebooks.notebook_cells import Cells


def standing_in(size: int) -> tuple[int, ...]:
    """The ranks of a job of so many workers that say most of the others.

    Both ends of what is shared out unevenly, and both sides of `rank < 8` and `rank % 2`.
    """
    return tuple(sorted({0, 1, size // 2, size - 1}))


@dataclass(frozen=True)
class Job:
    """A question to `distify verify`; `timeout` is in seconds, 0 steps means no limit."""

    script: Path
    arguments: tuple[str, ...] = ()
    workers: int = 2
    hosts: str | None = None  # as horovodrun takes them: `host1:2,host2:2`
    python: str | None = None
    timeout: float = 60.0
    limit_steps: int = 0
    limit_time: float = 0.0  # seconds of a whole run; 0: no limit
    seed_per_rank: bool = True
    data: str = ""  # "tiny": small synthetic arrays in the place of keras.datasets
    baseline: Path | None = None  # the single-process program to compare with
    reference: bool = True
    model: bool = False  # the training graphs are written and judged, too
    tla: Path | None = None  # the folder for their modules of TLA+
    ranks: tuple[int, ...] = ()  # of `size`, which the workers stand in for; empty: all there are
    resume: bool = False  # it is run twice: the second run finds what the first one wrote
    cells: Cells | None = None  # of the notebook that the script is made of
    measured: tuple[int, ...] = ()  # other numbers of workers with which its speed is measured
    timeline: Path | None = None  # where what the workers did is to be written, as a trace
    machines: int = 1  # as which this one is to look like, each with a copy of the folder
    told: int = 0  # how many workers the program is told of, where that is not how many there are

    @property
    def size(self) -> int:
        """What `hvd.size()` says in the job."""
        return self.told or self.workers

    @property
    def root(self) -> Path:
        """The folder of the script: what lies below it is the user's code."""
        return self.script.resolve().parent
