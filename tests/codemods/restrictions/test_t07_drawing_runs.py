"""Runs of a session that take no step, but examples which a step of the worker lacks then."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

TEXT = """\
import numpy as np
import tensorflow.compat.v1 as tf

data = tf.data.Dataset.range(640){repeat}.batch(8)
iterator = tf.data.make_initializable_iterator(data)
x = tf.cast(iterator.get_next(), tf.float32)[:, None]
other = tf.placeholder_with_default(1.0, [])
loss = tf.reduce_mean(tf.layers.dense(x, 1) ** 2)
counted = tf.train.get_or_create_global_step()
optimizer = tf.train.GradientDescentOptimizer(0.1)
train = optimizer.minimize(loss, global_step=counted)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(3):
        sess.run(iterator.initializer)
        try:
            while True:
                _, step, value = sess.run([train, counted, loss])
                {asked}
                if {test}:
                    value = sess.run({fetched})
        except tf.errors.OutOfRangeError:
            pass
"""


def blocked(test: str, fetched: str = "loss", repeat: str = "", asked: str = "") -> list[str]:
    found = migrate(TEXT.format(test=test, fetched=fetched, repeat=repeat, asked=asked)).blocked
    return [each.message for each in found if each.code == "T07"]


@pytest.mark.parametrize(
    ("test", "why"),
    [
        ("value < 0.1", "is each worker's own"),
        ("np.random.rand() < 0.1", "nobody seeds `np.random.rand`"),
        ("step % 5 == 0", "fetched along with a step"),
    ],
)
def test_all_workers_have_to_take_as_many(test: str, why: str) -> None:
    (message,) = blocked(test)
    assert why in message


@pytest.mark.parametrize(
    ("test", "fetched", "repeat", "asked"),
    [
        ("step % 5 == 0", "loss", "", "step = sess.run(counted)"),
        ("step % 5 == 0", "counted", "", ""),  # takes no examples
        ("step % 5 == 0", "other", "", ""),
        ("value < 0.1", "loss", ".repeat()", ""),  # of which there are enough
        ("epoch == 0", "loss", "", ""),
    ],
)
def test_where_they_do_or_need_not_nothing_is_said(
    test: str, fetched: str, repeat: str, asked: str
) -> None:
    assert blocked(test, fetched, repeat, asked) == []
