"""The tables of words of Keras 2's layers are no variables: Horovod is given the others."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Options

HEAD = """\
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

texts, labels = np.array(["a b", "b"] * 8), np.ones((16, 1))
table = layers.{layer}
"""
FITTED = """\
model = tf.keras.Sequential([{first}layers.Embedding(9, 2), layers.Flatten(), layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(texts, labels)
"""
LOOP = """\
model = tf.keras.Sequential([{first}layers.Embedding(9, 2), layers.Flatten(), layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.1)
for x in tf.data.Dataset.from_tensor_slices(texts).batch(4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
"""
FINDING = ("TextVectorization(9)", "StringLookup()", "IntegerLookup(vocabulary=None)")
OWN = """\
            found = (*self.model.weights, *self.model.optimizer.variables())
            found = [v for v in found if isinstance(v, tf.Variable)]  # no tables of words
            hvd_tf.broadcast_variables(found, root_rank=0)
"""
PLAIN = "hvd.broadcast_variables(model.variables, root_rank=0)"


def after(text: str, layer: str, first: str = "table, ", **options: object) -> str:
    found = migrate(HEAD.format(layer=layer) + text.format(first=first), Options(**options))  # type: ignore[arg-type]
    assert found.blocked == ()
    return found.after


@pytest.mark.parametrize("layer", FINDING)
def test_a_fit_gets_a_callback_that_leaves_them_out(layer: str) -> None:
    text = after(FITTED, layer)
    assert OWN in text
    assert "import horovod.tensorflow as hvd_tf\n" in text
    assert "callbacks=[BroadcastState(), hvd.callbacks.MetricAverageCallback()]" in text
    assert "BroadcastGlobalVariablesCallback" not in text
    assert migrate(text).steps == ()


@pytest.mark.parametrize("layer", FINDING)
def test_a_loop_broadcasts_the_variables_alone(layer: str) -> None:
    text = after(LOOP, layer)
    assert "[v for v in model.variables if isinstance(v, tf.Variable)], root_rank=0\n" in text
    assert PLAIN not in text
    assert migrate(text).steps == ()


@pytest.mark.parametrize(
    ("layer", "first"),
    [
        ("TextVectorization(9)", ""),  # it prepares the data
        ("TextVectorization(vocabulary=['a', 'b'])", "table, "),
        ("StringLookup(vocabulary=words)", "table, "),
        ("Normalization()", "table, "),
        ("Hashing(9)", "table, "),
    ],
)
def test_others_are_broadcast_as_ever(layer: str, first: str) -> None:
    assert "hvd.callbacks.BroadcastGlobalVariablesCallback(0)" in after(FITTED, layer, first)
    assert PLAIN in after(LOOP, layer, first)


def test_a_model_of_a_class_may_hold_one() -> None:
    text = """\
class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.table, self.out = table, layers.Dense(1)

    def call(self, x):
        return self.out(tf.cast(self.table(x), tf.float32))

model = Net()
model.compile("sgd", "mse")
model.fit(texts, labels)
"""
    assert "BroadcastState()" in after(text, "StringLookup()")
    assert "BroadcastState()" not in after(text, "StringLookup(vocabulary=['a'])")


def test_keras_3_keeps_none_among_its_weights() -> None:
    text = after(FITTED, "StringLookup()", tensorflow=(2, 18), is_asked=True)
    assert "tables of words" not in text
