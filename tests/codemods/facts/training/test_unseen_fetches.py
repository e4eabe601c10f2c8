"""What a session fetches: whether it may be a training step that nobody sees."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

TEXT = """\
import numpy as np
import tensorflow.compat.v1 as tf
import {module}

x = tf.placeholder(tf.float32, [None, 4])
scale = {made}
loss = tf.reduce_mean(tf.layers.dense(x, 1) ** 2)
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
shown = loss * scale
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(100):
        sess.run(train, {{x: np.random.rand(4, 4)}})
        print(sess.run({fetched}, {{x: np.ones((4, 4))}}))
"""
# Libraries of data and of the system: none of them makes a step.
SEEN = (
    "math os sys time argparse absl collections datetime functools itertools json logging pickle "
    "random re string scipy pandas sklearn cv2 PIL gym bz2 codecs copy csv glob gzip io pathlib "
    "shutil struct tarfile typing urllib urllib2 zipfile operator heapq gensim h5py imageio "
    "matplotlib nltk six skimage tqdm yaml"
)


def is_refused(module: str, made: str, fetched: str = "shown") -> bool:
    found = migrate(TEXT.format(module=module, made=made, fetched=fetched)).blocked
    told = ("whether this run takes a training step", "`optimize_loss` makes its optimizer")
    return any(text in each.message for each in found for text in told)


@pytest.mark.parametrize("module", SEEN.split())
def test_libraries_of_data_make_no_steps(module: str) -> None:
    assert not is_refused(module, f"{module}.value")


@pytest.mark.parametrize("module", ["other", "mathx", "my.os"])
def test_another_module_may(module: str) -> None:
    assert is_refused(module, f"{module}.value")


@pytest.mark.parametrize(
    ("made", "refused"),
    [
        ("tf.get_collection(tf.GraphKeys.LOSSES)", False),
        ("tf.get_collection('shown')", False),
        ("tf.get_collection('train_op')", True),
        ("tf.get_collection('shown', other)", False),
        ("tf.get_collection(other)", True),
        ("tf.get_default_graph().get_tensor_by_name('a:0')", True),
        ("tf.get_default_graph().get_operation_by_name('a')", True),
        ("tf.get_default_graph().get_operations()", True),
        ("tf.get_collection_ref('shown')", False),
        ("tf.contrib.layers.optimize_loss(1.0)", True),
    ],
)
def test_what_a_graph_hands_out_may_be_one(made: str, refused: bool) -> None:
    assert is_refused("math", made) is refused


@pytest.mark.parametrize("name", ["add_to_collection", "add_to_collections"])
def test_a_collection_that_is_given_a_step_holds_one(name: str) -> None:
    text = TEXT.format(module="math", made="1.0", fetched="tf.get_collection('shown')")
    assert not is_refused("math", "1.0", "tf.get_collection('shown')")
    found = migrate(text.replace("shown = loss", f"tf.{name}('shown', train)\nshown = loss"))
    assert any("whether this run takes a training step" in each.message for each in found.blocked)
