"""Calls that train or test a compiled Keras model, and where their arguments stand.

Signatures of TensorFlow 2.4 to 2.15; https://keras.io/api/models/model_training_apis.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from ..by_rank import depends_on_rank
from ..facts import Facts
from .pattern import Pattern, training_of

_FIT = (
    "x y batch_size epochs verbose callbacks validation_split validation_data shuffle "
    "class_weight sample_weight initial_epoch steps_per_epoch validation_steps "
    "validation_batch_size validation_freq"
)
_FIT_GENERATOR = (
    "generator steps_per_epoch epochs verbose callbacks validation_data validation_steps "
    "validation_freq class_weight"
)
_POSITIONS: Mapping[str, tuple[str, ...]] = {
    "fit": tuple(_FIT.split()),
    "fit_generator": tuple(_FIT_GENERATOR.split()),
    "evaluate": ("x", "y", "batch_size", "verbose", "sample_weight", "steps", "callbacks"),
    "evaluate_generator": ("generator", "steps", "callbacks"),
    "predict": ("x", "batch_size", "verbose", "steps", "callbacks"),
    "predict_generator": ("generator", "steps", "callbacks"),
}
TESTS = ("evaluate", "evaluate_generator", "predict", "predict_generator")
VERBOSE = "1"  # the level by default
_TALKATIVE = ("fit", "fit_generator", "evaluate", "predict")  # with a progress bar by default


def method(call: ast.Call) -> str:
    """Under which name the model is called."""
    assert isinstance(call.func, ast.Attribute)
    return call.func.attr


def fits(facts: Facts) -> Iterator[ast.Call]:
    """Calls of `fit` and `fit_generator` of Keras models."""
    for call, pattern in training_of(facts).places:
        is_fit = isinstance(call.func, ast.Attribute) and call.func.attr in ("fit", "fit_generator")
        if pattern is Pattern.KERAS and is_fit:
            yield call


def tests(facts: Facts) -> Iterator[ast.Call]:
    """Calls of `evaluate` and `predict` of Keras models."""
    for call in facts.calls(*TESTS):
        if facts.callee(call) is None and training_of(facts).is_model(call.func.value):  # type: ignore[attr-defined]
            yield call


def position(call: ast.Call, name: str) -> int | None:
    """Where the method takes an argument by position."""
    names = _POSITIONS[method(call)]
    return names.index(name) if name in names else None


def argument(facts: Facts, call: ast.Call, name: str) -> ast.expr | None:
    """An argument of such a call, given by keyword or position."""
    return facts.argument(call, name, position(call, name))


def data(facts: Facts, call: ast.Call) -> ast.expr | None:
    """What the model is trained on or tested with: the first argument."""
    return argument(facts, call, "x") or argument(facts, call, "generator")


def is_loud(facts: Facts, call: ast.Call) -> bool:
    """Whether it may draw a progress bar: `verbose` is left out or something else than 0."""
    verbose = argument(facts, call, "verbose")
    if verbose is None:
        return method(call) in _TALKATIVE and not facts.has_hidden_arguments(call)
    is_off = isinstance(verbose, ast.Constant) and verbose.value in (0, False)
    return not (is_off or depends_on_rank(facts, verbose))


def hidden(facts: Facts, call: ast.Call) -> frozenset[str]:
    """Names of arguments that `**options` may pass; "*" where they can't be told."""
    found: set[str] = set()
    for item in call.args:
        if isinstance(item, ast.Starred):
            found.add("*")
    for keyword in call.keywords:
        if keyword.arg is None:
            found |= _keys(facts, keyword.value)
    return frozenset(found)


def _keys(facts: Facts, options: ast.expr) -> set[str]:
    origins = facts.origins(options)
    found = set() if origins.complete and origins.items else {"*"}
    for item in origins.items:
        found |= {"*"} if item.path else _keys_of(facts, item.node)
    if isinstance(options, ast.Name) and _is_changed(facts, options):
        found.add("*")
    return found


def _keys_of(facts: Facts, node: ast.AST) -> set[str]:
    if isinstance(node, ast.Dict):
        return {
            k.value if isinstance(k, ast.Constant) and isinstance(k.value, str) else "*"
            for k in node.keys
        }
    if isinstance(node, ast.Call) and facts.name(node.func) == "builtins.dict" and not node.args:
        return {k.arg or "*" for k in node.keywords}
    return {"*"}


def _is_changed(facts: Facts, options: ast.Name) -> bool:
    """Whether the dictionary is used in any other way than as `**options`."""
    for use in facts.index.loads.get(options.id, ()):
        parent = facts.parent(use)
        if not (isinstance(parent, ast.keyword) and parent.arg is None):
            return True
    return False
