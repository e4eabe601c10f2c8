"""A scratch repository that knows nothing of the machine's settings, and what can be compared."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from distify.assistant import codemods
from distify.codemods.model import Migration, Options, Step

KEPT = frozenset({".git", ".distify_cache"})
DATE = "2026-01-02T03:04:05+00:00"
IDENTITY = {
    "GIT_AUTHOR_DATE": DATE,
    "GIT_COMMITTER_DATE": DATE,
    "GIT_CONFIG_NOSYSTEM": "1",
}


@dataclass(frozen=True)
class Git:
    """Real git in a folder."""

    folder: Path

    def __call__(self, *arguments: str, ok: bool = True) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=self.folder, capture_output=True, check=False
        )
        if ok and done.returncode:
            raise AssertionError((arguments, os.fsdecode(done.stderr)))
        return os.fsdecode(done.stdout).rstrip("\n")

    def write(self, name: str, text: str | bytes) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def commit(self, **files: str) -> str:
        """Commits everything there is, `a_py="…"` as a.py; the commit."""
        for name, text in files.items():
            self.write(name.replace("_py", ".py"), text)
        self("add", "-A")
        self("commit", "-q", "--no-verify", "-m", "as it was")
        return self("rev-parse", "HEAD")

    def files(self) -> dict[str, bytes]:
        """Every file of the work tree, tracked or not, but what git and distify keep of it."""
        return {
            str(path.relative_to(self.folder)): path.read_bytes()
            for path in self.folder.rglob("*")
            if path.is_file() and KEPT.isdisjoint(path.relative_to(self.folder).parts)
        }

    def state(self) -> dict[str, object]:
        """All that must be as before or as after: HEAD, branches, index, files, work trees."""
        git = self.folder / ".git"
        locks = [str(path) for path in git.rglob("*.lock")]
        trees = sorted(str(path) for path in git.glob("worktrees/*"))
        refs = self("for-each-ref", "--format=%(objectname) %(refname)")
        # The status compares HEAD, index and files: with one of them known, all are.
        status = self("status", "--porcelain=v2", "--branch", "--untracked-files=all")
        return {
            "head": (git / "HEAD").read_text(),
            "status": status,
            "refs": refs,
            "files": self.files(),
            "locks": locks,
            "trees": trees,
        }

    def subjects(self, revisions: str = "HEAD") -> list[str]:
        """Oldest first."""
        return self("log", "--reverse", "--format=%s", revisions).splitlines()


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(variable)
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    for name, value in IDENTITY.items():
        monkeypatch.setenv(name, value)


@pytest.fixture(autouse=True)
def _any_line_ends(fake_engine: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fake engine writes the line ends that it finds, as the real one does."""
    real = codemods.migrate

    def migrate(text: str, options: Options, name: str) -> Migration:
        done = real(text.replace("\r\n", "\n"), options, name)
        end = "\r\n" if "\r\n" in text else "\n"
        steps = (Step(s.code, s.text.replace("\n", end), s.places) for s in done.steps)
        return done._replace(before=text, steps=tuple(steps)).stamped

    monkeypatch.setattr(codemods, "migrate", migrate)


@pytest.fixture
def git(here: Path) -> Git:
    """An empty repository in the current folder, with an identity."""
    repository = Git(here)
    repository("init", "-q", "-b", "main")
    repository("config", "user.name", "Ada Müller")
    repository("config", "user.email", "ada@example.org")
    return repository
