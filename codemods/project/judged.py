"""A program of several files before the judge: all of them as they would lie on disk."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack

from ..facts import Facts
from ..gate.judging import Texts, approved, stamped
from ..gate.too_large import too_large_together
from ..migrate import judged_alone
from ..model import BLOCKED, Finding, Migration, Options, SyntaxProblem
from ..program.graph import TooLarge
from .joined import Joined, join
from .refused import CODE, NAMED, UNREAD
from .renaming import CannotJoin
from .report import Report
from .texts import Project


def judged_files(
    seen: Migration,
    joined: Joined,
    changed: Mapping[str, str],
    options: Options,
    name: str,
    is_handwritten: bool = False,
) -> Migration:
    """The migration with what is proved of its files, told by lines of the joined program.

    `changed` are the texts that take the place of those of these paths. Raises TooLarge.
    """
    before = {path: joined.texts[path] for path in (joined.entry.path, *joined.files)}
    after = {path: changed.get(path, text) for path, text in before.items()}

    until_then = ExitStack()

    def of_result() -> Facts:
        result = join(joined.project.changed(after), until_then)
        if result is None:
            return Facts.of(after[joined.entry.path], options, name)
        return Facts(result.source, options, result)

    texts = Texts(joined.entry.path, before, after, is_handwritten)
    try:
        with until_then:
            return approved(seen, texts, options, of_result, joined.line)
    except CannotJoin as error:  # a star import that takes a new name away, say
        return seen.refused(Finding(1, 0, CODE, UNREAD.format(error), NAMED, BLOCKED))


def judged_together(
    seen: Migration,
    project: Project,
    changed: Mapping[str, str],
    options: Options,
    name: str,
    is_handwritten: bool = False,
) -> Migration:
    """The migration of an entry with what is proved of its program, or refused.

    `changed` has the texts of all files that are to change, by their paths; those that are no part
    of this program are passed over.
    """
    before = project.texts[project.entry]
    try:
        joined = join(project)
    except (CannotJoin, SyntaxProblem):
        joined = None
    if joined is None:  # nothing else of it can be read
        after = changed.get(project.entry, before)
        return judged_alone(seen, before, after, options, name, is_handwritten)
    empty = Migration(before, seen.pattern)
    try:
        judged = judged_files(empty, joined, changed, options, name, is_handwritten)
    except TooLarge:
        return seen.refused(*too_large_together(before, joined.files).blocked)
    told = Report(joined).told(judged)
    seen = seen._replace(proofs=told.proofs, taken_on=told.taken_on)
    return seen.refused(*told.blocked) if told.blocked else stamped(seen)
