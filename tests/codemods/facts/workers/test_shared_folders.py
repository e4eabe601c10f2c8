"""Paths that all workers of a graph program write to."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.workers.shared_folders import shared_folders

HEAD = """\
import tempfile
import urllib.request
import tensorflow.compat.v1 as tf
import horovod.tensorflow as hvd

hvd.init()
weights = tf.get_variable("weights", [3, 1])
loss = tf.reduce_mean(weights)
opt = hvd.DistributedOptimizer(tf.train.AdamOptimizer(0.01 * hvd.size()))
train = opt.minimize(loss)
saver = tf.train.Saver()
"""
MONITORED = "with {} as sess:\n    sess.run(train)\n"
ESTIMATOR = "{}.train(read)\n"
TRAINERS = {
    "tf.train.MonitoredTrainingSession('', True, {})": MONITORED,
    "tf.train.MonitoredTrainingSession(checkpoint_dir={})": MONITORED,
    "tf.estimator.Estimator(model, {})": ESTIMATOR,
    "tf.estimator.Estimator(model, model_dir={})": ESTIMATOR,
}
WRITERS = [
    "tf.summary.FileWriter({})",
    "tf.summary.FileWriter(logdir={})",
    "urllib.request.urlretrieve(url, {})",
    "urllib.request.urlretrieve(url, filename={})",
    "open({}, 'w')",
    "open(mode='wb', file={})",
    "saver.save(sess, {})",
    "saver.save(sess, save_path={})",
]
SESSION = "with tf.Session() as sess:\n    sess.run(train)\n    {}\n"


def found(line: str, head: str = HEAD, around: str = SESSION) -> list[str]:
    """The paths that all workers write to by a line."""
    return [ast.unparse(path) for _, path in shared_folders(Facts.of(head + around.format(line)))]


@pytest.mark.parametrize("line", WRITERS)
def test_what_each_worker_writes_is_found_with_its_path(line: str) -> None:
    assert found(line.format("'out'")) == ["'out'"]


@pytest.mark.parametrize("line", WRITERS)
def test_a_path_of_each_worker_or_of_one_alone_is_left(line: str) -> None:
    assert not found(line.format("'out' + str(hvd.rank())"))
    assert not found(line.format("'out' if hvd.rank() == 0 else None"))
    assert not found(f"if hvd.rank() == 0: {line.format(chr(39) + 'out' + chr(39))}")
    assert not found(line.format("None"))
    assert not found(line.format("tempfile.mkdtemp()"))


@pytest.mark.parametrize("line", TRAINERS)
def test_what_trains_into_one_folder_is_found(line: str) -> None:
    around = TRAINERS[line]
    assert found(line.format("'out'"), around=around) == ["'out'"]
    assert not found(line.format("'out' if hvd.rank() == 0 else None"), around=around)


@pytest.mark.parametrize("line", ["open('in')", "open('in', 'r')", "model.save(sess, 'out')"])
def test_what_is_read_or_unknown_is_left(line: str) -> None:
    assert not found(line)


def test_nothing_is_said_where_no_optimizer_is_wrapped_or_no_graph_is_run() -> None:
    alone = HEAD.replace("hvd.DistributedOptimizer(", "(")
    assert not found("open('out', 'w')", alone)
    text = alone.replace("train = opt.minimize(loss)", "") + "open('out', 'w')\n"
    assert not list(shared_folders(Facts.of(text)))


def test_a_rank_that_is_asked_at_every_call_of_a_function_guards_it() -> None:
    function = "def write():\n    open('out', 'w')\n"
    guarded = "if hvd.rank() == 0:\n        write()"
    assert not found(guarded, HEAD + function)
    assert found(f"{guarded}\n    write()", HEAD + function) == ["'out'"]
    further = "def finish():\n    write()\n"
    assert not found("if hvd.rank() == 0: finish()", HEAD + function + further)
    assert found("finish()", HEAD + function + further) == ["'out'"]
