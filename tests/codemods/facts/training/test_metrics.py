"""Which metrics may be averaged over shares of the validation data, and what is left whole."""

from __future__ import annotations

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.training.metrics import are_means
from distify.codemods.migrate import migrate

HEAD = """\
import re
import numpy as np
import tensorflow as tf
from elsewhere import score
x, y, xv, yv = (np.load(name) for name in "abcd")
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
"""
MEANS = [
    "",
    "metrics=None",
    "metrics=['accuracy', 'mse']",
    "metrics=['acc', tf.keras.metrics.BinaryAccuracy(), tf.keras.metrics.mae]",
    "metrics={'a': 'mae', 'b': [tf.keras.metrics.MeanAbsoluteError('x')]}",
    "metrics=found",
    "metrics=['accuracy', *found]",
]
OTHERS = [
    "metrics=['AUC']",
    "metrics=['accuracy', tf.keras.metrics.AUC(name='prc')]",
    "metrics=[tf.keras.metrics.Precision(), tf.keras.metrics.Recall()]",
    "metrics=[tf.keras.metrics.TruePositives()]",
    "metrics=[tf.keras.metrics.RootMeanSquaredError()]",
    "metrics=[score]",
    "metrics=[score(1)]",
    "metrics=[f1]",
    "metrics=score",
    "metrics=others",
    "weighted_metrics=['AUC']",
]
DEFINED = "found = [tf.keras.metrics.MeanSquaredError()]\nothers = ['mse']\nothers.append(tf.keras.metrics.AUC())\n"
DEFINED += "def f1(y, p):\n    return tf.reduce_mean(y * p)\n"


def compiled(given: str) -> str:
    return f"{HEAD}{DEFINED}re.compile('a', 0, [])\nmodel.compile('sgd', 'mse', {given})\n"


@pytest.mark.parametrize("given", MEANS)
def test_means_over_examples(given: str) -> None:
    assert are_means(Facts.of(compiled(given)))


@pytest.mark.parametrize("given", OTHERS)
def test_what_is_none_or_may_be_none(given: str) -> None:
    assert not are_means(Facts.of(compiled(given)))


VALIDATIONS = [
    ("(xv, yv)", ""),
    ("tf.data.Dataset.from_tensor_slices((xv, yv)).batch(4)", ""),
    ("tf.data.Dataset.range(9).repeat().batch(4)", "validation_steps=9"),
]


@pytest.mark.parametrize(("data", "steps"), VALIDATIONS)
def test_such_a_metric_keeps_its_validation_whole(data: str, steps: str) -> None:
    fit = f"model.fit(x, y, validation_data={data}, {steps})\n"
    shared = migrate(compiled("metrics=['mse']") + fit).after
    whole = migrate(compiled("metrics=['AUC']") + fit).after
    assert "x[shard]" in whole
    assert f"validation_data={data},\n" in whole
    assert f"validation_data={data},\n" not in shared
    assert not steps or f"{steps},\n" in whole


BATCHES = """\
import tensorflow as tf
make = tf.keras.utils.image_dataset_from_directory
train, val = make("a", seed=1), make("b", seed=1)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
"""


@pytest.mark.parametrize(
    ("validation", "is_whole"),
    [
        ("val", True),
        ("val.map(f).prefetch(1)", True),
        ("tf.data.TFRecordDataset('a').shuffle(9, seed=1).batch(2)", False),
        ("tf.data.Dataset.range(9).batch(3).cache()", False),
    ],
)
def test_validation_is_not_shared_out_by_whole_batches(validation: str, is_whole: bool) -> None:
    fit = f"model.fit(train, validation_data={validation})\n"
    after = migrate(BATCHES + fit).after
    assert "train.unbatch()" in after  # and batched again, in shares
    assert (f"validation_data={validation},\n" in after) is is_whole
