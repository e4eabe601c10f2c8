"""An Estimator starts from the variables of worker 0, and only that one keeps its folder.

Seed 002; https://horovod.readthedocs.io/en/stable/tensorflow.html, and the example of an Estimator.
"""

from __future__ import annotations

from ..edits import (
    Choose,
    DropArgument,
    Fold,
    FoldCall,
    Guard,
    NameArgument,
    Places,
    Prepend,
    PutLater,
    Rename,
    SetArgument,
    Spread,
    WrapArgument,
    choose,
    drop_argument,
    fold,
    fold_call,
    guard,
    name_argument,
    prepend,
    put_later,
    rename,
    set_argument,
    spread,
    wrap_argument,
)
from ..edits.patterns import CALL, EXPRESSION, STATEMENT
from ._estimator_edits import estimators
from ._rewrite import Query, rewrite


@rewrite(
    code="D404",
    name="estimator",
    summary="Start every worker's Estimator from worker 0; let only that one keep its folder.",
    needs=("D101", "D102"),
    find=estimators,
    before="""\
import tensorflow.compat.v1 as tf


def input_fn():
    return tf.data.Dataset.range(512).shuffle(512).repeat().batch(16)


def model_fn(features, labels, mode):
    weight = tf.get_variable("weight", [])
    loss = tf.reduce_mean((weight - tf.cast(features, tf.float32)) ** 2)
    step = tf.train.get_or_create_global_step()
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)


model = tf.estimator.Estimator(model_fn, model_dir="checkpoints")
model.train(input_fn, steps=100)
""",
    after="""\
import horovod.tensorflow as hvd
import tensorflow.compat.v1 as tf

hvd.init()


def input_fn():
    return tf.data.Dataset.range(512).shuffle(512).repeat().batch(16)


def model_fn(features, labels, mode):
    weight = tf.get_variable("weight", [])
    loss = tf.reduce_mean((weight - tf.cast(features, tf.float32)) ** 2)
    step = tf.train.get_or_create_global_step()
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)


model = tf.estimator.Estimator(
    model_fn, model_dir="checkpoints" if hvd.rank() == 0 else None
)
model.train(input_fn, steps=100, hooks=[hvd.BroadcastGlobalVariablesHook(0)])
""",
    noop=(
        # nothing is trained
        "import tensorflow.compat.v1 as tf\n\nprint(tf.estimator.RunConfig())\n",
    ),
)
def estimator(at: Places) -> Query:
    """Hooks are kept for rank 0 where they stand, before their list is touched."""
    return (
        Query()
        .select(CALL)
        .filter(at.each(NameArgument))
        .modify(name_argument)
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
        .select(CALL)
        .filter(at.each(DropArgument))
        .modify(drop_argument)
        .select(CALL)
        .filter(at.each(Rename))
        .modify(rename)
        .select(EXPRESSION)
        .filter(at.each(Fold))
        .modify(fold)
        .select(CALL)
        .filter(at.each(FoldCall))
        .modify(fold_call)
    )
