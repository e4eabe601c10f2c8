"""One order, and one split, for all workers; where none can be written the note says what to do."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

HEAD = """\
import glob
import os
import random
from pathlib import Path

import numpy as np
import pandas as pd
import tensorflow as tf
from numpy.random import permutation
from sklearn.model_selection import KFold, ShuffleSplit, StratifiedKFold, train_test_split
from sklearn.utils import shuffle

x, y = np.load("x.npy"), np.load("y.npy")
table = pd.read_csv("t.csv")
"""
FIT = "m = tf.keras.Sequential([])\nm.compile('sgd')\nm.fit(x, y)\n"


def becomes(text: str, fit: str = FIT) -> tuple[str, list[str]]:
    """What lines between the data and the training become, and the fixes of what is noted."""
    found = migrate(HEAD + text + fit)
    assert not found.blocked
    assert found.steps
    assert migrate(found.after).after == found.after
    after = found.after.partition('"t.csv")\n')[2].partition("m = tf.keras")[0]
    return after, [note.fix for note in found.notes if note.code == "H01"]


SEEDED = {
    "x, z = train_test_split(x)\n": "x, z = train_test_split(x, random_state=0)\n",
    "x, z = train_test_split(x, random_state=None)\n": "x, z = train_test_split(x, random_state=0)\n",
    "folds = KFold(5, shuffle=True)\n": "folds = KFold(5, shuffle=True, random_state=0)\n",
    "folds = StratifiedKFold(n_splits=5, shuffle=True)\n": (
        "folds = StratifiedKFold(n_splits=5, shuffle=True, random_state=0)\n"
    ),
    "folds = ShuffleSplit(5)\n": "folds = ShuffleSplit(5, random_state=0)\n",
    "x, y = shuffle(x, y)\n": "x, y = shuffle(x, y, random_state=0)\n",
    "x = np.random.permutation(x)\n": "x = np.random.RandomState(0).permutation(x)\n",
    "np.random.shuffle(x)\n": "np.random.RandomState(0).shuffle(x)\n",
    "x = x[np.random.choice(len(x), 99)]\n": "x = x[np.random.RandomState(0).choice(len(x), 99)]\n",
    "names = list(y)\nrandom.shuffle(names)\n": "names = list(y)\nrandom.Random(0).shuffle(names)\n",
    "x = table.sample(frac=1).to_numpy()\n": "x = table.sample(frac=1, random_state=0).to_numpy()\n",
    "x = tf.random.shuffle(x)\n": "x = tf.random.shuffle(x, seed=0)\n",
    "x = np.array([f for f in tf.data.Dataset.list_files('a')])\n": (
        "x = np.array([f for f in tf.data.Dataset.list_files('a', seed=0)])\n"
    ),
    "files = tf.data.Dataset.list_files('a').take(9)\nx = np.array(list(files))\n": (
        "files = tf.data.Dataset.list_files('a', seed=0).take(9)\nx = np.array(list(files))\n"
    ),
    "files = tf.data.Dataset.from_tensor_slices(x).shuffle(9)\nx = np.array(list(files))\n": (
        "files = tf.data.Dataset.from_tensor_slices(x).shuffle(9, seed=0)\nx = np.array(list(files))\n"
    ),
    "x = np.stack([np.load(n) for n in os.listdir('a')])\n": (
        "x = np.stack([np.load(n) for n in sorted(os.listdir('a'))])\n"
    ),
    "x = np.stack([np.load(n) for n in glob.glob('*.npy')])\n": (
        "x = np.stack([np.load(n) for n in sorted(glob.glob('*.npy'))])\n"
    ),
    "x = np.stack([np.load(n) for n in Path('a').glob('*')])\n": (
        "x = np.stack([np.load(n) for n in sorted(Path('a').glob('*'))])\n"
    ),
    "def split(x):\n    return train_test_split(x)\nx, z = split(x)\n": (
        "def split(x):\n    return train_test_split(x, random_state=0)\nx, z = split(x)\n"
    ),
}


@pytest.mark.parametrize("text", SEEDED)
def test_all_workers_draw_the_same(text: str) -> None:
    assert becomes(text) == (SEEDED[text], [])


def test_what_a_loop_runs_over_is_drawn_once() -> None:
    loop = "for a, b in KFold(5, shuffle=True).split(x):\n    print(len(a))\n"
    assert "KFold(5, shuffle=True, random_state=0).split(x)" in becomes(loop)[0]


NOTED = {
    # the same order in each round would not be what the loop is for
    "for n in range(3):\n    x, z = train_test_split(x)\n": (
        "`random_state=0`",
        "for n in range(3):\n    x, z = train_test_split(x, random_state=0)\n",
    ),
    "def split():\n    return train_test_split(x)\nz, w = split(), split()\n": (
        "`random_state=0`",
        "def split():\n    return train_test_split(x, random_state=0)\nz, w = split(), split()\n",
    ),
    "x = x[permutation(len(x))]\n": (
        "`np.random.seed(0)`",
        "np.random.seed(0)\nx = x[permutation(len(x))]\n",
    ),
    "for n in range(3):\n    random.shuffle(x)\n": (
        "`random.seed(0)`",
        "random.seed(0)\nfor n in range(3):\n    random.shuffle(x)\n",
    ),
    "for n in range(3):\n    x = tf.random.shuffle(x)\n": (
        "`tf.random.set_seed(0)`",
        "tf.random.set_seed(0)\nfor n in range(3):\n    x = tf.random.shuffle(x)\n",
    ),
    "x, z = train_test_split(x, **table)\n": (
        "`random_state=0`",
        "x, z = train_test_split(x, random_state=0)\n",
    ),
    "g = np.random.default_rng()\nx = x[g.permutation(len(x))]\n": (
        "`np.random.default_rng(0)`",
        "g = np.random.default_rng(0)\nx = x[g.permutation(len(x))]\n",
    ),
    "x = np.stack([np.load(n.path) for n in os.scandir('a')])\n": (
        "`sorted(…, key=lambda entry: entry.name)`",
        "x = np.stack([np.load(n.path) for n in sorted(os.scandir('a'), key=lambda entry: entry.name)])\n",
    ),
    "x = np.stack([np.load(n) for _, _, names in os.walk('a') for n in names])\n": (
        "`sorted(names)`",
        "x = np.stack([np.load(n) for _, _, names in os.walk('a') for n in sorted(names)])\n",
    ),
}


@pytest.mark.parametrize("text", NOTED)
def test_where_one_seed_would_change_more_it_is_noted(text: str) -> None:
    after, fixes = becomes(text)
    assert after == text
    assert len(fixes) == 1
    assert NOTED[text][0] in fixes[0]


@pytest.mark.parametrize("text", NOTED)
def test_the_fix_that_is_noted_is_one(text: str) -> None:
    assert becomes(NOTED[text][1]) == (NOTED[text][1], [])


@pytest.mark.parametrize(
    "text",
    [
        "x, z = train_test_split(x, random_state=7)\n",
        "x = np.array([f for f in tf.data.Dataset.list_files('a', seed=3)])\n",
        "for f in tf.data.Dataset.list_files('a'):\n    assert f\n",
        "x, z = train_test_split(x, shuffle=False)\n",
        "folds = KFold(5)\n",
        "np.random.seed(1)\nnp.random.shuffle(x)\n",
        "def batches():\n    np.random.shuffle(x)\n    yield x\n",
        "colour = random.choice('rgb')\n",
        "names = os.listdir('a')\n",
        "x = np.stack([np.load(n) for n in sorted(os.listdir('a'))])\n",
        "mine = m.train_test_split(x)\n",
    ],
)
def test_what_is_alike_or_decides_nothing_stays(text: str) -> None:
    assert becomes(text) == (text, [])


def test_an_order_of_all_that_a_step_takes_is_one_and_shared() -> None:
    text = HEAD + "x = x[np.random.permutation(len(x))]\n"
    loop = (
        "w = tf.Variable(1.0)\nopt = tf.keras.optimizers.SGD(0.1)\nfor n in range(9):\n"
        "    with tf.GradientTape() as tape:\n        loss = tf.reduce_mean(w * x)\n"
        "    opt.apply_gradients([(tape.gradient(loss, w), w)])\n"
    )
    found = migrate(text + loop)
    assert "np.random.RandomState(0).permutation" in found.after
    assert "tf.reduce_mean(w * x[shard])" in found.after


def test_programs_that_average_may_want_it_otherwise() -> None:
    begun = (
        HEAD + "import horovod.tensorflow.keras as hvd\nhvd.init()\nx, z = train_test_split(x)\n"
    )
    assert "train_test_split(x, random_state=0)\n" in migrate(begun + FIT).after
    wrapped = FIT.replace("'sgd'", "hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.1))")
    assert wrapped != FIT
    assert "train_test_split(x)\n" in migrate(begun + wrapped).after


DATA = "d = tf.data.Dataset.from_tensor_slices((x, y)){}\n"
SPLIT = "m = tf.keras.Sequential([])\nm.compile('sgd')\nm.fit({}, validation_data={})\n"
PARTS = SPLIT.format("d.take(9).batch(2)", "d.skip(9).batch(2)")
FIXED = ".shuffle(99, reshuffle_each_iteration=False{})"


def shuffles(text: str) -> str:
    """What becomes of a program with one shuffle."""
    found = migrate(HEAD + text)
    assert not found.blocked
    assert found.steps
    assert found.after.count(".shuffle(") == 1
    return found.after


def test_what_one_worker_tests_on_no_other_trains_on() -> None:
    """Each would take another part of the same examples to train on, and leave another."""
    assert "seed=0" in shuffles(DATA.format(FIXED.format("")) + PARTS)


@pytest.mark.parametrize(
    "text",
    [
        DATA.format(FIXED.format(", seed=3")) + PARTS,
        "tf.random.set_seed(1)\n" + DATA.format(FIXED.format("")) + PARTS,
        DATA.format(".shuffle(99)") + SPLIT.format("d.batch(2)", "d.batch(2)"),
    ],
)
def test_an_order_that_is_seeded_or_parts_nothing_gets_no_seed(text: str) -> None:
    assert "seed=0" not in shuffles(text)
