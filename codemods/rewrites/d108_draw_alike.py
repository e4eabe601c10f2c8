"""What parts or orders the examples by chance does it with one seed for all workers.

Otherwise the shares overlap, and what one worker keeps back for testing another trains on.
https://github.com/horovod/horovod/issues/2623,
https://scikit-learn.org/stable/glossary.html (random_state).
"""

from __future__ import annotations

from collections.abc import Iterator

from ..edits import (
    At,
    FoldCall,
    Places,
    Rename,
    SetArgument,
    Wrap,
    fold_call,
    rename,
    set_argument,
    wrap,
)
from ..edits.patterns import CALL, EXPRESSION
from ..facts import Facts
from ..facts.data.own_orders import How, alike
from ._rewrite import Query, rewrite

SEED = "0"


def orders(facts: Facts) -> Iterator[At]:
    """Splits, shuffles and samples without a seed; names in the order of a disk, or of hashes."""
    for call, how, name, position in alike(facts).values():
        if how is How.ARGUMENT:
            yield At(call, SetArgument(name, SEED, position))
            yield At(call, FoldCall(alone=True))
        elif how is How.MAKER:
            yield At(call, Rename(f"{name}.{call.func.attr}"))  # type: ignore[attr-defined]
        elif how is How.LIST:
            yield At(call, Rename("sorted"))
        else:
            yield At(call, Wrap("sorted(_)"))


@rewrite(
    code="D108",
    name="draw-alike",
    summary="Let all workers draw the same order of examples.",
    find=orders,
    before="""\
import numpy as np
import tensorflow as tf
from sklearn.model_selection import train_test_split

x, y = np.load("x.npy"), np.load("y.npy")
x_train, x_test, y_train, y_test = train_test_split(x, y, test_size=0.2)

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x_train, y_train, validation_data=(x_test, y_test))
""",
    after="""\
import numpy as np
import tensorflow as tf
from sklearn.model_selection import train_test_split

x, y = np.load("x.npy"), np.load("y.npy")
x_train, x_test, y_train, y_test = train_test_split(x, y, test_size=0.2, random_state=0)

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x_train, y_train, validation_data=(x_test, y_test))
""",
    noop=(
        # seeded, nobody's examples, and a new order for each epoch
        "import random\nimport numpy as np\nimport tensorflow as tf\n\n"
        "np.random.seed(1)\norder = np.random.permutation(8)\nrandom.shuffle(colours)\n"
        "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        'model.compile("sgd", "mse")\n'
        "model.fit(np.ones((8, 4))[order], np.ones((8, 1)))\n",
    ),
)
def draw_alike(at: Places) -> Query:
    """A seed where the function takes one, else a generator with a seed; names are sorted."""
    return (
        Query()
        .select(CALL)
        .filter(at.each(SetArgument))
        .modify(set_argument)
        .select(CALL)
        .filter(at.each(FoldCall))
        .modify(fold_call)
        .select(CALL)
        .filter(at.each(Rename))
        .modify(rename)
        .select(EXPRESSION)
        .filter(at.each(Wrap))
        .modify(wrap)
    )
