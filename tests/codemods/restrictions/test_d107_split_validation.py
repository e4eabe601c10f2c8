"""Validation that is split off each worker's share, with metrics that are no means."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Finding

HEAD = """\
import numpy as np
import tensorflow as tf

x, y = np.load("x.npy"), np.load("y.npy")
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse", metrics=[{}])
"""
AUC = HEAD.format("tf.keras.metrics.AUC()")
MEANS = HEAD.format("'accuracy'")
SPLIT = "model.fit(x, y, validation_split=0.2)\n"
FINE = [
    MEANS + SPLIT,
    AUC + "model.fit(x, y)\n",
    AUC + "model.fit(x, y, validation_split=0.0)\n",
    AUC + "model.fit(x[8:], y[8:], validation_data=(x[:8], y[:8]))\n",
]


def notes(text: str) -> list[Finding]:
    return [n for n in migrate(text).notes if "part of its own share" in n.message]


@pytest.mark.parametrize("text", FINE)
def test_means_and_whole_validations_are_fine(text: str) -> None:
    assert not notes(text)


@pytest.mark.parametrize("metric", ["tf.keras.metrics.AUC()", "'Precision'", "f1", "F1()"])
def test_a_metric_that_is_no_mean_is_named(metric: str) -> None:
    own = "\n\ndef f1(a, b):\n    return a\n\n\nclass F1(tf.keras.metrics.Metric):\n    pass\n\n"
    text = HEAD.format(metric).replace("\nx, y", own + "\nx, y", 1)
    (found,) = notes(text + SPLIT)
    assert (found.line, found.column) == (text.count("\n") + 1, 33)


def test_the_fix_keeps_the_validation_whole() -> None:
    (found,) = notes(AUC + SPLIT)
    before, call = found.fix.split("`")[1::2]
    mended = f"{AUC}{before}\nmodel.{call}\n"
    assert not notes(mended)
    after = migrate(mended).after
    assert "n = int(len(x) * (1 - 0.2))\n" in after
    assert "validation_data=(x[n:], y[n:])" in after
    assert "x[:n][shard]" in after
