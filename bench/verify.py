"""What the probe of `distify verify` costs a training step.

The same program runs with the probe and without it at the same time, each on a core of its own, so
that what else the machine does hits both alike; they change cores from round to round. The figure
is the median of the rounds' ratios. A step is at most 10 % slower (issue 3).
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.page import put  # noqa: E402  (run as a script, not as a module)

PROBE = ROOT / "assistant" / "verify" / "probe"
PROGRAM = ROOT / "bench" / "training.py"
PAGE = ROOT / "docs" / "benchmarks.md"
FORMS = {"fit": "Keras, `fit`", "tape": "GradientTape under `tf.function`", "session": "Session"}
MOST = 1.10
CORES = sorted(os.sched_getaffinity(0))[:2]
ONE_CORE = {"OMP_NUM_THREADS": "1", "TF_NUM_INTRAOP_THREADS": "1", "TF_NUM_INTEROP_THREADS": "1"}


@contextlib.contextmanager
def started(form: str, core: int, probe: bool) -> Iterator[subprocess.Popen[str]]:
    """A process that prints the time of one step."""
    with tempfile.TemporaryDirectory() as folder, open(Path(folder, "alive"), "w") as alive:
        fcntl.flock(alive, fcntl.LOCK_EX)
        environment = {**os.environ, **ONE_CORE, "TF_CPP_MIN_LOG_LEVEL": "3", "HOROVOD_RANK": "0"}
        if probe:
            environment["PYTHONPATH"] = str(PROBE)
            environment["DISTIFY_PROBE"] = folder
            environment["DISTIFY_PROBE_OPTIONS"] = json.dumps({"root": str(PROGRAM.parent)})
        command = ["taskset", "--cpu-list", str(core), sys.executable, str(PROGRAM), form]
        with subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as process:
            yield process
        if probe and '"event": "state"' not in Path(folder, "rank0.jsonl").read_text():
            raise SystemExit(f"{form}: the probe saw no state")


def seconds(process: subprocess.Popen[str]) -> float:
    """What it prints at its end."""
    printed, _ = process.communicate()
    if process.returncode:
        raise SystemExit(f"{PROGRAM.name} failed: exit code {process.returncode}")
    return float(printed.rpartition("SECONDS")[2])


def measure(form: str, rounds: int) -> tuple[float, float, float]:
    """Seconds of a step without the probe and with it, and their ratio: medians."""
    without, probed = [], []
    for number in range(rounds):
        one, two = CORES[number % 2], CORES[1 - number % 2]
        with started(form, one, probe=False) as plain, started(form, two, probe=True) as watched:
            without.append(seconds(plain))
            probed.append(seconds(watched))
    ratios = [with_it / plain for plain, with_it in zip(without, probed)]
    return median(without), median(probed), median(ratios)


def main() -> int:
    """Prints the table; exit code 1 if a ratio is above the promised one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--write", action="store_true", help="into docs/benchmarks.md")
    options = parser.parse_args()
    if len(CORES) < 2:
        raise SystemExit("two cores are needed: one for the program with the probe, one without")
    rows, worst = ["| loop | a step without | with the probe | ratio |", "|---|---|---|---|"], 0.0
    for form, name in FORMS.items():
        without, probed, ratio = measure(form, options.rounds)
        worst = max(worst, ratio)
        rows.append(f"| {name} | {without * 1e3:.1f} ms | {probed * 1e3:.1f} ms | {ratio:.3f} |")
    versions = f"Python {platform.python_version()}, one core each, {options.rounds} rounds."
    figures = "\n".join([*rows, "", versions])
    print(figures)
    if options.write:
        put(PAGE, "verify", figures)
    return int(worst > MOST)


if __name__ == "__main__":
    sys.exit(main())
