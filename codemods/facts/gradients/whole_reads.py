"""Where the steps of a full batch read arrays: of all of them each step takes all rows."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.names import normal
from ..data.full_batch import code_of_steps, is_full_batch, rounds_of_training
from ..data.row_numbers import as_many, holds_rows, rows_of
from ..facts import Facts, recorded
from ..functions import returns
from ..roles import Role
from ..scopes import FunctionNode
from ..training.session_runs import Run, fed, training_runs

_OTHERS = ("tensorflow.keras.losses.", "tensorflow.keras.metrics.", "tensorflow.keras.layers.")
_TAKING = ("gradient", "jacobian")


@recorded
def whole_reads(facts: Facts) -> tuple[ast.expr, ...]:
    """The reads of arrays of equally many rows that were made before all steps; none: of others."""
    arrays = tuple(each for each in data_reads(facts) if holds_rows(facts, each))
    are_theirs = all(_is_of_steps(facts, each) for each in arrays)
    return arrays if are_theirs and as_many(facts, arrays) else ()


@recorded
def data_reads(facts: Facts) -> tuple[ast.expr, ...]:
    """All reads of what was made before all steps, and is no model, function or plain number."""
    found = dict.fromkeys(_reads(facts) if is_full_batch(facts) else ())
    return tuple(sorted(found, key=facts.place))


def feeds(facts: Facts, placeholder: ast.AST) -> list[ast.expr]:
    """What the runs that train feed a placeholder with."""
    pairs = (pair for run in training_runs(facts).values() for pair in _pairs(facts, run))
    return [value for key, value in pairs if placeholder in facts.origins(key).nodes]


def _pairs(facts: Facts, run: Run) -> Iterator[tuple[ast.expr, ast.expr]]:
    given = fed(facts, run)
    made = given if given is None or isinstance(given, ast.Dict) else facts.origins(given).only
    if isinstance(made, ast.Dict):
        yield from ((key, value) for key, value in zip(made.keys, made.values) if key is not None)


def _reads(facts: Facts) -> Iterator[ast.expr]:
    runs = training_runs(facts).values()
    made = [*taken(facts), *(v for run in runs for _, v in _pairs(facts, run))]
    functions = (f for each in made for f in facts.program.functions(each).nodes)
    returned = [value for function in functions for value in _given(function)]
    for node in facts.program.ingredients_of([*made, *returned]):
        if isinstance(node, ast.Name) and _is_data(facts, node) and _is_made_before(facts, node):
            yield node


def _is_data(facts: Facts, name: ast.Name) -> bool:
    """Whether it may be, or hold, examples: nothing that is called or trained, and no number."""
    is_known = facts.role(name) is not None or bool(facts.program.functions(name).nodes)
    made = facts.origins(name).nodes
    if is_known or rows_of(facts, name) == 0:
        return False
    names = (normal(facts.name(each.func) or "") for each in made if isinstance(each, ast.Call))
    return not any(name.endswith("Variable") or name.startswith(_OTHERS) for name in names)


def taken(facts: Facts) -> Iterator[ast.expr]:
    """What tapes take gradients of, and what `minimize` does."""
    for call in facts.calls(*_TAKING):
        is_tape = Role.TAPE in facts.roles(call.func.value)  # type: ignore[attr-defined]
        given = facts.argument(call, "target", 0) if is_tape else None
        yield from (given,) if given is not None else ()
    for call in facts.calls("minimize"):
        is_ours = Role.OPTIMIZER in facts.roles(call.func.value)  # type: ignore[attr-defined]
        given = facts.argument(call, "loss", 0) if is_ours else None
        yield from (given,) if given is not None else ()


def _given(function: ast.AST) -> list[ast.expr]:
    """What a function gives."""
    if isinstance(function, ast.Lambda):
        return [function.body]
    given = returns(function) if isinstance(function, FunctionNode) else []
    return [each.value for each in given if each.value is not None]


def _is_made_before(facts: Facts, name: ast.Name) -> bool:
    """Whether it is bound before all steps, where the loops stand, and read in one of them."""
    bindings, loops = facts.names.bindings(name), rounds_of_training(facts)
    made = [each.node for each in bindings if each.kind == "assign"]
    is_before = all(set(loops).isdisjoint(facts.parents(each)) for each in made)
    is_plain = len(made) == len(bindings) > 0 and is_before
    homes = {facts.function(each) for each in (*made, *loops)}
    return is_plain and len(homes) == 1 and name in code_of_steps(facts)


def _is_of_steps(facts: Facts, name: ast.expr) -> bool:
    """Whether nothing else reads it there: a function may be called outside of steps, too."""
    loops = rounds_of_training(facts)
    around, home = facts.function(name), facts.function(loops[0])
    loads = facts.index.loads.get(getattr(around, "name", ""), ())
    are_inside = all(not set(loops).isdisjoint(facts.parents(load)) for load in loads)
    return around is home or (home is None and bool(loads) and are_inside)
