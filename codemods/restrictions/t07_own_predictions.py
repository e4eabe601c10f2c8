"""What a callback of one's own decides by asking the model, each worker decides for itself.

The metrics of `fit` are averaged; predictions are not the same on every worker: the moving
statistics of BatchNorm are each worker's own. One that stops by them leaves the others waiting.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts, Role
from ..facts.agreement.control import tests_around
from ..facts.optimizers.learning_rates import assigned
from ..facts.taken_methods import settings
from ..facts.value_parts import ingredients
from ..facts.walks import reached
from ..model import Finding
from ..program.node_fields import within
from . import restriction
from ._finding import finding

ASKS = ("predict", "evaluate", "predict_on_batch", "test_on_batch", "__call__")
FIX = "let EarlyStopping or ReduceLROnPlateau decide, by a metric of `fit`: it is averaged"


@restriction(code="T07", name="own-predictions")
def own_predictions(facts: Facts) -> Iterator[Finding]:
    """`stop_training` and rates that depend on what a worker's own model says."""
    for what, asked in decisions(facts):
        for test in asked:
            if any(asks_model(facts, node) for node in ingredients(facts, test)):
                message = f"each worker asks its own model here, and may {what} when others don't"
                yield finding(facts, test, "T07", message, FIX)
                break


def decisions(facts: Facts) -> Iterator[tuple[str, list[ast.expr]]]:
    """Where the program stops the training of `fit`, or a callback sets a rate: what decides."""
    for place, _, value in settings(facts, ("stop_training",)):
        given = [] if value is None or isinstance(value, ast.Constant) else [value]
        if facts.cls(place) is None or _is_of_callback(facts, place):
            yield "stop", [*tests(facts, place), *given]
    for place in assigned(facts):
        if _is_of_callback(facts, place):
            yield "change its rate", list(tests(facts, place))


def _is_of_callback(facts: Facts, place: ast.AST) -> bool:
    cls = facts.cls(place)
    return cls is not None and facts.role_of_class(cls) is Role.CALLBACK


def tests(facts: Facts, place: ast.AST) -> Iterator[ast.expr]:
    """The conditions around a place, and around what counts up to them: `self.wait += 1`."""

    def counting(test: ast.expr) -> Iterator[ast.expr]:
        for node in within(test):
            if isinstance(node, ast.Attribute) and facts.classes.self_class(node.value):
                for _, binding in facts.index.attribute_stores.get(node.attr, []):
                    yield from tests_around(facts, binding.node)

    return reached(tests_around(facts, place), counting)


def asks_model(facts: Facts, node: ast.AST) -> bool:
    """Whether it is `self.model.predict(…)` or `self.model(…)`, or of a model of this file."""
    if not isinstance(node, ast.Call):
        return False
    func = node.func
    if isinstance(func, ast.Attribute) and func.attr in ASKS:
        func = func.value
    if isinstance(func, ast.Attribute) and func.attr == "model":
        return facts.classes.self_class(func.value) is not None
    return facts.role(func) is Role.MODEL
