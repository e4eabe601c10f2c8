"""Optimizers of Estimators that come with a model: given, named, or left out.

Those of TensorFlow 2 take optimizers of Keras, which trains them out of Horovod's sight.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.estimators import NAMED, Part, parts
from ...library.optimizers import V1
from ...program.records import NamedTuple
from ..averaging import Averaged, averaged
from ..causes import cause_of
from ..facts import Facts, recorded
from ..old_tensorflow import first_removed_api
from ..problems import Problem
from ..roles import Role
from .optimizer_makers import creations

_FIRST_KERAS = (2, 0)
_UNKNOWN = "nobody can tell where this optimizer is made"
_MAKE = "make it in this file by its class: `optimizer=tf.train.AdagradOptimizer(0.05)`"
_NO_NAME = 'no optimizer has the name "{}"'
_KERAS = "in TensorFlow 2 an optimizer of Keras trains this model, which Horovod can't wrap there"
_OLD = "`import tensorflow.compat.v1 as tf`, or give it one of `tf.train`"


class ReadyMade(NamedTuple):
    """A part of a model, with the calls that make its optimizer, or the class to make it of."""

    estimator: ast.Call
    part: Part
    made: tuple[ast.Call, ...] = ()
    cls: str = ""


class Found(NamedTuple):
    """The optimizers that can be wrapped, and why others can't."""

    optimizers: tuple[ReadyMade, ...]
    problems: tuple[Problem, ...]


@recorded
def ready_made(facts: Facts) -> Found:
    """What trains every ready-made model of the file."""
    found: list[ReadyMade] = []
    problems: list[Problem] = []
    for call in facts.creations(Role.ESTIMATOR):
        for part in parts(facts.name(call.func) or ""):
            if not part.columns or facts.argument(call, part.columns) is not None:
                one = _of_part(facts, call, part)
                (problems if isinstance(one, Problem) else found).append(one)  # type: ignore[arg-type]
    return Found(tuple(found), tuple(problems))


def given_optimizers(facts: Facts) -> Iterator[ast.expr]:
    """What ready-made models are given for an optimizer."""
    for call in facts.creations(Role.ESTIMATOR):
        for part in parts(facts.name(call.func) or ""):
            given = facts.argument(call, part.argument, part.position)
            yield from [] if given is None else [given]


def _of_part(facts: Facts, call: ast.Call, part: Part) -> ReadyMade | Problem:
    given = facts.argument(call, part.argument, part.position)
    name = part.cls if given is None else _name(facts, given)
    if given is not None and name is None:
        return _of_object(facts, call, part, given)
    if name not in NAMED:
        return Problem(call, _NO_NAME.format(name), _MAKE)
    is_old = (facts.name(call.func) or "").startswith("tensorflow.compat.v1.")
    if not is_old and first_removed_api(facts) is None and facts.options.tensorflow >= _FIRST_KERAS:
        return Problem(call, _KERAS, _OLD)
    return ReadyMade(call, part, cls=NAMED[name])


def _name(facts: Facts, given: ast.expr) -> str | None:
    """The name by which an optimizer is given."""
    made = facts.origins(given).only
    is_text = isinstance(made, ast.Constant) and isinstance(made.value, str)
    return made.value if is_text else None  # type: ignore[union-attr]


def _of_object(facts: Facts, call: ast.Call, part: Part, given: ast.expr) -> ReadyMade | Problem:
    """An optimizer, or a function that makes one in the graph of the model."""
    values = [*_returned(facts, given)] or [given]
    made = [node for value in values for node in creations(facts, value)]
    if not made or not all(_is_old(facts, node) for node in made):
        return Problem(given, _UNKNOWN, _MAKE, cause_of(facts, given, (Role.OPTIMIZER,)))
    plain = all(averaged(facts, value) is Averaged.NO for value in values)
    return ReadyMade(call, part, tuple(made) if plain else ())  # type: ignore[arg-type]


def _returned(facts: Facts, given: ast.expr) -> Iterator[ast.expr]:
    functions = facts.program.functions(given)
    for function in functions.nodes:
        if isinstance(function, ast.Lambda):
            yield function.body
    for node in facts.index.nodes(ast.Return):
        if facts.function(node) in functions.nodes and node.value is not None:
            yield node.value


def _is_old(facts: Facts, node: ast.AST) -> bool:
    is_made = isinstance(node, ast.Call) and facts.made_by(node) is Role.OPTIMIZER
    return is_made and (facts.kind(node) or "").startswith(V1)  # type: ignore[arg-type]
