"""Trains a small network on images, with steps of 20 to 50 ms; prints how long a step took.

Started with another of its kind (`PARTNER=READ,WRITE,LEADS`: ends of two pipes, and who begins),
the two take turns every few steps, so that neither is measured while the other one runs.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import time
from collections.abc import Callable
from typing import Any

np: Any = importlib.import_module("numpy")  # the environment of the development tools has neither
tf: Any = importlib.import_module("tensorflow")

BATCH, WARM, STEPS, TURN = 64, 2, 150, 5  # TURN: steps until the partner's turn
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


class Stopwatch:
    """Counts the time of its own turns only."""

    def __init__(self) -> None:
        read, write, leads = map(int, os.environ.get("PARTNER", "-1,-1,1").split(","))
        self.partner, self.leads = (read, write), bool(leads)
        self.seconds = self.began = 0.0

    def start(self) -> None:
        """Once both are ready, for the one that leads; its first turn's end, for the other."""
        self.tell()
        self.wait()
        if not self.leads:
            self.wait()
        self.began = time.perf_counter()

    def step(self, number: int) -> None:
        """Behind each step, counted from 1."""
        if number % TURN == 0:
            self.seconds += time.perf_counter() - self.began
            self.tell()
            if number < STEPS:
                self.wait()
            self.began = time.perf_counter()

    def tell(self) -> None:
        """It is the partner's turn; it may be gone."""
        if self.partner[1] >= 0:
            with contextlib.suppress(BrokenPipeError):
                os.write(self.partner[1], b"!")

    def wait(self) -> None:
        """Until the partner's turn ends, or the partner."""
        if self.partner[0] >= 0:
            os.read(self.partner[0], 1)


def timed(step: Callable[[int], object]) -> float:
    """Seconds a step, once everything is traced."""
    for number in range(WARM):
        step(number)
    watch = Stopwatch()
    watch.start()
    for number in range(STEPS):
        step(WARM + number)
        watch.step(number + 1)
    return watch.seconds / STEPS


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
    watch = Stopwatch()
    told = K.callbacks.LambdaCallback(
        on_train_begin=lambda logs: watch.start(),
        on_train_batch_end=lambda index, logs: watch.step(index + 1),
    )
    rest = slice(WARM * BATCH, None)
    model.fit(images[rest], labels[rest], BATCH, verbose=0, shuffle=False, callbacks=[told])
    return watch.seconds / STEPS


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
