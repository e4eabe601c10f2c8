"""Obligations are taken on by name, listed wherever the result is told of, and by nothing else."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from distify.codemods.judge.case import Case
from distify.codemods.judge.proof import Proof

from ..conftest import Call
from .conftest import Oblige

TRAIN = """\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(
    tf.keras.optimizers.SGD(0.1),
    loss="mse",
)
model.fit(tf.random.normal([8, 2]).numpy(), tf.random.normal([8, 1]).numpy(), epochs=1)
"""
FIT = "tf.random.normal([8, 1]).numpy(), epochs=1)"
ACCEPTED = TRAIN.replace(FIT, f"{FIT}  # distify: accept[nothing] I have looked")


def no_fit(case: Case) -> Iterable[Proof]:
    """Nothing is proved of a call of `fit`."""
    for source in case.after.values():
        node = source.module.body[-1]
        yield case.not_proved("nothing", node, "who knows what this does", "leave it out")


def others(case: Case) -> Iterable[Proof]:
    yield from (proof._replace(obligation="other") for proof in no_fit(case))


@pytest.fixture
def train(here: Path, oblige: Oblige) -> Path:
    oblige(no_fit)
    path = here / "train.py"
    path.write_text(TRAIN)
    return path


def test_what_is_refused_says_how_it_is_taken_on(train: Path, call: Call) -> None:
    answer = call("migrate")
    assert answer.exit_code == 1
    assert train.read_text() == TRAIN
    assert "blocked P01 line 8: who knows what this does" in answer.stdout
    for way in ("leave it out", "# distify: accept[nothing] why", "--unsound=nothing"):
        assert way in " ".join(answer.stdout.split())


@pytest.mark.parametrize("how", ["option", "comma list", "settings", "comment"])
def test_it_is_taken_on_and_listed(how: str, train: Path, call: Call) -> None:
    options: list[str] = []
    if how == "option":
        options = ["--unsound=nothing"]
    elif how == "comma list":
        options = ["--unsound=rules,nothing"]
    elif how == "settings":
        Path("pyproject.toml").write_text('[tool.distify]\nunsound = ["nothing"]\n')
    else:
        train.write_text(ACCEPTED)
    report = json.loads(call("check", "--format", "json", *options).stdout)
    (taken,) = report["files"][0]["taken_on"]
    assert (taken["obligation"], taken["line"], taken["code"]) == ("nothing", 8, "P01")
    assert taken["comment_line"] == (8 if how == "comment" else None)
    answer = call("migrate", *options)
    assert answer.exit_code == 0, answer.output
    assert "hvd" in train.read_text()
    assert "taken on: nothing" in answer.stdout
    reason = "I have looked" if how == "comment" else "the command line or the settings name it"
    assert reason in answer.stdout


def test_it_is_listed_in_quiet_reports_and_diffs(train: Path, call: Call) -> None:
    assert call("migrate", "--diff", "--unsound=nothing").stdout.startswith("taken on: nothing")
    assert "train.py: taken on: nothing" in call("migrate", "-q", "--unsound=nothing").output


@pytest.mark.parametrize("form", ["sarif", "html", "markdown"])
def test_it_is_listed_in_every_format(form: str, train: Path, call: Call) -> None:
    told = call("check", "--format", form, "--unsound=nothing").stdout
    assert "nothing" in told
    assert "who knows what this does" in told


def test_commits_list_it(train: Path, call: Call) -> None:
    train.write_text(ACCEPTED)
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        git(*words)
    answer = call("migrate", "--commit", GIT_AUTHOR_NAME="a", GIT_AUTHOR_EMAIL="b",
                  GIT_COMMITTER_NAME="a", GIT_COMMITTER_EMAIL="b")  # fmt: skip
    assert answer.exit_code == 0, answer.output
    text = git("log", "-1", "--format=%B")
    assert "TAKEN ON, which the judge could not prove:\n  nothing in train.py:8: I have" in text
    assert "Distify-Taken-On: nothing" in text


def git(*words: str) -> str:
    command = ["git", "-c", "user.name=a", "-c", "user.email=b", *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize(
    "how",
    [["--ignore", "D104"], ["--select", "D302"], ["--unsound"], ["--unsound=other"]],
)
def test_nothing_else_takes_it_on(how: list[str], train: Path, call: Call, oblige: Oblige) -> None:
    oblige(others, "other", enforced=False)
    call("migrate", *how)
    assert train.read_text() == TRAIN


def test_suppressing_its_code_does_not(train: Path, call: Call) -> None:
    train.write_text(TRAIN.replace(FIT, f"{FIT}  # distify: ignore[P01] mine"))
    Path("pyproject.toml").write_text('[tool.distify.per-file-ignores]\n"*" = ["T07"]\n')
    assert call("migrate").exit_code == 1
    assert "hvd" not in train.read_text()


def test_a_comment_elsewhere_does_not(train: Path, call: Call) -> None:
    train.write_text(TRAIN.replace("Dense(1)])", "Dense(1)])  # distify: accept[nothing] here"))
    answer = call("migrate")
    assert answer.exit_code == 1
    assert "nothing is not in question here, so nothing is accepted" in answer.stdout
    assert "S01" in answer.stdout


def test_a_comment_about_what_is_proved_is_told(here: Path, call: Call, oblige: Oblige) -> None:
    oblige(lambda case: [])
    Path("train.py").write_text(ACCEPTED)
    assert "nothing is not in question here" in call("migrate").stdout
    again = call("check")  # it is Horovod's now, and the comment may stay
    assert (again.exit_code, "S01" in again.stdout) == (0, False)


def test_wrong_names_are_told_with_the_known_ones(train: Path, call: Call) -> None:
    answer = call("migrate", "--unsound=nothin")
    assert answer.exit_code == 2
    assert "there is no obligation nothin; did you mean nothing?; these are known: nothing" in (
        answer.stderr
    )
    Path("pyproject.toml").write_text('[tool.distify]\nunsound = ["nought"]\n')
    answer = call("migrate")
    assert answer.exit_code == 2
    assert "[tool.distify] unsound: there is no obligation nought" in answer.stderr
    Path("pyproject.toml").unlink()
    train.write_text(ACCEPTED.replace("accept[nothing]", "accept[noting]"))
    told = " ".join(call("check").stdout.split())
    assert "there is no obligation noting, so nothing is accepted" in told
    assert "did you mean nothing? these are known: nothing" in told


def test_a_path_behind_the_bare_word_is_a_path(train: Path, call: Call) -> None:
    answer = call("migrate", "--unsound", "train.py")
    assert answer.exit_code == 1
    assert "train.py" in answer.stdout


def test_a_result_without_rules_that_it_needs_lists_what_is_not_proved(
    train: Path, call: Call
) -> None:
    answer = call("migrate", "--unsound", "--ignore", "D104,D208,D301")
    assert answer.exit_code == 0, answer.output
    assert "unsound: D104, D301 left out" in answer.stdout
    assert "--unsound leaves D104, D301 out, which the file needs" in " ".join(
        answer.stdout.split()
    )


def test_several_lines_of_a_statement_are_one_place(here: Path, call: Call, oblige: Oblige) -> None:
    def prove(case: Case) -> Iterable[Proof]:
        for source in case.after.values():
            for node in source.module.body:
                if "compile(" in (source.text.split("\n")[node.lineno - 1]):
                    yield case.violated("nothing", node, "compiled, see line 7")

    oblige(prove)
    path = here / "train.py"
    path.write_text(
        TRAIN.replace('    loss="mse",\n)\n', '    loss="mse",\n)  # distify: accept[nothing] x\n')
    )
    assert call("migrate").exit_code == 0
    path.write_text(TRAIN)
    answer = call("migrate")
    assert answer.exit_code == 1
    assert "line 4" in answer.stdout
