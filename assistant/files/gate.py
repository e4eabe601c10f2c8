"""The last question before anything is written: what is proved of all files together.

Each entry was judged with what it changes itself. Where a file changes for another one, too, or
doesn't change after all, or a program has to start Horovod for an entry, what would lie on disk is
something else than that, and comes before the judge again.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Optional

from distify.codemods.program.records import NamedTuple

from .. import codemods
from . import per_file, projects
from .examine import OptionsFor
from .obstacles import others_of, path_of
from .outcome import Outcome

if TYPE_CHECKING:
    from distify.codemods.model import Finding, Migration

Found = Mapping[str, "Outcome | None"]
APART = "`{}` has to change together with this file: {} (line {} there)"


class Verdict(NamedTuple):
    """What is said of the programs: entries that are refused, those without texts to be judged.

    `passed` are the texts of files, by their paths, that were judged again and may be written.
    """

    refused: Mapping[str, Migration]
    lacking: frozenset[str]
    passed: Mapping[str, Migration]


class _Program(NamedTuple):
    """What is started, for which entry, and what that entry's own judge has seen of each file."""

    path: str
    entry: Outcome
    seen: Mapping[str, Optional[Migration]]  # noqa: UP045  None: as it is
    is_started: bool  # whether it only starts Horovod for the entry


def judged(outcomes: Sequence[Outcome | None], found: Found, options_for: OptionsFor) -> Verdict:
    """Judges what has not been judged as it would be; `outcomes` are the entries' own, apart.

    `found` is what is to become of each file.
    """
    gate = _Gate(outcomes, found, options_for)
    for program in _programs(outcomes):
        gate.judge(program)
    return Verdict(gate.refused, frozenset(gate.lacking), gate.passed)


class _Gate:
    """Judges one program after the other."""

    def __init__(
        self, outcomes: Sequence[Outcome | None], found: Found, options_for: OptionsFor
    ) -> None:
        self._outcomes, self._found, self._options_for = outcomes, found, options_for
        self.refused: dict[str, Migration] = {}
        self.lacking: set[str] = set()
        self.passed: dict[str, Migration] = {}

    def judge(self, program: _Program) -> None:
        """Judges a program, unless what is to become of it has been judged."""
        now = {path: _changes(self._found.get(path)) for path in program.seen}
        fresh = {path for path, was in program.seen.items() if not _is_same(was, now[path])}
        if not any(now.values()) or not (fresh or program.is_started):
            return
        if any(each is not None and each.unmade for each in now.values()):
            self.lacking.update(each.target.path for each in self._wishing(set(now)))
            return
        answer = _judge_program(program, now, self._options_for)
        if answer is None:
            return
        if not answer.blocked:
            self.passed.update((path, each) for path, each in now.items() if each is not None)
        elif program.is_started or not program.entry.changed:
            self._refuse_others(program, answer, fresh or set(now))
        else:
            self.refused[program.path] = answer

    def _refuse_others(self, program: _Program, answer: Migration, paths: set[str]) -> None:
        """Refuses the entries for which a program changes that isn't changed itself."""
        for entry in self._wishing(paths):
            assert entry.migration is not None
            name = projects.relative(program.path)
            told = (_at_entry(entry, name, each) for each in answer.blocked)
            self.refused[entry.target.path] = entry.migration.refused(*told)

    def _wishing(self, paths: set[str]) -> Iterator[Outcome]:
        """The entries that change one of these files."""
        for outcome in self._outcomes:
            if outcome is not None and outcome.changed:
                others = (path_of(outcome, each) for each in others_of(outcome))
                if paths & {outcome.target.path, *others}:
                    yield outcome


def _programs(outcomes: Sequence[Outcome | None]) -> Iterator[_Program]:
    for outcome in outcomes:
        migration = outcome.migration if outcome is not None else None
        if outcome is None or migration is None or outcome.problem or migration.blocked:
            continue
        if not (outcome.changed or migration.modules):  # a module, which is no program by itself
            continue
        own, started = outcome.target.path, list[str]()
        seen: dict[str, Migration | None] = {
            projects.path_of(own, name): None for name in migration.modules
        }
        for other in others_of(outcome):
            path = path_of(outcome, other)
            seen[path] = other.migration
            if path != own and other.path not in migration.modules:
                started.append(path)
        seen[own] = migration if outcome.changed else None
        yield _Program(own, outcome, seen, False)
        for path in started:
            yield _Program(path, outcome, {**seen, own: seen[own]}, True)


def _changes(outcome: Outcome | None) -> Migration | None:
    """What is to become of a file, if anything is."""
    return outcome.migration if outcome is not None and outcome.changed else None


def _is_same(was: Migration | None, now: Migration | None) -> bool:
    """Whether a file is to be what the judge has seen."""
    if was is None or now is None or was.unmade or now.unmade:
        before, after = (each.changing_rules if each is not None else () for each in (was, now))
        return before == after
    return was.after == now.after


def _judge_program(
    program: _Program, now: Mapping[str, Migration | None], options_for: OptionsFor
) -> Migration | None:
    """The entry's migration with what is proved of a program, or refused; None: it is gone."""
    entry, own = program.entry, program.entry.source
    text = own.text if own and not program.is_started else projects.text_of(program.path)
    if text is None:
        return None
    name = projects.relative(program.path)
    project = projects.around(program.path, text) or codemods.project(name, {name: text})
    changed = {
        projects.relative_to(program.path, path): each.after
        for path, each in now.items()
        if each is not None
    }
    options = per_file.options_of(program.path, options_for(os.path.dirname(program.path)))
    assert entry.migration is not None
    seen = entry.migration._replace(blocked=())
    repaired = dict(_repaired_texts(program, now))
    if repaired:
        project = project.changed(repaired)
    return codemods.judged(seen, project, changed, options, program.path)


def _repaired_texts(
    program: _Program, now: Mapping[str, Migration | None]
) -> Iterator[tuple[str, str]]:
    """The texts that a person has had repaired: what the rules make is compared with those."""
    for path, each in now.items():
        if each is not None and each.repaired != each.before:
            yield projects.relative_to(program.path, path), each.repaired


def _at_entry(entry: Outcome, name: str, finding: Finding) -> Finding:
    """What is found in a program that starts Horovod for an entry, told of the entry."""
    message = APART.format(name, finding.message, finding.line)
    line = min((other.line for other in others_of(entry)), default=1)
    return finding._replace(line=line, column=0, message=message, reaches=0, becomes="")
