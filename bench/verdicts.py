"""How long a verdict of `distify verify` takes for toys: their steps take next to no time.

Of each kind one program, a few times: the seconds until the report is there, and those of a
processor, which tell what is computed where other work shares the machine. Importing TensorFlow
takes most of them: twice in the job, beside one another, and once on one process. A program that
hangs is told 15 seconds after nothing moves any more. At most 12 seconds are expected of the
others, on two cores that have nothing else to do (issue 40).
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.page import put  # noqa: E402  (run as a script, not as a module)

HAZARDS = ROOT / "tests" / "distributed" / "hazards"
PAGE = ROOT / "docs" / "benchmarks.md"
PROGRAMS = {
    "Keras, `fit`": ("fit_rate_not_scaled/repaired.py", 0),
    "GradientTape": ("tape_not_sharded/repaired.py", 0),
    "Session": ("session_rate_not_scaled/repaired.py", 0),
    "one that hangs": ("tape_collective_on_one_worker/broken.py", 1),
}
HEAD = "| program | a verdict | of a processor | single runs |"
MOST = 12.0
Seconds = tuple[float, float]


def verdict(program: Path, expected: int) -> Seconds:
    """Seconds until the report, and of a processor, in a folder that holds nothing else."""
    command = [str(Path(sys.executable).parent / "distify"), "verify", str(program)]
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}
    with tempfile.TemporaryDirectory() as folder:
        before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        done = subprocess.run(
            [*command, "--python", sys.executable], cwd=folder, env=environment,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        took = time.perf_counter() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != expected:
        raise SystemExit(f"{program}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    computed = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return took, computed


def row(name: str, found: list[Seconds]) -> str:
    """A line of the table."""
    took, computed = zip(*found)
    single = f"{min(took):.1f} to {max(took):.1f} s"
    return f"| {name} | {median(took):.1f} s | {median(computed):.1f} s | {single} |"


def main() -> int:
    """Prints the table; exit code 1 if a verdict took longer than is expected."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--write", action="store_true", help="into docs/benchmarks.md")
    options = parser.parse_args()
    rows, slowest = [HEAD, "|---|---|---|---|"], 0.0
    for name, (path, expected) in PROGRAMS.items():
        found = [verdict(HAZARDS / path, expected) for _ in range(options.rounds)]
        rows.append(row(name, found))
        slowest = slowest if expected else max(slowest, median(took for took, _ in found))
    cores = len(os.sched_getaffinity(0))
    rounds = f"{options.rounds} rounds" if options.rounds > 1 else "one round"
    versions = f"Python {platform.python_version()}, {cores} cores, {rounds}."
    figures = "\n".join([*rows, "", versions])
    print(figures)
    if options.write:
        put(PAGE, "verdicts", figures)
    return int(slowest > MOST)


if __name__ == "__main__":
    sys.exit(main())
