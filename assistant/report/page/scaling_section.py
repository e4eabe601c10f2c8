"""How fast several numbers of workers train: a table and bars beside the linear ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..lines import plural
from .chart import ACROSS, LEFT, picture
from .elements import Html, el, table

ROW = 34  # pixels a number of workers


def scaling(told: Sequence[Mapping[str, Any]], title: str) -> Iterator[Html]:
    """A heading, the bars and the table; nothing where no speeds were measured."""
    if not told:
        return
    yield el("h4", "How it scales")
    measured = [each for each in told if each["steps_per_second"]]
    if measured:
        yield _bars(measured, title)
    rows = [
        [
            str(each["workers"]),
            _number(each["steps_per_second"], 1) or str(each["why"]),
            _number(each["examples_per_second"], 0) or "not seen",
            f"{each['efficiency']:.0%}" if each["efficiency"] else "",
        ]
        for each in told
    ]
    head = ("workers", "steps a second", "examples a second", "each worker, of one in the smallest")
    yield table(head, rows, "Speeds")


def _number(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:,.{digits}f}"


def _bars(told: Sequence[Mapping[str, Any]], title: str) -> Html:
    """What was measured, and behind it what as many workers would do if none waited."""
    first = told[0]
    linear = [each["workers"] / first["workers"] for each in told]
    real = [each["efficiency"] * share for each, share in zip(told, linear)]
    most = max(*linear, *real, 1.0)
    body = []
    for number, (each, ideal, done) in enumerate(zip(told, linear, real)):
        y = ROW * number + 8
        body += [
            el("text", str(each["workers"]), x=LEFT - 8.0, y=y + 15.0, text_anchor="end"),
            el("rect", x=LEFT, y=y, width=ACROSS * ideal / most, height=20, class_="ideal"),
            el("rect", x=LEFT, y=y + 4, width=ACROSS * done / most, height=12, class_="done"),
        ]
    names = (plural(each["workers"], "worker") for each in told)
    said = (f"{name}: {done:.2f} times the smallest job" for name, done in zip(names, real))
    return picture(title, "; ".join(said), ROW * len(told) + 16, body)
