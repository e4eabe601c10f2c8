"""Names and spellings in the code that rules add."""

from __future__ import annotations

import pytest

from distify.codemods.facts import Facts
from distify.codemods.rewrites._new_code import callback_module, fresh, hvd, os, spell, tf

ADAM = "tensorflow.keras.optimizers.Adam"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import tensorflow as tf\n", "tf.keras.optimizers.Adam"),
        ("import tensorflow as tf\nfrom tensorflow import keras\n", "keras.optimizers.Adam"),
        ("from tensorflow.keras import optimizers as o\n", "o.Adam"),
        ("from tensorflow.keras.optimizers import Adam\n", "Adam"),
        ("import numpy\n", "tf.keras.optimizers.Adam"),
    ],
)
def test_new_code_is_spelled_as_the_module_spells(text: str, expected: str) -> None:
    assert spell(Facts.of(text), ADAM) == expected


def test_fresh_names_avoid_every_name_of_the_module() -> None:
    facts = Facts.of("def f(hvd):\n    gpus_1 = gpus = 1\n")
    assert hvd(facts) == "hvd_1"
    assert fresh(facts, "gpus") == "gpus_2"
    assert fresh(facts, "gpus") == "gpus_2"
    assert fresh(facts, "gpu") == "gpu"


def test_modules_are_named_as_the_program_names_them() -> None:
    plain = Facts.of("import tensorflow as t\nimport os as o\nimport horovod.tensorflow as h\n")
    assert (tf(plain), os(plain), hvd(plain)) == ("t", "o", "h")
    assert callback_module(plain) == "hvd_keras"
    bare = Facts.of("import keras\ntf = os = 1\n")
    assert (tf(bare), os(bare), hvd(bare)) == ("tf_1", "os_1", "hvd")
    assert callback_module(bare) == "hvd"
