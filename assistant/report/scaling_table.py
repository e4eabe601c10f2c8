"""A table and bars of how fast a program trains with several numbers of workers."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

from ..verify.run.scaling import Speed
from .lines import EMPTY, Line, Span

WIDE = 32  # characters of the longest bar


def lines(speeds: Sequence[Speed], unicode: bool) -> Iterator[Line]:
    """The table, a row for each number, with a bar each."""
    if not speeds:
        return
    head = f"  {'workers':>7}  {'steps/s':>8}  {'examples/s':>10}  {'each worker':>11}"
    yield EMPTY
    yield (Span("  scaling", "heading"), Span(f" on this machine's {_cores()}", "dim"))
    yield (Span(head, "dim"),)
    most = max((each.figure(speeds[0]) or 0 for each in speeds), default=0) or 1
    for each in speeds:
        yield _row(each, speeds[0], most, "█" if unicode else "#")
    yield (Span("  each worker: its part of what one does in the smallest job", "dim"),)


def _row(each: Speed, first: Speed, most: float, block: str) -> Line:
    if each.steps is None:
        return (Span(f"  {each.workers:>7}  "), Span(each.why, "note"))
    part = each.efficiency(first)
    examples = f"{each.examples:,.0f}" if each.examples else "not seen"
    share = "" if part is None else f"{part:.0%}"
    bar = block * max(1, round(WIDE * (each.figure(first) or 0) / most))
    figures = f"  {each.workers:>7}  {each.steps:>8.1f}  {examples:>10}  {share:>11}  "
    return (Span(figures), Span(bar, "changed"))


def _cores() -> str:
    known = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return "one core" if known == 1 else f"{known} cores"


def data(speeds: Sequence[Speed]) -> list[dict[str, Any]]:
    """The same for programs."""
    return [
        {
            "workers": each.workers,
            "steps_per_second": _round(each.steps),
            "examples_per_second": _round(each.examples),
            "efficiency": _round(each.efficiency(speeds[0])),
            "why": each.why or None,
        }
        for each in speeds
    ]


def _round(number: float | None) -> float | None:
    return None if number is None else round(number, 4)
