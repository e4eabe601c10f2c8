"""A dataset that is cached in a file is cached in memory: each worker caches its own share.

https://www.tensorflow.org/api_docs/python/tf/data/Dataset#cache: without a name, in memory.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..edits import At, Empty, Places, empty
from ..edits.patterns import CALL
from ..facts import Facts
from ..facts.data.pipelines import cached_in_files
from ._repair import Query, repair


def caches(facts: Facts) -> Iterator[At]:
    """The calls that name a file."""
    yield from (At(call, Empty()) for call, _ in cached_in_files(facts))


@repair(
    code="A20",
    name="cache-in-memory",
    title="Cache this dataset in memory, where each worker keeps its own share.",
    answers=("K05",),
    is_automatic=False,
    find=caches,
    before="""\
import tensorflow as tf

data = tf.data.Dataset.range(64).map(lambda n: (tf.ones(4), tf.ones(1))).cache("train.cache")
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(data.batch(4))
""",
    after="""\
import tensorflow as tf

data = tf.data.Dataset.range(64).map(lambda n: (tf.ones(4), tf.ones(1))).cache()
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(data.batch(4))
""",
    noop=(
        # a cache of something else's
        "import tensorflow as tf\n\nmodel = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        'model.compile("sgd", "mse")\nstore.cache("a")\n'
        "model.fit(tf.ones((8, 4)), tf.ones((8, 1)))\n",
    ),
)
def cache_in_memory(at: Places) -> Query:
    """The call stays, without a name."""
    return Query().select(CALL).filter(at.each(Empty)).modify(empty)
