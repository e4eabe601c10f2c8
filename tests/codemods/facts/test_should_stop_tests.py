"""Monitored sessions that also end by a count: all workers make as many rounds."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

HEAD = """\
import tensorflow.compat.v1 as tf

data = tf.data.Dataset.range(640).repeat().batch(8)
x = tf.cast(tf.data.make_one_shot_iterator(data).get_next(), tf.float32)
loss = tf.reduce_mean((tf.get_variable("weight", []) - x) ** 2)
counted = tf.train.get_or_create_global_step()
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=counted)
step = 0
with tf.train.MonitoredTrainingSession() as sess:
    while not sess.should_stop() and step < 500:
"""
ASKED = "        sess.run(train)\n        step = sess.run(counted)\n"
COUNTED = "        sess.run(train)\n        step += 1\n"
ALONG = "        _, step = sess.run([train, counted])\n"
OWN = "        step = step + sess.run(loss)\n        sess.run(train)\n"


@pytest.mark.parametrize("body", [ASKED, COUNTED])
def test_a_count_that_all_workers_share_may_end_it_and_is_divided(body: str) -> None:
    found = migrate(HEAD + body)
    assert found.blocked == ()
    assert "step < max(1, 500 // hvd.size())" in found.after or "step < 500 // hvd" in found.after


@pytest.mark.parametrize("body", [ASKED, COUNTED])
def test_so_may_a_break_by_it(body: str) -> None:
    text = (
        HEAD.replace(" and step < 500", "") + body + "        if step >= 500:\n            break\n"
    )
    assert migrate(text).blocked == ()


@pytest.mark.parametrize(("body", "reason"), [(ALONG, "fetched along with a step"), (OWN, "")])
def test_what_each_worker_may_see_at_another_time_may_not(body: str, reason: str) -> None:
    found = migrate(HEAD + body)
    assert found.after == HEAD + body
    assert any(each.code == "T07" and reason in each.message for each in found.blocked)


def test_the_step_asked_for_in_a_run_of_its_own_is_what_it_advises() -> None:
    (found,) = migrate(HEAD + ALONG).blocked
    line = "step = sess.run(counted)"
    assert f"`{line}` in the next line" in found.fix
    mended = migrate(HEAD + ALONG + f"        {line}\n")
    assert mended.blocked == ()
    assert "step < max(1, 500 // hvd.size())" in mended.after
