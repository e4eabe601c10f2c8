"""T02: each further kind of loop by one optimizer is named once, with the lines to move."""

from __future__ import annotations

import re

import pytest

from distify.codemods.migrate import migrate

HEAD = """\
import numpy as np
import tensorflow as tf

x, y = np.ones((8, 4)), np.ones((8, 1))
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
"""
FIT = "model.fit(x, y)\n"
TAPE = """\
opt = model.optimizer
for a in tf.data.Dataset.from_tensor_slices(x).batch(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(a))
    g = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(g, model.trainable_variables))
"""
AGAIN = "opt.minimize(lambda: model(x), model.trainable_variables)\n"
ESTIMATOR = "est = tf.estimator.Estimator(f)\nest.train(f)\n"


def inside(text: str, name: str) -> str:
    body = "".join(f"    {line}\n" for line in text.splitlines())
    return f"def {name}():\n{body}\n\n{name}()\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (FIT + TAPE, [(7, "GradientTape", "Keras", "lines 3 to 7")]),
        (TAPE + FIT, [(7, "Keras", "GradientTape", "line 7")]),
        (TAPE + FIT + FIT, [(7, "Keras", "GradientTape", "line 7")]),
        (FIT + TAPE + AGAIN, [(7, "GradientTape", "Keras", "lines 3 to 7")]),
        (FIT + inside(TAPE, "go"), [(8, "GradientTape", "Keras", "`go` (lines 2 to 8)")]),
        (inside(TAPE, "go") + inside(FIT, "on"), [(12, "Keras", "GradientTape", "`on` (lines 11 to 12)")]),
        (TAPE + "def on(): model.fit(x, y)\n\n\non()\n", [(7, "Keras", "GradientTape", "`on` (line 7)")]),
        (
            FIT + TAPE + ESTIMATOR,
            [(7, "GradientTape", "Keras", "lines 3 to 7"), (8, "Estimator", "Keras", "line 8")],
        ),
    ],
)  # fmt: skip
def test_every_further_kind_is_named_once(
    text: str, expected: list[tuple[int, str, str, str]]
) -> None:
    found = [each for each in migrate(HEAD + text).blocked if each.code == "T02"]
    assert [each.line - HEAD.count("\n") for each in found] == [line for line, *_ in expected]
    for each, (_, kind, first, where) in zip(found, expected):
        assert each.message == f"this trains with {kind}, while the file also trains with {first}"
        where = re.sub(r"\d+", behind_head, where)
        assert f", or move {where} to another file" in each.fix


def behind_head(line: re.Match[str]) -> str:
    return str(int(line[0]) + HEAD.count("\n"))


@pytest.mark.parametrize("text", [FIT, FIT + FIT, TAPE, TAPE + AGAIN])
def test_one_kind_is_fine(text: str) -> None:
    assert "T02" not in [each.code for each in migrate(HEAD + text).blocked]
