"""The patterns of ignore files: what git says of each, and no pattern that takes long."""

from __future__ import annotations

import subprocess
import time
from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distify.assistant.files.wildmatch import pattern

NAMES = ("a", "b", "ab", "ba", "aab", "a-b", "]", "z", "A", "1", "a ", " a", "!a", "#a", "*", "^")
PATHS = [f"{one}/{two}" for one in NAMES for two in NAMES] + [f"{name}/b/a" for name in NAMES]
PIECES = ("a", "b", "z", "*", "**", "?", "/", "**/", "/**", "!", "^", "-", "]", "#", " ", "\\a")
CLASSES = ("[a-b]", "[!a]", "[^b-z]", "[[:alpha:]]", "[[:digit:]b]", "[z-a]", "[]a]", "[a-]")


def names(line: str, path: str) -> bool:
    """Whether a line names an entry or a folder that it is in."""
    found = pattern(line)
    if found is None:
        return False
    folders = accumulate(part + "/" for part in path.split("/")[:-1])
    return any(map(found.names, (*folders, path)))


def said_by_git(folder: Path, line: str) -> dict[str, bool]:
    (folder / ".gitignore").write_text(line + "\n")
    command = ["git", "check-ignore", "-z", "--no-index", "-v", "-n", "--stdin"]
    data = "\0".join(PATHS).encode()
    output = subprocess.run(command, cwd=folder, input=data, capture_output=True).stdout.decode()
    fields = output.split("\0")[:-1]
    return {fields[at + 3]: bool(fields[at]) for at in range(0, len(fields), 4)}


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("repository")
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    return folder


@settings(max_examples=60, deadline=None)
@given(line=st.lists(st.sampled_from((*PIECES, *CLASSES)), max_size=5).map("".join))
def test_git_says_the_same(repository: Path, line: str) -> None:
    if "**" in line.strip("/*"):  # beside other signs, git's own answers depend on its version
        return
    said = said_by_git(repository, line)
    assert {path: names(line, path) for path in PATHS} == said


@pytest.mark.parametrize("line", ["a/**/b", "**/b", "a/**", "**", "/a", "a/", "*/b/", "[z-a]"])
def test_git_says_the_same_of_folders(repository: Path, line: str) -> None:
    assert {path: names(line, path) for path in PATHS} == said_by_git(repository, line)


@pytest.mark.parametrize("line", ["", "#a", "!", "/", "[a", "a\\", "[[:none:]]", "   "])
def test_what_names_nothing(line: str) -> None:
    assert not any(names(line, path) for path in PATHS)


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("*a*a*a*a*a*a*a*a*ab", "a" * 4_000),
        ("**/a/" * 20 + "b", "/".join("a" * 500)),
        ("?*" * 500 + "b", "a" * 2_000),
        ("[!b]*" * 500 + "b", "a" * 2_000),
        ("/".join(["**", "*a*"] * 200), "/".join("a" * 500)),
    ],
)
def test_no_pattern_takes_long(line: str, path: str) -> None:
    found = pattern(line)
    assert found
    spent = time.process_time()
    assert not found.names(path + "/c")
    assert time.process_time() - spent < 10  # a translation into regular expressions takes years
