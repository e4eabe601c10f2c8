"""By which names it is known that only TensorFlow 1 can run a program."""

from __future__ import annotations

import pytest

from distify.codemods.library.old_members import gone
from distify.codemods.migrate import migrate

TEXT = """\
import tensorflow as tf
{line}

def input_fn():
    data = tf.data.Dataset.from_tensor_slices(([[1.0]] * 100, [[1.0]] * 100))
    return data.repeat().batch(5)


model = tf.estimator.LinearRegressor([tf.feature_column.numeric_column("x")])
model.train(input_fn, steps=500)
"""


@pytest.mark.parametrize(
    ("name", "member"),
    [
        ("tensorflow.ConfigProto", "tensorflow.ConfigProto"),
        ("tensorflow.app.run", "tensorflow.app"),
        ("tensorflow.estimator.inputs.numpy_input_fn", "tensorflow.estimator.inputs"),
        ("tensorflow.estimator.Estimator", None),
        ("tensorflow.summary.FileWriter", "tensorflow.summary.FileWriter"),
        ("tensorflow.summary.scalar", None),
        ("tensorflow.compat.v1.ConfigProto", None),
        ("tensorflow.applications", None),
        ("other.ConfigProto", None),
        ("tensorflow", None),
        ("", None),
    ],
)
def test_what_tensorflow_2_lacks(name: str, member: str | None) -> None:
    assert gone(name) == member


@pytest.mark.parametrize(
    "line", ["tf.logging.set_verbosity(tf.logging.INFO)", "config = tf.ConfigProto()"]
)
def test_a_ready_made_model_of_tensorflow_1_gets_an_optimizer_of_it(line: str) -> None:
    found = migrate(TEXT.format(line=line))
    assert found.blocked == ()
    assert "DistributedOptimizer(tf.compat.v1.train.FtrlOptimizer(0.2 * hvd.size()))" in found.after
    (note,) = (each for each in found.notes if each.code == "N03")
    assert "TensorFlow 1.15 is assumed to run this" in note.message
    assert note.line == 2


@pytest.mark.parametrize("line", ["", "tf.compat.v1.logging.set_verbosity(1)"])
def test_where_nothing_says_so_it_may_be_tensorflow_2(line: str) -> None:
    found = migrate(TEXT.format(line=line)).blocked
    assert any("in TensorFlow 2 an optimizer of Keras" in each.message for each in found)
