"""Loops over slices of arrays: what they are cut by, and how many rounds of them there are."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

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
