"""State that changes behind the first broadcast: the next step has to broadcast it again.

Another model or optimizer, weights that are put back, what a checkpoint held: what each worker has
there then is its own. Weights that are read on the spot, behind a step, are the same everywhere.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ..facts import Facts
from ..holders import holders
from ..precedence import lifted, may_precede
from ..roles import Role
from .companions import TRAINED

PUTS_BACK = ("load_weights", "restore", "restore_or_initialize", "set_weights")
VARIABLES = (*TRAINED, "variables", "weights", "non_trainable_variables")


def changes(facts: Facts, steps: list[ast.Call], made: Iterable[ast.AST] = ()) -> list[ast.AST]:
    """What changes the state between two runs of steps that share one flag.

    `made`: the statements that make the flag, after which there is a first time anyway.
    """
    state = [expr for step in steps for expr in _state(facts, step)]
    found = dict.fromkeys([*_bound(facts, state), *_put_back(facts, state)])
    return [
        node
        for node in found
        if any(may_precede(facts, step, node) for step in steps)
        and any(may_precede(facts, node, step) for step in steps)
        and not any(_is_fresh(facts, flag, node, steps) for flag in made)
    ]


def _state(facts: Facts, step: ast.Call) -> Iterator[ast.expr]:
    """What a step trains: its optimizer, and the models whose variables its function asks for."""
    assert isinstance(step.func, ast.Attribute)
    yield step.func.value
    home = facts.function(step)
    for attribute in TRAINED:
        for use in facts.index.loads.get(attribute, ()):
            if isinstance(use, ast.Attribute) and facts.function(use) is home:
                yield use.value


def _bound(facts: Facts, state: list[ast.expr]) -> Iterator[ast.AST]:
    """Where the models and the optimizer get their names, or are made."""
    for expr in state:
        for holder in holders(facts, expr):
            if isinstance(holder, ast.AST):
                yield holder
            for target, binding in facts.index.attribute_stores.get(str(holder), ()):
                if facts.values.instance_of(target.value) is not None and not _is_first(
                    facts, target
                ):
                    yield binding.node


def _is_first(facts: Facts, target: ast.expr) -> bool:
    """Whether an object is made there, once: what trains it comes later."""
    function = facts.function(target)
    return function is not None and function.name == "__init__" and _is_made_once(facts, function)


def _is_made_once(facts: Facts, function: ast.AST) -> bool:
    return len(facts.call_sites(function)) < 2 and not any(
        facts.in_loop(call) for call in facts.call_sites(function)
    )


def _put_back(facts: Facts, state: list[ast.expr]) -> Iterator[ast.AST]:
    """Weights that are set to what they were, and what is read from files."""
    held = {holder for expr in state for holder in holders(facts, expr)}
    for call in facts.calls(*PUTS_BACK):
        receiver = call.func.value  # type: ignore[attr-defined]
        is_other = facts.role(receiver) is Role.MODEL and not holders(facts, receiver) & held
        if not is_other and not any(_is_read_here(facts, given) for given in call.args):
            yield call
    for call in facts.calls("assign"):
        loop = _copying_loop(facts, call)
        if loop is not None:
            yield loop


def _is_read_here(facts: Facts, given: ast.expr) -> bool:
    """`target.set_weights(net.get_weights())`: what is read now."""
    return (
        isinstance(given, ast.Call)
        and isinstance(given.func, ast.Attribute)
        and given.func.attr == "get_weights"
        and isinstance(given.func.value, (ast.Name, ast.Attribute))
    )


def _copying_loop(facts: Facts, call: ast.Call) -> ast.For | None:
    """`for v, w in zip(net.variables, saved): v.assign(w)`, where `saved` was kept."""
    loop = facts.parent(facts.statement(call))
    if not isinstance(loop, ast.For) or not isinstance(loop.iter, ast.Call):
        return None
    if facts.name(loop.iter.func) != "builtins.zip" or not call.args:
        return None
    assert isinstance(call.func, ast.Attribute)
    names = [ast.unparse(call.func.value), ast.unparse(call.args[0])]
    if names != [ast.unparse(each) for each in getattr(loop.target, "elts", ())]:
        return None
    variables, values = loop.iter.args[0], loop.iter.args[-1]
    are_live = isinstance(values, ast.Attribute) and values.attr in VARIABLES
    is_weights = isinstance(variables, ast.Attribute) and variables.attr in VARIABLES
    return loop if is_weights and not are_live else None


def _is_fresh(facts: Facts, flag: ast.AST, node: ast.AST, steps: list[ast.Call]) -> bool:
    """Whether the flag was made just before, in the same block, and no step ran in between."""
    if flag is node:
        return True
    if not isinstance(flag, ast.stmt) or facts.function(flag) is not facts.function(node):
        return False
    block, number = facts.block(flag)
    around = {node, *facts.parents(node)}
    calls = [call for step in steps for _, call in lifted(facts, step)]
    runs = {node for call in calls for node in (call, *facts.parents(call))}
    for statement in block[number:]:
        if statement in around:
            return statement not in runs
        if statement in runs:
            return False
    return False
