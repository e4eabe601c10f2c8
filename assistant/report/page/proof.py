"""What `distify verify` said of a job, made from its report for programs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ...verify.record.events import Loss
from ...verify.record.records import Worker
from ...verify.show.curves import Curve, means
from ..lines import plural
from .chart import losses, timeline
from .elements import Html, el, joined, table
from .findings import code
from .scaling_section import scaling

GRADES = (
    ("convicted", "What is wrong"),
    ("unchecked", "What could not be checked"),
    ("note", "Worth knowing"),
    ("fine", "Checked, and as it should be"),
)


class NoProof(ValueError):
    """The file holds no report of `distify verify --format json`."""


def proof(said: Any, known: Mapping[str, str]) -> Html:
    """One report as a section. Raises NoProof where it has another shape."""
    try:
        return _proof(said, known)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise NoProof(f"{type(error).__name__}: {error}") from None


def codes(said: Any) -> Iterator[str]:
    """The codes that a report names. Raises NoProof."""
    try:
        if said["command"] != "verify" or said["schema"] != 1:
            raise NoProof("no report of `distify verify --format json`")
        told = [*said["verdicts"], *said.get("second_run", {}).get("verdicts", ())]
        yield from (str(each["code"]) for each in told if each["code"])
    except (KeyError, TypeError, AttributeError) as error:
        raise NoProof(f"{type(error).__name__}: {error}") from None


def _proof(said: Any, known: Mapping[str, str]) -> Html:
    script, size = said["script"], int(said["size"])
    named = {"keras": "", "tensorflow": "TensorFlow ", "horovod": "Horovod "}  # keras names itself
    versions = ", ".join(f"{named[k]}{said['versions'][k]}" for k in named if said["versions"][k])
    second = said.get("second_run")
    return el(
        "section",
        el("h3", f"{script} on {plural(size, 'worker')}: ", _headline(said["verdict"])),
        el("p", f"{versions}, {said['seconds']:.0f} s", class_="dim"),
        *_verdicts(said["verdicts"], known),
        el("h4", "Loss"),
        losses(_curves(said), f"Loss of {script}"),
        el("h4", "What the workers did"),
        timeline(_lanes(said["workers"]), f"Steps and collectives of {script}"),
        el("p", "The first collectives of a run are drawn; behind them, and inside of a compiled "
           "step, they are counted only. Clocks of several machines may differ.", class_="dim"),
        _table(said["workers"]),
        *scaling(said.get("scaling", ()), f"Speed of {script}"),
        el("h4", "The second run: ", _headline(second["verdict"])) if second else None,
        *(_verdicts(second["verdicts"], known) if second else ()),
    )  # fmt: skip


def _headline(verdict: str) -> Html:
    kind = {"in step": "good", "could not be judged": "note"}.get(verdict, "bad")
    return el("span", str(verdict).upper(), class_=kind)


def _verdicts(verdicts: Sequence[Any], known: Mapping[str, str]) -> Iterator[Html]:
    for grade, heading in GRADES:
        chosen = [each for each in verdicts if each["grade"] == grade]
        if chosen and grade == "convicted":
            yield el("h4", heading)
            yield from (_conviction(each, known) for each in chosen)
        elif chosen:
            entries = [el("li", *_sentence_of(each, known)) for each in chosen]
            yield el("h4", heading)
            yield el("ul", *entries)


def _sentence_of(each: Any, known: Mapping[str, str]) -> Iterable[Html | str]:
    where = each["where"]
    if each["code"]:
        yield code(str(each["code"]), known)
        yield " "
    cell = f"cell {where['cell']}:" if where and "cell" in where else ""
    yield el("b", f"{where['path']}:{cell}{where['line']}: ") if where else ""
    yield f"{each['title']}: {each['text']}" if each["text"] else str(each["title"])


def _conviction(each: Any, known: Mapping[str, str]) -> Html:
    return el(
        "div",
        el("p", *_sentence_of(each, known)),
        el("ul", *(el("li", el("code", line)) for line in each["evidence"])),
        el("p", el("b", "fix: "), each["fix"]) if each["fix"] else None,
        class_="finding bad",
    )


def _curves(said: Any) -> list[Curve]:
    workers = [_worker(each["rank"], each["losses"]) for each in said["workers"]]
    found = means(f"mean of {plural(len(workers), 'worker')}", workers)
    if said["baseline"]:
        found += means("one process", [_worker(0, said["baseline"]["losses"])])
    return [curve for curve in found if curve.points]


def _worker(rank: Any, told: Sequence[Any]) -> Worker:
    """Losses as events again; one that was no number is none."""
    known = ((each, math.nan if each["loss"] is None else float(each["loss"])) for each in told)
    events = tuple(Loss(0.0, int(e["step"]), loss, int(e["optimizer"])) for e, loss in known)
    return Worker(int(rank), events)


def _lanes(workers: Sequence[Any]) -> list[tuple[str, Sequence[Any]]]:
    return [(f"worker {int(each['rank'])}", list(each["timeline"])) for each in workers]


def _table(workers: Sequence[Any]) -> Html:
    rows = [
        [
            str(each["rank"]),
            str(each["steps"]) if each["seen"] else "left no records",
            "ended by distify" if each["exit_code"] is None else str(each["exit_code"]),
            joined(_last(each["losses"])),
        ]
        for each in workers
    ]
    return table(("worker", "steps", "exit code", "last loss"), rows, "The workers")


def _last(told: Sequence[Any]) -> Iterator[str]:
    known = [each["loss"] for each in told if each["loss"] is not None]
    if known:
        yield f"{known[-1]:.6g}"
