"""Trains a small network on images, with steps of 20 to 50 ms; prints how long a step took."""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable
from typing import Any

np: Any = importlib.import_module("numpy")  # the environment of the development tools has neither
tf: Any = importlib.import_module("tensorflow")

BATCH, WARM, STEPS = 64, 2, 150
K = tf.keras
v1 = tf.compat.v1
images = np.random.default_rng(0).random((BATCH * (WARM + STEPS), 28, 28, 1), np.float32)
labels = np.arange(len(images)) % 10


def network() -> Any:
    """Two convolutions, 300 thousand weights."""
    return K.Sequential(
        [
            K.layers.Conv2D(8, 3, activation="relu", input_shape=(28, 28, 1)),
            K.layers.Conv2D(16, 3, activation="relu"),
            K.layers.MaxPooling2D(),
            K.layers.Flatten(),
            K.layers.Dense(128, activation="relu"),
            K.layers.Dense(10),
        ]
    )


def timed(step: Callable[[int], object]) -> float:
    """Seconds a step, once everything is traced."""
    for number in range(WARM):
        step(number)
    start = time.perf_counter()
    for number in range(WARM, WARM + STEPS):
        step(number)
    return (time.perf_counter() - start) / STEPS


def batch(number: int) -> tuple[Any, Any]:
    """The images and labels of one step."""
    part = slice(number * BATCH, (number + 1) * BATCH)
    return images[part], labels[part]


def fit() -> float:
    """Keras: `fit` on arrays."""
    loss = K.losses.SparseCategoricalCrossentropy(from_logits=True)
    model = network()
    model.compile(K.optimizers.Adam(1e-3), loss)
    model.fit(images[: WARM * BATCH], labels[: WARM * BATCH], BATCH, verbose=0)
    start = time.perf_counter()
    model.fit(images[WARM * BATCH :], labels[WARM * BATCH :], BATCH, verbose=0, shuffle=False)
    return (time.perf_counter() - start) / STEPS


def tape() -> float:
    """A loop of one's own around a compiled step."""
    loss_of = K.losses.SparseCategoricalCrossentropy(from_logits=True)
    model, optimizer = network(), K.optimizers.SGD(1e-2, momentum=0.9)

    def eager(x: Any, y: Any) -> Any:
        with tf.GradientTape() as tape:
            loss = loss_of(y, model(x, training=True))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss

    step = tf.function(eager)
    return timed(lambda number: step(*batch(number)))


def session() -> float:
    """A graph of TF 1, with a feed dict."""
    with tf.Graph().as_default():
        x = v1.placeholder(tf.float32, [None, 28, 28, 1])
        y = v1.placeholder(tf.int64, [None])
        hidden = x
        for filters in (8, 16):
            shape = [3, 3, int(hidden.shape[-1]), filters]
            hidden = tf.nn.relu(
                tf.nn.conv2d(hidden, v1.get_variable(f"w{filters}", shape), 1, "VALID")
            )
        flat = tf.reshape(tf.nn.max_pool2d(hidden, 2, 2, "VALID"), [-1, 12 * 12 * 16])
        dense = tf.nn.relu(flat @ v1.get_variable("dense", [12 * 12 * 16, 128]))
        logits = dense @ v1.get_variable("logits", [128, 10])
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits))
        train = v1.train.AdamOptimizer(1e-3).minimize(loss)
        with v1.Session() as session:
            session.run(v1.global_variables_initializer())

            def step(number: int) -> Any:
                given = dict(zip((x, y), batch(number)))
                return session.run([train, loss], feed_dict=given)

            return timed(step)


print("SECONDS", {"fit": fit, "tape": tape, "session": session}[sys.argv[1]]())
