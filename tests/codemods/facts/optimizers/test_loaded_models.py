"""Which models from files train on with the optimizer that the file holds."""

from __future__ import annotations

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.optimizers.loaded_models import loads_to_distribute

HEAD = """\
import os
import tensorflow as tf
from tensorflow.keras.models import load_model
import horovod.tensorflow.keras as hvd

def build():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    return model
"""
FIT = "model.fit(x, y)\n"
LOAD = "model = load_model('m.h5')\n"
FOUND = {
    "as it is": LOAD + FIT,
    "if there is one": f"if os.path.exists('m.h5'):\n    {LOAD}else:\n    model = build()\n" + FIT,
    "in an expression": "model = load_model('m') if os.path.exists('m') else build()\n" + FIT,
    "in a function": "def get():\n    return load_model('m.h5')\nmodel = get()\n" + FIT,
    "in an object": (
        "class Trainer:\n    def __init__(self):\n        self.model = load_model('m.h5')\n"
        "    def run(self):\n        self.model.fit(x, y)\nTrainer().run()\n"
    ),
    "batch by batch": LOAD + "for x, y in data:\n    model.train_on_batch(x, y)\n",
    "trained, saved, loaded, trained": "model = build()\n" + FIT + LOAD + FIT,
    "compiled under a condition": LOAD + "if new:\n    model.compile('adam', 'mse')\n" + FIT,
    "compiled before": "model = build()\nmodel.compile('adam', 'mse')\n" + LOAD + FIT,
    "compiled behind": LOAD + FIT + "model.compile('adam', 'mse')\n",
    "another was compiled": LOAD + "other = build()\nother.compile('adam', 'mse')\n" + FIT,
    "one of several": "for model in [load_model(p) for p in paths]:\n    " + FIT,
}
LEFT = {
    "only asked": LOAD + "model.predict(x)\nmodel = build()\n" + FIT,
    "loaded without": "model = load_model('m.h5', compile=False)\n" + FIT,
    "compiled again": LOAD + "model.compile('adam', 'mse')\n" + FIT,
    "compiled again, on any way": (
        f"if os.path.exists('m.h5'):\n    {LOAD}else:\n    model = build()\n"
        "model.compile('adam', 'mse')\nfor fold in folds:\n    " + FIT
    ),
    "loaded by Horovod": "model = hvd.load_model('m.h5')\n" + FIT,
    "with Horovod's optimizer": LOAD
    + "model.optimizer = hvd.DistributedOptimizer(model.optimizer)\n"
    + FIT,
    "a step of one's own": (
        LOAD + "opt = tf.keras.optimizers.Adam()\nwith tf.GradientTape() as tape:\n"
        "    loss = tf.reduce_sum(model(x))\n"
        "grads = tape.gradient(loss, model.trainable_variables)\n"
        "opt.apply_gradients(zip(grads, model.trainable_variables))\n"
    ),
}


@pytest.mark.parametrize("name", FOUND)
def test_what_trains_on_is_found(name: str) -> None:
    assert len(loads_to_distribute(Facts.of(HEAD + FOUND[name]))) == 1


@pytest.mark.parametrize("name", LEFT)
def test_what_has_an_optimizer_that_averages_is_left(name: str) -> None:
    assert loads_to_distribute(Facts.of(HEAD + LEFT[name])) == []
