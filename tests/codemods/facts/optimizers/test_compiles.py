"""The calls of `compile`, of `train_on_batch`, and what fixes the size of a batch."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.data.batch_needs import order_matters, size_is_fixed
from distify.codemods.facts.gradients.trained_models import batch_calls, batches, unplaced_batches
from distify.codemods.facts.optimizers.compiles import compiles

HEAD = """\
import tensorflow as tf
from tensorflow import keras


class Own(keras.Model):
    def train_step(self, data):
        pass

    def compile(self, optimizer):
        super().compile(optimizer)


class Asks(keras.Model):
    def train_step(self, data):
        return super().train_step(data)


class Looks(keras.Model):
    def train_step(self, data):
        return self.other.train_step(data)


model = keras.Sequential([])
"""
FIT = "\nmodel.fit(x)\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("model.compile('sgd', 'mse')", ("'sgd'", False, False)),
        ("model.compile(loss='mse', optimizer=opt)", ("opt", False, False)),
        ("model.compile(loss='mse')", (None, False, False)),
        ("keras.Model(a, b).compile('sgd')", ("'sgd'", False, False)),
        ("Own().compile('sgd')", ("'sgd'", True, True)),
        ("own = Own()\nown.compile('sgd')", ("'sgd'", True, True)),
        ("own = Own() if a else model\nown.compile('sgd')", ("'sgd'", False, True)),
        ("for m in (Own(), model):\n    m.compile('sgd')", ("'sgd'", False, True)),
        (
            "def f(m):\n    m.compile('sgd')\n\n\nf(Looks())\nf(keras.Sequential([]))",
            ("'sgd'", False, False),
        ),
        ("Asks().compile('sgd')", ("'sgd'", False, False)),
        ("Looks().compile('sgd')", ("'sgd'", True, False)),
        *(
            (f"thing.compile('sgd', {word}=a)", ("'sgd'", False, False))
            for word in ("loss", "metrics", "loss_weights", "weighted_metrics")
        ),
        ("thing.compile(optimizer='sgd')", ("'sgd'", False, False)),
    ],
)
def test_a_compile_of_a_model(text: str, expected: tuple[str | None, bool, bool]) -> None:
    found = [c for c in compiles(Facts.of(HEAD + text + FIT)) if c.call.lineno > 20]
    optimizers = [c.optimizer and ast.unparse(c.optimizer) for c in found]
    assert optimizers == [expected[0]]
    assert (found[0].own_step, found[0].own_signature) == expected[1:]


@pytest.mark.parametrize(
    "text",
    ["thing.compile('sgd')", "thing.compile(pattern=a)", "import re\nre.compile(a, loss=b)",
     "super().compile('sgd')", "tf.data.Dataset.range(9).compile(loss='mse')"],
)  # fmt: skip
def test_other_calls_of_that_name(text: str) -> None:
    assert [c for c in compiles(Facts.of(HEAD + text + FIT)) if c.call.lineno > 20] == []


def test_a_program_that_keras_does_not_train_compiles_nothing() -> None:
    assert list(compiles(Facts.of(HEAD + "model.compile('sgd')\nmodel.predict(x)\n"))) == []


LOOP = "for x in a:\n    model.train_on_batch(x)\n"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (LOOP, [2]),
        ("while a:\n    loss = model.train_on_batch(x)\n", [2]),
        ("def f():\n    for e in a:\n        for x in e:\n            model.train_on_batch(x)\n", [4]),
        ("for x in a:\n    model.train_on_batch(x)\n    model.train_on_batch(x)\n", [2]),
        ("for x in a:\n    model.train_on_batch(x)\n    if b:\n        model.train_on_batch(x)\n", [2]),
        ("for x in a:\n    if b:\n        model.train_on_batch(x)\n    model.train_on_batch(x)\n", [3, 4]),
        (LOOP * 2, [2, 4]),
        ("other = keras.Model()\nfor x in a:\n    model.train_on_batch(x)\n    other.train_on_batch(x)\n",
         [3, 4]),
    ],
)  # fmt: skip
def test_the_first_call_of_each_model_in_each_loop(text: str, lines: list[int]) -> None:
    facts = Facts.of(HEAD + text)
    found = batches(facts)
    assert sorted(b.call.lineno - HEAD.count("\n") for b in found) == lines
    assert list(unplaced_batches(facts)) == []
    assert all(
        isinstance(b.loop, (ast.For, ast.While)) and b.loop.col_offset in (0, 4) for b in found
    )


@pytest.mark.parametrize(
    "text",
    [
        "model.train_on_batch(x)",
        "for x in a:\n    keras.Model().train_on_batch(x)",
        "for x in a:\n    f(g(model.train_on_batch(x)) if b else 0)",
        "for x in a:\n    def f():\n        model.train_on_batch(x)",
    ],
)
def test_a_call_of_which_nobody_knows_when_it_is_the_first(text: str) -> None:
    facts = Facts.of(HEAD + text)
    assert batches(facts) == []
    assert list(unplaced_batches(facts)) == list(batch_calls(facts)) != []


@pytest.mark.parametrize(
    "text", ["thing.train_on_batch(x)", "model.fit(x)", "model.test_on_batch(x)"]
)
def test_no_training_on_batches(text: str) -> None:
    assert list(batch_calls(Facts.of(HEAD + text))) == []


@pytest.mark.parametrize(
    ("text", "matters"),
    [
        ("keras.layers.LSTM(9, stateful=True)", True),
        ("keras.layers.LSTM(9, stateful=s)", True),
        ("keras.layers.LSTM(9, stateful=False)", False),
        ("keras.layers.LSTM(9, unroll=True)", False),
    ],
)
def test_whether_the_order_of_batches_matters(text: str, matters: bool) -> None:
    assert order_matters(Facts.of(HEAD + text)) is matters


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ("keras.Input(3, batch_size=32)", True),
        ("keras.Input(3, batch_size=None)", False),
        ("keras.layers.Dense(1, batch_input_shape=(32, 3))", True),
        ("keras.layers.Dense(1, batch_input_shape=(None, 3))", False),
        ("keras.layers.Dense(1, batch_input_shape=[None, 3])", False),
        ("keras.layers.InputLayer(batch_shape=shape)", True),
        ("keras.layers.InputLayer(batch_shape=(b, 3))", True),
        ("keras.layers.Dense(1, input_shape=(32, 3))", False),
        ("loader(batch_size=32)", False),
        ("keras.layers.Dense(1)\nkeras.Input(3, batch_size=32)", True),
    ],
)
def test_whether_the_size_of_a_batch_is_fixed(text: str, fixed: bool) -> None:
    assert size_is_fixed(Facts.of(HEAD + text)) is fixed
