"""The closed list of layers that may be run twice says what the installed classes say."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

from distify.codemods.library import layers as table

tf = pytest.importorskip("tensorflow")

IMAGE = (2, 6, 6, 4)
SHAPES = {"1": (2, 6, 4), "2": IMAGE, "3": (2, 4, 4, 4, 2)}
MERGES = {"Add", "Subtract", "Multiply", "Average", "Maximum", "Minimum", "Concatenate"}
# What makes a class an instance, where nothing is not enough.
ARGUMENTS: dict[str, dict[str, Any]] = {
    "Dense": {"units": 3},
    "EinsumDense": {"equation": "abcd,de->abce", "output_shape": (6, 6, 3)},
    "GroupNormalization": {"groups": 2},
    "Activation": {"activation": "gelu"},
    "Reshape": {"target_shape": (-1,)},
    "Permute": {"dims": (2, 1, 3)},
    **{name: {"units": 4} for name in (*table.CELLS, "LSTMCell")},
    "MultiHeadAttention": {"num_heads": 2, "key_dim": 3},
}


def parameters(cls: type) -> list[str]:
    """The names that its constructor takes."""
    found = list(inspect.signature(cls.__init__).parameters.values())[1:]
    return [p.name for p in found if p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]


def dimensions(name: str) -> str:
    return next((digit for digit in "123" if f"{digit}D" in name), "2")


def made(name: str) -> Any:
    """A layer of the class."""
    more = ARGUMENTS.get(name, {})
    if "Conv" in name:
        more = {"kernel_size": 2, **({} if name.startswith("Depthwise") else {"filters": 3})}
    return getattr(tf.keras.layers, name)(**more)


def result(layer: Any, name: str, x: Any) -> Any:
    if name in (*table.CELLS, "LSTMCell"):
        x = tf.reshape(x, (-1, 4))
        states = [0.5 * x, 0.25 * x] if name == "LSTMCell" else [0.5 * x]
        return layer(x, states)[0]
    if name in MERGES:
        return layer([x, 2.0 * x])
    return layer(x, x) if name == "MultiHeadAttention" else layer(x)


@pytest.mark.parametrize("name", sorted(table.ACCEPTED))
def test_the_parameters_are_those_of_the_class(name: str) -> None:
    known = table.ACCEPTED[name].split()
    found = parameters(getattr(tf.keras.layers, name))
    assert found[: len(known)] == known
    assert set(found) - set(known) <= {"seed", "name", "trainable", "dtype"}


@pytest.mark.parametrize("name", sorted(table.ACCEPTED))
def test_a_second_run_gives_the_same_and_changes_nothing(name: str) -> None:
    tf.keras.utils.set_random_seed(1)
    shape = SHAPES[dimensions(name)]
    x = tf.constant(np.random.RandomState(0).normal(size=shape).astype("float32"))
    layer = made(name)
    result(layer, name, x)
    before = [v.numpy() for v in layer.variables]
    variables = layer.trainable_variables

    def gradients(run: Any) -> list[Any]:
        with tf.GradientTape() as tape:
            tape.watch(x)
            loss = tf.reduce_sum(tf.sin(run(x)))
        return [g.numpy() for g in tape.gradient(loss, [x, *variables])]

    kept = gradients(lambda x: result(layer, name, x))
    again = gradients(tf.recompute_grad(lambda x: result(layer, name, x)))
    for one, other in zip(kept, again):
        np.testing.assert_array_equal(one, other)
    assert not layer.non_trainable_variables
    assert not layer.losses
    assert not layer.updates
    for one, other in zip(before, layer.variables):
        np.testing.assert_array_equal(one, other.numpy())


def test_every_layer_that_draws_is_known_to() -> None:
    words = ("Dropout", "Noise", "Random")
    drawing = {name for name in dir(tf.keras.layers) if any(word in name for word in words)}
    assert drawing <= table.RANDOM


def test_no_layer_is_in_two_lists() -> None:
    assert not (table.STATEFUL | table.RANDOM) & set(table.ACCEPTED)


@pytest.mark.parametrize("name", sorted(table.PURE))
def test_every_function_is_there(name: str) -> None:
    found: Any = tf
    for part in name.split("."):
        found = getattr(found, part)
    assert callable(found)


@pytest.mark.parametrize("name", sorted(table.ACTIVATIONS))
def test_every_activation_is_one_of_keras(name: str) -> None:
    if name in ("leaky_relu", "relu6"):  # of tf.nn alone until Keras 3
        assert callable(getattr(tf.nn, name))
        return
    x = tf.reshape(tf.linspace(-3.0, 3.0, 8), (2, 4))
    first = tf.keras.activations.get(name)(x)
    np.testing.assert_array_equal(first, tf.keras.activations.get(name)(x))
