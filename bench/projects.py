"""What `distify check` needs for a project of many modules, and how that grows with it.

Each shape is doubled from 50 modules to 400, with an empty cache. Function calls, which other work
doesn't disturb, are counted beyond those for a small project: twice the modules should be twice the
calls, an exponent of 1, and 1.1 at most. CPU seconds are the least of several runs: of the largest
project with one process, with two, and with a full cache.
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
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Callable, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench import written_projects  # noqa: E402  (run as a script, not as a module)
from bench.page import put  # noqa: E402
from bench.project_shapes import SHAPES, write  # noqa: E402

PAGE = ROOT / "docs" / "benchmarks.md"
LEAST, SIZES = 13, (50, 400)
GOAL = 1.1
ROUNDS = 2
COUNTED = """\
import cProfile, pstats, sys
sys.argv[1:] = {words!r}
from distify.assistant.__main__ import main
profile = cProfile.Profile()
try:
    profile.runcall(main)
except SystemExit:
    pass
print(pstats.Stats(profile).total_calls, file=sys.stderr)
"""


def _shapes() -> dict[str, Callable[[Path, int], None]]:
    """What writes a project of so many modules into a folder, by its shape."""

    def of(shape: str, folder: Path, modules: int) -> None:
        write(folder, shape, modules)

    found: dict[str, Callable[[Path, int], None]] = {name: partial(of, name) for name in SHAPES}
    found["as people write them"] = written_projects.write
    found["handed on by packages"] = partial(written_projects.write, is_handed_on=True)
    return found


class Cost(NamedTuple):
    """One command: CPU seconds, and megabytes at most."""

    cpu: float
    memory: float


def cost(folder: Path, jobs: int, is_warm: bool = False) -> Cost:
    """The least of several runs in a project."""
    found = list(_runs(folder, jobs, is_warm))
    return Cost(min(each.cpu for each in found), min(each.memory for each in found))


def _runs(folder: Path, jobs: int, is_warm: bool) -> Iterator[Cost]:
    command = [sys.executable, "-m", "distify", *_words(jobs)]
    for number in range(ROUNDS + 1):
        if not is_warm:
            _empty(folder)
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, env=_env())
        _, _, used = os.wait4(process.pid, 0)
        process.returncode = 0
        if number:
            yield Cost(used.ru_utime + used.ru_stime, _megabytes(used))


def calls(folder: Path) -> int:
    """How many functions are called for a project, with an empty cache."""
    _empty(folder)
    command = [sys.executable, "-c", COUNTED.format(words=_words(1))]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=_env())
    return int(done.stderr.split()[-1])


def _words(jobs: int) -> Sequence[str]:
    return ["migrate", "--check", "--jobs", str(jobs), "."]


def _empty(folder: Path) -> None:
    shutil.rmtree(folder / ".distify_cache", ignore_errors=True)


def _env() -> dict[str, str]:
    """Images of containers forbid bytecode: all of distify would be compiled each time."""
    return {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


def _megabytes(used: resource.struct_rusage) -> float:
    return used.ru_maxrss / (1_000_000 if sys.platform == "darwin" else 1_000)


class Row(NamedTuple):
    """A shape: how its calls grow, and what the largest project costs."""

    shape: str
    exponent: float
    memory: tuple[float, float]
    largest: Cost
    two: Cost
    warm: Cost

    def __str__(self) -> str:
        memory = f"{self.memory[0]:.0f}, {self.memory[1]:.0f}"
        seconds = " | ".join(f"{each.cpu:.2f}" for each in (self.largest, self.two, self.warm))
        return f"| {self.shape} | {self.exponent:.2f} | {memory} | {seconds} |"


def row(shape: str) -> Row:
    """Measures one shape."""
    with tempfile.TemporaryDirectory() as top:
        counted = []
        for size in (LEAST, *SIZES):
            folder = Path(top, str(size))
            _shapes()[shape](folder, size)
            counted.append(calls(folder))
        small, large = cost(Path(top, str(SIZES[0])), 1), cost(folder, 1)
        two = cost(folder, 2)
        return Row(
            shape,
            exponent(counted),
            (small.memory, large.memory),
            large,
            two,
            cost(folder, 1, is_warm=True),
        )


def exponent(counted: Sequence[int]) -> float:
    """By which power the calls grow from the smaller project to the largest, beyond the least."""
    base, small, large = counted
    modules = (SIZES[1] - LEAST) / (SIZES[0] - LEAST)
    return math.log((large - base) / (small - base)) / math.log(modules)


def table(rows: Iterable[Row]) -> str:
    """The rows in Markdown."""
    head = [
        "| shape | calls, exponent | memory at 50 and 400, MB | 400 modules, CPU s |"
        " with two processes, CPU s | again |",
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
    rows = [row(shape) for shape in arguments.shapes or _shapes()]
    print(table(rows))
    if arguments.write:
        put(PAGE, "projects", table(rows) + "\n")
    raise SystemExit(any(each.exponent > GOAL for each in rows))


if __name__ == "__main__":
    main()
