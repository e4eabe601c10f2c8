"""The hook's question gets the answer of the command line, to the byte."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from distify.assistant.cli import quick

from ..conftest import BLOCKED, BROKEN, TRAIN, Call


@pytest.fixture
def files(here: Path) -> Path:
    (here / "old").mkdir()
    (here / "old" / "train.py").write_text(TRAIN, "utf-8")
    (here / "train.py").write_text(TRAIN, "utf-8")
    (here / "blocked.py").write_text(BLOCKED, "utf-8")
    (here / "plain.py").write_text("x = 1\n", "utf-8")
    (here / "broken.py").write_text(BROKEN, "utf-8")
    (here / "pyproject.toml").write_text('[tool.distify]\nexclude = ["old/"]\n', "utf-8")
    return here


ASKED = pytest.mark.parametrize(
    "arguments",
    [
        "--check train.py",
        "--check --force-exclude train.py old/train.py",
        "--check old/train.py",
        "train.py --check",
        "--check -q blocked.py train.py",
        "--quiet --check plain.py",
        "--check plain.py",
        "--check broken.py",
        "--check nothing.py",
        "--check",
        "--check .",
    ],
)


def contents(folder: Path) -> dict[str, str]:
    found = (each for each in sorted(folder.rglob("*.*")) if each.is_file())
    return {
        str(each): each.read_text("utf-8") for each in found if ".distify_cache" not in str(each)
    }


def agree(
    words: list[str], files: Path, call: Call, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """What is said, the exit code, and what the files hold then."""
    before = contents(files)
    expected = call(*words)
    written = contents(files)
    for name, text in before.items():
        if written[name] != text:
            Path(name).write_text(text, "utf-8")
    capsysbinary.readouterr()
    assert quick.is_known(words)
    code = quick.answer(words)
    said = capsysbinary.readouterr()
    assert (code, said.out) == (expected.exit_code, expected.stdout_bytes)
    assert said.err.decode() == expected.stderr
    assert contents(files) == written


@ASKED
def test_it_says_what_the_command_line_says(
    arguments: str, files: Path, call: Call, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    agree(["migrate", *arguments.split()], files, call, capsysbinary)
    assert (files / "train.py").read_text("utf-8") == TRAIN


@ASKED
def test_it_rewrites_what_the_command_line_rewrites(
    arguments: str, files: Path, call: Call, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    words = ["migrate", *(word for word in arguments.split() if word != "--check")]
    agree(words, files, call, capsysbinary)


def test_what_can_not_be_written_is_said_as_by_the_command_line(
    files: Path, call: Call, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    (files / "also.py").write_text(TRAIN, "utf-8")
    (files / "train.py").chmod(0o444)
    agree(["migrate", "train.py", "also.py"], files, call, capsysbinary)


def test_wrong_settings_are_left_to_the_command_line(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (files / "pyproject.toml").write_text('[tool.distify]\nselect = ["D999"]\n', "utf-8")
    assert quick.answer(["migrate", "--check", "train.py"]) is None
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    "arguments",
    [
        "",
        "--check",
        "check train.py",
        "migrate -",
        "migrate --commit train.py",
        "migrate --check --diff train.py",
        "migrate --check --select D1 train.py",
        "migrate --check --format=json train.py",
        "migrate --check -v train.py",
        "migrate --check -",
        "migrate --check -- train.py",
        "migrate --check --help",
        "migrate --checked train.py",
    ],
)
def test_anything_else_is_not_its_business(arguments: str) -> None:
    assert not quick.is_known(arguments.split())


def test_an_interrupt_is_one_line(
    files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(path: str) -> list[str]:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "scandir", interrupted)
    with pytest.raises(SystemExit) as ended:
        quick.answer(["migrate", "--check"])
    assert ended.value.code == 130
    assert capsys.readouterr().err == "interrupted; no file was changed\n"
