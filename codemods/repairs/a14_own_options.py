"""What `fit(**options)` is given stands where Horovod's callbacks can be put before it.

Arguments by keyword and by `**` are the same: https://docs.python.org/3/reference/expressions.html.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import At, Name, Places, SetArgument, name, set_argument
from ..edits.patterns import CALL, EXPRESSION
from ..facts import Facts
from ..facts.training import fits
from ..facts.training.fits import holder
from ..facts.value_parts import can_be_named
from ..rewrites._new_code import fresh
from ._repair import Query, repair


def options(facts: Facts) -> Iterator[At]:
    """Dictionaries without a name, and those that hold callbacks now and then."""
    for call in fits.fits(facts):
        given = [keyword.value for keyword in call.keywords if keyword.arg is None]
        if "callbacks" not in fits.hidden(facts, call) or len(given) != 1:
            continue
        held = holder(call)
        if held is None:
            if is_display(facts, given[0]) and can_be_named(facts, given[0]):
                yield At(given[0], Name(fresh(facts, "options")))
        elif not fits.is_given(facts, call, "callbacks") and is_last(facts, held):
            yield At(call, SetArgument("callbacks", f'{ast.unparse(held)}.pop("callbacks", None)'))


def is_display(facts: Facts, value: ast.expr) -> bool:
    """`{…}` or `dict(…)`."""
    is_call = isinstance(value, ast.Call) and facts.name(value.func) == "builtins.dict"
    return is_call or isinstance(value, ast.Dict)


def is_last(facts: Facts, held: ast.expr) -> bool:
    """Whether nobody misses what is taken out of a dictionary: nothing else comes to read it."""
    is_name = isinstance(held, ast.Name) and not facts.in_loop(held)
    loads = facts.index.loads.get(held.id, ()) if isinstance(held, ast.Name) else ()
    function = facts.function(held)
    is_once = function is None or len(facts.call_sites(function)) == 1
    return is_name and is_once and all(each.lineno <= held.lineno for each in loads)  # type: ignore[attr-defined]


@repair(
    code="A14",
    name="own-options",
    title="Give the dictionary of `fit` a name, or take the callbacks out of it.",
    answers=("K02",),
    is_automatic=True,
    find=options,
    before="""\
import sys

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
stop = tf.keras.callbacks.EarlyStopping("loss")
model.fit(tf.ones((8, 4)), tf.ones((8, 1)), **{"epochs": 3, "callbacks": [stop]})  # soon
last = {"epochs": 2}
if sys.argv[1:]:
    last["callbacks"] = [stop]
model.fit(tf.ones((8, 4)), tf.ones((8, 1)), **last)
""",
    after="""\
import sys

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
stop = tf.keras.callbacks.EarlyStopping("loss")
options = {"epochs": 3, "callbacks": [stop]}
model.fit(tf.ones((8, 4)), tf.ones((8, 1)), **options)  # soon
last = {"epochs": 2}
if sys.argv[1:]:
    last["callbacks"] = [stop]
model.fit(
    tf.ones((8, 4)), tf.ones((8, 1)), callbacks=last.pop("callbacks", None), **last
)
""",
    noop=(
        # nobody sees what it holds; another `fit` would miss what is taken out
        "import json\n\nimport tensorflow as tf\n\noptions = json.load(open('a'))\n"
        "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        'model.compile("sgd", "mse")\nmodel.fit(tf.ones((8, 4)), tf.ones((8, 1)), **options)\n',
        "import sys\n\nimport tensorflow as tf\n\n"
        "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        'model.compile("sgd", "mse")\noptions = {"epochs": 3}\nif sys.argv[1:]:\n'
        '    options["callbacks"] = [tf.keras.callbacks.EarlyStopping("loss")]\n'
        "for n in range(2):\n    model.fit(tf.ones((8, 4)), tf.ones((8, 1)), **options)\n",
    ),
)
def own_options(at: Places) -> Query:
    """The call is given the same as before."""
    return (
        Query()
        .select(EXPRESSION)
        .filter(at.each(Name))
        .modify(name)
        .select(CALL)
        .filter(at.each(SetArgument))
        .modify(set_argument)
    )
