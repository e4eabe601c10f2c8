"""What the probe of `distify verify` costs a training step.

The same program runs with the probe and without, in turns, so that what else the machine does hits
both alike; the figure is the ratio of the fastest runs, as whatever disturbs a run only slows it. A
step is at most 10 % slower (issue 3).
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.page import put  # noqa: E402  (run as a script, not as a module)

PROBE = ROOT / "assistant" / "verify" / "probe"
PROGRAM = ROOT / "bench" / "training.py"
PAGE = ROOT / "docs" / "benchmarks.md"
FORMS = {"fit": "Keras, `fit`", "tape": "GradientTape under `tf.function`", "session": "Session"}
MOST = 1.10
ONE_CORE = {"OMP_NUM_THREADS": "1", "TF_NUM_INTRAOP_THREADS": "1", "TF_NUM_INTEROP_THREADS": "1"}


def seconds(form: str, probe: bool) -> float:
    """The time of one step, in a process of its own. Raises CalledProcessError."""
    with tempfile.TemporaryDirectory() as folder, open(Path(folder, "alive"), "w") as alive:
        fcntl.flock(alive, fcntl.LOCK_EX)
        environment = {**os.environ, **ONE_CORE, "TF_CPP_MIN_LOG_LEVEL": "3", "HOROVOD_RANK": "0"}
        if probe:
            environment["PYTHONPATH"] = str(PROBE)
            environment["DISTIFY_PROBE"] = folder
            environment["DISTIFY_PROBE_OPTIONS"] = json.dumps({"root": str(PROGRAM.parent)})
        command = [sys.executable, str(PROGRAM), form]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        if probe and '"event": "state"' not in Path(folder, "rank0.jsonl").read_text():
            raise SystemExit(f"{form}: the probe saw no state")
    return float(done.stdout.rpartition("SECONDS")[2])


def measure(form: str, rounds: int) -> tuple[float, float]:
    """The fastest run's step without the probe and with it, in seconds."""
    times: dict[bool, list[float]] = {False: [], True: []}
    for number in range(rounds):
        for probe in (False, True) if number % 2 else (True, False):
            times[probe].append(seconds(form, probe))
    return min(times[False]), min(times[True])


def main() -> int:
    """Prints the table; exit code 1 if a ratio is above the promised one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--write", action="store_true", help="into docs/benchmarks.md")
    options = parser.parse_args()
    rows, worst = ["| loop | a step without | with the probe | ratio |", "|---|---|---|---|"], 0.0
    for form, name in FORMS.items():
        without, probed = measure(form, options.rounds)
        worst = max(worst, probed / without)
        ratio = f"{probed / without:.3f}"
        rows.append(f"| {name} | {without * 1e3:.1f} ms | {probed * 1e3:.1f} ms | {ratio} |")
    versions = f"Python {platform.python_version()}, one core, {options.rounds} rounds in turns."
    figures = "\n".join([*rows, "", versions])
    print(figures)
    if options.write:
        put(PAGE, "verify", figures)
    return int(worst > MOST)


if __name__ == "__main__":
    sys.exit(main())
