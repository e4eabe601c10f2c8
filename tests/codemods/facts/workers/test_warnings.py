"""What a person who writes Horovod is warned of: each way to write it, and its twins that are right."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.gradients.state_broadcasts import is_applied_state_broadcast
from distify.codemods.facts.output.fit_callbacks import printing_callbacks
from distify.codemods.facts.workers.lost_broadcasts import graph_flags
from distify.codemods.migrate import migrate

HEAD = """\
import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.1 * hvd.size())
"""
STEP = """\
done = False


@tf.function
def step(x, y):
    global done
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    if not done:
        {}
        done = True
"""


@pytest.mark.parametrize(
    "line",
    [
        "hvd.broadcast_variables(model.variables, root_rank=0)",
        "hvd.broadcast_global_variables(0)",
        "hvd.broadcast(model.weights[0], root_rank=0)",
    ],
)
def test_a_flag_that_a_graph_reads_once_is_found(line: str) -> None:
    text = HEAD + STEP.format(line)
    assert [ast.unparse(test) for test in graph_flags(Facts.of(text))] == ["not done"]
    assert not list(graph_flags(Facts.of(text.replace("@tf.function\n", ""))))
    assert not list(graph_flags(Facts.of(text.replace("    global done\n", ""))))
    assert not list(graph_flags(Facts.of(HEAD + STEP.format("hvd.allreduce(loss)"))))


FIT = """\
model.compile(hvd.DistributedOptimizer(opt), "mse")
model.fit(data, epochs=3, callbacks=[hvd.callbacks.BroadcastGlobalVariablesCallback(0)])
"""
KERAS = HEAD.replace("horovod.tensorflow", "horovod.tensorflow.keras")
SHARD = ".shard(hvd.size(), hvd.rank())"


def told(made: str) -> list[str]:
    """What H19 says of data: a rest, shares that nobody takes, an order of each worker's own."""
    seen = migrate(f"{KERAS}data = {made}\n{FIT}")
    found = [each.message for each in (*seen.blocked, *seen.notes) if each.code == "H19"]
    return [message.partition(" ")[0] for message in found]


@pytest.mark.parametrize(
    ("made", "why"),
    [
        (f"tf.data.Dataset.range(65){SHARD}.batch(8)", ["unless"]),
        (f"tf.data.Dataset.range(65){SHARD}.batch(8, drop_remainder=False)", ["unless"]),
        (f"tf.data.Dataset.range(65){SHARD}.batch(8, drop_remainder=True)", []),
        (f"tf.data.Dataset.range(65){SHARD}.padded_batch(8)", ["unless"]),
        (f"tf.data.Dataset.range(65){SHARD}.batch(8).take(3)", []),
        (f"tf.data.Dataset.range(65).skip(1){SHARD}.batch(8)", []),
        (f"tf.data.Dataset.range(65).filter(f){SHARD}.batch(8)", []),
        (f"tf.data.Dataset.range(65).repeat(){SHARD}.batch(8)", []),
        (f"tf.data.Dataset.range(2520 * 4){SHARD}.batch(8)", []),
        (f"tf.data.TFRecordDataset('a'){SHARD}.batch(8)", []),
        ("tf.data.Dataset.range(65).shard(4, hvd.rank()).batch(8)", ["the"]),
        ("tf.data.Dataset.range(65).shard(hvd.size(), 0).batch(8)", []),
        ("tf.data.Dataset.range(65).batch(8)", []),
        (f"tf.data.Dataset.range(64).shuffle(64){SHARD}.batch(8)", ["each"]),
        (f"tf.data.Dataset.range(64).shuffle(64, seed=1){SHARD}.batch(8)", []),
        (f"tf.data.Dataset.range(64){SHARD}.shuffle(64).batch(8)", []),
        (f"tf.data.Dataset.range(64).shuffle(64).repeat(){SHARD}.batch(8)", []),
    ],
)
def test_shares_with_a_rest_and_of_unlike_orders_are_told_from_even_ones(
    made: str, why: list[str]
) -> None:
    assert told(made) == why


SENT = "hvd.broadcast_variables(model.variables, root_rank=0)\n"


@pytest.mark.parametrize(
    "application",
    [
        "opt.apply_gradients(zip(grads, model.trainable_variables))",
        "opt.apply_gradients(grads_and_vars=zip(grads, model.trainable_variables))",
        "opt.minimize(loss, model.trainable_variables)",
        "opt.minimize(loss, var_list=model.trainable_variables)",
    ],
)
def test_what_is_applied_is_broadcast_already_by_whatever_call(application: str) -> None:
    def is_broadcast(text: str) -> bool:
        facts = Facts.of(text)
        calls = facts.calls("apply_gradients", "minimize")
        return all(is_applied_state_broadcast(facts, call) for call in calls)

    assert is_broadcast(HEAD + SENT + application + "\n")
    assert not is_broadcast(HEAD + application + "\n")
    other = "other = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
    assert not is_broadcast(HEAD + other + SENT.replace("model", "other") + application + "\n")
    assert not is_broadcast((HEAD + SENT).replace("horovod", "hrvd") + application + "\n")


@pytest.mark.parametrize(
    ("made", "level"),
    [
        ("EarlyStopping('loss', verbose=1)", "1"),
        ("EarlyStopping('loss', 0, 0, 2)", "2"),
        ("ReduceLROnPlateau('loss', 0.1, 10, True)", "1"),
        ("LearningRateScheduler(f, 1)", "1"),
        ("LearningRateScheduler(f, verbose=0)", None),
        ("ReduceLROnPlateau('loss', verbose=False)", None),
        ("EarlyStopping('loss')", None),
        ("ModelCheckpoint('m', verbose=1)", None),
    ],
)
def test_callbacks_that_print_say_at_which_level(made: str, level: str | None) -> None:
    alone = "import tensorflow as tf\n\nmodel = tf.keras.Sequential([])\n"
    text = f"stop = tf.keras.callbacks.{made}\nmodel.fit(data, callbacks=[stop])\n"
    found = [each.level for each in printing_callbacks(Facts.of(alone + text))]
    assert found == ([level] if level else [])
    assert not list(printing_callbacks(Facts.of(KERAS + text)))


@pytest.mark.parametrize(
    ("rate", "words"),
    [
        ("0.1 * hvd.size()", None),
        ("0.1 * hvd.size() * hvd.size()", "twice"),
        ("0.1 * hvd.size() * hvd.size() * hvd.size()", "three times"),
        ("0.1 * hvd.size() * hvd.size() * hvd.size() * hvd.size()", "again and again"),
    ],
)
def test_a_rate_that_is_scaled_more_than_once_says_how_often(rate: str, words: str | None) -> None:
    text = f"{KERAS}rate = {rate}\nopt = tf.keras.optimizers.SGD(rate)\ndata = 1\n{FIT}"
    seen = migrate(text)
    told = [each.message for each in (*seen.blocked, *seen.notes) if each.code == "H10"]
    assert len(told) == (words is not None)
    assert words is None or f"by the number of workers {words}:" in told[0]
