"""Batches that are dealt out in turns are proved to be shares; what only looks so is not."""

from __future__ import annotations

import pytest

from dealt import DEALT, HEAD, PICKS
from distify.codemods.facts import Facts
from distify.codemods.facts.questions import QUESTIONS
from distify.codemods.judge import size
from distify.codemods.judge.case import Case
from distify.codemods.judge.rows import Rows, RowsOf
from distify.codemods.migrate import migrate
from distify.codemods.model import Options

SHARE = """\
import horovod.tensorflow as hvd
import numpy as np
x = np.load("x.npy")
def batches():
    for i in range(0, len(x), 8):
        yield x[i : i + 8], x[i : i + 8] + 1
def share(batches):
    turn = []
    for batch in batches:
        turn.append(batch)
        if len(turn) == hvd.size():
            yield turn[hvd.rank()]
            turn = []
"""
OWN = [
    "for a, b in share(batches()):\n    ask(a)",
    "for n, (a, b) in enumerate(share(batches())):\n    ask(b)",
    "for batch in share(batches()):\n    a, b = batch\n    ask(b)",
    "for batch in share(batches()):\n    ask(batch[0])",
    "given = share(batches())\nfor n in range(9):\n    a, b = next(given)\n    ask(b)",
    "given = iter(share(iter(batches())))\nfor n in range(9):\n    a, b = next(given)\n    ask(a)",
]
ALIKE = [
    "given = batches()\nfor n in range(9):\n    a, b = next(given)\n    ask(b)",
    "given = share(batches())\ngiven = batches()\na, b = next(given)\nask(b)",
    "for a, b in batches():\n    ask(a)",
    "for a, b in zip(share(batches()), batches()):\n    ask(b[0])",
    "def both():\n    for a, b in share(batches()):\n        yield a, x\nfor a, b in both():\n    ask(b)",
    "for batch in share(batches()):\n    batch = x\n    a, b = batch\n    ask(b)",
]


@pytest.mark.parametrize("name", DEALT)
def test_it_is_written(name: str) -> None:
    done = migrate(HEAD + DEALT[name][0])
    assert not done.blocked
    assert done.steps


@pytest.mark.parametrize("name", PICKS)
def test_picks_are_written(name: str) -> None:
    done = migrate(HEAD + PICKS[name][0])
    assert not done.blocked
    assert done.steps


def asked(text: str) -> Rows:
    facts = Facts.of(SHARE + text)
    (call,) = (call for call in facts.index.calls if getattr(call.func, "id", "") == "ask")
    return RowsOf(facts.program).of(call.args[0])


@pytest.mark.parametrize("text", OWN)
def test_parts_of_what_is_dealt_are_a_share(text: str) -> None:
    assert asked(text) & ~Rows.NONE == Rows.SHARE


@pytest.mark.parametrize("text", ALIKE)
def test_what_goes_beside_it_is_none(text: str) -> None:
    assert not asked(text) & Rows.SHARE


def test_parts_of_orders_of_their_own_overlap() -> None:
    text = "parts = [x[:9], x[9:]]\nrandom.shuffle(parts)\nfor a in share(parts):\n    ask(a)"
    assert asked("import random\n" + text) & Rows.OVERLAP
    assert not asked("import random\nrandom.seed(0)\n" + text) & Rows.OVERLAP


TWICE = "only an Nth is trained on"
STEPS = """\
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.1 * hvd.size())), "mse")
"""
DEALT_BATCHES = "for a, b in share(batches()):\n    model.train_on_batch(a, b)\n"


def told(text: str) -> bool:
    """Whether a share of a share is told."""
    text = SHARE + STEPS + text
    facts = Facts.of(text)
    case = Case({"a.py": text}, {"a.py": ""}, "a.py", Options(), QUESTIONS, lambda: facts)
    return any(TWICE in proof.why for proof in size.prove(case))


@pytest.mark.parametrize(
    "text",
    [
        "def more(z):\n    for i in range(0, len(z), 8):\n        yield z[i : i + 8], z[i : i + 8]\n"
        "for a, b in share(more(x[hvd.rank()::hvd.size()])):\n    model.train_on_batch(a, b)\n",
        "x = x[hvd.rank()::hvd.size()]\ny = x[hvd.rank()::hvd.size()]\nmodel.fit(y, y)\n",
    ],
)
def test_a_share_of_a_share_is_refused(text: str) -> None:
    assert told(text)


@pytest.mark.parametrize(
    "text",
    [
        DEALT_BATCHES,
        "x, y = x[hvd.rank()::hvd.size()], x[hvd.rank()::hvd.size()]\nmodel.fit(x, y)\n",
        "x = x[hvd.rank()::hvd.size()]\nmodel.fit(x[:8], x[:8])\n",
        "def cut(a):\n    return a[hvd.rank()::hvd.size()]\nx, y = cut(x), cut(x + 1)\nmodel.fit(x, y)\n",
        "class Data:\n    def __init__(self):\n        self.x = x\n        self.x = self.x[hvd.rank()::hvd.size()]\n"
        "data = Data()\nmodel.fit(data.x, data.x)\n",
    ],
)
def test_a_share_is_none(text: str) -> None:
    assert not told(text)
