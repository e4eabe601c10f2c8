"""A training that nothing starts is started where its file is run as a program.

https://docs.python.org/3/library/__main__.html: another module may import the file as before.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..edits import At, Insert, Places, insert
from ..edits.patterns import STATEMENT
from ..facts import Facts
from ..program.parts import FunctionNode
from ..restrictions.t01_training_elsewhere import has_required, starting_functions, unstarted
from ._repair import Query, repair


def end(facts: Facts) -> Iterator[At]:
    """The last statement of the module, if one function starts all of the training by itself."""
    starts = {tuple(starting_functions(facts, place)[-1:]) for place in unstarted(facts)}
    (start,) = (starts.pop() if len(starts) == 1 else ()) or (None,)
    if not isinstance(start, FunctionNode) or start not in facts.module.body:
        return
    if has_required(start.args) or start.decorator_list or "get_ipython" in facts.index.loads:
        return
    call = f'if __name__ == "__main__":\n    {start.name}()\n'
    yield At(facts.module.body[-1], Insert(after=f"\n\n{call}"))


@repair(
    code="A19",
    name="start-here",
    title="Start the training where this file is run as a program.",
    answers=("T01",),
    is_automatic=False,
    find=end,
    before="""\
import tensorflow as tf


def train(epochs=2):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(tf.ones((8, 4)), tf.ones((8, 1)), epochs=epochs)
""",
    after="""\
import tensorflow as tf


def train(epochs=2):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(tf.ones((8, 4)), tf.ones((8, 1)), epochs=epochs)


if __name__ == "__main__":
    train()
""",
    noop=(
        # it has to be given something; which of the two
        "import tensorflow as tf\n\n\ndef train(data):\n"
        "    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        '    model.compile("sgd", "mse")\n    model.fit(data)\n',
        "import tensorflow as tf\n\nmodel = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        'model.compile("sgd", "mse")\n\n\ndef first():\n'
        "    model.fit(tf.ones((8, 4)), tf.ones((8, 1)))\n\n\ndef second():\n"
        "    model.fit(tf.ones((8, 4)), tf.ones((8, 1)), epochs=2)\n",
    ),
)
def start_here(at: Places) -> Query:
    """The guard goes last."""
    return Query().select(STATEMENT).filter(at.each(Insert)).modify(insert)
