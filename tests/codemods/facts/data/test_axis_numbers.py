"""How many axes arrays have, by what makes them."""

from __future__ import annotations

import pytest

from distify.codemods.facts.data.axis_numbers import axes_of

from .test_row_numbers import last


@pytest.mark.parametrize(
    ("text", "axes"),
    [
        ("3.0", 0),
        ("[1.0, 2.0]", 1),
        ("np.array([[1.0], [2.0]])", 2),
        ("[]", None),
        ("x", 2),
        ("-x * 2 + np.ones(3)", 2),
        ("x > 0.5", 2),
        ("x @ unknown", None),
        ("x[:, 0]", 1),
        ("x[:, :2]", 2),
        ("x[:50]", 2),
        ("x[:, None]", 3),
        ("x[..., np.newaxis]", None),
        ("x[order]", None),
        ("x.sum(axis=1)", 1),
        ("x.sum(1)", 1),
        ("x.sum(axis=1, keepdims=True)", 2),
        ("x.sum(axis=1, keepdims=keep)", None),
        ("x.sum()", None),
        ("x.astype('float32')", 2),
        ("x.reshape(-1, 1, 1)", 3),
        ("x.reshape((-1, 1))", 2),
        ("x.reshape(shape)", None),
        ("x.dot(x)", None),
        ("np.linspace(0, 1, 9)", 1),
        ("np.zeros(n)", 1),
        ("np.zeros(len(x))", 1),
        ("np.zeros((n, *more))", None),
        ("np.zeros(shape())", None),
        ("np.random.rand(*x.shape)", None),
        ("tf.one_hot(np.random.randint(0, 3, n), 3)", 2),
        ("np.expand_dims(x[:, 0], 1)", 2),
        ("np.sin(x)", 2),
        ("unknown(x)", None),
        ("make_moons(9)[1]", None),
    ],
)
def test_the_number_of_axes(text: str, axes: int | None) -> None:
    facts, values = last(text)
    assert axes_of(facts, values[0]) == axes


@pytest.mark.parametrize(
    ("made", "axes"),
    [
        ("a, b = make_moons(9)", (2, 1)),
        ("(a, b), _ = tf.keras.datasets.mnist.load_data()", (None, 1)),
        ("(a, b), _ = tf.keras.datasets.cifar10.load_data()", (None, 2)),
        ("a, _, b, _ = train_test_split(x, x[:, 0])", (2, 1)),
        ("a, b = unknown()", (None, None)),
    ],
)
def test_what_is_unpacked(made: str, axes: tuple[int | None, int | None]) -> None:
    facts, values = last(f"{made}\na, b")
    assert tuple(axes_of(facts, each) for each in values) == axes
