"""Numbers of steps, lists by chance, and arrays: a table of programs for each question."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.data.arrays import is_array
from distify.codemods.facts.data.divided import divided
from distify.codemods.facts.steps.each_step import counts_steps
from distify.codemods.facts.timing.schedule_steps import divided_decays
from distify.codemods.migrate import migrate
from last_value import last_value

HEAD = """\
import random
import numpy as np
import tensorflow as tf
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

x, y = np.load("x.npy"), np.load("y.npy")
"""


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("parts = train_test_split(x, y)\nparts[0]", True),
        ("parts = train_test_split(x, y)\nparts[:2]", False),
        ("a, b, c, d = train_test_split(x, y)\nc", True),
        ("parts = np.load('a.npz')\nfor a in parts.values():\n    pass\na", True),
        ("parts = np.load('a.npz')\nparts['x']", True),
        ("(a, b), (c, d) = tf.keras.datasets.mnist.load_data()\nb", True),
        ("train, test = tf.keras.datasets.mnist.load_data()\na, b = train\nb", True),
        ("train, test = tf.keras.datasets.mnist.load_data()\ntrain[0]", True),
        ("StandardScaler().fit_transform(x)", True),
        ("StandardScaler().fit(x).transform(x)", True),
        ("StandardScaler().get_params()", False),
        ("x.tolist()", False),
        ("x.reshape(3)", True),
        ("np.random.default_rng().normal()", True),
    ],
)
def test_what_is_an_array(text: str, is_one: bool) -> None:
    assert is_array(*last_value(HEAD + text)) is is_one


LOOP = """\
w, opt = tf.Variable(1.0), tf.keras.optimizers.SGD(0.1)
n = 0
for a in tf.data.Dataset.range(100).batch(2):
    with tf.GradientTape() as tape:
        loss = w * a
    opt.apply_gradients([(tape.gradient(loss, w), w)])
"""


@pytest.mark.parametrize(
    ("line", "is_count"),
    [
        ("n += 1", True),
        ("n -= 1", True),
        ("n += 2", True),
        ("n += 1.0", True),
        ("n = n + 1", True),
        ("n *= 1", False),
        ("n = 1", False),
        ("n += 0.1", False),
        ("n += a", False),
    ],
)
def test_what_counts_the_rounds_of_a_loop(line: str, is_count: bool) -> None:
    facts, value = last_value(f"{HEAD}{LOOP}    {line}\nn")
    assert counts_steps(facts, value) is is_count


STEPS = """\
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.SGD({}), "mse")
model.fit(tf.data.Dataset.range(64).repeat().batch(4), epochs=3, steps_per_epoch=5000)
"""
SCHEDULES = "tf.keras.optimizers.schedules."


@pytest.mark.parametrize(
    ("made", "numbers"),
    [
        ("ExponentialDecay(0.1, 6000, 0.9)", ["6000"]),
        ("ExponentialDecay(0.1, decay_steps=6000, decay_rate=0.9)", ["6000"]),
        ("InverseTimeDecay(0.1, 6000, 0.9)", ["6000"]),
        ("InverseTimeDecay(0.1, decay_steps=6000, decay_rate=0.9)", ["6000"]),
        ("PolynomialDecay(0.1, 6000)", ["6000"]),
        ("PolynomialDecay(0.1, decay_steps=6000)", ["6000"]),
        ("CosineDecay(0.1, 6000)", ["6000"]),
        ("CosineDecay(0.1, decay_steps=6000, warmup_steps=2000)", ["6000", "2000"]),
        ("CosineDecay(0.1, 6000, 0.0, None, 0.2, 2000)", ["6000", "2000"]),
        ("CosineDecayRestarts(0.1, 6000)", ["6000"]),
        ("CosineDecayRestarts(0.1, first_decay_steps=6000)", ["6000"]),
        ("PiecewiseConstantDecay([6000, 8000], [0.1, 0.2, 0.3])", ["6000", "8000"]),
        ("PiecewiseConstantDecay(boundaries=[6000, 8000], values=v)", ["6000", "8000"]),
    ],
)
def test_schedules_say_where_their_steps_stand(made: str, numbers: list[str]) -> None:
    facts = Facts.of(HEAD + STEPS.format(SCHEDULES + made))
    found = [ast.unparse(number) for number, _ in (*divided(facts), *divided_decays(facts))]
    assert found == ["5000", *numbers]


OLD = """\
import tensorflow.compat.v1 as tf

data = tf.data.Dataset.range(100).repeat().batch(4)
x = tf.data.make_one_shot_iterator(data).get_next()
step = tf.train.get_or_create_global_step()
w = tf.Variable(1.0)
loss = tf.reduce_mean(w * x)
rate = tf.train.{}
train = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=step)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(9000):
        sess.run(train)
"""


@pytest.mark.parametrize(
    ("made", "numbers"),
    [
        *(
            (f"{name}(0.1, step, {given})", ["6000"])
            for name in (
                "exponential_decay",
                "natural_exp_decay",
                "inverse_time_decay",
                "polynomial_decay",
                "cosine_decay",
                "linear_cosine_decay",
                "noisy_linear_cosine_decay",
            )
            for given in (
                "6000",
                "6000, 0.9",
                "decay_steps=6000",
                "decay_rate=0.9, decay_steps=6000",
            )
        ),
        ("cosine_decay_restarts(0.1, step, 6000)", ["6000"]),
        ("cosine_decay_restarts(0.1, step, first_decay_steps=6000)", ["6000"]),
        ("piecewise_constant(step, [6000], [0.1, 0.2])", ["6000"]),
        ("piecewise_constant_decay(step, boundaries=[6000], values=v)", ["6000"]),
    ],
)
def test_old_schedules_say_where_their_steps_stand(made: str, numbers: list[str]) -> None:
    facts = Facts.of(OLD.format(made))
    found = [ast.unparse(number) for number, _ in (*divided(facts), *divided_decays(facts))]
    assert [each for each in found if each != "9000"] == numbers


@pytest.mark.parametrize(
    ("listed", "length"),
    [
        ("sorted(glob.glob('*.png'))", "len(names)"),
        ("glob.glob('*.png')", "len(names)"),
        ("os.listdir('a')", "len(names)"),
        ("list(names_of())", "len(names)"),
        ("tf.io.gfile.glob('*.png')", "len(names)"),
    ],
)
def test_a_list_of_names_says_how_many_elements_its_dataset_has(listed: str, length: str) -> None:
    text = f"""\
import glob
import os
import tensorflow as tf
from elsewhere import names_of

names = {listed}
ds = tf.data.Dataset.from_tensor_slices(names).map(tf.io.read_file).batch(4)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(ds)
"""
    after = migrate(text).after
    assert f"{length} // hvd.size()" in after
