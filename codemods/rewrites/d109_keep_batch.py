"""All workers together take the batch that one process takes: an Nth of its rows each.

Asked for by the setting `batch = "global"`; the rate and the number of steps stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..edits import (
    At,
    FoldCall,
    Insert,
    Places,
    Replace,
    SetArgument,
    Wrap,
    fold_call,
    insert,
    replace,
    set_argument,
    wrap,
)
from ..edits.patterns import CALL, EXPRESSION, STATEMENT
from ..facts import Facts
from ..facts.gradients.batch_rows import BY_DEFAULT, own_rows
from ._keras_3_forms import definitions
from ._new_code import code, fresh, hvd
from ._rewrite import Query, rewrite

NAME, OWN = "own_rows", "own_batch"
_OWN_ROWS = '''\
def {name}(batch):
    """How many rows of each batch this worker takes: as many as every other one."""
    if batch % {hvd}.size():
        raise ValueError(f"{{{hvd}.size()}} workers can't share a batch of {{batch}} rows alike")
    return batch // {hvd}.size()
'''


def batches(facts: Facts) -> Iterator[At]:
    """Each size by which a step takes rows of its worker's share, and the function it goes by."""
    found = own_rows(facts)
    if not found.is_any:
        return
    name = fresh(facts, NAME)
    yield definitions(facts, _OWN_ROWS.format(name=name, hvd=hvd(facts)))
    for number, loop in enumerate(found.sliced):
        own = fresh(facts, f"{OWN}_{number}" if number else OWN)
        yield At(loop.before, Insert(f"{own} = {name}({code(facts, loop.places[0])})\n"))
        yield from (At(place, Replace(own)) for place in loop.places)
    for each in found.taken:
        if each.size is None:
            value = f"{name}({BY_DEFAULT})"
            yield At(each.call, SetArgument(each.argument, value, each.position))
        else:
            yield At(each.size, Wrap(f"{name}(_)"))
        yield At(each.call, FoldCall())


@rewrite(
    code="D109",
    name="keep-batch",
    summary='Let each worker take an Nth of every batch, where batch = "global" asks for that.',
    needs=("D101", "D102", "D107"),
    find=batches,
    batch="global",
    before="""\
import tensorflow as tf

(x_train, y_train), _ = tf.keras.datasets.mnist.load_data()
x_train = x_train / 255.0
train = tf.data.Dataset.from_tensor_slices((x_train, y_train)).shuffle(60000).batch(64)

model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
model.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(train, epochs=3)
model.fit(x_train, y_train)  # 32 rows a batch
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


def own_rows(batch):
    \"\"\"How many rows of each batch this worker takes: as many as every other one.\"\"\"
    if batch % hvd.size():
        raise ValueError(f"{hvd.size()} workers can't share a batch of {batch} rows alike")
    return batch // hvd.size()


(x_train, y_train), _ = tf.keras.datasets.mnist.load_data()
x_train = x_train / 255.0
train = (
    tf.data.Dataset.from_tensor_slices((x_train, y_train))
    .take(len(x_train) // hvd.size() * hvd.size())
    .shard(hvd.size(), hvd.rank())
    .shuffle(60000)
    .batch(own_rows(64))
)

model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
model.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(train, epochs=3)
shard = slice(hvd.rank(), len(x_train) // hvd.size() * hvd.size(), hvd.size())
model.fit(x_train[shard], y_train[shard], batch_size=own_rows(32))  # 32 rows a batch
""",
    noop=("import tensorflow as tf\n\nprint(tf.ones((8, 2)).batch(4))  # trains nothing\n",),
)
def keep_batch(at: Places) -> Query:
    """The function first, then each size, and the calls that have become too long."""
    return (
        Query()
        .select(STATEMENT)
        .filter(at.each(Insert))
        .modify(insert)
        .select(EXPRESSION)
        .filter(at.each(Wrap))
        .modify(wrap)
        .select(EXPRESSION)
        .filter(at.each(Replace))
        .modify(replace)
        .select(CALL)
        .filter(at.each(SetArgument))
        .modify(set_argument)
        .select(CALL)
        .filter(at.each(FoldCall))
        .modify(fold_call)
    )
