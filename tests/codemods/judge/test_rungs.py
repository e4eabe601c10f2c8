"""On which rung of the ladder a result shares its data; the higher, the less is made in vain."""

from __future__ import annotations

import re

import pytest

from dealt import DEALT, HEAD, PICKS
from distify.codemods.judge.proof import ARRAYS, FILES, PIPELINE, TURNS
from distify.codemods.migrate import migrate
from distify.codemods.model import Options

FIT = 'model.compile(optimizer, "mse")\n'
SEQUENCE = """\
class Data(tf.keras.utils.Sequence):
    def __len__(self):
        return len(x) // 16

    def __getitem__(self, i):
        return x[i * 16 : (i + 1) * 16], y[i * 16 : (i + 1) * 16]


"""
NAMES = 'names = sorted(tf.io.gfile.glob("*.rec"))\n'
SLICES = "tf.data.Dataset.from_tensor_slices((x, y))"
MANY = 'names = [f"train-{i:04d}" for i in range(1024)]\n'
READ = (
    "data = tf.data.Dataset.from_tensor_slices(names).shuffle(64)\n"
    "data = data.interleave(tf.data.TFRecordDataset).repeat()\n"
    "data = data.map(lambda r: (tf.io.parse_tensor(r, tf.float32), 1.0)).batch(8)\n"
)
MAKER = (
    NAMES
    + """\


def made(train):
    data = tf.data.Dataset.from_tensor_slices(names)
    if train:
        data = data.shuffle(len(names))
    data = data.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=8)
    if train:
        data = data.shuffle(1000).repeat()
    return data.map(lambda r: (tf.io.parse_tensor(r, tf.float32), 1.0)).batch(8).prefetch(1)


"""
)
TOLD = "model.fit(made(True), steps_per_epoch=9, validation_data=made(False))\n"
ON = {
    "arrays": (FIT + "model.fit(x, y)\n", (ARRAYS,)),
    "arrays of a loop": (
        FIT + "for i in range(0, len(x), 8):\n    model.train_on_batch(x[i : i + 8], y[i : i + 8])\n",
        (ARRAYS,),
    ),
    "a pipeline": (FIT + f"model.fit({SLICES}.shuffle(64).batch(8))\n", (PIPELINE,)),
    "a pipeline of unknown length": (
        FIT + f"model.fit({SLICES}.filter(lambda a, b: b[0] > 0).batch(8))\n",
        (PIPELINE,),
    ),
    "names of files": (
        NAMES + FIT + "model.fit(tf.data.Dataset.from_tensor_slices(names).map(tf.io.read_file)"
        ".map(lambda r: (tf.io.parse_tensor(r, tf.float32), 1.0)).batch(8))\n",
        (FILES,),
    ),
    "many files": (MANY + READ + FIT + "model.fit(data, steps_per_epoch=9)\n", (FILES,)),
    "many files that end": (
        MANY + READ.replace(".repeat()", "") + FIT + "model.fit(data)\n", (PIPELINE,),
    ),
    "few files": (
        MANY.replace("1024", "100") + READ + FIT + "model.fit(data, steps_per_epoch=9)\n", (PIPELINE,),
    ),
    "files of a maker of both": (MAKER + FIT + TOLD, (PIPELINE,)),
    "batches by number": (SEQUENCE + FIT + "model.fit(Data())\n", (TURNS,)),
    "a generator": (DEALT["in a loop"][0], (TURNS,)),
    "a generator of a fit": (DEALT["of a fit"][0], (TURNS,)),
    "picks": (PICKS["an index"][0], (TURNS,)),
    "picks of their own": (
        FIT + "for n in range(9):\n    pick = np.random.randint(0, len(x), 8)\n"
        "    model.train_on_batch(x[pick], y[pick])\n",
        (),
    ),
    "nothing": (FIT + "model.fit(x, y, batch_size=len(x))\n", (ARRAYS,)),
}  # fmt: skip
BY_HAND = """\
import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()
tf.config.set_visible_devices(tf.config.list_physical_devices("GPU")[hvd.local_rank()], "GPU")
{}
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.1 * hvd.size())), "mse")
model.fit(data)
"""
PAIRED = """\
masks = [f"mask-{i}" for i in range(10)]
first = tf.data.Dataset.from_tensor_slices(names).interleave(tf.data.TFRecordDataset).repeat()
second = tf.data.Dataset.from_tensor_slices(masks).interleave(tf.data.TFRecordDataset).repeat()
model.fit(tf.data.Dataset.zip((first, second)).batch(8), steps_per_epoch=9)
"""
RUNG_BY_HAND = {
    'names = sorted(tf.io.gfile.glob("*.rec"))[hvd.rank() :: hvd.size()]\n'
    "data = tf.data.TFRecordDataset(names).batch(8)": (FILES,),
    'data = tf.data.Dataset.list_files("*.rec", shuffle=False).shard(hvd.size(), hvd.rank())': (FILES,),
    "data = tf.data.Dataset.range(9).shard(hvd.size(), hvd.rank()).batch(2)": (PIPELINE,),
    "data = tf.data.Dataset.range(9).batch(2)": (),
}  # fmt: skip


def rungs(text: str, result: bool = True) -> tuple[int, ...]:
    done = migrate(text)
    assert not (result and done.blocked)
    return next(proof.rungs for proof in done.proofs if proof.obligation == "size")


@pytest.mark.parametrize("name", ON)
def test_each_result_says_where_it_is_cut(name: str) -> None:
    text, expected = ON[name]
    assert rungs(HEAD + text) == expected


@pytest.mark.parametrize(
    ("known", "other"),
    [
        (".shuffle(64)", ".skip(1000)"),
        (".shuffle(64)", ".filter(lambda f: f != '')"),
        (".shuffle(64)", ".enumerate().map(lambda i, f: f)"),
        (".shuffle(64)", ".batch(2).map(lambda f: f[0])"),
        (".shuffle(64)", ".window(2, shift=1).flat_map(lambda w: w.batch(2)).map(lambda f: f[0])"),
        (".repeat()", ".skip(1000).repeat()"),
        (".repeat()", '.concatenate(tf.data.TFRecordDataset("more")).repeat()'),
        ("data = tf.data.Dataset.from", "del names[4:]\ndata = tf.data.Dataset.from"),
        ("data = tf.data.Dataset.from", "names.clear()\ndata = tf.data.Dataset.from"),
    ],
)
def test_names_that_something_counts_or_groups_are_not_shared_out(known: str, other: str) -> None:
    """Of its own names a worker would skip, pick or pair others than one process does."""
    assert "(names).shard(" in _folded(READ)
    assert "(names).shard(" in _folded(READ.replace("data = tf", "names.sort()\ndata = tf", 1))
    assert "(names).shard(" not in _folded(READ.replace(known, other, 1))


def _folded(read: str) -> str:
    found = migrate(HEAD + MANY + read + FIT + "model.fit(data, steps_per_epoch=9)\n")
    return re.sub(r"\n +", "", found.after)


def test_examples_that_go_together_are_not_shared_by_their_files() -> None:
    """A file of the one and a file of the other needn't hold as many."""
    after = migrate(HEAD + MANY + FIT + PAIRED).after
    assert ".shard(" in after
    assert "(names).shard(" not in re.sub(r"\n +", "", after)


def test_files_are_read_in_one_order_where_their_elements_are_shared_out() -> None:
    found = migrate(HEAD + MAKER + FIT + TOLD)
    assert ".shuffle(len(names), seed=0)" in found.after
    assert ".shuffle(1000).repeat()" in found.after
    without = migrate(HEAD + MAKER + FIT + TOLD, Options(ignore=frozenset({"D108"})))
    assert "seed=0" not in without.after
    assert ".shard(" not in without.after
    each = TOLD.replace("model", "    model")
    anew = migrate(HEAD + MAKER + FIT + "for epoch in range(9):\n" + each)
    assert "seed=0" not in anew.after


@pytest.mark.parametrize("data", RUNG_BY_HAND)
def test_what_a_person_has_cut(data: str) -> None:
    from distify.codemods.facts import Facts
    from distify.codemods.judge.rows import RowsOf
    from distify.codemods.judge.rungs import rungs as asked

    facts = Facts.of(BY_HAND.format(data))
    assert asked(facts.program, RowsOf(facts.program), facts.module) == RUNG_BY_HAND[data]
