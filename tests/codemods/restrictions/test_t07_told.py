"""A loop of a session that stops by a value of its own: the code by which worker 0 tells it."""

from __future__ import annotations

from pathlib import Path

import pytest

from distify.codemods.migrate import migrate

HEAD = """\
import numpy as np
import tensorflow.compat.v1 as tf

data = np.random.RandomState(1).rand(64, 2).astype("float32")
x = tf.placeholder(tf.float32, [None, 2])
loss = tf.reduce_mean(tf.layers.dense(x, 1) ** 2)
train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
best, wait, rows, held = float("inf"), 0, data[:48], data[48:]
"""
SESSION = """\
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(20):
        for start in range(0, len(rows), 8):
            sess.run(train_op, {x: rows[start : start + 8]})
        value = sess.run(loss, {x: held})
"""
PATIENT = """\
        if value < best:
            best, wait = value, 0
        else:
            wait += 1
            if wait > 3:
                break
"""
ENOUGH = "        if value < 0.1:\n            break\n"
CALLED = "        if sess.run(loss, {x: held}) < 0.1:\n            break\n"
TOLD = "value = hvd.broadcast_object(value, session=sess)"
IMPORT = "let worker 0 tell it first: `import horovod.tensorflow as hvd` at the top, and "
STOPS = {"enough": ENOUGH, "patience": PATIENT, "both": ENOUGH + PATIENT}


def mended(text: str, before: str, line: str) -> str:
    """The program in which a person has done what the advice says."""
    assert text.count(before) == 1
    text = text.replace(before, f"        {line}\n{before}")
    return text.replace("import numpy", "import horovod.tensorflow as hvd\nimport numpy")


@pytest.mark.parametrize("name", STOPS)
def test_worker_0_tells_the_value_that_decides(name: str) -> None:
    text = HEAD + SESSION + STOPS[name]
    first, *_ = migrate(text).blocked
    assert first.code == "T07"
    assert first.fix.startswith(f"{IMPORT}`{TOLD}` before ")
    found = migrate(mended(text, STOPS[name], TOLD))
    assert found.blocked == ()
    for part in ("hvd.init()", "DistributedOptimizer(", "broadcast_global_variables(0)", "shard"):
        assert part in found.after
    assert migrate(found.after).after == found.after


def test_what_a_run_gives_gets_a_name() -> None:
    (found,) = migrate(HEAD + SESSION + CALLED).blocked
    line = "told = hvd.broadcast_object(sess.run(loss, {x: held}), session=sess)"
    assert found.fix.startswith(f"{IMPORT}`{line}` before this line, and write `told` for ")
    after = CALLED.replace("sess.run(loss, {x: held})", "told")
    assert not migrate(mended(HEAD + SESSION + after, after, line)).blocked


def test_the_default_session_needs_no_name() -> None:
    text = HEAD + SESSION.replace("sess.run(train_op, ", "train_op.run(") + ENOUGH
    (found,) = migrate(text).blocked
    assert "`value = hvd.broadcast_object(value)`" in found.fix


EXAMPLES = sorted((Path(__file__).parents[3] / "examples" / "tf1").glob("session_*.py"))
LAST = "hvd.broadcast_object(3)\n"
STARTED = ("import horovod.tensorflow as hvd", "hvd.init()", "")


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_all_else_is_added_as_if_nobody_had_told_anything(example: Path) -> None:
    text = example.read_text(encoding="utf-8")
    first = text.index("import ")
    told = f"{text[:first]}import horovod.tensorflow as hvd\n{text[first:]}{LAST}"
    found, alone = migrate(told).after, migrate(text).after
    assert added(found.replace(LAST, "")) == added(alone)


def added(text: str) -> list[str]:
    """All lines but those of which the import decides where they stand."""
    return [line for line in text.splitlines() if line not in STARTED]


MONITORED = """\
with tf.train.MonitoredTrainingSession() as sess:
    while not sess.should_stop():
        _, value = sess.run([train_op, loss], {x: held})
"""


def test_the_finished_graph_of_a_monitored_session_takes_no_such_line() -> None:
    found = migrate(HEAD + MONITORED + ENOUGH).blocked
    assert found
    assert not any("broadcast_object" in each.fix for each in found)
    told = migrate(mended(HEAD + MONITORED + ENOUGH, ENOUGH, TOLD)).blocked
    assert "uses Horovod already" in told[0].message


@pytest.mark.parametrize(
    "line",
    [
        "value = float(sess.run(hvd.allreduce(tf.constant(value))))",
        "value = hvd.broadcast_object(value, session=sess) if hvd.size() > 1 else value",
        "value = max(hvd.broadcast_object(value, session=sess), getattr(hvd, 'rank')())",
        "value = getattr(hvd, 'broadcast_object')(value, session=sess)",
    ],
)
def test_what_does_more_with_horovod_is_left_as_before(line: str) -> None:
    found = migrate(mended(HEAD + SESSION + ENOUGH, ENOUGH, line)).blocked
    assert any("uses Horovod already" in each.message for each in found)
