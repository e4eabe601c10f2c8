"""T07: noise of each worker's own, which a callback or an optimizer adds to the weights."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

CALLBACK = """\
import numpy as np
import tensorflow as tf
{seed}

class Own(tf.keras.callbacks.Callback):
    start = tf.Variable(tf.random.normal(()))

    def {hook}(self, batch, logs=None):
        for w in self.model.trainable_weights:
            w.{change}


model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(tf.ones((64, 4)), tf.ones((64, 1)), callbacks=[Own()])
"""
OPTIMIZER = """\
import tensorflow as tf
{seed}

class Langevin(tf.keras.optimizers.Optimizer):
    def __init__(self, learning_rate=0.01, **kwargs):
        super().__init__(name="Langevin", **kwargs)
        self._learning_rate = self._build_learning_rate(learning_rate)

    def update_step(self, gradient, variable):
        noise = {noise}
        variable.assign_sub(self.learning_rate * gradient + noise)


model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(Langevin(0.01), "mse")
model.fit(tf.ones((64, 4)), tf.ones((64, 1)))
"""
ADD = "assign_add(tf.random.normal(w.shape, stddev=0.1))"


def found(text: str) -> list[tuple[str, str]]:
    """The reasons and advice of T07 on noise."""
    blocked = [each for each in migrate(text).blocked if "sets weights" in each.message]
    return [(each.message.partition("because ")[2], each.fix) for each in blocked]


def callback(change: str, hook: str = "on_train_batch_end", seed: str = "") -> list[str]:
    return [why for why, _ in found(CALLBACK.format(change=change, hook=hook, seed=seed))]


@pytest.mark.parametrize("hook", ["on_train_batch_end", "on_epoch_end", "on_epoch_begin"])
@pytest.mark.parametrize(
    ("change", "draw"),
    [
        (ADD, "tf.random.normal"),
        ("assign(w + 0.1 * np.random.randn(*w.shape))", "np.random.randn"),
        ("assign_sub(tf.random.uniform(w.shape))", "tf.random.uniform"),
        ("assign(w * self.start)", "tf.random.normal"),  # a variable that nobody broadcasts
    ],
)
def test_noise_that_a_callback_adds(change: str, draw: str, hook: str) -> None:
    (why,) = callback(change, hook)
    assert why.startswith(f"nobody seeds `{draw}`")


@pytest.mark.parametrize(
    ("change", "hook", "seed"),
    [
        (ADD, "on_train_begin", ""),  # behind it comes the broadcast
        (ADD, "on_epoch_end", "tf.random.set_seed(0)"),
        ("assign_add(tf.random.normal(w.shape, seed=1))", "on_epoch_end", ""),
        ("assign_add(tf.random.stateless_normal(w.shape, [1, 2]))", "on_epoch_end", ""),
        ("assign(w * 0.9)", "on_epoch_end", ""),
        ("assign(tf.clip_by_value(w, -1, 1))", "on_epoch_end", ""),
    ],
)
def test_what_all_workers_add_alike(change: str, hook: str, seed: str) -> None:
    assert callback(change, hook, seed) == []


def test_noise_that_an_optimizer_adds() -> None:
    drawn = OPTIMIZER.format(noise="tf.random.normal(variable.shape)", seed="")
    ((why, fix),) = found(drawn)
    assert why.startswith("nobody seeds `tf.random.normal`")
    assert fix == "seed it for all workers alike: `tf.random.set_seed(0)`"
    assert found(OPTIMIZER.format(noise="0.0", seed="")) == []
    seeded = OPTIMIZER.format(
        noise="tf.random.normal(variable.shape)", seed="tf.random.set_seed(0)"
    )
    assert found(seeded) == []


def test_a_rate_that_is_drawn_is_named_once_as_a_rate() -> None:
    text = CALLBACK.format(change=ADD, hook="on_epoch_end", seed="")
    drawn = text.replace(f"w.{ADD}", "self.model.optimizer.learning_rate.assign(np.random.rand())")
    (refused,) = [each for each in migrate(drawn).blocked if each.code == "T07"]
    assert refused.message.startswith("this is a number of the optimizer while")


NOISY = """\
import numpy as np
import tensorflow as tf

data = tf.data.Dataset.from_tensor_slices((np.load("x.npy"), np.load("y.npy"))).batch(16)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)
for x, y in data:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean({loss})
    weights = model.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
"""


@pytest.mark.parametrize(
    "loss",
    [
        "tf.keras.losses.MSE(y, model(x + tf.random.normal(tf.shape(x))))",
        "tf.keras.losses.KLD(y + tf.random.uniform(tf.shape(y)), model(x))",
        "tf.keras.losses.mean_squared_error(y, model(x + tf.random.normal(tf.shape(x))))",
        "tf.keras.losses.Huber()(y, model(x + tf.random.normal(tf.shape(x))))",
    ],
)
def test_noise_on_examples_is_wanted(loss: str) -> None:
    assert migrate(NOISY.format(loss=loss)).blocked == ()


def test_a_number_of_a_loss_by_chance_is_no_noise() -> None:
    loss = "tf.keras.losses.Huber(np.random.rand())(y, model(x))"
    assert "T07" in {each.code for each in migrate(NOISY.format(loss=loss)).blocked}
