"""Every worker trains on its own share of the data, and all shares are equally long.

The published rules (seeds 000 and 001) leave each worker all of it, so that no epoch gets shorter;
uneven shares end the job with "Horovod has been shut down" (#832, #2629).
"""

from __future__ import annotations

import ast

from ..facts import Facts
from ..facts.array_loops import loops
from ..facts.data import data_of
from ..facts.fit_arrays import TRAINING, VALIDATION, every
from ._rewrite import LN, Capture, Places, Query, rewrite
from ._shares import Call, Edit, Lines, Share, Take, share
from .edits import broken, cut_pipeline, fold_around, insert_before, parentheses, wrap

NAMES = {TRAINING: "shard", VALIDATION: "val_shard"}
SLICE = "{name} = slice({hvd}.rank(), {length} // {hvd}.size() * {hvd}.size(), {hvd}.size())"


def shares(facts: Facts) -> dict[ast.AST, Edit]:
    """Arrays and pipelines of every `fit` and training loop that can be shared out safely."""
    found: dict[ast.AST, Edit] = {
        cut.expr: Share(share(cut, facts.hvd, facts.tf)) for cut in data_of(facts).cuts.values()
    }
    for loop in loops(facts):
        name = facts.fresh(NAMES[TRAINING])
        cut = ", ".join(f"{array}[{name}]" for array in loop.arrays)
        line = SLICE.format(name=name, hvd=facts.hvd, length=f"len({loop.arrays[0]})")
        found[loop.before] = Lines((line, f"{', '.join(loop.arrays)} = {cut}"))
    for arrays in every(facts):
        name = facts.fresh(NAMES[arrays.purpose])
        for expr, template in arrays.templates.items():
            found[expr] = Take(template.format(shard=name))
        line = SLICE.format(name=name, hvd=facts.hvd, length=arrays.length)
        above = found.pop(arrays.call, None)  # last: the arrays in it are cut by then
        lines = above.lines if isinstance(above, Call) else ()
        found[arrays.call] = Call((*lines, line) if arrays.is_first else lines)
    return found


@rewrite(
    code="D107",
    name="shard-data",
    summary="Give each worker an equal share of the data.",
    find=shares,
    needs=("D101", "D102"),
    before="""\
import tensorflow as tf

(x_train, y_train), (x_test, y_test) = tf.keras.datasets.mnist.load_data()
train = tf.data.Dataset.from_tensor_slices((x_train / 255.0, y_train)).shuffle(60000).batch(64)

model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
model.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(train, epochs=3)
model.fit(x_train / 255.0, y_train, batch_size=64)
""",
    after="""\
import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")

(x_train, y_train), (x_test, y_test) = tf.keras.datasets.mnist.load_data()
train = (
    tf.data.Dataset.from_tensor_slices((x_train / 255.0, y_train))
    .take(len(y_train) // hvd.size() * hvd.size())
    .shard(hvd.size(), hvd.rank())
    .shuffle(60000)
    .batch(64)
)

model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
model.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(train, epochs=3)
shard = slice(hvd.rank(), len(x_train) // hvd.size() * hvd.size(), hvd.size())
model.fit((x_train / 255.0)[shard], y_train[shard], batch_size=64)
""",
    noop=(
        # what is only tested is not shared out: every worker gives the whole result
        "import tensorflow as tf\n\ntf.keras.Sequential().evaluate(tf.data.Dataset.range(9))\n",
    ),
)
def shard_data(at: Places[Edit]) -> Query:
    """The place of a pipeline is the dataset behind which it is cut."""

    def edit(node: LN, capture: Capture, filename: str) -> None:
        detail = at[node]
        if isinstance(detail, Share):
            cut_pipeline(node, detail.code)
        elif isinstance(detail, Take):
            wrap(node, detail.template)
        else:
            if detail.lines:
                insert_before(node, "\n".join(broken(line, node) for line in detail.lines))
            if isinstance(detail, Call):
                fold_around(parentheses(node))

    return Query().select("any").filter(at.here).modify(edit)
