"""Arrays that meet in a step are cut alike, or it is told which one isn't."""

from __future__ import annotations

import pytest

from distify.codemods.facts.questions import QUESTIONS
from distify.codemods.judge import paired
from distify.codemods.judge.case import Case
from distify.codemods.model import Options

HEAD = """\
import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf
x, y, z = np.load("x.npy"), np.load("y.npy"), np.load("z.npy")
shard = slice(hvd.rank(), len(x) // hvd.size() * hvd.size(), hvd.size())
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
"""


def told(text: str) -> list[str]:
    """What isn't cut though what it meets is."""
    proofs = paired.prove(Case({"a.py": HEAD + text}, {}, "a.py", Options(), QUESTIONS))
    return [proof.why.split("`")[3] for proof in proofs if not proof.holds]


@pytest.mark.parametrize(
    "text",
    [
        "model.fit(x[shard], y[shard])\n",
        "model.fit(x, y)\n",
        "model.fit(x[hvd.rank()::hvd.size()], y=y[hvd.rank()::hvd.size()], epochs=3)\n",
        "model.fit(x[shard], None)\nmodel.fit(x[shard], epochs=2)\n",
        "x, y = x[shard], y[shard]\nmodel.fit(x, y)\n",
        "def part(a):\n    return a[hvd.rank()::hvd.size()]\nmodel.fit(part(x), part(y))\n",
        "model.fit(np.array_split(x, hvd.size())[hvd.rank()], np.array_split(y, hvd.size())[hvd.rank()])\n",
        "model.fit(x + np.random.RandomState(hvd.rank()).rand(4), y)\n",  # other noise, the same rows
        "d = tf.data.Dataset.from_tensor_slices((x[shard], y[shard]))\n",
        "a, b = x[shard], 5\n",
        "f(x[shard], y)\n",
        "with tf.GradientTape() as t:\n    l = model(x[shard])\n"
        "g = t.gradient(l, model.weights)\no.apply_gradients(zip(g, model.weights))\n",
        "for a, n in zip(x[shard], range(9)):\n    print(a, n)\n",
        "model.fit(x[shard], y[shard], sample_weight=z[shard])\n",
        "model.fit(x[shard], y[shard], 8, 2)\n",
        "for a, b in zip(np.split(x[shard], 4), np.split(y[shard], 4)):\n    print(a, b)\n",
        "for a, n in zip(np.split(x[shard], 4), np.ones(4)):\n    print(a, n)\n",
        "n = len(x) // hvd.size()\npart = slice(hvd.rank() * n, hvd.rank() * n + n)\nmodel.fit(x[part], y[part])\n",
        "n = len(x) // hvd.size()\nmodel.fit(x[hvd.rank() * n : hvd.rank() * n + n], np.array_split(y, hvd.size())[hvd.rank()])\n",
    ],
)
def test_nothing_is_told_of_what_is_cut_alike(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("model.fit(x[shard], y)\n", ["y"]),
        ("model.fit(x, y=y[shard])\n", ["x"]),
        ("x = x[shard]\nmodel.fit(x, y)\n", ["y"]),
        ("model.train_on_batch(x[shard], y[shard], z)\n", ["z"]),
        ("model.fit(x[shard], y[shard], sample_weight=z[: len(z) // hvd.size()])\n", ["z[:len(z) // hvd.size()]"]),
        ("for a, b in zip(np.split(x[shard], 4), np.split(y, 4)):\n    print(a, b)\n", ["y"]),
        ("n = len(x) // hvd.size()\nmodel.fit(x[shard], y[hvd.rank() * n : hvd.rank() * n + n])\n", ["y[hvd.rank() * n:hvd.rank() * n + n]"]),
        ("d = tf.data.Dataset.from_tensor_slices((x[shard], y))\n", ["y"]),
        ("d = tf.data.Dataset.from_tensor_slices(x)\ne = d.shard(hvd.size(), hvd.rank())\n"
         "both = tf.data.Dataset.zip((e, d))\n", ["d"]),
        ("x, y = x[shard], y\n", ["y"]),
        ("for a, b in zip(x[shard], y):\n    print(a, b)\n", ["y"]),
        ("def part(a):\n    return a[hvd.rank()::hvd.size()]\nmodel.fit(part(x), y)\n", ["y"]),
    ],
)  # fmt: skip
def test_what_is_left_whole_is_told(text: str, whole: list[str]) -> None:
    assert told(text) == whole


def test_gradients_of_a_share_meet_variables_that_nobody_cuts() -> None:
    text = (
        "import horovod.tensorflow as hvd\nimport tensorflow as tf\nhvd.init()\n"
        "x = load()[hvd.rank() :: hvd.size()]\n"
        "with tf.GradientTape() as tape:\n    loss = model(x)\n"
        "gradients = hvd.DistributedGradientTape(tape).gradient(loss, model.trainable_variables)\n"
        "optimizer.apply_gradients(zip(gradients, model.trainable_variables))\n"
    )
    case = Case({"a.py": text}, {}, "a.py", Options(), QUESTIONS)
    assert all(proof.holds for proof in paired.prove(case))
