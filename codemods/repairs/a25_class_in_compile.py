"""An optimizer that `compile` is given as a word, and that a loop asks the model for, by its class.

Keras looks words up in its own classes: https://keras.io/api/optimizers.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import At, Places, Replace, replace
from ..edits.patterns import EXPRESSION
from ..facts import Facts
from ..facts.keras_version import is_keras_3
from ..facts.optimizers.optimizer_makers import class_of_keras
from ..library.optimizers import of_string
from ._repair import Query, repair


def words(facts: Facts) -> Iterator[At]:
    """The words in the calls themselves, of classes that Keras has."""
    for call in facts.calls("compile"):
        given = facts.argument(call, "optimizer", 0)
        word = given.value if isinstance(given, ast.Constant) else None
        cls = of_string(word, is_keras_3(facts)) if isinstance(word, str) else None
        if given is not None and cls is not None and _is_asked_for(facts):
            yield At(given, Replace(f"{class_of_keras(facts, cls)}()"))


def _is_asked_for(facts: Facts) -> bool:
    """Whether the file applies gradients by what a model has: `model.optimizer`."""
    receivers = (call.func.value for call in facts.calls("apply_gradients", "minimize"))  # type: ignore[attr-defined]
    return any(getattr(receiver, "attr", "") == "optimizer" for receiver in receivers)


@repair(
    code="A25",
    name="class-in-compile",
    title="Give compile the optimizer by its class.",
    answers=("R08",),
    is_automatic=True,
    find=words,
    before="""\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("adam", "mse")  # for the loop
for step in range(30):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(tf.ones((8, 4))) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
    model.optimizer.apply_gradients(zip(grads, model.trainable_variables))
""",
    after="""\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.Adam(), "mse")  # for the loop
for step in range(30):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(tf.ones((8, 4))) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
    model.optimizer.apply_gradients(zip(grads, model.trainable_variables))
""",
    noop=(
        # a word that Keras doesn't know; no loop asks the model for it; no model
        "import tensorflow as tf\n\nmodel = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        'model.compile("mine", "mse")\n'
        "with tf.GradientTape() as tape:\n    loss = tf.reduce_mean(model(tf.ones((8, 4))))\n"
        "grads = tape.gradient(loss, model.weights)\n"
        "model.optimizer.apply_gradients(zip(grads, model.weights))\n",
        "import re\nimport tensorflow as tf\n\nw = tf.Variable(1.0)\nadam = re.compile('adam')\n"
        "with tf.GradientTape() as tape:\n    loss = w**2\n"
        "make().apply_gradients(zip(tape.gradient(loss, [w]), [w]))\n",
    ),
)
def class_in_compile(at: Places) -> Query:
    """The word is exchanged where it stands; the class has the same defaults."""
    return Query().select(EXPRESSION).filter(at.each(Replace)).modify(replace)
