"""N02: steps of Keras 3 that nobody would average, each with its place and what to do."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import NO_TRAINING, Options

HEAD = """\
import numpy as np
import tensorflow as tf
import keras

x, y = np.ones((8, 4)), np.ones((8, 1))
model = keras.Sequential([keras.layers.Dense(1)])
opt = keras.optimizers.SGD(0.1)
"""
FIT = 'model.compile("sgd", "mse")\nmodel.fit(x, y)\n'
OWN = """\
class Net(keras.Model):
    def compile(self, opt):
        super().compile()
        self.opt = opt

    def train_step(self, data):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self(data[0]))
        g = tape.gradient(loss, self.trainable_variables)
        self.opt.apply_gradients(zip(g, self.trainable_variables))
        return {}


net = Net()
"""


def found(text: str, version: int = 20) -> list[tuple[int, str]]:
    """Lines, counted behind the head, and words of what is refused."""
    seen = migrate(HEAD + text, Options(tensorflow=(2, version))).blocked
    return [(f.line - HEAD.count("\n"), f.message) for f in seen if f.code == "N02"]


@pytest.mark.parametrize(
    ("text", "lines", "words"),
    [
        (
            "opt.minimize(lambda: 1, model.trainable_variables)\n",
            [1],
            "`minimize` of this optimizer",
        ),
        ("opt.minimize(a, b)\nopt.minimize(a, b)\n", [1, 2], "which variables"),
        (
            "m = model.stateless_call(a)\nopt.stateless_apply(m)\nmodel.stateless_compute_loss(m)\n",
            [1, 2, 3],
            "a step without state",
        ),
        ("o = tf.compat.v1.train.AdamOptimizer(0.1)\n", [1], "an optimizer of TensorFlow 1"),
        ("c = keras.callbacks.OrbaxCheckpoint('a')\n", [1], "these checkpoints"),
        ("print(model.compile('sgd'))\n", [1], "behind this `compile`"),
        ("nets = [model]\nnets[0].compile('sgd')\nmodel.compile('sgd')\n", [2], "behind this"),
        (f"{OWN}o = keras.optimizers.SGD(use_ema=True)\nnet.compile(o)\n", [15], "moving averages"),
    ],
)
def test_what_is_refused_of_keras_3(text: str, lines: list[int], words: str) -> None:
    seen = found(text + FIT)
    assert [line for line, _ in seen] == lines
    assert all(words in message for _, message in seen)
    assert "of Keras 3, and TensorFlow 2.15" in str(found(text + FIT, 15)) or not found(
        text + FIT, 15
    )


@pytest.mark.parametrize(
    "text",
    [
        "book.apply(3)\nbook.minimize(3)\n",
        "o = tf.train.Checkpoint()\n",
        "c = keras.callbacks.ModelCheckpoint('a')\n",
        "model.compile('sgd')\n",
        "o = keras.optimizers.SGD(use_ema=True)\n",
        f"{OWN}o = keras.optimizers.SGD(nesterov=True)\nnet.compile(o)\n",
    ],
)
def test_what_is_not(text: str) -> None:
    assert found(text + FIT) == []


@pytest.mark.parametrize(
    "step",
    ["opt.stateless_apply(model, [], [])\n", "def step(a):\n    return opt.stateless_apply(a)\n"],
)
def test_a_program_of_nothing_but_steps_without_state_is_refused(step: str) -> None:
    assert found(step) == [
        (
            step.count("\n"),
            "a step without state hands its variables on, and nobody could broadcast them",
        )
    ]
    assert migrate(HEAD + step, Options(tensorflow=(2, 15))).skipped == NO_TRAINING
