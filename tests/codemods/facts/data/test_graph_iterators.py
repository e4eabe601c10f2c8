"""Iterators of TensorFlow 1 that begin with one data set after another: the trained one is shared."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

HEAD = """\
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
x = np.load("x.npy")
y = x.sum(axis=1, keepdims=True)
first = tf.data.Dataset.from_tensor_slices((x[:192], y[:192])).shuffle(192).batch(16)
second = tf.data.Dataset.from_tensor_slices((x[192:], y[192:])).batch(16)
iterator = tf.data.Iterator.from_structure({})
inputs, targets = iterator.get_next()
begin = iterator.make_initializer(first)
test = iterator.make_initializer(second)
w = tf.get_variable("w", [4, 1])
loss = tf.reduce_mean((tf.matmul(inputs, w) - targets) ** 2)
train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for epoch in range(2):
"""
TYPES = "tf.data.get_output_types(first), tf.data.get_output_shapes(first)"
MEMBERS = "first.output_types, first.output_shapes"
TO_END = """\
        session.run({})
        while True:
            try:
                session.run({})
            except tf.errors.OutOfRangeError:
                break
"""
TRAINS, TESTS = TO_END.format("begin", "train"), TO_END.format("test", "loss")
CUT = ".shard(hvd.size(), hvd.rank())"


def after(loops: str, types: str = TYPES) -> str:
    return migrate(HEAD.format(types) + loops).after


@pytest.mark.parametrize("types", [TYPES, MEMBERS])
@pytest.mark.parametrize("loops", [TRAINS, TRAINS + TESTS, TESTS + TRAINS])
def test_what_is_trained_on_is_shared_out(loops: str, types: str) -> None:
    found = after(loops, types)
    assert found.count(CUT) == 1
    assert found.index(CUT) < found.index("second =")
    assert "0.01 * hvd.size()" in found


@pytest.mark.parametrize(
    "loops",
    [
        TESTS,
        TRAINS.replace("while True", "for step in range(12)"),  # a share would end before
        TRAINS + TO_END.format("begin", "loss"),  # all of it is tested
        "        session.run(begin)\n        session.run(train)\n",
    ],
)
def test_what_may_be_needed_whole_is_not(loops: str) -> None:
    assert CUT not in after(loops)


HANDLES = """\
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
x = np.load("x.npy")
y = x.sum(axis=1, keepdims=True)
first = tf.data.Dataset.from_tensor_slices((x[:192], y[:192])).shuffle(192){}.batch(16)
second = tf.data.Dataset.from_tensor_slices((x[192:], y[192:])).batch(64)
handle = tf.placeholder(tf.string, shape=[])
iterator = tf.data.Iterator.from_string_handle(
    handle, tf.data.get_output_types(first), tf.data.get_output_shapes(first)
)
inputs, targets = iterator.get_next()
w = tf.get_variable("w", [4, 1])
loss = tf.reduce_mean((tf.matmul(inputs, w) - targets) ** 2)
train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
training = tf.data.make_one_shot_iterator(first)
testing = tf.data.make_initializable_iterator(second)
with tf.Session() as session:
    own = session.run(training.string_handle())
    others = session.run(testing.string_handle())
    session.run(tf.global_variables_initializer())
    for step in range(400):
        session.run(train, {{handle: own}})
        if step % 100 == 0:
            session.run(testing.initializer)
            print(step, session.run(loss, {{handle: others}}))
"""


def test_the_data_behind_the_handle_that_steps_are_fed_is_shared_out() -> None:
    found = migrate(HANDLES.format(".repeat()")).after
    assert found.count(CUT) == 1
    assert found.index(CUT) < found.index("second =")
    assert "400 // hvd.size()" in found


def test_a_share_that_would_end_before_the_steps_do_is_none() -> None:
    assert CUT not in migrate(HANDLES.format(".repeat(100)")).after
