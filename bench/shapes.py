"""Programs of any size, one shape each: what grows in them is one thing that real programs hold.

Every function returns a program that trains; its number says how often the thing is there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Callable, NamedTuple

HEAD = """\
import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import Dense, Input

x = np.zeros((1001, 8), "float32")
y = np.zeros((1001, 1), "float32")
"""
SEQUENTIAL = "tf.keras.Sequential([Dense(1)])"
MODEL = f"model = {SEQUENTIAL}\n"
COMPILE = 'model.compile(optimizer=tf.keras.optimizers.SGD(0.1), loss="mse")\n'
FIT = MODEL + COMPILE + "model.fit(x, y, batch_size=10, epochs=2)\n"


def _fitted(lines: Iterable[str]) -> str:
    """The lines before a `fit`."""
    return HEAD + "".join(lines) + FIT


def _piped(lines: Iterable[str]) -> str:
    """The lines between a dataset and the `fit` on it."""
    made = "def f(a, b):\n    return a * 0.5, b\n\n\n"
    made += "ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(10)\n"
    return HEAD + made + "".join(lines) + MODEL + COMPILE + "model.fit(ds, epochs=2)\n"


def plain_lines(number: int) -> str:
    """Constants bound to one name."""
    return _fitted(["a = 1\n"] * number)


def names_reassigned(number: int) -> str:
    """A text that is stripped again and again."""
    return _fitted(['s = " a "\n', *["s = s.strip()\n"] * number])


def pipeline_lines(number: int) -> str:
    """A pipeline of one line a step."""
    return _piped(["ds = ds.map(f)\n"] * number)


def pipeline_in_loops(number: int) -> str:
    """A pipeline that loops put together."""
    return _piped(["for turn in range(3):\n    ds = ds.map(f)\n"] * number)


def pipeline_in_ifs(number: int) -> str:
    """A pipeline whose steps are conditional."""
    return _piped([f"if len(x) > {n}:\n    ds = ds.map(f)\n" for n in range(number)])


def pipeline_chained(number: int) -> str:
    """A pipeline in one expression."""
    return _piped(["ds = ds", ".map(f)" * number, "\n"])


TAPE = """\
model_{n} = tf.keras.Sequential([Dense(1)])
optimizer_{n} = tf.keras.optimizers.SGD(0.1)
for step in range(9):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model_{n}(x) - y) ** 2)
    gradients = tape.gradient(loss, model_{n}.trainable_variables)
    optimizer_{n}.apply_gradients(zip(gradients, model_{n}.trainable_variables))
"""


def tape_loops(number: int) -> str:
    """Training loops by hand, each with an optimizer and a model of its own."""
    return HEAD + "".join(TAPE.format(n=n) for n in range(number))


def class_depth(number: int) -> str:
    """Models that each derive from the one before."""
    lines = ["class Net0(tf.keras.Model):\n    pass\n"]
    lines += [f"class Net{n}(Net{n - 1}):\n    pass\n" for n in range(1, number)]
    return HEAD + "".join(lines) + FIT.replace(SEQUENTIAL, f"Net{number - 1}()")


def callbacks_in_a_list(number: int) -> str:
    """A list of callbacks."""
    each = [f'    tf.keras.callbacks.CSVLogger("{n}.csv"),\n' for n in range(number)]
    return _fitted(["logs = [\n", *each, "]\n"]).replace("epochs=2", "epochs=2, callbacks=logs")


def files_opened(number: int) -> str:
    """Files that are written."""
    return _fitted(
        f'with open("{n}.txt", "w") as file:\n    file.write("a")\n' for n in range(number)
    )


def optimizers_in_a_loop(number: int) -> str:
    """Optimizers that a list holds and a loop goes over."""
    each = [f"    tf.keras.optimizers.SGD(0.{n + 1}),\n" for n in range(number)]
    loop = "for optimizer in optimizers:\n"
    body = [MODEL, 'model.compile(optimizer=optimizer, loss="mse")\n', "model.fit(x, y)\n"]
    return HEAD + "".join(
        ["optimizers = [\n", *each, "]\n", loop, *("    " + each for each in body)]
    )


def layers_called(number: int) -> str:
    """A functional model of one line a layer."""
    lines = ["i = h = Input((8,))\n", *["h = Dense(3)(h)\n"] * number]
    return _fitted(lines).replace(SEQUENTIAL, "tf.keras.Model(i, h)")


def models_fitted(number: int) -> str:
    """Models that are trained one after the other."""
    return HEAD + "".join(FIT.replace("model", f"model_{n}") for n in range(number))


def calls_in_a_chain(number: int) -> str:
    """Functions that each call the next one; the last one trains."""
    lines = [f"def f{n}():\n    return f{n + 1}()\n\n\n" for n in range(number)]
    last = "".join("    " + line for line in FIT.splitlines(keepends=True))
    return HEAD + "".join(lines) + f"def f{number}():\n{last}\n\nf0()\n"


def conditions(number: int) -> str:
    """Conditions beside each other."""
    return _fitted(f"if len(x) > {n}:\n    a = {n}\n" for n in range(number))


def elifs(number: int) -> str:
    """Branches of one condition."""
    each = (f"elif len(x) == {n}:\n    a = {n}\n" for n in range(number))
    return _fitted(["if len(x) > 2000:\n    a = 0\n", *each])


def decorators(number: int) -> str:
    """Functions that TensorFlow compiles."""
    return _fitted(f"@tf.function\ndef f{n}(a):\n    return a * {n}\n" for n in range(number))


def methods(number: int) -> str:
    """Methods of one model that call each other."""
    lines = ["class Net(tf.keras.Model):\n    def m0(self, a):\n        return a\n"]
    lines += [
        f"    def m{n}(self, a):\n        return self.m{n - 1}(a)\n" for n in range(1, number)
    ]
    return HEAD + "".join(lines) + FIT.replace(SEQUENTIAL, "Net()")


def saves(number: int) -> str:
    """A model that is saved again and again."""
    return _fitted([]) + "".join(f'model.save("{n}.keras")\n' for n in range(number))


class Shape(NamedTuple):
    """A kind of program; `largest` is the size at which the exponent is taken."""

    program: Callable[[int], str]
    largest: int


SHAPES = {
    shape.program.__name__.replace("_", " "): shape
    for shape in (
        Shape(plain_lines, 40_000),
        Shape(names_reassigned, 2_000),
        Shape(pipeline_lines, 1_000),
        Shape(pipeline_in_loops, 1_000),
        Shape(pipeline_in_ifs, 1_000),
        Shape(pipeline_chained, 1_000),
        Shape(tape_loops, 250),
        Shape(class_depth, 500),
        Shape(callbacks_in_a_list, 1_000),
        Shape(files_opened, 1_000),
        Shape(optimizers_in_a_loop, 1_000),
        Shape(layers_called, 1_000),
        Shape(models_fitted, 250),
        Shape(calls_in_a_chain, 1_000),
        Shape(conditions, 2_000),
        Shape(elifs, 2_000),
        Shape(decorators, 1_000),
        Shape(methods, 1_000),
        Shape(saves, 1_000),
    )
}
