"""The judge takes a value for the same on all workers behind a line that compares it."""

from __future__ import annotations

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.questions import QUESTIONS
from distify.codemods.judge.case import Case
from distify.codemods.judge.judge import judge
from distify.codemods.model import Options
from distify.codemods.syntax.agreed import LINE

CHECK = LINE.format(hvd="hvd", value="n", name="n")
HEAD = """\
import horovod.tensorflow as hvd
import numpy as np
import tensorflow as tf

hvd.init()
n = {}
"""
ASKS = "if n > 3:\n    hvd.allreduce(tf.constant(1.0))\n"


def unproved(text: str) -> list[str]:
    def facts() -> Facts:
        return Facts.of(text, Options(), "a.py")

    case = Case({"a.py": text}, {}, "a.py", Options(), QUESTIONS, facts)
    return [proof.obligation for proof in judge(case) if not proof.holds]


@pytest.mark.parametrize("value", ["int(np.random.rand() * 9)", "len(list(range(hvd.rank())))"])
def test_a_checked_value_may_decide_about_a_collective(value: str) -> None:
    text = HEAD.format(value)
    assert unproved(f"{text}{CHECK}\n{ASKS}") == []
    assert unproved(text + ASKS) == ["together"]


@pytest.mark.parametrize(
    "between",
    [
        "n = int(np.random.rand() * 9)\n",
        "n += hvd.rank()\n",
        "for n in range(hvd.rank()):\n    pass\n",
    ],
)
def test_another_value_may_not(between: str) -> None:
    text = HEAD.format("int(np.random.rand() * 9)")
    assert unproved(f"{text}{CHECK}\n{between}{ASKS}") == ["together"]


def test_a_check_that_one_worker_makes_is_no_check() -> None:
    """It is a collective itself, to which the others don't come."""
    text = HEAD.format("int(np.random.rand() * 9)")
    checked = "".join(f"    {line}\n" for line in [CHECK, *ASKS.splitlines()])
    assert "together" in unproved(f"{text}if hvd.rank() == 0:\n{checked}")
