"""Fits of which each certainly takes all of its data at once."""

from __future__ import annotations

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.data.batch_needs import full_fits

HEAD = """\
import numpy as np
import tensorflow as tf
from elsewhere import load

x = load()
few = np.array([[1.0], [2.0], [3.0]])
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
"""


@pytest.mark.parametrize(
    ("lines", "is_full"),
    [
        ("model.fit(few, few)", True),
        ("model.fit(few, few, batch_size=3)", True),
        ("model.fit(few, few, 3)", True),
        ("model.fit(few, few, batch_size=2)", False),
        ("model.fit(x, x)", False),
        ("model.fit(x, x, batch_size=len(x))", True),
        ("model.fit(x, x, batch_size=x.shape[0])", True),
        ("n = len(x)\nmodel.fit(x, x, batch_size=n)", True),
        ("model.fit(x, x, batch_size=x.shape[1])", False),
        ("model.fit(x, x, batch_size=len(few))", False),
        ("model.fit(few, few, steps_per_epoch=1)", False),
        ("model.fit(np.array([*x]), few)", False),
        (f"model.fit(tf.constant({[0] * 32}), few)", True),
        (f"model.fit(tf.constant({[0] * 33}), few)", False),
        ("model.fit(few, few)\nmodel.fit(x, x)", False),
        ("options = load()\nmodel.fit(few, few, **options)", False),
    ],
)
def test_whether_a_batch_is_all_of_the_data(lines: str, is_full: bool) -> None:
    assert bool(full_fits(Facts.of(f"{HEAD}{lines}\n"))) is is_full
