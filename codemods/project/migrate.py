"""What becomes of an entry together with the modules that it imports."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack

from ..applying.places_to_edit import Found
from ..facts import training_of
from ..facts.factories import module_of
from ..gate.too_large import too_large_together
from ..migrate import decide, migrate
from ..model import NO_PATTERN, NO_TRAINING, NOTE, Finding, Migration, Options
from ..program.graph import TooLarge
from ..restrictions.t01_training_elsewhere import unstarted
from ..starting.collector import without_collector
from ..starting.prefilter import may_concern
from .clusters import is_asked, without_choice, without_offer
from .file_steps import Changes
from .first import First
from .joined import Joined, join
from .judged import judged_files, judged_together
from .refused import ALONE, CODE, NAMED, Refused, refusal
from .renaming import CannotJoin
from .report import Report
from .texts import Project


@without_collector()
def migrate_project(
    project: Project, options: Options | None = None, name: str = "<text>"
) -> Migration | None:
    """The migration of the entry; None where it can't be read together with what it imports.

    Raises SyntaxProblem, RuleNeeded.
    """
    options = options or Options()
    with ExitStack() as until_then:
        first = First(until_then)
        seen = _migrated(project, options, name, first)
        if seen is None or not seen.blocked:
            return seen
        return _mended(seen, project, options, name, first)


def _mended(
    seen: Migration, project: Project, options: Options, name: str, first: First
) -> Migration:
    """The migration behind the chosen repairs, or with offers."""
    from ..gate.repairing import mended
    from .repaired import Whole

    def approve(made: Migration) -> Migration:
        changed = {other.path: other.migration.after for other in made.others}
        changed[project.entry] = made.after
        return judged_together(made, project, changed, options, name, is_handwritten=True)

    return mended(seen, Whole(project, options, name, look, first), approve)


def look(project: Project, options: Options, name: str) -> Migration:
    """What becomes of an entry with what it imports, or by itself, where no repairs are made."""
    text = project.texts[project.entry]
    with ExitStack() as until_then:
        return _migrated(project, options, name, First(until_then)) or migrate(
            text, options._replace(repair=frozenset()), name
        )


def _migrated(project: Project, options: Options, name: str, first: First) -> Migration | None:
    if not _may_concern(project.texts.values()):  # most scripts of a project: that is soon asked
        return None
    try:
        joined = join(project, first.until_then)
    except CannotJoin as error:
        first.note(None)
        return looked_at_alone(project, options, name, str(error), error.line)
    if joined is None or not _may_concern(_texts(joined)):
        return None
    if _is_idle(joined):
        seen = Migration(joined.source.text, NO_PATTERN, skipped=NO_TRAINING)
        return Report(joined).told(seen)._replace(is_started=True)
    try:
        return _decided(joined, options, name, first)
    except TooLarge:
        refused = too_large_together(joined.texts[joined.entry.path], joined.files)
    # What other files need is unknown, then: the entry's own findings go before that, if any block.
    alone = migrate(project.texts[project.entry], options, name)
    return None if alone.blocked else refused


def looked_at_alone(
    project: Project, options: Options, name: str, why: str, line: int = 1
) -> Migration:
    """The migration of the entry's text, with a remark if there is anything to be said of it."""
    unread = frozenset(module_of(path).rpartition(".")[2] for path in project.texts)
    options = options._replace(unread=unread)
    if is_asked(project, {project.entry}):
        seen = without_offer(migrate(project.texts[project.entry], without_choice(options), name))
    else:
        seen = migrate(project.texts[project.entry], options, name)
    is_silent = seen.skipped == NO_TRAINING
    note = Finding(line, 0, CODE, ALONE.format(why), NAMED, NOTE, stands=True)
    return seen if is_silent else seen._replace(notes=(note, *seen.notes))


def _texts(joined: Joined) -> list[str]:
    """What is read of a program, and what is set aside."""
    return [joined.source.text, *(joined.texts[path] for path in joined.reached)]


def _is_idle(joined: Joined) -> bool:
    """Whether nothing trains of what the entry needs of its modules: most scripts of a library.

    What is set aside counts as a whole.
    """
    lines = joined.source.lines
    needed = [joined.texts[path] for path in joined.reached if path not in joined.files]
    for statement in joined.source.module.body:
        first = min(n.lineno for n in (statement, *getattr(statement, "decorator_list", ())))
        needed += lines[first - 1 : statement.end_lineno]
    return not _may_concern(needed) and not any("horovod" in each for each in needed)


def _may_concern(texts: Iterable[str]) -> bool:
    return may_concern("\n".join(texts).encode("utf-8", "surrogatepass"))


def _decided(joined: Joined, options: Options, name: str, first: First) -> Migration:
    """The migration with the lines of the entry. Raises TooLarge."""
    facts = first.facts(joined, options)
    is_started = not unstarted(facts)
    if not is_started and not training_of(facts).uncertain:
        alone = migrate(joined.texts[joined.entry.path], options, name)
        if alone.skipped == NO_TRAINING:  # an evaluation, that makes what others train
            return alone
    changes = Changes(joined, facts, name)

    def make(seen: Migration, found: Sequence[Found]) -> Migration:
        try:
            made = changes.made(seen, found)
        except Refused as refused:
            return seen._replace(blocked=(*seen.blocked, refusal(refused)))
        judged = _judged(made, joined, facts.options, name)
        return judged.without_texts if options.only_look else judged

    seen = Report(joined).told(decide(facts, make))._replace(is_started=is_started)
    first.note((joined, facts))
    return seen


def _judged(made: Migration, joined: Joined, options: Options, name: str) -> Migration:
    """The migration with what is proved of all its files, or refused. Raises TooLarge."""
    changed = {other.path: other.migration.after for other in made.others}
    if made.steps:
        changed[joined.entry.path] = made.after
    return judged_files(made, joined, changed, options, name)
