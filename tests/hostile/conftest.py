"""A checkout that somebody wrote to do harm, beside files that are none of its business.

Each attack is an input; what holds of all: nothing outside of the checkout has changed, the command
has ended, it says in words what it refuses, and no traceback comes.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

DISTIFY = str(Path(sys.executable).with_name("distify"))
# Nothing here takes longer than some seconds; a machine may be busy.
PATIENCE = 300.0
TRAIN = """\
import numpy as np
import tensorflow as tf

x, y = np.load("x.npy"), np.load("y.npy")
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.SGD(0.1), "mse")
model.fit(x, y, batch_size=8, epochs=2)
"""


@dataclass(frozen=True)
class Answer:
    """What a command answered."""

    code: int
    output: str
    words: str


@dataclass
class Checkout:
    """The checkout in `folder`; `outside` must stay as it is."""

    folder: Path
    outside: Path
    env: dict[str, str] = field(default_factory=dict)

    def write(self, name: str, data: str | bytes) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return path

    def git(self, *arguments: str) -> str:
        command = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *arguments]
        done = subprocess.run(
            command, cwd=self.folder, env=self.env, capture_output=True, check=True
        )
        return os.fsdecode(done.stdout).strip()

    def commit(self, **files: str) -> str:
        """A repository with these files, `a_py="…"` as a.py; its commit."""
        for name, text in files.items():
            self.write(name.replace("_py", ".py"), text)
        self.git("init", "-q", "-b", "main")
        self.git("config", "user.name", "A")
        self.git("config", "user.email", "a@example.org")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "as it was")
        return self.git("rev-parse", "HEAD")

    def __call__(self, *arguments: str, env: Mapping[str, str] = {}) -> Answer:
        return self.run(DISTIFY, *arguments, env=env)

    def run(self, *command: str, env: Mapping[str, str] = {}) -> Answer:
        """Runs a command, and ends it with all that it started, should it hang."""
        process = subprocess.Popen(
            command,
            cwd=self.folder,
            env={**self.env, **env},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        try:
            output, words = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise AssertionError(f"it has not ended: {command}") from None
        answer = Answer(
            process.returncode, *(b.decode("utf-8", "replace") for b in (output, words))
        )
        assert "Traceback" not in answer.output + answer.words, answer.words
        return answer


def contents(folder: Path) -> dict[str, object]:
    """Everything below a folder, with links as links."""
    found: dict[str, object] = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        found[name] = os.readlink(path) if path.is_symlink() else None
        if path.is_file() and not path.is_symlink():
            found[name] = path.read_bytes()
    return found


@pytest.fixture
def checkout(tmp_path: Path) -> Iterator[Checkout]:
    """In a world of its own; at the end, what lies outside is as it was."""
    folder, outside, home = (tmp_path / name for name in ("checkout", "outside", "home"))
    for each in (folder, outside, home, outside / "run"):
        each.mkdir()
    (outside / "precious.txt").write_text("precious\n")
    (outside / "run" / "deep.txt").write_text("deep\n")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "XDG_", "DISTIFY"))}
    own = {"HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1", "NO_COLOR": "1"}
    before = contents(outside)
    yield Checkout(folder, outside, {**kept, **own})
    assert contents(outside) == before
