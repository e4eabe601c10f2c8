"""How the work of one `migrate` grows with a program: its exponent, shape by shape.

A shape is doubled up to its largest size, each size in a process of its own. Steps are the calls
that Python's profiler counts, which are the same on every machine; seconds, without the profiler
and with the collector off, stand beside them, for what C does without a call. Twice the program
should be twice the work: an exponent of 1, and 1.1 at most.
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import json
import math
import pstats
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.page import put  # noqa: E402  (run as a script, not as a module)
from bench.shapes import SHAPES  # noqa: E402

PAGE = ROOT / "docs" / "benchmarks.md"
GOAL = 1.1
SIZES = 3  # the largest, its half and its quarter
SLOWEST = 10.0  # seconds that the largest program may take


class Run(NamedTuple):
    """One program: its calls, its seconds, and what became of it."""

    steps: int
    seconds: float
    outcome: str


def migrated(text: str) -> str:
    """What became of a program, in a word or a few."""
    from distify.codemods.migrate import migrate

    result = migrate(text)
    codes = sorted({finding.code for finding in result.blocked})
    return result.skipped or " ".join(codes) or ("migrated" if result.steps else "nothing to do")


def measure(shape: str, size: int) -> Run:
    """The figures of one program, in this process."""
    from distify.assistant.interpreter import prepare

    prepare()
    text = SHAPES[shape].program(size)
    migrated(SHAPES[shape].program(1))  # what is imported and compiled once
    gc.disable()
    start = time.process_time()
    try:
        outcome = migrated(text)
    except Exception as error:  # the table has a row for each shape, whatever becomes of it
        return Run(0, time.process_time() - start, f"{type(error).__name__}: {error}"[:60])
    taken = time.process_time() - start
    profile = cProfile.Profile()
    profile.runcall(migrated, text)
    return Run(pstats.Stats(profile).total_calls, taken, outcome)  # type: ignore[attr-defined]


def measured(shape: str, size: int, limit: float) -> Run:
    """The same in a process of its own, which is ended after `limit` seconds."""
    command = [sys.executable, __file__, "--one", shape, "--size", str(size)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=True)
    except subprocess.TimeoutExpired:
        return Run(0, limit, f"stopped after {limit:.0f} s")
    return Run(*json.loads(done.stdout))


def exponent(small: float, large: float) -> float:
    """By which power the figure grew while the program doubled; nan if one is unknown."""
    return math.log2(large / small) if small and large else math.nan


class Row(NamedTuple):
    """A shape with the figures of its largest program that ended."""

    shape: str
    size: int
    steps: float
    time: float
    largest: Run

    @property
    def is_linear(self) -> bool:
        """Whether the goals are met."""
        fast = self.largest.seconds <= SLOWEST
        return self.largest.outcome == "migrated" and self.steps <= GOAL and fast

    def __str__(self) -> str:
        figures = f"{self.steps:.2f} | {self.time:.2f} | {self.largest.seconds:.2f}"
        return f"| {self.shape} | {self.size:,} | {figures} | {self.largest.outcome} |"


def row(shape: str, limit: float, scale: float) -> Row:
    """Doubles one shape, and stops where a program takes too long."""
    largest = max(1, int(SHAPES[shape].largest * scale))
    runs = []
    for size in (max(1, largest >> power) for power in reversed(range(SIZES))):
        runs.append((size, measured(shape, size, limit)))
        if not runs[-1][1].steps:
            break
    (_, before), (size, last) = [(0, Run(0, 0, "")), *runs][-2:]
    steps, seconds = exponent(before.steps, last.steps), exponent(before.seconds, last.seconds)
    return Row(shape, size, steps, seconds, last)


def table(rows: Iterable[Row]) -> str:
    """The rows in Markdown."""
    head = [
        "| what is doubled | how often | steps, exponent | seconds, exponent | seconds | outcome |",
        "|---|---:|---:|---:|---:|---|",
    ]
    return "\n".join([*head, *map(str, rows)])


def shown(rows: Iterable[Row]) -> list[Row]:
    """The rows, each told when it is there."""
    found = []
    for each in rows:
        print(each, file=sys.stderr, flush=True)
        found.append(each)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("shapes", nargs="*", metavar="SHAPE", help="those alone, by their names")
    parser.add_argument("--limit", type=float, default=120, help="seconds for one program")
    parser.add_argument("--scale", type=float, default=1, help="times the largest size")
    parser.add_argument("--write", action="store_true", help="put the table into the page")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--size", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(measure(arguments.one, arguments.size)))
        return
    rows = shown(row(s, arguments.limit, arguments.scale) for s in arguments.shapes or SHAPES)
    print(table(rows))
    if arguments.write:
        put(PAGE, "scale", table(rows) + "\n")
    raise SystemExit(any(not each.is_linear for each in rows))


if __name__ == "__main__":
    main()
