"""A rate that a function is called with: what carries the scale already is not multiplied again."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

HEAD = """\
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.1)
model.compile(opt, "mse")


def set_rate(value):
    opt.learning_rate.assign(value)


"""
FIT = "model.fit(np.ones((8, 4)), np.ones((8, 1)))\n"
OWN, NUMBER = "set_rate(opt.learning_rate * 0.5)\n", "set_rate(0.01)\n"


@pytest.mark.parametrize(
    ("calls", "scaled"),
    [
        (OWN, []),
        (NUMBER, ["assign(value * hvd.size())"]),
        (OWN + NUMBER, ["set_rate(0.01 * hvd.size())"]),
        ("rate = opt.learning_rate * 0.5\nset_rate(rate)\n", []),
        ("rate = 0.01\nset_rate(rate)\n", ["assign(value * hvd.size())"]),
        ("rate = 0.2\nrate = opt.learning_rate * 0.5\nset_rate(rate)\n", []),
    ],
)
def test_what_is_multiplied(calls: str, scaled: list[str]) -> None:
    migration = migrate(HEAD + calls + FIT)
    assert migration.steps
    assert not migration.blocked
    wanted = ["SGD(0.1 * hvd.size())", *scaled]
    assert migration.after.count("* hvd.size()") == len(wanted)
    assert all(text in migration.after for text in wanted)
    assert migrate(migration.after).skipped == "already Horovod"
