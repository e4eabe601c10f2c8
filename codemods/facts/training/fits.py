"""Calls that train or test a compiled Keras model, and what their arguments say."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from enum import IntEnum
from typing import NamedTuple

from ...judge.own import ELSEWHERE, Level
from ...library.metrics import is_mean
from ...library.names import normal
from ...program.bindings import Binding
from ...program.domain import Domain, Operands
from ...program.origins import Kind, Origin
from ...program.parts import FunctionNode
from ...program.things import Box, Key, Library
from ..by_rank import depends_on_rank
from ..facts import Facts, recorded
from ..horovod import member
from ..own_values import own
from ..value_parts import ingredients
from ..walks import reached
from .pattern import Pattern, training_of

# -- options -------------------------------------------------------------------------------------
# What `fit(**options)` passes: the dictionaries that may get there, as far as they are seen.

Values = dict[str, tuple[ast.expr, ...]]
Keys = frozenset[Key]
NO_KEYS: Keys = frozenset()
_TAKES_OUT = ("clear", "pop", "popitem")
PLAIN = (ast.Name, ast.Attribute, ast.expr_context)


class Options(NamedTuple):
    """The values by name; others than these may be passed if it isn't complete."""

    values: Mapping[str, tuple[ast.expr, ...]]
    is_complete: bool
    certain: frozenset[str]  # names that are passed whatever happens


def options(facts: Facts, call: ast.Call) -> Options:
    """What the `**options` of a call hold, whichever dictionaries they are."""
    found: Values = {}
    certain: set[str] = set()
    is_complete = True
    for keyword in call.keywords:
        if keyword.arg is None:
            boxes = list(_boxes(facts, keyword.value))
            for box, hidden in boxes:
                is_complete &= box is not None and _add(facts, box, hidden, found)
            is_one = len(boxes) == 1 and not _loses_keys(facts, boxes[0][0])
            certain |= _written(facts, boxes[0][0]) if is_one else set()
            own = _own(keyword.value)
            found.update({name: (value,) for name, value in own.items()})
            certain |= own.keys()
    return Options(found, is_complete, frozenset(certain))


def holder(call: ast.Call) -> ast.expr | None:
    """The name of `**options`, if it is the only one of a call, and can be written once more."""
    given = [keyword.value for keyword in call.keywords if keyword.arg is None]
    is_one = len(given) == 1 and isinstance(given[0], (ast.Name, ast.Attribute))
    is_plain = all(isinstance(n, PLAIN) for value in given for n in ast.walk(value))
    return given[0] if is_one and is_plain else None


def is_gathered(facts: Facts, call: ast.Call) -> bool:
    """Whether its `**options` are those that the function around takes: `def train(**options)`."""
    given, function = holder(call), facts.function(call)
    if not isinstance(given, ast.Name) or not isinstance(function, FunctionNode):
        return False
    bindings = facts.bindings(given)
    return len(bindings) == 1 and bindings[0].node is function.args.kwarg


def _own(value: ast.expr) -> dict[str, ast.expr]:
    """What `**{**options, "callbacks": []}` passes whatever its other dictionaries hold."""
    if not isinstance(value, ast.Dict):
        return {}
    last = max((n for n, key in enumerate(value.keys) if key is None), default=-1)
    pairs = zip(value.keys[last + 1 :], value.values[last + 1 :])
    return {
        key.value: given
        for key, given in pairs
        if isinstance(key, ast.Constant) and isinstance(key.value, str)
    }


def _boxes(facts: Facts, value: ast.expr) -> Iterator[tuple[Box | None, Keys]]:
    """The dictionaries that a value may be, and what filled them but for what some keys hide.

    None: something else, too.
    """
    program = facts.program
    made = [origin for n in program.follow(value) for origin in program.created(n)]
    is_none = (origin.kind is Kind.CONSTANT and origin.name is None for origin in made)
    found = [each.thing for each, none in zip(made, is_none) if not none] or [None]
    known = [thing for thing in found if isinstance(thing, Box) and thing.kind == "dict"]
    yield from reached([(box, NO_KEYS) for box in known], _filling)
    if len(known) < len(found):
        yield None, NO_KEYS


def _filling(filled: tuple[Box, Keys]) -> list[tuple[Box, Keys]]:
    """What filled a dictionary: parameters of a function take of its `**options` what is theirs."""
    box, hidden = filled
    return [(parent, hidden | box.hidden) for parent in box.parents]


def _add(facts: Facts, box: Box, hidden: Keys, found: Values) -> bool:
    """Whether all keys are known: add what is stored at them."""
    program, is_known = facts.program, _is_called_in_sight(facts, box)
    for key, place in box.fields.items():
        values = () if key in hidden else tuple(_stored(facts, place))
        is_known &= isinstance(key, str) or not values
        if isinstance(key, str) and values:
            found[key] = tuple(dict.fromkeys((*found.get(key, ()), *values)))
    return is_known and not any(program.created(n) for n in program.follow(box.rest))


def _is_called_in_sight(facts: Facts, box: Box) -> bool:
    """Whether the `**options` of a function come from calls that are all seen."""
    if not isinstance(box.origin, ast.arg):
        return True
    function = facts.parent(facts.index.parents[box.origin])
    return facts.program.call_sites(function).is_complete  # type: ignore[arg-type]


def _written(facts: Facts, box: Box | None) -> set[str]:
    """The keys in the text of a dictionary."""
    made: object = None if box is None else box.origin
    if isinstance(made, tuple):  # ("dict", the node of its call)
        made = facts.program.key(made[1])
    if isinstance(made, ast.arg):
        return _passed_by_all(facts, made)
    if isinstance(made, ast.Call):
        return {keyword.arg for keyword in made.keywords if keyword.arg is not None}
    keys = made.keys if isinstance(made, ast.Dict) else []
    return {k.value for k in keys if isinstance(k, ast.Constant) and isinstance(k.value, str)}


def _loses_keys(facts: Facts, box: Box | None) -> bool:
    """Whether something may be taken out of it: `options.pop("callbacks")`, `del options[key]`."""
    targets = (target for node in facts.index.nodes(ast.Delete) for target in node.targets)
    emptied = [target.value for target in targets if isinstance(target, ast.Subscript)]
    emptied += [call.func.value for call in facts.calls(*_TAKES_OUT)]  # type: ignore[attr-defined]
    return any(box in facts.program.things(value) for value in emptied)


def _passed_by_all(facts: Facts, gathered: ast.arg) -> set[str]:
    """The keywords that every call of a function passes, and its `**options` take up."""
    args = facts.index.parents[gathered]
    function = facts.parent(args)
    if not isinstance(args, ast.arguments) or not isinstance(function, FunctionNode):
        return set()
    own = {arg.arg for arg in (*args.args, *args.kwonlyargs)}
    sites = facts.program.call_sites(function)
    calls = [node for node in sites.nodes if isinstance(node, ast.Call)]
    if not sites.is_complete or len(calls) < len(sites.nodes):
        return set()
    given = [{keyword.arg for keyword in call.keywords if keyword.arg} - own for call in calls]
    return set.intersection(*given)


def _stored(facts: Facts, place: int) -> Iterator[ast.expr]:
    program = facts.program
    for n in program.follow(place, until=lambda key: isinstance(key, ast.expr)):
        expr = program.key(n)
        if isinstance(expr, ast.expr):
            yield expr


# -- fits ----------------------------------------------------------------------------------------
# Calls that train or test a compiled Keras model, and where their arguments stand.
#
# Signatures of TensorFlow 2.4 to 2.15; https://keras.io/api/models/model_training_apis.

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


# -- first epoch ---------------------------------------------------------------------------------
# The epoch at which `fit` starts, where each worker may have found another one.
#
# A worker that starts later makes fewer steps than the others, which then wait for it for ever;
# what a listing of files says is rank 0's to tell (keras_imagenet_resnet50.py of Horovod).

_SENT = ("broadcast", "broadcast_object", "allreduce")
_LISTING = frozenset(
    {"listdir", "scandir", "walk", "glob", "iglob", "rglob", "iterdir"}
    | {"latest_checkpoint", "get_checkpoint_state"}
)
_NUMBERS = ("builtins.int", "builtins.max", "builtins.min")


def epochs_to_send(facts: Facts, fit: ast.Call) -> Iterator[str]:
    """The arguments of a `fit` that resumes which rank 0 has to tell."""
    start = argument(facts, fit, "initial_epoch")
    if start is not None and not is_alike(facts, start):
        yield "initial_epoch"
        end = argument(facts, fit, "epochs")
        if end is not None and not is_alike(facts, end):
            yield "epochs"


def start_to_send(facts: Facts, fit: ast.Call) -> Binding | None:
    """What binds the epoch that a `fit` resumes at, if nothing else that it is told differs.

    It runs wherever the `fit` does, on its way there.
    """
    start, end = (argument(facts, fit, each) for each in ("initial_epoch", "epochs"))
    if not isinstance(start, ast.Name) or not any(True for _ in epochs_to_send(facts, fit)):
        return None
    bound = facts.bindings(start)
    if len(bound) != 1 or bound[0].kind != "assign" or not isinstance(bound[0].node, ast.stmt):
        return None
    is_before = facts.comes_before(bound[0].node, facts.statement(fit))
    is_all = is_before and (end is None or _hangs_on(facts, start, end))
    return bound[0] if is_all else None


def _hangs_on(facts: Facts, start: ast.Name, end: ast.expr) -> bool:
    """Whether all workers have an end, or have it as soon as they have the start."""
    if isinstance(end, ast.BinOp):
        return _hangs_on(facts, start, end.left) and _hangs_on(facts, start, end.right)
    return (isinstance(end, ast.Name) and end.id == start.id) or is_alike(facts, end)


def is_alike(facts: Facts, expr: ast.AST) -> bool:
    """Whether all workers have it: shared, sent, or the last epoch of another `fit`."""
    if not isinstance(expr, ast.expr) or _is_same(facts, expr):
        return isinstance(expr, ast.expr)
    if isinstance(expr, ast.Call):
        is_number = facts.name(expr.func) in _NUMBERS
        return is_sent(facts, expr) or (
            is_number and all(is_alike(facts, each) for each in expr.args)
        )
    if isinstance(expr, ast.BinOp):
        return is_alike(facts, expr.left) and is_alike(facts, expr.right)
    if isinstance(expr, ast.Subscript):
        return _is_history(facts, expr.value) and _is_same(facts, expr.slice)
    made = facts.origins(expr)
    others = [node for node in made.nodes if node is not expr]
    return made.complete and bool(others) and all(is_alike(facts, node) for node in others)


def is_sent(facts: Facts, node: ast.AST) -> bool:
    """Whether all workers get it from rank 0, or an average."""
    return isinstance(node, ast.Call) and member(facts, node.func) in _SENT


def _is_same(facts: Facts, expr: ast.expr) -> bool:
    """What another module says may come from its files, too."""
    found = own(facts, expr)
    if found.level > Level.SAME or found.kind == ELSEWHERE:
        return False
    return not any(lists_files(facts, node) for node in ingredients(facts, expr))


def lists_files(facts: Facts, node: ast.AST) -> bool:
    """Also `len(os.listdir(folder))`: lengths are alike of data, not of folders."""
    if not isinstance(node, ast.Call):
        return False
    is_method = isinstance(node.func, ast.Attribute) and node.func.attr in _LISTING
    return is_method or (facts.name(node.func) or "").rpartition(".")[2] in _LISTING


def _is_history(facts: Facts, expr: ast.AST) -> bool:
    """`history.epoch`: the numbers of the epochs that a `fit` made."""
    if not isinstance(expr, ast.Attribute) or expr.attr != "epoch":
        return False
    made = facts.origins(expr.value)
    return made.complete and bool(made.nodes) and set(made.nodes) <= set(fits(facts))


# -- averages of validations ---------------------------------------------------------------------
# Whether what a validation says may be averaged over the shares of the workers.

_OF_COMPILE = (("metrics", 2), ("weighted_metrics", 4))


class _Metric(IntEnum):
    """What a metric is; the larger one wins where values meet, and in containers."""

    NOTHING = 0
    MEAN = 1
    OTHER = 2


def _join(a: _Metric, b: _Metric) -> _Metric:
    return max(a, b)


def _create(origin: Origin, operands: Operands[_Metric]) -> _Metric:
    if origin.kind is Kind.CONSTANT:
        return _named(origin.name) if origin.name is not None else _Metric.MEAN
    if isinstance(origin.thing, Box):
        return max(operands.of(origin), default=_Metric.MEAN) or _Metric.MEAN
    if isinstance(origin.thing, Library):
        return _named(origin.thing.name)
    return _named(origin.name) if origin.kind is Kind.CALL else _Metric.OTHER


def _named(name: object) -> _Metric:
    is_one = isinstance(name, str) and is_mean(normal(name))
    return _Metric.MEAN if is_one else _Metric.OTHER


_MEANS = Domain(_Metric.NOTHING, _Metric.OTHER, _join, _create)


@recorded
def are_means(facts: Facts) -> bool:
    """Whether all metrics that models are compiled with are certainly means over examples."""
    return all(facts.program.value(_MEANS, value) is _Metric.MEAN for value in _given(facts))


def _given(facts: Facts) -> Iterator[ast.expr]:
    for call in facts.calls("compile"):
        if facts.name(call.func) is None and facts.callee(call) is None:
            values = (facts.argument(call, *each) for each in _OF_COMPILE)
            yield from (value for value in values if value is not None)
