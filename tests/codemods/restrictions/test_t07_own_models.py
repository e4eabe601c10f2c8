"""T07: models that each worker builds in its own way, and rates and stops of its own."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

HEAD = """\
import random
import time
import numpy as np
import tensorflow as tf
from other import load

x, y = np.ones((8, 4)), np.ones((8, 1))
"""
FIT = """\
model.compile("sgd", "mse")
model.fit(x, y)
"""
BEGIN = "model = tf.keras.Sequential()\n"
SEED = "seed it for all workers alike: `random.seed(0)`"


def found(text: str) -> list[tuple[int, str, str]]:
    """Lines, counted behind the head, messages and fixes of T07."""
    blocked = [each for each in migrate(HEAD + text).blocked if each.code == "T07"]
    return [(each.line - HEAD.count("\n"), each.message, each.fix) for each in blocked]


BUILT = [
    BEGIN + "for _ in range({}):\n    model.add(tf.keras.layers.Dense(4))\n",
    BEGIN + "if {} > 1:\n    model.add(load(4))\n",
    "hidden = [tf.keras.layers.Dense(4) for _ in range({})]\n"
    "model = tf.keras.Sequential([*hidden, tf.keras.layers.Dense(1)])\n",
    "def build(n):\n    h = i = tf.keras.Input((4,))\n    for _ in range(n):\n"
    "        h = tf.keras.layers.Dense(4)(h)\n    return tf.keras.Model(i, h)\nmodel = build({})\n",
    "p = {{'deep': {}}}\n" + BEGIN + "model.add(tf.keras.layers.Dense(4))\n"
    "if p['deep'] > 1:\n    model.add(tf.keras.layers.Dense(4))\n",
    BEGIN + "units = 4\nif {} > 1:\n    units = 8\nmodel.add(tf.keras.layers.Dense(units))\n",
    BEGIN + "model.add(tf.keras.layers.Dense(4 if {} > 1 else 8))\n",
    BEGIN + "layer = tf.keras.layers.Dense(4)\nmodel.add(layer)\nlayer.trainable = {} > 1\n",
    BEGIN + "layer = tf.keras.layers.Dense(4)\nmodel.add(layer)\n"
    "if {} > 1:\n    layer.trainable = False\n",
]


@pytest.mark.parametrize("text", BUILT)
def test_a_model_that_each_worker_builds_in_its_own_way(text: str) -> None:
    ((_, message, fix),) = found(text.format("random.randint(1, 3)") + FIT)
    assert "would not train" in message
    assert "because nobody seeds `random.randint`" in message
    assert fix == SEED


@pytest.mark.parametrize("text", BUILT)
@pytest.mark.parametrize("value", ["load(3)", "x.shape[1]"])
def test_a_model_that_all_workers_build_alike(text: str, value: str) -> None:
    assert found(text.format(value) + FIT) == []


@pytest.mark.parametrize("text", BUILT)
def test_a_seed_makes_them_alike(text: str) -> None:
    assert found("random.seed(0)\n" + text.format("random.randint(1, 3)") + FIT) == []


def test_a_clock_that_decides_is_named() -> None:
    text = BEGIN + "if time.time() % 2 > 1:\n    model.add(tf.keras.layers.Dense(4))\n" + FIT
    ((line, message, fix),) = found(text)
    assert line == 2
    assert "which layers there are" in message
    assert "`time.time()` is each worker's own" in message
    assert fix.startswith("decide by something that all workers share")


@pytest.mark.parametrize(
    "text",
    [
        # What augments the data by chance decides on no layer.
        "xs = []\nfor i in x:\n    if random.random() < 0.5:\n        i = i[::-1]\n    xs.append(i)\n"
        "xs = np.array(xs)\nmodel = tf.keras.Sequential([tf.keras.layers.Dense(xs.shape[1])])\n",
        # A name beside it says when the run began.
        "p = {'units': 8, 'run': time.time()}\nunits = p['units'] if p['units'] > 3 else 4\n"
        "model = tf.keras.Sequential([tf.keras.layers.Dense(units)])\n",
        "p = {'deep': load(), 'run': time.time()}\n" + BEGIN + "for _ in range(p['deep']):\n"
        "    model.add(tf.keras.layers.Dense(4))\n",
        "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        "if random.random() < 0.5:\n    print(model)\n",
    ],
)
def test_chance_that_decides_on_other_things(text: str) -> None:
    assert found(text + FIT) == []


MODEL = 'model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\nmodel.compile("sgd", "mse")\n'


@pytest.mark.parametrize(
    "callback",
    [
        "tf.keras.callbacks.EarlyStopping(patience={})",
        "tf.keras.callbacks.ReduceLROnPlateau(factor={})",
    ],
)
def test_callbacks_that_steer_by_a_draw(callback: str) -> None:
    text = f"{MODEL}model.fit(x, y, callbacks=[{callback}])\n"
    ((_, message, fix),) = found(text.format("random.randint(1, 3)"))
    assert "each worker draws its own" in message
    assert fix == SEED
    assert found(text.format("load(3)")) == []


SCHEDULED = MODEL + "model.fit(x, y, callbacks=[tf.keras.callbacks.LearningRateScheduler(f)])\n"


@pytest.mark.parametrize(
    "function",
    [
        "def f(epoch):\n    return 0.1 * {}\n",
        "def f(epoch, lr):\n    if {} > 0.5:\n        return lr * 0.5\n    return lr\n",
        "f = lambda epoch: 0.1 * {}\n",
    ],
)
def test_schedules_by_a_draw(function: str) -> None:
    ((_, message, _),) = found(function.format("random.random()") + SCHEDULED)
    assert "gives a learning rate" in message
    assert "nobody seeds `random.random`" in message
    assert found(function.format("epoch") + SCHEDULED) == []
    assert found("random.seed(1)\n" + function.format("random.random()") + SCHEDULED) == []


STOPS = [
    "class Own(tf.keras.callbacks.Callback):\n    def on_epoch_end(self, n, logs=None):\n"
    "        self.model.stop_training = {} > 3\ncall = Own()\n",
    "class Own(tf.keras.callbacks.Callback):\n    def on_epoch_end(self, n, logs=None):\n"
    "        if {} > 3:\n            setattr(self.model, 'stop_training', True)\ncall = Own()\n",
    "def stop(n, logs):\n    if {} > 3:\n        model.stop_training = True\n"
    "call = tf.keras.callbacks.LambdaCallback(on_epoch_end=stop)\n",
    "call = tf.keras.callbacks.LambdaCallback(\n"
    "    on_epoch_end=lambda n, logs: setattr(model, 'stop_training', {} > 3)\n)\n",
]


@pytest.mark.parametrize("stop", STOPS)
def test_stops_by_a_clock_in_every_spelling(stop: str) -> None:
    text = MODEL + stop + "model.fit(x, y, callbacks=[call])\n"
    ((_, message, fix),) = found(text.format("time.time()"))
    assert message.startswith("this ends the training, and `time.time()` is each worker's own")
    assert "broadcast_object(time.time() > 3, root_rank=0)" in fix
    assert found(text.format("n")) == []
    assert found(text.format("load(n)")) == []


def test_a_rate_set_between_two_fits_by_a_clock() -> None:
    again = "    model.optimizer.learning_rate = 0.001\nmodel.fit(x, y)\n"
    text = MODEL + "model.fit(x, y)\nif {} > 3:\n" + again
    ((line, message, _),) = found(text.format("time.time()"))
    assert line == 4
    assert "a number of the optimizer, and `time.time()` is each worker's own" in message
    assert found(text.format("load(3)")) == []


TAPE = """\
model = tf.keras.Sequential([tf.keras.layers.Dense(4), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)
for n in range(9):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
"""
THAWS = "if time.time() > 3:\n    {0}model.layers[0].trainable = True\n"


def test_a_layer_that_a_loop_thaws_by_a_clock_is_named_once() -> None:
    ((_, message, _),) = found(TAPE + "    " + THAWS.format("    "))
    assert "which layers are trained from here on" in message


def test_behind_the_training_nobody_waits_for_a_layer() -> None:
    assert found(TAPE + THAWS.format("")) == []
    ((_, message, _),) = found(TAPE.replace("optimizer =", THAWS.format("") + "optimizer =", 1))
    assert "which of them are trained" in message
