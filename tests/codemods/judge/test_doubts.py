"""No doubt stands beside what is written: it is refused, or no doubt of the result."""

from __future__ import annotations

import textwrap

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.questions import QUESTIONS
from distify.codemods.judge import reported
from distify.codemods.judge.case import Case
from distify.codemods.migrate import migrate
from distify.codemods.model import NOTE, Migration, Options

ARRAYS = """\
import numpy as np
import tensorflow as tf
x, y = np.load("x.npy"), np.load("y.npy")
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
"""
FIT = "model.compile('sgd', 'mse')\nmodel.fit(x, y, batch_size=8)\n"
STEP = """\
opt = tf.keras.optimizers.SGD(0.1)
for i, (a, b) in enumerate({data}, 1):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(a) - b) ** 2)
    opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
"""
CENTERS = """\
centers = tf.Variable(tf.zeros((8, 1)), trainable=False)
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(8, drop_remainder=True)
opt = tf.keras.optimizers.SGD(0.1)
for a, b in ds:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(a) - centers) ** 2)
    opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    {line}
"""
TWICE = "ds: tf.data.Dataset = tf.data.Dataset.from_tensor_slices((x, y)).repeat()\nds = ds.batch(8)\n{}first = [float(tf.reduce_mean(a)) for a, b in ds.take(4)]\nprint(first)\n"
INVENTED = ARRAYS.replace('np.load("x.npy")', "np.random.rand(64, 4)").replace(
    'np.load("y.npy")', "np.random.rand(64, 1)"
)
SPLIT = """\
order = np.random.permutation(len(x))
train, test = order[:len(x) // 2], order[len(x) // 2:]
opt = tf.keras.optimizers.SGD(0.1)
for step in range(100):
    pick = np.random.randint(0, len(train), 8)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x[train[pick]]) - y[train[pick]]) ** 2)
    opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
print(float(tf.reduce_mean((model(x[test]) - y[test]) ** 2)))
"""


def migrated(text: str) -> Migration:
    return migrate(textwrap.dedent(text))


def doubts(seen: Migration) -> list[str]:
    return [n.code for n in seen.notes if n.severity == NOTE and n.kind not in ("cost", "look", "")]


SOUND = {
    "a plain fit": ARRAYS + FIT,
    "data that each worker invents, and steps that are counted": INVENTED
    + TWICE.format(STEP.format(data="ds.take(count=20)")),
    "one batch that each worker invents": INVENTED + STEP.format(data="[(x, y)] * 3"),
    "an order that is drawn behind the cut": ARRAYS
    + "ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(64).batch(8)\nmodel.compile('sgd', 'mse')\nmodel.fit(ds)\n",
    "a split that D108 seeds": ARRAYS + SPLIT,
    "an order with a seed": ARRAYS + SPLIT.replace("np.random.permutation", "np.random.RandomState(0).permutation"),
    "a count by the length of the data": "import random\n" + ARRAYS + "a = random.random()\nfor i in range(len(x)):\n    " + FIT.replace("\n", "\n    ").rstrip() + "\n",
    "a state that no loss reads": ARRAYS + CENTERS.format(line="pass"),
}  # fmt: skip


@pytest.mark.parametrize("name", SOUND)
def test_what_is_written_stands_without_a_doubt(name: str) -> None:
    seen = migrated(SOUND[name])
    assert not seen.blocked
    assert seen.after != seen.before
    assert doubts(seen) == []


BAD = {
    "a split of each worker's own": (
        ARRAYS
        + SPLIT.replace(
            "np.random.permutation(len(x))", "tf.random.shuffle(range(len(x))).numpy()"
        ),
        "update",
    ),
    "a state of its own batches that a loss reads": (
        ARRAYS + CENTERS.format(line="centers.assign(0.9 * centers + 0.1 * model(a))"),
        "update",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_what_verify_would_convict_is_refused_with_a_way_to_take_it_on(name: str) -> None:
    text, obligation = BAD[name]
    seen = migrated(text)
    assert {each.obligation for each in seen.blocked} == {obligation}
    assert seen.after == seen.before
    assert all(f"accept[{obligation}]" in each.fix for each in seen.blocked)
    taken = migrate(text, Options(taken_on=frozenset({obligation})))
    assert taken.after != taken.before


@pytest.mark.parametrize("taken", ["ds.take(20)", "ds.take(count=20)"])
def test_so_many_batches_of_what_is_looked_at_too_are_dealt_out(taken: str) -> None:
    seen = migrated(ARRAYS + TWICE.format(STEP.format(data=taken)))
    assert not seen.blocked
    text = "".join(seen.after.split())  # 20 are no equal shares for 3 or 8 workers
    assert f"{taken}.take(20//hvd.size()*hvd.size()).shard(hvd.size(),hvd.rank())" in text


def test_a_batch_of_what_nobody_trains_on_may_be_none() -> None:
    text = f"""{ARRAYS.replace("tensorflow as tf", "tensorflow as tf; import horovod.tensorflow as hvd; hvd.init()")}
def pairs(part):
    return tf.data.Dataset.from_tensor_slices((part, part)).batch(16).shard(hvd.size(), hvd.rank())
train, test = pairs(x[:800]), pairs(x[800:])
model.compile("sgd", "mse")
model.fit(train, verbose=0)
"""
    look = "a, b = next(iter({}))\nprint(model.predict(a))\n"
    assert _told(text + look.format("test")) == [reported.PART]
    assert _told(text + look.format("train")) == []
    assert _told(text.replace(".shard(hvd.size(), hvd.rank())", "") + look.format("test")) == []
    assert (
        _told(text.replace("pairs(x[800:])", "tf.data.Dataset.range(9)") + look.format("test"))
        == []
    )


def _told(text: str) -> list[str]:
    case = Case(
        {"a.py": text}, {"a.py": "pass\n"}, "a.py", Options(), QUESTIONS, lambda: Facts.of(text)
    )
    return [p.why for p in reported.prove(case) if p.why == reported.PART]


FACTORY = """\
import numpy as np
import tensorflow as tf
from zoo import make
x = np.load("x.npy")
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = make(){said}
model.compile(optimizer, "mse")
model.fit(x, x)
"""


def test_a_rate_that_a_factory_keeps_is_refused_or_kept_by_a_word() -> None:
    options = Options(factories=(("zoo.make", "optimizer"),))
    seen = migrate(FACTORY.format(said=""), options)
    assert {(each.line, each.obligation) for each in seen.blocked} == {(6, "size")}
    assert not migrate(FACTORY.format(said="  # distify: rate=kept"), options).blocked
