"""The count of a run, in one line, and the commits of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from distify.codemods.program.records import NamedTuple

from ..files.outcome import Outcome
from .lines import EMPTY, Line, Span, plural

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
