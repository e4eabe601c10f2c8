"""A run that goes on by BackupAndRestore goes on by checkpoints, from which all workers read.

https://www.tensorflow.org/api_docs/python/tf/keras/callbacks/ModelCheckpoint: a file of each epoch.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..edits import At, Insert, Places, Replace, SetArgument, insert, replace, set_argument
from ..edits.patterns import CALL, STATEMENT
from ..facts import Facts
from ..facts.training import fits
from ..library.callbacks import BACKUPS
from ..rewrites._import_edits import standard_import
from ..rewrites._new_code import code, fresh, tf
from ._going_on import can_go_on, place_of
from ._repair import Query, repair

LINES = """\
{saved} = sorted({backup}.glob("*.keras"))
{model} = {tf}.keras.models.load_model({saved}[-1]) if {saved} else {model}
{start} = int({saved}[-1].stem) if {saved} else 0
"""


def backups(facts: Facts) -> Iterator[At]:
    """The callback, the `fit` that has it, and the import; if there is one of each."""
    calls, trainings = list(facts.calls_of(*BACKUPS)), list(fits.fits(facts))
    if len(calls) != 1 or len(trainings) != 1 or not can_go_on(facts, calls[0], trainings[0]):
        return
    (call,), (fit,) = calls, trainings
    pathlib = facts.names.name_of("pathlib") or fresh(facts, "pathlib")
    names = {name: fresh(facts, name) for name in ("backup", "saved", "start")}
    folder = facts.argument(call, "backup_dir", 0)
    assert folder is not None
    made = f"{names['backup']} = {pathlib}.Path({code(facts, folder)})\n"
    lines = LINES.format(model=fit.func.value.id, tf=tf(facts), **names)  # type: ignore[attr-defined]
    first, then = facts.statement(call), place_of(facts, fit)
    for beside, line in standard_import(facts, "pathlib", pathlib).items():
        yield At(beside, line._replace(distance=0))  # no rule has written there yet
    is_apart = first is not facts.statement(fit)
    yield from [At(first, Insert(before=made))] if is_apart else []
    yield At(then, Insert(before=lines if is_apart else made + lines))
    file = f'str({names["backup"]} / "{{epoch:05d}}.keras")'  # Keras 2 takes no path
    yield At(call, Replace(f"{tf(facts)}.keras.callbacks.ModelCheckpoint({file})"))
    yield At(fit, SetArgument("initial_epoch", names["start"]))


@repair(
    code="A16",
    name="own-checkpoints",
    title="Keep a checkpoint of each epoch, and go on from the last one.",
    answers=("K01",),
    is_automatic=False,
    find=backups,
    before="""\
import numpy as np
import tensorflow as tf

x, y = np.ones((8, 4)), np.ones((8, 1))
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
# may be killed
keep = tf.keras.callbacks.BackupAndRestore("backup")
model.fit(x, y, epochs=5, callbacks=[keep])
""",
    after="""\
import pathlib

import numpy as np
import tensorflow as tf

x, y = np.ones((8, 4)), np.ones((8, 1))
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
# may be killed
backup = pathlib.Path("backup")
keep = tf.keras.callbacks.ModelCheckpoint(str(backup / "{epoch:05d}.keras"))
saved = sorted(backup.glob("*.keras"))
model = tf.keras.models.load_model(saved[-1]) if saved else model
start = int(saved[-1].stem) if saved else 0
model.fit(x, y, epochs=5, callbacks=[keep], initial_epoch=start)
""",
    noop=(
        # a class that a file doesn't hold; a run that goes on at an epoch of its own
        "import tensorflow as tf\n\n\nclass Net(tf.keras.Model):\n"
        "    def call(self, x):\n        return x\n\n\n"
        'model = Net()\nmodel.compile("sgd", "mse")\n'
        "model.fit(tf.ones((8, 4)), tf.ones((8, 1)), "
        'callbacks=[tf.keras.callbacks.BackupAndRestore("a")])\n',
        "import tensorflow as tf\n\n"
        "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        'model.compile("sgd", "mse")\n'
        "model.fit(tf.ones((8, 4)), tf.ones((8, 1)), initial_epoch=2, "
        'callbacks=[tf.keras.callbacks.BackupAndRestore("a")])\n',
    ),
)
def own_checkpoints(at: Places) -> Query:
    """Lines in front of the callback and of `fit`, and another callback."""
    return (
        Query()
        .select(STATEMENT)
        .filter(at.each(Insert))
        .modify(insert)
        .select(CALL)
        .filter(at.each(Replace))
        .modify(replace)
        .select(CALL)
        .filter(at.each(SetArgument))
        .modify(set_argument)
    )
