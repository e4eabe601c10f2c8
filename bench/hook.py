"""What the pre-commit hook costs on one changed file, beside a hook that does nothing.

As pre-commit has both: installed into an environment, one process each, everything warm. The
commands take turns, so that what else the machine does hits all alike.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.page import put  # noqa: E402  (run as a script, not as a module)

ROUNDS = 21
PAGE = ROOT / "docs" / "benchmarks.md"
CHECK = ("migrate", "--check", "--force-exclude")
FIX = ("migrate", "--force-exclude")
TRAIN = (ROOT / "examples" / "keras_callbacks.py").read_text(encoding="utf-8")
NOTHING = """\
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"
[project]
name = "nothing"
version = "0"
scripts = {nothing = "nothing:main"}
"""
PLAIN = "import sys\n\n\ndef main() -> None:\n    sys.stdout.write('nothing to train\\n')\n"


def environment(folder: Path) -> Path:
    """An environment with distify and an empty hook, as pre-commit makes it; where programs are."""
    venv.create(folder, with_pip=True)
    empty = folder / "nothing"
    empty.mkdir()
    (empty / "pyproject.toml").write_text(NOTHING, encoding="utf-8")
    (empty / "nothing.py").write_text("def main():\n    pass\n", encoding="utf-8")
    programs = folder / ("Scripts" if sys.platform == "win32" else "bin")
    pip = [str(programs / "python"), "-m", "pip", "-qq", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", str(ROOT), str(empty)], check=True, timeout=600)
    return programs


def files(programs: Path, folder: Path) -> dict[str, Path]:
    """One file of each kind that a commit may hold."""
    train, migrated, plain = (folder / f"{name}.py" for name in ("train", "migrated", "plain"))
    train.write_text(TRAIN, encoding="utf-8")
    migrated.write_text(TRAIN, encoding="utf-8")
    plain.write_text(PLAIN, encoding="utf-8")
    subprocess.run(
        [str(programs / "distify"), "migrate", "-q", str(migrated)], check=True, timeout=60
    )
    return {"without training": plain, "already migrated": migrated, "to be rewritten": train}


def seconds(command: Sequence[str]) -> float:
    """How long a command takes, whatever its exit code says; `distify-fix` finds work anew."""
    if tuple(command[1:-1]) == FIX:
        Path(command[-1]).write_text(TRAIN, encoding="utf-8")
    start = time.perf_counter()
    # Without a timeout: with one, the end is looked for every 50 ms only.
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def measure(commands: dict[str, Sequence[str]]) -> dict[str, float]:
    """The median of each command, in milliseconds."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(ROUNDS + 1):
        for name, command in commands.items():
            times[name].append(seconds(command))
    return {name: 1000 * statistics.median(taken[1:]) for name, taken in times.items()}


def table(medians: dict[str, float], base: str) -> str:
    """The figures as a page shows them."""
    rows = [
        f"| {name} | {taken:.0f} ms | {taken - medians[base]:+.0f} ms | "
        f"{taken / medians[base]:.1f} × |"
        for name, taken in medians.items()
    ]
    head = [
        "| the hook looks at one file | median | beside the empty hook | times it |",
        "|---|---:|---:|---:|",
    ]
    return "\n".join([*head, *rows])


def main() -> None:
    """Measures, prints, and with `--write` puts the figures into the documentation."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        programs = environment(Path(folder, "venv"))
        empty = "an empty Python hook"
        commands: dict[str, Sequence[str]] = {empty: [str(programs / "nothing")]}
        for name, file in files(programs, Path(folder)).items():
            commands[name] = [str(programs / "distify"), *CHECK, str(file)]
        fixed = Path(folder, "fixed.py")
        commands["rewritten by `distify-fix`"] = [str(programs / "distify"), *FIX, str(fixed)]
        figures = table(measure(commands), empty)
    sys.stdout.write(figures + "\n")
    if chosen.write:
        put(PAGE, "hook", figures)


if __name__ == "__main__":
    main()
