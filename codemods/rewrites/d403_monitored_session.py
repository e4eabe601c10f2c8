"""A monitored session starts from the variables of worker 0, and only that one writes.

Seed 002; https://horovod.readthedocs.io/en/stable/tensorflow.html, steps 5 and 6. As
published, the rule writes `hooks=hooks.append(…)`, which is None: nothing is broadcast.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..edits import (
    At,
    Choose,
    Fold,
    FoldCall,
    Guard,
    Places,
    Prepend,
    PutLater,
    SetArgument,
    Spread,
    WrapArgument,
    choose,
    fold,
    fold_call,
    guard,
    prepend,
    put_later,
    set_argument,
    spread,
    wrap_argument,
)
from ..edits.patterns import CALL, EXPRESSION, STATEMENT
from ..facts import Facts
from ..facts.sessions.monitored_sessions import left_to_rank_zero
from ..facts.training.pattern import is_distributed, runs_sessions
from ._hook_edits import edits_of_training
from ._rewrite import Query, rewrite


def monitored_sessions(facts: Facts) -> Iterator[At]:
    """The hooks of each session, and what it writes."""
    if runs_sessions(facts) and not is_distributed(facts):
        yield from edits_of_training(facts, left_to_rank_zero(facts))


@rewrite(
    code="D403",
    name="monitored-session",
    summary="Start every worker's monitored session from worker 0; let only that one write.",
    needs=("D101", "D102"),
    find=monitored_sessions,
    before="""\
import tensorflow.compat.v1 as tf

weight = tf.get_variable("weight", [])
step = tf.train.get_or_create_global_step()
loss = (weight - 3) ** 2
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
hooks = [tf.train.StopAtStepHook(last_step=100)]
hooks.append(tf.train.LoggingTensorHook({"loss": loss}, every_n_iter=10))

with tf.train.MonitoredTrainingSession(checkpoint_dir="model", hooks=hooks) as sess:
    while not sess.should_stop():
        sess.run(train)
""",
    after="""\
import horovod.tensorflow as hvd
import tensorflow.compat.v1 as tf

hvd.init()

weight = tf.get_variable("weight", [])
step = tf.train.get_or_create_global_step()
loss = (weight - 3) ** 2
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
hooks = [tf.train.StopAtStepHook(last_step=100)]
if hvd.rank() == 0:
    hooks.append(tf.train.LoggingTensorHook({"loss": loss}, every_n_iter=10))

with tf.train.MonitoredTrainingSession(
    checkpoint_dir="model" if hvd.rank() == 0 else None,
    hooks=[hvd.BroadcastGlobalVariablesHook(0), *hooks],
) as sess:
    while not sess.should_stop():
        sess.run(train)
""",
    noop=(
        # nothing is trained
        "import tensorflow.compat.v1 as tf\n\nprint(tf.train.StopAtStepHook(last_step=3))\n",
    ),
)
def monitored_session(at: Places) -> Query:
    """Hooks are kept for rank 0 where they stand, before their list is touched."""
    return (
        Query()
        .select(EXPRESSION)
        .filter(at.each(Spread))
        .modify(spread)
        .select(EXPRESSION)
        .filter(at.each(Choose))
        .modify(choose)
        .select(CALL)
        .filter(at.each(Prepend))
        .modify(prepend)
        .select(CALL)
        .filter(at.each(SetArgument))
        .modify(set_argument)
        .select(CALL)
        .filter(at.each(WrapArgument))
        .modify(wrap_argument)
        .select(EXPRESSION)
        .filter(at.each(PutLater))
        .modify(put_later)
        .select(STATEMENT)
        .filter(at.each(Guard))
        .modify(guard)
        .select(EXPRESSION)
        .filter(at.each(Fold))
        .modify(fold)
        .select(CALL)
        .filter(at.each(FoldCall))
        .modify(fold_call)
    )
