"""The count of a run, in one line, and what to try next."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from distify.codemods.program.records import NamedTuple

from ..files.outcome import Outcome
from .lines import EMPTY, Line, Span, plural
from .ways import quoted, way_of

if TYPE_CHECKING:
    from ..files.result import Compared
    from ..git.series import Commit

WRITTEN, WOULD = "rewritten", "would be rewritten"


class Totals(NamedTuple):
    """How many files ended how; every file searched is in exactly one of them."""

    searched: int
    changed: int
    blocked: int
    errors: int
    skipped: tuple[tuple[str, int], ...]  # reason, files
    unsound: int = 0  # of those changed: rules that they need were left out
    suppressed: int = 0  # of those changed: somebody took findings on them


def totals(outcomes: Sequence[Outcome], searched: int, failed: int) -> Totals:
    """`failed` counts the paths that could not even be read as a file."""
    reasons = Counter(reason for reason in map(skipped, outcomes) if reason)
    return Totals(
        searched + failed,
        sum(outcome.changed for outcome in outcomes),
        sum(outcome.blocked for outcome in outcomes),
        failed + sum(outcome.problem is not None for outcome in outcomes),
        tuple(sorted(reasons.items())),
        sum(bool(outcome.left_out) for outcome in outcomes),
        sum(bool(outcome.suppressed) for outcome in outcomes),
    )


def skipped(outcome: Outcome) -> str:
    """Why an outcome is neither a change nor a finding nor an error."""
    if outcome.problem or outcome.blocked or outcome.changed:
        return ""
    return outcome.skipped or "nothing to change"


def unsound(outcome: Outcome) -> str:
    """What is said wherever the file is named: the result is wrong without these rules."""
    return f"unsound: {', '.join(outcome.left_out)} left out, which it needs"


def suppressed(outcome: Outcome) -> str:
    """The same of findings that would have kept the file from being changed."""
    return f"suppressed: {', '.join(sorted({each.finding.code for each in outcome.suppressed}))}"


def sentence(total: Totals, verb: str) -> Line:
    """`2 files rewritten, 1 blocked; 31 files searched.`"""
    parts: list[Span] = []
    for count, words, style in _counts(total, verb):
        parts += [Span(", ")] if parts else []
        parts.append(Span(f"{count} {words}", style))
    if not parts:
        parts.append(Span("Nothing to migrate: no training loop"))
    return (*parts, Span(f"; {plural(total.searched, 'file')} searched."))


def _counts(total: Totals, verb: str) -> Iterator[tuple[int, str, str]]:
    noun = "file" if total.changed == 1 else "files"
    if total.changed:
        yield total.changed, f"{noun} {verb}", "changed"
    if total.unsound:
        yield total.unsound, "of them unsound", "blocked"
    if total.suppressed:
        yield total.suppressed, "of them with suppressed findings", "note"
    if total.blocked:
        yield total.blocked, "blocked", "blocked"
    for reason, count in total.skipped:
        yield count, f"left alone ({reason})", "dim"
    if total.errors:
        yield total.errors, "error" if total.errors == 1 else "errors", "blocked"


def baseline(compared: Compared | None) -> Iterator[Line]:
    """How many findings a baseline knew, and how many of its own are no longer found."""
    if compared is None:
        return
    yield (Span(f"{plural(compared.known, 'finding')} in the baseline."),)
    gone = sum(compared.gone.values())
    if gone:
        verb, them = ("is", "it") if gone == 1 else ("are", "them")
        what = f"{plural(gone, 'finding')} of the baseline {verb} no longer found"
        yield (Span(f"{what}: --update-baseline removes {them}."),)


def series(commits: Sequence[Commit], branch: str) -> Iterator[Line]:
    """The commits that were made, as `git log --oneline --reverse` shows them."""
    if commits:
        yield EMPTY
        yield (
            Span(f"{plural(len(commits), 'commit')} on {branch}", "changed"),
            Span(" (`distify undo` takes them back):"),
        )
    for commit in commits:
        yield (Span(f"  {commit.id[:10]} ", "dim"), Span(commit.subject))


class Arguments(NamedTuple):
    """What a command is to be called with again."""

    options: Sequence[str]
    paths: Sequence[str]

    def __str__(self) -> str:
        return " ".join([*map(shlex.quote, self.options), *map(quoted, self.paths)])


def next_step(outcomes: Iterable[Outcome], given: Arguments, written: bool) -> Iterator[Line]:
    """The command to try, for the first file that changed, or the one that makes the changes."""
    first = _first(outcomes)
    if first is None or "-" in given.paths:
        return
    if written:
        from .many_workers import meaning  # who only looks waits for no syntax tree

        yield from meaning(first)
    yield EMPTY
    name = quoted(first.name)
    if written and _trains_alone(first):
        yield (Span("Train:     ", "heading"), Span(f"python {name}", "command"))
    elif written:
        way = way_of(first)
        if way.can_be_proved:
            prove = f"{way.folder}distify verify {way.script} -np 2"
            yield (Span("Prove it:  ", "heading"), Span(prove, "command"))
        job = f"{way.folder}{way.first}horovodrun -np 2 {way.command}"
        yield (Span("Train:     ", "heading"), Span(job, "command"))
        if way.can_be_proved and not way.first:
            others = f"{way.folder}distify launch-lines {way.script} -np 8 --gpus-per-node 4"
            yield (
                Span("Elsewhere: ", "heading"),
                Span(others, "command"),
                Span("  # Slurm, MPI, Kubernetes, Ray", "dim"),
            )
    else:
        command = f"distify migrate {given}".rstrip()
        yield (Span("Apply it:  ", "heading"), Span(command, "command"))


def _first(outcomes: Iterable[Outcome]) -> Outcome | None:
    """The first file that changed, of those that train if there is one."""
    changed = [outcome for outcome in outcomes if outcome.changed]
    trains = (each for each in changed if each.migration and each.migration.evidence)
    return next(trains, changed[0] if changed else None)


def _trains_alone(outcome: Outcome) -> bool:
    """Whether nothing but D501 was done to a program that has no workers."""
    codes = {due.code for due in outcome.migration.due} if outcome.migration else set()
    return codes == {"D501"} and b"horovod" not in (outcome.after or b"")
