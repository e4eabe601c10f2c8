"""What counts the steps, wherever it stands: in functions, hooks, callbacks, rows of numbers."""

from __future__ import annotations

import re

import pytest

from distify.codemods.migrate import migrate

HEAD = """\
import itertools
import numpy as np
import tensorflow as tf

x, y = np.load("x.npy"), np.load("y.npy")
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.1)
"""
STEP = """\

@tf.function
def train_step(a, b, weight=1.0):
    with tf.GradientTape() as tape:
        loss = weight * tf.reduce_mean(tf.square(model(a) - b))
    gradients = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(gradients, model.trainable_variables))


"""
LOOP = """\
{before}
step = 0
for epoch in range(4):
    for a, b in data:
        train_step(a, b)
        step += 1
        {each}
"""
FIT = """\
{before}
model.compile(opt, "mse")
model.fit(x, y, batch_size=32, epochs=4, callbacks=[{callback}])
"""
CALLBACK = """\
class Slower(tf.keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self.seen, self.rates = 0, np.linspace(0.1, 0.01, 9000)

{methods}
"""


def loop(each: str, before: str = "") -> str:
    return HEAD + STEP + LOOP.format(before=before, each=each)


def callback(methods: str) -> str:
    body = "\n".join(f"    {line}" for line in methods.splitlines())
    return HEAD + FIT.format(before=CALLBACK.format(methods=body), callback="Slower()")


NESTED = """\
def train():
    n = 0

    def tick():
        nonlocal n
        n += 1
        if n == 3000:
            opt.learning_rate = 0.01

    for epoch in range(4):
        for a, b in data:
            train_step(a, b)
            tick()


train()
"""
FUNCTION = """\
seen = [0]


def tick(batch, logs):
    seen[0] += 1
    if seen[0] > 3000:
        model.optimizer.learning_rate = 0.01

"""
LAYER = """\
class Slow(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.n = tf.Variable(0.0, trainable=False)

    def call(self, inputs):
        self.n.assign_add(1.0)
        return inputs * tf.minimum(1.0, self.n / 1000.0)


model = tf.keras.Sequential([Slow(), tf.keras.layers.Dense(1)])
"""
OF_ALL = "step * hvd.size()"
FOUND = {
    "a function that closes over it": (HEAD + STEP + NESTED, "n == 3000 // hvd.size()"),
    "an endless count": (
        loop("opt.learning_rate = 0.01 if next(c) == 3000 else 0.1", "c = itertools.count()"),
        "next(c) == 3000 // hvd.size()",
    ),
    "beside the data": (
        HEAD + STEP + "for i, (a, b) in zip(itertools.count(1), data):\n    train_step(a, b)\n"
        "    if i == 3000:\n        opt.learning_rate = 0.01\n",
        "i == 3000 // hvd.size()",
    ),
    "examples": (
        loop(
            "seen += a.shape[0]\n        if seen > 90000:\n            opt.learning_rate = 0.01",
            "seen = 0",
        ),
        "seen > 90000 // hvd.size()",
    ),
    "a method that a hook calls": (
        callback(
            "def tick(self):\n    self.seen += 1\n"
            "    self.model.optimizer.learning_rate = 0.1 / (1 + self.seen / 1000)\n\n"
            "def on_train_batch_begin(self, batch, logs=None):\n    self.tick()"
        ),
        "self.seen * hvd.size() / 1000",
    ),
    "a function of a callback": (
        HEAD
        + FIT.format(
            before=FUNCTION, callback="tf.keras.callbacks.LambdaCallback(on_train_batch_end=tick)"
        ),
        "seen[0] > 3000 // hvd.size()",
    ),
    "the optimizer's, in a callback": (
        callback(
            "def on_train_batch_begin(self, batch, logs=None):\n"
            "    n = int(self.model.optimizer.iterations)\n"
            "    self.model.optimizer.learning_rate = 0.1 * min(1.0, n / 500)"
        ),
        "n * hvd.size() / 500",
    ),
    "a layer": (HEAD + FIT.format(before=LAYER, callback=""), "self.n * hvd.size() / 1000.0"),
    "a row of rates": (
        callback(
            "def on_train_batch_begin(self, batch, logs=None):\n"
            "    self.model.optimizer.learning_rate = self.rates[self.seen]\n    self.seen += 1"
        ),
        "self.rates[self.seen * hvd.size()]",
    ),
    "between points": (
        loop("opt.learning_rate = float(np.interp(step, [0, 500], [0.0, 0.1]))"),
        f"np.interp({OF_ALL}, ",
    ),
    "a search": (
        loop(
            "opt.learning_rate = [0.1, 0.05, 0.01][np.searchsorted(bounds, step)]",
            "bounds = np.array([3000, 6000])",
        ),
        f"np.searchsorted(bounds, {OF_ALL})",
    ),
    "a weight of the loss": (
        loop("train_step(a, b, tf.constant(np.interp(step, [0, 500], [0.0, 1.0])))"),
        f"np.interp({OF_ALL}, ",
    ),
    "again and again": (
        loop("opt.learning_rate = 0.1 * (1 - step % 2000 / 2000)"),
        f"{OF_ALL} % 2000 / 2000",
    ),
    "how often": (
        loop(
            "k, r = divmod(step, 3000)\n        if r == 0:\n            opt.learning_rate = 0.1 * 0.5**k"
        ),
        "divmod(step, 3000 // hvd.size())",
    ),
    "a function of the rate": (
        loop(
            "rate = rate_at(step)\n        opt.learning_rate = rate",
            "def rate_at(step):\n    if step < 500:\n        return 0.1 * step / 500\n    return 0.1\n",
        ),
        "return 0.1 * (step * hvd.size()) / 500",
    ),
    "a function of tensors": (
        loop("if tf.equal(opt.iterations % 5000, 0):\n            model.save_weights('w.h5')"),
        "opt.iterations % (5000 // hvd.size())",
    ),
    "under a name": (
        loop(
            "is_due = step % 5000 == 0\n        if is_due:\n            model.save_weights('w.h5')"
        ),
        "step % (5000 // hvd.size())",
    ),
}


@pytest.mark.parametrize("name", FOUND)
def test_it_is_set_right(name: str) -> None:
    text, expected = FOUND[name]
    made = migrate(text)
    assert not made.blocked, made.blocked
    after = re.sub(r"(?<=[(\[]) | (?=[)\]])", "", " ".join(made.after.split()))
    assert expected in after, made.after


def test_what_keras_says_of_an_epoch_is_a_share_already() -> None:
    made = migrate(
        callback(
            "def on_train_batch_begin(self, batch, logs=None):\n"
            "    if self.seen < self.params['steps']:\n"
            "        self.model.optimizer.learning_rate = 0.1 * self.seen / self.params['steps']\n"
            "    self.seen += 1"
        )
    )
    assert not made.blocked, made.blocked
    assert "self.seen < self.params['steps']:" in made.after
    assert "0.1 * self.seen / self.params['steps'] * hvd.size()" in made.after


def test_a_name_of_a_function_that_each_step_calls_counts_no_steps() -> None:
    body = "    n = 1\n    n += 1\n    if n == 3000:\n        opt.learning_rate = 0.01\n"
    made = migrate(loop("tick()", f"def tick():\n{body}"))
    assert "n == 3000:" in made.after


MEANS = """\
class Own(tf.keras.optimizers.legacy.Optimizer):
    def __init__(self, lr=0.1, name="Own", **options):
        super().__init__(name, **options)
        self._set_hyper("learning_rate", lr)

    def _resource_apply_dense(self, grad, var, apply_state=None):
        rate = self._get_hyper("learning_rate", tf.float32)
        t = tf.cast(self.iterations + 1, tf.float32)
        var.assign_sub(rate * grad / (1 - tf.pow(0.9, t)))

    def get_config(self):
        return {**super().get_config(), "lr": self._serialize_hyperparameter("learning_rate")}


opt = Own(0.1)
"""


def test_an_optimizer_counts_the_gradients_of_its_means() -> None:
    made = migrate(HEAD + FIT.format(before=MEANS, callback=""))
    assert "tf.pow(0.9, t)" in made.after
    assert "Own(0.1 * hvd.size())" in made.after
