"""Sums over fewer rounds than before, divided by what they were divided by: half of the mean."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

TEXT = """\
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.1)
n, batch = 64, 8
steps = n // batch
x_all, y_all = np.ones((n, 3)), np.ones((n, 1))
data = tf.data.Dataset.from_tensor_slices((x_all, y_all)).batch(batch)
other = 0.0
for epoch in range(3):
    total, seen = 0.0, 0
    for i, (x, y) in enumerate(data):
        with tf.GradientTape() as tape:
            cost = tf.reduce_mean((model(x) - y) ** 2)
        gradients = tape.gradient(cost, model.trainable_variables)
        opt.apply_gradients(zip(gradients, model.trainable_variables))
        total += {added}
        seen += x.shape[0]
    {behind}
"""
TOLD = {
    "of all examples": ("cost / n * batch", "pass"),
    "of all examples, the other way": ("cost * batch / n", "pass"),
    "by steps": ("cost", "print(total / steps)"),
    "by steps, in place": ("cost", "total /= steps"),
    "a percentage": ("cost", "print((total * 100.0) / n)"),
    "of an array": ("cost", "print(total.numpy() / steps)"),
    "by a number": ("cost", "print(total / 8)"),
    "by examples, computed": ("cost", "print(total / (n // batch))"),
}
LENGTHS = {
    "of a length": ("cost / len(x_all)", "pass"),
    "a percentage, the other way": ("cost", "print(100 * float(total) / len(x_all))"),
    "of batches": ("cost", "print(total / (len(x_all) // batch))"),
}
RIGHT = {
    "by what was counted": ("cost", "print(total / seen)"),
    "by the loop's own number": ("cost", "print(total / (i + 1))"),
    "by the length of the data": ("cost", "print(total / len(data))"),
    "of each batch": ("cost / batch", "pass"),
    "of each batch's length": ("cost / x.shape[0]", "pass"),
    "by the epochs": ("cost", "print(total / (epoch + 1))"),
    "something else": ("cost", "print(other / steps)"),
    "no mean": ("cost", "print(total)"),
}


def told(added: str, behind: str, add: str = "total += ") -> list[str]:
    found = migrate(TEXT.format(added=added, behind=behind).replace("total += ", add))
    assert found.blocked == ()
    assert ".shard(hvd.size(), hvd.rank())" in found.after
    return [each.code for each in found.notes if "mean over them" in each.message]


@pytest.mark.parametrize(("added", "behind"), TOLD.values(), ids=TOLD)
def test_a_mean_over_the_rounds_of_before_is_told(added: str, behind: str) -> None:
    assert told(added, behind) == ["D106"]


@pytest.mark.parametrize(("added", "behind"), LENGTHS.values(), ids=LENGTHS)
def test_what_is_reckoned_from_a_length_is_divided(added: str, behind: str) -> None:
    assert told(added, behind) == []
    after = migrate(TEXT.format(added=added, behind=behind)).after
    assert after.count("// hvd.size())") == 1
    again = migrate(after)
    assert again.skipped is not None
    assert again.after == after


@pytest.mark.parametrize(("added", "behind"), RIGHT.values(), ids=RIGHT)
def test_what_is_right_is_not(added: str, behind: str) -> None:
    assert told(added, behind) == []


def test_a_sum_that_is_assigned_is_one() -> None:
    assert told("cost", "print(total / steps)", "total = total + ") == ["D106"]
    assert told("cost + total", "print(total / steps)", "total = ") == ["D106"]


def test_another_name_is_no_sum() -> None:
    assert told("cost", "print(total / steps)", "total = other + ") == []
