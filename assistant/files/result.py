"""One run over files: find, look, write, tell; the commands only choose among these."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from distify.codemods.program.records import NamedTuple

from .. import interpreter
from ..report.terminal import Terminal
from . import config, projects
from .choice import Choice
from .config import FACTORIES, Settings, settings
from .discovery import Finder, Target
from .examine import examine, examine_bytes
from .outcome import Outcome
from .reader import Problem, reason
from .unused_ignores import looked_through, unused_ignores

if TYPE_CHECKING:
    from ..git.series import Commit
    from .known_findings import Findings
    from .writes import WriteFailed

STDIN = Target("<stdin>", "", named=True)
# So few files, with so few bytes in them, are looked at sooner than processes are started.
FEW, SHORT = 64, 200_000


class Compared(NamedTuple):
    """How many findings a baseline knew, and which of its own are no longer found."""

    known: int
    gone: Findings


class Result(NamedTuple):
    """Everything a report tells: outcomes worth a word, paths that failed, files searched."""

    outcomes: list[Outcome]
    problems: list[Problem]
    searched: int
    data: bytes = b""  # what came from standard input
    commits: tuple[Commit, ...] = ()  # of --commit, oldest first
    branch: str = ""  # that they are on
    plain: tuple[Target, ...] = ()  # files that a search of their bytes found no training in
    warnings: tuple[Problem, ...] = ()  # what was gone on without
    compared: Compared | None = None  # with a baseline
    seen: tuple[tuple[Target, Outcome | None], ...] = ()  # each before files were joined

    @property
    def failed(self) -> bool:
        """Whether something could not be read, decided or written."""
        return bool(self.problems) or any(outcome.problem for outcome in self.outcomes)


def look(
    paths: Sequence[str],
    choice: Choice,
    terminal: Terminal,
    force_exclude: bool = False,
    jobs: int | None = None,
) -> Result:
    """Reads and migrates in memory; every path that fails becomes a problem, the others go on.

    `jobs` says how many processes share the files if there are many; None: one a core.
    """
    interpreter.prepare()
    choice.validate()
    finder = Finder(config.excludes, force_exclude)
    targets = finder.find(paths)
    names = [target.name for target in targets]
    seen = list(terminal.watched(_look_at_all(targets, choice, jobs), names))
    apart = tuple(zip(targets, seen))
    if any(each is not None and each.migration and each.migration.modules for each in seen):
        seen = _settle_together(seen, targets, choice)
    choice.keep()
    outcomes = [each for each in seen if each is not None]
    plain = tuple(target for target, each in zip(targets, seen) if each is None)
    in_vain = (*unused_ignores(paths, outcomes), *unused_factories(paths, targets))
    warnings = tuple(map(_with_short_name, (*finder.warnings, *choice.unread, *in_vain)))
    return Result(
        outcomes, finder.problems, len(targets), plain=plain, warnings=warnings, seen=apart
    )


def _settle_together(
    seen: Sequence[Outcome | None], targets: Sequence[Target], choice: Choice
) -> list[Outcome | None]:
    """The outcomes of files that change together, with what is kept of the first one's project."""
    from . import projects
    from .together import settled  # most files change alone

    first = next(each.target for each in seen if each and each.migration and each.migration.modules)
    memory = choice.memory_for(os.path.dirname(first.path))
    if memory is None:
        return settled(seen, targets, choice.options_for)
    with projects.knowing(memory.sketches):
        return settled(seen, targets, choice.options_for)


def _with_short_name(problem: Problem) -> Problem:
    """Named as a person would from the current folder."""
    inside = problem.name.startswith(os.path.join(os.getcwd(), ""))
    return problem._replace(name=os.path.relpath(problem.name)) if inside else problem


def _look_at_all(
    targets: Sequence[Target], choice: Choice, jobs: int | None
) -> Iterator[Outcome | None]:
    """One answer per target, in order, from this process or from several."""
    jobs = cores() if jobs is None else jobs
    if jobs == 1 or _are_few(targets):
        return examine(targets, choice.options_for, choice.memory_for)
    from .crew import examine_together  # a hook never waits for it

    return examine_together(targets, choice, min(jobs, len(targets)))


def _are_few(targets: Sequence[Target]) -> bool:
    """Whether files are looked at before other processes would have begun."""
    if not 1 < len(targets) < FEW:
        return len(targets) < FEW
    return sum(_size(target.path) for target in targets) < SHORT


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:  # which is said of it when it is read
        return 0


def cores() -> int:
    """How many processes can run at once here."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def look_at_input(data: bytes, choice: Choice) -> Result:
    """The same for standard input; settings are those of the current folder."""
    interpreter.prepare()
    outcome = examine_bytes(STDIN, data, choice.options_for(os.getcwd()))
    return Result([outcome], [], 1, data, warnings=tuple(map(_with_short_name, choice.unread)))


def write(result: Result) -> Result:
    """Writes what changed, all of it or nothing; the result says what could not be written."""
    from . import originals
    from .leftovers import remove_dead  # a run that only looks needs none of it
    from .writes import Change, WriteFailed, write_all

    targets = [*(outcome.target for outcome in result.outcomes), *result.plain]
    remove_dead(os.path.dirname(target.path) for target in targets if target.path)
    outcomes = refuse_unwritable(result.outcomes)
    changes = [
        Change(outcome.target.path, outcome.source.data, outcome.after)
        for outcome in outcomes
        if outcome.changed and outcome.source and outcome.after is not None
    ]
    try:
        write_all(changes)
    except WriteFailed as failure:
        outcomes = [_unwritten(outcome, failure) for outcome in outcomes]
    else:
        originals.keep(changes)
    return result._replace(outcomes=outcomes)


def refuse_unwritable(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """What can be seen beforehand keeps a file from being written, and what changes with it."""
    before = list(outcomes)
    seen = [_refusal_of(outcome) for outcome in before]
    if any(outcome.migration and outcome.migration.modules for outcome in seen):
        return refuse_halves(seen, before)
    return seen


def _refusal_of(outcome: Outcome) -> Outcome:
    from .writes import Change, obstacle

    if not outcome.changed or outcome.source is None or outcome.after is None:
        return outcome
    try:
        cause = obstacle(Change(outcome.target.path, outcome.source.data, outcome.after))
    except OSError as error:
        cause = reason(error)
    return _with_problem(outcome, cause) if cause else outcome


def _unwritten(outcome: Outcome, failure: WriteFailed) -> Outcome:
    if not outcome.changed:
        return outcome
    if outcome.target.path == failure.path:
        return _with_problem(outcome, f"could not be written: {failure.cause}")
    return _with_problem(outcome, f"was not written, because {failure.path} could not be")


def _with_problem(outcome: Outcome, cause: str) -> Outcome:
    return outcome._replace(problem=Problem(outcome.name, cause))


def problems(result: Result) -> Iterable[Problem]:
    """Everything that failed, in the order of the names."""
    own = [outcome.problem for outcome in result.outcomes if outcome.problem]
    return sorted([*result.problems, *own])


# -- no half of what changes together is written -------------------------------------------------

HALF = "was not written, because `{}` has to change together with it and can't be"


def refuse_halves(outcomes: Sequence[Outcome], before: Sequence[Outcome]) -> list[Outcome]:
    """The outcomes; no file of a program is to be written if another one of it can't be.

    What was judged is what all of them would be; `before` are the outcomes when that was asked.
    """
    found = {each.target.path: each for each in outcomes}
    changed = {each.target.path for each in before if each.changed}
    units = [_unit(each, changed) for each in before if each.migration and each.migration.modules]
    for _ in units:  # a file may belong to several entries
        for unit in units:
            failed = next((found[path] for path in unit if found[path].problem), None)
            for path in unit:
                if failed is not None and found[path].changed:
                    cause = HALF.format(failed.name)
                    found[path] = found[path]._replace(problem=Problem(found[path].name, cause))
    return [found[each.target.path] for each in outcomes]


def _unit(entry: Outcome, changed: set[str]) -> list[str]:
    """The files of a program that change."""
    assert entry.migration is not None
    others = (other.path for other in entry.migration.others)
    paths = (projects.path_of(entry.target.path, n) for n in (*others, *entry.migration.modules))
    return [path for path in dict.fromkeys((entry.target.path, *paths)) if path in changed]


# -- factories that the settings name and no file has a word of ----------------------------------

MESSAGE = "[tool.distify] {} names {!r:.60}, of which no file here has a word"
_KEYS = {role: key for key, role in FACTORIES.items()}


def unused_factories(paths: Iterable[str], targets: Collection[Target]) -> Iterator[Problem]:
    """One for each name, of settings whose whole folder was looked through."""
    for own in looked_through(paths, (each.path for each in targets)):
        if own.factories:
            yield from _of_settings(own, targets)


def _of_settings(own: Settings, targets: Iterable[Target]) -> Iterator[Problem]:
    mine = (each.path for each in targets if settings(os.path.dirname(each.path)) == own)
    texts = [projects.text_of(path) or "" for path in mine]
    for name, role in own.factories:
        word = name.rpartition(".")[2]
        if not any(word in text for text in texts):
            yield Problem(own.path, MESSAGE.format(_KEYS[role], name))
