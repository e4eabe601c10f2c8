"""One of several known classes: `OPTIMIZERS[name](rate)` makes an optimizer, whichever it is."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

HEAD = """\
import json
import os
import random
import time

import mine
import numpy as np
import tensorflow as tf
import tensorflow_addons as tfa
from absl.flags import FLAGS
from tensorflow.keras.optimizers import SGD, Adam, RMSprop

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
OPTIMIZERS = {"adam": Adam, "sgd": SGD}
name = mine.parse().optimizer
"""
KERAS = '\nmodel.compile(opt, "mse")\nmodel.fit(np.ones((8, 4)), np.ones((8, 1)))\n'
TAPE = """
for x in [tf.ones((2, 2)), tf.ones((2, 2))]:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    gradients = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(gradients, model.trainable_variables))
"""
BEHIND = "\nopt.learning_rate = opt.learning_rate * hvd.size()\n"
KNOWN = {
    "opt = OPTIMIZERS[name](0.1)": "OPTIMIZERS[name](0.1 * hvd.size())",
    "cls = OPTIMIZERS[name]\nopt = cls(learning_rate=0.1)": "cls(learning_rate=0.1 * hvd.size())",
    "opt = OPTIMIZERS.get(name, RMSprop)(0.1)": "OPTIMIZERS.get(name, RMSprop)(0.1 * hvd.size())",
    'opt = {"a": Adam, "b": RMSprop}[name]()': "[name](learning_rate=0.001 * hvd.size())",
    "opt = (Adam if name else SGD)(0.1)": "(Adam if name else SGD)(0.1 * hvd.size())",
    'OPTIMIZERS["w"] = tfa.optimizers.AdamW\nopt = OPTIMIZERS[name](0.1, learning_rate=0.2)': (
        "OPTIMIZERS[name](0.1, learning_rate=0.2 * hvd.size())"
    ),
    "def make(cls, rate):\n    return cls(rate)\nopt = make(OPTIMIZERS[name], 0.1)": (
        "cls(rate * hvd.size())"
    ),
    "opt = getattr(tf.keras.optimizers, name)(0.1)": (
        "getattr(tf.keras.optimizers, name)(0.1 * hvd.size())"
    ),
    'opt = getattr(tf.keras.optimizers, "Adam")(0.1)': ', "Adam")(0.1 * hvd.size())',
    "opt = OPTIMIZERS[name]()": BEHIND,
    'OPTIMIZERS["w"] = tfa.optimizers.AdamW\nopt = OPTIMIZERS[name](0.1, 0.2)': BEHIND,
    "opt = tf.keras.optimizers.get(FLAGS.name)": BEHIND,
    "opt = tf.keras.optimizers.deserialize(json.load(open('o.json')))": BEHIND,
    "opt = Adam.from_config(json.load(open('o.json')))": BEHIND,
    "opt = getattr(tf.keras.optimizers, name)()": BEHIND,
    "opt = Adam(**json.load(open('o.json')))": BEHIND,
    "opt = tf.keras.optimizers.get(FLAGS.name)\nopt.learning_rate = 0.2": (
        "opt.learning_rate = 0.2 * hvd.size()"
    ),
}
UNKNOWN = {
    "one of another module": 'OPTIMIZERS["own"] = mine.Own\nopt = OPTIMIZERS[name](0.1)',
    "filled by others": "mine.fill(OPTIMIZERS)\nopt = OPTIMIZERS[name](0.1)",
    "more of a module's": "OPTIMIZERS.update(mine.MORE)\nopt = OPTIMIZERS[name](0.1)",
    "no class": 'OPTIMIZERS["none"] = tf.keras.losses.MeanSquaredError\nopt = OPTIMIZERS[name](0.1)',
    "a class of one's own": (
        'class Own(SGD):\n    pass\nOPTIMIZERS["own"] = Own\nopt = OPTIMIZERS[name](0.1)'
    ),
    "rates out of sight": "opt = SGD(**mine.settings())",
    "what another module makes": "opt = tf.keras.optimizers.get(mine.make())",
    "one that is scaled where it is made": "opt = tf.keras.optimizers.get(SGD(0.1))",
    "maybe a schedule": (
        "decay = tf.keras.optimizers.schedules.CosineDecay(0.1, 100)\n"
        "opt = SGD(**json.load(open('o.json')))"
    ),
    "a module of others": "opt = getattr(mine.optimizers, name)(0.1)",
    "without a name": "opts = [tf.keras.optimizers.get(FLAGS.name)]\nopt = opts[0]",
}
OWN = {
    "random.choice": 'name = random.choice(["adam", "sgd"])\nopt = OPTIMIZERS[name](0.1)',
    "random.random": "opt = Adam(0.1) if random.random() < 0.5 else SGD(0.1)",
    "random.choice of made ones": (
        'opts = {"adam": Adam(0.1), "sgd": SGD(0.1)}\nopt = opts[random.choice(["adam", "sgd"])]'
    ),
    "a text": 'opt = getattr(tf.keras.optimizers, random.choice(["SGD", "Adam"]))(0.1)',
    "a clock": "cls = SGD\nif time.time() % 2 > 1:\n    cls = Adam\nopt = cls(0.1)",
    "the worker's number": (
        'first = int(os.environ["OMPI_COMM_WORLD_RANK"]) == 0\n'
        "cls = Adam if first else SGD\nopt = cls(0.1)"
    ),
}


@pytest.mark.parametrize("end", [KERAS, TAPE])
@pytest.mark.parametrize("made", KNOWN)
def test_its_rate_is_scaled(made: str, end: str) -> None:
    found = migrate(HEAD + made + end)
    assert found.blocked == ()
    assert KNOWN[made] in found.after
    assert found.after.count("* hvd.size()") == 1
    assert ("hvd.DistributedOptimizer(" in found.after) == (end is KERAS)
    assert migrate(found.after).after == found.after


@pytest.mark.parametrize("end", [KERAS, TAPE])
@pytest.mark.parametrize("case", UNKNOWN)
def test_what_may_be_another_is_refused(case: str, end: str) -> None:
    codes = {found.code for found in migrate(HEAD + UNKNOWN[case] + end).blocked}
    assert codes & {"R05", "L01", "R08"}
    assert "T07" not in codes


@pytest.mark.parametrize("end", [KERAS, TAPE])
@pytest.mark.parametrize("case", OWN)
def test_a_pick_of_each_workers_own_is_refused(case: str, end: str) -> None:
    assert {f.code for f in migrate(HEAD + OWN[case] + end).blocked} == {"T07"}


def test_a_seeded_draw_picks_the_same_for_all() -> None:
    text = HEAD + "random.seed(0)\n" + OWN["random.choice"] + KERAS
    assert migrate(text).blocked == ()


RATE = """
def rate():
    if name == "cosine":
        return tf.keras.optimizers.schedules.CosineDecay(0.1, 100)
    return 0.2


"""


@pytest.mark.parametrize("made", ["opt = Adam(rate())", "lr = rate()\nopt = SGD(lr, momentum=0.9)"])
def test_a_function_that_gives_a_number_or_a_schedule_scales_what_it_returns(made: str) -> None:
    found = migrate(HEAD + RATE + made + KERAS)
    assert found.blocked == ()
    assert "return 0.2 * hvd.size()" in found.after
    assert "CosineDecay(0.1 * hvd.size(), " in found.after
    assert found.after.count("* hvd.size()") == 2


@pytest.mark.parametrize(
    "more", ["print(rate())", "lr = rate()\nprint(lr)", "mine.keep(rate)", "opt = SGD(rate() / 2)"]
)
def test_a_function_that_others_ask_is_left_alone(more: str) -> None:
    found = migrate(HEAD + RATE + more + "\nopt = Adam(rate())" + KERAS)
    assert "L01" in {each.code for each in found.blocked}
