"""What is trained on is not tested on by another worker: one seed for all, or refused.

A grid: what each worker would part its examples by, and where that stands. D108 gives it a seed, or
sorts it; what it doesn't know how to is refused. Written by hand: what each form has to come to.
"""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.project.migrate import migrate_project
from distify.codemods.project.texts import Project

HEAD = """\
import glob
import os
import random

import numpy as np
import tensorflow as tf
from sklearn.model_selection import train_test_split

"""
LOAD = 'x, y = np.load("x.npy"), np.load("y.npy")\n'
CUT = "parts = x[order[:200]], y[order[:200]], x[order[200:]], y[order[200:]]\n"
BY_MASK = "parts = x[mask], y[mask], x[~mask], y[~mask]\n"
OF_FILES = """\
z = np.stack([np.load(file) for file in files])
parts = z[:200, :4], z[:200, 4:], z[200:, :4], z[200:, 4:]
"""
OF_LISTS = """\
z = np.array([np.append(a, b) for a, b in pairs])
parts = z[:200, :4], z[:200, 4:], z[200:, :4], z[200:, 4:]
"""
DATA = "tf.data.Dataset.from_tensor_slices((x, y))"
PARTED = "parts = data.take(200), data.skip(200)\n"
ALIKE, REFUSED, KEPT = "one order for all", "refused", "as it was"
ARRAYS = {
    "a split": (
        "a, c, b, d = train_test_split(x, y, test_size=0.2)\nparts = a, b, c, d\n",
        ALIKE,
    ),
    "a split with a seed": (
        "a, c, b, d = train_test_split(x, y, random_state=1)\nparts = a, b, c, d\n",
        KEPT,
    ),
    "a permutation": (f"order = np.random.permutation(len(x))\n{CUT}", ALIKE),
    "a shuffle in place": (
        f"order = np.arange(len(x))\nnp.random.shuffle(order)\n{CUT}",
        ALIKE,
    ),
    "a shuffle of Python": (f"order = list(range(len(x)))\nrandom.shuffle(order)\n{CUT}", ALIKE),
    "a shuffle of pairs": (
        f"pairs = list(zip(x, y))\nrandom.shuffle(pairs)\n{OF_LISTS}",
        ALIKE,
    ),
    "a permutation with a seed": (
        f"order = np.random.RandomState(1).permutation(len(x))\n{CUT}",
        KEPT,
    ),
    "a generator": (f"order = np.random.default_rng().permutation(len(x))\n{CUT}", REFUSED),
    "a generator with a seed": (
        f"order = np.random.default_rng(1).permutation(len(x))\n{CUT}",
        KEPT,
    ),
    "the order of numbers": (f"order = np.argsort(np.random.rand(len(x)))\n{CUT}", REFUSED),
    "the same after a seed": (
        f"np.random.seed(1)\norder = np.argsort(np.random.rand(len(x)))\n{CUT}",
        KEPT,
    ),
    "a mask": (f"mask = np.random.rand(len(x)) < 0.8\n{BY_MASK}", REFUSED),
    "a turn": (
        "k = np.random.randint(len(x))\nx, y = np.roll(x, k, 0), np.roll(y, k, 0)\n"
        f"order = np.arange(len(x))\n{CUT}",
        REFUSED,
    ),
    "what is taken out": (
        "pairs = list(zip(x, y))\n"
        "test = [pairs.pop(random.randrange(len(pairs))) for _ in range(50)]\n"
        f"pairs = pairs + test\n{OF_LISTS}",
        REFUSED,
    ),
    "a key": (
        f"pairs = sorted(zip(x, y), key=lambda pair: random.random())\n{OF_LISTS}",
        REFUSED,
    ),
    "a key of the pairs": (f"pairs = sorted(zip(x, y), key=lambda pair: pair[1])\n{OF_LISTS}", KEPT),
    "names": (f"files = glob.glob('*.npy')\n{OF_FILES}", ALIKE),
    "sorted names": (f"files = sorted(glob.glob('*.npy'))\n{OF_FILES}", KEPT),
    "a tree": (
        f"files = [os.path.join(d, f) for d, _, fs in os.walk('.') for f in fs]\n{OF_FILES}",
        REFUSED,
    ),
    "entries": (f"files = [entry.path for entry in os.scandir('.')]\n{OF_FILES}", REFUSED),
    "sorted entries": (
        f"files = sorted(entry.path for entry in os.scandir('.'))\n{OF_FILES}",
        KEPT,
    ),
    "texts by their hash": (
        "files = sorted(glob.glob('*.npy'))\n"
        "files = [f for f in files if hash(f) % 9] + [f for f in files if not hash(f) % 9]\n"
        f"{OF_FILES}",
        REFUSED,
    ),
    "noise": (f"x = x + np.random.normal(size=x.shape)\norder = np.arange(len(x))\n{CUT}", KEPT),
}  # fmt: skip
SETS = {
    "one order": (
        f"data = {DATA}.shuffle(256, reshuffle_each_iteration=False)\n{PARTED}",
        ALIKE,
    ),
    "an order a pass": (f"data = {DATA}.shuffle(256)\n{PARTED}", ALIKE),
    "a seed": (f"data = {DATA}.shuffle(256, seed=1)\n{PARTED}", KEPT),
    "behind the parting": (f"data = {DATA}\nparts = data.take(200).shuffle(200), data.skip(200)\n", KEPT),
    "every fifth": (
        f"data = {DATA}.shuffle(256, reshuffle_each_iteration=False).enumerate()\n"
        "rest = data.filter(lambda i, pair: i % 5 != 0)\n"
        "test = data.filter(lambda i, pair: i % 5 == 0)\n"
        "parts = rest.map(lambda i, pair: pair), test.map(lambda i, pair: pair)\n",
        ALIKE,
    ),
    "numbers beside them": (
        "data = tf.data.Dataset.from_tensor_slices((x, y, np.random.rand(len(x))))\n"
        "rest = data.filter(lambda a, b, c: c < 0.8)\n"
        "test = data.filter(lambda a, b, c: c >= 0.8)\n"
        "parts = rest.map(lambda a, b, c: (a, b)), test.map(lambda a, b, c: (a, b))\n",
        REFUSED,
    ),
}  # fmt: skip
MODEL = 'model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\nmodel.compile("sgd", "mse")\n'
END_OF_ARRAYS = """\
model.fit(parts[0], parts[1], epochs=3)
result = model.evaluate(parts[2], parts[3])
print(result)
"""
END_OF_SETS = """\
model.fit(parts[0].batch(16), epochs=3)
result = model.evaluate(parts[1].batch(16))
print(result)
"""
FUNCTION = "def load():\n{}    return parts\n\n\nparts = load()\n"
CLASS = (
    "class Data:\n    def __init__(self):\n{}        self.parts = parts\n\n\nparts = Data().parts\n"
)


def indented(text: str, by: int) -> str:
    return "".join(f"{' ' * by}{line}" for line in text.splitlines(keepends=True))


def placed(made: str, place: str) -> str:
    """The text that parts the data, at a place."""
    if place == "here":
        return LOAD + made
    template, by = (FUNCTION, 4) if place == "function" else (CLASS, 8)
    return "\n" + template.format(indented(LOAD + made, by))


def outcome(text: str) -> str:
    found = migrate(text)
    if found.blocked:
        return REFUSED
    return ALIKE if "D108" in [step.code for step in found.steps] else KEPT


@pytest.mark.parametrize("place", ["here", "function", "class"])
@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_are_parted_alike(name: str, place: str) -> None:
    made, expected = ARRAYS[name]
    assert outcome(HEAD + placed(made, place) + MODEL + END_OF_ARRAYS) == expected


@pytest.mark.parametrize("place", ["here", "function", "class"])
@pytest.mark.parametrize("name", SETS)
def test_data_sets_are_parted_alike(name: str, place: str) -> None:
    made, expected = SETS[name]
    assert outcome(HEAD + placed(made, place) + MODEL + END_OF_SETS) == expected


@pytest.mark.parametrize("name", [*ARRAYS, *SETS])
def test_in_another_module_they_are_parted_alike(name: str) -> None:
    made, expected = ARRAYS.get(name) or SETS[name]
    function = FUNCTION.format(indented(LOAD + made, 4)).split("\n\n\nparts")[0]
    end = END_OF_ARRAYS if name in ARRAYS else END_OF_SETS
    main = f"import tensorflow as tf\n\nfrom data import load\n\nparts = load()\n{MODEL}{end}"
    texts = {"main.py": main, "data.py": f"{HEAD}\n{function}\n"}
    found = migrate_project(Project("main.py", texts), None, "main.py")
    assert found is not None
    rules = {s.code for each in (found, *(o.migration for o in found.others)) for s in each.steps}
    told = REFUSED if found.blocked else ALIKE if "D108" in rules else KEPT
    assert told == expected


PICKED = {
    "a mask": ("mask = np.random.rand(len(x)) < 0.8\nrest, test = np.flatnonzero(mask), np.flatnonzero(~mask)\n", REFUSED),
    "places of numbers": (
        "u = np.random.rand(len(x))\nrest, test = np.where(u < 0.8)[0], np.where(u >= 0.8)[0]\n",
        REFUSED,
    ),
    "some that are chosen": (
        "rest = np.random.choice(len(x), 200, replace=False)\n"
        "test = np.setdiff1d(np.arange(len(x)), rest)\n",
        REFUSED,
    ),
    "a shuffle of TensorFlow": (
        "order = tf.random.shuffle(tf.range(len(x))).numpy()\nrest, test = order[:200], order[200:]\n",
        REFUSED,
    ),
    "lists that chance fills": (
        "rest, test = [], []\n"
        "for i in range(len(x)):\n"
        "    if random.random() < 0.8:\n        rest.append(i)\n"
        "    else:\n        test.append(i)\n",
        REFUSED,
    ),
    "a list that chance sifts": (
        "rest = [i for i in range(len(x)) if random.random() < 0.8]\n"
        "test = [i for i in range(len(x)) if i not in rest]\n",
        REFUSED,
    ),
    "all, by a generator": (
        "rng = np.random.default_rng()\nrest, test = np.arange(200), np.arange(200, len(x))\n",
        KEPT,
    ),
    "all": ("rest, test = np.arange(200), np.arange(200, len(x))\n", KEPT),
    "every fifth": (
        "rest, test = [i for i in range(256) if i % 5], list(range(0, 256, 5))\n", KEPT,
    ),
}  # fmt: skip
STEPS = """\
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.1)
for step in range(1000):
    some = {drawn}
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x[some]) - y[some]) ** 2)
    g = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(g, model.trainable_variables))
result = tf.reduce_mean((model(x[test]) - y[test]) ** 2)
print(result)
"""


@pytest.mark.parametrize("name", PICKED)
def test_what_each_step_picks_from_is_parted_alike(name: str) -> None:
    made, expected = PICKED[name]
    drawn = "rng.choice(rest, 16)" if "rng" in made else "np.random.choice(rest, 16)"
    text = HEAD + LOAD + made + STEPS.format(drawn=drawn)
    assert outcome(text) == expected


BY_HAND = """\
import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf
from sklearn.model_selection import train_test_split

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x, y = np.load("x.npy")[:640], np.load("y.npy")[:640]
{made}model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.1 * hvd.size()))
model.compile(optimizer, loss="mse")
model.fit(
    a,
    b,
    epochs=3,
    callbacks=[
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
    ],
    verbose=1 if hvd.rank() == 0 else 0,
)
result = model.evaluate(c, d, verbose=0)
"""
SHARED = "a, b = a[hvd.rank() : 480 : hvd.size()], b[hvd.rank() : 480 : hvd.size()]\n"
HAND_MADE = {
    "a split": (f"a, c, b, d = train_test_split(x, y)\n{SHARED}", True),
    "a split with a seed": (f"a, c, b, d = train_test_split(x, y, random_state=1)\n{SHARED}", False),
    "a permutation": (
        "order = np.random.permutation(640)\n"
        f"a, b, c, d = x[order[:480]], y[order[:480]], x[order[480:]], y[order[480:]]\n{SHARED}",
        True,
    ),
    "one that worker 0 tells": (
        "order = hvd.broadcast_object(np.random.permutation(640), root_rank=0)\n"
        f"a, b, c, d = x[order[:480]], y[order[:480]], x[order[480:]], y[order[480:]]\n{SHARED}",
        False,
    ),
    "a split of each worker's share": (
        "x, y = x[hvd.rank() :: hvd.size()], y[hvd.rank() :: hvd.size()]\n"
        "a, c, b, d = train_test_split(x, y)\n",
        False,
    ),
    "an order of each worker's share": (
        f"a, b, c, d = x[:480], y[:480], x[480:], y[480:]\n{SHARED}"
        "order = np.random.permutation(len(a))\na, b = a[order], b[order]\n",
        False,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HAND_MADE)
def test_what_people_have_parted_is_named(name: str) -> None:
    made, is_named = HAND_MADE[name]
    found = migrate(BY_HAND.format(made=made))
    assert found.skipped == "already Horovod"
    assert ("J06" in {each.code for each in found.notes}) == is_named


GENERATED = """\
{made}

def examples():
    for name in names:
        yield np.load(name), 1.0


kinds = (tf.TensorSpec((4,), tf.float32), tf.TensorSpec((), tf.float32))
data = tf.data.Dataset.from_generator(examples, output_signature=kinds).shuffle(64).batch(16)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(data, epochs=3)
"""
NAMES = {
    "a list of names": ('names = glob.glob("data/*.npy")\n', "sorted(glob.glob("),
    "a list that names are put into": (
        'names = []\nfor name in glob.glob("data/*.npy"):\n    names.append(name)\n',
        "in sorted(glob.glob(",
    ),
    "the keys of a dictionary": (
        'found = {}\nfor name in glob.glob("data/*.npy"):\n    found[name] = 1\nnames = list(found)\n',
        "in sorted(glob.glob(",
    ),
    "a set of them": ('names = list({f"{i}.npy" for i in range(256)})\n', "names = sorted({"),
    "a split of them": (
        'names = sorted(glob.glob("data/*.npy"))\nrandom.shuffle(names)\nnames = names[:200]\n',
        "random.Random(0).shuffle(names)",
    ),
}


@pytest.mark.parametrize("name", NAMES)
def test_what_a_generator_reads_is_read_alike(name: str) -> None:
    made, expected = NAMES[name]
    result = migrate(HEAD + GENERATED.format(made=made))
    assert result.blocked == ()
    assert expected in result.after


def test_a_share_of_what_a_generator_reads_in_no_order_is_named() -> None:
    made = 'names = glob.glob("data/*.npy")\n'
    text = migrate(HEAD + GENERATED.format(made=made)).after
    assert not migrate(text).notes
    found = migrate(text.replace('sorted(glob.glob("data/*.npy"))', 'glob.glob("data/*.npy")'))
    assert [each.code for each in found.notes] == ["J06"]


READ_BY_STEPS = """\
import glob
import os

import tensorflow as tf

files = {names}
data = tf.data.TFRecordDataset(files).repeat().batch(32)
x = tf.io.decode_raw(data.make_one_shot_iterator().get_next(), tf.float32)
loss = tf.reduce_mean(tf.layers.dense(tf.reshape(x, [-1, 4]), 1))
step = tf.train.get_or_create_global_step()
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, step)
with tf.train.MonitoredTrainingSession(hooks=[tf.train.StopAtStepHook(900)]) as session:
    while not session.should_stop():
        session.run(train)
"""


@pytest.mark.parametrize(
    "names",
    [
        "glob.glob('data/*')",
        "tf.gfile.Glob('data/*')",
        "tf.io.gfile.glob('data/*')",
        "os.listdir('.')",
        "tf.gfile.ListDirectory('.')",
    ],
)
def test_files_that_a_session_reads_are_in_one_order(names: str) -> None:
    seen = migrate(READ_BY_STEPS.format(names=names))
    assert seen.blocked == ()
    assert f"files = sorted({names})" in seen.after
    assert ".shard(hvd.size(), hvd.rank())" in seen.after
