"""All workers together take the batch of one process, where that is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import ALREADY_HOROVOD, Options

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
ASKED = Options(batch="global")
HEAD = """\
import numpy as np
import tensorflow as tf

x, y = np.ones((64, 2), "float32"), np.ones((64, 1), "float32")
BATCH = 16
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.1)
"""
FIT = HEAD + 'model.compile(opt, "mse")\nmodel.fit({})\n'
DATA = "tf.data.Dataset.from_tensor_slices((x, y))"
LOOP = """\


def step(a, b):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(a) - b))
    gradients = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(gradients, model.trainable_variables))


for epoch in range(3):
    for a, b in {}:
        step(a, b)
"""


def migrated(text: str) -> str:
    found = migrate(text, ASKED)
    assert not found.blocked, found.blocked
    for options in (ASKED, Options()):  # also where nobody says it any more
        assert migrate(found.after, options).skipped == ALREADY_HOROVOD
    return found.after


def refused(text: str) -> str:
    found = migrate(text, ASKED)
    assert found.after == text
    return "\n".join(f"{each.code} {each.message}" for each in found.blocked)


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ("x, y", "batch_size=own_rows(32)"),
        ("x, y, batch_size=None", "batch_size=own_rows(32)"),
        ("x, y, batch_size=BATCH", "batch_size=own_rows(BATCH)"),
        ("x, y, BATCH", "own_rows(BATCH)"),
        (f"{DATA}.batch(BATCH)", ".batch(own_rows(BATCH))"),
        (f"{DATA}.shuffle(64).batch(BATCH).prefetch(1)", ".batch(own_rows(BATCH))"),
        (f"{DATA}.batch(batch_size=BATCH, drop_remainder=True)", "batch_size=own_rows(BATCH)"),
        (f"{DATA}.shuffle(64).repeat().batch(BATCH), steps_per_epoch=4", "own_rows(BATCH)"),
        (f"{DATA}.batch(BATCH).take(3)", ".batch(own_rows(BATCH))"),
        (f"{DATA}.batch(BATCH).map(lambda a, b: (a / 2.0, b))", ".batch(own_rows(BATCH))"),
        (f"{DATA}.map(lambda a, b: (tf.roll(a, 1, 0), b)).batch(BATCH)", ".batch(own_rows(BATCH))"),
        (f"{DATA}.batch(BATCH).unbatch().batch(4)", ".batch(own_rows(4))"),
    ],
)
def test_rows_that_fit_takes_are_divided(given: str, line: str) -> None:
    text = migrated(FIT.format(given))
    assert line in text
    assert "SGD(0.1)" in text  # the rate stays
    assert "// hvd.size()" in text
    for count in ("steps_per_epoch=4", ".take(3)"):
        assert (count in text) == (count in given)  # and so do the steps


@pytest.mark.parametrize(
    "data", [f"{DATA}.batch(BATCH)", f"{DATA}.shuffle(64).batch(BATCH).take(3)"]
)
def test_rows_that_a_loop_takes_are_divided(data: str) -> None:
    text = migrated(HEAD + LOOP.format(data))
    assert ".batch(own_rows(BATCH))" in text
    assert "SGD(0.1)" in text
    assert (".take(3)" in text) == (".take(3)" in data)


SLICED = """
for epoch in range(3):
    for i in range(0, len(x), BATCH):
        a, b = x[i : i + BATCH], y[i : i + BATCH]
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(a) - b))
        gradients = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(gradients, model.trainable_variables))
"""
ROUNDS = """
steps = len(x) // BATCH
for epoch in range(3):
    order = np.random.permutation(len(x))
    for i in range(steps):
        pick = order[i * BATCH : (i + 1) * BATCH]
        a, b = x[pick], y[pick]
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(a) - b))
        gradients = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(gradients, model.trainable_variables))
        if i % 10 == 0:
            print(i, float(loss))
"""


@pytest.mark.parametrize(
    ("loop", "lines"),
    [
        (
            SLICED,
            ["range(0, len(x), own_batch)", "x[i : i + own_batch], y[i : i + own_batch]"],
        ),
        (
            SLICED.replace("len(x),", "len(x) - BATCH + 1,"),
            ["range(0, len(x) - own_batch + 1, own_batch)"],
        ),
        (
            ROUNDS,
            ["steps = len(x) // own_batch", "order[i * own_batch : (i + 1) * own_batch]"],
        ),
    ],
)
def test_rows_of_slices_go_by_a_number_of_their_own(loop: str, lines: list[str]) -> None:
    text = migrated(HEAD + loop)
    for line in ("own_batch = own_rows(BATCH)", "BATCH = 16", "SGD(0.1)", *lines):
        assert line in text


@pytest.mark.parametrize(
    ("loop", "words"),
    [
        (SLICED.replace("BATCH]", "16]"), "nobody can tell which number"),
        (SLICED.replace("        with", "        print(i)\n        with"), "which number"),
        (SLICED.replace("model(a) - b", "model(a) - b + tf.zeros((BATCH, 1))"), "a whole batch"),
        (SLICED.replace("model(a) - b", "model(a[a > 0]) - b"), "L03"),
    ],
)
def test_numbers_that_nobody_can_tell_apart_are_refused(loop: str, words: str) -> None:
    assert words in refused(HEAD + loop)


def test_a_step_over_all_of_the_data_computes_the_same_on_all() -> None:
    loop = SLICED.replace("    for i in range(0, len(x), BATCH):\n", "    if True:\n")
    text = migrated(HEAD + loop.replace("[i : i + BATCH]", ""))
    assert "own_rows" not in text
    assert "SGD(0.1)" in text


def test_another_use_of_the_number_is_of_the_whole_batch() -> None:
    text = HEAD + 'model.compile(opt, "mse")\n'
    text += f"data = {DATA}.repeat().batch(BATCH)\n"
    text += "model.fit(data, steps_per_epoch=len(x) // BATCH)\n"
    assert "steps_per_epoch=len(x) // BATCH" in migrated(text)


def test_the_name_is_one_that_the_program_does_not_have() -> None:
    text = FIT.format("x, y").replace("BATCH = 16", "own_rows = 16")
    assert "batch_size=own_rows_1(32)" in migrated(text)


def test_all_of_the_data_in_a_step_is_a_whole_batch_already() -> None:
    text = migrated(FIT.format("x, y, batch_size=len(x)"))
    assert "own_rows" not in text
    assert "SGD(0.1)" in text


@pytest.mark.parametrize("text", [FIT.format("x, y"), HEAD + LOOP.format(f"{DATA}.batch(BATCH)")])
def test_without_the_setting_nothing_changes(text: str) -> None:
    assert migrate(text) == migrate(text, Options(batch="worker"))
    assert "SGD(0.1 * hvd.size())" in migrate(text).after
    assert "own_rows" not in migrate(text).after


def test_a_program_that_is_horovod_stays_as_it_is() -> None:
    text = migrate(FIT.format("x, y")).after
    assert migrate(text, ASKED).skipped == ALREADY_HOROVOD


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (FIT.format("x, y, steps_per_epoch=4"), "`steps_per_epoch` says how large"),
        (FIT.format(f"{DATA}.padded_batch(BATCH)"), "padded to their longest row"),
        (FIT.format("x, y, **options"), "L03"),
        (FIT.format(f"{DATA}.batch(BATCH).map(lambda a, b: (tf.roll(a, 1, 0), b))"), "each row"),
        (
            FIT.format(f"{DATA}.batch(BATCH).map(lambda a, b: (a - tf.reduce_mean(a), b))"),
            "couples",
        ),
        (FIT.replace("fit({})", "train_on_batch(x, y)"), ""),
        (HEAD + LOOP.format("zip([x], [y])"), "nobody sees which rows"),
    ],
)
def test_rows_that_nobody_sees_are_refused(text: str, words: str) -> None:
    assert words in refused(text)


@pytest.mark.parametrize(
    ("layers", "words"),
    [
        ("tf.keras.layers.BatchNormalization()", "normalises by its own part"),
        ("tf.keras.layers.Dropout(0.5)", "draws for its own part"),
    ],
)
def test_what_gives_other_numbers_is_noted(layers: str, words: str) -> None:
    text = FIT.format("x, y, shuffle=False").replace("([tf", f"([{layers}, tf")
    notes = migrate(text, ASKED).notes
    assert words in "\n".join(each.message for each in notes if each.code == "D109")
    assert not [each for each in migrate(text).notes if each.code == "D109"]


def test_a_shuffle_of_own_rows_is_noted() -> None:
    for given, is_told in (("x, y", True), ("x, y, shuffle=False", False)):
        notes = [each.message for each in migrate(FIT.format(given), ASKED).notes]
        assert any("shuffles its own rows" in each for each in notes) is is_told
