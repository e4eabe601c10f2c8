"""T07: settings that each worker draws, and callbacks that decide by a worker's own value."""

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
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
"""
FIT = "model.fit(x, y)\n"


def found(text: str) -> list[tuple[int, str, str]]:
    """Lines, counted behind the head, messages and fixes of T07."""
    blocked = [each for each in migrate(HEAD + text).blocked if each.code == "T07"]
    return [(each.line - HEAD.count("\n"), each.message, each.fix) for each in blocked]


@pytest.mark.parametrize(
    "setting",
    [
        "tf.keras.layers.Dense({})",
        "tf.keras.layers.Dense(units={})",
        "tf.keras.optimizers.SGD({})",
        "tf.keras.optimizers.Adam(learning_rate=0.1 * {})",
        "tf.keras.optimizers.schedules.ExponentialDecay(0.1, {}, 0.9)",
        "model.fit(x, y, epochs={})",
        "model.fit(x, y, batch_size={})",
        "model.fit(x, y, steps_per_epoch={})",
        "model.fit(x, y, validation_split={})",
    ],
)
def test_a_setting_that_each_worker_draws(setting: str) -> None:
    ((line, message, fix),) = found(f"{setting.format('random.randint(1, 9)')}\n{FIT}")
    assert (line, fix) == (1, "seed it for all workers alike: `random.seed(0)`")
    assert "each worker draws its own" in message
    assert message.endswith("nobody seeds `random.randint`")
    assert found(f"{setting.format('load(3)')}\n{FIT}") == []
    assert found(f"random.seed(1)\n{setting.format('random.randint(1, 9)')}\n{FIT}") == []


def test_one_seed_mends_all_settings_and_the_first_is_named() -> None:
    drawn = "a = tf.keras.layers.Dense(random.randint(1, 9))\n"
    assert [line for line, *_ in found("\n" + drawn + drawn + FIT)] == [2]


@pytest.mark.parametrize(
    "call", ["print({})", "load({})", "model.fit(x, y, verbose={})", "np.round({})"]
)
def test_a_draw_that_is_no_setting(call: str) -> None:
    assert found(f"{call.format('random.randint(1, 9)')}\n{FIT}") == []


CALLBACK = """\
class Own({base}):
    def on_epoch_end(self, n, logs=None):
        if {test}:
            {change}


model.fit(x, y, callbacks=[Own()])
"""
STOP, RATE = "self.model.stop_training = True", "self.model.optimizer.learning_rate = 0.1"
SAID = [
    (STOP, "this ends the training"),
    (RATE, "this is a number of the optimizer while the model trains"),
]
BASE = "tf.keras.callbacks.Callback"


def callback(test: str, change: str = STOP, base: str = BASE) -> list[tuple[int, str, str]]:
    return found(CALLBACK.format(test=test, change=change, base=base))


@pytest.mark.parametrize(("change", "what"), SAID)
@pytest.mark.parametrize(
    ("test", "own"),
    [
        ("time.time() - self.begun > 3", "time.time()"),
        ("n > 3 and random.random() > 0.5", "random.random()"),
        ("not random.random() > 0.5", "random.random()"),
        ("time.time() > 3 or random.random() > 0.5", "time.time()"),
    ],
)
def test_a_callback_that_decides_by_a_value_of_the_workers_own(
    test: str, own: str, change: str, what: str
) -> None:
    ((line, said, fix),) = callback(test, change)
    assert line == 3
    assert said.startswith(f"{what}, and `{own}` is each worker's own: ")
    assert f"`broadcast_object({test}, root_rank=0)` of `horovod.tensorflow` for `{test}`" in fix


@pytest.mark.parametrize(("change", "what"), SAID)
@pytest.mark.parametrize(
    "test",
    [
        "self.model.predict(x).mean() > 3",
        "self.model.evaluate(x) > 3",
        "self.model.predict_on_batch(x) > 3",
        "self.model.test_on_batch(x) > 3",
        "self.model(x) > 3",
        "self.model.__call__(x) > 3",
    ],
)
def test_a_callback_that_decides_by_what_its_model_says(test: str, change: str, what: str) -> None:
    _is_by_model(test, change, what)


@pytest.mark.parametrize("test", ["model(x) > 3", "model.evaluate(x) > 3"])
def test_what_a_known_model_says_of_the_same_data_is_near_enough_for_a_rate(test: str) -> None:
    _is_by_model(test, *SAID[0])
    assert callback(test, RATE) == []


def _is_by_model(test: str, change: str, what: str) -> None:
    ((line, said, fix),) = callback(test, change)
    assert line == 3
    assert said.startswith(f"{what}, and `{test.partition(')')[0]}")
    assert fix.startswith("let EarlyStopping or ReduceLROnPlateau decide")


@pytest.mark.parametrize(
    ("test", "change", "base"),
    [
        ("logs['loss'] < 1", STOP, BASE),
        ("n > 3", RATE, BASE),
        ("self.model.summary()", STOP, BASE),
        ("self.other.predict(x) > 3", STOP, BASE),
        ("load(x) > 3", STOP, BASE),
        ("time.time() > 3", "print(n)", BASE),
        ("model(x) > 3", "print(n)", BASE),
        ("random.random() is None", STOP, BASE),
    ],
)
def test_a_callback_on_which_all_workers_agree(test: str, change: str, base: str) -> None:
    assert callback(test, change, base) == []


def test_each_place_that_decides_alone_is_named() -> None:
    text = CALLBACK.format(test="model(x) > 3", change=STOP, base=BASE)
    more = f"        if time.time() > 3:\n            {RATE}\n"
    assert [line for line, *_ in found(text.replace("\n\n\nmodel", f"\n{more}\n\nmodel"))] == [3, 5]


@pytest.mark.parametrize(
    ("test", "is_own"),
    [
        ("hvd.broadcast_object(time.time()) > 3", False),
        ("hvd.allreduce(random.random()) > 3", False),
        ("hvd.broadcast_object(n) > time.time()", True),
    ],
)
def test_what_all_workers_are_told_is_no_longer_their_own(test: str, is_own: bool) -> None:
    text = HEAD.replace("import time\n", "import time\nimport horovod.tensorflow.keras as hvd\n")
    text += CALLBACK.format(test=test, change=STOP, base=BASE)
    assert any("each worker's own" in f.message for f in migrate(text).blocked) is is_own
