"""Inside a repository git says which files there are, and runs nothing that it names."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from distify.assistant.files.discovery import Finder


def git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=A", "-c", "user.email=a@b", "-c", "protocol.file.allow=always")
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


def lay_out(folder: Path, *files: str) -> None:
    for name in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")


def found(*paths: str) -> list[str]:
    finder = Finder()
    names = [target.name for target in finder.find(paths or ["."])]
    assert (finder.problems, finder.warnings) == ([], [])
    return names


@pytest.fixture
def repository(here: Path) -> Path:
    git(here, "init", "-q")
    return here


def test_a_tracked_file_is_taken_even_if_it_is_ignored(repository: Path) -> None:
    lay_out(repository, "a.py", "gen/b.py", "gen/c.py")
    (repository / ".gitignore").write_text("gen/\n")
    git(repository, "add", "-f", "a.py", "gen/b.py")
    assert found() == ["a.py", "gen/b.py"]
    assert found("gen") == ["gen/b.py", "gen/c.py"]  # who names an ignored folder means all of it


def test_the_global_excludes_of_the_user_count(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay_out(repository, "a.py", "scratch.py")
    (repository.parent / "excludes").write_text("scratch.py\n")
    settings = repository.parent / "gitconfig"
    settings.write_text(f"[core]\nexcludesFile = {repository.parent}/excludes\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    assert found() == ["a.py"]


def test_what_is_deleted_is_not_there(repository: Path) -> None:
    lay_out(repository, "a.py", "b.py")
    git(repository, "add", ".")
    (repository / "a.py").unlink()
    assert found() == ["b.py"]


def test_repositories_inside_speak_for_themselves(repository: Path) -> None:
    other = repository.parent / "other"
    lay_out(other, "sub.py", "ignored.py", ".gitignore")
    (other / ".gitignore").write_text("ignored.py\n")
    git(other, "init", "-q")
    git(other, "add", ".")
    git(other, "commit", "-qm", "x")
    git(repository, "submodule", "add", "-q", str(other), "sub")
    git(repository, "clone", "-q", str(other), "nested")
    lay_out(repository, "a.py", "sub/ignored.py", "nested/ignored.py")
    assert found() == ["a.py", "nested/sub.py", "sub/sub.py"]


def test_repositories_side_by_side(here: Path) -> None:
    for name in ("one", "two"):
        lay_out(here / name, "a.py", "tracked.py")
        (here / name / ".gitignore").write_text("*.py\n")
        git(here / name, "init", "-q")
        git(here / name, "add", "-f", "tracked.py")
    assert found() == ["one/tracked.py", "two/tracked.py"]


def test_what_is_excluded_stays_excluded(repository: Path) -> None:
    lay_out(repository, "a.py", "gen/b.py", ".hidden/c.py", "env/pyvenv.cfg", "env/d.py")
    git(repository, "add", "-f", ".")
    (repository / "pyproject.toml").write_text('[tool.distify]\nexclude = ["gen/"]\n')
    from distify.assistant.files import config

    finder = Finder(config.excludes)
    assert [target.name for target in finder.find(["."])] == ["a.py"]


def test_nothing_that_the_repository_names_is_run(repository: Path) -> None:
    marker, program = repository.parent / "was-run", repository / "program"
    program.write_text(f"#!/bin/sh\ntouch {marker}\n")
    program.chmod(0o755)
    lay_out(repository, "a.py", "src/b.py")
    git(repository, "add", "a.py", "src/b.py")
    git(repository, "commit", "-qm", "x")
    hooks = repository / "hooks"
    hooks.mkdir()
    for name in ("post-index-change", "post-checkout", "fsmonitor-watchman"):
        (hooks / name).symlink_to(program)
    for key, value in {
        "core.fsmonitor": str(program),
        "core.hooksPath": str(hooks),
        "core.sshCommand": str(program),
        "core.pager": str(program),
        "alias.ls-files": f"!{program}",
        "filter.x.clean": str(program),
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": f"ext::{program}",
        "core.sparseCheckout": "true",
    }.items():
        git(repository, "config", key, value)
    (repository / ".gitattributes").write_text("* filter=x\n")
    lay_out(repository, "c.py")
    assert found() == ["a.py", "c.py", "src/b.py"]
    assert not marker.exists()


@pytest.mark.parametrize("place", [".gitignore", "src/.gitignore"])
def test_a_pipe_for_an_ignore_file_is_named(repository: Path, place: str) -> None:
    lay_out(repository, "a.py", "src/b.py")
    os.mkfifo(repository / place)
    finder = Finder()
    assert [target.name for target in finder.find(["."])] == ["a.py", "src/b.py"]
    (warning,) = finder.warnings
    assert warning.name == str(repository / place)
    assert warning.message == "is a pipe, not a file; it was not read"


@pytest.mark.parametrize("name", ["config", "HEAD", "index", "info/exclude"])
def test_a_pipe_in_the_folder_of_git_keeps_nobody_waiting(repository: Path, name: str) -> None:
    lay_out(repository, "a.py")
    path = repository / ".git" / name
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    assert [target.name for target in Finder().find(["."])] == ["a.py"]


@pytest.mark.parametrize(
    "data", [b"gitdir: \0", b"gitdir: nowhere", b"\xff\xfe", b"", b"gitdir: " + b"x" * 100_000]
)
def test_an_odd_git_file_is_gone_on_without(here: Path, data: bytes) -> None:
    lay_out(here, "a.py", "src/b.py")
    (here / ".git").write_bytes(data)
    assert [target.name for target in Finder().find([".", "src"])] == ["a.py", "src/b.py"]


def test_an_odd_commondir_is_gone_on_without(here: Path) -> None:
    lay_out(here, "a.py", "real/HEAD")
    (here / ".git").write_text("gitdir: real\n")
    (here / "real/commondir").write_bytes(b"\xff\xfe\0")
    assert [target.name for target in Finder().find(["."])] == ["a.py"]


def test_a_repository_without_git_is_walked(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay_out(repository, "a.py", "b.py")
    (repository / ".gitignore").write_text("b.py\n")
    monkeypatch.setenv("PATH", str(repository))
    assert found() == ["a.py"]


def test_a_large_repository_is_waited_for(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from distify.assistant.git import listing

    monkeypatch.setattr(listing, "PATIENCE", 0.0)
    lay_out(repository, *(f"{number}/a.py" for number in range(50)))
    begun = time.monotonic()
    assert len(found()) == 50
    assert time.monotonic() - begun < listing.LIMIT
