"""What `--unsound` does is said in every report, in every commit and in the pull request."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from distify.assistant.git.message import message
from distify.assistant.git.plan import Change
from distify.assistant.pull.description import body
from distify.assistant.pull.story import Story

from .conftest import TRAIN, Call

NEEDY = TRAIN + "# needy\n"
CHANGE = Change("D105", {"a.py": b"", "b.py": b""}, (("a.py", 3),), (), (("a.py", "D302"),))


@pytest.fixture(autouse=True)
def train(here: Path) -> Path:
    (here / "train.py").write_text(NEEDY)
    return here / "train.py"


def test_it_is_refused_without_the_option(call: Call, train: Path) -> None:
    result = call("migrate", "--ignore", "D104")
    assert result.exit_code == 1
    assert "blocked P01 line 3" in result.stdout
    assert train.read_text() == NEEDY


@pytest.mark.parametrize("where", ["option", "settings"])
def test_the_text_says_so(call: Call, here: Path, train: Path, where: str) -> None:
    if where == "settings":
        (here / "pyproject.toml").write_text("[tool.distify]\nunsound = true\n")
    result = call("migrate", "--ignore", "D104", *["--unsound"] * (where == "option"))
    assert result.exit_code == 0
    assert "train.py  rewritten, unsound: D104 left out\n" in result.stdout
    assert "1 file rewritten, 1 of them unsound" in result.stdout
    assert train.read_text() != NEEDY


def test_silence_is_for_what_is_right(call: Call) -> None:
    result = call("migrate", "-q", "--ignore", "D104", "--unsound")
    assert result.output == "train.py: unsound: D104 left out, which it needs\n"


def test_the_diff_says_so_and_git_applies_it(call: Call, here: Path, train: Path) -> None:
    result = call("migrate", "--diff", "--ignore", "D104", "--unsound")
    assert result.stdout.startswith("unsound: D104 left out, which it needs\n--- a/train.py\n")
    subprocess.run(["git", "apply", "-"], input=result.stdout_bytes, cwd=here, check=True)
    assert train.read_text() == NEEDY.replace("as tf\n", "as tf\nimport horovod\n")


def test_the_document_says_so(call: Call) -> None:
    result = call("check", "--format", "json", "--ignore", "D104", "--unsound")
    document = json.loads(result.stdout)
    assert document["files"][0]["left_out"] == ["D104"]
    assert document["totals"]["unsound"] == 1


def test_the_next_command_does_the_same(call: Call) -> None:
    said = call("check", "--ignore", "D104", "--unsound").stdout
    assert "distify migrate --ignore D104 --unsound" in said


def test_where_nothing_is_left_out_nothing_is_said(call: Call) -> None:
    result = call("migrate", "--unsound")
    assert "unsound" not in result.output


def test_every_commit_says_so() -> None:
    text = message(CHANGE, "Wraps.")
    assert (
        "\n\nUNSOUND: the series leaves out rules that its result needs:\n  D302 in a.py\n" in text
    )
    assert "\nDistify-Left-Out: D302\n" in text
    sound = message(replace(CHANGE, left_out=()), "Wraps.")
    assert "UNSOUND" not in sound
    assert "Left-Out" not in sound


def test_a_long_list_is_cut_in_a_commit() -> None:
    many = tuple((f"f{n}.py", "D302") for n in range(70))
    text = message(replace(CHANGE, left_out=many), "Wraps.")
    assert "  D302 in f59.py\n  and 10 more\n" in text


def test_the_pull_request_says_so_first() -> None:
    story = Story("https://github.com/o/r", "main", "base", [CHANGE], ["commit"], [], [])
    text = body(story)
    assert text.startswith("> [!WARNING]\n> **Unsound**: D302 left out, which these files need")
    assert "`a.py`." in text
    sound = replace(story, changes=[replace(CHANGE, left_out=())])
    assert "Unsound" not in body(sound)
