"""A supervisor finishes the graph: what broadcasts is made before, and run first of all."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

HEAD = """\
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
x = tf.placeholder(tf.float32, [None, 4])
global_step = tf.train.get_or_create_global_step()
loss = tf.reduce_mean(tf.square(tf.layers.dense(x, 1)))
train = tf.train.GradientDescentOptimizer(0.05).minimize(loss, global_step=global_step)
merged, saver = tf.summary.merge_all(), tf.train.Saver()
"""
MADE = 'sv = tf.train.Supervisor(logdir="log", summary_op=None)\n'
OPEN = "with sv.managed_session() as sess:\n"
LOOP = "    for step in range(100):\n        sess.run(train, {x: np.random.rand(8, 4)})\n"
BROADCAST = "broadcast = hvd.broadcast_global_variables(0)\n"
FOLDER = 'logdir="log" if hvd.rank() == 0 else None'
CONFIG = "config.gpu_options.visible_device_list = str(hvd.local_rank())\n"


def migrated(text: str) -> str:
    found = migrate(HEAD + text)
    assert found.blocked == (), found.blocked
    assert migrate(found.after).after == found.after
    return found.after


def test_the_session_runs_what_was_made_before_the_graph_was_finished() -> None:
    after = migrated(MADE + OPEN + LOOP)
    assert f"{BROADCAST}sv = tf.train.Supervisor(" in after
    assert FOLDER in after
    assert f"{CONFIG}with sv.managed_session(config=config) as sess:\n" in after
    assert (
        ":\n    sess.run(broadcast)\n    for step in range(max(1, 100 // hvd.size())):\n" in after
    )
    assert "sess.run(hvd.broadcast" not in after


def test_a_comment_stays_with_the_statement_that_it_leads() -> None:
    after = migrated("# watches\n" + MADE + OPEN + "    # rounds\n" + LOOP)
    assert f"{BROADCAST}\n# watches\nsv = " in after
    assert "    sess.run(broadcast)\n\n    # rounds\n    for " in after


def test_all_workers_run_it_also_where_only_one_does_what_the_block_begins_with() -> None:
    after = migrated(MADE + OPEN + "    # speaks\n    print(sv.should_stop())\n" + LOOP)
    begin = "as sess:\n    sess.run(broadcast)\n\n    # speaks\n"
    assert begin in after
    assert "    if hvd.rank() == 0:\n        print(" in after.partition(begin)[2]


def test_a_session_that_is_prepared_runs_it_behind() -> None:
    session = "sess = sv.prepare_or_wait_for_session(config=tf.ConfigProto())\n"
    after = migrated(MADE + session + LOOP.replace("    ", "", 1).replace("\n    ", "\n"))
    assert "sess = sv.prepare_or_wait_for_session(config=config)\nsess.run(broadcast)\n" in after


def test_a_supervisor_without_a_name_has_it_in_front_of_its_session() -> None:
    after = migrated("with tf.train.Supervisor().managed_session() as sess:\n" + LOOP)
    assert after.index(BROADCAST) < after.index("with tf.train.Supervisor()")
    assert "    sess.run(broadcast)\n" in after


def test_one_that_is_an_attribute_has_it_beside() -> None:
    after = migrated(
        "class Trainer:\n"
        "    def __init__(self):\n"
        '        self.sv = tf.train.Supervisor(logdir="log")\n\n'
        "    def train(self):\n"
        "        with self.sv.managed_session() as self.sess:\n"
        "            for step in range(9):\n"
        "                self.sess.run(train, {x: np.random.rand(8, 4)})\n\n\n"
        "Trainer().train()\n"
    )
    assert "        self.broadcast = hvd.broadcast_global_variables(0)\n        self.sv = " in after
    assert "            self.sess.run(self.broadcast)\n            for step" in after


def test_a_restore_of_the_programs_own_is_followed_by_the_same() -> None:
    after = migrated(MADE + OPEN + '    saver.restore(sess, "old")\n' + LOOP)
    assert 'as sess:\n    saver.restore(sess, "old")\n    sess.run(broadcast)\n' in after
    assert after.count("sess.run(broadcast)") == 1


def test_what_restores_inside_of_the_supervisor_broadcasts_nothing() -> None:
    load = 'def load(session):\n    saver.restore(session, "old")\n\n\n'
    after = migrated(load + MADE.replace('log"', 'log", init_fn=load') + OPEN + LOOP)
    assert 'saver.restore(session, "old")\n\n' in after
    assert after.count(".run(broadcast)") == 1


def test_only_worker_0_writes_through_it() -> None:
    after = migrated(
        MADE
        + OPEN
        + LOOP
        + "    sv.summary_computed(sess, sess.run(merged))\n"
        + "    sv.saver.save(sess, sv.save_path, global_step=step)\n"
        + "    sv.summary_writer.add_graph(sess.graph)\n"
        + "    sv.summary_writer.flush()\n"
        + "sv.stop()\n"
    )
    behind = after[after.index("range(max(1") :]
    guarded = behind[behind.index("    if hvd.rank() == 0:\n") :]
    assert guarded.index("sv.summary_computed(") < guarded.index(".save(sess")
    assert "        sv.saver.save(sess, sv.save_path, global_step=step)\n" in guarded
    assert behind.endswith("\nsv.stop()\n")


@pytest.mark.parametrize(
    "loop",
    [
        "    while not sv.should_stop():\n        if sess.run(sv.global_step) >= 9:\n"
        "            sv.request_stop()\n",
        "    step = sess.run(sv.global_step)\n    while not sv.should_stop() and step < 900:\n"
        "        step = sess.run(sv.global_step)\n",
        "    for step in range(9):\n        if sv.should_stop():\n            break\n",
        "    start = tf.train.global_step(sess, sv.global_step)\n    while start < 9:\n"
        "        start = sess.run(sv.global_step)\n",
    ],
)
def test_what_all_workers_answer_alike_may_end_the_loop(loop: str) -> None:
    migrated(MADE + OPEN + loop + "        sess.run(train, {x: np.random.rand(8, 4)})\n")


def test_a_graph_that_it_is_given_is_entered_for_what_broadcasts() -> None:
    graph = (
        "class Net:\n    def __init__(self):\n        self.graph = tf.Graph()\n"
        "        with self.graph.as_default():\n"
        "            self.x = tf.placeholder(tf.float32, [None, 4])\n"
        "            loss = tf.reduce_mean(tf.layers.dense(self.x, 1))\n"
        "            self.train = tf.train.AdamOptimizer(0.1).minimize(loss)\n\n\nnet = Net()\n"
    )
    made = MADE.replace("(logdir", "(graph=net.graph, logdir")
    loop = LOOP.replace("run(train, {x:", "run(net.train, {net.x:")
    text = HEAD.partition("x =")[0] + graph + made + OPEN + loop
    found = migrate(text)
    assert found.blocked == ()
    lines = f"with net.graph.as_default():\n    {BROADCAST}sv = tf.train.Supervisor("
    assert lines in found.after
    assert "as sess:\n    sess.run(broadcast)\n" in found.after


def test_a_graph_of_its_own_is_entered_around_it() -> None:
    text = HEAD.partition("x =")[2] + MADE + OPEN + LOOP
    inside = "with tf.Graph().as_default():\n    x =" + text.replace("\n", "\n    ").rstrip() + "\n"
    found = migrate(HEAD.partition("x =")[0] + inside)
    assert found.blocked == ()
    assert f"    {BROADCAST}    sv = " in found.after
