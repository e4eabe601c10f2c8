"""T07: state that a worker computes from its own batches, and learns by."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

LAYER = """\
import tensorflow as tf
from other import load


class Layer(tf.keras.layers.Layer):
    def build(self, shape):
        self.state = self.add_weight("state", (4,), initializer="zeros", trainable=False)
        self.other = tf.Variable(tf.random.normal((4,)), trainable=False)

    def call(self, x, training=None):
{body}


model = tf.keras.Sequential([Layer(), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
x, y = load()
model.fit(x, y)
"""
LOOP = """\
import tensorflow as tf

x, y = tf.ones((64, 4)), tf.ones((64,), tf.int32)
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(8, drop_remainder=True)
net = tf.keras.Sequential([tf.keras.layers.Dense(4)])
opt = tf.keras.optimizers.SGD(0.1)
centers = tf.Variable(tf.zeros((4, 4)), trainable=False)
shown = tf.Variable(0.0, trainable=False)
for a, b in ds:
    with tf.GradientTape() as tape:
        f = net(a)
        loss = tf.reduce_mean((f - tf.gather(centers, b)) ** 2)
    opt.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
    {line}
"""


def told(text: str) -> list[str]:
    """The lines that a note of T07 names."""
    found = migrate(text)
    assert not found.blocked
    lines = text.splitlines()
    return [lines[n.line - 1].strip() for n in found.notes if "own batches" in n.message]


def layer(*lines: str) -> list[str]:
    return told(LAYER.format(body="\n".join(f"        {line}" for line in lines)))


def test_a_codebook_is_named() -> None:
    update = "self.state.assign(0.9 * self.state + 0.1 * tf.reduce_mean(x, 0))"
    assert layer(update, "return x - self.state") == [update]
    assert layer("if training:", f"    {update}", "return x - self.state") == [update]
    add = "self.state.assign_add(tf.reduce_sum(x, 0))"
    assert layer(add, "y = x * self.state", "return y") == [add]


@pytest.mark.parametrize(
    "lines",
    [
        # moving statistics, which the training doesn't read
        (
            "mean = self.state",
            "if training:",
            "    mean = tf.reduce_mean(x, 0)",
            "    self.state.assign(0.9 * self.state + 0.1 * mean)",
            "    return x - mean",
            "return x",
        ),
        (
            "if training:",
            "    mean = tf.reduce_mean(x, 0)",
            "    self.state.assign(0.9 * self.state + 0.1 * mean)",
            "else:",
            "    mean = self.state",
            "return x - mean",
        ),
        # counters, and what comes of weights alone
        ("self.state.assign_add(tf.ones((4,)))", "return x * self.state"),
        ("self.state.assign(0.9 * self.state + 0.1 * self.other)", "return x * self.state"),
        ("self.state.assign(tf.ones_like(x)[0])", "return x * self.state"),
    ],
)
def test_a_state_that_all_workers_share(lines: tuple[str, ...]) -> None:
    assert layer(*lines) == []


@pytest.mark.parametrize(
    "line",
    [
        "centers.assign(tf.tensor_scatter_nd_sub(centers, b[:, None], 0.5 * f))",
        "centers.assign_sub(0.1 * tf.reduce_mean(f))",
    ],
)
def test_centers_of_classes_are_named(line: str) -> None:
    assert told(LOOP.format(line=line)) == [line]


@pytest.mark.parametrize(
    "line",
    ["shown.assign(loss)", "shown.assign_add(loss)", "centers.assign(0.5 * centers)", "pass"],
)
def test_what_no_loss_reads_is_not(line: str) -> None:
    assert told(LOOP.format(line=line)) == []


def test_what_is_averaged_is_not() -> None:
    update = "self.state.assign(0.9 * self.state + 0.1 * hvd.allreduce(tf.reduce_mean(x, 0)))"
    text = LAYER.format(body=f"        {update}\n        return x - self.state")
    known = "import horovod.tensorflow.keras as hvd\n" + text
    assert not [note for note in migrate(known).notes if "own batches" in note.message]
    assert [
        note for note in migrate(known.replace("hvd.allreduce", "")).notes if note.code == "T07"
    ]
