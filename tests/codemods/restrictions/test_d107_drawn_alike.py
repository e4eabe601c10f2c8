"""Examples that all workers draw alike, as one seed is given to all of them."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Finding, Options

HEAD = """\
import random
import numpy as np
import tensorflow as tf
import pylib

net = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.1)
"""
LOOP = """\
for n in range(9):
    x = {}
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(net(x) ** 2)
    opt.apply_gradients(zip(tape.gradient(loss, net.weights), net.weights))
"""
NORMAL = LOOP.format("tf.random.normal([8, 2])")
SEED = "tf.random.set_seed(4)\n"
ALIKE = {
    SEED + NORMAL: "tf.random.set_seed(4 + hvd.rank())",
    "s = 4\ntf.keras.utils.set_random_seed(s)\n" + NORMAL: "set_random_seed(s + hvd.rank())",
    "np.random.seed(4)\n" + LOOP.format("np.random.rand(8, 2)"): "np.random.seed(4 + hvd.rank())",
}
NOT_ALIKE = [
    NORMAL,
    "np.random.seed(4)\n" + NORMAL,
    SEED + LOOP.format("np.random.rand(8, 2)"),
    SEED + LOOP.format("pylib.batch()"),
    SEED + LOOP.format("pylib.x[tf.random.uniform([8], maxval=64, dtype=tf.int32)]"),
    SEED
    + "data = tf.data.Dataset.range(64).batch(8)\nfor x in data:\n"
    + NORMAL.partition("\n")[2],
]
WITH_ORDERS = [
    "order = tf.random.shuffle(pylib.names)\n",
    "names = tf.data.Dataset.list_files('*.csv')\n",
]


def notes(text: str) -> list[Finding]:
    migration = migrate(HEAD + text)
    return [n for n in migration.notes if "draws the same examples" in n.message]


@pytest.mark.parametrize("text", NOT_ALIKE)
def test_what_is_read_or_unseeded_is_not_drawn_alike(text: str) -> None:
    assert not notes(text)


@pytest.mark.parametrize("text", ALIKE)
def test_a_seed_of_its_own_is_offered_where_nothing_depends_on_it(text: str) -> None:
    (found,) = notes(text)
    assert ALIKE[text] in found.fix
    assert "scaled rate is too large" in found.message
    after = migrate(HEAD + text).after
    seeded = next(line for line in text.splitlines() if "seed(" in line)
    mended = after.replace(seeded, found.fix.split("`")[1])
    assert mended != after
    assert not migrate(mended).blocked


@pytest.mark.parametrize("order", WITH_ORDERS)
def test_a_seed_that_orders_depend_on_stays(order: str) -> None:
    (found,) = notes(SEED + order + NORMAL)
    assert "set_seed" not in found.fix
    assert "np.random.default_rng(hvd.rank())" in found.fix


FLOWS = """def batches(x, seed=4):
    made = tf.keras.preprocessing.image.ImageDataGenerator()
    return zip(made.flow(x, {}), made.flow(x, {}))


net.compile("sgd", "mse")
net.fit(batches(pylib.x), steps_per_epoch=2)
"""
BY_THEIR_OWN = {
    "a draw in each step": (LOOP.format("tf.random.normal([8, 2], seed=4)"), "seed=4"),
    "generators of Keras": (FLOWS.format("seed=seed", "seed=seed"), "seed=seed"),
}
UNSEEDED = [
    LOOP.format("tf.random.normal([8, 2], seed=None)"),
    FLOWS.format("batch_size=8", "batch_size=8"),
    # it is shared out
    "x = tf.random.normal([8, 2], seed=4)\nnet.compile('sgd', 'mse')\nnet.fit(x, x)\n",
]


@pytest.mark.parametrize("text", UNSEEDED)
def test_no_seed_of_a_draw_is_to_blame(text: str) -> None:
    assert not notes(text)


@pytest.mark.parametrize("name", BY_THEIR_OWN)
def test_the_seed_of_a_draw_itself_is_to_blame(name: str) -> None:
    text, seed = BY_THEIR_OWN[name]
    (found,) = notes(text)
    assert found.fix.startswith(f"write `{seed} + hvd.rank()` in the migrated file")
    after = migrate(HEAD + text).after
    mended = after.replace(seed, found.fix.split("`")[1])
    assert mended != after
    assert not migrate(mended).blocked


GENERATOR = """\
import keras
import numpy as np
import tensorflow as tf

x = np.load("x.npy")
noise = keras.random.SeedGenerator({})


class Noisy(keras.Model):
    def call(self, inputs):
        return self.dense(inputs + keras.random.normal((8, 4), seed=noise))


model = keras.Sequential([keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, x)
"""


@pytest.mark.parametrize(("seed", "lines"), [("11", [6]), ("seed=3", [6]), ("", []), ("None", [])])
def test_a_generator_with_one_seed_for_all_is_noted(seed: str, lines: list[int]) -> None:
    """Each worker would add the same noise to its own examples; a step has one worker's N times."""
    found = migrate(GENERATOR.format(seed), Options(tensorflow=(2, 20)))
    notes = [note for note in found.notes if "draws the same numbers" in note.message]
    assert [note.line for note in notes] == lines
    assert all("+ hvd.rank())`" in note.fix for note in notes)


def test_a_program_of_horovods_own_has_its_seeds_as_it_wants_them() -> None:
    text = "import horovod.tensorflow as hvd\nhvd.init()\n" + GENERATOR.format("11")
    found = migrate(text, Options(tensorflow=(2, 20)))
    assert not [note for note in found.notes if "draws the same numbers" in note.message]
