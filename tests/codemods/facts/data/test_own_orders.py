"""Orders that each worker would draw for itself, and the fix that is named for each of them."""

from __future__ import annotations

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.data.own_orders import own_orders
from distify.codemods.migrate import migrate

HEAD = """\
import glob, os, random
import numpy as np
import pandas as pd
import tensorflow as tf
from pathlib import Path
from sklearn.model_selection import GroupKFold, KFold, ShuffleSplit, StratifiedKFold
from sklearn.model_selection import RepeatedKFold, train_test_split
x, y = np.load("x.npy"), np.load("y.npy")
rng = np.random.default_rng()
table = pd.read_csv("table.csv")
"""
FIT = """\
m = tf.keras.Sequential([])
m.compile("sgd")
m.fit(x, y)
"""
FOLDS = "for a, b in {}.split(x):\n    x, y = x[a], y[a]\n"
FILES = "data = []\nfor f in {}:\n    data.append(tf.io.read_file(f))\nx = np.array(data)\n"

# What is drawn, the fix that is named for it, and the same program with that fix.
DRAWN = [
    (FOLDS.format("KFold(5, shuffle=True)"), "random_state", "True)", "True, random_state=0)"),
    (FOLDS.format("StratifiedKFold(shuffle=a)"), "random_state", "=a)", "=a, random_state=0)"),
    (FOLDS.format("GroupKFold(shuffle=True)"), "random_state", "True)", "True, random_state=0)"),
    (FOLDS.format("RepeatedKFold()"), "random_state", "()", "(random_state=0)"),
    (FOLDS.format("ShuffleSplit(5)"), "random_state", "(5)", "(5, random_state=0)"),
    ("x, v = train_test_split(x)\n", "random_state", "(x)", "(x, random_state=0)"),
    (
        "table = table[table.a > 0].sample(frac=1)\nx = table.values\n",
        "random_state",
        "frac=1",
        "frac=1, random_state=0",
    ),
    ("x = x[np.random.permutation(9)]\n", "np.random.seed(0)", "x =", "np.random.seed(0)\nx ="),
    ("x = x[np.random.choice(9, 5)]\n", "np.random.seed(0)", "x =", "np.random.seed(0)\nx ="),
    ("random.shuffle(x)\n", "`random.seed(0)`", "random.sh", "random.seed(0)\nrandom.sh"),
    ("x = rng.permutation(x)\n", "default_rng(0)", "rng.", "np.random.default_rng(0)."),
    (
        "i = tf.random.shuffle(tf.range(9)).numpy()\nx = x[i]\n",
        "tf.random.set_seed(0)",
        "i =",
        "tf.random.set_seed(0)\ni =",
    ),
    (FILES.format("tf.data.Dataset.list_files('*')"), "seed", "'*'", "'*', seed=0"),
    (FILES.format("os.listdir('d')"), "sorted(", "os.listdir('d')", "sorted(os.listdir('d'))"),
    (FILES.format("Path('d').rglob('*')"), "sorted(", "Path('d').rglob('*')", "sorted(Path('d'))"),
    (
        "x = np.array([np.load(f) for f in glob.glob('*')])\n",
        "sorted(",
        "glob.glob('*')",
        "sorted(glob.glob('*'))",
    ),
]


def fixes(text: str) -> list[str]:
    return [order.fix for order in own_orders(Facts.of(HEAD + text + FIT))]


@pytest.mark.parametrize(("text", "fix", "old", "new"), DRAWN)
def test_the_fix_of_each_draw_is_one_that_it_has(text: str, fix: str, old: str, new: str) -> None:
    assert [fix in each for each in fixes(text)] == [True]
    assert fixes(text.replace(old, new, 1)) == []


SAME = [
    FOLDS.format("KFold(5)"),
    FOLDS.format("GroupKFold(5)"),
    "x, v = train_test_split(x, shuffle=False)\n",
    "x = x[np.random.RandomState(0).permutation(9)]\n",
    "print(table.sample(5))\n",
    "print(os.listdir('d'), x[np.random.choice(9)], random.choice(names))\n",
    "names = os.listdir('d')\nnames.sort()\n" + FILES.format("names"),
    "z = tf.random.shuffle(tf.range(9))\nprint(z)\n",
    "for v in tf.data.Dataset.range(9).shuffle(9):\n    print(v)\n",
    FILES.format("tf.data.Dataset.list_files('*', shuffle=False)"),
    "names = os.listdir('d')\nx = np.ones(len(names))\n",
    "def load(n):\n    return np.random.choice(9)\n",
]


@pytest.mark.parametrize("text", SAME)
def test_what_is_alike_or_decides_nothing_is_not_named(text: str) -> None:
    assert fixes(text) == []


def test_names_in_no_order_matter_only_where_data_is_shared_out() -> None:
    text = HEAD + FILES.format("os.listdir('d')") + FIT
    assert list(own_orders(Facts.of(text)))
    assert not list(own_orders(Facts.of(text.replace("m.fit(x, y)", "m.fit(load(x))"))))


DRAWN_IN_A_FUNCTION = """\
import random
import numpy as np
import tensorflow.compat.v1 as tf

words = open("a.txt").read().split()
start = 0


def next_batch(size):
    global start
    chosen = random.sample(range(9), 2)
    start += size
    return [[float(n)] for n in chosen]


x = tf.placeholder(tf.float32, [None, 1])
train = tf.train.AdamOptimizer(0.1).minimize(tf.reduce_mean(tf.layers.dense(x, 1)))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(100):
        sess.run(train, {x: next_batch(2)})
"""


def test_what_a_function_draws_for_each_batch_makes_the_workers_batches_differ() -> None:
    """A seed would give all of them the same, where none of the data is shared out."""
    found = migrate(DRAWN_IN_A_FUNCTION)
    assert found.blocked == ()
    assert not any("random.seed" in (each.fix or "") for each in found.notes)


def test_shuffled_files_are_read_in_one_order_by_their_own_setting() -> None:
    made = "import tensorflow_datasets as tfds\nds = tfds.load('a', split='train'{})\nx = []\n"
    text = HEAD + made + "for a in ds:\n    x.append(a)\nx = np.array(x)\n" + FIT
    (order,) = own_orders(Facts.of(text.format(", shuffle_files=True")))
    assert order.fix.endswith("`read_config=tfds.ReadConfig(shuffle_seed=0)`")
    assert not list(own_orders(Facts.of(text.format(""))))
