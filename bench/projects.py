"""What `distify check` needs for a project of many modules, and how that grows with it.

Each shape is doubled from 50 modules to 400, with an empty cache. CPU seconds are the least of
several runs; twice the project should be twice the work beyond starting: an exponent of 1, and 1.1
at most. Beside the largest one stand its runs with two processes and with a full cache.
"""

from __future__ import annotations

import argparse
import math
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.page import put  # noqa: E402  (run as a script, not as a module)
from bench.project_shapes import SHAPES, write  # noqa: E402

PAGE = ROOT / "docs" / "benchmarks.md"
SIZES = (50, 100, 200, 400)
GOAL = 1.1
ROUNDS = 3


class Cost(NamedTuple):
    """One command: CPU seconds, seconds by the clock, and megabytes at most."""

    cpu: float
    wall: float
    memory: float


def cost(folder: Path, words: Sequence[str], is_warm: bool = False) -> Cost:
    """The least of several runs in a project."""
    found = list(_runs(folder, words, is_warm))
    return Cost(*(min(each[number] for each in found) for number in range(3)))


def _runs(folder: Path, words: Sequence[str], is_warm: bool) -> Iterator[Cost]:
    command = [sys.executable, "-m", "distify", "migrate", "--check", *words, "."]
    for number in range(ROUNDS + 1):
        if not is_warm:
            shutil.rmtree(folder / ".distify_cache", ignore_errors=True)
        start = time.perf_counter()
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL)
        _, _, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = 0
        if number:
            yield Cost(used.ru_utime + used.ru_stime, wall, _megabytes(used))


def _megabytes(used: resource.struct_rusage) -> float:
    return used.ru_maxrss / (1_000_000 if sys.platform == "darwin" else 1_000)


class Row(NamedTuple):
    """A shape: how its cost grows, and what the largest project costs."""

    shape: str
    cpu: float
    memory: float
    largest: Cost
    two: Cost
    warm: Cost

    def __str__(self) -> str:
        two = self.largest.wall / self.two.wall
        figures = f"{self.cpu:.2f} | {self.memory:.2f} | {self.largest.cpu:.2f} | {two:.1f} × | "
        return f"| {self.shape} | {figures}{self.warm.cpu:.2f} |"


def row(shape: str) -> Row:
    """Measures one shape."""
    with tempfile.TemporaryDirectory() as top:
        found = []
        write(Path(top, "least"), shape, 4)
        base = cost(Path(top, "least"), ["--jobs", "1"])
        for size in SIZES:
            folder = Path(top, str(size))
            write(folder, shape, size)
            found.append(cost(folder, ["--jobs", "1"]))
        two, warm = cost(folder, ["--jobs", "2"]), cost(folder, ["--jobs", "1"], True)
    beyond = [Cost(*(b - a for a, b in zip(base, each))) for each in found]
    cpu = exponent(each.cpu for each in beyond)
    memory = exponent(each.memory for each in beyond)
    return Row(shape, cpu, memory, found[-1], two, warm)


def exponent(figures: Iterable[float]) -> float:
    """By which power the figures grow from the smallest project to the largest."""
    first, *_, last = figures
    if min(first, last) <= 0:
        return 0.0
    return math.log(last / first) / math.log(SIZES[-1] / SIZES[0])


def table(rows: Iterable[Row]) -> str:
    """The rows in Markdown."""
    head = [
        "| shape | CPU, exponent | memory, exponent | 400 modules, CPU s | on two cores | again |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    return "\n".join([*head, *map(str, rows)])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("shapes", nargs="*", metavar="SHAPE", help="those alone, by their names")
    parser.add_argument("--write", action="store_true", help="put the table into the page")
    arguments = parser.parse_args()
    rows = [row(shape) for shape in arguments.shapes or SHAPES]
    print(table(rows))
    if arguments.write:
        put(PAGE, "projects", table(rows) + "\n")
    raise SystemExit(any(each.cpu > GOAL for each in rows))


if __name__ == "__main__":
    main()
