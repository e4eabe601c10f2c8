"""Which files are meant, each once, and one clear line for what is no file."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from distify.assistant.files.discovery import Finder


def lay_out(folder: Path, *files: str) -> None:
    for name in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")


def found(*paths: str) -> list[str]:
    finder = Finder()
    names = [target.name for target in finder.find(paths)]
    assert finder.problems == []
    return names


def problems(*paths: str) -> list[tuple[str, str]]:
    finder = Finder()
    finder.find(paths)
    return [(problem.name, problem.message) for problem in finder.problems]


def test_python_files_sorted_with_the_names_a_person_would_type(here: Path) -> None:
    lay_out(here, "b.py", "a/c.py", "a/d.pyw", "a/e.txt", "a/f.pyi", "a.py", "Makefile")
    assert found(".") == ["a.py", "a/c.py", "a/d.pyw", "b.py"]
    assert found("a/", "b.py") == ["a/c.py", "a/d.pyw", "b.py"]
    assert found(str(here / "a")) == [f"{here}/a/c.py", f"{here}/a/d.pyw"]


def test_folders_of_other_people_are_skipped(here: Path) -> None:
    lay_out(here, ".git/a.py", ".venv/a.py", ".hidden/a.py", "__pycache__/a.py", "a.py")
    lay_out(here, "node_modules/a.py", "env/pyvenv.cfg", "env/lib/a.py", "lib/site-packages/b.py")
    assert found(".") == ["a.py"]


def test_they_are_searched_when_named(here: Path) -> None:
    lay_out(here, "env/pyvenv.cfg", "env/lib/a.py", ".hidden/b.py")
    assert found("env", ".hidden") == [".hidden/b.py", "env/lib/a.py"]


def test_named_files_are_always_taken(here: Path) -> None:
    lay_out(here, "script", "ignored.py", ".venv/x.py")
    (here / ".gitignore").write_text("*\n")
    assert found("script", "ignored.py", ".venv/x.py") == [".venv/x.py", "ignored.py", "script"]


def test_each_file_once(here: Path) -> None:
    lay_out(here, "a/x.py")
    os.symlink("a/x.py", here / "link.py")
    os.symlink("a", here / "b")
    assert found(".", "a", "a/x.py", "./a/../a/x.py", str(here)) == ["a/x.py"]
    assert found("b", "a") == ["a/x.py"] or found("b", "a") == ["b/x.py"]


def test_its_own_name_is_preferred_to_that_of_a_link(here: Path) -> None:
    lay_out(here, "z/real.py")
    os.symlink("z/real.py", here / "a.py")
    assert found(".") == ["z/real.py"]
    assert found("a.py") == ["a.py"]


def test_links_to_folders_are_not_followed_and_loops_are_safe(here: Path) -> None:
    lay_out(here, "a/x.py")
    os.symlink("..", here / "a/up")
    os.symlink("loop", here / "loop")
    os.symlink(here, here / "a/folder.py")
    assert found(".") == ["a/x.py"]


def test_a_folder_named_like_a_file_is_a_folder(here: Path) -> None:
    lay_out(here, "x.py/inner.py", "x.py/y.py/z.py")
    assert found(".") == ["x.py/inner.py", "x.py/y.py/z.py"]
    assert found("x.py") == ["x.py/inner.py", "x.py/y.py/z.py"]


def test_a_path_that_does_not_exist(here: Path) -> None:
    assert problems("gone.py", "no/such") == [
        ("gone.py", "no such file or folder"),
        ("no/such", "no such file or folder"),
    ]
    assert problems("") == [("", "no such file or folder")]
    assert problems("a\0b")[0][1]


def test_what_is_no_file(here: Path) -> None:
    os.mkfifo(here / "fifo.py")
    os.symlink("gone", here / "broken.py")
    os.symlink("self.py", here / "self.py")
    server = socket.socket(socket.AF_UNIX)
    server.bind("socket.py")
    expected = [
        ("broken.py", "no such file or folder"),
        ("fifo.py", "is a pipe, not a file"),
        ("self.py", "too many levels of symbolic links"),
        ("socket.py", "is a socket, not a file"),
    ]
    assert sorted(problems(".")) == expected
    assert problems(*(name for name, _ in expected)) == expected
    assert problems("/dev/null") == [("/dev/null", "is a device, not a file")]
    server.close()


def test_the_others_go_on(here: Path) -> None:
    lay_out(here, "a.py", "z.py")
    os.mkfifo(here / "m.py")
    finder = Finder()
    assert [target.name for target in finder.find(["gone", "."])] == ["a.py", "z.py"]
    assert len(finder.problems) == 2


def test_an_editors_lock_is_no_problem(here: Path) -> None:
    os.symlink("me@host.1234", here / ".#train.py")
    assert problems(".") == []


def test_an_unreadable_folder_is_named(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay_out(here, "a/x.py", "b/y.py")
    scandir = os.scandir

    def refuse(path: str) -> object:
        if str(path).endswith("/a"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    finder = Finder()
    assert [target.name for target in finder.find(["."])] == ["b/y.py"]
    assert [tuple(problem)[:2] for problem in finder.problems] == [("a", "permission denied")]


def test_a_name_that_is_no_text(here: Path) -> None:
    with open(os.fsencode(here) + b"/caf\xe9.py", "wb"):
        pass
    assert found(".") == ["caf\udce9.py"]
