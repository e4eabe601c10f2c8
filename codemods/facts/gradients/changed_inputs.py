"""Variables that gradients change, a model sees, and no training reads: pictures of dreams.

https://www.tensorflow.org/tutorials/generative/deepdream. Each worker may have its own: they are
made of what it has then, and no further examples come to them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ...program.node_fields import within
from ..facts import Facts, recorded
from ..roles import Role

LOOPS = (ast.For, ast.AsyncFor, ast.While)
_VARIABLE = "tensorflow.Variable"
# What trains or sets weights, by whatever it is called on and with.
_TRAINS = (
    *("fit", "fit_generator", "train_on_batch", "apply_gradients", "minimize", "compile"),
    *("set_weights", "load_weights", "assign", "assign_add", "assign_sub", "set_value"),
)


def changes_input(facts: Facts, change: ast.Call) -> bool:
    """Whether a change is one of such a variable: `image.assign_add(rate * gradient)`."""
    if not isinstance(change.func, ast.Attribute):
        return False
    found = facts.origins(change.func.value)
    made = [node for node in found.nodes if isinstance(node, ast.Call)]
    is_known = found.complete and len(made) == len(found.items) > 0
    is_input = is_known and _inputs(facts).issuperset(made)
    around = (each for each in facts.parents(change) if isinstance(each, LOOPS))
    return is_input and not any(_brings_examples(facts, loop, made) for loop in around)


def _brings_examples(facts: Facts, loop: ast.AST, made: Sequence[ast.AST]) -> bool:
    """Whether a loop behind the making of the variable goes over more than numbers."""
    if all(loop in facts.parents(each) for each in made):
        return False  # each round has a variable of its own
    if any(facts.name(n.func) == "builtins.next" for n in within(loop) if isinstance(n, ast.Call)):
        return True
    over = getattr(loop, "iter", None)
    is_range = isinstance(over, ast.Call) and facts.name(over.func) == "builtins.range"
    return over is not None and not is_range


@recorded
def _inputs(facts: Facts) -> frozenset[ast.Call]:
    """The calls that make such variables: they have names in one block, and nowhere else."""
    made = [call for call in facts.calls_of(_VARIABLE) if _is_local(facts, call)]
    seen = [call for call in made if _is_seen_by_model(facts, call)]
    return frozenset(call for call in seen if not _reaches_training(facts, call))


def _is_seen_by_model(facts: Facts, made: ast.Call) -> bool:
    has = facts.program.sought(lambda node: node is made)
    calls = (call for call in facts.index.calls if facts.role(call.func) is Role.MODEL)
    return any(has(value) for call in calls for value in call.args)


def _is_local(facts: Facts, made: ast.Call) -> bool:
    statement = facts.parent(made)
    if not isinstance(statement, ast.Assign) or facts.cls(statement) is not None:
        return False
    names = [each for each in statement.targets if isinstance(each, ast.Name)]
    home = facts.function(statement)
    loads = (use for each in names for use in facts.index.loads.get(each.id, ()))
    return len(names) == len(statement.targets) and all(facts.function(u) is home for u in loads)


def _reaches_training(facts: Facts, made: ast.Call) -> bool:
    has = facts.program.sought(lambda node: node is made)
    return any(has(value) for call in facts.calls(*_TRAINS) for value in _read(facts, call, made))


def _read(facts: Facts, call: ast.Call, made: ast.Call) -> Iterator[ast.expr]:
    """What a training reads; what changes the variable itself reads nothing of others' weights."""
    func = call.func
    assert isinstance(func, ast.Attribute)
    if made in facts.origins(func.value).nodes:
        return
    yield func.value
    yield from call.args
    yield from (keyword.value for keyword in call.keywords)
