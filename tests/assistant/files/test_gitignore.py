"""What git ignores, compared with git itself."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from distify.assistant.files.discovery import Finder
from distify.assistant.files.gitignore import compile_lines

TABLE = [
    ("build/", "build/a.py", "src/build/b.py", "c.py"),
    ("/build/", "build/a.py", "src/build/b.py"),
    ("*.gen.py", "a.gen.py", "src/b.gen.py", "src/c.py"),
    ("src/*", "src/a.py", "src/deep/b.py", "c.py"),
    ("src/*\n!src/keep/", "src/a.py", "src/keep/b.py", "src/drop/c.py"),
    ("*\n!*/\n!*.py", "a.py", "src/b.py", "src/deep/c.py"),
    ("*\n!*/\n!keep.py", "a.py", "keep.py", "src/keep.py", "src/b.py"),
    ("**/out/**", "out/a.py", "src/out/b.py", "src/c.py"),
    ("src/\n!src/a.py", "src/a.py", "b.py"),
    ("# build/\n\\#odd.py", "build/a.py", "#odd.py"),
    ("!a.py\na.py", "a.py"),
    ("a.py\n!a.py", "a.py"),
    ("a?.py\n[bc].py", "ab.py", "b.py", "d.py"),
    ("trailing.py   ", "trailing.py"),
    ("  lead.py", "lead.py"),
    ("name.py/", "name.py", "deep/name.py"),
    ("", "a.py"),
    ("\n\n#\n", "a.py"),
]


def lay_out(folder: Path, files: tuple[str, ...]) -> None:
    for name in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")


def not_ignored(folder: Path) -> list[str]:
    command = ["git", "ls-files", "--others", "--exclude-standard", "-z"]
    output = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
    return sorted(name for name in output.split("\0") if name.endswith(".py"))


def found(*paths: str) -> list[str]:
    return [target.name for target in Finder().find(paths)]


@pytest.mark.parametrize("case", TABLE, ids=lambda case: case[0].replace("\n", " "))
def test_we_ignore_what_git_ignores(here: Path, case: tuple[str, ...]) -> None:
    lay_out(here, case[1:])
    (here / ".gitignore").write_text(case[0] + "\n")
    subprocess.run(["git", "init", "-q"], cwd=here, check=True)
    assert found(".") == not_ignored(here)


def test_nested_files_win_over_outer_ones(here: Path) -> None:
    lay_out(here, ("a.py", "src/a.py", "src/b.py", "src/deep/b.py"))
    (here / ".gitignore").write_text("a.py\n")
    (here / "src/.gitignore").write_text("!a.py\n/b.py\n")
    subprocess.run(["git", "init", "-q"], cwd=here, check=True)
    assert found(".") == not_ignored(here) == ["src/a.py", "src/deep/b.py"]


def test_files_above_count_up_to_the_root_of_the_repository(here: Path) -> None:
    lay_out(here, ("src/deep/a.py", "src/deep/b.py", "src/deep/c.py", "src/deep/d.py"))
    subprocess.run(["git", "init", "-q"], cwd=here, check=True)
    (here.parent / ".gitignore").write_text("d.py\n")  # outside: says nothing
    (here / ".gitignore").write_text("/src/deep/a.py\n")
    (here / "src/.gitignore").write_text("deep/b.py\n")
    (here / ".git/info/exclude").write_text("c.py\n")
    assert found("src/deep") == ["src/deep/d.py"]


def test_exclude_of_a_linked_working_tree(here: Path) -> None:
    git = here / "main/.git"
    (git / "info").mkdir(parents=True)
    (git / "worktrees/w").mkdir(parents=True)
    (git / "info/exclude").write_text("a.py\n")
    (git / "worktrees/w/commondir").write_text("../..\n")
    lay_out(here, ("w/a.py", "w/b.py"))
    (here / "w/.git").write_text(f"gitdir: {git}/worktrees/w\n")
    assert found("w") == ["w/b.py"]


def test_an_ignored_folder_that_is_named_is_searched(here: Path) -> None:
    lay_out(here, (".corpus/a.py", ".corpus/out/b.py", "c.py"))
    subprocess.run(["git", "init", "-q"], cwd=here, check=True)
    (here / ".gitignore").write_text(".corpus/\nc.py\n")
    (here / ".corpus/.gitignore").write_text("out\n")
    assert found(".corpus") == [".corpus/a.py"]
    assert found(".") == []


def test_without_patterns_nothing_is_imported() -> None:
    assert compile_lines("/x", ["# comment", "", "   "]) is None


def test_a_malformed_pattern_matches_nothing(here: Path) -> None:
    lay_out(here, ("a.py", "b.py"))
    (here / ".gitignore").write_text("!\n/\na.py\n")
    assert found(".") == ["b.py"]
