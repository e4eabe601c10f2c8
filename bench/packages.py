"""Whole packages as one project each: what `distify check` needs, beside `ast.parse`.

One process each, an empty cache, processor seconds and the most memory at a time; `ast.parse` reads
the files that mention TensorFlow. Each package is copied to where no settings of ours hold for it.
Folders that are named are looked at in place of the packages of the pinned corpus.
"""

from __future__ import annotations

import argparse
import ast
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.corpus import corpus  # noqa: E402  (run as a script, not as a module)

GOAL = 30.0  # times `ast.parse`
COMMAND = ("-m", "distify", "check", "--no-cache", "--jobs", "1", "--color", "never")


class Cost(NamedTuple):
    """One package: its files, the seconds of `ast.parse` and of a check, megabytes, the end."""

    files: int
    parsed: float
    checked: float
    memory: float
    verdict: str


def parsed(texts: Iterable[str]) -> float:
    """The least seconds of three in which Python reads these texts."""
    kept = list(texts)
    return min(_once(kept) for _ in range(3))


def _once(texts: list[str]) -> float:
    start = time.process_time()
    for text in texts:
        try:
            ast.parse(text)
        except (SyntaxError, ValueError):
            continue
    return time.process_time() - start


def measure(folder: Path, patience: int) -> Cost:
    """The figures of one package."""
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in folder.rglob("*.py")]
    mentioned = [text for text in texts if "tensorflow" in text or "keras" in text]
    with tempfile.TemporaryDirectory() as place:
        copied = shutil.copytree(folder, Path(place, folder.name))
        checked, memory, said = _checked(copied, patience)
    return Cost(len(texts), parsed(mentioned), checked, memory, said)


def _checked(folder: Path, patience: int) -> tuple[float, float, str]:
    """Processor seconds, megabytes, and the last line that is said, of a look at a folder."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as told:
        process = subprocess.Popen(
            [sys.executable, *COMMAND, str(folder)],
            stdout=told,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (patience, patience)),
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        told.seek(0)
        lines = [line for line in told if line.strip()]
    said = lines[-1].strip() if lines and process.returncode >= 0 else "no end"
    return used.ru_utime, used.ru_maxrss / 1024, said


def main() -> None:
    """Print a line a package."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("folders", nargs="*", type=Path, help="in place of the pinned corpus")
    words.add_argument("--patience", type=int, default=900, help="processor seconds for each")
    given = words.parse_args()
    warnings.simplefilter("ignore")
    os.environ["PYTHONWARNINGS"] = "ignore"
    folders = given.folders or sorted(each for each in corpus().iterdir() if each.is_dir())
    print(f"{'package':24} files  parse s  check s   times     MB  what is said")
    for folder in folders:
        cost = measure(folder, given.patience)
        times = cost.checked / max(cost.parsed, 1e-9)
        print(
            f"{folder.name:24} {cost.files:5} {cost.parsed:8.2f} {cost.checked:8.1f}"
            f" {times:7.0f} {cost.memory:6.0f}  {cost.verdict}",
            flush=True,
        )


if __name__ == "__main__":
    main()
