"""A notebook at the edge: its code cells are one module, and what is said of that is said of cells.

What is made of it is a script: `jupyter nbconvert --to script`, then horovodrun.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable

from .. import codemods
from ..notebooks.notebook_cells import Cells
from ..notebooks.syntax import Bad, refuse_no_python
from .discovery import Target
from .faults import problem_of
from .outcome import Outcome
from .source import Source, Unreadable, decode_notebook

if TYPE_CHECKING:
    from distify.codemods.model import Finding, Migration

PYTHON = ("python", "ipython")
NO_TRAINING = "no training loop"
OTHER = "a notebook of {}, not of Python"


def examined(target: Target, data: bytes, look: Callable[[Source], Outcome]) -> Outcome:
    """What `look` finds in the cells; a notebook that says nothing of training is not parsed."""
    if not codemods.may_concern(data):
        return Outcome(target, skipped=NO_TRAINING)
    source = None
    try:
        source = decode_notebook(data)
        if not codemods.may_concern(source.text.encode("utf-8", "surrogatepass")):
            return Outcome(target, source, skipped=NO_TRAINING)
        if other := language(source):
            return Outcome(target, source, skipped=OTHER.format(other))
        assert source.cells is not None
        for part in source.cells.parts:
            refuse_no_python(part.text, part.cell.number)
        return told(look(source))
    except Bad as error:
        bad = Unreadable(error.message, error.line, error.cell, error.column)
        return Outcome(target, problem=problem_of(target.name, bad))
    except Exception as error:
        problem = problem_of(target.name, error)
    if source is not None and source.cells is not None and problem.line:
        place = source.cells.place(problem.line)
        problem = problem._replace(line=place.line, cell=place.cell)
    return Outcome(target, problem=problem)


def language(source: Source) -> str:
    """The language of a notebook's kernel where that is another one than Python."""
    name = source.cells.layout.language if source.cells is not None else ""
    return "" if name.lower() in ("", *PYTHON) else name[:40]


def told(outcome: Outcome) -> Outcome:
    """The outcome with words about cells in the place of words about lines of the module."""
    migration, source = outcome.migration, outcome.source
    if migration is None or source is None or source.cells is None:
        return outcome
    return outcome._replace(migration=_in_words_of_cells(migration, source.cells))


def _in_words_of_cells(migration: Migration, found: Cells) -> Migration:
    def said(finding: Finding) -> Finding:
        return finding._replace(
            message=found.worded(finding.message),
            fix=found.worded(finding.fix),
            cause=found.worded(finding.cause),
        )

    return migration._replace(
        blocked=tuple(map(said, migration.blocked)),
        notes=tuple(map(said, migration.notes)),
        suppressed=tuple(
            each._replace(finding=said(each.finding)) for each in migration.suppressed
        ),
        repairs=tuple(
            each._replace(answers=tuple(map(said, each.answers))) for each in migration.repairs
        ),
    )
