"""Loops that train on slices of arrays: of names, or of attributes."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

# -- array loops ---------------------------------------------------------------------------------
# Loops over slices of arrays: what they are cut by, and how many rounds of them there are.

HEAD = """\
import numpy as np
import tensorflow.compat.v1 as tf

data = np.random.RandomState(0).rand(100, 3)
x = tf.placeholder(tf.float32, [None, 3])
loss = tf.reduce_mean(tf.layers.dense(x, 1) ** 2)
train = tf.train.AdamOptimizer(0.01).minimize(loss)
size = 8
count = data.shape[0]
"""
SESSION = """\
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
"""
OFFSET = """\
    for step in range(90):
        start = step * size % (data.shape[0] - size)
        sess.run(train, {x: data[start : start + size, :]})
"""
EPOCHS = """\
    for epoch in range(3):
        batches = int(count / size)
        for i in range(batches):
            sess.run(train, {x: data[i * size : (i + 1) * size]})
"""
CUT = "data = data[shard]\n"


@pytest.mark.parametrize(
    ("loop", "rounds"),
    [(OFFSET, "range(max(1, 90 // hvd.size()))"), (EPOCHS, "range(3)")],
)
def test_the_arrays_are_cut_and_steps_that_count_for_themselves_are_divided(
    loop: str, rounds: str
) -> None:
    found = migrate(HEAD + SESSION + loop)
    assert found.blocked == ()
    assert CUT in found.after
    assert rounds in found.after
    assert found.after.index(CUT) < found.after.index(
        "(data.shape" if loop is OFFSET else "count ="
    )


@pytest.mark.parametrize(
    "loop",
    [
        OFFSET.replace("(data.shape[0] - size)", "92"),  # a share may be shorter than that
        OFFSET.replace("% (data.shape[0] - size)", "+ data.shape[0]"),
        OFFSET + "    print(sess.run(loss, {x: data}))\n",  # all of it is asked for later
        EPOCHS.replace("count / size", "96 / size"),
        "    for again in range(2):\n" + OFFSET.replace("    ", "        ") + "    print(data)\n",
    ],
)
def test_other_loops_keep_their_arrays_and_a_note_says_so(loop: str) -> None:
    found = migrate(HEAD + SESSION + loop)
    assert found.blocked == ()
    assert "[shard]" not in found.after
    assert "range(90)" in found.after or "range(batches)" in found.after
    is_named = any("every worker trains on all of this data" in n.message for n in found.notes)
    assert is_named is ("share(" not in found.after)


DRAWN = """\
    for epoch in range(3):
        order = np.random.permutation(len(data))
        for start in range(0, len(data), size):
            batch = order[start : start + size]
            sess.run(train, {x: data[batch]})
"""


@pytest.mark.parametrize(
    "loop",
    [
        DRAWN,
        DRAWN.replace("            batch = order[start : start + size]\n", "").replace(
            "[batch]", "[order[start : start + size]]"
        ),
        DRAWN.replace("permutation(len(data))", "permutation(data.shape[0])"),
    ],
    ids=["a name for the slice", "the slice itself", "by its shape"],
)
def test_an_order_is_drawn_for_the_share_of_each_worker(loop: str) -> None:
    found = migrate(HEAD + SESSION + loop)
    assert found.blocked == ()
    assert CUT in found.after
    assert found.after.index(CUT) < found.after.index("permutation")
    assert "seed(0)" not in found.after, "each worker may draw an order of its own"
    assert not any("an order of its own" in note.message for note in found.notes)


@pytest.mark.parametrize(
    "loop",
    [
        DRAWN.replace("permutation(len(data))", "permutation(100)"),
        DRAWN.replace("range(0, len(data), size)", "range(0, 96, size)"),
        DRAWN + "        print(order[:3], data[order[0]])\n",
        DRAWN.replace("{x: data[batch]}", "{x: data[batch] + other(batch)}"),
        DRAWN.replace("        order =", "        if epoch % 2:\n            order =", 1).replace(
            "    for epoch", "    order = np.arange(100)\n    for epoch", 1
        ),
    ],
    ids=["a number", "a number of rounds", "asked for one", "given away", "only at times"],
)
def test_an_order_of_what_a_share_has_not_is_left(loop: str) -> None:
    text = HEAD.replace("size = 8", "other = np.load('more.npy').take\nsize = 8") + SESSION + loop
    assert CUT not in migrate(text).after


LABELS = "labels = np.random.RandomState(1).rand(100, 1)\n"
IN_EPOCHS = """\
    for epoch in range(3):
{reorder}
        for i in range(0, {length}, size):
            sess.run(train, {{x: data[i : i + size], y: labels[i : i + size]}})
{behind}"""
BOTH = "    data, labels = data[shard], labels[shard]\n"
REORDERS = {
    "by one order": "order = np.random.permutation(len(data))\ndata = data[order]\nlabels = labels[order]",
    "in one line": "order = np.random.permutation(data.shape[0])\n"
    "data, labels = data[order], labels[order]",
    "by a mixed range": "order = np.arange(len(data))\nnp.random.shuffle(order)\n"
    "data = data[order]\nlabels = labels[order]",
    "by scikit-learn": "data, labels = shuffle(data, labels)",
}
KEPT = {
    "by an order for something else, too": REORDERS["by one order"] + "\nothers = others[order]",
    "by an order of so many": "order = np.random.permutation(100)\ndata = data[order]\n"
    "labels = labels[order]",
    "one of them only, by what nobody knows": "data = data[elsewhere()]",
    "by slices": "data = data[: len(data) - 1]",
    "from the other": "data, labels = shuffle(labels, data)",
}


def in_epochs(reorder: str, length: str = "len(data)", behind: str = "") -> str:
    lines = "".join(f"        {line}\n" for line in reorder.splitlines()).rstrip()
    head = "from sklearn.utils import shuffle\nfrom other import elsewhere\n" + HEAD + LABELS
    head += "others = data\ny = tf.placeholder(tf.float32, [None, 1])\n"
    loop = IN_EPOCHS.format(reorder=lines, length=length, behind=behind)
    return head + SESSION + loop


@pytest.mark.parametrize("name", REORDERS)
def test_arrays_in_a_new_order_each_epoch_are_cut_before_the_first(name: str) -> None:
    migration = migrate(in_epochs(REORDERS[name]))
    assert not migration.blocked
    after = migration.steps[-1].text
    assert BOTH + "    for epoch in range(3):" in after
    assert "RandomState(0)." not in after.replace("RandomState(0).rand(", "")
    assert "random_state" not in after
    assert [note for note in migration.notes if note.code in ("D107", "H01")] == []


@pytest.mark.parametrize("name", KEPT)
def test_arrays_stay_whole_where_an_order_is_not_theirs_alone(name: str) -> None:
    migration = migrate(in_epochs(KEPT[name]))
    assert "shard" not in migration.steps[-1].text


def test_arrays_stay_whole_that_are_read_behind_the_epochs() -> None:
    program = in_epochs(REORDERS["by one order"], behind="    sess.run(loss, {x: data})\n")
    assert "shard" not in migrate(program).steps[-1].text


# -- attribute loops -----------------------------------------------------------------------------
# Arrays that an object keeps, and of which a loop that trains takes slices: each gets a share.

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
