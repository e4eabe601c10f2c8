"""Arrays that `fit` gets are cut before anything is reckoned with each of their rows."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

PROGRAM = """\
import numpy as np
import tensorflow as tf

x, y = np.load("x.npy"), np.load("y.npy")
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit({x}, y)
"""


@pytest.mark.parametrize(
    ("given", "cut"),
    [
        ("x", "x[shard]"),
        ("x / 255.0", "x[shard] / 255.0"),
        ("(x - 127.5) / 127.5", "(x[shard] - 127.5) / 127.5"),
        ("1 - x / 255", "1 - x[shard] / 255"),
        ("x / 255 * 2 - 1", "x[shard] / 255 * 2 - 1"),
        ("x * 0.5", "x[shard] * 0.5"),
        ("x * 2", "(x * 2)[shard]"),  # of a list that would be its rows twice
        ("x % 2", "(x % 2)[shard]"),
        ("x - y", "(x - y)[shard]"),
        ("x.reshape(-1, 4) / 255", "x.reshape(-1, 4)[shard] / 255"),
    ],
)
def test_rows_are_cut_before_numbers_are_reckoned_with_them(given: str, cut: str) -> None:
    found = migrate(PROGRAM.format(x=given))
    assert not found.blocked
    assert f"    {cut},\n    y[shard],\n" in found.after


def test_what_goes_before_one_of_several_values_is_named_after_what_that_is_for() -> None:
    pair = "data = tf.data.Dataset.from_tensor_slices((x, y))\ntrain, valid = {}\n"
    values = "data.take(200).batch(8), data.skip(200).batch(8)"
    fit = pair.format(values) + "model.fit(train, validation_data=valid)\n"
    found = migrate(PROGRAM.replace("model.fit({x}, y)\n", fit))
    assert not found.blocked
    assert "train_examples = data.take(200)\nvalid_examples = data.skip(200)\n" in found.after
