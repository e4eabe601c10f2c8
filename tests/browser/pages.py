"""Writes the pages that the browser is shown: each kind that there is, with all that it can hold.

python tests/browser/pages.py FOLDER [NAME…]
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from distify.assistant.report.page.whole_page import of_proof, of_race

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parents[1] / "examples"
EVIL = "</code></td><script>document.title = 'owned'</script><img src=x onerror=alert(2)>"
SMALL = """\
import numpy as np
import tensorflow as tf

x, y = np.load("x.npy"), np.load("y.npy")
m = tf.keras.Sequential([tf.keras.layers.Dense(1)])
m.compile("sgd", "mse")
m.fit(x, y)
"""


def lay(folder: Path, *names: str) -> None:
    """Pages of a whole project, of a small one, of two proofs and of races; all or those named."""
    for name in names or PAGES:
        (folder / f"{name}.html").write_text(PAGES[name](folder, name), encoding="utf-8")


def _told(make: Callable[[object], str]) -> Callable[[Path, str], str]:
    """The page of a report for programs, which is kept here."""
    return lambda _, name: make(json.loads((HERE / f"{name}.json").read_text(encoding="utf-8")))


def _project(folder: Path) -> None:
    """Changes, what is blocked with its repairs, files that can't be read, and evil text."""
    for path in sorted((EXAMPLES / "refused").glob("*.py"))[:3]:
        shutil.copy(path, folder)
    shutil.copy(EXAMPLES / "keras_callbacks.py", folder / "train.py")
    evil = SMALL.replace("as tf\n", f"as tf  # {EVIL}\n")
    (folder / "evil.py").write_text(evil, encoding="utf-8")
    (folder / "broken.py").write_text("import tensorflow as tf\nmodel.fit(x\n", encoding="utf-8")


def _small(folder: Path) -> None:
    (folder / "small.py").write_text(SMALL, encoding="utf-8")


def _checked(fill: Callable[[Path], None]) -> Callable[[Path, str], str]:
    """The page of `check` for a folder with these files."""

    def check(folder: Path, name: str) -> str:
        project = folder / name
        project.mkdir(parents=True)
        fill(project)
        (project / "pyproject.toml").write_text('[tool.distify]\ntensorflow = "2.15"\n')
        shutil.copy(HERE / "proof.json", project)
        command = [sys.executable, "-m", "distify", "check", "--no-cache", "--report", "page.html"]
        command += ["--verified", "proof.json"]
        done = subprocess.run(command, cwd=project, capture_output=True, check=False)
        assert done.returncode in (1, 2), done.stderr
        return (project / "page.html").read_text(encoding="utf-8")

    return check


PAGES = {
    "project": _checked(_project),
    "small": _checked(_small),
    "proof": _told(of_proof),
    "convicted": _told(of_proof),
    "race": _told(of_race),
}
if __name__ == "__main__":
    lay(Path(sys.argv[1]).resolve(), *sys.argv[2:])
