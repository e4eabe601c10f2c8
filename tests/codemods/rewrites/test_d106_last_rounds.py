"""The number of all rounds is divided where a counter is compared with it, as that of its loop."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

LOOP = """\
import numpy as np
import tensorflow.compat.v1 as tf

class Options:
    steps = 100

options, n, other = Options(), 60, 60
w, x = tf.get_variable("w", [2]), tf.placeholder(tf.float32, [2])
train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(w * x))
saver = tf.train.Saver()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in {rounds}:
        sess.run(train, {{x: np.random.rand(2)}})
        if {test}:
            saver.save(sess, "model.ckpt")
"""
SHARE = "max(1, {} // hvd.size())"
LAST = [
    ("range(n)", "step == n - 1", f"step == {SHARE.format('n')} - 1"),
    ("range(n)", "n - 1 <= step", f"{SHARE.format('n')} - 1 <= step"),
    ("range(n)", "step + 1 == n", f"step + 1 == {SHARE.format('n')}"),
    ("range(0, n)", "(step + 1) == n", f"(step + 1) == {SHARE.format('n')}"),
    ("range(1, n + 1)", "step == n", f"step == {SHARE.format('n')}"),
    ("range(50)", "step + 1 == 50", f"step + 1 == {SHARE.format('50')}"),
    ("range(n * 2)", "step == n * 2 - 1", f"step == {SHARE.format('n * 2')} - 1"),
    ("range(50)", "step == 49", f"step == {SHARE.format('50')} - 1"),
    ("range(50)", "step == 19", f"step == {SHARE.format('19')}"),
    ("range(n)", "step == other - 1", f"step == {SHARE.format('other')} - 1"),
    (
        "range(options.steps)",
        "step > 0 and step == options.steps - 1",
        f"step > 0 and step == {SHARE.format('options.steps')} - 1",
    ),
]
OTHER = [
    ("range(n)", "other == n - 1"),
    ("range(n)", "step == (n := n - 1)"),
]


def migrated(rounds: str, test: str) -> str:
    found = migrate(LOOP.format(rounds=rounds, test=test))
    assert not found.blocked, found.blocked
    return found.after


@pytest.mark.parametrize(("rounds", "test", "after"), LAST)
def test_the_last_round_is_that_of_a_share(rounds: str, test: str, after: str) -> None:
    text = migrated(rounds, test)
    assert after in text, text


@pytest.mark.parametrize(("rounds", "test"), OTHER)
def test_another_number_stays(rounds: str, test: str) -> None:
    text = migrated(rounds, test)
    assert f"if {test}" in text or f"if ({test})" in text, text


def test_an_elif_is_asked_where_its_if_is() -> None:
    text = LOOP.format(rounds="range(n)", test="step == n - 1").replace(
        "        if step", "        if step == 7:\n            print(7)\n        elif step"
    )
    assert f"elif step == {SHARE.format('n')} - 1:" in migrate(text).after


def test_a_number_that_a_round_changes_stays() -> None:
    text = LOOP.format(rounds="range(n)", test="step == n - 1").replace(
        "        sess.run(train,", "        n = n - 1\n        sess.run(train,"
    )
    assert "if step == n - 1 and hvd.rank() == 0:" in migrate(text).after


def test_the_first_round_is_the_first_one_of_a_share() -> None:
    assert "if step == 0 and hvd.rank() == 0:" in migrated("range(n)", "step == 0")
