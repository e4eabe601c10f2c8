"""`distify explain FILE:LINE`: why a line becomes what it becomes, or is as it is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from distify.codemods.judge.case import proved

from ..conftest import Call
from .conftest import Oblige
from .test_projects import FILES
from .test_taking_on import TRAIN, no_fit


@pytest.fixture
def train(here: Path) -> Path:
    path = here / "train.py"
    path.write_text(TRAIN)
    return path


def test_the_rules_and_the_proof_of_a_line(train: Path, call: Call, oblige: Oblige) -> None:
    oblige(lambda case: [proved("nothing", "it is so", "the same files on all machines")])
    told = call("explain", "train.py:5").stdout
    assert "tf.keras.optimizers.SGD(0.1)" in told
    assert "D104 scale-learning-rate: Scale the learning rate by the number of workers." in told
    assert "optimizer = tf.keras.optimizers.SGD(0.1 * hvd.size())" in told
    assert "proved: nothing; assuming the same files on all machines" in told
    assert "nothing: it is so" in told
    assert train.read_text() == TRAIN


def test_a_report_lists_two_assumptions_and_all_to_who_asks(
    train: Path, call: Call, oblige: Oblige
) -> None:
    oblige(lambda case: [proved("nothing", "it is so", *(f"thing {n}" for n in range(5)))])
    told = " ".join(call("migrate", "--check", "train.py").stdout.split())
    assert "assuming thing 0; thing 1; and 3 more things, which --verbose lists" in told
    assert "thing 2" not in told
    told = " ".join(call("migrate", "--check", "--verbose", "train.py").stdout.split())
    assert "assuming thing 0; thing 1; thing 2; thing 3; thing 4" in told


def test_a_line_that_no_rule_changes(train: Path, call: Call, oblige: Oblige) -> None:
    oblige(lambda case: [])
    told = call("explain", "train.py:3").stdout
    assert "no rule changes this line" in told
    assert "D104" not in told


def test_what_is_not_proved_there_and_elsewhere(train: Path, call: Call, oblige: Oblige) -> None:
    oblige(no_fit)
    told = " ".join(call("explain", "train.py:8").stdout.split())
    assert "blocked P01 (nothing): who knows what this does" in told
    assert "--unsound=nothing" in told
    elsewhere = call("explain", "train.py:5").stdout
    assert "nothing of this file is written: P01 is in the way at line 8" in elsewhere


def test_what_somebody_takes_on(train: Path, call: Call, oblige: Oblige) -> None:
    oblige(no_fit)
    train.write_text(TRAIN.replace("epochs=1)", "epochs=1)  # distify: accept[nothing] mine"))
    assert "taken on P01 (nothing): who knows" in call("explain", "train.py:8").stdout


@pytest.mark.parametrize(
    ("part", "codes", "not_by"),
    [
        ("SGD(0.1 * hvd.size())", ["D104", "D301"], "D107"),
        ("hvd.DistributedOptimizer(optimizer)", ["D301"], "D107"),
        ("import horovod", ["D101"], "D104"),
        ("hvd.init()", ["D102"], "D104"),
        ("BroadcastGlobalVariablesCallback(0)", ["D302"], "D104"),
        ("shard = slice(", ["D107"], "D104"),
    ],
)
def test_why_a_line_is_as_it_is(
    part: str, codes: list[str], not_by: str, train: Path, call: Call
) -> None:
    train.write_text(TRAIN.replace("[8, 2]).numpy()", "[80, 2]).numpy()"))
    text = TRAIN.replace(
        "tf.random.normal([8, 2]).numpy(), tf.random.normal([8, 1]).numpy()", "x, x[:, :1]"
    )
    head, fit = text.split("model.fit", 1)
    train.write_text(f"import numpy as np\n{head}x = np.zeros((80, 2))\nmodel.fit{fit}")
    assert call("migrate", "train.py").exit_code == 0
    lines = train.read_text().split("\n")
    line = next(n for n, each in enumerate(lines, 1) if part in each)
    told = call("explain", f"train.py:{line}").stdout
    assert "this file is Horovod's already" in told
    for code in codes:
        assert code in told
    assert not_by not in told


def test_a_line_of_a_module_is_told_of_its_programs(here: Path, call: Call) -> None:
    os.mkdir("lib")
    for name, text in FILES.items():
        Path(name).write_text(text, encoding="utf-8")
    told = call("explain", "lib/model.py:6").stdout
    assert "D104" in told
    assert "proved of" in told


@pytest.mark.parametrize(
    ("word", "said"),
    [("train.py:99", "train.py has no line 99"), ("gone.py:1", "no rule gone.py:1")],
)
def test_what_is_no_line_is_told(word: str, said: str, train: Path, call: Call) -> None:
    answer = call("explain", word)
    assert answer.exit_code == 2
    assert said in answer.stderr


def test_codes_have_their_pages_as_before(train: Path, call: Call) -> None:
    assert call("explain", "D104").stdout.startswith("# D104")
