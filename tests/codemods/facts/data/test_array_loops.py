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
