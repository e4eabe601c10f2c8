"""A run that goes on takes what its checkpoint leaves of a worker's share of the steps."""

from __future__ import annotations

import textwrap

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Options

PROGRAM = """\
import tensorflow as tf

data = tf.data.TFRecordDataset("a").repeat().shuffle(9).batch(4)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
ckpt = tf.train.Checkpoint(step=tf.Variable(0), optimizer=optimizer, model=model)
manager = tf.train.CheckpointManager(ckpt, "ckpt", 3)
ckpt.restore(manager.latest_checkpoint)
total, warm = 500, 20


def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


# loop
"""
ROUND = "    step(x, y)\n    ckpt.step.assign_add(1)\n"
SHARE = "max(1, total // hvd.size())"


def loop(text: str) -> str:
    """What becomes of the loop, without its spaces."""
    found = migrate(PROGRAM + textwrap.dedent(text).lstrip("\n") + ROUND, Options())
    assert not found.blocked, found.violations
    return squeezed(found.after.partition("# loop\n")[2].partition("    step(")[0])


def squeezed(code: str) -> str:
    """Without spaces, and commas before closing brackets."""
    return "".join(code.split()).replace(",)", ")")


REST = {
    "where it is taken": (
        "for x, y in data.take(total - ckpt.step.numpy()):",
        f"for x, y in data.take(max(0, int(hvd.broadcast({SHARE} - ckpt.step.numpy(), "
        "root_rank=0)))):",
    ),
    "under a name": (
        "rest = max(total - int(ckpt.step), 0)\nfor x, y in data.take(rest):",
        f"rest = max({SHARE} - int(ckpt.step), 0) "
        "for x, y in data.take(int(hvd.broadcast(rest, root_rank=0))):",
    ),
    "by the steps of the optimizer": (
        "for x, y in data.take(total - optimizer.iterations.numpy()):",
        f"for x, y in data.take({SHARE} - optimizer.iterations.numpy()):",
    ),
    "of a range": (
        "batches = iter(data)\nfor _ in range(total - int(ckpt.step)):\n    x, y = next(batches)",
        "batches = iter(data) for _ in range("
        f"int(hvd.broadcast({SHARE} - int(ckpt.step), root_rank=0))): x, y = next(batches)",
    ),
}


@pytest.mark.parametrize(("before", "after"), REST.values(), ids=list(REST))
def test_only_the_total_is_divided(before: str, after: str) -> None:
    """A share of the rest would take more steps after each restart; `take(-1)` takes all."""
    assert loop(before + "\n") == squeezed(after)


@pytest.mark.parametrize("rest", ["total - warm", "warm", "total"])
def test_other_differences_are_divided_as_a_whole(rest: str) -> None:
    """What is no matter of a checkpoint is the same in each run."""
    whole = f"({rest})" if "-" in rest else rest
    assert loop(f"for x, y in data.take({rest}):\n") == squeezed(
        f"for x, y in data.take(max(1, {whole} // hvd.size())):"
    )
