"""What runs once a step: rounds of loops, functions that these call, and what libraries call."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Union

from ...library.callbacks import LAMBDA
from ...library.hooks import OF_BATCHES, OF_RUNS, OF_STEPS
from ...library.tensorflow_names import LAYER
from ...program.parts import FunctionNode
from ..facts import Facts, recorded
from ..roles import Role
from ..training.pattern import Pattern, training_of
from ..training.session_runs import is_own_hook, training_runs
from ..training.training_loops import loop_around, whole_round

_LAMBDA, _LAYER = (name.rpartition(".")[2] for name in (LAMBDA, LAYER))
_DEEP = 3  # calls around a step, as far as loops are looked for
_BY_THEMSELVES = (Pattern.KERAS, Pattern.ESTIMATOR)
Place = tuple["ast.AST | None", "ast.AST | None"]  # a function, and the loop in it
Hook = Union[ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda]


@recorded
def stepping(facts: Facts) -> frozenset[Place]:
    """The functions and loops of which each call, or round, takes a step."""
    calls = [call for call, pattern in training_of(facts).places if _is_step(call, pattern)]
    return frozenset(
        place for call in (*calls, *training_runs(facts)) for place in _around(facts, call, _DEEP)
    )


def stepping_loops(facts: Facts) -> list[ast.AST]:
    """The loops of which each round takes a step, in the order of the text."""
    loops = {loop for _, loop in stepping(facts) if loop is not None}
    return sorted(loops, key=facts.place)


def _is_step(call: ast.Call, pattern: Pattern) -> bool:
    method = getattr(call.func, "attr", "")
    if pattern is Pattern.SESSION:  # what makes a session, or an operation, stands before all steps
        return method == "run"
    return pattern not in _BY_THEMSELVES or method == "train_on_batch"


def _around(facts: Facts, node: ast.AST, deep: int) -> Iterator[Place]:
    home, loop = facts.function(node), loop_around(facts, node)
    yield home, loop
    if loop is not None:
        yield home, whole_round(facts, node)
    elif home is not None and deep:
        for call in facts.call_sites(home):
            yield from _around(facts, call, deep - 1)


def is_stepping(facts: Facts, node: ast.AST) -> bool:
    """Whether a node runs once a step, and what it changes is there in the next."""
    if is_in_round(facts, node):
        return True
    return _is_called(facts, node, _DEEP) and _stays(facts, node)


def is_in_round(facts: Facts, node: ast.AST) -> bool:
    """Whether it stands in such a function or loop itself: what stands in none is run once."""
    place = (facts.function(node), loop_around(facts, node))
    return place != (None, None) and place in stepping(facts)


def _stays(facts: Facts, node: ast.AST) -> bool:
    """Not a name of the function alone, which begins anew with each call."""
    target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
    if not isinstance(target, ast.Name):
        return True
    scope = facts.scope(target)
    return scope.find(target.id) is not scope


def _is_called(facts: Facts, node: ast.AST, deep: int) -> bool:
    """Whether a round of a loop that trains comes to it, however many calls away, or a library."""
    home, loop = facts.function(node), loop_around(facts, node)
    if loop is not None:
        return (home, loop) in stepping(facts)
    if home is None:
        return False
    if home in hooks(facts) or any(hook in hooks(facts) for hook in facts.parents(node)):
        return True
    return deep > 0 and any(_is_called(facts, call, deep - 1) for call in facts.call_sites(home))


@recorded
def hooks(facts: Facts) -> frozenset[Hook]:
    """What libraries call in each step: methods of callbacks and models, hooks, functions."""
    return frozenset((*_methods(facts), *told_batches(facts)))


def _methods(facts: Facts) -> Iterator[Hook]:
    for cls in facts.index.nodes(ast.ClassDef):
        names: tuple[str, ...] = OF_RUNS if is_own_hook(facts, cls) else ()
        role = facts.role_of_class(cls)
        names = {Role.CALLBACK: OF_BATCHES, Role.MODEL: OF_STEPS}.get(role, names)  # type: ignore[arg-type]
        if any(base.rpartition(".")[2] == _LAYER for base in facts.classes.library_bases(cls)):
            names = OF_STEPS
        yield from (each for each in cls.body if getattr(each, "name", "") in names)  # type: ignore[misc]


def told_batches(facts: Facts) -> Iterator[Hook]:
    """The functions that a callback of Keras calls for each batch, which it tells its number."""
    for call in facts.index.nodes(ast.Call):
        if (facts.name(call.func) or "").rpartition(".")[2] == _LAMBDA:
            given = [k.value for k in call.keywords if k.arg in OF_BATCHES]
            yield from (hook for value in given for hook in _functions(facts, value))


def _functions(facts: Facts, value: ast.expr) -> Iterator[Hook]:
    found = [value, *facts.origins(value).nodes, *facts.program.functions(value).nodes]
    yield from (n for n in found if isinstance(n, (*FunctionNode, ast.Lambda)))
