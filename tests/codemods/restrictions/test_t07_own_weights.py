"""Callbacks that put back weights of before the broadcast."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

HEAD = """\
import numpy as np
import tensorflow as tf

x, y = np.ones((64, 4)), np.ones(64)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
model.compile("sgd", loss="mse")
kept = model.get_weights()


class Back({base}):
    def __init__(self):
        self.best = None

    def {hook}(self, n, logs=None):
        self.best = self.model.get_weights()

    def on_train_end(self, logs=None):
        self.model.set_weights({given})


model.fit(x, y, callbacks=[Back()])
"""
CALLBACK = "tf.keras.callbacks.Callback"
EARLY = [
    ("on_epoch_end", "kept"),
    ("on_epoch_begin", "self.best"),
    ("on_train_batch_begin", "self.best"),
    ("on_epoch_end", "[0.5 * w for w in kept]"),
    ("on_epoch_end", "self.best if self.best else kept"),
]
LATER = [
    ("on_epoch_end", "self.best"),
    ("on_train_batch_end", "self.best"),
    ("on_epoch_end", "[0.5 * w for w in self.best]"),
    ("on_epoch_end", "self.model.get_weights()"),
    ("on_test_begin", "self.best"),
]


def blocked(hook: str, given: str, base: str = CALLBACK) -> list[str]:
    """What is said of weights."""
    found = migrate(HEAD.format(hook=hook, given=given, base=base)).blocked
    return [each.code for each in found if "sets weights" in each.message]


@pytest.mark.parametrize(("hook", "given"), EARLY)
def test_weights_of_before_the_broadcast_are_refused(hook: str, given: str) -> None:
    assert blocked(hook, given) == ["T07"]


@pytest.mark.parametrize(("hook", "given"), LATER)
def test_weights_of_behind_it_are_not(hook: str, given: str) -> None:
    assert blocked(hook, given) == []


def test_what_is_no_callback_is_another_rules() -> None:
    assert blocked("on_epoch_end", "kept", "object") == []


def test_early_stopping_of_keras_restores_what_it_read_behind_an_epoch() -> None:
    text = HEAD.partition("kept")[0]
    text += "stop = tf.keras.callbacks.EarlyStopping('loss', restore_best_weights=True)\n"
    assert not migrate(text + "model.fit(x, y, callbacks=[stop])\n").blocked


@pytest.mark.parametrize(
    ("seed", "expected"),
    [
        ("tf.keras.utils.set_random_seed(0)", []),
        ("tf.random.set_seed(0)", ["T07"]),  # Keras draws seeds by Python's own generator
    ],
)
def test_workers_of_one_seed_start_from_the_same(seed: str, expected: list[str]) -> None:
    text = HEAD.format(hook="on_epoch_end", given="kept", base=CALLBACK)
    found = migrate(text.replace("model = ", f"{seed}\nmodel = ", 1)).blocked
    assert [each.code for each in found] == expected


NOISE = "[w + {}(size=w.shape) for w in self.model.get_weights()]"
LIST = "[w + {}(w.shape) for w in self.model.get_weights()]"
DRAWN = {
    "by NumPy": NOISE.format("np.random.normal"),
    "by TensorFlow": LIST.format("tf.random.normal"),
    "by a generator": NOISE.format("np.random.default_rng().normal"),
}
ALIKE = {
    "by a seeded generator": NOISE.format("np.random.default_rng(0).normal"),
    "of the model": "self.model.get_weights()",
    "of ones": LIST.format("np.ones"),
}


def told(given: str, before: str = "") -> list[str]:
    text = HEAD.format(hook="on_epoch_end", given=given, base=CALLBACK)
    text = text.replace("np.ones((64, 4))", "np.random.rand(64, 4)").replace(
        "x, y", before + "x, y", 1
    )
    return [each.code for each in migrate(text).blocked]


@pytest.mark.parametrize("given", DRAWN.values(), ids=DRAWN)
def test_noise_of_each_workers_own_is_refused(given: str) -> None:
    assert told(given) == ["T07"]


@pytest.mark.parametrize("given", ALIKE.values(), ids=ALIKE)
def test_weights_that_all_workers_put_back_alike(given: str) -> None:
    assert told(given) == []


def test_noise_that_is_seeded() -> None:
    assert told(DRAWN["by NumPy"], "np.random.seed(0)\n") == []
    assert told(DRAWN["by TensorFlow"], "tf.random.set_seed(0)\n") == []
