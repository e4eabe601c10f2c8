"""Calls that train or test a compiled Keras model, and where their arguments stand.

Signatures of TensorFlow 2.4 to 2.15; https://keras.io/api/models/model_training_apis.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from ...program.things import Box
from ..by_rank import depends_on_rank
from ..facts import Facts
from .options import options
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
_HARMLESS = {
    "x",
    "y",
    "generator",
    "batch_size",
    "epochs",
}  # in `*pair`: no rule changes them there
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
    """What the model is trained on or tested with: the first argument, or the pair of `*pair`."""
    given = argument(facts, call, "x") or argument(facts, call, "generator")
    if given is None and call.args and isinstance(call.args[0], ast.Starred):
        return call.args[0].value
    return given


def is_loud(facts: Facts, call: ast.Call) -> bool:
    """Whether it may draw a progress bar: `verbose` is left out or something else than 0."""
    verbose = argument(facts, call, "verbose")
    if verbose is None:
        return method(call) in _TALKATIVE and not hidden(facts, call) & {"*", "verbose"}
    return draws_bar(facts, verbose)


def draws_bar(facts: Facts, verbose: ast.expr) -> bool:
    """Whether a level stands for a progress bar, on this worker as well."""
    is_off = isinstance(verbose, ast.Constant) and verbose.value in (0, False)
    return not (is_off or depends_on_rank(facts, verbose))


def arguments(facts: Facts, call: ast.Call, name: str) -> tuple[ast.expr, ...]:
    """All that may be given for an argument: in the call itself, or by `**options`."""
    given = argument(facts, call, name)
    return options(facts, call).values.get(name, ()) if given is None else (given,)


def is_given(facts: Facts, call: ast.Call, name: str) -> bool:
    """Whether an argument is certainly given."""
    return argument(facts, call, name) is not None or name in options(facts, call).certain


def examples(facts: Facts, call: ast.Call) -> tuple[ast.expr, ...]:
    """All that may be given for the data itself."""
    given = data(facts, call)
    named = arguments(facts, call, "x") or arguments(facts, call, "generator")
    return named if given is None else (given,)


def hidden(facts: Facts, call: ast.Call) -> frozenset[str]:
    """Names of arguments that `**options` may pass; "*" where they can't be told."""
    found = options(facts, call)
    unknown = () if found.is_complete and _starred(facts, call) <= _HARMLESS else ("*",)
    return frozenset((*found.values, *unknown))


def has_rest(call: ast.Call) -> bool:
    """Whether `fit(x, *rest)` may pass labels, too."""
    return any(isinstance(item, ast.Starred) for item in call.args[1:])


def _starred(facts: Facts, call: ast.Call) -> set[str]:
    """What `*pair` may pass: nothing from the first parameter on that a keyword passes, too."""
    names = _POSITIONS[method(call)]
    first = next((i for i, a in enumerate(call.args) if isinstance(a, ast.Starred)), len(names))
    after = (names.index(k.arg) for k in call.keywords if k.arg in names)
    most = sum(_most(facts, argument) for argument in call.args)
    return set(names[first : min((*after, most, len(names)))])


def _most(facts: Facts, argument: ast.expr) -> int:
    """How many arguments it stands for at most: `*pair` for as many as the tuple has."""
    if not isinstance(argument, ast.Starred):
        return 1
    things = facts.program.things(argument.value)
    tuples = [each for each in things if isinstance(each, Box) and each.kind == "tuple"]
    known = [each.length for each in tuples if each.length is not None]
    return max(known) if known and len(known) == len(things) else len(_POSITIONS["fit"])
