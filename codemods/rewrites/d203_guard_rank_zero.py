"""Only rank 0 prints, saves and writes; whatever else is done still happens on every worker.

Seed 001, `trans_S` on expression statements and `checkpoint.save`; restriction R04 is lifted by
hoisting. https://horovod.readthedocs.io/en/stable/tensorflow.html, step 6.
"""

from __future__ import annotations

from ..facts.guards import Guard, Narrow, Place, places
from ..facts.hoists import Hoist
from ._rewrite import LN, Capture, Places, Query, rewrite
from .edits import choose, guard, hoist, wrap


@rewrite(
    code="D203",
    name="guard-rank-zero",
    summary="Let only rank 0 print, save and write.",
    needs=("D101", "D102"),
    find=places,
    before="""\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)
manager = tf.train.CheckpointManager(tf.train.Checkpoint(model=model), "ckpt", 3)


def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for step in range(100):
    print(step, float(train_step(tf.ones((8, 4)), tf.ones((8, 1)))))
    if step % 10 == 0:
        path = manager.save()
        print("saved", path)
""",
    after="""\
import horovod.tensorflow as hvd
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)
manager = tf.train.CheckpointManager(tf.train.Checkpoint(model=model), "ckpt", 3)


def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for step in range(100):
    result = float(train_step(tf.ones((8, 4)), tf.ones((8, 1))))
    if hvd.rank() == 0:
        print(step, result)
        if step % 10 == 0:
            path = manager.save()
            print("saved", path)
""",
    noop=(
        # a print of its own, and no model
        "def print(text):\n    log.append(text)\n\n\nprint(1)\nimage.save('a.png')\n",
    ),
)
def guard_rank_zero(at: Places[Place]) -> Query:
    """Arguments with effects go first, then the runs go under their guards."""

    def leave_to_rank_zero(node: LN, capture: Capture, filename: str) -> None:
        place = at[node]
        if isinstance(place, Hoist):
            hoist(node, place.name, place.unpacked, place.test if place.only_there else "")
        elif isinstance(place, Narrow):
            wrap(node, f"_ and {place.test}")
        elif not isinstance(place, Guard):
            choose(node, f"_ if {place.test} else None")
        elif node is _members(at, place)[0]:
            guard(_members(at, place), place.test)

    return Query().select("any").filter(at.here).modify(leave_to_rank_zero)


def _members(at: Places[Place], run: Guard) -> list[LN]:
    return [node for node in at if at[node] is run]
