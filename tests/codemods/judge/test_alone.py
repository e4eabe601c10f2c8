"""A program that ends unless it is alone: on one worker it does what it did, and nothing else is asked."""

from __future__ import annotations

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.questions import QUESTIONS
from distify.codemods.facts.setup.horovod_start import ends_unless_alone
from distify.codemods.judge.case import Case
from distify.codemods.judge.judge import judge
from distify.codemods.migrate import migrate
from distify.codemods.model import ONE_WORKER, Options

GUARD = 'hvd.init()\nif hvd.size() > 1:\n    raise SystemExit("one")\n'
START = "import horovod.tensorflow as hvd\nimport tensorflow as tf\n"
HEAD = START + GUARD
TRAIN = """\
import random
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.SGD({}), "mse")
while random.random() < 0.9:
    model.fit(x, y)
"""


def is_alone(text: str) -> bool:
    return ends_unless_alone(Facts.of(text, Options(), "a.py")) is not None


@pytest.mark.parametrize(
    "guard",
    [
        GUARD,
        GUARD.replace("> 1", "!= 1"),
        GUARD.replace("> 1", ">= 2"),
        GUARD.replace("SystemExit", "RuntimeError"),
    ],
)
def test_it_is_known_by_what_stands_behind_the_start(guard: str) -> None:
    assert is_alone(START + guard + TRAIN.format("0.1"))
    assert migrate(START + guard + TRAIN.format("0.1")).skipped == ONE_WORKER


@pytest.mark.parametrize(
    "guard",
    [
        "hvd.init()\n",
        "hvd.init()\nassert hvd.size() == 1\n",  # Python may leave it out
        GUARD.replace("> 1", "> 2"),
        GUARD.replace("> 1", "> n"),
        GUARD.replace("> 1", "< 1"),
        GUARD.replace("hvd.size()", "hvd.rank()"),
        GUARD.replace("hvd.size() > 1", "hvd.size() > 1 and strict"),
        GUARD.replace('raise SystemExit("one")', 'print("one")'),
        GUARD.replace("if", "f()\nif", 1),
        "def check():\n    if hvd.size() > 1:\n        raise SystemExit\nhvd.init()\ncheck()\n",
        "hvd.init()\ntry:\n    if hvd.size() > 1:\n        raise SystemExit\nexcept SystemExit:\n    pass\n",
        "def main():\n    hvd.init()\n    train()\nmain()\nif hvd.size() > 1:\n    raise SystemExit\n",
    ],
)
def test_nothing_less_is_taken_for_it(guard: str) -> None:
    assert not is_alone(START + guard + TRAIN.format("0.1"))


def not_proved(rate: str, head: str = HEAD) -> set[str]:
    """The obligations that are not proved of a program that began without Horovod."""
    before, after = "import tensorflow as tf\n" + TRAIN.format("0.1"), head + TRAIN.format(rate)
    texts = {"a.py": after}, {"a.py": before}
    facts = Facts.of(after, Options(), "a.py")
    case = Case(*texts, "a.py", Options(), QUESTIONS, lambda: facts)
    return {proof.obligation for proof in judge(case) if not proof.holds}


def test_what_workers_would_do_wrong_is_not_asked_of_it() -> None:
    assert not not_proved("0.1 * hvd.size()")
    assert not_proved("0.1 * hvd.size()", HEAD.replace("> 1", "> 2")) >= {"size", "update"}


@pytest.mark.parametrize("rate", ["0.2", "0.1 * hvd.size() * 2", "0.1 + hvd.rank() + 1"])
def test_it_has_to_do_what_it_did(rate: str) -> None:
    assert not_proved(rate) == {"same"}
