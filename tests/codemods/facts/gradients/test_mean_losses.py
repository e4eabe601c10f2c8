"""Which losses are means over the rows of a batch, each term of one row, by a constant divisor."""

from __future__ import annotations

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.gradients.loss_averages import unlike
from distify.codemods.facts.gradients.mean_losses import losses_of

HEAD = """\
import tensorflow as tf
import numpy as np
import losses_of_others

x = np.random.rand(64, 4).astype("float32")
y = x[:, :1]
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.1)
w = tf.Variable(tf.zeros([4, 1]))
keras = tf.keras.losses.MeanSquaredError()
apart = tf.keras.losses.MeanSquaredError(reduction=tf.keras.losses.Reduction.NONE)
added = tf.keras.losses.MeanSquaredError(reduction="sum")
BATCH = 8


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(1)

    def call(self, inputs):
        return self.dense(inputs)


net = Net()
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(BATCH)


def of(a, b):
    with tf.GradientTape() as tape:
        p = model(a, training=True)
        loss = {}
    gradients = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(gradients, model.trainable_variables))


@tf.function
def step(a, b):
    of(a, b)


for epoch in range(3):
    for i, (a, b) in enumerate(data):
        step(a, b)
"""
MEANS = (
    "keras(b, p)",
    "keras(b, net(a))",
    "tf.reduce_mean(apart(b, p))",
    "tf.reduce_mean((p - b) ** 2)",
    "tf.reduce_mean(tf.square(a @ w - b)) + 0.01 * tf.nn.l2_loss(w)",
    "tf.reduce_sum((p - b) ** 2) / tf.cast(tf.shape(a)[0], tf.float32)",
    "keras(b, p) + sum(model.losses)",
    "keras(b, p) + tf.add_n(model.losses)",
    "0.5 * keras(b, p) / 3 - 1",
    "tf.reduce_mean(tf.keras.losses.mse(b, p))",
    "tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=b, logits=p))",
    "tf.reduce_mean(tf.reduce_sum(tf.square(p - b), axis=-1))",
    "tf.reduce_mean(tf.reduce_sum(tf.square(p - b), axis=1))",
    "-tf.reduce_mean(b * tf.math.log(p + 1e-7))",
    "tf.reduce_mean(tf.reduce_max(p, axis=1))",
)
OTHERS = {
    "added(b, p)": "sum",
    "tf.reduce_sum((p - b) ** 2)": "sum",
    "tf.keras.losses.mse(b, p)": "terms",
    "apart(b, p)": "terms",
    "tf.reduce_sum(apart(b, p)) / BATCH": "divided",
    "tf.nn.compute_average_loss(apart(b, p), global_batch_size=BATCH)": "divided",
    "tf.reduce_sum((p - b) ** 2 * a[:, :1]) / tf.reduce_sum(a[:, :1])": "masked",
    "1 - 2 * tf.reduce_sum(p * b) / (tf.reduce_sum(p) + tf.reduce_sum(b))": "masked",
    "tf.sqrt(tf.reduce_mean((p - b) ** 2))": "coupled",
    "tf.reduce_mean(tf.matmul(p, p, transpose_b=True))": "coupled",
    "tf.reduce_mean(p - tf.reduce_mean(b))": "coupled",
    "tf.reduce_mean(tf.nn.softmax(p, axis=0))": "coupled",
    "tf.reduce_mean(tf.reduce_max(p, axis=0))": "coupled",
    "tf.reduce_mean(p) ** 2": "coupled",
    "losses_of_others.loss(p, b)": "unknown",
    "tf.reduce_mean(losses_of_others.loss(p, b))": "unknown",
    "tf.reduce_mean(tf.roll(p, 1, axis=0) * p)": "unknown",
    "tf.reduce_mean(p[0])": "unknown",
    "keras(b, p, sample_weight=a[:, 0])": "unknown",
    "keras(b, p, a[:, 0])": "unknown",
    "tf.reduce_mean(tf.expand_dims(p, 0))": "unknown",
    "tf.reduce_mean(tf.reshape(p, (4, -1)))": "unknown",
    "tf.reduce_mean(tf.concat([p, tf.ones((1, 1))], 0))": "unknown",
    "tf.reduce_mean(tf.math.l2_normalize(p) * b)": "coupled",
    "tf.reduce_mean(tf.nn.softmax(p, axis=-2))": "coupled",
    "tf.reduce_mean(tf.reduce_sum(p - b, axis=-2))": "coupled",
    "tf.reduce_mean(tf.norm(p, 1))": "unknown",
}


@pytest.mark.parametrize("loss", MEANS)
def test_means_over_rows(loss: str) -> None:
    facts = Facts.of(HEAD.format(loss))
    assert losses_of(facts).kinds(next(facts.calls("gradient")).args[0]) == {"mean"}
    assert list(unlike(facts)) == []


@pytest.mark.parametrize(("loss", "kind"), OTHERS.items())
def test_what_is_no_mean_over_rows(loss: str, kind: str) -> None:
    facts = Facts.of(HEAD.format(loss))
    assert kind in losses_of(facts).kinds(next(facts.calls("gradient")).args[0])
    assert len(list(unlike(facts))) == 1


def test_a_sum_along_an_axis_that_may_be_that_of_the_rows() -> None:
    """Of one number a row, the last axis is that of the rows."""
    facts = Facts.of(HEAD.format("tf.reduce_mean(tf.reduce_sum(apart(b, p), axis=-1))"))
    assert losses_of(facts).kinds(next(facts.calls("gradient")).args[0]) == {"mean", "sum"}


FIT = """\
import losses_of_others
import numpy as np
import tensorflow as tf

x, y = np.ones((64, 2)), np.ones((64, 1))


def by_row(y_true, y_pred):
    return tf.reduce_mean(tf.abs(y_true - y_pred), axis=-1)


def by_batch(y_true, y_pred):
    centred = y_true - tf.reduce_mean(y_true, axis=0)
    return tf.reduce_mean(tf.square(centred - y_pred))


def added(y_true, y_pred):
    return tf.reduce_sum(tf.square(y_true - y_pred))


class Pull(tf.keras.layers.Layer):
    def call(self, inputs):
        return {layer}


model = tf.keras.Sequential([Pull(), tf.keras.layers.Dense(1)])
model.compile("sgd", {loss})
model.fit(x, y)
"""


@pytest.mark.parametrize(
    "loss",
    [
        '"mse"',
        '["mse", "binary_crossentropy"]',
        '{"a": "mse", "b": tf.keras.losses.Huber(delta=2.0)}',
        "tf.keras.losses.mean_squared_error",
        "tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)",
        "by_row",
        "lambda t, p: tf.square(t - p)",
    ],
)
def test_losses_of_keras_that_are_means(loss: str) -> None:
    facts = Facts.of(FIT.replace("{loss}", loss).replace("{layer}", "tf.nn.relu(inputs) * 2.0"))
    assert list(unlike(facts)) == []


@pytest.mark.parametrize(
    ("loss", "words"),
    [
        ('tf.keras.losses.MeanSquaredError(reduction="sum")', "a sum over the rows"),
        ("tf.keras.losses.MeanSquaredError(reduction=tf.keras.losses.Reduction.NONE)", "a sum"),
        ("tf.keras.losses.SparseCategoricalCrossentropy(ignore_class=0)", "divided by a sum"),
        ("added", "a sum over the rows"),
        ("by_batch", "couples the rows"),
        ("losses_of_others.loss", "nobody can tell"),
        ('"loss_of_ours"', "nobody can tell"),
        ('"cosine"', "nobody can tell"),
    ],
)
def test_losses_of_keras_that_are_none(loss: str, words: str) -> None:
    facts = Facts.of(FIT.replace("{loss}", loss).replace("{layer}", "inputs"))
    (found,) = unlike(facts)
    assert words in found.why


@pytest.mark.parametrize(
    "layer",
    [
        "inputs - tf.reduce_mean(inputs, axis=0)",
        "tf.matmul(inputs, inputs, transpose_b=True)",
        "losses_of_others.layer(inputs)",
    ],
)
def test_layers_of_ones_own_that_may_bring_rows_together(layer: str) -> None:
    facts = Facts.of(FIT.replace("{loss}", '"mse"').replace("{layer}", layer))
    assert len(list(unlike(facts))) == 1


MODEL = """\
import numpy as np
import tensorflow as tf

x, y = np.ones((64, 2)), np.ones((64, 1))
given = tf.keras.Input((2,))
made = tf.keras.layers.Dense(4)(given)
out = {}
model = tf.keras.Model(given, out)
model.compile("sgd", "mse")
model.fit(x, y)
"""


@pytest.mark.parametrize(
    ("out", "number"),
    [
        ("tf.keras.layers.Dense(1)(made)", 0),
        ("made * 2.0 + tf.reduce_mean(made, axis=1, keepdims=True)", 0),
        ("tf.keras.layers.Lambda(lambda t: t / 255.0)(made)", 0),
        ("made - tf.reduce_mean(made, axis=0)", 1),
        ("tf.matmul(made, made, transpose_b=True)", 1),
        ("tf.keras.layers.Lambda(lambda t: t - tf.reduce_mean(t, axis=0))(made)", 1),
    ],
)
def test_rows_may_meet_in_a_model(out: str, number: int) -> None:
    assert len(list(unlike(Facts.of(MODEL.format(out))))) == number


@pytest.mark.parametrize(
    "line",
    [
        "tf.keras.layers.Embedding(9, 4, mask_zero=True)",
        "tf.keras.layers.Masking()",
        'tf.keras.layers.Dense(4, activity_regularizer="l2")',
        "model.add_loss(lambda: 0.1)",
    ],
)
def test_masks_and_what_is_added_to_a_loss(line: str) -> None:
    text = FIT.replace("{loss}", '"mse"').replace("{layer}", "inputs")
    facts = Facts.of(text.replace("model.compile", f"other = {line}\nmodel.compile"))
    assert len(list(unlike(facts))) == 1
