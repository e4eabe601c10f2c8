"""Arrays that an object keeps, and of which a loop that trains takes slices: each gets a share."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

TEXT = """\
import numpy as np
import tensorflow.compat.v1 as tf


class Model:
    def __init__(self, size=32):
        self.size = size
        self.x = np.load("x.npy")
        self.y = np.load("y.npy")
        self.held = np.load("held.npy")
        self.inputs = tf.placeholder(tf.float32, [None, 4])
        self.targets = tf.placeholder(tf.float32, [None, 1])
        self.loss = tf.reduce_mean((tf.layers.dense(self.inputs, 1) - self.targets) ** 2)
        self.step = tf.train.AdamOptimizer(0.01).minimize(self.loss)
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())

    def train(self, epochs):
        for epoch in range(epochs):
            for i in range(len(self.x) // self.size):
                x = self.x[i * self.size : (i + 1) * self.size]
                y = self.y[i * self.size : (i + 1) * self.size]
                self.sess.run(self.step, {self.inputs: x, self.targets: y})


model = Model()
model.train(10)
"""
Y = '        self.y = np.load("y.npy")\n'
ROUNDS = "range(len(self.x) // self.size)"
SHARE = """\
        shard = slice(hvd.rank(), len(self.x) // hvd.size() * hvd.size(), hvd.size())
        self.x, self.y = self.x[shard], self.y[shard]
"""
ORDERED = (
    "            for i in",
    "            order = np.random.permutation(len(self.x))\n            for i in",
)


def edited(*edits: tuple[str, str]) -> str:
    text = TEXT
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new)
    compile(text, "case", "exec")
    return text


FOLLOWED = {
    "as it is": (),
    "given arrays": (
        ('np.load("x.npy")', "x"),
        ('np.load("y.npy")', "y"),
        ("size=32", "x, y, size=32"),
        ("Model()", 'Model(np.load("x.npy"), np.load("y.npy"))'),
    ),
    "by hand around": ((ROUNDS, "range(0, self.x.shape[0] - 31, 32)"), ("i * self.size", "i")),
    "a number that is kept": (
        (Y, Y + "        self.rounds = len(self.x) // size\n"),
        (ROUNDS, "range(self.rounds)"),
    ),
    "scaled before": ((Y, "        self.x = self.x / self.x.max()\n" + Y),),
    "an order of each round": (
        ORDERED,
        ("self.x[i * self.size : (i + 1) * self.size]", "self.x[order[i * 32 : i * 32 + 32]]"),
        ("self.y[i * self.size : (i + 1) * self.size]", "self.y[order[i * 32 : i * 32 + 32]]"),
    ),
    "a method asks for all of it before": (
        (Y, "        self.first()\n" + Y),
        ("    def train", "    def first(self):\n        print(self.x.sum())\n\n    def train"),
    ),
    "a class of old": (("class Model:", "class Model(object):"),),
    "data that was held out": (("model.train(10)", "model.train(10)\nprint(model.held.mean())"),),
}
LEFT = {
    "all of it is used, too": (("model.train(10)", "model.train(10)\nprint(model.x.mean())"),),
    "all of it is handed out": (("model.train(10)", "model.train(10)\nx = model.x"),),
    "its length is used, too": (("model.train(10)", "print(len(model.x))\nmodel.train(10)"),),
    "it is kept somewhere else, too": (("model.train(10)", "model.x = 1\nmodel.train(10)"),),
    "it is kept in a method": (
        (Y, ""),
        ("    def train", "    def load(self):\n" + Y + "\n    def train"),
        ("model.train(10)", "model.load()\nmodel.train(10)"),
    ),
    "it is kept under a condition": ((Y, "        if size:\n    " + Y),),
    "a number is reckoned before": (
        ("        self.y = np", "        self.rounds = len(self.x) // size\n        self.y = np"),
        (ROUNDS, "range(self.rounds)"),
    ),
    "a number is read elsewhere, too": (
        (Y, Y + "        self.rounds = len(self.x) // size\n"),
        (ROUNDS, "range(self.rounds)"),
        ("model.train(10)", "model.train(10)\nprint(model.rounds)"),
    ),
    "a number of its own counts": ((ROUNDS, "range(100)"),),
    "other data counts, too": ((ROUNDS, "range(min(len(self.x), len(self.held)) // 32)"),),
    "a method asks for all of it later": (
        ("    def train", "    def first(self):\n        print(self.x.sum())\n\n    def train"),
        ("model.train(10)", "model.first()\nmodel.train(10)"),
    ),
    "a method asks for all of it before and later": (
        (Y, "        self.first()\n" + Y),
        ("    def train", "    def first(self):\n        print(self.x.sum())\n\n    def train"),
        ("model.train(10)", "model.first()\nmodel.train(10)"),
    ),
    "nobody knows who gets the object": (
        ("import numpy", "import other\nimport numpy"),
        ("model.train(10)", "other.use(model)\nmodel.train(10)"),
    ),
    "another class is made of it": (
        ("model = Model()", "class More(Model):\n    pass\n\n\nmodel = Model()"),
    ),
    "its own class is out of sight": (
        ("import numpy", "from other import Base\nimport numpy"),
        ("class Model:", "class Model(Base):"),
    ),
    "a new order in place": (
        ("            for i in", "            np.random.shuffle(self.x)\n            for i in"),
    ),
}


@pytest.mark.parametrize("edits", FOLLOWED.values(), ids=FOLLOWED)
def test_each_worker_keeps_its_share(edits: tuple[tuple[str, str], ...]) -> None:
    found = migrate(edited(*edits))
    assert found.blocked == ()
    assert SHARE in found.after
    assert found.after.index("self.y = ") < found.after.index(SHARE)
    assert not any(each.code == "D107" for each in found.notes)


def test_it_is_cut_behind_the_last_array_and_before_what_is_counted() -> None:
    found = migrate(edited(*FOLLOWED["a number that is kept"])).after
    assert f"{SHARE}        self.rounds = len(self.x) // size\n" in found


DEALT = "for i in share(range("


@pytest.mark.parametrize("edits", LEFT.values(), ids=LEFT)
def test_else_it_is_left_and_named(edits: tuple[tuple[str, str], ...]) -> None:
    found = migrate(edited(*edits))
    assert "[shard]" not in found.after
    is_named = any(each.code == "D107" for each in found.notes)
    assert found.blocked or is_named is (DEALT not in found.after)  # where it is used, if not here


def test_a_loader_of_another_class_cuts_what_it_has_loaded() -> None:
    found = migrate(
        edited(
            (
                "class Model:",
                "class Data:\n    def __init__(self):\n        self.a = np.load('a')\n"
                "        self.b = np.load('b')\n\n\nclass Model:",
            ),
            ("model.train(10)", "model.train(Data(), 10)"),
            ("self, epochs", "self, data, epochs"),
            ("len(self.x)", "len(data.a)"),
            ("self.x[", "data.a["),
            ("self.y[", "data.b["),
        )
    ).after
    assert "        self.a, self.b = self.a[shard], self.b[shard]\n" in found
    assert "self.x[shard]" not in found
