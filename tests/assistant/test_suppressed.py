"""What somebody took on them is said in every report, in every commit and in the pull request."""

from __future__ import annotations

import json
import pickle
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from distify.assistant import codemods
from distify.assistant.files.choice import Choice
from distify.assistant.files.result import look
from distify.assistant.git.message import message
from distify.assistant.git.plan import Change
from distify.assistant.git.repository import Repository
from distify.assistant.pull.review_remarks import notes
from distify.assistant.report.terminal import Terminal
from distify.codemods.migrate import migrate
from distify.codemods.model import Finding, Suppressed

from .conftest import Call

T07 = Finding(11, 8, "T07", "this is a number of the optimizer")
TAKEN = ("a.py", Suppressed(T07, "see #12 @me", 11))
CHANGE = Change("D105", {"a.py": b""}, (("a.py", 3),), (), suppressed=(TAKEN,))
# What code out of sight answers is taken for the same on all workers by the judge, and not by T07.
TAPE = """\
import tensorflow as tf
from checks import enough
w = tf.Variable(1.0)
opt = tf.keras.optimizers.SGD(0.1)
for x in tf.data.Dataset.range(8):
    with tf.GradientTape() as tape:
        loss = w * tf.cast(x, tf.float32)
    opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
    if enough():
        opt.learning_rate = 0.1 * float(loss){}
"""


class Folder:
    """A repository, as far as remarks ask for one."""

    def relative(self, path: str) -> str:
        return Path(path).name


COMMENT = "  # distify: ignore[T07] all see the same"


@pytest.fixture(autouse=True)
def train(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(codemods, "migrate", migrate)
    (here / "train.py").write_text(TAPE.format(COMMENT))
    return here / "train.py"


def test_without_the_comment_it_is_blocked_and_nothing_is_said(call: Call, train: Path) -> None:
    train.write_text(TAPE.format(""))
    result = call("migrate")
    assert result.exit_code == 1
    assert "suppressed" not in result.output
    assert train.read_text() == TAPE.format("")


def test_the_text_says_so_with_the_reason(call: Call, train: Path) -> None:
    result = call("migrate")
    assert result.exit_code == 0
    assert "train.py  rewritten, suppressed: T07\n" in result.stdout
    assert "  suppressed T07 line 10: this is a number of the" in result.stdout
    assert "    reason: all see the same\n" in result.stdout
    assert "1 file rewritten, 1 of them with suppressed findings" in result.stdout
    assert "import horovod" in train.read_text()


def test_a_missing_reason_is_told(call: Call, train: Path) -> None:
    train.write_text(TAPE.format("  # distify: ignore[T07]"))
    result = call("migrate")
    assert result.exit_code == 0
    assert "    reason: none is given; write it behind the bracket of the comment" in result.stdout


def test_silence_is_for_what_nobody_had_to_answer_for(call: Call) -> None:
    assert call("migrate", "-q").output == "train.py: suppressed: T07\n"


def test_the_diff_says_so_and_git_applies_it(call: Call, here: Path, train: Path) -> None:
    result = call("migrate", "--diff")
    assert result.stdout.startswith("suppressed: T07\n--- a/train.py\n")
    subprocess.run(["git", "apply", "-"], input=result.stdout_bytes, cwd=here, check=True)
    assert "import horovod" in train.read_text()


def test_the_document_says_so(call: Call) -> None:
    document = json.loads(call("check", "--format", "json").stdout)
    (taken,) = document["files"][0]["suppressed"]
    assert (taken["code"], taken["line"], taken["column"]) == ("T07", 10, 9)
    assert (taken["blocks"], taken["reason"]) == (True, "all see the same")
    assert taken["comment_line"] == 10
    assert document["totals"]["suppressed"] == 1
    assert document["files"][0]["status"] == "would-change"


def test_every_commit_says_so_and_calls_nobody() -> None:
    text = message(CHANGE, "Wraps.")
    said = "SUPPRESSED, in the files as they were before the series:\n"
    assert f"\n\n{said}  T07 in a.py:11: see \\x2312 \\x40me\n\n" in text
    assert "\nDistify-Suppressed: T07\n" in text
    none = message(replace(CHANGE, suppressed=(("a.py", Suppressed(T07, "", 11)),)), "Wraps.")
    assert "  T07 in a.py:11: no reason given\n" in none
    assert "uppressed" not in message(replace(CHANGE, suppressed=()), "Wraps.").lower()


def test_a_long_list_is_cut_in_a_commit() -> None:
    text = message(replace(CHANGE, suppressed=(TAKEN,) * 70), "Wraps.")
    assert text.count("  T07 in a.py:11") == 60
    assert "  and 10 more\n" in text


def test_the_pull_request_says_so(call: Call, train: Path) -> None:
    outcome = look(["train.py"], Choice((), ()), Terminal("never"))
    (remark,) = notes(cast(Repository, Folder()), outcome)
    assert (remark.path, remark.line, remark.column, remark.code) == ("train.py", 10, 9, "T07")
    assert remark.text.startswith("suppressed (all see the same): this is a number of the")


def test_other_processes_know_the_whole_choice() -> None:
    choice = pickle.loads(pickle.dumps(Choice(("D1",), ("D104",), True, True)))
    assert (choice.select, choice.ignore) == (("D1",), ("D104",))
    assert (choice.only_look, choice.unsound) == (True, True)


def test_commits_that_are_made_say_so(call: Call, here: Path) -> None:
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=b", *words], cwd=here, check=True
        )
    for key, value in (("user.name", "a"), ("user.email", "b")):
        subprocess.run(["git", "config", key, value], cwd=here, check=True)
    assert call("migrate", "--commit").exit_code == 0
    log = subprocess.run(["git", "log", "-1"], cwd=here, check=True, capture_output=True, text=True)
    assert "T07 in train.py:10: all see the same" in log.stdout
