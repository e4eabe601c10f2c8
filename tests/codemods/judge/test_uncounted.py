"""What nobody sets right of counts, so that it would come at another time: refused."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Options

HEAD = """\
import numpy as np
import tensorflow as tf

x, y = np.load("x.npy"), np.load("y.npy")
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.1)
"""
STEP = """\

@tf.function
def train_step(a, b, weight=1.0):
    with tf.GradientTape() as tape:
        loss = weight * tf.reduce_mean(tf.square(model(a) - b))
    gradients = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(gradients, model.trainable_variables))


"""
LOOP = """\
{before}
step = 0
for epoch in range(4):
    for a, b in data:
        train_step(a, b)
        step += 1
        {each}
"""


def loop(each: str, before: str = "") -> str:
    return HEAD + STEP + LOOP.format(before=before, each=each)


ROW = "def rates():\n    for i in range(9000):\n        yield 0.1 if i < 3000 else 0.01\n\n\nr = rates()"
REFUSED = {
    "from one step to the next": loop("opt.learning_rate = opt.learning_rate * 0.999"),
    "in place": loop("opt.learning_rate *= 0.999"),
    "a generator": loop("opt.learning_rate = next(r)", ROW),
    "a table with other keys": loop(
        "rate = rates.get(step, rate)\n        opt.learning_rate = rate",
        "rate, rates = 0.1, {3000: 0.05, 6000: 0.01}",
    ),
    "what is left": loop(
        "left -= 1\n        if left == 0:\n            opt.learning_rate = 0.01", "left = 3000"
    ),
    "a number that is leapt over": HEAD + STEP + "for epoch in range(4):\n"
    "    for i, (a, b) in enumerate(data):\n        step = epoch * 900 + i\n"
    "        train_step(a, b)\n        if step == 3000:\n            opt.learning_rate = 0.01\n",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_comes_at_another_time_is_refused(name: str) -> None:
    assert {each.code for each in migrate(REFUSED[name]).blocked} == {"J10"}


def test_where_the_batch_is_kept_all_steps_are_counted() -> None:
    text = loop("if step == 3000:\n            opt.learning_rate = 0.01")
    made = migrate(text, Options(batch="global"))
    assert not made.blocked, made.blocked
    assert "if step == 3000:" in made.after
    assert "if step == 3000 // hvd.size():" in migrate(text).after


def test_a_step_that_is_called_with_shares_and_with_the_same_rows_is_refused() -> None:
    """What the one loop takes says nothing of the other: all take the same rows there."""
    again = "for i in range(1000):\n    train_step(few, others)\n"
    text = loop("pass", "few, others = np.load('a.npy'), np.load('b.npy')") + again
    assert {each.code for each in migrate(text).blocked} == {"J08"}
