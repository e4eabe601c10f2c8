"""Looks at files one after the other; nothing is written and nothing is printed here."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Callable

from distify.codemods.program.spending import Spent, counted, current
from distify.codemods.starting.collector import collected_afterwards

from .. import codemods
from . import allowance, per_file, projects
from .allowance import Allowance, Looked
from .budget import CALLS, TooLong, within
from .discovery import Target
from .faults import problem_of
from .files_of_tests import TESTS, stay_as_they_are
from .outcome import Outcome
from .reader import Problem, reason
from .source import (
    LARGEST_NOTEBOOK,
    MOST,
    Source,
    Unreadable,
    decode,
    decode_notebook,
    read,
)
from .source_names import NOTEBOOK

if TYPE_CHECKING:
    from distify.codemods.model import Migration, Options

    from .cache import Memory

SKIP_FILE = "# distify: skip-file"
OptionsFor = Callable[[str], "Options"]  # by the folder of a file
MemoryFor = Callable[[str], "Memory | None"]


def nothing(folder: str) -> None:
    """For who remembers nothing of earlier runs."""


def examine(
    targets: Iterable[Target], options_for: OptionsFor, memory_for: MemoryFor = nothing
) -> Iterator[Outcome | None]:
    """One answer per target, in order; None where a search of the bytes finds no training."""
    granted = Allowance(too_costly)
    for target in targets:
        allowed = granted.of(target.path)
        yield granted.paid(target, examine_one(target, options_for, memory_for, allowed))


def examine_one(
    target: Target, options_for: OptionsFor, memory_for: MemoryFor, allowed: int
) -> Looked:
    """The answer for one, and what it cost; one that costs more than is allowed is none."""
    with collected_afterwards(), counted(allowed) as spending:
        try:
            outcome = _examine_target(target, options_for, memory_for)
        except Spent:
            return Looked(None, allowed + 1)
        return Looked(outcome, spending.steps)


def too_costly(target: Target, allowed: int) -> Outcome | None:
    """The outcome of a file that costs more than is allowed."""

    def look(text: str) -> Migration:
        modules = {name: len(other) for name, other in _modules(target, text).items()}
        return codemods.too_costly(text, allowed, allowance.STEPS, modules)

    return looked_into(target, look)


def _modules(target: Target, text: str) -> dict[str, str]:
    """The other files that are read with it."""
    try:
        project = projects.around(target.path, text)
    except projects.TooMany:
        return {}
    others = project.texts.items() if project is not None else ()
    return {name: other for name, other in others if project and name != project.entry}


def looked_into(target: Target, look: Callable[[str], Migration]) -> Outcome:
    """The outcome of a file of whose text something is known already."""

    def told(source: Source) -> Outcome:
        return Outcome(target, source, look(source.text))

    try:
        if target.name.endswith(NOTEBOOK):
            from .notebook import examined

            return examined(target, read(target.path, LARGEST_NOTEBOOK), told)
        return told(decode(read(target.path)))
    except Exception as error:
        return Outcome(target, problem=problem_of(target.name, error))


def _examine_target(
    target: Target, options_for: OptionsFor, memory_for: MemoryFor
) -> Outcome | None:
    most = LARGEST_NOTEBOOK if target.name.endswith(NOTEBOOK) else MOST
    try:
        data = read(target.path, most)  # one byte more is enough to say that it is too large
    except OSError as error:
        return Outcome(target, problem=Problem(target.name, reason(error)))
    folder = os.path.dirname(target.path)
    if target.named or codemods.may_concern(data):
        return examine_bytes(target, data, options_for(folder), memory_for(folder))
    is_script = is_run(data) or bool(projects.started(target.path))
    return _by_others(target, data, folder, options_for, memory_for) if is_script else None


def _by_others(
    target: Target, data: bytes, folder: str, options_for: OptionsFor, memory_for: MemoryFor
) -> Outcome | None:
    """The outcome of a script that leaves all training to modules that it imports, if it does."""
    options = options_for(folder)
    outcome = examine_bytes(target, data, options, memory_for(folder))
    seen = outcome.migration
    if outcome.problem is not None:
        return outcome if _is_entry(target, data) else None
    return outcome if seen is not None and (seen.trains_in or seen.blocked) else None


def _is_entry(target: Target, data: bytes) -> bool:
    """Whether a file that made problems can be read, and imports modules of its project."""
    try:
        return projects.around(target.path, decode(data).text) is not None
    except projects.TooMany:
        return True
    except Unreadable:
        return False


def examine_bytes(
    target: Target,
    data: bytes,
    options: Options,
    memory: Memory | None = None,
    was: bytes | None = None,
) -> Outcome:
    """The outcome for these bytes; whatever goes wrong becomes a problem of this file only.

    `was` is what the file holds where a person has made these of that: the result is judged as one
    of the file.
    """
    if target.name.endswith(NOTEBOOK):
        from .notebook import examined  # a hook of scripts waits for nothing of it

        first = None if was is None else decode_notebook(was).text
        look = partial(_migrate_source, target, options=options, memory=memory, was=first)
        return examined(target, data, look)
    try:
        first = None if was is None else decode(was).text
        return _migrate_source(target, decode(data), options, memory, first)
    except Exception as error:
        return Outcome(target, problem=problem_of(target.name, error))


def _migrate_source(
    target: Target, source: Source, options: Options, memory: Memory | None, was: str | None
) -> Outcome:
    if source.skips_itself():
        return Outcome(target, source, skipped=SKIP_FILE)
    if stay_as_they_are(target.path, source.text):
        return Outcome(target, source, skipped=TESTS)
    options = per_file.options_of(target.path, options)
    if memory is None:
        migration = _looked_at(target, source.text, options)
    else:
        migration = _recall_or_look(memory, target, source.text, options)
    if was is not None and not migration.blocked:
        migration = _judged_whole(target, was, migration, options)
    return encoded(Outcome(target, source, migration, skipped=migration.skipped or ""))


def _judged_whole(target: Target, was: str, migration: Migration, options: Options) -> Migration:
    """The migration of what a person has made, judged as one of what the file holds."""
    name = projects.relative(target.path) if target.path else target.name
    try:
        project = projects.around(target.path, was)
    except projects.TooMany:
        project = None
    project = project or codemods.project(name, {name: was})
    changed = {name: migration.after, **{o.path: o.migration.after for o in migration.others}}
    return codemods.judged(migration, project, changed, options, target.name)


def _looked_at(target: Target, text: str, options: Options) -> Migration:
    spending = current()
    before = spending.steps
    try:
        seen = within(partial(_look, target, text, options))
        return seen._replace(cost=spending.steps - before)
    except TooLong as error:
        return codemods.too_long(text, error.line, CALLS)


def _look(target: Target, text: str, options: Options) -> Migration:
    together = _together(target, text, options)
    return together or codemods.migrate(text, options, target.name)


def _together(target: Target, text: str, options: Options) -> Migration | None:
    """What becomes of an entry with the modules that it imports; None for one that has none."""
    try:
        project = projects.around(target.path, text)
    except projects.TooMany as error:
        return codemods.look_alone(target.path, text, options, str(error))
    return codemods.migrate_project(project, options, target.name) if project else None


def _recall_or_look(memory: Memory, target: Target, text: str, options: Options) -> Migration:
    """What an earlier run found, or what is found now and kept for the next."""
    from .cache import Question

    question = Question(target.path, target.name, text, options)
    known = memory.recall(question)
    if known is not None:
        current().take(known.cost)
        return known
    with projects.noting() as asked, projects.knowing(memory.sketches):
        migration = _looked_at(target, text, options)
    memory.keep(question, asked, migration)
    return migration


def encoded(seen: Outcome) -> Outcome:
    """The outcome with the bytes of its new text, if there is one. Raises Unreadable."""
    source, migration = seen.source, seen.migration
    assert source is not None
    assert migration is not None
    if migration.unmade:
        source.encode(source.text)  # what can't be written back couldn't be changed either
    if migration.blocked or migration.after == source.text:
        return seen
    return seen._replace(proposed=source.encode(migration.after))


# -- scripts, by a search of their bytes: most files are none, and never parsed ------------------

MAIN = b"__main__"
# What a script without it does, and hardly a library: loops, `main()`, `….run()`, or what trains by
# its name, also in an `if` that asks for the mode; bounded, as lines may be of any length.
_TRAINS = rb"(?!def |class |async )(?=[\w)]).*(?:fit|train)\w{0,60}\("
_RUNS = rb"(?:main|run)\(|(?=[\w.]+\()(?=.*\)\s*$).*\.(?:main|run|start|learn|launch|execute)\("
WORKS = re.compile(
    rb"^(?:(?:for|while|with)\b|" + _RUNS + rb"|" + _TRAINS + rb"|"
    rb"(?:el)?if\b.*:\n(?:(?:[ \t].*)?\n)*?[ \t]+(?:" + _TRAINS + rb"|" + _RUNS + rb"))",
    re.MULTILINE,
)


def is_run(data: bytes) -> bool:
    """Whether it asks for its name, or does at the top what scripts do."""
    return MAIN in data or WORKS.search(data) is not None
