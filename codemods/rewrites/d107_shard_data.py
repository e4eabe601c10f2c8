"""Every worker trains on its own share of the data, and all shares are equally long.

The published rules (seeds 000 and 001) leave each worker all of it, so that no epoch gets shorter;
uneven shares end the job with "Horovod has been shut down" (#832, #2629).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import (
    At,
    Chain,
    Edit,
    FoldCall,
    Insert,
    Places,
    SetArgument,
    Wrap,
    chain,
    fold_call,
    insert,
    set_argument,
    wrap,
)
from ..edits.patterns import CALL, EXPRESSION, STATEMENT
from ..facts import Facts
from ..facts.data.orders import LOADS, READ_CONFIG
from ..facts.data.own_orders import seeded_sources
from ..facts.data.pipeline_shares import shares_of
from ._array_shares import of_arrays
from ._batch_datasets import shared_batches
from ._dealing import dealt_out, dealt_out_picks
from ._new_code import code
from ._rewrite import Query, rewrite
from ._share_edits import share

SEED = "0"  # as D108 has it


def shares(facts: Facts) -> Iterator[At]:
    """Arrays, pipelines and datasets of batches that can be shared out safely."""
    cut: dict[ast.AST, Edit] = {
        each.expr: share(facts, each) for each in shares_of(facts).cuts.values()
    }
    yield from of_arrays(facts)
    for source, position in seeded_sources(facts).items():
        yield At(source, _seeded(facts, source, position))
        if source not in cut:
            yield At(source, FoldCall(alone=True))
    yield from shared_batches(facts)
    yield from dealt_out(facts)
    yield from dealt_out_picks(facts)
    yield from (At(expr, edit) for expr, edit in cut.items())


def _seeded(facts: Facts, source: ast.Call, position: int | None) -> SetArgument:
    """The argument by which all workers shuffle names in one order."""
    func = source.func
    if isinstance(func, ast.Attribute) and func.attr == LOADS:
        config = f"{code(facts, func.value)}.ReadConfig(shuffle_seed={SEED})"
        return SetArgument(READ_CONFIG, config, None)
    return SetArgument("seed", SEED, position)


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
model.fit(x_train[shard] / 255.0, y_train[shard], batch_size=64)
""",
    noop=(
        # what is only tested is not shared out: every worker gives the whole result
        "import tensorflow as tf\n\ntf.keras.Sequential().evaluate(tf.data.Dataset.range(9))\n",
    ),
)
def shard_data(at: Places) -> Query:
    """The place of a pipeline is the dataset behind which it is cut."""
    return (
        Query()
        .select(CALL)
        .filter(at.each(SetArgument))
        .modify(set_argument)
        .select(EXPRESSION)
        .filter(at.each(Chain))
        .modify(chain)
        .select(EXPRESSION)
        .filter(at.each(Wrap))
        .modify(wrap)
        .select(STATEMENT)
        .filter(at.each(Insert))
        .modify(insert)
        .select(CALL)
        .filter(at.each(FoldCall))
        .modify(fold_call)
    )
