"""Layers that draw or keep averages, run again: one mask in a step, and averages moved once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from looped import program as looped
from recomputed import ALONE, run

from distify.codemods.migrate import migrate

tf = pytest.importorskip("tensorflow")

X = np.random.RandomState(0).normal(size=(16, 8)).astype("float32")
PROGRAM = """\
import tensorflow as tf

L = tf.keras.layers
tf.keras.utils.set_random_seed(1)


class Block(L.Layer):
    def __init__(self):
        super().__init__()
        self.dense = L.Dense(8, activation="tanh")
        self.norm = L.BatchNormalization()
        self.other = {other}

    def call(self, x, training=None):
        return x + self.other(self.norm(self.dense(x)), training=training)


{model}


def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - x))
    return loss, tape.gradient(loss, model.trainable_variables)


optimizer = tf.keras.optimizers.SGD(0.1)


def train(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x, training=True))
    weights = model.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
"""
COMPILED = "\n\ncompiled = tf.function(step)\n"
MODELS = {
    "a loop": """\
class Network(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.blocks = [Block() for _ in range(7)]

    def call(self, x, training=None):
        for block in self.blocks:
            x = block(x)
        return x


model = Network()""",
    "Sequential": """\
model = tf.keras.Sequential([L.Dense(8), *[Block() for _ in range(5)], {other}, L.Dense(8)])""",
    "a functional model": """\
x = inputs = tf.keras.Input([8])
for _ in range(5):
    x = L.BatchNormalization()(L.Dense(8, activation="tanh")(x))
    x = {other}(x)
model = tf.keras.Model(inputs, x)""",
}
NOTHING = 'L.Activation("linear")'


def program(model: str, other: str, compiled: bool = False) -> str:
    text = PROGRAM.format(model=MODELS[model].format(other=other), other=other)
    return text + (COMPILED if compiled else "")


def rewritten(text: str, recompute: str = "halves") -> str:
    found = migrate(text, ALONE._replace(recompute=recompute))
    assert not found.blocked, found.blocked
    assert "run_again(lambda " in found.after
    return found.after


@contextmanager
def nothing_run_again(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What TensorFlow gives if it keeps everything: the same draws, each of them once."""
    with monkeypatch.context() as patched:
        patched.setattr(tf, "recompute_grad", lambda function: function)
        yield


def step(text: str) -> tuple[list[Any], list[Any]]:
    """Loss and gradients, and what the layers keep besides their weights."""
    names = run(text)
    names.model(tf.constant(X))
    tf.random.set_seed(3)
    loss, gradients = getattr(names, "compiled", names.step)(tf.constant(X))
    kept = [v.numpy() for v in names.model.non_trainable_variables]
    return [loss.numpy(), *(g.numpy() for g in gradients)], kept


def are_close(one: list[Any], other: list[Any]) -> None:
    assert len(one) == len(other) > 0
    for a, b in zip(one, other):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6 * max(1.0, np.abs(a).max()))


# Tracing takes long: compiled, one test stands for the others.
each_mode = pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.slow)])


@each_mode
@pytest.mark.parametrize("other", ["L.Dropout(0.5)", "L.GaussianNoise(0.5)"])
@pytest.mark.parametrize("model", MODELS)
def test_gradients_are_those_of_the_numbers_that_were_drawn(
    model: str, other: str, compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = rewritten(program(model, other, compiled))
    with nothing_run_again(monkeypatch):
        gradients, averages = step(text)
    for one, found in zip((gradients, averages), step(text)):
        are_close(one, found)


@each_mode
@pytest.mark.parametrize("model", MODELS)
def test_averages_are_moved_as_by_the_program_as_it_is_written(model: str, compiled: bool) -> None:
    text = program(model, NOTHING, compiled)
    before, after = step(text), step(rewritten(text))
    for one, other in zip(before, after):
        are_close(one, other)


@pytest.mark.parametrize("recompute", ["sqrt", "binomial"])
def test_every_schedule_draws_the_same_again(
    recompute: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = rewritten(program("a loop", "L.Dropout(0.5)"), recompute)
    with nothing_run_again(monkeypatch):
        gradients, averages = step(text)
    for one, found in zip((gradients, averages), step(text)):
        are_close(one, found)


def test_without_the_repair_the_gradient_is_that_of_another_mask(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The counter-example: the same program with layers that know nothing."""
    text = rewritten(program("a loop", "L.Dropout(0.5)"))
    text = text.replace("SameDropout(0.5)", "L.Dropout(0.5)")
    text = text.replace("OnceBatchNormalization()", "L.BatchNormalization()")
    with nothing_run_again(monkeypatch):
        right, averages = step(text)
    wrong, moved = step(text)
    assert right[0] == pytest.approx(wrong[0], rel=1e-5)  # nothing to be seen
    assert any(not np.allclose(a, b, rtol=1e-3, atol=1e-5) for a, b in zip(right, wrong))
    assert any(not np.allclose(a, b, rtol=1e-3, atol=1e-5) for a, b in zip(averages, moved))


def test_each_step_and_each_layer_draws_anew_and_nothing_is_dropped_where_nothing_trains() -> None:
    names = run(rewritten(program("a loop", "L.Dropout(0.5)")))
    x = tf.constant(X)
    one, other, plain, again = (names.model(x, training=t) for t in (True, True, False, False))
    assert not np.allclose(one, other, atol=1e-3)
    np.testing.assert_array_equal(plain, again)
    part = names.run_again(lambda x: (names.SameDropout(0.5)(x, training=True),
                                      names.SameDropout(0.5)(x, training=True)))  # fmt: skip
    first, second = part(tf.ones([64, 8]))
    assert not np.array_equal(first, second)
    assert 0.3 < float(tf.reduce_mean(tf.cast(first == 0.0, tf.float32))) < 0.7


DRAWS = """
    drop = L.Dropout(0.3)
    x = x[:, 0]
    for u in many:
        x = tf.nn.dropout(tf.tanh(tf.matmul(x, u)), 0.1)
        x = x + tf.random.normal(tf.shape(x), stddev=0.1) * x
        x = drop(x * tf.random.uniform(tf.shape(x), 0.5, maxval=1.5), training=True)
    return x"""


@pytest.mark.parametrize("compiled", [False, True])
def test_draws_of_a_step_are_the_same_again(
    compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = rewritten(looped(DRAWS.replace(", 0.5, ", ", minval=0.5, "), compiled))

    def gradients() -> list[Any]:
        names = run(text)
        names.attention(names.data, names.data)
        for layer in (names.before, *names.dense):
            layer(names.data)
        names.cell(names.data[:, 0], [names.data[:, 1], names.data[:, 2]])
        names.gru(names.data[:, 0], [names.data[:, 1]])
        tf.random.set_seed(3)
        loss, found = getattr(names, "compiled", names.step)()
        return [np.asarray(loss), *map(np.asarray, found)]

    with nothing_run_again(monkeypatch):
        right = gradients()
    assert sum(np.abs(each).max() > 0 for each in right) > 7
    are_close(right, gradients())
