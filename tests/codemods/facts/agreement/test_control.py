"""Conditions that every worker answers alike, and those that it may answer for itself."""

from __future__ import annotations

import textwrap

import pytest

from distify.codemods.facts import Facts
from distify.codemods.restrictions.t07_workers_disagree import workers_disagree

HEAD = """\
import argparse
import math
import random
import time
import numpy as np
import tensorflow as tf
from absl import flags
FLAGS = flags.FLAGS
args = argparse.ArgumentParser().parse_args()
ds = tf.data.Dataset.range(8)
opt = tf.keras.optimizers.SGD()
counter = tf.Variable(0)
model = tf.keras.Sequential()
def step(x):
    opt.apply_gradients(zip(g, v))
    return model(x)
"""


def lines(text: str) -> list[int]:
    """The lines, counted in `text`, on which workers may disagree, or draw by what they do."""
    facts = Facts.of(HEAD + textwrap.dedent(text))
    return sorted({f.line - HEAD.count("\n") for f in workers_disagree(facts)})


@pytest.mark.parametrize(
    "text",
    [
        "step(1)",
        "for x in ds:\n    step(x)",
        "for epoch in range(args.epochs):\n    for x in ds:\n        step(x)",
        "for i, x in enumerate(ds):\n    if i >= FLAGS.steps:\n        break\n    step(x)",
        "class T:\n    def __init__(self):\n        self.n = 0\n    def go(self):\n        while self.n < 9:\n"
        "            self.n += 1\n            step(self.n)\nT().go()",
        "n = 0\nwhile n < len(data) // args.batch:\n    step(n)\n    n += 1",
        "if args.train:\n    step(1)",
        "if __name__ == '__main__':\n    step(1)",
        "def main(train=True):\n    if train:\n        step(1)\nmain()",
        "while True:\n    try:\n        x = next(it)\n    except StopIteration:\n        break\n    step(x)",
        "for x in ds:\n    loss = step(x)\n    if loss < 1:\n        print(loss)",
        "for x in ds:\n    step(x)\n    if random.random() < 1:\n        continue\n    print(x)",
        "for x in ds:\n    for y in x:\n        if y:\n            break\n    step(x)",
        "for x in ds:\n    counter.assign_add(1)\n    if int(counter) % 4 == 0:\n        step(x)",
        "for x in ds:\n    if opt.iterations > 100:\n        break\n    step(x)",
        "for x in ds:\n    step(x)\n    if np.isnan(x):\n        raise ValueError",
        "def f():\n    step(1)\n    if time.time() > 3:\n        return\n    print(1)\nf()",
        "if random.random() < 0.5:\n    print(1)\nstep(1)",
        "seen = []\nfor e in range(9):\n    step(e)\n    seen.append(e)\n    if max(seen) > 5:\n        break",
        "for lr in [0.1, 0.2]:\n    if lr > 0.1:\n        step(lr)",
        "seen = []\nfor x in ds:\n    seen.append(x)\n    if len(seen) == 4:\n        step(seen)\n        seen.clear()",
        "n = 0\nfor x in ds:\n    n += 1\n    if n % 4 == 0:\n        step(x)",
    ],
)
def test_shared_decisions_are_fine(text: str) -> None:
    assert lines(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("for x in ds:\n    loss = step(x)\n    if loss < 1:\n        break", [4]),
        ("while step(1) > 0.1:\n    pass", [1]),
        ("loss = 9\nwhile loss > 0.1:\n    loss = step(1)", [2]),
        ("for x in ds:\n    if tf.reduce_sum(x) > 0:\n        step(x)", [2]),
        ("for x in ds:\n    if x > 0:\n        continue\n    step(x)", [3]),
        (
            "t = time.time()\nfor x in ds:\n    if time.time() - t > 60:\n        break\n    step(x)",
            [4],
        ),
        ("def f():\n    if random.random() < 0.5:\n        return\n    step(1)\nf()", [2]),
        (
            "for e in range(9):\n    losses = []\n    for x in ds:\n        losses.append(step(x))\n"
            "    if np.mean(losses) < 1:\n        break",
            [6],
        ),
        ("def f(train):\n    if train:\n        step(1)\nrun(f)", [2]),
        ("def f(x):\n    step(x)\nfor x in ds:\n    if x > 0:\n        f(x)", [4]),
        ("for x in ds:\n    y = step(x) if x > 0 else 0", [2]),
        ("for x in ds:\n    counter.assign(x)\n    if counter > 4:\n        step(x)", [3]),
        (
            "from collections import deque\nclass Memory:\n    def __init__(self):\n        self.kept = deque()\n"
            "    def put(self, x):\n        self.kept.append(x)\n    def size(self):\n        return len(self.kept)\n"
            "memory = Memory()\nfor e in range(9):\n    done = False\n    while not done:\n        x, done = env.step()\n"
            "        memory.put(x)\n    if memory.size() > 4:\n        step(memory)",
            [15],
        ),
        (
            "n = 0\nfor e in range(9):\n    while random.random() < 0.5:\n        n += 1\n    if n > 4:\n        step(n)",
            [3],
        ),
        (
            "class Agent:\n    n = 0\n    def see(self):\n        self.n += 1\n    def learn(self):\n        if self.n < 4:\n"
            "            return\n        step(self.n)\nagent = Agent()\nfor e in range(9):\n"
            "    while random.random() < 0.5:\n        agent.see()\n    agent.learn()",
            [11],
        ),
        (
            "best = 9\nwait = 0\nfor e in range(9):\n    loss = step(e)\n    if loss < best:\n        wait = 0\n"
            "    else:\n        wait += 1\n    if wait > 3:\n        break",
            [10],
        ),
    ],
)
def test_a_decision_of_its_own_is_found(text: str, expected: list[int]) -> None:
    assert lines(text) == expected


def test_a_batch_hook_that_ends_the_training_by_its_batch_is_found() -> None:
    text = """\
    class Stop(tf.keras.callbacks.Callback):
        def {hook}(self, n, logs=None):
            if logs["loss"] > 3:
                self.model.stop_training = True
    """
    assert lines(text.format(hook="on_train_batch_end")) == [3]
    assert lines(text.format(hook="on_epoch_end")) == []
    assert lines(text.replace('logs["loss"] > 3', "n > 3").format(hook="on_train_batch_end")) == []
