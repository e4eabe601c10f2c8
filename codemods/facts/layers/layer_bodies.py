"""Whether a layer may be run twice in a step: by its class, or by what its own `call` does.

Running it again must give the same tensor and change nothing, and its gradient must flow through
its argument and its weights only. What is not known to be so is a problem.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...library.layers import ACCEPTED, COMMON, RANDOM, REPAIRED, STATEFUL, is_activation, layer
from .layer_calls import Body, Problem
from .layer_lists import made_once

if TYPE_CHECKING:
    from ..facts import Facts
    from ..scopes import Function

BASES = {
    "tensorflow.keras.layers.Layer": "call",
    "tensorflow.keras.Model": "call",
    "tensorflow.Module": "__call__",
}
DROPOUTS = ("dropout", "recurrent_dropout")
ACTIVATIONS = ("activation", "recurrent_activation")
SEQUENTIAL = "tensorflow.keras.Sequential"


def without_training(problem: Problem) -> Problem:
    """The problem where nobody tells a layer whether it trains: it can't be repaired there."""
    return problem._replace(repair="") if needs_training(problem) else problem


def needs_training(problem: Problem) -> bool:
    """Whether it is repaired as a layer, which does something else where nothing trains."""
    return problem.repair in REPAIRED


def problems(facts: Facts, made: ast.expr, around: tuple[ast.AST, ...] = ()) -> Iterator[Problem]:
    """What keeps a layer, made by this expression, from being run twice."""
    call = made if isinstance(made, ast.Call) else made_once(facts, made)
    if not isinstance(call, ast.Call) or call in around:
        yield Problem("C05", made, ast.unparse(made))
        return
    name = facts.name(call.func) or ""
    known = layer(name)
    if name == SEQUENTIAL:
        yield from _of_sequence(facts, call, (*around, call))
    elif known is not None:
        yield from _of_layer(facts, call, known)
    else:
        yield from _of_class(facts, call, (*around, call))


def _of_sequence(facts: Facts, call: ast.Call, around: tuple[ast.AST, ...]) -> Iterator[Problem]:
    """`Sequential([…])`, with its layers in sight."""
    given = call.args[0] if len(call.args) == 1 and not call.keywords else None
    listed = None if given is None else _listed(given)
    if listed is None:
        yield Problem("C05", call, ast.unparse(call.func))
        return
    for element in listed:
        yield from problems(facts, element, around)


def _listed(given: ast.expr) -> list[ast.expr] | None:
    """What makes the elements of a list that is written out, or of a comprehension."""
    if isinstance(given, ast.ListComp):
        return [given.elt]
    if not isinstance(given, (ast.List, ast.Tuple)):
        return None
    parts = [_listed(e.value) if isinstance(e, ast.Starred) else [e] for e in given.elts]
    return None if None in parts else [each for part in parts for each in part or ()]


def _of_layer(facts: Facts, call: ast.Call, name: str) -> Iterator[Problem]:
    if name in RANDOM:
        yield Problem("C01", call, name, _repair(facts, call, name))
    elif name in STATEFUL:
        yield Problem("C02", call, name, _repair(facts, call, name))
    elif name not in ACCEPTED:
        yield Problem("C05", call, name)
    else:
        yield from _of_arguments(facts, call, ACCEPTED[name].split())


def _repair(facts: Facts, call: ast.Call, name: str) -> str:
    """The class, if there is a form of it that is the same in every run of a step."""
    if name not in REPAIRED or "set_learning_phase" in facts.source.text:
        return ""
    wrong = any(True for _ in _of_arguments(facts, call, REPAIRED[name].split()))
    return "" if wrong else name


def _of_arguments(facts: Facts, call: ast.Call, parameters: list[str]) -> Iterator[Problem]:
    if facts.has_hidden_arguments(call) or len(call.args) > len(parameters):
        yield Problem("C05", call, "arguments that can't be seen")
        return
    named = {keyword.arg or "": keyword.value for keyword in call.keywords}
    for name, value in {**dict(zip(parameters, call.args)), **named}.items():
        if isinstance(value, ast.Constant) and value.value is None:
            continue
        if name == "dtype":
            yield Problem("C08", value, "a layer with a precision of its own")
        elif name == "activity_regularizer":
            yield Problem("C02", value, name)
        elif name in DROPOUTS and not _is_zero(value):
            yield Problem("C01", value, name)
        elif name in ACTIVATIONS and not _is_known_activation(facts, value):
            yield Problem("C05", value, ast.unparse(value))
        elif name not in parameters and name not in COMMON:
            yield Problem("C05", value, name)


def _is_zero(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value in (0, 0.0)


def _is_known_activation(facts: Facts, value: ast.expr) -> bool:
    if isinstance(value, ast.Constant):
        return is_activation(f"tensorflow.nn.{value.value!s}")
    return is_activation(facts.name(value) or "")


# -- classes of the file ----------------------------------------------------------------------


def _of_class(facts: Facts, call: ast.Call, around: tuple[ast.AST, ...]) -> Iterator[Problem]:
    cls = facts.classes.local(call.func)
    method = None if cls is None else _method(facts, cls)
    if cls is None or method is None:
        yield Problem("C05", call, ast.unparse(call.func))
        return

    def of_layer(held: ast.expr) -> Iterator[Problem]:
        return problems(facts, held, around)

    is_told = method.name == "call" and "training" in {a.arg for a in method.args.args}
    for problem in Body(facts, method, of_layer).problems():
        yield problem if is_told else without_training(problem)


def _method(facts: Facts, cls: ast.ClassDef) -> Function | None:
    """The method that runs when an instance is called, of a class that derives from a layer."""
    bases = facts.classes.library_bases(cls)
    runs = {BASES.get(base) for base in bases}
    if len(runs) != 1 or None in runs or facts.classes.has_unknown_base(cls):
        return None
    name = runs.pop() or ""
    other = {"call", "__call__"} - {name}
    if cls.decorator_list or any(facts.classes.method(cls, each) for each in other):
        return None
    found = facts.classes.method(cls, name)
    return None if found is None or found.decorator_list else found


def is_of_keras(facts: Facts, held: ast.expr) -> bool:
    """Whether an expression may be layers of Keras alone, which may be told if they train."""
    found = facts.origins(held)
    return not found.unknown and all(_is_of_keras(facts, made) for made in found.nodes)


def _is_of_keras(facts: Facts, made: ast.AST) -> bool:
    if not isinstance(made, ast.Call):
        return False
    name, cls = facts.name(made.func) or "", facts.classes.local(made.func)
    own = () if cls is None else facts.classes.library_bases(cls)
    return name == SEQUENTIAL or layer(name) is not None or any(BASES.get(b) == "call" for b in own)
