"""All that a run found as one flat list: what every format for other programs is made from."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from distify.codemods.program.records import NamedTuple

from .. import codemods
from ..files import levels
from ..files.outcome import Outcome
from ..files.reader import Problem
from .extents import Extents
from .frame import split
from .repository_paths import from_root
from .spots import cells, mark

if TYPE_CHECKING:
    from distify.codemods.model import Finding

    from ..notebooks.notebook_cells import Cells
    from .result_report import Report

UNREADABLE = "unreadable"  # in the place of a code


class Remark(NamedTuple):
    """One place with what is said of it; line and column count from 1.

    In a notebook the line is one of the cell of that number, and `in_file` that of its JSON.
    """

    path: str
    line: int
    column: int
    code: str
    level: str  # levels.ERROR, WARNING or NOTE
    message: str
    fix: str = ""
    reason: str | None = None  # why a person takes it on them; None: nobody does
    comment: int = 0  # the line of that person's comment; 0: the settings say it
    statement: str = ""  # the line of code without its indentation
    number: int = 0  # among those of one file with this code and statement
    end_line: int = 0
    end_column: int = 0  # behind the last sign
    cell: int = 0  # of a notebook
    in_file: int = 0  # the line on disk, where that is another one
    becomes: str = ""  # what rules would have made of the line, had it been proved
    is_taken_on: bool = False  # an obligation of the judge's; else a finding is suppressed

    @property
    def text(self) -> str:
        """What is said, what the line would have become, and what to do about it."""
        parts = (self.message, self.becomes and f"would become: {self.becomes}",
                 self.fix and f"fix: {self.fix}")  # fmt: skip
        return "\n".join(filter(None, parts))

    @property
    def fingerprint(self) -> str:
        """The same as long as the line stays what it is, wherever it stands; unlike all others."""
        known_by = "\0".join((from_root(self.path), self.code, self.statement, str(self.number)))
        return hashlib.sha256(known_by.encode("utf-8", "replace")).hexdigest()[:32]

    @property
    def place(self) -> str:
        """`train.py:3:5`; `train.ipynb:cell 2:3:5`."""
        return f"{self.path}{mark(self.cell, self.line)}:{self.column}"

    @property
    def on_disk(self) -> tuple[int, int]:
        """Line and column as forges show the file: of a cell's line the beginning is known."""
        return (self.in_file, 1) if self.in_file else (self.line, self.column)


def of(report: Report) -> list[Remark]:
    """The remarks of a report, by file and place."""
    found = list(_found(report))
    seen: dict[tuple[str, str, str], int] = {}
    numbered = []
    for each in sorted(found, key=_order):
        key = (each.path, each.code, each.statement)
        seen[key] = number = seen.get(key, -1) + 1
        numbered.append(each._replace(number=number))
    return numbered


def statistics(remarks: Iterable[Remark]) -> list[tuple[str, int]]:
    """How often each code comes, the most frequent first, without what a person takes on them."""
    counts = Counter(each.code for each in remarks if each.reason is None)
    return sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))


def _order(remark: Remark) -> tuple[str, int, int, int, str, str]:
    place = remark.path, remark.cell, remark.line, remark.column
    return (*place, remark.code, remark.message)


def _found(report: Report) -> Iterator[Remark]:
    yield from map(_of_problem, report.result.problems)
    summaries = {rule.code: rule.summary for rule in codemods.rules()}
    for outcome in report.result.outcomes:
        if outcome.problem:
            yield _of_problem(outcome.problem)
        else:
            yield from _of_outcome(outcome, summaries, report.written)


def _of_problem(problem: Problem) -> Remark:
    line, column = max(problem.line, 1), max(problem.column, 1)
    told = Remark(problem.name, line, column, UNREADABLE, levels.ERROR, problem.message)
    told = told._replace(end_line=line, end_column=column)
    return told._replace(cell=problem.cell, in_file=int(problem.cell > 0))


def _of_outcome(
    outcome: Outcome, summaries: Mapping[str, str], is_written: bool
) -> Iterator[Remark]:
    migration = outcome.migration
    if migration is None:
        return
    said = partial(_said, split(migration.before), Extents(migration.before, cells(outcome)))
    if outcome.changed and not is_written:
        for due in migration.changing_rules:
            level = levels.level(outcome, due.code, levels.WARNING)
            for line, column in due.places:
                place = (outcome.name, line, column + 1, due.code, level)
                yield said(Remark(*place, summaries.get(due.code, due.code)))
    for findings, default in ((migration.blocked, levels.ERROR), (migration.notes, levels.NOTE)):
        for finding in findings:
            yield said(_of_finding(outcome, finding, default))
    for each in migration.suppressed:
        default = levels.ERROR if each.blocks else levels.NOTE
        taken = _of_finding(outcome, each.finding, default)
        yield said(taken._replace(reason=each.reason, comment=each.line))
    for accepted in outcome.taken_on:
        taken = _of_finding(outcome, accepted.finding, levels.ERROR)
        taken = taken._replace(reason=f"{accepted.obligation} is taken on: {accepted.reason}")
        yield said(taken._replace(comment=accepted.line, is_taken_on=True))


def _of_finding(outcome: Outcome, finding: Finding, default: str) -> Remark:
    place = outcome.name, finding.line, finding.column + 1
    level = levels.level(outcome, finding.code, default)
    told = Remark(*place, finding.code, level, finding.message, finding.fix)
    return told._replace(becomes=finding.becomes)


def _said(lines: list[str], extents: Extents, remark: Remark) -> Remark:
    line = lines[remark.line - 1].strip() if remark.line <= len(lines) else ""
    end_line, end_column = extents.end(remark.line, remark.column)
    said = remark._replace(
        statement=line,
        message=" ".join(remark.message.split()),
        end_line=end_line,
        end_column=end_column,
    )
    return said if extents.cells is None else _in_cell(extents.cells, said)


def _in_cell(found: Cells, remark: Remark) -> Remark:
    cell, line = found.place(remark.line)
    return remark._replace(
        cell=cell,
        line=line,
        end_line=found.place(remark.end_line).line,
        comment=found.place(remark.comment).line if remark.comment else 0,
        in_file=found.json_line(remark.line),
    )
