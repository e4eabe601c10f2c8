"""A file that trains with `fit` and with a tape is migrated where no optimizer serves both."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

HEAD = """import tensorflow as tf

x = tf.random.normal((64, 4), seed=1)
y = tf.reduce_sum(x, axis=1, keepdims=True)
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(8)
"""
FIT = """first = tf.keras.Sequential([tf.keras.layers.Dense(1)])
first.compile(tf.keras.optimizers.SGD(0.01), "mse")
first.fit(x, y, epochs=2)
"""
MODEL = """second = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.01)
"""
STEP = """

@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((second(x) - y) ** 2)
    gradients = tape.gradient(loss, second.trainable_variables)
    optimizer.apply_gradients(zip(gradients, second.trainable_variables))
    return loss


"""
LOOP = """for epoch in range(2):
    for a, b in dataset:
        loss = step(a, b)
    print(epoch, float(loss))
"""
TRAIN = """

def train(model, optimizer, data):
    for a, b in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(a) - b) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
"""
ALL = HEAD + FIT + MODEL + STEP + LOOP


def r(text: str, one: str, other: str) -> str:
    assert one in text
    return text.replace(one, other)


APART: dict[str, str] = {
    "callback trains": r(ALL, "first.fit(x, y, epochs=2)", "").replace(
        "for epoch in range(2):\n",
        "class C(tf.keras.callbacks.Callback):\n    def on_epoch_end(self, epoch, logs=None):\n        for a, b in dataset:\n            step(a, b)\n\n\nfirst.fit(x, y, epochs=2, callbacks=[C()])\nfor epoch in range(2):\n",
    ),
    "watched": ALL.replace("second.trainable_variables", "tape.watched_variables()"),
    "plain": ALL,
    "functions": HEAD
    + "def train_first():\n    "
    + FIT.replace("\n", "\n    ")
    + "\n\ntrain_first()\n"
    + MODEL
    + STEP
    + LOOP,
    "variables": r(
        r(
            ALL,
            "second = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n",
            "w = tf.Variable(tf.ones((4, 1)))\n",
        ).replace("second.trainable_variables", "[w]"),
        "second(x)",
        "tf.matmul(x, w)",
    ),
    "weights": r(
        ALL,
        "optimizer = tf",
        "second.build((None, 4))\nsecond.set_weights(first.get_weights())\noptimizer = tf",
    ),
    "params": HEAD + FIT + MODEL + TRAIN + "\n\ntrain(second, optimizer, dataset)\n",
}
ONE_MODEL: dict[str, str] = {
    "one model": ALL.replace("second", "first").replace(
        "first = tf.keras.Sequential([tf.keras.layers.Dense(1)])\noptimizer", "optimizer"
    ),
    "alias": r(ALL, "second = tf.keras.Sequential([tf.keras.layers.Dense(1)])", "second = first"),
    "one optimizer": r(
        r(
            ALL,
            'first.compile(tf.keras.optimizers.SGD(0.01), "mse")',
            'optimizer = tf.keras.optimizers.SGD(0.01)\nfirst.compile(optimizer, "mse")',
        ),
        MODEL,
        MODEL.split("\n")[0] + "\n",
    ),
    "model.optimizer": ALL.replace("    optimizer.apply", "    first.optimizer.apply"),
    "shared layer": r(
        r(
            ALL,
            "first = tf.keras.Sequential([tf.keras.layers.Dense(1)])",
            "d = tf.keras.layers.Dense(1)\nfirst = tf.keras.Sequential([d])",
        ),
        "second = tf.keras.Sequential([tf.keras.layers.Dense(1)])",
        "second = tf.keras.Sequential([d])",
    ),
    "added layer": r(
        r(
            ALL,
            "first = tf.keras.Sequential([tf.keras.layers.Dense(1)])",
            "d = tf.keras.layers.Dense(1)\nfirst = tf.keras.Sequential([])\nfirst.add(d)",
        ),
        "second = tf.keras.Sequential([tf.keras.layers.Dense(1)])",
        "second = tf.keras.Sequential([])\nsecond.add(d)",
    ),
    "teacher": r(ALL, "second(x) - y", "second(x) - first(x)"),
    "variables of first": ALL.replace("second.trainable_variables", "first.trainable_variables"),
    "all variables": ALL.replace(
        "second.trainable_variables", "second.trainable_variables + first.trainable_variables"
    ),
    "stacked": r(
        ALL,
        "second = tf.keras.Sequential([tf.keras.layers.Dense(1)])",
        "second = tf.keras.Sequential([first, tf.keras.layers.Dense(1)])",
    ),
    "class holds": r(
        ALL,
        "second = tf.keras.Sequential([tf.keras.layers.Dense(1)])",
        "class M(tf.keras.Model):\n    def __init__(self):\n        super().__init__()\n        self.inner = first\n\n    def call(self, x):\n        return self.inner(x)\n\n\nsecond = M()",
    ),
    "class calls": r(
        ALL,
        "second = tf.keras.Sequential([tf.keras.layers.Dense(1)])",
        "class M(tf.keras.Model):\n    def __init__(self):\n        super().__init__()\n        self.inner = tf.keras.layers.Dense(1)\n\n    def call(self, x):\n        return self.inner(first(x))\n\n\nsecond = M()",
    ),
    "set attr": r(ALL, "optimizer = tf", "second.inner = first\noptimizer = tf"),
    "functional": r(
        ALL,
        "second = tf.keras.Sequential([tf.keras.layers.Dense(1)])",
        "i = tf.keras.Input((4,))\nsecond = tf.keras.Model(i, first(i))",
    ),
    "layers list": r(
        ALL,
        "second = tf.keras.Sequential([tf.keras.layers.Dense(1)])",
        "second = tf.keras.Sequential(first.layers)",
    ),
    "get_layer": ALL.replace(
        "second.trainable_variables", "first.get_layer(index=0).trainable_variables"
    ),
    "dict": r(
        ALL, "second = tf.keras.Sequential([tf.keras.layers.Dense(1)])", "second = {1: first}[1]"
    ),
    "global function": r(ALL, "second(x) - y", "f(x) - y").replace(
        "@tf.function", "def f(x):\n    return second(first(x))\n\n\n@tf.function"
    ),
    "unknown": r(
        ALL,
        "second = tf.keras.Sequential([tf.keras.layers.Dense(1)])",
        "import other\nsecond = other.make(first)",
    ),
    "nobody calls": HEAD + FIT + MODEL + TRAIN,
}

REFUSED = {
    "one optimizer": "T02",
    "model.optimizer": "T02",
    "nobody calls": "T02",
}


MIGRATED = [*APART.values(), *(text for name, text in ONE_MODEL.items() if name not in REFUSED)]


@pytest.mark.parametrize("text", MIGRATED)
def test_both_are_migrated(text: str) -> None:
    found = migrate(text)
    assert not found.blocked
    codes = [step.code for step in found.steps]
    assert {"D201", "D202", "D301", "D302"} <= set(codes)
    assert found.after.count("DistributedOptimizer(") == 1
    assert found.after.count("DistributedGradientTape(") == 1


@pytest.mark.parametrize(("case", "code"), REFUSED.items())
def test_what_one_optimizer_trains_for_both_is_refused(case: str, code: str) -> None:
    assert code in [finding.code for finding in migrate(ONE_MODEL[case]).blocked]


def test_what_keeps_workers_apart_in_the_loop_is_still_refused() -> None:
    text = ALL.replace(
        "        loss = step", "        if float(loss) < 1:\n            break\n        loss = step"
    )
    text = text.replace("for epoch", "loss = 2.0\nfor epoch")
    assert [finding.code for finding in migrate(text).blocked] == ["T07"]
    nested = ALL.replace("    optimizer.apply", "    epoch and optimizer.apply")
    assert [finding.code for finding in migrate(nested).blocked] == ["R08"]


def test_a_placeholder_is_no_other_optimizer() -> None:
    text = """\
import numpy as np
import tensorflow as tf


class Agent:
    def __init__(self):
        self.net = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        self.optimizer = None

    def first(self, x, y):
        self.net.compile(tf.keras.optimizers.Adam(1e-3), "mse")
        self.net.fit(x, y)

    def then(self, data):
        self.optimizer = tf.keras.optimizers.SGD(1e-3)
        for a, b in data:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((self.net(a) - b) ** 2)
            gradients = tape.gradient(loss, self.net.trainable_variables)
            self.optimizer.apply_gradients(zip(gradients, self.net.trainable_variables))


x, y = np.ones((64, 4)), np.ones((64, 1))
agent = Agent()
agent.first(x, y)
agent.then(tf.data.Dataset.from_tensor_slices((x, y)).batch(8, drop_remainder=True))
"""
    assert not migrate(text).blocked
    by_model = text.replace("SGD(1e-3)", "SGD(1e-3) if len(x) else self.net.optimizer")
    assert {each.code for each in migrate(by_model).blocked} == {"T02"}
