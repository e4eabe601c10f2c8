"""What judging adds to a migration, of one script and of a project of 60 files.

    python bench/judging.py [--rounds N]

Processor time of looks with and without the judge, in turns and in one process, the least of each:
the ratios don't hang on the machine. A file without a proposal is looked at as well: the judge
doesn't come to it.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Callable
from unittest.mock import patch

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench import written_projects  # noqa: E402  (run as a script, not as a module)
from distify.codemods.gate import judging  # noqa: E402
from distify.codemods.migrate import migrate  # noqa: E402
from distify.codemods.model import Options  # noqa: E402
from distify.codemods.project.migrate import migrate_project  # noqa: E402
from distify.codemods.project.texts import Project  # noqa: E402

SCRIPTS = ("keras_fit_arrays.py", "tape_gan.py", "tape_trainer_class.py")
MODULES = 60


@contextmanager
def without_judge() -> Iterator[None]:
    """Looks that end where the judge would begin."""
    with patch.object(judging, "judge", lambda case: []):
        yield


def seconds(look: Callable[[], object], rounds: int) -> tuple[float, float]:
    """Processor time of a look without the judge and with it, the least of several rounds."""
    plain, judged = [], []
    look()
    for _ in range(rounds):
        with without_judge():
            plain.append(_timed(look))
        judged.append(_timed(look))
    return min(plain), min(judged)


def _timed(look: Callable[[], object]) -> float:
    begin = time.process_time()
    look()
    return time.process_time() - begin


def main() -> None:
    """Print a line each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    for name in SCRIPTS:
        text = (ROOT / "examples" / name).read_text("utf-8")
        _tell(name, partial(migrate, text, Options(), name), rounds)
    quiet = "import tensorflow as tf\nprint(tf.__version__)\n" + "x = tf.ones(3)\n" * 40
    _tell("no proposal", partial(migrate, quiet, Options(), "quiet.py"), rounds)
    with tempfile.TemporaryDirectory() as folder:
        written_projects.write(Path(folder), MODULES)
        texts = {
            os.path.relpath(path, folder): path.read_text("utf-8")
            for path in Path(folder).rglob("*.py")
        }
    entry = next(path for path, text in texts.items() if ".fit(" in text and "__main__" in text)
    project = Project(entry, texts)
    _tell(f"project of {len(texts)}", partial(migrate_project, project, Options(), entry), rounds)


def _tell(name: str, look: Callable[[], object], rounds: int) -> None:
    plain, judged = seconds(look, rounds)
    more = judged - plain
    print(f"{name:24} {1000 * plain:7.1f} ms, judged {1000 * judged:7.1f} ms: {more / plain:+.2f}")


if __name__ == "__main__":
    main()
