"""What the judge says of Horovod in several files: once, at the line of the file where it stands."""

from __future__ import annotations

import pytest

from distify.codemods.model import Migration
from distify.codemods.project.migrate import migrate_project
from distify.codemods.project.texts import Project

MAIN = """\
import horovod.tensorflow.keras as hvd
import tensorflow as tf
from data import load

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x, y = load(hvd.rank(), hvd.size())
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.01 * hvd.size())), "mse")
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(x, y, epochs=3, callbacks=callbacks, verbose=int(hvd.rank() == 0))
"""
DATA = """\
import numpy as np


def load(rank, size):
    x = {}
    return {}
"""
STRIDE = "x[rank::size], x[rank::size].sum(1)"


def looked_at(whole: str, part: str) -> Migration:
    found = migrate_project(
        Project("main.py", {"main.py": MAIN, "data.py": DATA.format(whole, part)})
    )
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("whole", "told"),
    [("np.ones((241, 4))", ("H19", 3, True)), ("np.load('x.npy')", ("J07", 16, False))],
)
def test_a_share_in_another_file_is_told_once_and_where_it_stands(
    whole: str, told: tuple[str, int, bool]
) -> None:
    found = looked_at(whole, STRIDE)
    assert not found.blocked
    notes = [(each.code, each.line, "(data.py:6)" in each.message) for each in found.notes]
    assert notes == [told]  # the one at its cut, in line 3 for the entry; the other at `fit`


def test_an_even_share_in_another_file_is_left_in_peace() -> None:
    found = looked_at("np.ones((240, 4))", STRIDE)
    assert not (*found.blocked, *found.notes)


def test_a_share_by_the_number_on_the_machine_is_an_error_there() -> None:
    text = MAIN.replace("load(hvd.rank()", "load(hvd.local_rank()")
    data = DATA.format("np.ones((240, 4))", STRIDE)
    seen = migrate_project(Project("main.py", {"main.py": text, "data.py": data}))
    assert seen is not None
    assert {(each.code, "(data.py:6)" in each.message) for each in seen.blocked} == {("J08", True)}
