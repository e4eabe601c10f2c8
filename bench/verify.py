"""What the probe of `distify verify` costs a training step.

Two processes of the same program, one with the probe and one without, take turns on the same core
every few steps: what else the machine does hits both alike, and neither runs while the other one is
measured. Which of them leads changes from round to round, as does the core. The figure is the
median of the rounds' ratios. A step is at most 10 % slower (issue 3).
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
HEAD = "| loop | a step without | with the probe | ratio | single rounds |"
MOST = 1.10
CORES = sorted(os.sched_getaffinity(0))
Partner = tuple[int, int, int]  # end of a pipe to read, one to write, whether it leads
# Large pages for large arrays: which small ones it gets makes a process 20 % faster or slower.
ALIKE = {
    "OMP_NUM_THREADS": "1",
    "TF_NUM_INTRAOP_THREADS": "1",
    "TF_NUM_INTEROP_THREADS": "1",
    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
}


@contextlib.contextmanager
def started(form: str, core: int, partner: Partner, probe: bool) -> Iterator[subprocess.Popen[str]]:
    """A process that prints the time of one step."""
    with tempfile.TemporaryDirectory() as folder, open(Path(folder, "alive"), "w") as alive:
        fcntl.flock(alive, fcntl.LOCK_EX)
        environment = {**os.environ, **ALIKE, "TF_CPP_MIN_LOG_LEVEL": "3", "HOROVOD_RANK": "0"}
        environment["PARTNER"] = ",".join(map(str, partner))
        if probe:
            environment["PYTHONPATH"] = str(PROBE)
            environment["DISTIFY_PROBE"] = folder
            environment["DISTIFY_PROBE_OPTIONS"] = json.dumps({"root": str(PROGRAM.parent)})
        command = ["taskset", "--cpu-list", str(core), sys.executable, str(PROGRAM), form]
        with subprocess.Popen(
            command,
            env=environment,
            pass_fds=partner[:2],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
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


def pair(form: str, number: int) -> tuple[float, float]:
    """Seconds of a step without the probe and with it, in one round."""
    core = CORES[number // 2 % len(CORES)]  # each of them leads on every core
    (read_a, write_b), (read_b, write_a) = os.pipe(), os.pipe()
    plain = started(form, core, (read_a, write_a, number % 2), probe=False)
    probed = started(form, core, (read_b, write_b, 1 - number % 2), probe=True)
    with plain as without, probed as watched:
        for end in (read_a, write_a, read_b, write_b):
            os.close(end)  # so that either sees the other one's end
        return seconds(without), seconds(watched)


def measure(form: str, rounds: int) -> tuple[float, float, list[float]]:
    """Seconds of a step without the probe and with it (medians), and the rounds' ratios."""
    pairs = [pair(form, number) for number in range(rounds)]
    without, probed = zip(*pairs)
    return median(without), median(probed), sorted(two / one for one, two in pairs)


def main() -> int:
    """Prints the table; exit code 1 if a ratio is above the promised one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--write", action="store_true", help="into docs/benchmarks.md")
    options = parser.parse_args()
    rows, worst = [HEAD, "|---|---|---|---|---|"], 0.0
    for form, name in FORMS.items():
        without, probed, ratios = measure(form, options.rounds)
        worst = max(worst, median(ratios))
        steps = f"{without * 1e3:.1f} ms | {probed * 1e3:.1f} ms"
        spread = f"{ratios[0]:.3f} to {ratios[-1]:.3f}"
        rows.append(f"| {name} | {steps} | {median(ratios):.3f} | {spread} |")
    versions = f"Python {platform.python_version()}, one core, {options.rounds} rounds."
    figures = "\n".join([*rows, "", versions])
    print(figures)
    if options.write:
        put(PAGE, "verify", figures)
    return int(worst > MOST)


if __name__ == "__main__":
    sys.exit(main())
