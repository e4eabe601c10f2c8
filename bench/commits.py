"""How long `migrate --commit` and `undo` take in a small and in a large repository.

Both hold the same script, beside 500 and beside 50,000 other files; rounds alternate, so that what
else the machine does hits both alike.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = ROOT / "examples" / "keras_callbacks.py"
SIZES = (500, 50_000)
PER_FOLDER = 100
HOOK = "#!/bin/sh\nexit 0\n"


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=x", "-c", "user.email=x@y", "-c", "gc.auto=0")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True)


def repository(folder: Path, size: int) -> Path:
    """A repository with so many files, a hundred in each folder."""
    for number in range(size):
        path = folder / f"d{number // PER_FOLDER}" / f"{number}.txt"
        if number % PER_FOLDER == 0:
            path.parent.mkdir(parents=True)
        path.write_text(f"{number}\n")
    (folder / "src").mkdir()
    (folder / "src" / "train.py").write_bytes(SCRIPT.read_bytes())
    git(folder, "init", "-q")
    git(folder, "config", "user.name", "x")
    git(folder, "config", "user.email", "x@y")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "all")
    return folder


def seconds(folder: Path, *arguments: str) -> float:
    """The time of one command, the start of Python included."""
    command = [sys.executable, "-m", "distify.assistant", *arguments]
    started = time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def measure(folders: dict[int, Path], rounds: int) -> None:
    times: dict[tuple[str, int], list[float]] = {}
    for _ in range(rounds):
        for size, folder in folders.items():
            for what in (("migrate", "--commit", "src/train.py"), ("undo",)):
                times.setdefault((what[0], size), []).append(seconds(folder, *what))
    small, large = SIZES
    for command in ("migrate", "undo"):
        one, other = (statistics.median(times[command, size]) for size in SIZES)
        ratio = other / one
        print(
            f"{command:8} {small} files {one:.2f} s, {large} files {other:.2f} s, {ratio:.2f} times"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as scratch:
        folders = {size: repository(Path(scratch) / str(size), size) for size in SIZES}
        measure(folders, rounds)
        for folder in folders.values():
            hook = folder / ".git" / "hooks" / "pre-commit"
            hook.write_text(HOOK)
            os.chmod(hook, 0o755)
        print("with a pre-commit hook, for which every file is checked out once:")
        measure(folders, max(rounds // 3, 1))


if __name__ == "__main__":
    main()
