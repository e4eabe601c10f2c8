"""A project at GitHub, its clone, and what a person or a workflow does there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from .server import REPOSITORY, TOKEN, State

TRAIN = """\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.SGD(0.1), loss="mse")  # by hand
model.fit(tf.random.normal([8, 2]).numpy(), tf.random.normal([8, 1]).numpy(), epochs=1)
"""
BLOCKED = """\
import tensorflow as tf

with tf.distribute.MirroredStrategy().scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", loss="mse")
model.fit([[0.0]], [[0.0]])
"""
BRANCH = "distify/migrate"
GIT = ("git", "-c", "commit.gpgSign=false", "-c", "init.defaultBranch=main")


class Project:
    """A clone in `folder`; its `origin` is the server, over HTTP."""

    def __init__(self, github: State, folder: Path) -> None:
        self.github, self.folder = github, folder
        self.home = folder.parent / "home"
        self.home.mkdir(exist_ok=True)
        self.output = self.home / "output"
        self.summary = self.home / "summary"
        self.shell(*GIT, "init", "-q", "-b", "main", str(folder), at=folder.parent)
        self.git("remote", "add", "origin", f"{github.url}/{github.names[0]}.git")

    @property
    def env(self) -> dict[str, str]:
        kept = ("PATH", "LANG", "LC_ALL", "TMPDIR", "PIP_", "SSL_", "COVERAGE", "COV_", "HTTP")
        return {
            **{k: v for k, v in os.environ.items() if k.upper().startswith(kept)},
            "HOME": str(self.home),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_SYSTEM": os.devnull,
            "GITHUB_API_URL": self.github.url,
            "GITHUB_SERVER_URL": self.github.url,
            "GITHUB_REPOSITORY": REPOSITORY,
            "GITHUB_REF_TYPE": "branch",
            "GITHUB_REF_NAME": "main",
            "NO_PROXY": "127.0.0.1",
        }

    @property
    def person(self) -> dict[str, str]:
        who = {"NAME": "A Person", "EMAIL": "person@example.org"}
        return {f"GIT_{r}_{k}": v for r in ("AUTHOR", "COMMITTER") for k, v in who.items()}

    def shell(self, *command: str, at: Path | None = None, code: int = 0) -> str:
        done = subprocess.run(
            command, cwd=at or self.folder, env={**self.env, **self.person},
            capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout.strip()

    def git(self, *command: str) -> str:
        return self.shell(*GIT, *command)

    def change(self, message: str, **files: str | None) -> None:
        """Commits files (None: goes) on main and pushes them, past the token."""
        for name, text in files.items():
            path = self.folder / name.replace("_py", ".py")
            if text is None:
                path.unlink()
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)
        self.git("push", "-q", str(self.github.bare), "main")

    def human(self, name: str = "README") -> str:
        """A person's commit on top of the pull request's branch."""
        self.git("fetch", "-q", str(self.github.bare), BRANCH)
        tree = self.git("rev-parse", "FETCH_HEAD^{tree}")
        made = self.git("commit-tree", "-p", "FETCH_HEAD", "-m", f"My {name}", tree)
        self.git("push", "-q", str(self.github.bare), f"{made}:refs/heads/{BRANCH}")
        return made

    def pr(self, *options: str, code: int = 0, **more: str) -> str:
        """`distify pr` in a workflow; what it printed."""
        for path in (self.output, self.summary):
            path.write_text("", encoding="utf-8")
        env = {
            **self.env,
            "GITHUB_ACTIONS": "true",
            "GITHUB_TOKEN": TOKEN,
            "GITHUB_OUTPUT": str(self.output),
            "GITHUB_STEP_SUMMARY": str(self.summary),
            **more,
        }
        done = subprocess.run(
            [sys.executable, "-m", "distify.assistant", "pr", *options],
            cwd=self.folder, env={k: v for k, v in env.items() if v}, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300,
        )  # fmt: skip
        assert done.returncode == code, done.stdout
        return done.stdout
