"""The others get a silent stand-in for what rank 0 keeps open: summaries, log files, bars.

https://horovod.readthedocs.io/en/stable/tensorflow.html, step 6; a folder that several workers make
at once: https://github.com/horovod/horovod/issues/756.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..edits import (
    At,
    Choose,
    Dissolve,
    Hoist,
    Insert,
    Places,
    Rename,
    SetArgument,
    WrapArgument,
    choose,
    dissolve,
    hoist,
    insert,
    rename,
    set_argument,
    wrap_argument,
)
from ..edits.patterns import CALL, COMPOUND, EXPRESSION, IMPORT
from ..facts import Facts
from ..facts.output.open_sinks import need_null_context, need_null_device, sinks
from ._import_edits import standard_import
from ._new_code import contextlib, os
from ._rewrite import Query, rewrite
from ._stand_ins import edits, without_tests


def silent(facts: Facts) -> Iterator[At]:
    """Where something is made that is written to again and again."""
    for node, sink in sinks(facts).items():
        yield from (At(node, edit) for edit in edits(facts, node, sink))
    yield from without_tests(facts, sinks(facts))
    needed = {"contextlib": need_null_context(facts), "os": need_null_device(facts)}
    for module, name in (("contextlib", contextlib), ("os", os)):
        if needed[module]:
            imports = standard_import(facts, module, name(facts))
            yield from (At(place, lines) for place, lines in imports.items())


@rewrite(
    code="D204",
    name="silence-other-workers",
    summary="Give the other workers a silent writer, file and progress bar.",
    needs=("D101", "D102", "D203"),
    find=silent,
    before="""\
import os

import tensorflow as tf
from tqdm import tqdm

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)
writer = tf.summary.create_file_writer("logs")
losses = open("losses.txt", "w")
if not os.path.exists("plots"):
    os.mkdir("plots")

for step in tqdm(range(100)):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(tf.ones((8, 4))) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    with writer.as_default():
        tf.summary.scalar("loss", loss, step=step)
    losses.write(f"{loss}\\n")
""",
    after="""\
import os

import horovod.tensorflow as hvd
import tensorflow as tf
from tqdm import tqdm

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)
writer = (
    tf.summary.create_file_writer("logs")
    if hvd.rank() == 0
    else tf.summary.create_noop_writer()
)
losses = open("losses.txt" if hvd.rank() == 0 else os.devnull, "w")
os.makedirs("plots", exist_ok=True)

for step in tqdm(range(100), disable=hvd.rank() != 0):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(tf.ones((8, 4))) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    with writer.as_default():
        tf.summary.scalar("loss", loss, step=step)
    losses.write(f"{loss}\\n")
""",
    noop=(
        # read, not written; and rank 0 alone runs the second one anyway
        "import tensorflow as tf\n\n"
        "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        'model.compile("sgd", "mse")\n'
        'model.fit(eval(open("x.txt").read()), eval(open("y.txt", "r").read()))\n'
        'with open("done.txt", "w") as f:\n'
        '    f.write("done")\n',
    ),
)
def silence_other_workers(at: Places) -> Query:
    """One change where something is made, instead of a guard wherever it is used."""
    return (
        Query()
        .select(CALL)
        .filter(at.each(WrapArgument))
        .modify(wrap_argument)
        .select(CALL)
        .filter(at.each(SetArgument))
        .modify(set_argument)
        .select(CALL)
        .filter(at.each(Rename))
        .modify(rename)
        .select(EXPRESSION)
        .filter(at.each(Hoist))
        .modify(hoist)
        .select(EXPRESSION)
        .filter(at.each(Choose))
        .modify(choose)
        .select(IMPORT)
        .filter(at.each(Insert))
        .modify(insert)
        .select(COMPOUND)
        .filter(at.each(Dissolve))
        .modify(dissolve)
    )
