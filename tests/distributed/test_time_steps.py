"""Cells that are run again over time: gradients as before, for a part of the memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from recomputed import ALONE, run

from distify.codemods.migrate import migrate

tf = pytest.importorskip("tensorflow")

# `before` is trained, too: its gradient comes through every step of the input.
PROGRAM = """\
import tensorflow as tf

L = tf.keras.layers
tf.keras.utils.set_random_seed(1)


class Cell(L.Layer):
    def __init__(self, units):
        super().__init__()
        self.given = L.Dense(units)
        self.kept = L.Dense(units, use_bias=False)

    def call(self, x, h):
        return tf.tanh(self.given(x) + self.kept(h))


before = L.Dense(16)
cell = {cell}


def network(x):
    x = before(x)
    h = tf.zeros([x.shape[0], 16])
    for t in range({count}):
        {step}
    return h


def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(network(x)))
    variables = before.trainable_variables + cell.trainable_variables
    return loss, tape.gradient(loss, variables)


{last}
optimizer = tf.keras.optimizers.SGD(0.1)


def train(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(network(x))
    optimizer.apply_gradients([(tape.gradient(loss, before.kernel), before.kernel)])
"""
OWN = ("Cell(16)", "h = cell(x[:, t], h)")
GRU = ("L.GRUCell(16, recurrent_activation=tf.sigmoid)", "h, _ = cell(x[:, t], [h])")
PLAIN = ("L.SimpleRNNCell(16)", "h, _ = cell(x[:, t, :], [h])")
COMPILED = "compiled = tf.function(step)"


def program(kind: tuple[str, str], count: str = "x.shape[1]", compiled: bool = False) -> str:
    cell, step = kind
    return PROGRAM.format(cell=cell, step=step, count=count, last=COMPILED if compiled else "")


def rewritten(text: str, recompute: str = "halves") -> str:
    found = migrate(text, ALONE._replace(recompute=recompute))
    assert not found.blocked, found.blocked
    assert "h = run_steps(" in found.after
    assert ("def run_step(" in found.after) == (COMPILED in text)
    return found.after


def step(text: str, steps: int) -> list[Any]:
    names = run(text)
    x = tf.constant(np.random.RandomState(0).normal(size=(4, steps, 8)).astype("float32"))
    names.network(x)  # so that all layers are built
    loss, gradients = getattr(names, "compiled", names.step)(x)
    return [loss.numpy(), *(g.numpy() for g in gradients)]


@pytest.mark.parametrize("recompute", ["halves", "sqrt"])
@pytest.mark.parametrize(
    ("kind", "steps", "count"),
    [(OWN, 1, "x.shape[1]"), (OWN, 7, "x.shape[1]"), (GRU, 12, "9"), (PLAIN, 16, "x.shape[1]")],
)
def test_eager_gradients_are_equal(
    kind: tuple[str, str], steps: int, count: str, recompute: str
) -> None:
    text = program(kind, count)
    for one, other in zip(step(text, steps), step(rewritten(text, recompute), steps)):
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-7 * np.abs(one).max())


@pytest.mark.parametrize(
    ("kind", "steps", "count"), [(OWN, 7, "x.shape[1]"), (GRU, 12, "9"), (PLAIN, 5, "5")]
)
def test_compiled_gradients_are_equal_within_rounding(
    kind: tuple[str, str], steps: int, count: str
) -> None:
    text = program(kind, count, compiled=True)
    for one, other in zip(step(text, steps), step(rewritten(text), steps)):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5 * np.abs(one).max())


MEASURE = """
import gc, json, sys
x = tf.random.normal([2048, 32, 16])
run = globals().get("compiled", step)
run(x), gc.collect()
memory = tf.config.experimental
memory.reset_memory_stats("CPU:0")
base = memory.get_memory_info("CPU:0")["current"]
kept = run(x)
print(json.dumps((memory.get_memory_info("CPU:0")["peak"] - base) / (2048 * 16 * 4)))
"""


def printed(text: str) -> Any:
    """What a program prints as JSON, run where the allocator counts what it gives."""
    environment = {**os.environ, "TF_CPU_ALLOCATOR_USE_BFC": "true", "TF_CPP_MIN_LOG_LEVEL": "3"}
    command = [sys.executable, "-c", text]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def peak(text: str) -> float:
    """The most that a step held, in states of the cell."""
    found: float = printed(text + MEASURE)
    return found


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_part_of_the_memory_is_enough(compiled: bool) -> None:
    text = program(GRU, compiled=compiled)
    assert peak(rewritten(text)) <= 0.25 * peak(text)


KEPT = """
import json
import tensorflow as tf

x = tf.ones([256, 1024])


def kept(activation):
    base = tf.config.experimental.get_memory_info("CPU:0")["current"]
    for _ in range(4):
        activation(x + x)
    return tf.config.experimental.get_memory_info("CPU:0")["current"] - base


print(json.dumps([kept(tf.sigmoid), kept(tf.keras.activations.sigmoid)]))
"""


def test_the_sigmoid_of_keras_2_keeps_what_it_was_given_for_ever_in_eager_mode() -> None:
    """Why halves once seemed to need more over time: a cell that runs more often leaks more."""
    own, of_keras = printed(KEPT)
    assert of_keras >= own + 4 * 256 * 1024 * 4
