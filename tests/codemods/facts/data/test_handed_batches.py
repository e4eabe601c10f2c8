"""What hands out batches to a session: what is cut where it is made, what is told, which steps."""

from __future__ import annotations

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.data.handed_batches import handed_batches
from distify.codemods.migrate import migrate

HEAD = """\
import numpy as np
import tensorflow.compat.v1 as tf

rng = np.random.RandomState(4)
x_train, y_train = rng.rand(1000, 5), rng.rand(1000, 1)
x_test, y_test = rng.rand(100, 5), rng.rand(100, 1)
x = tf.placeholder(tf.float32, [None, 5])
y = tf.placeholder(tf.float32, [None, 1])
cost = tf.reduce_mean(tf.square(tf.layers.dense(x, 1) - y))
step = tf.train.GradientDescentOptimizer(0.05).minimize(cost)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
"""
CLASS = """\
class Data:
    def __init__(self, images, labels, batches=50, mean=None):
        self.images, self.labels, self.mean = images, labels, mean
        self.n = images.shape[0]
        self.start, self.epochs = 0, 0

    def next_batch(self, size):
        if self.start + size > self.n:
            self.start = 0
            self.epochs += 1
            order = np.random.permutation(self.n)
            self.images, self.labels = self.images[order], self.labels[order]
        part = slice(self.start, self.start + size)
        batch = self.images[self.start:self.start + size], self.labels[self.start:self.start + size]
        self.start += size
        return batch

    def everything(self):
        return self.images, self.labels


"""
MADE = "data = Data(x_train, y_train)\n"
OTHER = "test = Data(x_test, y_test)\n"
LOOP = """\
for i in range({rounds}):
    bx, by = data.next_batch(20)
    sess.run(step, feed_dict={{x: bx, y: by}})
"""
HUNDRED = LOOP.format(rounds=100)
GENERATOR = """\
def batches(a, b, size):
    order = np.random.permutation(len(a))
    for i in range(0, len(a), size):
        part = order[i:i + size]
        yield a[part], b[part]


"""
EPOCHS = """\
for epoch in range(3):
    for bx, by in batches(x_train, y_train, 20):
        sess.run(step, feed_dict={x: bx, y: by})
"""
PROGRAM = CLASS + MADE + HUNDRED
CUT_OBJECT = "Data(x_train[shard], y_train[shard]"
CUT_GENERATOR = "batches(x_train[shard], y_train[shard], 20)"
DIVIDED = "range(max(1, 100 // hvd.size()))"


def written(program: str) -> str:
    """The program after the rules, which say nothing of its data."""
    migration = migrate(HEAD + program)
    assert not migration.blocked
    assert [note for note in migration.notes if note.code in ("D107", "H01")] == []
    return migration.steps[-1].text


def told(program: str) -> list[tuple[str, str]]:
    """The lines of a program whose data stays whole that are told, and why."""
    migration = migrate(HEAD + program)
    assert "shard" not in migration.steps[-1].text
    lines = (HEAD + program).splitlines()
    found = [note for note in migration.notes if note.code == "D107"]
    return [(lines[n.line - 1].strip(), n.message.partition(": ")[2]) for n in found]


SHARED = {
    "object": (PROGRAM, CUT_OBJECT, DIVIDED),
    "steps by its length": (
        CLASS + MADE + LOOP.format(rounds="data.n // 20"),
        CUT_OBJECT,
        "range(data.n // 20)",
    ),
    "steps by the whole array": (
        CLASS + MADE + LOOP.format(rounds="len(x_train) // 20"),
        CUT_OBJECT,
        "range(max(1, len(x_train) // 20 // hvd.size()))",
    ),
    "steps by another number of its own": (
        CLASS.replace("self.n =", "self.total = batches\n        self.n =")
        + MADE
        + LOOP.format(rounds="data.total"),
        CUT_OBJECT,
        "range(max(1, data.total // hvd.size()))",
    ),
    "until it has gone round": (
        CLASS
        + MADE
        + LOOP.format(rounds=1).replace("for i in range(1):", "while data.epochs < 3:"),
        CUT_OBJECT,
        "while data.epochs < 3:",
    ),
    "a function that trains": (
        CLASS
        + MADE
        + LOOP.replace("for i in range({rounds}):", "def one():").format()
        # the call follows the function
        + "for i in range(100):\n    one()\n",
        CUT_OBJECT,
        DIVIDED,
    ),
    "a function that feeds training and test": (
        CLASS
        + MADE
        + OTHER
        + "def fed(source):\n    bx, by = source.next_batch(20)\n    return {x: bx, y: by}\n"
        + "for i in range(100):\n    sess.run(step, feed_dict=fed(data))\n"
        + "    sess.run(cost, feed_dict=fed(test))\n",
        CUT_OBJECT,
        "test = Data(x_test, y_test)",
    ),
    "all of the test": (
        PROGRAM
        + OTHER
        + "bx, by = test.everything()\nsess.run(cost, {x: bx, y: by})\n"
        + "sess.run(cost, {x: test.images, y: test.labels})\n",
        CUT_OBJECT,
        "test = Data(x_test, y_test)",
    ),
    "lengths and a few": (
        PROGRAM + "print(len(data.images), data.images.shape, data.images[:3])\n",
        CUT_OBJECT,
        DIVIDED,
    ),
    "no example among the arguments": (
        CLASS.replace(
            "self.labels[self.start:self.start + size]\n",
            "self.labels[self.start:self.start + size] - self.mean\n",
        )
        + "data = Data(x_train, y_train, 50, y_train.mean(0))\n"
        + HUNDRED,
        CUT_OBJECT + ", 50, y_train.mean(0))",
        DIVIDED,
    ),
    "an attribute": (
        CLASS
        + "class Trainer:\n    def __init__(self):\n        self.data = Data(x_train, y_train)\n"
        + "    def train(self):\n        for i in range(100):\n"
        + "            bx, by = self.data.next_batch(20)\n"
        + "            sess.run(step, feed_dict={x: bx, y: by})\nTrainer().train()\n",
        CUT_OBJECT,
        DIVIDED,
    ),
    "an order of all before": (
        "order = np.random.permutation(len(x_train))\n"
        + "x_train, y_train = x_train[order], y_train[order]\n"
        + PROGRAM,
        CUT_OBJECT,
        "order = np.random.RandomState(0).permutation(len(x_train))",
    ),
    "files in no order": (
        "import glob\nx_train = np.array([np.load(name) for name in glob.glob('*.npy')])\n"
        + PROGRAM,
        CUT_OBJECT,
        "sorted(glob.glob('*.npy'))",
    ),
    "nothing in another branch": (
        CLASS
        + "import sys\nif sys.argv[1:]:\n    data = Data([], [])\nelse:\n    "
        + MADE
        + HUNDRED,
        CUT_OBJECT,
        "data = Data([], [])",
    ),
    "example by example": (
        "for epoch in range(3):\n    for a, b in zip(x_train, y_train):\n"
        "        sess.run(step, {x: a[None, :], y: b[:, None]})\nsess.run(cost, {x: x_train})\n",
        "zip(x_train[shard], y_train[shard])",
        "for epoch in range(3):",
    ),
    "example by example, counted": (
        "for i, (a, b) in enumerate(zip(x_train, y_train)):\n    sess.run(step, {x: a, y: b})\n",
        "enumerate(zip(x_train[shard], y_train[shard]))",
        "sess.run(step",
    ),
    "generator": (GENERATOR + EPOCHS, CUT_GENERATOR, "for epoch in range(3):"),
    "generator of a test beside": (
        GENERATOR + EPOCHS + "for bx, by in batches(x_test, y_test, 20):\n    print(bx)\n",
        CUT_GENERATOR,
        "batches(x_test, y_test, 20)",
    ),
    "generator without an end": (
        GENERATOR.replace("    order =", "    while True:\n     order =").replace(
            "    for", "     for"
        )
        + "source = batches(x_train, y_train, 20)\n"
        + HUNDRED.replace("data.next_batch(20)", "next(source)"),
        CUT_GENERATOR,
        DIVIDED,
    ),
    "list of pairs": (
        "def batches(data, size):\n    for i in range(0, len(data), size):\n"
        "        yield data[i:i + size]\n"
        "for batch in batches(list(zip(x_train, y_train)), 20):\n    bx, by = zip(*batch)\n"
        "    sess.run(step, feed_dict={x: bx, y: by})\n",
        "batches(list(zip(x_train[shard], y_train[shard])), 20)",
        "bx, by = zip(*batch)",
    ),
}
OWN_NUMBER = "`Data` counts by a number of its own, and not by the examples that it is given"
ALL = "all of what `Data` holds is used here, too"
LEFT = {
    "a bound that is written out": (
        PROGRAM.replace("> self.n:", "> 1000:"),
        ("if self.start + size > 1000:", OWN_NUMBER),
    ),
    "a length that is written out": (
        PROGRAM.replace("self.n = images.shape[0]", "self.n = 1000"),
        ("if self.start + size > self.n:", OWN_NUMBER),
    ),
    "a length that is handed over": (
        PROGRAM.replace("images.shape[0]", "batches").replace("y_train)", "y_train, len(x_train))"),
        ("if self.start + size > self.n:", OWN_NUMBER),
    ),
    "a place modulo a number": (
        PROGRAM.replace("        if self.start + size", "        self.start %= 900\n        if 1")
        .replace("if 1 > self.n", "if self.start % 900 == 0")
        .replace("        self.start %= 900\n", ""),
        ("if self.start % 900 == 0:", OWN_NUMBER),
    ),
    "no bound": (
        CLASS.replace("if self.start + size > self.n:", "if False:") + MADE + HUNDRED,
        ("def next_batch(self, size):", OWN_NUMBER),
    ),
    "all of it": (
        PROGRAM + "sess.run(cost, {x: data.images, y: data.labels})\n",
        ("sess.run(cost, {x: data.images, y: data.labels})", ALL),
    ),
    "all of it by a method": (
        PROGRAM + "bx, by = data.everything()\n",
        ("bx, by = data.everything()", ALL),
    ),
    "other arrays put in": (PROGRAM + "data.images = x_test\n", ("data.images = x_test", ALL)),
    "labels beside": (
        PROGRAM.replace("y: by", "y: y_train[i * 20:i * 20 + 20]"),
        (
            "sess.run(step, feed_dict={x: bx, y: y_train[i * 20:i * 20 + 20]})",
            "it is fed beside what `Data` hands out, and isn't cut alike",
        ),
    ),
    "given away": (
        PROGRAM + "import pickle\npickle.dump(data, open('f', 'wb'))\n",
        ("data = Data(x_train, y_train)", ALL),
    ),
    "labels beside an example": (
        "for a, b in zip(x_train, y_train):\n    sess.run(step, {x: a, y: y_train[0:1]})\n",
        (
            "sess.run(step, {x: a, y: y_train[0:1]})",
            "it is fed beside what `zip` hands out, and isn't cut alike",
        ),
    ),
    "generator up to a number": (
        GENERATOR.replace("range(0, len(a), size)", "range(0, 1000, size)") + EPOCHS,
        ("def batches(a, b, size):", OWN_NUMBER.replace("Data", "batches")),
    ),
}


@pytest.mark.parametrize("name", SHARED)
def test_each_worker_hands_out_a_share(name: str) -> None:
    program, *expected = SHARED[name]
    found = " ".join(written(program).split()).replace("( ", "(").replace(" )", ")")
    assert [part for part in expected if part not in found] == [], found
    assert found.count("shard = slice(") == 1


@pytest.mark.parametrize("name", LEFT)
def test_what_would_run_past_a_share_is_told_with_its_place(name: str) -> None:
    program, place = LEFT[name]
    assert told(program) == [place]


OWN = "[hvd.rank() :: hvd.size()]"


@pytest.mark.parametrize(
    ("program", "is_shared"),
    [
        (PROGRAM, True),
        (PROGRAM.replace("x_train, y_train)", f"x_train{OWN}, y_train{OWN})"), False),
        (PROGRAM.replace("= images, labels, mean", f"= images{OWN}, labels{OWN}, mean"), False),
    ],
)
def test_a_program_that_shares_out_itself_is_left_alone(program: str, is_shared: bool) -> None:
    facts = Facts.of("import horovod.tensorflow as hvd\n" + HEAD + program)
    assert bool(handed_batches(facts).arrays) is is_shared
    assert handed_batches(facts).left == []


def test_nothing_is_cut_where_nothing_trains() -> None:
    migration = migrate(HEAD + PROGRAM.replace("sess.run(step", "sess.run(cost"))
    assert all("[shard]" not in step.text for step in migration.steps)
