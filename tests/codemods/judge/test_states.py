"""State that a worker computes from its own batches: refused where the next step learns by it.

Where it stands, how it changes, who reads it: what is only shown, or the same on all, is left.
"""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

HEAD = """\
import numpy as np
import tensorflow as tf

x = np.random.RandomState(0).rand(256, 4).astype("float32")
y = x.sum(axis=1, keepdims=True)
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(16)


"""
NET = "tf.keras.Sequential([tf.keras.layers.Dense(1)])"
VARIABLE, NUMBER, METRIC = (
    "tf.Variable(1.0, trainable=False)",
    "1.0",
    "tf.keras.metrics.Mean()",
)


def loop(state: str, change: str, factor: str = " * state") -> str:
    """A loop that changes a state behind each step, and whose loss may read it."""
    changed = "".join(f"    {line}\n" for line in change.splitlines())
    return (
        f"{HEAD}model, optimizer, state = {NET}, tf.keras.optimizers.SGD(0.1), {state}\n"
        "for step, (inputs, targets) in enumerate(data):\n    with tf.GradientTape() as tape:\n"
        f"        loss = tf.reduce_mean((model(inputs) - targets) ** 2){factor}\n"
        "    variables = model.trainable_variables\n"
        "    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))\n" + changed
    )


def in_train_step(change: str, factor: str = " * self.state", state: str = VARIABLE) -> str:
    """The same in a model of its own that Keras trains."""
    changed = "".join(f"        {line}\n" for line in change.splitlines())
    return (
        f"{HEAD}class Net(tf.keras.Model):\n    def __init__(self):\n        super().__init__()\n"
        f"        self.net, self.state = {NET}, {state}\n\n"
        "    def call(self, inputs):\n        return self.net(inputs)\n\n"
        "    def train_step(self, batch):\n        inputs, targets = batch\n"
        "        with tf.GradientTape() as tape:\n"
        f"            loss = tf.reduce_mean((self(inputs) - targets) ** 2){factor}\n"
        "        variables = self.net.trainable_variables\n"
        "        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))\n"
        f'{changed}        return {{"loss": loss}}\n\n\n'
        "model = Net()\nmodel.compile(tf.keras.optimizers.SGD(0.1))\n"
        "model.fit(x, y, batch_size=16)\n"
    )


LAYER = f"""\
{HEAD}class Codes(tf.keras.layers.Layer):
    def build(self, shape):
        self.codes = self.add_weight(name="codes", shape=(shape[-1],), trainable=False)

    def call(self, inputs, training=False):
        if training:
            self.codes.assign(0.9 * self.codes + 0.1 * tf.reduce_mean(inputs, axis=0))
        return inputs - self.codes


model = tf.keras.Sequential([Codes(), tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.SGD(0.1), "mse")
model.fit(x, y, batch_size=16)
"""


def in_callback(hook: str, change: str) -> str:
    """A variable that a callback sets and a loss of the program's own reads."""
    return (
        f"{HEAD}state = {VARIABLE}\n\n\nclass Set(tf.keras.callbacks.Callback):\n"
        f"    def {hook}(self, number, logs=None):\n        {change}\n\n\nmodel = {NET}\n"
        "model.compile(tf.keras.optimizers.SGD(0.1), "
        "lambda t, p: state * tf.reduce_mean((t - p) ** 2))\n"
        "model.fit(x, y, batch_size=16, epochs=3, callbacks=[Set()])\n"
    )


EMA = "0.9 * state + 0.1 * "
TEACHER = "for a, b in zip(self.state.weights, self.net.weights):\n    a.assign(0.9 * a + 0.1 * b)"
GAME = """\
import random
from collections import deque

import gym
import numpy as np
import tensorflow as tf

env, replay = gym.make("CartPole-v1"), deque(maxlen=2000)
model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
optimizer = tf.keras.optimizers.Adam()


def step():
    seen, gained = zip(*random.sample(replay, 32))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(np.array(seen)) - np.array(gained)[:, None]) ** 2)
    variables = model.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))


for episode in range(600):
    state = env.reset()
    for _ in range(200):
        after, reward, done, _ = env.step(int(np.argmax(model(state[None])[0])))
        replay.append((state, reward))
        state = after
        if done:
            break
    step()
"""
KEPT_BESIDE = f"""\
{HEAD}model = {NET}
kept = tf.train.Checkpoint(
    best=tf.Variable(9.0), optimizer=tf.keras.optimizers.SGD(0.1), model=model
)


def step(inputs, targets):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((kept.model(inputs) - targets) ** 2)
    variables = kept.model.trainable_variables
    kept.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss


for inputs, targets in data:
    loss = step(inputs, targets)
    if loss >= kept.best:
        continue
    kept.best.assign(loss)
"""
PRIVATE = {
    "what a checkpoint keeps beside the model": KEPT_BESIDE,
    "what a game shows": GAME,
    "a variable, only shown": loop(VARIABLE, f"state.assign({EMA}loss)\nprint(float(state))", ""),
    "a number, only shown": loop(NUMBER, f"state = {EMA}float(loss)\nprint(state)", ""),
    "a metric, only shown": loop(METRIC, "state.update_state(loss)\nprint(state.result())", ""),
    "a variable that goes by itself": loop(VARIABLE, "state.assign(state * 0.999)"),
    "a number that goes by itself": loop(NUMBER, "state = state * 0.999"),
    "a variable that began by chance": loop(
        "tf.Variable(tf.random.normal([]), trainable=False)", "state.assign(state * 0.999)"
    ),
    "a number of the round, anew in each": loop(NUMBER, "scale = float(loss)", " * 2.0"),
    "a number that each round sets before it reads it": loop(
        NUMBER,
        "with tf.GradientTape() as tape:\n    loss = tf.reduce_mean(model(inputs))\n"
        "optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))",
        "",
    ),
    "a metric of a model": in_train_step("self.state.update_state(loss)", "", METRIC),
    "averages of weights": in_train_step(TEACHER, "", NET),
    "a teacher": in_train_step(TEACHER, " - tf.reduce_mean(self.state(inputs))", NET),
    "moving statistics": LAYER.replace(
        "        return inputs - self.codes",
        "            return inputs - tf.reduce_mean(inputs, axis=0)\n        return inputs - self.codes",
    ),
    "by the number of the epoch": in_callback("on_epoch_begin", "state.assign(0.9**number)"),
    "by what is averaged": in_callback("on_epoch_end", "state.assign(0.9 * logs['loss'])"),
}
LEARNT_BY = {
    "what a checkpoint keeps, read by a loss": KEPT_BESIDE.replace(
        "loss = tf.r", "loss = kept.best * tf.r"
    ),
    "what a game has given so far, by a test": GAME.replace("import gym", "import gym\n\nwon = 1.0")
    .replace("        if done:\n", "        if done:\n            won = won + reward\n")
    .replace("loss = tf", "loss = won * tf"),
    "how often a game was won": GAME.replace("import gym", "import gym\n\nwon = 1.0")
    .replace("        if done:\n", "        if done:\n            won = won * 0.9\n")
    .replace("loss = tf", "loss = won * tf"),
    "a variable": loop(VARIABLE, f"state.assign({EMA}loss)"),
    "a variable, by a test": loop(VARIABLE, "if loss < 0.1:\n    state.assign(state * 0.5)"),
    "a number": loop(NUMBER, f"state = {EMA}float(loss)"),
    "a number, by a test": loop(NUMBER, "if float(loss) < 0.1:\n    state = state * 0.5"),
    "a number that is added to": loop(NUMBER, "state += float(loss)"),
    "a metric": loop(METRIC, "state.update_state(loss)", " / (1 + state.result())"),
    "a metric that is called": loop(METRIC, "state(loss)", " / (1 + state.result())"),
    "a variable, by chance": loop(VARIABLE, "state.assign(tf.random.uniform([]))"),
    "a statistic of inputs": loop(VARIABLE, f"state.assign({EMA}tf.reduce_mean(inputs))"),
    "a model's variable": in_train_step("self.state.assign(0.9 * self.state + 0.1 * loss)"),
    "a model's, by a test": in_train_step("if loss < 0.1:\n    self.state.assign(0.5)"),
    "a layer's weights": LAYER,
    "by the loss of a batch": in_callback("on_train_batch_end", "state.assign(logs['loss'])"),
    "by a test of it": in_callback(
        "on_train_batch_end", "state.assign(0.5 if logs['loss'] < 0.1 else 1.0)"
    ),
}


@pytest.mark.parametrize("name", PRIVATE)
def test_what_may_be_ones_own_is_left(name: str) -> None:
    assert [each.code for each in migrate(PRIVATE[name]).blocked] == []


@pytest.mark.parametrize("name", LEARNT_BY)
def test_what_the_next_step_learns_by_is_refused(name: str) -> None:
    found = [each for each in migrate(LEARNT_BY[name]).blocked if each.code == "J06"]
    assert ["the training reads this" in each.message for each in found] == [True]
