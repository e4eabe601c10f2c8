"""What `distify verify` proved, as a person reads it: the faults first, with their fixes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TextIO

from ..verify.judges import _like_baseline as baseline
from ..verify.judges import _source_lines as program
from ..verify.judges._words import listed
from ..verify.record.beginnings import Init, Versions
from ..verify.record.events import Applied
from ..verify.record.verdict import CONVICTED, FINE, NOTE, UNCHECKED, Verdict
from ..verify.show import curves
from .frame import frame, split
from .headline import extent, headline
from .lines import EMPTY, Line, Span, plural, wrapped
from .ways import quoted

if TYPE_CHECKING:
    from ..verify.record.evidence import Evidence

INDENT = "  "
FAILED = frozenset({"ended"})  # where this is open, the other questions have the same answer
PLAIN = "it never calls hvd.init(): "
MOST = 12  # lines of evidence below a verdict


def lines(
    evidence: Evidence,
    verdicts: Sequence[Verdict],
    width: int | None,
    unicode: bool = True,
    which: str = "",
) -> Iterator[Line]:
    """The whole report; `unicode`: whether the terminal can show more than ASCII.

    `which` names the run, where there are several.
    """
    script = str(evidence.job.script)
    on = f" on {plural(evidence.job.workers, 'worker')}{_as(evidence)}{which}: "
    answer = headline(verdicts)
    much = extent(evidence, bool(which)) if answer.text.startswith("IN STEP") else ""
    yield (Span(script, "name"), Span(on), answer, *([Span(much)] if much else []))
    yield from wrapped((Span(INDENT),), _setting(evidence, verdicts), width, "dim")
    if is_plain(evidence):
        yield EMPTY
        yield from wrapped((Span(INDENT), Span(PLAIN, "note")), _first(script), width)
    for verdict in verdicts:
        if verdict.grade == CONVICTED:
            yield EMPTY
            yield from _conviction_lines(evidence, verdict, width)
    yield from _unchecked_lines(evidence, verdicts, width)
    yield from _group("worth knowing", NOTE, verdicts, width)
    yield from _group("checked", FINE, verdicts, width)
    if evidence.baseline is not None:
        yield from _curves(evidence, unicode)


def is_plain(evidence: Evidence) -> bool:
    """Whether the workers trained, and none of them ever started Horovod."""
    workers = evidence.workers.values()
    has_started = any(each.all(Init) for each in workers)
    return not has_started and any(each.all(Applied) for each in workers)


def _first(script: str) -> str:
    return f"each worker trained by itself: run `distify migrate {quoted(script)}` first"


def _as(evidence: Evidence) -> str:
    """Who the workers were, where they stood in for more of them."""
    job = evidence.job
    return f", as ranks {listed(job.ranks)} of {job.size}" if job.ranks else ""


def _curves(evidence: Evidence, unicode: bool) -> Iterator[Line]:
    yield EMPTY
    yield (Span(f"{INDENT}loss", "heading"),)
    for line in curves.drawn(baseline.curves(evidence), unicode):
        yield (Span(INDENT * 2 + line),)


def _setting(evidence: Evidence, verdicts: Iterable[Verdict]) -> str:
    setting = evidence.setting
    seen = [version for w in evidence.workers.values() for version in w.all(Versions)]
    keras = next((v.keras for v in seen if v.keras), None)
    known = [
        f"TensorFlow {setting.tensorflow}" if setting.tensorflow else "",
        keras or (f"keras {setting.keras}" if setting.keras else ""),
        f"Horovod {setting.horovod}" if setting.horovod else "",
    ]
    faults = sum(verdict.grade == CONVICTED for verdict in verdicts)
    parts = [plural(faults, "fault")] if faults else []
    return ", ".join([*parts, *filter(None, known), f"{evidence.seconds:.0f} s"])


def _conviction_lines(evidence: Evidence, verdict: Verdict, width: int | None) -> Iterator[Line]:
    place = (Span(f"{verdict.where}", "place"), Span(": ")) if verdict.where else ()
    first = (Span(INDENT), Span(verdict.code, "code"), Span(" "), *place)
    yield from wrapped(first, verdict.title, width, "heading")
    yield from wrapped((Span(INDENT * 2),), _sentence(verdict.text), width)
    yield from _figures(verdict)
    for where in dict.fromkeys((verdict.where, *verdict.places)):
        yield from _frame(evidence, where, named=where != verdict.where)
    if verdict.fix:
        first = (Span(f"{INDENT * 2}fix: ", "changed"),)
        yield from wrapped(first, verdict.fix, width)
    if verdict.code:
        yield (
            Span(f"{INDENT * 2}more:    "),
            Span(f"distify explain {verdict.code}", "command"),
        )


def _figures(verdict: Verdict) -> Iterator[Line]:
    """Evidence as it is: one line each, and never so many that the rest is lost."""
    shown = verdict.evidence[:MOST]
    for each in shown:
        yield (Span(f"{INDENT * 2}- ", "dim"), Span(each))
    if len(verdict.evidence) > len(shown):
        yield (Span(f"{INDENT * 2}- {len(verdict.evidence) - len(shown)} more", "dim"),)


def _frame(evidence: Evidence, where: str | None, *, named: bool) -> Iterator[Line]:
    found = program.place(where)
    if found is None:
        return
    text = split(program.source(evidence.job.root, found.file))
    line = text[found.line - 1] if 0 < found.line <= len(text) else ""
    if line and named:
        yield (Span(f"{INDENT * 2}{where}", "place"),)
    cells = evidence.job.cells if found.file == evidence.job.script.name else None
    shown = cells.place(found.line).line if cells is not None else found.line
    column = len(line) - len(line.lstrip())
    yield from frame(text if line else (), found.line, column, INDENT * 2, shown)


def _unchecked_lines(
    evidence: Evidence, verdicts: Sequence[Verdict], width: int | None
) -> Iterator[Line]:
    """What could not be seen; where the run itself failed, that is told and the rest is named."""
    chosen = [verdict for verdict in verdicts if verdict.grade == UNCHECKED]
    failed = any(v.question in FAILED and v.grade in (UNCHECKED, CONVICTED) for v in verdicts)
    told = [v for v in chosen if not failed or v.question in FAILED]
    if not chosen:
        return
    yield EMPTY
    yield (Span(f"{INDENT}could not be checked", "note"),)
    for verdict in told:
        yield from _entry(verdict, width)
        yield from _figures(verdict)
        yield from _frame(evidence, verdict.where, named=False)
    others = [verdict.title for verdict in chosen if verdict not in told]
    if others:
        whys = {"interrupted": "it was interrupted", "endless": "it was ended"}
        why = whys.get(evidence.ending, "the program failed")
        first = (Span(f"{INDENT * 2}as {why}: "),)
        yield from wrapped(first, "; ".join(others), width)


def _group(
    heading: str, grade: str, verdicts: Iterable[Verdict], width: int | None
) -> Iterator[Line]:
    """Lesser grades: a heading and one entry each."""
    chosen = [verdict for verdict in verdicts if verdict.grade == grade]
    if not chosen:
        return
    yield EMPTY
    yield (Span(INDENT + heading, "heading"),)
    for verdict in chosen:
        yield from _entry(verdict, width)


def _entry(verdict: Verdict, width: int | None) -> Iterator[Line]:
    code = (Span(verdict.code, "code"), Span(" ")) if verdict.code else ()
    place = f"{verdict.where}: " if verdict.where else ""
    text = f"{place}{verdict.title}: {verdict.text}" if verdict.text else place + verdict.title
    yield from wrapped((Span(INDENT * 2), *code), text, width)


def plot(evidence: Evidence) -> str:
    """The curves of the loss as an SVG document."""
    title = f"Loss of {evidence.job.script.name} on {plural(evidence.job.workers, 'worker')}"
    return curves.svg(baseline.curves(evidence), title)


def speaks_unicode(stream: TextIO) -> bool:
    """Whether the marks of a curve can be written there."""
    try:
        f"{curves.MARKS}{curves.BOTH}│└─".encode(stream.encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
