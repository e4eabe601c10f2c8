"""Whether no optimizer serves both `fit` and a tape: what both train is migrated then.

So they are where a run does the one or the other.

Horovod averages for `fit` in the optimizer, and for a tape in the tape. An optimizer that serves
both would average twice or not at all. A model may be trained by both, by the one behind the other:
each leaves it in step, and what the other broadcasts at its beginning is the same on all workers.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ...program.node_fields import is_placeholder, within
from ..roles import Role
from .alternatives import are_alternatives

if TYPE_CHECKING:
    from ..facts import Facts
    from .lattice import Pattern

KERAS, TAPE = "Keras", "GradientTape"
VARIABLE = "tensorflow.Variable"


def are_apart(facts: Facts, places: Iterable[tuple[ast.Call, Pattern]]) -> bool:
    """Whether all models and optimizers are known, and no optimizer serves both kinds in a run."""
    calls: dict[str, list[ast.Call]] = {}
    for call, pattern in places:
        calls.setdefault(pattern.value, []).append(call)
    if set(calls) != {KERAS, TAPE}:
        return False
    fits, steps = calls[KERAS], calls[TAPE]
    fitted = [call.func.value for call in fits if isinstance(call.func, ast.Attribute)]
    applied = [call.func.value for call in steps if isinstance(call.func, ast.Attribute)]
    if len(fitted) < len(fits) or len(applied) < len(steps):
        return False
    if not all(facts.origins(expr).complete for expr in (*fitted, *applied)):
        return False
    own = list(steps_parts(facts, steps))
    if not all(any(is_trained(facts, node) for node in parts) for parts in own):
        return False
    theirs = calls_of({*_parts(facts, fitted), *_parts(facts, compiled(facts))})
    if all(_applies_own(facts, call) for call in steps):
        applying = {node for expr in applied for node in facts.origins(expr).nodes}
        return are_alternatives(facts, fits, steps) or theirs.isdisjoint(applying)
    return theirs.isdisjoint(calls_of(node for parts in own for node in parts))


def _applies_own(facts: Facts, step: ast.Call) -> bool:
    """Whether it applies gradients by an optimizer made in sight: `model.optimizer` is wrapped."""
    assert isinstance(step.func, ast.Attribute)
    made = [n for n in facts.origins(step.func.value).nodes if not is_placeholder(n)]
    known = (isinstance(node, ast.Call) and facts.made_by(node) is Role.OPTIMIZER for node in made)
    return step.func.attr == "apply_gradients" and bool(made) and all(known)


def steps_parts(facts: Facts, steps: Iterable[ast.Call]) -> Iterator[set[ast.AST]]:
    """What flows into each step: its optimizer, and the pairs of gradients and variables."""
    for call in steps:
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        yield _parts(facts, [call.func, *given])


def compiled(facts: Facts) -> Iterator[ast.expr]:
    """What `compile` is called of, and what it is given."""
    for call in facts.calls("compile"):
        yield call.func
        yield from call.args
        yield from (keyword.value for keyword in call.keywords)


def calls_of(nodes: Iterable[ast.AST]) -> set[ast.AST]:
    """What is made, of whatever kind: layers as well."""
    return {node for node in nodes if isinstance(node, ast.Call)}


def is_trained(facts: Facts, node: ast.AST) -> bool:
    """Whether it makes a model, or a variable."""
    if not isinstance(node, ast.Call):
        return False
    return facts.made_by(node) is Role.MODEL or facts.name(node.func) == VARIABLE


def _parts(facts: Facts, exprs: Iterable[ast.expr]) -> set[ast.AST]:
    """What flows into them, and into the bodies of the classes of which something is made there."""
    found: set[ast.AST] = set()
    classes: set[ast.AST] = set()
    waiting = list(exprs)
    while waiting:
        new = set(facts.program.ingredients(waiting.pop())) - found
        found |= new
        for cls in {cls for node in new for cls in _classes_of(facts, node)} - classes:
            classes.add(cls)
            inside = set(within(cls))
            names = (node for node in inside if isinstance(node, ast.Name))
            waiting += [name for name in names if not _is_bound_in(facts, name, inside)]
    return found - {inner for cls in classes for inner in within(cls)}


def _classes_of(facts: Facts, node: ast.AST) -> tuple[ast.AST, ...]:
    return facts.program.classes(node.func).nodes if isinstance(node, ast.Call) else ()


def _is_bound_in(facts: Facts, name: ast.Name, inside: set[ast.AST]) -> bool:
    """Whether a name in a class is that of a parameter, or of a variable, of a method."""
    bindings = facts.names.bindings(name)
    return not isinstance(name.ctx, ast.Load) or any(b.node in inside for b in bindings)
