"""Broadcasts that name another worker on each, come behind the training, or before what sets."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.workers.lost_broadcasts import behind_training, own_roots, set_by_some

HEAD = """\
import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.1 * hvd.size())
"""
TRAINING = """\
for x, y in data:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    tape = hvd.DistributedGradientTape(tape)
    grads = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(grads, model.trainable_variables))
"""
SEND = "hvd.broadcast_variables(model.variables, root_rank=0)\n"


@pytest.mark.parametrize(
    "call",
    [
        "hvd.broadcast_global_variables(hvd.rank())",
        "hvd.BroadcastGlobalVariablesHook(hvd.rank())",
        "hvd.keras.callbacks.BroadcastGlobalVariablesCallback(hvd.rank())",
        "hvd.broadcast_variables(model.variables, hvd.rank())",
        "hvd.broadcast_variables(model.variables, root_rank=hvd.rank())",
        "hvd.broadcast(loss, hvd.rank())",
        "hvd.broadcast_(loss, hvd.rank())",
        "hvd.broadcast_object(loss, hvd.rank())",
    ],
)
def test_a_root_that_is_each_workers_own_is_found(call: str) -> None:
    call = call.replace("hvd.keras.callbacks", "callbacks")
    text = HEAD + "from horovod.tensorflow.keras import callbacks\n" + call + "\n"
    assert [ast.unparse(root) for root in own_roots(Facts.of(text))] == ["hvd.rank()"]
    others = (text.replace("hvd.rank()", "0"), text.replace("hvd.rank()", "hvd.size() - 1"))
    assert [list(own_roots(Facts.of(other))) for other in others] == [[], []]


def test_a_broadcast_below_the_loop_that_trains_is_found_with_the_loop() -> None:
    facts = Facts.of(HEAD + TRAINING + SEND + SEND)
    ((call, loop),) = behind_training(facts)
    assert (call.lineno, loop.lineno) == (13, 7)


@pytest.mark.parametrize(
    "text",
    [
        SEND + TRAINING,
        SEND + TRAINING + SEND,
        TRAINING + f"    {SEND}",
        TRAINING + f"def send():\n    {SEND}",
        TRAINING + f"sent = {SEND}",
        "hvd.broadcast_global_variables(0)\n" + TRAINING + SEND,
        "tf.random.set_seed(1)\n" + TRAINING + SEND,
        *(
            f"{load}\n{TRAINING}{SEND}"
            for load in (
                "model.load_weights('m')",
                "model.set_weights(w)",
                "checkpoint.restore('m')",
                "checkpoint.read('m')",
                "model = tf.keras.models.load_model('m')",
            )
        ),
        "for x in data:\n    print(x)\n" + SEND,
    ],
)
def test_where_all_may_begin_alike_none_is_too_late(text: str) -> None:
    assert list(behind_training(Facts.of(HEAD + text))) == []


SETTERS = ["model.load_weights('m')", "model.set_weights(w)", "ckpt.restore('m')", "ckpt.read('m')"]
CHECKPOINT = "ckpt = tf.train.Checkpoint(model=model)\n"


def one(line: str) -> str:
    """A line that worker 0 runs alone."""
    return f"if hvd.rank() == 0:\n    {line}\n"


@pytest.mark.parametrize("line", SETTERS)
def test_what_worker_0_sets_behind_the_last_broadcast_is_found(line: str) -> None:
    facts = Facts.of(HEAD + CHECKPOINT + SEND + one(line) + TRAINING)
    ((call, sent),) = set_by_some(facts)
    assert ast.unparse(call) == line.strip()
    assert sent.lineno == 8


@pytest.mark.parametrize(
    "text",
    [
        one("model.load_weights('m')") + SEND + TRAINING,
        SEND + one("model.load_weights('m')") + SEND + TRAINING,
        SEND + "model.load_weights('m')\n" + TRAINING,
        SEND + one("other.load_weights('m')") + TRAINING,
        SEND + TRAINING + one("model.load_weights('m')"),
        one("model.load_weights('m')") + TRAINING,
        SEND + one("model.save_weights('m')") + TRAINING,
    ],
)
def test_what_is_sent_behind_it_or_trained_no_more_is_left(text: str) -> None:
    assert list(set_by_some(Facts.of(HEAD + text))) == []


def test_a_broadcast_of_another_model_does_not_send_it() -> None:
    other = "other = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
    text = SEND + one("model.load_weights('m')") + SEND.replace("model", "other") + TRAINING
    assert len(list(set_by_some(Facts.of(HEAD + other + text)))) == 1
    every = "hvd.broadcast_variables(everything, root_rank=0)\n"
    text = SEND + one("model.load_weights('m')") + every + TRAINING
    assert list(set_by_some(Facts.of(HEAD + text))) == []
