"""Which rounds of a session's loops the workers share: where all of them train on other examples."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

HEAD = """\
import numpy as np
import tensorflow.compat.v1 as tf
{imports}
data = np.load("pictures.npy").astype(np.float32)
x = tf.placeholder(tf.float32, [None, 4])
noise = tf.placeholder(tf.float32, [None, 4])
real, fake = tf.layers.dense(x, 1, name="d"), tf.layers.dense(noise, 1, name="g")
d_step = tf.train.AdamOptimizer(0.01).minimize(tf.reduce_mean(real) - tf.reduce_mean(fake))
g_step = tf.train.AdamOptimizer(0.01).minimize(tf.reduce_mean(fake))
sess = tf.Session()
sess.run(tf.global_variables_initializer())
class Pictures:
    all = np.load("pictures.npy").astype(np.float32)
"""
TURNS = """\
for i in range(500):
    z = np.random.uniform(-1, 1, [32, 4])
    sess.run(d_step, feed_dict={{x: {batch}, noise: z}})
    sess.run(g_step, feed_dict={{noise: z}})
"""
WHOLE, DIVIDED = "in range(500):", "in range(500 // hvd.size()):"
DEALT = "in share(range(500)):"
DRAWN = "np.random.uniform(-1, 1, [32, 4])"
IN_ORDER = "Pictures.all[i * 32 : i * 32 + 32]"
BLOCK = "data[start : start + 32]"


def after(loop: str, imports: str = "") -> str:
    migration = migrate(HEAD.format(imports=imports) + loop)
    assert not migration.blocked
    return migration.steps[-1].text.replace("max(1, 500 // hvd.size())", "500 // hvd.size()")


@pytest.mark.parametrize(("batch", "rounds"), [(IN_ORDER, DEALT), (DRAWN, DIVIDED)])
def test_turns_are_shared_if_both_of_them_take_examples_of_each_worker(
    batch: str, rounds: str
) -> None:
    """With half of the rounds all workers would see the first half of what they all have."""
    assert rounds in after(TURNS.format(batch=batch))


def test_rounds_that_are_reckoned_from_a_share_are_not_divided_once_more() -> None:
    """The generator's runs are fed what each worker draws, in the loop over the share."""
    turns = TURNS.format(batch="data[i * 32 : i * 32 + 32]")
    found = after(turns.replace("range(500)", "range(len(data) // 32)").replace("Pictures", "data"))
    assert "data = data[shard]" in found
    assert "in range(len(data) // 32):" in found


@pytest.mark.parametrize(
    ("start", "rounds"),
    [("np.random.randint(0, len(data) - 32)", DIVIDED), ("i * 32 % 1000", WHOLE)],
)
def test_a_block_from_a_drawn_place_on_is_each_workers_own(start: str, rounds: str) -> None:
    loop = f"for i in range(500):\n    start = {start}\n    sess.run(d_step, {{x: {BLOCK}, noise: {BLOCK}}})\n"
    assert rounds in after(loop + "print(data)\n")


@pytest.mark.parametrize(
    ("imports", "name", "rounds"),
    [
        ("from six.moves import xrange", "xrange", DIVIDED),
        ("from six.moves import range", "range", DIVIDED),
        ("from other import xrange", "xrange", WHOLE),
    ],
)
def test_the_range_of_six_counts_as_pythons_own(imports: str, name: str, rounds: str) -> None:
    loop = f"for i in {name}(500):\n    sess.run(g_step, {{noise: {DRAWN}}})\n"
    assert rounds in after(loop, imports).replace(f"{name}(", "range(")


WORDS = """\
place = 0

def batch(size):
    global place
    found, near = np.zeros([size, 4]), []
    for i in range(size):
        near.append(data[place])
        place = (place + 1) % len(data)
        found[i] = near[{}]
    return found

for i in range(500):
    sess.run(d_step, {{x: batch(32), noise: batch(32)}})
"""


@pytest.mark.parametrize("place", ["np.random.randint(0, len(near))", "-1"])
def test_what_is_picked_among_examples_that_are_read_in_order_is_no_workers_own(place: str) -> None:
    """As the words around a word: half of the rounds would end in the middle of the text."""
    migration = migrate(HEAD.format(imports="") + WORDS.format(place))
    assert WHOLE in migration.steps[-1].text
    assert any(each.code == "D107" for each in migration.notes)
