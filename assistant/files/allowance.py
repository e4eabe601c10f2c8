"""What looks at the files of a project may cost: no project goes on for ever, however large.

A file gets a part of what the files before it have left, and a little in any case; past that it is
refused by name. What a look costs is counted, so that the answer is the same on every machine, and
from however many processes: who looks ahead knows less of what was spent, and may only do more.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Callable

from distify.codemods.program.records import NamedTuple

from . import projects
from .discovery import Target

if TYPE_CHECKING:
    from .outcome import Outcome

STEPS = 30_000_000  # of all files of a project
PART = 4  # the largest file takes one such part of what is left
LEAST = 100_000  # 5,000 lines by themselves


class Looked(NamedTuple):
    """What became of a file, and the steps that it took to know that."""

    outcome: Outcome | None
    steps: int


Refused = Callable[["Target", int], "Outcome | None"]  # what costs more than so many steps


class Allowance:
    """How much is left of each project."""

    def __init__(self, refused: Refused) -> None:
        self._refused = refused
        self._left: dict[str, int] = {}

    def of(self, path: str) -> int:
        """The steps that a look at a file may take now."""
        return max(LEAST, self._left.get(_project(path), STEPS) // PART)

    def paid(self, target: Target, looked: Looked) -> Outcome | None:
        """The outcome, refused if it costs more than is allowed; files are paid for in order."""
        allowed, project = self.of(target.path), _project(target.path)
        left = self._left.get(project, STEPS)
        self._left[project] = max(0, left - min(looked.steps, allowed))
        return looked.outcome if looked.steps <= allowed else self._refused(target, allowed)


def _project(path: str) -> str:
    return projects.root(os.path.dirname(path))
