"""What the judge says of results in which all workers share a batch, and of broken ones."""

from __future__ import annotations

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.questions import QUESTIONS
from distify.codemods.judge.case import Case
from distify.codemods.judge.obligations import named
from distify.codemods.judge.proof import NOT_PROVED, PROVED, VIOLATED, Proof
from distify.codemods.migrate import migrate
from distify.codemods.model import Options

ASKED = Options(batch="global")
TEXT = """\
import numpy as np
import tensorflow as tf

x, y = np.ones((64, 2), "float32"), np.ones((64, 1), "float32")
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.1)
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(16)
for epoch in range(40):
    for a, b in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(a) - b))
        gradients = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(gradients, model.trainable_variables))
"""
FIT = """\
import numpy as np
import tensorflow as tf

x, y = np.ones((64, 2), "float32"), np.ones((64, 1), "float32")
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.SGD(0.1), "mse")
model.fit(x, y, batch_size=16, epochs=40)
"""


def judged(before: str, after: str) -> list[Proof]:
    def facts() -> Facts:
        return Facts.of(after, ASKED)

    case = Case({"": after}, {"": before}, "", ASKED, QUESTIONS, facts=facts)
    return list(named("size").prove(case))


@pytest.mark.parametrize("text", [TEXT, FIT])
def test_a_result_is_proved(text: str) -> None:
    (found,) = judged(text, migrate(text, ASKED).after)
    assert found.verdict == PROVED
    assert "all workers together" in found.why
    assert any("same axes" in each for each in found.assumptions)


BROKEN = {
    "a rate that grows": ("SGD(0.1)", "SGD(0.1 * hvd.size())", VIOLATED, "the learning rate grows"),
    "a whole batch": ("own_rows(16)", "16", VIOLATED, "a whole batch of its own"),
    "a batch times N": ("own_rows(16)", "16 * hvd.size()", NOT_PROVED, "a whole batch of its own"),
    "divided twice": ("own_rows(16)", "own_rows(16) // hvd.size()", NOT_PROVED, "a whole batch"),
    "a helper that divides nothing": (
        "    return batch // hvd.size()", "    return batch", VIOLATED, "a whole batch of its own",
    ),
    "fewer rounds": ("range(40)", "range(40 // hvd.size())", VIOLATED, "share out these steps"),
    "a sum": ("reduce_mean", "reduce_sum", NOT_PROVED, "a sum over the rows"),
    "a loss that nobody knows": ("tf.square(", "elsewhere.loss(", NOT_PROVED, "nobody can tell"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_result_is_not(name: str) -> None:
    old, new, verdict, words = BROKEN[name]
    after = migrate(TEXT, ASKED).after
    assert old in after
    found = judged(TEXT, after.replace(old, new).replace("import num", "import elsewhere, num"))
    assert (found[0].verdict, True) == (verdict, words in found[0].why), found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("batch_size=own_rows(16)", "batch_size=16"),
        ("batch_size=own_rows(16)", "batch_size=None"),
        ("epochs=40", "epochs=40 // hvd.size()"),
        ("SGD(0.1)", "SGD(0.1 * hvd.size())"),
        ('"mse"', 'tf.keras.losses.MeanSquaredError(reduction="sum")'),
    ],
)
def test_a_broken_fit_is_not(old: str, new: str) -> None:
    after = migrate(FIT, ASKED).after
    assert old in after
    assert all(each.verdict != PROVED for each in judged(FIT, after.replace(old, new)))


def test_an_nth_of_a_batch_of_rows_that_all_workers_have_is_none_of_one_process() -> None:
    """Steps on the same rows, N times as many as before."""
    after = migrate(TEXT, ASKED).after.replace(".shard(hvd.size(), hvd.rank())", "")
    assert PROVED not in [each.verdict for each in judged(TEXT, after)]
