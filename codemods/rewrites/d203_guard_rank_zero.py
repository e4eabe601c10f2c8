"""Only rank 0 prints, saves and writes; whatever else is done still happens on every worker.

Seed 001, `trans_S` on expression statements and `checkpoint.save`; restriction R04 is lifted by
hoisting. https://horovod.readthedocs.io/en/stable/tensorflow.html, step 6.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..edits import At, Choose, Guard, Hoist, Narrow, Places, choose, guard, hoist, narrow
from ..edits.patterns import CONDITION, EXPRESSION, STATEMENT
from ..facts import Facts
from ..facts.gradients.state_broadcasts import broadcasts
from ..facts.output import hoisted_values, rank_zero_guards
from ..facts.output.rank_zero_guards import places
from ..facts.output.reloads import writes_for_machine
from ._new_code import free, fresh, hvd
from ._rewrite import Query, rewrite

TEST, LOCAL = "{hvd}.rank() == 0", "{hvd}.local_rank() == 0"


def output(facts: Facts) -> Iterator[At]:
    """What rank 0 does alone, and what every worker evaluates for it before."""
    test, local = (each.format(hvd=hvd(facts)) for each in (TEST, LOCAL))
    named = {step.call for step in broadcasts(facts).applications if step.is_nested}
    for node, place in places(facts).items():
        if node in named:
            continue  # D202 gives it a name in front of the statement
        if isinstance(place, hoisted_values.Hoist):
            only_if = test if place.only_there else ""
            yield At(node, Hoist(name(facts, place), place.unpacked, only_if, distance=place.ahead))
        elif isinstance(place, rank_zero_guards.Narrow):
            yield At(node, Narrow(test))
        elif isinstance(place, rank_zero_guards.OnlyThere):
            yield At(node, Choose(f"_ if {test} else None"))
        elif node is place.members[0]:
            is_local = writes_for_machine(facts, place.members)
            yield At(node, Guard(local if is_local else test), place.members[1:])


def name(facts: Facts, hoisted: hoisted_values.Hoist) -> str:
    """What the program calls it; else `message` for a text, or `result`, or `result_2`, …"""
    wish = hoisted.wish.replace(" ", "_")
    if wish and (told := free(facts, wish, f"{wish}_value")):
        return told
    base = "message" if hoisted.is_text else "result"
    return fresh(facts, f"{base}_{hoisted.number + 1}" if hoisted.number else base)


@rewrite(
    code="D203",
    name="guard-rank-zero",
    summary="Let only rank 0 print, save and write.",
    needs=("D101", "D102"),
    find=output,
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
    result = train_step(tf.ones((8, 4)), tf.ones((8, 1)))
    if hvd.rank() == 0:
        print(step, float(result))
        if step % 10 == 0:
            path = manager.save()
            print("saved", path)
""",
    noop=(
        # a print of its own, and no model
        "def print(text):\n    log.append(text)\n\n\nprint(1)\nimage.save('a.png')\n",
    ),
)
def guard_rank_zero(at: Places) -> Query:
    """Arguments with effects go first, then the runs go under their guards."""
    return (
        Query()
        .select(EXPRESSION)
        .filter(at.each(Choose))
        .modify(choose)
        .select(EXPRESSION)
        .filter(at.each(Hoist))
        .modify(hoist)
        .select(CONDITION)
        .filter(at.each(Narrow))
        .modify(narrow)
        .select(STATEMENT)
        .filter(at.each(Guard))
        .modify(guard)
    )
