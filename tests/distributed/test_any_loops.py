"""Loops of any form, run again for their gradients: these are as before, in less memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from looped import LOOPS, program
from recomputed import ALONE, run
from test_time_steps import printed

from distify.codemods.migrate import migrate

tf = pytest.importorskip("tensorflow")

# What stands for the others where each is one more trace of a graph.
COMPILED = ["a clock", "a dictionary of states", "outputs of two states", "parts and outputs",
            "attention with a mask", "a sum", "a gradient through the steps"]  # fmt: skip
RATHER_SLOW = sorted(set(LOOPS) - set(COMPILED))


def rewritten(text: str, recompute: str = "", **numbers: int) -> str:
    found = migrate(text, ALONE._replace(recompute=recompute, **numbers))
    assert not found.blocked, found.blocked
    assert found.after != text
    return found.after


def gradients(text: str) -> list[Any]:
    """The loss and its gradients, for weights that are the same each time."""
    names = run(text)
    data = names.data
    names.cell(data[:, 0], [data[:, 1], data[:, 2]])
    names.gru(data[:, 0], [data[:, 1]])
    names.attention(data, data)
    for layer in (names.before, *names.dense):
        layer(data)
    draw = np.random.RandomState(0)
    for each in weights(names):
        each.assign(draw.normal(size=each.shape) * 0.4)
    loss, found = getattr(names, "compiled", names.step)()
    return [np.asarray(loss), *map(np.asarray, found)]


def weights(names: Any) -> list[Any]:
    layers = (names.cell, names.gru, names.attention, names.before, *names.dense)
    own = [each for layer in layers for each in layer.trainable_variables]
    return [names.w, names.v, *names.many, *own]


def are_equal(text: str, after: str) -> None:
    before = gradients(text)
    assert sum(np.abs(each).max() > 0 for each in before) > 1
    for one, other in zip(before, gradients(after)):
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-6 * np.abs(one).max())


@pytest.mark.parametrize("name", LOOPS)
def test_eager_gradients_are_equal(name: str) -> None:
    text = program(LOOPS[name])
    are_equal(text, rewritten(text))


@pytest.mark.parametrize(
    "name", [*COMPILED, *(pytest.param(each, marks=pytest.mark.slow) for each in RATHER_SLOW)]
)
def test_compiled_gradients_are_equal(name: str) -> None:
    text = program(LOOPS[name], compiled=True)
    are_equal(text, rewritten(text))


@pytest.mark.parametrize("name", ["a list", "outputs of two states", "parts and outputs"])
@pytest.mark.parametrize(
    ("recompute", "numbers"),
    [("sqrt", {}), ("binomial", {"snapshots": 2}), ("halves", {"base": 3})],
)
def test_every_schedule_gives_the_same_gradients(
    name: str, recompute: str, numbers: dict[str, int]
) -> None:
    text = program(LOOPS[name])
    are_equal(text, rewritten(text, recompute, **numbers))


# -- what would be wrong without its argument -----------------------------------------------------


def test_what_is_closed_over_gets_no_gradient_and_is_passed_on_for_that() -> None:
    """The counter-example: the same step, with the tensor that all steps read closed over."""
    text = program(LOOPS["a tensor that all steps read"])
    right = rewritten(text)
    head = "def one_step(u, state):\n        x, context = state\n"
    assert head in right
    wrong = right.replace(head, "def one_step(u, x):\n").replace("return x, context", "return x")
    wrong = wrong.replace("x, context = loop_halves(one_step, many, (x, context))",
                          "x = loop_halves(one_step, many, x)")  # fmt: skip
    before, kernel = gradients(text), -12
    assert np.abs(before[kernel]).max() > 0
    assert not np.allclose(gradients(wrong)[kernel], before[kernel], rtol=0.01)


# -- memory ---------------------------------------------------------------------------------------

MEASURE = """
import gc, json
data = tf.random.normal([1024, 64, 32])
w, v = (tf.Variable(tf.random.normal([32, 32]) * 0.1) for _ in range(2))
names = globals()
run = names.get("compiled", step)
run(), gc.collect()
memory = tf.config.experimental
memory.reset_memory_stats("CPU:0")
base = memory.get_memory_info("CPU:0")["current"]
kept = run()
print(json.dumps((memory.get_memory_info("CPU:0")["peak"] - base) / (1024 * 32 * 4)))
"""


def peak(text: str) -> float:
    """The most that a step of 64 held, in tensors that go from step to step."""
    found: float = printed(text + MEASURE)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "compiled"), [("while", True), ("a state by hand", True), ("a state by hand", False)]
)
def test_a_fifth_of_the_memory_is_enough_for_64_steps(name: str, compiled: bool) -> None:
    text = program(LOOPS[name].replace("i < 9", "i < 64"), compiled)
    assert peak(rewritten(text)) <= 0.2 * peak(text)
