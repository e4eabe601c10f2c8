"""What anybody may commit: links that lead out, and settings that would hang or crash a reader."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from pathlib import Path
from typing import Callable

import pytest

from distify.assistant.files import reader
from distify.assistant.files.reader import NotRead, read
from distify.assistant.files.toml import load

from ..conftest import MIGRATED, TRAIN, Call


@pytest.fixture
def repository(here: Path) -> Path:
    subprocess.run(["git", "init", "-q"], cwd=here, check=True)
    return here


@pytest.fixture
def outside(here: Path) -> Path:
    """A program beside the repository, which nobody asked to rewrite."""
    path = here.parent / "outside.py"
    path.write_text(TRAIN)
    return path


@pytest.mark.parametrize("named", [[], ["."], ["link.py"], ["--force-exclude", "link.py"]])
def test_a_link_that_leads_out_is_named_and_left(
    repository: Path, outside: Path, call: Call, named: list[str]
) -> None:
    (repository / "link.py").symlink_to(outside)
    (repository / "train.py").write_text(TRAIN)
    answer = call("migrate", *named)
    assert outside.read_text() == TRAIN
    assert answer.exit_code == 2
    expected = f"link.py: error: is a link that leads out of {repository}, so it was left as it was"
    assert answer.stderr.splitlines().count(expected) == 1
    assert (repository / "train.py").read_text() == (TRAIN if "link.py" in named else MIGRATED)


def test_a_link_in_the_git_folder_or_to_a_link_is_no_way_out(
    repository: Path, outside: Path, call: Call
) -> None:
    (repository / "deep").mkdir()
    (repository / "deep/one.py").symlink_to("../two")
    (repository / "two").symlink_to(outside)
    assert call("migrate").exit_code == 2
    assert outside.read_text() == TRAIN


def test_a_link_inside_is_followed_once(repository: Path, call: Call) -> None:
    (repository / "src").mkdir()
    (repository / "src/train.txt").write_text(TRAIN)
    for name in ("a.py", "b.py"):
        (repository / name).symlink_to("src/train.txt")
    answer = call("migrate")
    assert (answer.exit_code, (repository / "src/train.txt").read_text()) == (0, MIGRATED)
    assert (repository / "a.py").is_symlink()
    assert "1 file searched" in answer.output


def test_without_a_repository_the_folder_that_was_named_is_the_bound(
    here: Path, outside: Path, call: Call
) -> None:
    (here / "link.py").symlink_to(outside)
    answer = call("migrate", ".")
    assert f"leads out of {here}" in answer.stderr
    assert outside.read_text() == TRAIN


def test_a_link_of_ones_own_is_followed(here: Path, outside: Path, call: Call) -> None:
    (here / "link.py").symlink_to(outside)
    assert call("migrate", "link.py").exit_code == 0
    assert outside.read_text() == MIGRATED


def pipe(path: Path) -> None:
    os.mkfifo(path)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def folder(path: Path) -> None:
    path.mkdir()


def bound(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path.name)


def leading_out(path: Path) -> None:
    other = path.parent.parent / "secrets"
    other.write_text("tensorflow==2.9\n[tool.distify]\nexclude = ['*']\n*.py\n")
    path.symlink_to(other)


def huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(3_000_000_000)


each_kind = pytest.mark.parametrize("make", [pipe, endless, folder, bound, leading_out, huge])


@each_kind
@pytest.mark.parametrize("name", [".gitignore", "requirements.txt", "uv.lock", "Pipfile.lock"])
def test_settings_that_are_no_file_are_named_and_gone_on_without(
    repository: Path, call: Call, make: Callable[[Path], None], name: str
) -> None:
    (repository / "train.py").write_text(TRAIN)
    make(repository / name)
    answer = call("check")
    assert answer.exit_code == 1
    warnings = [line for line in answer.stderr.splitlines() if ": warning: " in line]
    assert [line.partition(": ")[0] for line in warnings] == [name]
    assert warnings[0].endswith("; it was not read")


@each_kind
def test_a_pyproject_that_is_no_file_is_named(
    repository: Path, call: Call, make: Callable[[Path], None]
) -> None:
    (repository / "train.py").write_text(TRAIN)
    make(repository / "pyproject.toml")
    answer = call("check")
    assert answer.exit_code == 2
    assert answer.stderr.count("pyproject.toml: is ") == 1


MONSTERS = {
    "nested": "x = " + "[" * 20_000,
    "nested and closed": "x = " + "[" * 20_000 + "]" * 20_000,
    "tables": "x = " + "{a=" * 20_000,
    "a key of many parts": ".".join(["a"] * 100_000) + " = 1",
    "a key of many quoted parts": ".".join(["'a'"] * 100_000) + " = 1",
    "a header of many parts": "[" + " . ".join(["a"] * 100_000) + "]",
    "a long header over many keys": f"[{'.'.join('a' * 49)}]\n"
    + "".join(f"k{number} = 1\n" for number in range(1_000)),
    "a number": "x = " + "9" * 50_000,
    "no text": "x = '\ud800'",
}


@pytest.mark.parametrize("text", MONSTERS.values(), ids=MONSTERS.keys())
def test_no_toml_keeps_its_reader_busy(here: Path, call: Call, text: str) -> None:
    (here / "train.py").write_text(TRAIN)
    (here / "pyproject.toml").write_bytes(text.encode("utf-8", "surrogatepass"))
    spent = time.process_time()
    answer = call("check")
    assert time.process_time() - spent < 10
    harmless = "long header" in next(name for name, each in MONSTERS.items() if each == text)
    assert answer.exit_code == (1 if harmless else 2)
    assert harmless or "pyproject.toml: " in answer.stderr


@pytest.mark.parametrize(
    "text",
    [
        'description = """\n' + "[" * 500 + "." * 500 + '"""\n',
        "x = '" + "." * 500 + "[' # " + "[" * 500,
        "x = [" + "0.25, " * 500 + "]",
        'x = "a\\"' + "." * 200 + '"',
    ],
)
def test_what_only_looks_like_a_monster_is_read(here: Path, text: str) -> None:
    (here / "x.toml").write_text(text)
    assert load(str(here / "x.toml"))


@pytest.mark.parametrize("text", ["[" * 100_000, '{"default": ' * 20_000, '{"default": {"a": 1}}'])
def test_no_json_crashes_its_reader(here: Path, call: Call, text: str) -> None:
    (here / "train.py").write_text(TRAIN)
    (here / "Pipfile.lock").write_text(text)
    answer = call("check")
    assert answer.exit_code == 1
    nested = "Pipfile.lock: warning: is nested too deeply; it was not read"
    assert (nested in answer.stderr) == (len(text) > 100)


def test_ignore_files_that_would_take_for_ever(here: Path, call: Call) -> None:
    (here / ("a" * 200 + ".py")).write_text(TRAIN)
    (here / ".gitignore").write_text("[z-a]\n*a*a*a*a*a*a*a*a*a*a*ab\n" + "**/a/" * 20 + "\n")
    exclude = '["*a*a*a*a*a*a*a*a*a*a*ab", "[z-a]", "' + "**/a/" * 20 + '"]'
    (here / "pyproject.toml").write_text(f"[tool.distify]\nexclude = {exclude}\n")
    assert call("check").exit_code == 1


def test_more_patterns_than_anybody_writes(here: Path, call: Call) -> None:
    (here / "train.py").write_text(TRAIN)
    (here / ".gitignore").write_text("x\n" * 100_000)
    answer = call("check")
    assert (answer.exit_code, answer.stderr) == (
        1,
        ".gitignore: warning: holds more than 2000 lines; it was not read\n",
    )
    (here / "pyproject.toml").write_text(f"[tool.distify]\nexclude = {['x'] * 100_000}\n")
    answer = call("check")
    assert answer.exit_code == 2
    assert "exclude lists more than 2000" in answer.stderr


def test_what_was_not_read_is_in_the_report_for_programs(here: Path, call: Call) -> None:
    import json

    (here / "train.py").write_text(TRAIN)
    os.mkfifo(here / ".gitignore")
    document = json.loads(call("check", "--format", "json").stdout)
    message = "is a pipe, not a file; it was not read"
    assert document["warnings"] == [{"path": ".gitignore", "message": message}]


def test_a_size_that_the_system_does_not_know_is_bound_as_well() -> None:
    if not os.path.exists("/proc/self/environ"):
        pytest.skip("no such file here")
    assert os.stat("/proc/self/environ").st_size == 0
    assert read("/proc/self/environ", 1_000_000)
    with pytest.raises(NotRead, match="is larger than"):
        read("/proc/self/environ", 1)


def test_a_file_that_turns_into_a_pipe_is_not_read(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "x").write_text("")
    os.mkfifo(here / "pipe")
    real = os.open
    monkeypatch.setattr(reader.os, "open", lambda path, flags: real(here / "pipe", flags))
    with pytest.raises(NotRead, match="is a pipe, not a file"):
        read(str(here / "x"))
