"""The model's answer below that of the run: faults with their ways, proofs and assumptions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..verify.judges import _source_lines as program
from ..verify.model.fault import CONVICTED, NOT_MODELLED, NOTE, SAFE, WAITS, Answer, Fault, Step
from .lines import EMPTY, Line, Span, plural, wrapped

if TYPE_CHECKING:
    from ..verify.record.evidence import Evidence

INDENT = "  "
STYLES = {SAFE: "changed", NOT_MODELLED: "note"}


def lines(evidence: Evidence, answer: Answer, width: int | None) -> Iterator[Line]:
    """The whole answer for people."""
    yield EMPTY
    style = STYLES.get(answer.headline, "blocked")
    script = Span(str(evidence.job.script), "name")
    yield (script, Span(", as a model: "), Span(answer.headline, style))
    yield from wrapped((Span(INDENT),), _figures(answer), width, "dim")
    for fault in answer.faults:
        if fault.grade != NOTE:
            yield EMPTY
            yield from _fault(evidence, fault, width)
    yield from _list_lines("could not be modelled", "note", answer.unmodelled, width)
    noted = [_note_of(fault) for fault in answer.faults if fault.grade == NOTE]
    yield from _list_lines("worth knowing", "heading", (*noted, *answer.notes), width)
    yield from _list_lines(
        "proved" if answer.headline == SAFE else "checked", "heading", _proof_lines(answer), width
    )
    if answer.graphs:
        yield from _list_lines("on condition that", "heading", answer.assumed, width)


def _figures(answer: Answer) -> str:
    faults = sum(fault.grade != NOTE for fault in answer.faults)
    parts = [
        plural(faults, "fault") if faults else "",
        plural(answer.graphs, "training graph"),
        f"{answer.operations:,} operations",
        plural(answer.collectives, "collective"),
    ]
    reach = "; holds for any number of workers and any data" if answer.headline == SAFE else ""
    return ", ".join(filter(None, parts)) + reach


def _fault(evidence: Evidence, fault: Fault, width: int | None) -> Iterator[Line]:
    place = (Span(f"{fault.where}", "place"), Span(": ")) if fault.where else ()
    first = (Span(INDENT), Span(fault.code, "code"), Span(" "), *place)
    yield from wrapped(first, fault.title, width, "heading")
    yield from wrapped(
        (Span(INDENT * 2),), f"{fault.text} ({_seen_words(evidence, fault)}).", width
    )
    for step in fault.path:
        yield (Span(f"{INDENT * 2}- ", "dim"), Span(_step(evidence, step)))
    if fault.fix:
        yield from wrapped((Span(f"{INDENT * 2}fix: ", "changed"),), fault.fix, width)
    command = Span(f"distify explain {fault.code}", "command")
    yield (Span(f"{INDENT * 2}more:    "), command)


def _seen_words(evidence: Evidence, fault: Fault) -> str:
    if fault.grade == CONVICTED:
        return "this run saw it"
    if fault.code in WAITS and evidence.ending == "hang":
        return "possible; this run stood still, which may be why"
    return "possible; this run did not see it"


def _step(evidence: Evidence, step: Step) -> str:
    line = program.line_at(evidence.job.root, step.where).strip()
    place = f" ({step.where})" if step.where else ""
    return f"{line}{place}: {step.what}" if line else f"{step.what}{place}"


def _note_of(fault: Fault) -> str:
    place = f"{fault.where}: " if fault.where else ""
    return f"{fault.code} {place}{fault.text}"


def _proof_lines(answer: Answer) -> Iterator[str]:
    trained, agree = answer.proved.get("trained", 0), answer.proved.get("agree", 0)
    if trained == agree == 1:
        yield "the trained variable is changed alike on all workers"
    elif trained and agree == trained:
        yield f"all {trained:,} trained variables and slots are changed alike on all workers"
    elif trained:
        yield f"{agree:,} of {trained:,} trained variables and slots are changed alike"
    if local := answer.proved.get("local", 0):
        yield f"{plural(local, 'variable')} local on purpose, as the program told Horovod"
    if own := answer.proved.get("own", 0):
        yield f"{plural(own, 'variable')} each worker's own: statistics, metrics and the like"
    codes = {fault.code for fault in answer.faults}
    if answer.graphs and not answer.unmodelled:
        if not codes & {"M02", "M04"}:
            yield "each collective is called by all workers, in an order that comes to its end"
        if "M03" not in codes:
            yield "no two operations of one run touch a variable in an order left to chance"


def _list_lines(heading: str, style: str, entries: Any, width: int | None) -> Iterator[Line]:
    entries = list(entries)
    if entries:
        yield EMPTY
        yield (Span(INDENT + heading, style),)
    for each in entries:
        yield from wrapped((Span(INDENT * 2),), each, width)


def data(answer: Answer) -> dict[str, Any]:
    """The same for programs; the shape is promised in docs/json.md."""
    return {
        "verdict": answer.headline.lower(),
        "graphs": answer.graphs,
        "operations": answer.operations,
        "collectives": answer.collectives,
        "faults": [data_of(fault) for fault in answer.faults],
        "unmodelled": list(answer.unmodelled),
        "proved": dict(answer.proved),
        "notes": list(answer.notes),
        "assumed": list(answer.assumed) if answer.graphs else [],
        "exit_code": answer.exit_code,
    }


def data_of(fault: Fault) -> dict[str, Any]:
    """A fault for programs."""
    return {
        "code": fault.code,
        "grade": fault.grade,
        "title": fault.title,
        "text": fault.text,
        "where": _place(fault.where),
        "names": list(fault.names),
        "path": [{"where": _place(step.where), "what": step.what} for step in fault.path],
        "fix": fault.fix or None,
        "graph": fault.graph,
    }


def _place(where: str | None) -> dict[str, Any] | None:
    found = program.place(where)
    return {"path": found.file, "line": found.line} if found else None
