"""A program that names what Keras 3 alone has is written for it, where nobody says a version."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Options

FREE = Options(is_asked=False)
ASKED = Options()
PROGRAM = """\
import keras
{imports}
x, y = keras.datasets.mnist.load_data()[0]
model = keras.Sequential([keras.layers.Dense(1){layers}])
model.compile(optimizer="adam", loss="mse")
model.fit(x, y)
"""
NAMED = [
    ("from keras import ops\n", ""),
    ("from keras.ops import relu\n", ""),
    ("import keras.random\n", ""),
    ("", ", keras.layers.Lambda(lambda x: keras.ops.relu(x))"),
    ("from tensorflow.keras import ops as o\n", ""),
    ("import tensorflow as tf\n", ", tf.keras.layers.RMSNormalization()"),
    ("class Data(keras.utils.PyDataset):\n    pass\n", ""),
    ("def f():\n    from keras import ops\n", ""),
]
OTHERS = [
    ("", ""),
    ("class Own:\n    ops = 1\nkeras.own = Own\n", ""),
    ("ops = []\n", ", *ops"),
    ("try:\n    from keras import ops\nexcept ImportError:\n    ops = None\n", ""),
    ("if hasattr(keras, 'ops'):\n    relu = keras.ops.relu\n", ""),
    ("if keras.__version__.startswith('3'):\n    relu = keras.ops.relu\n", ""),
    ("from keras.layers import Layer\n", ", Layer()"),
    ("import keras.backend as K\n", ", keras.layers.Lambda(lambda x: K.variable(1) * x)"),
]


def program(imports: str, layers: str) -> str:
    return PROGRAM.format(imports=imports, layers=layers)


@pytest.mark.parametrize(("imports", "layers"), NAMED)
def test_names_decide_where_nobody_says_a_version(imports: str, layers: str) -> None:
    seen = migrate(program(imports, layers), FREE)
    assert "average_gradients(model)" in seen.after
    assert "DistributedOptimizer" not in seen.after
    notes = [note for note in seen.notes if note.code == "N02"]
    assert len(notes) == 1
    assert "is of Keras 3, and nothing else says a version" in notes[0].message


@pytest.mark.parametrize(("imports", "layers"), OTHERS)
def test_what_keras_2_may_have_decides_nothing(imports: str, layers: str) -> None:
    for options in (FREE, ASKED):
        seen = migrate(program(imports, layers), options)
        assert "DistributedOptimizer" in seen.after or seen.blocked
        assert "average_gradients" not in seen.after
        assert "N02" not in {finding.code for finding in (*seen.notes, *seen.blocked)}


@pytest.mark.parametrize(("imports", "layers"), NAMED)
def test_another_version_that_is_asked_for_is_refused(imports: str, layers: str) -> None:
    seen = migrate(program(imports, layers), ASKED)
    assert [finding.code for finding in seen.blocked] == ["N02"]
    assert "TensorFlow 2.15, which is asked for" in seen.blocked[0].message
    lifted = migrate(program(imports, layers), Options(tensorflow=(2, 20)))
    assert "average_gradients(model)" in lifted.after
    assert not [note for note in lifted.notes if note.code == "N02"]
