"""A decaying rate of TensorFlow 1 is scaled where it is made, if nothing but a display reads it."""

from __future__ import annotations

import textwrap

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Options

PROGRAM = """\
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()
x = tf.placeholder(tf.float32, [None, 4])
loss = tf.reduce_mean(tf.square(tf.layers.dense(x, 1)))
step = tf.train.get_or_create_global_step()
rate = tf.train.{decay}
{read}
train = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=step)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
for _ in range(100):
    sess.run(train, {{x: np.random.rand(8, 4)}})
    {run}
    {then}
"""
EXPONENTIAL = "exponential_decay(0.1, step, 10, 0.9)"
INSIDE = "exponential_decay(0.1 * hvd.size(), step, 10, 0.9)"
OUTSIDE = "GradientDescentOptimizer(rate * hvd.size())"


def after(
    decay: str = EXPONENTIAL,
    read: str = "",
    run: str = "pass",
    then: str = "",
) -> str:
    text = PROGRAM.format(decay=decay, read=textwrap.dedent(read), run=run, then=then)
    found = migrate(text, Options(unsound=True, width=120, select=frozenset({"D104"})))
    assert not found.blocked
    return found.after


DECAYS = {
    "exponential_decay(0.1, step, 10, 0.9)": INSIDE,
    "exponential_decay(learning_rate=0.1, global_step=step, decay_steps=10, decay_rate=0.9)": (
        "exponential_decay(learning_rate=0.1 * hvd.size(), global_step=step,"
    ),
    "polynomial_decay(0.1, step, 10)": (
        "polynomial_decay(0.1 * hvd.size(), step, 10, end_learning_rate=0.0001 * hvd.size())"
    ),
    "polynomial_decay(0.1, step, 10, 0.0)": "polynomial_decay(0.1 * hvd.size(), step, 10, 0.0)",
    "piecewise_constant(step, [10, 20], [0.1, 0.01, 0.001])": (
        "[0.1 * hvd.size(), 0.01 * hvd.size(), 0.001 * hvd.size()])"
    ),
    "cosine_decay(0.1, step, 10)": "cosine_decay(0.1 * hvd.size(), step, 10)",
}


@pytest.mark.parametrize("decay", DECAYS)
def test_each_rate_of_the_function_is_scaled(decay: str) -> None:
    found = after(decay)
    assert DECAYS[decay] in found
    assert "GradientDescentOptimizer(rate)" in found


SHOWN = {
    "a summary": {"read": "tf.summary.scalar('rate', rate)"},
    "a hook that logs": {"read": "hook = tf.train.LoggingTensorHook({'rate': rate}, 10)"},
    "a name for a hook": {"read": "tf.identity(rate, name='rate')"},
    "a function that shows it": {
        "read": "def show(value):\n    tf.summary.scalar('rate', value)\n\n\nshow(rate)"
    },
    "a run that is printed": {"run": "print(sess.run(rate))"},
    "a name that is printed": {
        "run": "_, value = sess.run([train, rate])",
        "then": "print('rate %.3f' % value)",
    },
    "a number in a text": {
        "run": "value = sess.run(rate)",
        "then": "print('rate {:.3f}'.format(float(value)))",
    },
}


@pytest.mark.parametrize("how", SHOWN)
def test_what_is_shown_is_the_rate_that_is_trained_with(how: str) -> None:
    found = after(**SHOWN[how])
    assert INSIDE in found
    assert OUTSIDE not in found


READ = {
    "a loss": {"read": "loss = loss + rate * tf.nn.l2_loss(x)"},
    "a decay of weights": {"read": "decayed = [v.assign_sub(rate * v) for v in [x]]"},
    "a decision": {
        "run": "value = sess.run(rate)",
        "then": "if value < 0.01: print('late')",
    },
    "a function of any arguments": {
        "read": "def use(*given):\n    return given[0] * 2\n\n\nuse(rate)"
    },
    "a decision about what is printed as well": {
        "run": "_, value = sess.run([train, rate])",
        "then": "print(value); done = value < 0.01",
    },
    "a condition of the graph": {"read": "late = tf.less(rate, 0.01)"},
    "unknown code": {"read": "from elsewhere import use\nuse(rate)"},
    "a list that goes anywhere": {"read": "rates = [rate]"},
    "an optimizer that takes a multiple": {
        "read": "other = tf.train.GradientDescentOptimizer(rate * 2).minimize(loss)"
    },
    "an object that nobody follows": {
        "read": "from elsewhere import box\nbox.rate = rate\nlimit = box.rate < 0.01"
    },
}


@pytest.mark.parametrize("how", READ)
def test_a_rate_that_something_else_reads_is_scaled_for_the_optimizer_alone(how: str) -> None:
    found = after(**READ[how])
    assert OUTSIDE in found
    assert EXPONENTIAL in found


def test_a_rate_that_is_reckoned_and_shown_is_scaled_where_it_is_made() -> None:
    least = "maximum(tf.train.exponential_decay(0.1, step, 10, 0.9), 0.01)"
    for shown in ("", "tf.summary.scalar('rate', rate)"):
        found = after(read=f"rate = tf.{least}\n{shown}")
        assert (f"rate = tf.{least} * hvd.size()" in found) is bool(shown)
        assert (OUTSIDE in found) is not bool(shown)


def test_a_rate_that_is_fed_is_scaled_for_the_optimizer() -> None:
    fed = "tf.placeholder_with_default(0.1, [])"
    found = after(read=f"rate = {fed}\ntf.summary.scalar('rate', rate)")
    assert OUTSIDE in found
    assert f"rate = {fed}\n" in found


def test_two_optimizers_share_one_rate() -> None:
    found = after(read="other = tf.train.AdamOptimizer(rate).minimize(loss)")
    assert found.count(INSIDE) == 1
    assert "AdamOptimizer(rate)" in found


def test_a_choice_of_two_rates_is_scaled_behind_the_choice() -> None:
    found = after(read="if loss is None:\n    rate = tf.constant(0.1)")
    assert OUTSIDE in found
    assert EXPONENTIAL in found


def test_a_rate_that_is_a_multiple_already_stays() -> None:
    found = after(decay="exponential_decay(0.1 * hvd.size(), step, 10, 0.9)")
    assert "hvd.size() * hvd.size()" not in found
