"""Models whose layers Keras runs by itself, as D501 rewrites them: they train alike."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from recomputed import ALONE, run
from test_time_steps import printed

from distify.codemods.migrate import migrate

tf = pytest.importorskip("tensorflow")

PROGRAM = """\
import numpy as np
import tensorflow as tf

L = tf.keras.layers
tf.keras.utils.set_random_seed(1)
x = np.random.RandomState(0).normal(size=(64, 8)).astype("float32")


class Block(L.Layer):
    def __init__(self):
        super().__init__()
        self.dense = L.Dense(8, activation="tanh")

    def call(self, x, training=None):
        return x + self.dense(x)


{model}
model.compile(tf.keras.optimizers.SGD(0.1), "mse")
history = model.fit(x, x[:, :1], batch_size=16, epochs=3, shuffle=False, verbose=0)
"""
FUNCTIONAL = """\
y = inputs = tf.keras.Input([8])
for _ in range(6):
    y = L.Dense(8, activation="tanh")(y)
model = tf.keras.Model(inputs, L.Dense(1)(y))"""
MODELS = {
    "of a list": "model = tf.keras.Sequential([Block() for _ in range(7)] + [L.Dense(1)])",
    "with its input": """\
model = tf.keras.Sequential([tf.keras.Input([8])])
for _ in range(5):
    model.add(L.Dense(8, activation="tanh"))
model.add(L.Dense(1))""",
    "beside others": """\
model = tf.keras.Sequential([
    L.Reshape([4, 2]), L.LSTM(8), *[Block() for _ in range(6)], L.Reshape([4, 2]), L.GRU(1),
])""",
    "functional": FUNCTIONAL,
    "of models": """\
model = tf.keras.Sequential([
    *[tf.keras.Sequential([L.Dense(8, "relu"), L.Dense(8)]) for _ in range(4)], L.Dense(1),
])""",
}  # fmt: skip


def program(name: str) -> str:
    return PROGRAM.format(model=MODELS[name])


def rewritten(text: str) -> str:
    found = migrate(text, ALONE)
    assert not found.blocked, found.blocked
    assert "= Recomputed" in found.after
    return found.after


def trained(text: str) -> list[Any]:
    names = run(text)
    x = names.x
    told = [names.model.predict(x, verbose=0), names.model.evaluate(x, x[:, :1], verbose=0)]
    shapes = [layer.name for layer in names.model.layers]
    assert len(shapes) == len(set(shapes))
    return [names.history.history["loss"], *told, *names.model.get_weights()]


RATHER_SLOW = ("beside others", "of a list", "of models")


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow) if n in RATHER_SLOW else n for n in MODELS]
)
def test_it_trains_evaluates_and_predicts_alike(name: str) -> None:
    text = program(name)
    before, after = trained(text), trained(rewritten(text))
    assert len(before) == len(after) > 5
    for one, other in zip(before, after):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5 * np.abs(one).max())


def test_what_keras_knows_of_it_stays() -> None:
    """Names, shapes, and the weights of one are those of the other; it may be a layer, too."""
    text = program("functional")
    one, other = run(text).model, run(rewritten(text)).model
    kinds = [[type(layer) for layer in model.layers] for model in (one, other)]
    assert kinds[0] == kinds[1]
    assert one.output_shape == other.output_shape
    assert one.count_params() == other.count_params()
    other.set_weights(one.get_weights())
    given = tf.keras.Input([8])
    outer = tf.keras.Model(given, other(given))
    x = np.ones((4, 8), "float32")
    np.testing.assert_allclose(outer(x), one(x), rtol=1e-5)
    part = tf.keras.Model(other.input, other.layers[3].output)
    assert part(x).shape == (4, 8)


MEASURE = """
import gc, json

data = tf.random.normal([2048, 64])
model = {model}
model(data[:1])
weights = model.trainable_variables


@tf.function
def step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(data, training=True)))
    return tape.gradient(loss, weights)


optimizer = tf.keras.optimizers.SGD(0.0)


def train():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(data, training=True)))
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))


step(), gc.collect()
memory = tf.config.experimental
memory.reset_memory_stats("CPU:0")
base = memory.get_memory_info("CPU:0")["current"]
kept = step()
print(json.dumps((memory.get_memory_info("CPU:0")["peak"] - base) / (2048 * 64 * 4)))
"""
DEEP = 'tf.keras.Sequential([L.Dense(64, activation="tanh") for _ in range(32)])'


@pytest.mark.slow
def test_a_part_of_the_memory_is_enough() -> None:
    text = "import tensorflow as tf\n\nL = tf.keras.layers\n" + MEASURE.format(model=DEEP)
    assert printed(rewritten(text)) <= 0.4 * printed(text)
