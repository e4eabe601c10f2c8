"""A method that is kept under a name is called on its object: `run = model.fit`, `run(x, y)`.

A bound method keeps its object: https://docs.python.org/3/reference/datamodel.html.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import At, Places, Remove, Replace, remove, replace
from ..edits.patterns import CONDITION, STATEMENT
from ..facts import Facts
from ..facts.training.pattern import FITS, training_of
from ._repair import Query, repair


def kept(facts: Facts) -> Iterator[At]:
    """The uses of such a name, and the statement that binds it."""
    for use, _, _ in training_of(facts).uncertain:
        statement = facts.statement(use)
        if not is_kept(use, statement):
            continue
        (target,) = statement.targets  # type: ignore[attr-defined]
        loads = [n for n in facts.index.loads.get(target.id, ()) if isinstance(n, ast.Name)]
        if loads and all(is_same(facts, each, statement, use) for each in loads):
            yield At(statement, Remove())
            yield from (At(each, Replace(ast.unparse(use))) for each in loads)


def is_kept(use: ast.expr, statement: ast.stmt) -> bool:
    """`run = model.fit`."""
    is_method = isinstance(use, ast.Attribute) and use.attr in FITS
    is_named = is_method and isinstance(use.value, ast.Name)  # type: ignore[attr-defined]
    is_plain = isinstance(statement, ast.Assign) and statement.value is use
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return is_named and is_plain and [type(each) for each in targets] == [ast.Name]


def is_same(facts: Facts, load: ast.Name, statement: ast.stmt, use: ast.expr) -> bool:
    """Whether it is called there, and means that method of that object: both are bound once."""
    model = use.value  # type: ignore[attr-defined]
    bound = facts.bindings(model)
    is_bound_once = len(bound) == 1 and len(facts.bindings(load)) == 1
    is_called = isinstance(facts.parent(load), ast.Call) and facts.parent(load).func is load  # type: ignore[union-attr]
    is_here = facts.scope(load) is facts.scope(statement) or facts.function(statement) is None
    return is_bound_once and is_called and is_here


@repair(
    code="A13",
    name="called-by-name",
    title="Call the method on its model: `model.fit(…)`.",
    answers=("T01",),
    is_automatic=True,
    find=kept,
    before="""\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
train = model.fit
train(tf.ones((8, 4)), tf.ones((8, 1)))  # short
""",
    after="""\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(tf.ones((8, 4)), tf.ones((8, 1)))  # short
""",
    noop=(
        # it is handed on; the model is another one by then
        "import tensorflow as tf\n\nmodel = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        'model.compile("sgd", "mse")\ntrain = model.fit\nlist(map(train, [tf.ones((8, 4))]))\n',
        "import tensorflow as tf\n\nmodel = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        'model.compile("sgd", "mse")\ntrain = model.fit\nmodel = None\ntrain(tf.ones((8, 4)))\n',
    ),
)
def called_by_name(at: Places) -> Query:
    """The name goes, and the method stands where it was."""
    return (
        Query()
        .select(CONDITION)
        .filter(at.each(Replace))
        .modify(replace)
        .select(STATEMENT)
        .filter(at.each(Remove))
        .modify(remove)
    )
