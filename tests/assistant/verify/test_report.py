"""The report of verify: what a person reads, what a program reads, and the exit code."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from distify.assistant.report import verdict_text as report
from distify.assistant.report.verdict_json import document
from distify.assistant.report.verify_report import Told
from distify.assistant.verify.judges import verdicts
from distify.assistant.verify.record.beginnings import Init
from distify.assistant.verify.record.endings import Blind, Error
from distify.assistant.verify.record.events import Broadcast, EpochEnd, Loss, State, Written
from distify.assistant.verify.record.evidence import Evidence
from distify.assistant.verify.record.records import Worker
from distify.assistant.verify.record.verdict import Verdict, exit_code
from distify.assistant.verify.run.job import Job

from .build import added, again, changed, evidence, failing, program, states

PROGRAM = "import tensorflow as tf\n" * 11 + "    optimizer.apply_gradients(pairs)\n"


def drifted(folder: Path, **more: Any) -> Evidence:
    return evidence(
        changed(0, *states(), drop=(Broadcast, State)),
        changed(1, *states(differ="x"), drop=(Broadcast, State)),
        folder=program(folder, PROGRAM),
        **more,
    )


def text(run: Evidence, width: int | None = None) -> str:
    found = report.lines(run, verdicts(run), width)
    return "\n".join("".join(span.text for span in line) for line in found)


def test_a_fault_is_told_with_its_place_and_the_way_out(tmp_path: Path) -> None:
    told = text(drifted(tmp_path))
    assert told.startswith(f"{tmp_path}/train.py on 2 workers: NOT IN STEP\n")
    expected = """
  D202 train.py:12: the workers drift apart: their starting values were not brought together
    worker 1 and worker 0 differ from the first step on, seen after step 1; nothing was broadcast.
    - 2 of 2 values differ: dense/kernel and dense/bias
    - after step 4: 2 of 2 values differ
    12 |     optimizer.apply_gradients(pairs)
       |     ^
    fix: after the first step, outside of @tf.function or behind a tf.Variable flag: \
`hvd.broadcast_variables(model.variables, root_rank=0)`, and the optimizer's
    more:    distify explain D202
"""
    assert expected in told


def test_who_never_started_horovod_is_told_to_migrate_first() -> None:
    plain = [
        changed(rank, *states(differ="x" * rank), drop=(Init, Broadcast, State)) for rank in (0, 1)
    ]
    told = text(evidence(*plain))
    assert "each worker trained by itself: run `distify migrate" in told.splitlines()[3]
    assert "distify migrate" not in text(evidence(added(0, again(0)), added(1, again(1))))


def test_the_headline_says_how_much_was_proved() -> None:
    marks = [EpochEnd(2.0, 2), EpochEnd(4.0, 4)]
    run = evidence(added(0, again(0), *marks), added(1, again(1), *marks))
    first = text(run).splitlines()[0]
    assert first == "/nowhere/train.py on 2 workers: IN STEP for 4 steps, 2 epochs"
    once = evidence(added(0, again(0), marks[0]), added(1, again(1), marks[0]))
    assert text(once).splitlines()[0].endswith("for 4 steps")  # arrays are begun once for a `fit`


def test_a_sound_run_is_told_in_one_line_a_question() -> None:
    run = evidence(added(0, again(0)), added(1, again(1)))
    told = text(run).splitlines()
    assert told[0] == "/nowhere/train.py on 2 workers: IN STEP for 4 steps"
    assert told[1] == "  TensorFlow 2.15.1, keras 2.15.0, Horovod 0.28.1, 0 s"
    assert told[3] == "  checked"
    assert len(told) == 4 + sum(v.grade == "fine" for v in verdicts(run))
    assert not any("explain" in line for line in told)


@pytest.mark.parametrize(
    ("run", "words", "code"),
    [
        (evidence(), "IN STEP", 0),
        (evidence(Worker(0), Worker(1)), "COULD NOT BE JUDGED", 2),
        (evidence(added(0, Written(1.0, "/m")), added(1, Written(1.0, "/m"))),
         "IN STEP, BUT NOT SOUND", 1),
        (evidence(failing(0, Error(1.0, "ValueError", "no")),
                  failing(1, Error(1.0, "ValueError", "no")), ending="failed"),
         "COULD NOT BE JUDGED", 2),
        (evidence(added(1, Blind(1.0, "variables", "no"))), "IN STEP", 0),
    ],
)  # fmt: skip
def test_the_headline_and_the_exit_code_agree(run: Evidence, words: str, code: int) -> None:
    found = verdicts(run)
    assert report.headline(found).text == words
    assert exit_code(found) == code


def test_nothing_is_wider_than_the_window(tmp_path: Path) -> None:
    lines = text(drifted(tmp_path, job=Job(tmp_path / "train.py")), width=60).splitlines()
    told = [line for line in lines if not line.lstrip().startswith(("-", "12 |", "/"))]
    assert max(map(len, told)) <= 60


def test_text_of_a_program_steers_no_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from distify.assistant.report.terminal import Terminal

    error = Error(1.0, "ValueError", "\x1b]0;title\x07", where="train.py:12")
    run = evidence(failing(0, error), failing(1, error), ending="failed")
    out = io.StringIO()
    monkeypatch.setattr("sys.stdout", out)
    Terminal("never").show(report.lines(run, verdicts(run), None))
    assert "\\x1b]0;title\\x07" in out.getvalue()
    assert "\x1b" not in out.getvalue()


def test_a_document_says_the_same(tmp_path: Path) -> None:
    run = drifted(tmp_path, seconds=3.14159)
    found = json.loads(document(Told(run, verdicts(run))))
    assert found["command"] == "verify"
    assert (found["verdict"], found["exit_code"]) == ("not in step", 1)
    assert (found["size"], found["seconds"], found["ending"]) == (2, 3.1, "done")
    assert found["versions"]["tensorflow"] == "2.15.1"
    assert [worker["steps"] for worker in found["workers"]] == [4, 4]
    guilty = found["verdicts"][0]
    assert (guilty["code"], guilty["grade"], guilty["question"]) == ("D202", "convicted", "drift")
    assert guilty["where"] == {"path": "train.py", "line": 12}
    assert guilty["ranks"] == [1]


def test_workers_that_stand_in_for_more_are_told(tmp_path: Path) -> None:
    run = evidence(job=Job(tmp_path / "train.py", ranks=(0, 6), told=7))
    assert "train.py on 2 workers, as ranks 0 and 6 of 7: " in text(run).splitlines()[0]
    found = json.loads(document(Told(run, verdicts(run))))
    assert (found["size"], found["as"]) == (2, {"size": 7, "ranks": [0, 6]})
    assert [each["rank"] for each in found["workers"]] == [0, 6]
    plain = evidence()
    assert "as" not in json.loads(document(Told(plain, verdicts(plain))))


def test_a_document_is_strict_json_in_ascii() -> None:
    losses = [Loss(1.0, 1, float("nan")), Loss(2.0, 2, float("inf")), Loss(3.0, 3, 0.5)]
    told = document(Told(evidence(added(0, *losses)), (Verdict("", "note", "naïve"),)))
    assert told.isascii()
    found = json.loads(told, parse_constant=pytest.fail)
    assert [each["loss"] for each in found["workers"][0]["losses"]] == [None, None, 0.5]


def test_a_place_outside_of_the_program_shows_nothing(tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text("password = 1\n")
    inside = tmp_path / "project"
    inside.mkdir()
    run = evidence(
        added(0, Written(1.0, "/m", "open", "../secret.py:1")),
        added(1, Written(1.0, "/m", "open", "../secret.py:1")),
        folder=inside,
    )
    assert "password" not in text(run)


def test_the_keys_of_a_document_are_documented(root: Path) -> None:
    promised = (root / "docs" / "json.md").read_text(encoding="utf-8")
    found = json.loads(document(Told(evidence(), verdicts(evidence()))))
    keys = {*found, *found["workers"][0], *found["verdicts"][0]}
    assert [key for key in keys if f"`{key}`" not in promised and f'"{key}"' not in promised] == []


def test_where_the_program_fails_the_rest_is_one_line() -> None:
    error = Error(1.0, "ValueError", "no", where="train.py:12")
    run = evidence(failing(0, error), failing(1, error), ending="failed")
    told = text(run)
    assert "train.py:12: the program fails: ValueError: no; on all workers" in told
    assert told.count("no optimizer step was seen") == 0
    assert "as the program failed: whether the workers are in step; whether" in told


def test_what_an_interrupt_left_open_is_not_blamed_on_the_program() -> None:
    told = text(evidence(Worker(0), Worker(1), ending="interrupted"))
    assert "as it was interrupted: whether the workers are in step; whether" in told
    assert "as the program failed" not in told


def test_what_each_question_lacks_is_told_where_the_program_came_to_its_end() -> None:
    told = text(evidence(Worker(0), Worker(1)))
    assert "as the program failed" not in told
    assert "no optimizer step was seen" in told
