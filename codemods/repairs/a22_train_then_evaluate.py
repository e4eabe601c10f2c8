"""An Estimator that trains and evaluates in turns trains first, and is evaluated then.

https://www.tensorflow.org/api_docs/python/tf/estimator/train_and_evaluate: worker 0 would evaluate
by its own clock, while the others wait for it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Optional

from ..edits import At, Insert, Places, Remove
from ..facts import Facts
from ..library.estimators import TOGETHER
from ..library.names import in_v1
from ..rewrites._new_code import code
from ._repair import Query, put_in_place, repair

POSITIONS = {
    "TrainSpec": ("input_fn", "max_steps", "hooks"),
    "EvalSpec": ("input_fn", "steps", "name", "hooks"),
}
TIMES = ("start_delay_secs", "throttle_secs")  # when it is the turn of the evaluation
TAKEN = ("estimator", "train_spec", "eval_spec")
Spec = Optional[dict[str, str]]
MODEL = """\
import tensorflow.compat.v1 as tf


def data():
    return tf.data.Dataset.from_tensor_slices(({"x": tf.ones((8, 4))}, tf.ones((8, 1)))).batch(4)


def model(features, labels, mode):
    loss = tf.losses.mean_squared_error(labels, tf.layers.dense(features["x"], 1))
    train = tf.train.AdamOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)


estimator = tf.estimator.Estimator(model)
"""


def turns(facts: Facts) -> Iterator[At]:
    """The calls, with the statements that only they need."""
    for call in facts.calls_of(*TOGETHER):
        statement = facts.statement(call)
        estimator, train, test = (facts.argument(call, n, at) for at, n in enumerate(TAKEN))
        first, then = arguments(facts, train, "TrainSpec"), arguments(facts, test, "EvalSpec")
        is_alone = isinstance(statement, ast.Expr) and statement.value is call
        if not (is_alone and isinstance(estimator, ast.Name) and first and then):
            continue
        yield At(statement, Insert(before=lines(estimator.id, first, {"steps": "100", **then})))
        yield At(statement, Remove())
        for spec in (train, test):
            made = made_alone(facts, spec)
            yield from [] if made is None else [At(made, Remove())]


def lines(estimator: str, first: dict[str, str], then: dict[str, str]) -> str:
    """The two calls."""
    train, test = (
        ", ".join([each.pop("input_fn"), *(f"{n}={v}" for n, v in sorted(each.items()))])
        for each in (first, then)
    )
    return f"{estimator}.train({train})\n{estimator}.evaluate({test})\n"


def arguments(facts: Facts, spec: ast.expr | None, kind: str) -> Spec:
    """What a specification is made with, by name; None where that can't be moved."""
    made = made_alone(facts, spec)
    value = spec if made is None else made.value
    if not isinstance(value, ast.Call) or facts.name(value.func) not in in_v1(f"estimator.{kind}"):
        return None
    names = POSITIONS[kind]
    known = {k.arg for k in value.keywords} <= {*names, *TIMES} and len(value.args) <= len(names)
    if not known or facts.has_hidden_arguments(value):
        return None
    given = {n: facts.argument(value, n, at) for at, n in enumerate(names)}
    found = {n: code(facts, v) for n, v in given.items() if v is not None}
    return found if "input_fn" in found else None


def made_alone(facts: Facts, spec: ast.expr | None) -> ast.Assign | None:
    """The statement that gives it its name, in the same block, for this one use."""
    bindings = facts.bindings(spec) if isinstance(spec, ast.Name) else []
    made = bindings[0].node if len(bindings) == 1 else None
    if not isinstance(spec, ast.Name) or not isinstance(made, ast.Assign):
        return None
    block, number = facts.block(facts.statement(spec))
    is_alone = len(facts.index.loads.get(spec.id, ())) == 1
    return made if is_alone and made in block[:number] else None


@repair(
    code="A22",
    name="train-then-evaluate",
    title="Train the Estimator first, and evaluate it then, once.",
    answers=("T06",),
    is_automatic=False,
    find=turns,
    before=MODEL
    + """\
train_spec = tf.estimator.TrainSpec(data, max_steps=100)
eval_spec = tf.estimator.EvalSpec(data, throttle_secs=60)  # each minute
tf.estimator.train_and_evaluate(estimator, train_spec, eval_spec)
""",
    after=MODEL
    + """\
# each minute
estimator.train(data, max_steps=100)
estimator.evaluate(data, steps=100)
""",
    noop=(
        # what it exports; specifications that are used again
        MODEL + "train = tf.estimator.TrainSpec(data)\n"
        "test = tf.estimator.EvalSpec(data, exporters=[tf.estimator.FinalExporter('a', data)])\n"
        "tf.estimator.train_and_evaluate(estimator, train, test)\n",
        MODEL + "train, test = tf.estimator.TrainSpec(data), tf.estimator.EvalSpec(data)\n"
        "tf.estimator.train_and_evaluate(estimator, train, test)\n",
    ),
)
def train_then_evaluate(at: Places) -> Query:
    """Two calls take the place of one."""
    return put_in_place(at)
