"""What the pre-commit hook costs on one changed file, beside a hook that does nothing.

As pre-commit has both: installed into an environment, one process each, everything warm. The
commands take turns, so that what else the machine does hits all alike; what is compared is the
least CPU time of each, which other work disturbs least. Before each look at a changed file
something in it changes; one that is looked at again is as it was.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench import written_projects  # noqa: E402  (run as a script, not as a module)
from bench.page import put  # noqa: E402
from bench.project_shapes import write  # noqa: E402

ROUNDS = 21
MODULES = 200
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


class Look(NamedTuple):
    """A command on one file, which gets a new text before it, or stays as it was."""

    command: Sequence[str]
    file: Path | None = None
    text: str = ""
    is_changed: bool = True

    def prepare(self, number: int) -> None:
        """Make the file what it is to be in a round."""
        if self.file is not None:
            mark = f"# change {number}\n" if self.is_changed else ""
            self.file.write_text(self.text + mark, encoding="utf-8")


def looks(programs: Path, folder: Path) -> dict[str, Look]:
    """One file of each kind that a commit may hold, alone and in a project."""
    distify = str(programs / "distify")
    project, large = folder / "project", folder / "large"
    few, handed = folder / "few", folder / "handed"
    write(project, "chain", 4)
    write(large, "chain", MODULES)
    written_projects.write(few, MODULES)
    written_projects.write(handed, MODULES, is_handed_on=True)
    migrated = project / "migrated.py"
    migrated.write_text(TRAIN, encoding="utf-8")
    subprocess.run([distify, "migrate", "-q", str(migrated)], check=True, timeout=60)
    texts = {
        "without training": (project / "plain.py", PLAIN),
        "already migrated": (migrated, migrated.read_text("utf-8")),
        "to be rewritten": (project / "own.py", TRAIN),
    }
    of = {
        f"{MODULES} modules: one of them": large / "pkg" / "m20.py",
        f"{MODULES} modules: the one with the model": large / "pkg" / "model.py",
        f"{MODULES} modules as people write them: the script": few / "train.py",
        f"{MODULES} modules that packages hand on: the script": handed / "train.py",
        f"{MODULES} modules, each of which calls the one before: the script": large / "train.py",
    }
    texts |= {name: (path, path.read_text("utf-8")) for name, path in of.items()}
    found = {}
    for name, (path, text) in texts.items():
        command = [distify, *CHECK, str(path)]
        found[name] = Look(command, path, text)
        found[f"{name}, looked at again"] = Look(command, path, text, False)
    fixed = project / "fixed.py"
    found["rewritten by `distify-fix`"] = Look([distify, *FIX, str(fixed)], fixed, TRAIN)
    return found


def cpu(command: Sequence[str]) -> float:
    """The CPU seconds of a command, whatever its exit code says."""
    nowhere, unset = subprocess.DEVNULL, "PYTHONDONTWRITEBYTECODE"  # which images of containers set
    env = {name: value for name, value in os.environ.items() if name != unset}
    process = subprocess.Popen(command, stdout=nowhere, stderr=nowhere, env=env)
    _, _, used = os.wait4(process.pid, 0)
    process.returncode = 0
    return used.ru_utime + used.ru_stime


def measure(asked: dict[str, Look], rounds: int) -> dict[str, float]:
    """The least CPU time of each, in milliseconds; a file that is looked at again is known."""
    for look in asked.values():
        look.prepare(0)
        cpu(look.command)
    least = dict.fromkeys(asked, float("inf"))
    for number in range(1, rounds + 1):
        for name, look in asked.items():
            look.prepare(number)
            if not look.is_changed:
                cpu(look.command)
            least[name] = min(least[name], 1000 * cpu(look.command))
    return least


def table(least: dict[str, float], base: str) -> str:
    """The figures as a page shows them."""
    rows = [
        f"| {name} | {taken:.0f} ms | {taken - least[base]:+.0f} ms | {taken / least[base]:.1f} × |"
        for name, taken in least.items()
    ]
    head = [
        "| the hook looks at one file | CPU | beside the empty hook | times it |",
        "|---|---:|---:|---:|",
    ]
    return "\n".join([*head, *rows])


def main() -> None:
    """Measures, prints, and with `--write` puts the figures into the documentation."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        programs = environment(Path(folder, "venv"))
        empty = "an empty Python hook"
        asked = {empty: Look([str(programs / "nothing")]), **looks(programs, Path(folder))}
        figures = table(measure(asked, chosen.rounds), empty)
    sys.stdout.write(figures + "\n")
    if chosen.write:
        put(PAGE, "hook", figures + "\n")


if __name__ == "__main__":
    main()
