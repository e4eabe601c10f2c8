"""A rate that nobody sees is taken for a number, and made one where it is used.

`float` of a schedule raises a TypeError at once: https://docs.python.org/3/library/functions.html.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import At, Places, SetArgument, Wrap, set_argument, wrap
from ..edits.patterns import CALL, EXPRESSION
from ..facts import Facts
from ..facts.optimizers.rate_carriers import given_rate, is_relative, rate_arguments
from ..facts.optimizers.rate_values import Nature, branches, nature
from ._repair import Query, repair


def rates(facts: Facts) -> Iterator[At]:
    """Rates of an unknown nature, and calls that may be given one by `**options`."""
    for call, argument in rate_arguments(facts):
        value = given_rate(facts, call, argument)
        if value is not None:
            for part in branches(facts, value):
                if is_unknown(facts, part):
                    yield At(part, Wrap("float(_)"))
        elif argument.default is not None:
            options = hidden_in(facts, call)
            if options is not None:
                taken = f'float({options}.pop("{argument.name}", {argument.default}))'
                yield At(call, SetArgument(argument.name, taken))


def is_unknown(facts: Facts, part: ast.expr) -> bool:
    """Whether it is neither a number nor anything else that is known."""
    return nature(facts, part) is Nature.UNKNOWN and not is_relative(facts, part)


def hidden_in(facts: Facts, call: ast.Call) -> str | None:
    """The name of the dictionary in `Adam(**options)`, if that is all that it is read for."""
    names = [keyword.value for keyword in call.keywords if keyword.arg is None]
    is_one = len(names) == 1 and isinstance(names[0], ast.Name) and not facts.in_loop(call)
    if not is_one or any(isinstance(each, ast.Starred) for each in call.args):
        return None
    name = names[0].id  # type: ignore[attr-defined]
    is_alone = facts.function(call) is None and len(facts.index.loads.get(name, ())) == 1
    return name if is_alone else None


@repair(
    code="A15",
    name="rate-is-number",
    title="Take the rate for a number; a schedule in its place stops the program at once.",
    answers=("L01",),
    is_automatic=False,
    find=rates,
    before="""\
import json

import tensorflow as tf
from experiments import best_rate

with open("small.json") as file:
    small = json.load(file)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.Adam(best_rate("a")), "mse")  # as tuned
model.fit(tf.ones((8, 4)), tf.ones((8, 1)))
other = tf.keras.Sequential([tf.keras.layers.Dense(1)])
other.compile(tf.keras.optimizers.SGD(**small), "mse")
other.fit(tf.ones((8, 4)), tf.ones((8, 1)))
""",
    after="""\
import json

import tensorflow as tf
from experiments import best_rate

with open("small.json") as file:
    small = json.load(file)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.Adam(float(best_rate("a"))), "mse")  # as tuned
model.fit(tf.ones((8, 4)), tf.ones((8, 1)))
other = tf.keras.Sequential([tf.keras.layers.Dense(1)])
other.compile(
    tf.keras.optimizers.SGD(
        learning_rate=float(small.pop("learning_rate", 0.01)), **small
    ),
    "mse",
)
other.fit(tf.ones((8, 4)), tf.ones((8, 1)))
""",
    noop=(
        # a variable may change later; options that something else reads, too
        "import tensorflow as tf\n\nrate = tf.Variable(0.1)\n"
        "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        'model.compile(tf.keras.optimizers.Adam(rate), "mse")\n'
        "model.fit(tf.ones((8, 4)), tf.ones((8, 1)))\n",
        "import json\n\nimport tensorflow as tf\n\noptions = json.load(open('a'))\nprint(options)\n"
        "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        'model.compile(tf.keras.optimizers.Adam(**options), "mse")\n'
        "model.fit(tf.ones((8, 4)), tf.ones((8, 1)))\n",
    ),
)
def rate_is_number(at: Places) -> Query:
    """What is given is converted; what is hidden is taken out of its dictionary."""
    return (
        Query()
        .select(EXPRESSION)
        .filter(at.each(Wrap))
        .modify(wrap)
        .select(CALL)
        .filter(at.each(SetArgument))
        .modify(set_argument)
    )
