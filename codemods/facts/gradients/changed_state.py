"""State that changes behind the first broadcast: the next step has to broadcast it again.

Another model or optimizer, weights that are put back, what a checkpoint held: what each worker has
there then is its own.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator

from ..between_steps import Between, runs_between_steps
from ..facts import Facts, recorded
from ..holders import holders
from ..ingredients import ingredients
from ..precedence import lifted
from ..roles import Role
from ..scopes import Function
from ..training.optimizer_calls import is_applying
from .applied import applied_variables
from .companions import TRAINED, companions
from .live_values import State, live_domain
from .tapes import wrapped_tapes
from .variables import read
from .written_state import writes_between, written


def changes(
    facts: Facts,
    steps: list[ast.Call],
    made: Iterable[ast.AST] = (),
    by_object: bool = False,
    apart: Collection[str] = (),
) -> list[ast.AST]:
    """What changes the state between two runs of steps that share one flag.

    `made`: the statements that make the flag, after which there is a first time anyway.
    `by_object`: other objects have flags of their own, and only what is in one of them counts.
    `apart`: models of the same function that have such flags.
    """
    found: dict[ast.AST, None] = {}
    for step in () if by_object else steps:
        found.update(dict.fromkeys(_bound_between(facts, step, steps, apart)))
    writes = writes_between(facts, steps)
    if any(writes):  # many loops need not follow what each of them trains for nothing
        found.update(dict.fromkeys(written(facts, writes, _whole(facts, steps))))
    return [
        node
        for node in found
        if runs_between_steps(facts, node, steps)
        and not any(_is_fresh(facts, flag, node, steps) for flag in made)
    ]


def _bound_between(
    facts: Facts, step: ast.Call, steps: list[ast.Call], apart: Collection[str]
) -> Iterator[ast.AST]:
    """Where what a step trains gets its name: its optimizer, and the models of its function."""
    assert isinstance(step.func, ast.Attribute)
    yield from _bound(facts, [step.func.value])
    home = facts.function(step)
    bound = _bound_of(facts).get(home)
    if bound and apart:
        models = [m for m in _asked_in(facts)[home] if ast.unparse(m) not in apart]
        bound = Between(facts, _bound(facts, models))
    yield from bound.of(steps) if bound else ()


@recorded
def _bound_of(facts: Facts) -> dict[Function | None, Between[ast.AST]]:
    """The same for the models whose variables a function, or the module, asks for."""
    return {home: Between(facts, _bound(facts, m)) for home, m in _asked_in(facts).items()}


@recorded
def _asked_in(facts: Facts) -> dict[Function | None, list[ast.expr]]:
    """The models whose variables are asked for, by the function that does so."""
    found: dict[Function | None, list[ast.expr]] = {}
    for attribute in TRAINED:
        for use in facts.index.loads.get(attribute, ()):
            if isinstance(use, ast.Attribute):
                found.setdefault(facts.function(use), []).append(use.value)
    return found


def _state(facts: Facts, step: ast.Call) -> Iterator[ast.expr]:
    """What a step trains: its optimizer, and the models whose variables its function asks for."""
    assert isinstance(step.func, ast.Attribute)
    yield step.func.value
    yield from _asked_in(facts).get(facts.function(step), ())


def _whole(facts: Facts, steps: list[ast.Call]) -> State:
    """What steps train, with the models that they ask, and with what all of them are made from."""
    state = [expr for step in steps for expr in _state(facts, step)]
    given = [expr for step in steps for expr in _given(facts, step)]
    asked = [model.use for step in steps for model in companions(facts, step)]
    parts = list(dict.fromkeys(n for e in (*state, *asked) for n in ingredients(facts, e)))
    models = [n for n in parts if isinstance(n, ast.Name) and facts.role(n) is Role.MODEL]
    held = frozenset(h for expr in (*state, *asked, *models) for h in holders(facts, expr))
    variables = frozenset(n for e in given for n in ingredients(facts, e) if _is_variable(facts, n))
    alike = variables.union(wrapped_tapes(facts).training)  # gradients that are averaged
    return State(held, frozenset(parts), variables, tuple(steps), live_domain(alike))


def _given(facts: Facts, step: ast.Call) -> Iterator[ast.expr]:
    """The variables that an optimizer is given."""
    if getattr(step.func, "attr", "") == "minimize" or is_applying(facts, step):
        yield from read(applied_variables(facts, step).variables)


def _is_variable(facts: Facts, node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and facts.name(node.func) == "tensorflow.Variable"


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


def _is_fresh(facts: Facts, flag: ast.AST, node: ast.AST, steps: list[ast.Call]) -> bool:
    """Whether the flag is made just before or behind, in the same block, and no step in between."""
    if flag is node:
        return True
    if not isinstance(flag, ast.stmt) or facts.function(flag) is not facts.function(node):
        return False
    block, number = facts.block(flag)
    around = {node, *facts.parents(node)}
    places = [place for place, statement in enumerate(block) if statement in around]
    calls = [call for step in steps for _, call in lifted(facts, step)]
    runs = {node for call in calls for node in (call, *facts.parents(call))}
    between = [block[min(p, number) : max(p, number) + 1] for p in places]
    return bool(between) and runs.isdisjoint(between[0])
