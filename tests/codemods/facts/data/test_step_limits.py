"""Programs that end their training themselves, at a number of steps: the workers share these."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

HEAD = """\
import numpy as np
import tensorflow.compat.v1 as tf

x = tf.placeholder(tf.float32, [None, 4])
loss = tf.reduce_mean(tf.layers.dense(x, 1) ** 2)
counted = tf.train.get_or_create_global_step()
optimizer = tf.train.GradientDescentOptimizer(0.1)
train = optimizer.minimize(loss, global_step=counted)
"""
PLAIN = """\
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    step = 0
"""
MONITORED = "with tf.train.MonitoredTrainingSession() as sess:\n    step = 0\n"
DRAWN = "np.random.rand(4, 4)"
RUN = f"        sess.run(train, {{x: {DRAWN}}})\n"
ASKED = "        step = sess.run(counted)\n"
SHARE = "max(1, 500 // hvd.size())"
BREAK = "            break\n"
HOOK = """\
class Ends(tf.train.SessionRunHook):
    def begin(self):
        self.count = -1
        self.counted = tf.train.get_global_step()

    def after_run(self, run_context, run_values):
{}
            run_context.request_stop()

with tf.train.MonitoredTrainingSession(hooks=[Ends()]) as sess:
    while not sess.should_stop():
        sess.run(train, {{x: np.random.rand(4, 4)}})
"""


def after(text: str) -> str:
    found = migrate(HEAD + text)
    assert found.blocked == ()
    return found.after


@pytest.mark.parametrize(
    "loop",
    [
        f"    while True:\n{RUN}{ASKED}        if step >= NUMBER:\n{BREAK}",
        f"    while True:\n{RUN}        step += 1\n        if step == NUMBER:\n{BREAK}",
        f"    while True:\n        step += 1\n{RUN}        if NUMBER <= step or tf is None:\n{BREAK}",
        f"    while True:\n{RUN}        if tf.train.global_step(sess, counted) > NUMBER:\n{BREAK}",
        f"    while True:\n{RUN}{ASKED}        if step + 1 < NUMBER:\n            pass\n        else:\n{BREAK}",
        f"    for epoch in range(9):\n     for i in range(7):\n{RUN}     if sess.run(counted) > NUMBER:\n{BREAK}",
        f"    for i, b in enumerate([1, 2]):\n{RUN}        if i >= NUMBER:\n{BREAK}",
        f"    for i in range(10**9):\n{RUN}        if i >= NUMBER:\n{BREAK}",
        f"    while sess.run(counted) < NUMBER:\n{RUN}",
        f"    while NUMBER > tf.train.global_step(sess, counted):\n{RUN}",
        f"    while step != NUMBER:\n{RUN}        step += 1\n",
        f"    while True:\n{RUN}{ASKED}        if step < NUMBER:\n{BREAK}",
    ],
)
@pytest.mark.parametrize("head", [PLAIN, MONITORED])
def test_what_leaves_the_loop_is_divided(head: str, loop: str) -> None:
    goes_on = "not sess.should_stop()" if head is MONITORED else "True"
    assert SHARE in after(head + loop.replace("NUMBER", "500").replace("True", goes_on))


def test_so_is_that_of_a_count_that_is_set_back() -> None:
    counted = "        step += 1\n        if tf is None:\n            step = 0\n"
    assert SHARE in after(f"{PLAIN}    while True:\n{RUN}{counted}        if step > 500:\n{BREAK}")


@pytest.mark.parametrize(
    "loop",
    [
        f"    for epoch in range(600):\n     for i in range(7):\n{RUN}     if epoch >= 500:\n{BREAK}",
        f"    while True:\n{RUN}{ASKED}        if step >= 500:\n            print(step)\n",
        f"    while True:\n{RUN}{ASKED}        if step % 500 == 0:\n{BREAK}",
        f"    while True:\n{RUN}        if tf is None:\n            step += 1\n        if step > 500:\n{BREAK}",
        "    for i in range(9):\n        if i > 500:\n            break\n    for j in range(9):\n"
        + RUN,
        f"    while True:\n{RUN}{ASKED}        if step >= 500:\n{BREAK}".replace(
            DRAWN, "np.ones((4, 4))"
        ),
    ],
)
def test_nothing_else_is(loop: str) -> None:
    """Neither epochs, nor what says how long ago something was, nor where all see the same."""
    assert "500 //" not in after(PLAIN + loop)


@pytest.mark.parametrize(
    "ends",
    [
        "        self.count += 1\n        if self.count >= 500:",
        "        step = run_context.session.run(self.counted)\n        if step >= 500:",
        "        if run_context.session.run(self.counted) > 500:",
    ],
)
def test_so_is_the_number_at_which_a_hook_of_the_program_stops(ends: str) -> None:
    assert SHARE in after(HOOK.format(ends))


@pytest.mark.parametrize(
    ("ends", "reason"),
    [
        ("        if run_context.session.run(loss) > 500:", "runs behind the broadcast"),
        ("        if self.session.run(self.counted) > 500:", "runs behind the broadcast"),
        ("        if run_values.results > 500:", "one worker's own"),
    ],
)
def test_what_a_hook_asks_else_is_refused(ends: str, reason: str) -> None:
    found = migrate(HEAD + HOOK.format(ends))
    assert any(each.code == "T06" and reason in each.message for each in found.blocked)


def test_a_count_of_the_hook_that_is_no_count_of_runs_stays() -> None:
    lost = "        if tf is None:\n            self.count += 1\n        if self.count > 500:"
    assert "500 //" not in after(HOOK.format(lost))


def test_a_hook_of_an_estimator_stops_it_at_a_share_of_its_steps() -> None:
    text = """\
import tensorflow.compat.v1 as tf

class Ends(tf.train.SessionRunHook):
    def begin(self):
        self.count = 0

    def after_run(self, run_context, run_values):
        self.count += 1
        if self.count >= 500:
            run_context.request_stop()

def model_fn(features, labels, mode):
    loss = tf.reduce_mean((tf.layers.dense(features, 1) - labels) ** 2)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)

def input_fn():
    return tf.data.Dataset.from_tensor_slices(([[1.0]] * 100, [[1.0]] * 100)).repeat().batch(5)

tf.estimator.Estimator(model_fn).train(input_fn, hooks=[Ends()], steps=600)
"""
    found = migrate(text)
    assert found.blocked == ()
    assert SHARE in found.after
    assert "steps=max(1, 600 // hvd.size())" in found.after


@pytest.mark.parametrize(
    ("loop", "is_named"),
    [
        (f"    while not done(step):\n{RUN}", True),
        (f"    while True:\n{RUN}        if done(step):\n{BREAK}", True),
        (f"    while True:\n{RUN}", False),  # which somebody ends by hand
        (f"    while step < 500:\n{RUN}        step += 1\n", False),
        (f"    while not done(step):\n{RUN}".replace(DRAWN, "np.ones((4, 4))"), False),
    ],
)
def test_an_end_that_is_no_number_in_sight_is_named(loop: str, is_named: bool) -> None:
    found = migrate(HEAD + "def done(step):\n    return step > 500\n\n" + PLAIN + loop)
    assert found.blocked == ()
    assert any("what ends it is not divided" in each.message for each in found.notes) == is_named
