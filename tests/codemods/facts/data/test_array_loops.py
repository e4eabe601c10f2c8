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
    assert any("every worker trains on all of this data" in n.message for n in found.notes)


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
