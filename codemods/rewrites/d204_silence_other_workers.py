"""The others get a silent stand-in for what rank 0 keeps open: summaries, log files, bars.

https://horovod.readthedocs.io/en/stable/tensorflow.html, step 6; a folder that several workers make
at once: https://github.com/horovod/horovod/issues/756.
"""

from __future__ import annotations

from ..facts.setup import Lines
from ..facts.sinks import Argument, Instead, sinks
from ._rewrite import LN, Capture, Places, Query, rewrite
from .edits import argument, choose, hoist, insert, set_argument, wrap


@rewrite(
    code="D204",
    name="silence-other-workers",
    summary="Give the other workers a silent writer, file and progress bar.",
    needs=("D101", "D102", "D203"),
    find=sinks,
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
if not os.path.exists("plots"):
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
def silence_other_workers(at: Places[Instead | Argument | Lines]) -> Query:
    """One change where something is made, instead of a guard wherever it is used."""

    def silence(node: LN, capture: Capture, filename: str) -> None:
        place = at[node]
        if isinstance(place, Lines):
            insert(node, place)
        elif isinstance(place, Instead):
            choose(hoist(node, place.first) if place.first else node, place.template)
        else:
            tell(node, place)

    return Query().select("any").filter(at.here).modify(silence)


def tell(call: LN, place: Argument) -> None:
    """Set the argument; `_` in its code stands for the value that is there, or for 1."""
    present = argument(call, place.name, place.position if place.position >= 0 else None)
    if present is not None and "_" in place.code.split():
        wrap(present, place.code)
        return
    set_argument(call, place.name, place.code.replace("_ if", "1 if"))
    if place.called:
        name = next(leaf for leaf in call.leaves() if leaf.value == "mkdir")
        name.value = place.called
        name.changed()
