"""The steps of a program that change weights, each with the values that its batches come from.

Where a program trains is known to rules and judge alike; what it trains on is followed anew.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..library.names import in_v1
from ..library.updates import OF_GRADIENTS
from ..program.node_fields import within
from ..program.parts import given_by
from ..program.records import NamedTuple

if TYPE_CHECKING:
    from ..facts import Facts

PLACEHOLDERS = in_v1("placeholder", "placeholder_with_default")
_FITS = ("fit", "fit_generator", "train_on_batch")
_TAKING = ("minimize", "compute_gradients")
_GIVING = ("__getitem__", "__next__", "__iter__", "__call__")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Step(NamedTuple):
    """A call that trains, and what its batches are made of; nothing: nobody sees what."""

    call: ast.Call
    data: tuple[ast.expr, ...]
    is_fit: bool = False


def steps(facts: Facts) -> tuple[Step, ...]:
    """Every step of a program."""
    return facts.record(_found)


def _found(facts: Facts) -> tuple[Step, ...]:
    return tuple(_steps(facts))


def _steps(facts: Facts) -> Iterator[Step]:
    from ..facts import Pattern, training_of
    from ..facts.training.estimator_training import estimator_trainings
    from ..facts.training.session_runs import fed, training_runs

    for call, pattern in training_of(facts).places:
        attribute = getattr(call.func, "attr", "")
        if pattern is Pattern.KERAS and attribute in _FITS:
            yield _of_fit(facts, call, attribute)
        elif pattern is Pattern.GRADIENT_TAPE:
            first = tuple(v for each in _first(call) for v in giving(facts, each))
            yield Step(call, (*first, *_added_up(facts, first)))
    for call in estimator_trainings(facts):
        yield Step(call, tuple(_of_input(facts, call)))
    runs = {
        run.call: (run.fetches, _with_rows(facts, fed(facts, run)))
        for run in training_runs(facts).values()
    }
    is_fed = any(given is not None for _, given in runs.values())
    for call, (fetches, given) in runs.items():
        if given is not None:
            yield Step(call, (given,))
        elif not is_fed:  # else it applies what the others have added up
            yield Step(call, (fetches, *_losses(facts), *_inputs(facts)))


def _with_rows(facts: Facts, given: ast.expr | None) -> ast.expr | None:
    """What a session is fed, unless that are settings alone: `{training: True}` has no examples."""
    made = facts.origins(given).nodes if given is not None else ()
    pairs = [pair for n in made if isinstance(n, ast.Dict) for pair in zip(n.keys, n.values)]
    are_all = bool(pairs) and all(isinstance(node, ast.Dict) for node in made)
    is_setting = are_all and all(_is_setting(facts, key, value) for key, value in pairs)
    return None if is_setting else given


def _is_setting(facts: Facts, key: ast.expr | None, value: ast.expr) -> bool:
    """Whether it is one number for all examples: written out, or put where one is."""
    if key is None:
        return False
    made = facts.origins(key)
    whole = made.complete and bool(made.nodes)
    return isinstance(value, ast.Constant) or (whole and all(_is_one(facts, n) for n in made.nodes))


def _is_one(facts: Facts, place: ast.AST) -> bool:
    """`tf.placeholder(tf.float32, [])`, `tf.placeholder(tf.bool)`."""
    if not isinstance(place, ast.Call) or facts.name(place.func) not in PLACEHOLDERS:
        return False
    shape = facts.argument(place, "shape", 1)
    if shape is None:
        first = place.args[0] if place.args else None
        return first is not None and facts.name(first) in in_v1("bool")
    return isinstance(shape, (ast.List, ast.Tuple)) and not shape.elts


def _added_up(facts: Facts, pairs: tuple[ast.expr, ...]) -> Iterator[ast.expr]:
    """The gradients that variables hold which are applied: `sums[0].assign_add(gradient)`."""
    for node in facts.program.ingredients_of(list(pairs)):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in OF_GRADIENTS:
            yield node


def _losses(facts: Facts) -> Iterator[ast.expr]:
    """What a graph takes gradients of, whatever an operation waits for that a session runs."""
    for node in within(facts.module):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in _TAKING:
            yield from _first(node)


def _inputs(facts: Facts) -> Iterator[ast.expr]:
    """What iterators of data sets give a graph: a loss in a collection is not seen to be of it.

    Of one that begins with several data sets, one after another, those that steps are taken with.
    """
    from ..facts.data.pipelines import begins_training, is_initializer

    yield from facts.calls("get_next")
    calls = (node for node in within(facts.module) if isinstance(node, ast.Call))
    begun = [call for call in calls if is_initializer(facts, call)]
    trained = [call for call in begun if begins_training(facts, call)]
    for call in trained or begun:
        yield from (*call.args[:1], *(k.value for k in call.keywords if k.arg == "dataset"))


def _of_fit(facts: Facts, call: ast.Call, attribute: str) -> Step:
    from ..facts.training import fits

    if attribute == "train_on_batch":
        given = facts.argument(call, "x", 0)
        return Step(call, tuple(giving(facts, given)) if given is not None else ())
    examples = fits.examples(facts, call)
    data = tuple(value for each in examples for value in giving(facts, each))
    return Step(call, data, is_fit=True)


def _first(call: ast.Call) -> Iterator[ast.expr]:
    """The gradients of an application, the loss of `minimize`."""
    named = [k.value for k in call.keywords if k.arg in ("grads_and_vars", "loss", "grads")]
    for each in call.args[:1] or named:
        yield each.body if isinstance(each, ast.Lambda) else each


def _of_input(facts: Facts, call: ast.Call) -> Iterator[ast.expr]:
    from ..facts.training.estimator_training import given

    made = given(facts, call, "input_fn")
    if made is not None:
        yield from giving(facts, made)


def giving(facts: Facts, expr: ast.expr) -> Iterator[ast.expr]:
    """What gives the batches: of a function, or an object of the program, what these return."""
    program = facts.program
    functions = list(program.functions(expr).nodes)
    for cls in program.instances(expr).nodes:
        methods = [node for node in cls.body if isinstance(node, _FUNCTIONS)]  # type: ignore[attr-defined]
        functions += [m for m in methods if m.name in _GIVING]
    given = [value for function in functions for value in given_by(function)]
    yield from given or [expr]
