"""How rates grow and how gradients travel, as a person chose it."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import ALREADY_HOROVOD, KEPT, LINEAR, ROOT, Options

MODEL = "import tensorflow as tf\n\nmodel = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
FIT = "model.fit(tf.ones((64, 2)), tf.ones((64, 1)))\n"
COMPILED = f'{MODEL}model.compile(tf.keras.optimizers.SGD(0.1), "mse")\n{FIT}'
BY_NAME = f'{MODEL}model.compile("sgd", "mse")\n{FIT}'
TAPE = f"""{MODEL}opt = tf.keras.optimizers.SGD(0.1)
data = tf.data.Dataset.from_tensor_slices(tf.ones((64, 2))).batch(8)
for x in data:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(grads, model.trainable_variables))
"""


@pytest.mark.parametrize("text", [COMPILED, BY_NAME, TAPE])
@pytest.mark.parametrize(
    ("rate", "there", "gone"),
    [
        (LINEAR, "* hvd.size()", "** 0.5"),
        (ROOT, "* hvd.size() ** 0.5", "\0"),
        (KEPT, "hvd.init()", "01 * hvd.size()"),
    ],
)
def test_rates_grow_as_was_chosen(text: str, rate: str, there: str, gone: str) -> None:
    after = migrate(text, Options(learning_rate=rate)).after
    assert there in after
    assert gone not in after.replace("0.1 *", "0.01 *")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (COMPILED, "DistributedOptimizer(optimizer, compression=hvd.Compression.fp16)"),
        (BY_NAME, "DistributedOptimizer(optimizer, compression=hvd.Compression.fp16)"),
        (TAPE, "DistributedGradientTape(tape, compression=hvd.Compression.fp16)"),
    ],
)
def test_gradients_travel_as_halves_where_that_was_chosen(text: str, line: str) -> None:
    assert line in migrate(text, Options(compression="fp16")).after
    assert "ompression" not in migrate(text, Options()).after


@pytest.mark.parametrize("text", [COMPILED, TAPE])
def test_so_do_those_of_keras_3(text: str) -> None:
    after = migrate(text, Options(tensorflow=(2, 20), compression="fp16")).after
    assert "hvd.allreduce(gra" in after
    assert after.count("compression=hvd.Compression.fp16") == 1
    assert max(map(len, after.splitlines())) <= 100


@pytest.mark.parametrize("text", [COMPILED, BY_NAME, TAPE])
@pytest.mark.parametrize("rate", [ROOT, KEPT])
def test_a_second_run_finds_nothing_to_do(text: str, rate: str) -> None:
    options = Options(learning_rate=rate, compression="fp16")
    again = migrate(migrate(text, options).after, options)
    assert (again.skipped, again.blocked) == (ALREADY_HOROVOD, ())
