"""What `distify race` says: for people, for programs, as SARIF and as a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from distify import __version__

from .. import codemods
from ..files.levels import ERROR, NOTE
from ..verify.judges import _source_lines as program
from ..verify.model.alone import ASSUMED
from ..verify.run.racing import CLEAN, UNKNOWN
from .dumped import dumped
from .lines import EMPTY, Line, Span, plural, wrapped
from .model import data_of
from .remarks import Remark

if TYPE_CHECKING:
    from ..verify.model.fault import Fault, Step
    from ..verify.run.racing import Raced

SCHEMA = 1
INDENT = "  "
STYLES = {CLEAN: "changed", UNKNOWN: "note"}
MEANT = "`# distify: race=meant why` at the end of that line, if any order will do"
ENDINGS = {
    "failed": "the program ended with exit code {code}: what it would have run then is not judged",
    "hang": "nothing moved any more, so the program was ended",
    "interrupted": "it was interrupted: only what ran until then is judged",
    "endless": "the program was ended at a limit: only what ran until then is judged",
}


def lines(answer: Raced, width: int | None) -> Iterator[Line]:
    """The whole answer for people."""
    script = Span(str(answer.question.script), "name")
    yield (script, Span(": "), Span(answer.headline, STYLES.get(answer.headline, "blocked")))
    yield from wrapped((Span(INDENT),), _figures(answer), width, "dim")
    for fault in answer.faults:
        yield EMPTY
        yield from _fault(answer, fault, width)
    for heading, entries in _sections(answer):
        if entries:
            yield EMPTY
            yield (Span(INDENT + heading, "heading"),)
        for each in entries:
            yield from wrapped((Span(INDENT * 2),), each, width)


def _figures(answer: Raced) -> str:
    parts = (
        plural(len(answer.faults), "fault") if answer.faults else "",
        plural(answer.found.graphs, "graph"),
        f"{answer.found.operations:,} operations",
        f"TensorFlow {answer.tensorflow}",
        f"{answer.seconds:.0f} s",
    )
    return ", ".join(filter(None, parts))


def _sections(answer: Raced) -> Iterator[tuple[str, Sequence[str]]]:
    meant = [f"{m.fault.code} {m.line}: {m.fault.text} ({m.why or 'no reason given'})"
             for m in answer.meant]  # fmt: skip
    yield "meant", meant
    yield "could not be modelled", _unknown(answer)
    unused = [f"{line}: the comment says that a race is meant, and there is none"
              for line in answer.unused]  # fmt: skip
    if answer.found.rewritten is not None:
        yield "as TensorFlow runs them", _rewritten(answer)
    yield "worth knowing", [*answer.found.notes, *unused]
    yield "on condition that", ASSUMED if answer.found.graphs else ()


def _rewritten(answer: Raced) -> list[str]:
    found = answer.found
    count = found.rewritten or 0
    lost = any("rewriting" in fault.title for fault in answer.faults)
    rest = count - found.by_ends
    by_order = (
        f"{plural(rest, 'graph')} by what is written and in which order: a loop touches a "
        "variable, or there are too many ends"
    )
    return [
        f"{plural(count, 'graph')} compared with what Grappler makes of "
        + ("it: " if count == 1 else "them: ")
        + ("more can come about, see above" if lost else "nothing can come about that could not"),
        *([f"{found.clustered} of them with XLA's clusters, too"] if found.clustered else ()),
        *([f"{found.by_ends} by all their ends"] if found.by_ends else ()),
        *([by_order] if rest else ()),
    ]


def _unknown(answer: Raced) -> list[str]:
    ended = ENDINGS.get(answer.ending, "").format(code=answer.code)
    none = "" if answer.found.graphs else "no graph was run: eager code runs line by line"
    return list(filter(None, (ended, none, *answer.found.unmodelled)))


def _fault(answer: Raced, fault: Fault, width: int | None) -> Iterator[Line]:
    place = (Span(f"{fault.where}", "place"), Span(": ")) if fault.where else ()
    first = (Span(INDENT), Span(fault.code, "code"), Span(" "), *place)
    yield from wrapped(first, fault.title, width, "heading")
    yield from wrapped((Span(INDENT * 2),), f"{fault.text}.", width)
    if fault.path:
        yield (Span(f"{INDENT * 2}{_heading(fault)}:", "dim"),)
    for number, step in enumerate(fault.path, 1):
        yield (Span(f"{INDENT * 2}{number}. ", "dim"), Span(_step(answer, step)))
    if fault.fix:
        yield from wrapped((Span(f"{INDENT * 2}fix: ", "changed"),), fault.fix, width)
    if fault.code == "M03":
        yield from wrapped((Span(f"{INDENT * 2}or:  ", "changed"),), MEANT, width)
    yield (Span(f"{INDENT * 2}more: "), Span(f"distify explain {fault.code}", "command"))


def _heading(fault: Fault) -> str:
    return "one order in which it comes out" if fault.code == "M03" else "what waits"


def _step(answer: Raced, step: Step) -> str:
    line = program.line_at(answer.question.root, step.where).strip()
    place = f" ({step.where})" if step.where else ""
    return f"{line}{place}: {step.what}" if line else f"{step.what}{place}"


# ---------------------------------------------------------------- for programs


def document(answer: Raced) -> str:
    """The report for programs; the shape is promised in docs/json.md."""
    return dumped(
        {
            "schema": SCHEMA,
            "distify": __version__,
            "command": "race",
            "script": str(answer.question.script),
            "verdict": answer.headline.lower(),
            "ending": answer.ending,
            "tensorflow": answer.tensorflow or None,
            "seconds": round(answer.seconds, 1),
            "graphs": answer.found.graphs,
            "operations": answer.found.operations,
            "rewritten": answer.found.rewritten,
            "by_ends": answer.found.by_ends,
            "clustered": answer.found.clustered,
            "faults": [_data(answer, each) for each in answer.faults],
            "meant": [
                {**_data(answer, each.fault), "comment": each.line, "why": each.why}
                for each in answer.meant
            ],
            "unmodelled": _unknown(answer),
            "notes": list(answer.found.notes),
            "assumed": list(ASSUMED) if answer.found.graphs else [],
            "exit_code": answer.exit_code,
        }
    )


def _data(answer: Raced, fault: Fault) -> dict[str, Any]:
    """A fault, with the lines of the program that its order names."""
    data = data_of(fault)
    for step, each in zip(data["path"], fault.path):
        step["line"] = program.line_at(answer.question.root, each.where).strip()
    return {**data, "page": codemods.address(fault.code)}


def remarks(answer: Raced) -> list[Remark]:
    """Every race as a remark at its line, for SARIF; one without a line stands at the first."""
    meant = ((each.fault, each.why or "meant") for each in answer.meant)
    found = [*((fault, None) for fault in answer.faults), *meant]
    return [_remark(answer, fault, why) for fault, why in found]


def _remark(answer: Raced, fault: Fault, why: str | None) -> Remark:
    place = program.place(fault.where)
    file, line = (place.file, place.line) if place else (answer.question.script.name, 1)
    statement = program.line_at(answer.question.root, fault.where)
    return Remark(
        path=str(answer.question.script.parent / file),
        line=line,
        column=len(statement) - len(statement.lstrip()) + 1,
        code=fault.code,
        level=ERROR if why is None else NOTE,
        message=f"{fault.title}: {fault.text}",
        fix=fault.fix,
        reason=why,
        comment=line if why is not None else 0,
        statement=statement.strip(),
        end_line=line,
        end_column=len(statement.rstrip()) + 1,
    )
