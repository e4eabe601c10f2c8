"""Schedules of the user's own are told the steps of all workers, of which each takes its share."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Options

TOLD = "step = step * hvd.size()"
PROGRAM = """\
import numpy as np
import tensorflow as tf
from tensorflow import keras


{cls}


x, y = np.random.rand(256, 4), np.random.rand(256, 1)
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(keras.optimizers.SGD({made}), "mse")
{fit}
"""
LINEAR = '''\
class Linear(keras.optimizers.schedules.LearningRateSchedule):
    """Down to nothing."""

    def __init__(self, base, total):
        self.base, self.total = base, total

    def __call__(self, step):
        """The rate."""
        return self.base * (1 - step / self.total)
'''
WARM = """\
class Warm(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, after, steps):
        self.after, self.steps = after, steps

    def __call__(self, step):
        return tf.minimum(step / self.steps, 1.0) * self.after(step)
"""
FIT = "model.fit(x, y, batch_size=8, epochs=3)"
MADE = "Linear(0.01, 96)"


def after(cls: str = LINEAR, made: str = MADE, fit: str = FIT) -> str:
    text = PROGRAM.format(cls=cls, made=made, fit=fit)
    return migrate(text, Options(unsound=True, width=120)).after


def test_a_schedule_is_told_the_steps_of_all_workers() -> None:
    found = after()
    assert f'        """The rate."""\n        {TOLD}  # those of all workers\n' in found
    assert found.count(TOLD) == 1
    assert migrate(PROGRAM.format(cls=LINEAR, made=MADE, fit=FIT)).notes == ()
    assert migrate(found).after == found


def test_what_it_asks_itself_is_told_them_with_it() -> None:
    cosine = "keras.optimizers.schedules.CosineDecay(0.1, 90)"
    found = after(WARM, f"Warm({cosine}, 6)")
    assert f"Warm({cosine}, 6)" in found
    assert found.count(TOLD) == 1
    assert migrate(found).after == found


NOT_TOLD = {
    "no steps are divided": {"fit": "model.fit(tf.ones((8, 4)), tf.ones((8, 1)), batch_size=8)"},
    "epochs": {
        "fit": f"rates = keras.callbacks.LearningRateScheduler({MADE})\n"
        "model.fit(x, y, batch_size=8, callbacks=[rates])"
    },
    "a count of the program's": {
        "fit": f"rates = {MADE}\nfor epoch in range(3):\n"
        "    model.optimizer.learning_rate = rates(epoch)\n    model.fit(x, y, batch_size=8)"
    },
    "a number that shrinks by itself": {
        "made": "Linear(0.01, len(data))",
        "fit": "model.fit(data)",
    },
    "a base that counts": {
        "cls": f"{LINEAR}\n\nclass Half(Linear):\n    def __call__(self, step):\n"
        "        return super().__call__(step) / 2",
        "made": "Half(0.01, 96)",
    },
    "any number of arguments": {"cls": LINEAR.replace("(self, step)", "(self, step, *others)")},
}


@pytest.mark.parametrize("how", NOT_TOLD)
def test_a_schedule_that_may_count_something_else_is_left(how: str) -> None:
    given = NOT_TOLD[how]
    if "data" in given.get("made", ""):
        cut = "data = tf.data.Dataset.from_tensor_slices((x, y)).batch(8)\n"
        text = PROGRAM.format(cls=LINEAR, **given).replace("model = ", f"{cut}model = ")
        assert TOLD not in migrate(text, Options(unsound=True, width=120)).after
    else:
        assert TOLD not in after(**given)


@pytest.mark.parametrize("asked", ["model.optimizer.iterations", "tf.range(96)"])
def test_a_program_that_asks_by_the_optimizers_count_may_look_at_the_rate(asked: str) -> None:
    found = after(fit=f"rates = {MADE}\n{FIT}\nprint(rates({asked}))")
    assert TOLD in found
