"""What of a supervisor is named and refused: what one worker would do alone, or is out of sight."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

HEAD = """\
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
x = tf.placeholder(tf.float32, [None, 4])
loss = tf.reduce_mean(tf.square(tf.layers.dense(x, 1)))
optimizer = tf.train.GradientDescentOptimizer(0.05)
pairs = optimizer.compute_gradients(loss)
train = optimizer.apply_gradients(pairs, global_step=tf.train.get_or_create_global_step())
"""
MADE = 'sv = tf.train.Supervisor(logdir="log")\n'
OPEN = "with sv.managed_session() as sess:\n"
LOOP = "    for step in range(100):\n        sess.run(train, {x: np.random.rand(8, 4)})\n"
PLAIN = MADE + OPEN + LOOP
DATA = "x = tf.data.make_one_shot_iterator(tf.data.Dataset.range(64){}.batch(8)).get_next()\n"
OWN = "x = tf.cast(x, tf.float32)[:, None]\nloss = tf.reduce_mean(tf.layers.dense(x, 1))\n"
ENDING = HEAD.partition("x = ")[0] + DATA + OWN + "optimizer" + HEAD.partition("optimizer")[2]
SUMMARY = 'tf.summary.scalar("loss", loss)\n'
UNTIL = MADE + OPEN + "    while not sv.should_stop():\n        sess.run(train)\n"
REFUSED = {
    "another worker is its chief": (
        PLAIN.replace('"log"', '"log", is_chief=False'),
        "has a chief",
    ),
    "it belongs to a cluster": (PLAIN.replace("session()", 'session("grpc://a")'), "a cluster"),
    "its arguments are hidden": (PLAIN.replace('logdir="log"', "**{}"), "may be among"),
    "something else gets its session": (
        PLAIN.replace('"log"', '"log", session_manager=tf.train.SessionManager()'),
        "how this supervisor gets its session",
    ),
    "it waits for a checkpoint": (
        MADE + "sess = sv.prepare_or_wait_for_session(wait_for_checkpoint=True)\n"
        "for step in range(9):\n    sess.run(train, {x: np.random.rand(8, 4)})\n",
        "the others would wait",
    ),
    "it is made elsewhere": (
        "def make():\n    return tf.train.Supervisor()\n\n\nsv = make()\n" + OPEN + LOOP,
        "which supervisor makes this session",
    ),
    "its session has no name": (
        MADE + "entered = sv.managed_session()\nwith entered as sess:\n" + LOOP,
        "no name by which",
    ),
    "it is made in another graph": (
        "graph = tf.Graph()\n" + PLAIN,
        "in which graph",
    ),
    "a worker stops it by a loss of its own": (
        MADE + OPEN + "    for step in range(100):\n"
        "        if sv.should_stop():\n            break\n"
        "        _, value = sess.run([train, loss], {x: np.random.rand(8, 4)})\n"
        "        if value < 0.1:\n            sv.request_stop()\n",
        "stops the training by a value of one worker's own",
    ),
    "its folder is asked for by all": (
        "import os\n" + MADE + OPEN + LOOP + '    name = os.path.join(sv.save_path, "a")\n',
        "only worker 0 has the folder",
    ),
    "it is asked for something else": (MADE + OPEN + "    sv.wait_for_stop()\n" + LOOP, "is done"),
    "it is handed out": ("import other\n" + MADE + OPEN + "    other.use(sv)\n" + LOOP, "is done"),
    "a thread takes steps": (
        "def step(sess):\n    sess.run(train, {x: np.random.rand(8, 4)})\n\n\n"
        + MADE
        + OPEN
        + "    sv.loop(9, step, (sess,))\n"
        + LOOP,
        "in a thread of its own",
    ),
    "a thread runs what nobody sees": (
        "import other\n" + MADE + OPEN + "    sv.loop(9, other.use)\n" + LOOP,
        "in a thread of its own",
    ),
    "summaries of averaged gradients": (
        'tf.summary.histogram("g", pairs[0][0])\n' + PLAIN,
        "worker 0 alone writes these averaged gradients",
    ),
    "a restore where the broadcast can't be seen": (
        "saver = tf.train.Saver()\n\n\ndef load(sess):\n    saver.restore(sess, 'old')\n\n\n"
        "def main():\n    "
        + (MADE + OPEN + "    load(sess)\n" + LOOP).replace("\n", "\n    ")
        + "\nmain()\n",
        "finishes the graph",
    ),
    "a loop that ends by the loss asks for no broadcast in a finished graph": (
        MADE + OPEN + "    for step in range(100):\n"
        "        _, value = sess.run([train, loss], {x: np.random.rand(8, 4)})\n"
        "        if value < 0.1:\n            break\n",
        "decides whether a step is taken",
    ),
}


@pytest.mark.parametrize(("text", "why"), REFUSED.values(), ids=REFUSED)
def test_what_one_worker_would_do_alone_is_refused(text: str, why: str) -> None:
    found = migrate(HEAD + text)
    assert found.after == HEAD + text
    assert any(why in each.message for each in found.blocked), found.blocked
    assert not any("broadcast_object" in (each.fix or "") for each in found.blocked)
    assert not any("are initialised" in each.message for each in found.blocked)


def test_a_plain_one_is_not() -> None:
    assert migrate(HEAD + PLAIN).blocked == ()


@pytest.mark.parametrize(
    ("repeated", "made", "is_refused"),
    [
        ("", MADE, True),
        (".repeat(2)", MADE, True),
        (".repeat()", MADE, False),
        ("", MADE.replace('"log"', '"log", summary_op=None'), False),
        ("", MADE.replace('logdir="log"', ""), False),
    ],
)
def test_summaries_of_data_that_ends_are_no_matter_of_one_workers_thread(
    repeated: str, made: str, is_refused: bool
) -> None:
    found = migrate(ENDING.replace("{}", repeated) + SUMMARY + UNTIL.replace(MADE, made))
    told = [each for each in found.blocked if "alone would take data" in each.message]
    assert bool(told) is is_refused


@pytest.mark.parametrize(
    "session",
    [
        "with tf.train.MonitoredTrainingSession() as sess:\n    while not sess.should_stop():\n",
        MADE + OPEN + "    while not sv.should_stop():\n",
    ],
)
@pytest.mark.parametrize("epochs", ["", ", num_epochs=2"])
def test_sessions_that_start_queues_by_themselves_start_none_that_end(
    session: str, epochs: str
) -> None:
    queue = f"files = tf.train.string_input_producer(['a', 'b']{epochs})\n"
    rows = "x = tf.train.batch([tf.decode_csv(tf.TextLineReader().read(files)[1], [[0.0]])], 8)\n"
    text = HEAD.replace("x = tf.placeholder(tf.float32, [None, 4])\n", queue + rows)
    found = migrate(text + session + "        sess.run(train)\n")
    assert any("queues may end" in each.message for each in found.blocked) is bool(epochs)
