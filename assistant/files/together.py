"""Files that change only together: all of an entry's project that needs it, or nothing."""

from __future__ import annotations

import os
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from .. import codemods
from . import gate, projects
from .discovery import Target
from .examine import OptionsFor, encoded, examine_bytes
from .obstacles import Wishes, others_of, path_of, referring, refusals
from .outcome import Outcome
from .reader import Problem, reason
from .source import Unreadable, decode, read
from .starters import Known, Starters

if TYPE_CHECKING:
    from distify.codemods.model import Finding, Migration, Other

Outcomes = Sequence["Outcome | None"]


def settled(
    outcomes: Outcomes, targets: Sequence[Target], options_for: OptionsFor
) -> list[Outcome | None]:
    """The outcomes, with what entries change in other files; refused where that can't be.

    What would lie on disk then is judged; who only looks is told the same, for which some files
    are looked at again with their texts.
    """
    with_texts = met(outcomes)
    is_look = any(each and each.migration and each.migration.unmade for each in outcomes)
    made = looked_at_again(outcomes, targets, options_for, with_texts)
    while True:
        found, lacking = _judge_until_settled(made, targets, options_for)
        if not lacking - with_texts:
            return [without_texts(each) for each in found] if is_look else found
        with_texts |= lacking
        made = looked_at_again(outcomes, targets, options_for, with_texts)


def _judge_until_settled(
    outcomes: Outcomes, targets: Sequence[Target], options_for: OptionsFor
) -> tuple[list[Outcome | None], frozenset[str]]:
    """The outcomes once nothing of them is refused, and entries whose texts are lacking for that.

    What is refused is taken out, and the rest judged again.
    """
    made = list(outcomes)
    starters = options_for_texts(options_for)
    while True:
        apart, found = _outcomes_by_path(made, targets, starters)
        verdict = gate.judged(apart, found, options_for)
        if not verdict.refused:
            passed = [_as_judged(found[target.path], verdict.passed) for target in targets]
            return passed, verdict.lacking
        refused = verdict.refused
        made = [
            each._replace(migration=refused[each.target.path], proposed=None)
            if each is not None and each.target.path in refused
            else each
            for each in made
        ]


def _as_judged(outcome: Outcome | None, passed: Mapping[str, Migration]) -> Outcome | None:
    """The outcome of a file whose text was judged as it is to be."""
    migration = passed.get(outcome.target.path) if outcome is not None else None
    if outcome is None or migration is None or outcome.migration is None:
        return outcome
    return outcome._replace(migration=outcome.migration.stamped)


def _outcomes_by_path(
    outcomes: Outcomes, targets: Sequence[Target], options_for: OptionsFor
) -> tuple[list[Outcome | None], dict[str, Outcome | None]]:
    """What each entry makes by itself, and what becomes of every file, by its path."""
    known = dict(zip((target.path for target in targets), zip(targets, outcomes)))
    starters = Starters(known, options_for)
    outcomes = [each and starters.joined(each) if others_of(each) else each for each in outcomes]
    known = dict(zip((target.path for target in targets), zip(targets, outcomes)))
    entries = [each for each in outcomes if each is not None and others_of(each)]
    wishes = Wishes(entries, starters.started)
    known.update(_unreadable_files(entries, known))
    found = {path: each for path, (_, each) in known.items()}
    refused: dict[str, Finding] = {}
    for _ in entries:  # what is refused for one entry may be what another one waits for
        fresh = dict(refusals(entries, refused, known, wishes))
        refused.update(fresh)
        if not fresh:
            break
    for entry in entries:
        finding = refused.get(entry.target.path)
        if finding is not None:
            found[entry.target.path] = _refuse_for(entry, finding)
            continue
        for other in others_of(entry):
            if path_of(entry, other) in known:
                target, before = known[path_of(entry, other)]
                found[target.path] = _with_change(target, found[target.path], before, other)
    for path, finding in _answers(outcomes, refused, found).items():
        seen = found.get(path)
        if seen is not None and _is_not_started(seen):
            found[path] = _refuse_for(seen, finding, alone=True) if finding is not None else None
    made = [
        found[each.target.path] if each is not None and each.target.path in refused else each
        for each in outcomes
    ]
    return made, found


def _unreadable_files(
    entries: Iterable[Outcome], known: Known
) -> Iterator[tuple[str, tuple[Target, Outcome | None]]]:
    """The files that have to change and can't be read again or written back."""
    for entry in entries:
        for other in others_of(entry):
            path = path_of(entry, other)
            if path in known:
                target, before = known[path]
                made = _with_change(target, None, before, other)
                if made.problem:
                    yield path, (target, made)


def _answers(
    outcomes: Outcomes, refused: Mapping[str, Finding], made: Mapping[str, Outcome | None]
) -> dict[str, Finding | None]:
    """The refused files whose training entries start, and what keeps all of these from changing."""
    asked = {
        path for path, each in made.items() if each and each.migration and each.migration.blocked
    }
    seen = {each.target.path: each.migration for each in outcomes if each and not each.problem}
    found: dict[str, Finding | None] = {}
    for entry in outcomes:
        migration = seen.get(entry.target.path) if entry is not None else None
        if entry is None or migration is None or not migration.is_started:
            continue
        blocked = refused.get(entry.target.path) or next(iter(migration.blocked), None)
        answer = None if blocked is None else referring(entry, blocked)
        for path in _parts(entry, migration, seen, asked):
            found[path] = answer
            if answer is None:  # whatever others say
                asked.discard(path)
    return found


def _parts(
    entry: Outcome,
    migration: Migration,
    seen: Mapping[str, Migration | None],
    asked: Collection[str],
) -> Iterator[str]:
    """Those files of some that train for an entry, or only hand on what these do."""
    own = entry.target.path
    places = ((name, projects.path_of(own, name)) for name in migration.modules)
    paths = {name: path for name, path in places if path in asked}
    trained = {projects.path_of(own, name) for name in migration.trains_in}
    for name, path in paths.items():
        is_part = name in migration.trains_in or _hands_on(path, seen.get(path), trained)
        if is_part or _is_run(own, path, seen.get(path)):
            yield path


def _is_run(program: str, path: str, seen: Migration | None) -> bool:
    """Whether a program that trains runs what trains in a file: `minimize` of an Estimator, say."""
    lines = {each.line for each in seen.evidence} if seen is not None else set()
    return path != program and bool(lines) and projects.runs(program, path, lines)


def _hands_on(path: str, seen: Migration | None, trained: set[str]) -> bool:
    """Whether a file leaves all of its training to these, and the start to others."""
    if seen is None or seen.is_started or not seen.trains_in:
        return False
    return {projects.path_of(path, name) for name in seen.trains_in} <= trained


def _is_not_started(outcome: Outcome) -> bool:
    """Whether a file trains only where others start it: alone it is not all there is to be seen."""
    migration = outcome.migration
    if migration is None or not migration.blocked:
        return False
    lines = {e.line for e in migration.evidence} | {f.line for f in migration.blocked}
    return not projects.runs(outcome.target.path, outcome.target.path, lines)


def _refuse_for(entry: Outcome, finding: Finding, alone: bool = False) -> Outcome:
    """The same, refused for a finding; `alone`: only for that."""
    migration = entry.migration
    assert migration is not None
    blocked = (*migration.blocked, finding)
    if alone:
        line = min((each.line for each in migration.evidence), default=migration.blocked[0].line)
        migration = migration._replace(notes=(), repairs=())
        blocked = (finding._replace(line=line),)
    migration = migration._replace(blocked=blocked, steps=(), unmade=(), others=())
    return entry._replace(migration=migration, proposed=None)


def _with_change(
    target: Target, found: Outcome | None, before: Outcome | None, other: Other
) -> Outcome:
    """A file that changes for an entry, and has for others; what was said of it is answered."""
    migration = other.migration
    if found is not None and found.changed and found.migration is not None:
        migration = codemods.merged(found.migration, migration) or migration
    outcome = Outcome(target, before.source if before is not None else None, migration)
    try:
        source = outcome.source or decode(read(target.path))
        if source.text != other.migration.before:
            raise Unreadable("it was changed while distify looked at it; try again")
        return encoded(outcome._replace(source=source))
    except OSError as error:
        cause = reason(error)
    except Unreadable as error:
        cause = error.message
    return outcome._replace(problem=Problem(target.name, cause))


# -- files that several entries wish changed -----------------------------------------------------


def met(outcomes: Sequence[Outcome | None]) -> set[str]:
    """The paths of outcomes without texts that change one file with others."""
    wished: dict[str, set[str]] = {}
    for outcome in outcomes:
        migration = outcome.migration if outcome is not None and outcome.changed else None
        if outcome is None or migration is None or not migration.unmade:
            continue
        own = outcome.target.path
        wished.setdefault(own, set()).add(own)
        for other in migration.others:
            wished.setdefault(projects.path_of(own, other.path), set()).add(own)
    return {path for paths in wished.values() if len(paths) > 1 for path in paths}


def looked_at_again(
    outcomes: Sequence[Outcome | None],
    targets: Sequence[Target],
    options_for: OptionsFor,
    paths: Container[str],
) -> list[Outcome | None]:
    """The outcomes, those of these paths with their texts."""
    makes = options_for_texts(options_for)
    return [
        _looked_at_again(target, seen, makes) if target.path in paths else seen
        for target, seen in zip(targets, outcomes)
    ]


def options_for_texts(options_for: OptionsFor) -> OptionsFor:
    """The options of who doesn't only look."""
    return lambda folder: options_for(folder)._replace(only_look=False)


def _looked_at_again(
    target: Target, seen: Outcome | None, options_for: OptionsFor
) -> Outcome | None:
    if seen is None or seen.migration is None or not seen.migration.unmade:
        return seen
    try:
        data = read(target.path)
    except OSError:  # it was there before: another one is told of that
        return seen
    return examine_bytes(target, data, options_for(os.path.dirname(target.path)))


def without_texts(outcome: Outcome | None) -> Outcome | None:
    """The same for who only looks: which rules are due, and where."""
    migration = outcome.migration if outcome is not None else None
    if outcome is None or migration is None or not migration.steps:
        return outcome
    return outcome._replace(proposed=None, migration=migration.without_texts)
