"""Numbers of one's own that decide on steps: however they are counted, and wherever they are put."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

HEAD = """\
import os
import random
import subprocess
import sys
import threading
import time

import gym
import numpy as np
import tensorflow as tf

x, y = np.ones((96, 4), "float32"), np.ones((96, 1), "float32")


class Kept:
    pass


kept = Kept()
"""
LOOP = """\
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.1)
for i in range({0}):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    weights = model.trainable_variables
    opt.apply_gradients(zip(tape.gradient(loss, weights), weights))
"""
FIT = """\
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.SGD(0.1), "mse")
model.fit(x, y, epochs={0})
"""
CHOSEN = "b = x[np.random.rand(96) < 0.8]\n"
OWN = {
    "length": (CHOSEN, "len(b)"),
    "first of a shape": (CHOSEN, "b.shape[0]"),
    "of a tensor's shape": (CHOSEN, "int(tf.shape(b)[0])"),
    "unpacked shape": (f"{CHOSEN}n, d = b.shape\n", "n"),
    "size": ("b = np.unique(np.random.rand(9) < 0.5)\n", "b.size"),
    "of a length of it": (f"{CHOSEN}c = y[: len(b)]\n", "len(c) // 8"),
    "list of what is sifted": (
        "d = tf.data.Dataset.range(9).filter(lambda v: tf.random.uniform([]) < 0.5)\n",
        "len(list(d))",
    ),
    "by __dict__": ("kept.__dict__['n'] = random.randint(3, 9)\n", "kept.n"),
    "by vars": ("vars(kept)['n'] = random.randint(3, 9)\n", "kept.n"),
    "by an update": ("kept.__dict__.update(n=random.randint(3, 9))\n", "kept.n"),
    "processors": ("", "os.cpu_count()"),
    "when a file came": ("", "int(os.path.getmtime('a.csv')) % 5"),
    "what another program says": ("", "int(subprocess.check_output(['nproc']))"),
    "what a person types": ("", "int(sys.stdin.readline())"),
    "a bit generator": ("g = np.random.Generator(np.random.PCG64())\n", "int(g.integers(3, 9))"),
}
SAME = {
    "length": ("b = x[np.arange(96) < 80]\n", "len(b)"),
    "with a seed": (f"np.random.seed(0)\n{CHOSEN}", "len(b)"),
    "by __dict__": ("kept.__dict__['n'] = 3\nkept.__dict__['m'] = random.random()\n", "kept.n"),
    "columns": (CHOSEN, "b.shape[1]"),
    "a bit generator": ("g = np.random.Generator(np.random.PCG64(1))\n", "int(g.integers(3, 9))"),
}


def told(text: str) -> set[str]:
    return {each.code for each in migrate(HEAD + text).blocked} & {"T07", "K04", "J03"}


@pytest.mark.parametrize("steps", [LOOP, FIT])
@pytest.mark.parametrize("name", OWN)
def test_a_number_of_ones_own_decides_on_no_step(name: str, steps: str) -> None:
    before, number = OWN[name]
    assert told(before + steps.format(number))


@pytest.mark.parametrize("steps", [LOOP, FIT])
@pytest.mark.parametrize("name", SAME)
def test_a_number_that_all_have_does(name: str, steps: str) -> None:
    before, number = SAME[name]
    assert not told(before + steps.format(number))


EACH = """\
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.1)
for a, b in tf.data.Dataset.from_tensor_slices((x, y)).batch(8):
    {0}
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(a) - b) ** 2)
    weights = model.trainable_variables
    opt.apply_gradients(zip(tape.gradient(loss, weights), weights))
    {1}
"""
STOPPED = "done = threading.Event()\n"
PLAYED = "env = gym.make('CartPole-v1')\nenv.reset()\n"


@pytest.mark.parametrize(
    ("before", "early", "late", "is_refused"),
    [
        ("", "if tf.reduce_sum(model.weights[0]) > 1: continue", "pass", True),
        ("", "pass", "if tf.reduce_sum(model.weights[0]) > 1: break", False),
        (STOPPED, "pass", "if done.is_set(): break", True),
        (PLAYED, "pass", "if env.step(0)[1] > 1: break", True),
        ("", "pass", "if os.listdir('stop'): break", True),
        ("name = os.listdir('data')[0]\n", "if name > 'a': continue", "pass", True),
        ("name = sorted(os.listdir('data'))[0]\n", "if name > 'a': continue", "pass", False),
    ],
)
def test_what_leaves_out_a_step(before: str, early: str, late: str, is_refused: bool) -> None:
    assert bool(told(before + EACH.format(early, late))) is is_refused
