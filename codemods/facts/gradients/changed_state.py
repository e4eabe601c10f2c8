"""State that changes behind the first broadcast, and what every worker has alike all the same."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial

from ...judge.own import Level, Owners
from ...library.tensorflow_names import OF_TENSORS, SET_VALUE, VARIABLE
from ...program.node_fields import within
from ...program.parts import LOOPS, Function
from ...program.records import NamedTuple
from ..between_steps import Between, runs_between_steps
from ..facts import Facts, recorded
from ..holders import holders
from ..own_values import owners_if
from ..roles import Role
from ..training.optimizer_calls import is_applying
from ..value_parts import ingredients
from .applied_variables import applied_variables, is_path, read
from .tapes import wrapped_tapes
from .trained_models import TRAINED, VARIABLES
from .untrained_models import companions

# -- live values ---------------------------------------------------------------------------------
# Values that every worker has alike behind the first broadcast: made now, from what it broadcast.
#
# What was read off the variables before (`kept = net.get_weights()`) may be each worker's own.

GET_WEIGHTS = "get_weights"
_HANDED_ON = r"builtins\.(?:zip|enumerate|list|tuple|reversed|iter)$"
_COMPUTES = (ast.Call, ast.BinOp, ast.UnaryOp)


class State(NamedTuple):
    """What the steps of one flag train, and what they ask beside it."""

    held: frozenset[object]  # what holds the models and the optimizer
    made: frozenset[ast.AST]  # the syntax that they are made from: layers, variables
    variables: frozenset[ast.AST]  # of these, `tf.Variable(…)` that is given to the optimizer
    steps: tuple[ast.Call, ...]
    owners: Owners  # if all workers have the weights, and what these make


def _if_alike(facts: Facts, alike: frozenset[ast.AST]) -> Owners:
    """Whose own values are, if all workers have the weights and what these make."""
    reads = (n for n in within(facts.module) if _read_of(n) is not None)
    return owners_if(facts, alike.union(reads), _computes)


def _computes(name: str) -> bool:
    return OF_TENSORS.match(name) is not None


def is_live(facts: Facts, value: ast.expr, write: ast.AST, state: State) -> bool:
    """Whether all workers have this value there, as they have the state."""
    behind = list(_behind(facts, value, state))
    reads = (node for node in behind if _is_read(state, node))
    values: list[ast.AST | int] = [value, *(n for read in reads for n in facts.program.puts(read))]
    if any(state.owners.of(n).level > Level.SAME for n in values):
        return False
    return not any(_is_old(facts, node, write, state) for node in behind)


def _behind(facts: Facts, value: ast.AST, state: State) -> Iterator[ast.AST]:
    """What a value is made from, down to where weights are read, and what is put into those."""
    seen: set[ast.AST] = set()
    waiting: list[ast.AST | int] = [value]
    while waiting:
        found = {*facts.program.ingredients_of(waiting, partial(_is_read, state))} - seen
        seen |= found
        yield from found
        reads = (node for node in found if _is_read(state, node))
        waiting = [each for read in reads for each in facts.program.puts(read)]


def _is_read(state: State, node: ast.AST) -> bool:
    return node in state.variables or _read_of(node) is not None


def _read_of(node: ast.AST) -> ast.expr | None:
    """What `net.variables` and `net.get_weights()` read."""
    func = node.func if isinstance(node, ast.Call) else None
    if isinstance(func, ast.Attribute) and func.attr == GET_WEIGHTS:
        return func.value
    return node.value if isinstance(node, ast.Attribute) and node.attr in VARIABLES else None


def _is_old(facts: Facts, node: ast.AST, write: ast.AST, state: State) -> bool:
    """Whether weights are read there that aren't broadcast, or were copied before a step."""
    base = _read_of(node)
    if base is not None and not (is_path(base) and holders(facts, base) & state.held):
        return True
    if not isinstance(node, _COMPUTES) or node in state.variables or _hands_on(facts, node):
        return False
    reads = any(_is_read(state, part) for part in _behind(facts, node, state))
    return reads and not _is_now(facts, node, write, state.steps)


def _hands_on(facts: Facts, node: ast.AST) -> bool:
    """`zip(target.variables, net.variables)` holds the variables themselves."""
    return isinstance(node, ast.Call) and bool(re.match(_HANDED_ON, facts.name(node.func) or ""))


def _is_now(facts: Facts, node: ast.AST, write: ast.AST, steps: Iterable[ast.Call]) -> bool:
    """Whether no step can run between what computes a value and what writes it."""
    home = facts.function(write) or facts.module
    runs = [run for step in steps for scope, run in facts.lifted(step) if scope is home]
    places = [each for scope, each in facts.lifted(node) if scope is home]
    return bool(places) and not any(
        _comes_between(facts, place, run, write) for place in places for run in runs
    )


def _comes_between(facts: Facts, early: ast.AST, run: ast.AST, write: ast.AST) -> bool:
    at: Callable[[ast.AST], tuple[int, int]] = facts.place
    statement = facts.statement(early)
    if at(statement) > at(write) or at(early) < at(run) < at(write):
        return True
    outside = set(facts.parents(early))
    loops = [p for p in facts.parents(write) if isinstance(p, LOOPS) and p not in outside]
    return any(loop in facts.parents(run) for loop in loops)


# -- written state -------------------------------------------------------------------------------
# What writes into the state that a step trains: weights put back, files read, variables assigned.
#
# What every worker computes alike from weights that are the same (a moving mean, a copy for a
# target network, clipping, zeros) leaves them the same.

PUTS_BACK = ("load_weights", "restore", "restore_or_initialize", "set_weights")
ASSIGNING_FUNCTIONS = (  # of TensorFlow 1, too
    *("assign", "assign_add", "assign_sub", "batch_scatter_update"),
    *(f"scatter_{what}" for what in ("add", "div", "max", "min", "mul", "sub", "update")),
    *(f"scatter_nd_{what}" for what in ("add", "sub", "update")),
)
ASSIGNING_METHODS = (*ASSIGNING_FUNCTIONS, "scatter_nd_max", "scatter_nd_min")
SETTERS = (
    SET_VALUE,
    *(f"tensorflow.compat.v1.{name}" for name in ASSIGNING_FUNCTIONS),
)


class Writes(NamedTuple):
    """What writes into any state: weights that are put back, and what is assigned."""

    put_back: list[ast.Call]
    assigned: list[ast.Call]


def written(facts: Facts, writes: Writes, state: State) -> Iterator[ast.AST]:
    """What of the writes may leave each worker a state of its own."""
    for call in writes.put_back:
        if _is_of_state(facts, call, state) and not _sets_live(facts, call, state):
            yield call
    for call in writes.assigned:
        for target, value in _assigned(facts)[call]:
            if _may_be_state(facts, target, state) and not is_live(facts, value, call, state):
                yield _whole_loop(facts, call, state)


def writes_between(facts: Facts, steps: list[ast.Call]) -> Writes:
    """Those that may run between two of the steps, and a few more."""
    put_back, assigned = _places(facts)
    return Writes(put_back.of(steps), assigned.of(steps))


@recorded
def _places(facts: Facts) -> tuple[Between[ast.Call], Between[ast.Call]]:
    put_back, assigned = all_writes(facts)
    return Between(facts, put_back), Between(facts, assigned)


def all_writes(facts: Facts) -> Writes:
    """Those of the whole program."""
    return Writes(list(facts.calls(*PUTS_BACK)), list(_assigned(facts)))


@recorded
def _assigned(facts: Facts) -> dict[ast.Call, list[tuple[ast.expr, ast.expr]]]:
    """What each call of the program assigns to, and what."""
    found: dict[ast.Call, list[tuple[ast.expr, ast.expr]]] = {}
    for target, value, call in _assignments(facts):
        found.setdefault(call, []).append((target, value))
    return found


def _is_of_state(facts: Facts, call: ast.Call, state: State) -> bool:
    """Whether the receiver is no other model."""
    assert isinstance(call.func, ast.Attribute)
    receiver = call.func.value
    return facts.role(receiver) is not Role.MODEL or bool(holders(facts, receiver) & state.held)


def _sets_live(facts: Facts, call: ast.Call, state: State) -> bool:
    is_setting = isinstance(call.func, ast.Attribute) and call.func.attr == "set_weights"
    given = facts.argument(call, "weights", 0) if is_setting else None
    return given is not None and is_live(facts, given, call, state)


def _assignments(facts: Facts) -> Iterator[tuple[ast.expr, ast.expr, ast.Call]]:
    """What is assigned to, what, and the call."""
    for call in facts.calls(*ASSIGNING_METHODS):
        value = _value(call.args, call)
        if value is not None and facts.name(call.func) is None:
            yield call.func.value, value, call  # type: ignore[attr-defined]
    for call in facts.calls_of(*SETTERS):
        value = _value(call.args[1:], call)
        if value is not None and call.args:
            yield call.args[0], value, call
    for call, method in _by_another_name(facts):
        value = _value(call.args, call)
        if value is not None:
            yield method.value, value, call


def _value(args: list[ast.expr], call: ast.Call) -> ast.expr | None:
    """What is written: the first argument of `assign`; indices may come before updates."""
    given = [*args, *(keyword.value for keyword in call.keywords)]
    is_scattered = "scatter" in ast.unparse(call.func) and len(args) > 1
    return next(iter(given[1:] if is_scattered else given), None)


def _by_another_name(facts: Facts) -> Iterator[tuple[ast.Call, ast.Attribute]]:
    """`put = w.assign`, and `put(x)`."""
    uses = [use for name in ASSIGNING_METHODS for use in facts.index.loads.get(name, ())]
    bound = {u for u in uses if getattr(facts.parent(u), "func", None) is not u}
    for call in facts.index.calls if bound else ():
        made = facts.origins(call.func).nodes if isinstance(call.func, ast.Name) else ()
        yield from ((call, m) for m in made if isinstance(m, ast.Attribute) and m in bound)


def _may_be_state(facts: Facts, target: ast.expr, state: State) -> bool:
    """Whether it may be a variable of what the steps train; what can't be followed may be."""
    creations = facts.origins(target)
    if not creations.complete:
        return True
    return any(_is_part(facts, item.node, state) for item in creations.items)


def _is_part(facts: Facts, node: ast.AST, state: State) -> bool:
    """`net.variables`, `net.layers[0].kernel`, `opt.variables`, `head.bias`, a variable itself."""
    if node in state.variables:
        return True
    attributes: list[str] = []
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        role = facts.role(node) if attributes else None
        if role is not None:
            break
        attributes += [node.attr] if isinstance(node, ast.Attribute) else []
        node = node.func if isinstance(node, ast.Call) else node.value
    return bool(attributes) and _holds_state(facts, node, attributes, state)


def _holds_state(facts: Facts, base: ast.AST, attributes: list[str], state: State) -> bool:
    role, is_list = facts.role(base), bool(set(attributes) & set(VARIABLES))
    if role is Role.MODEL:
        return bool(holders(facts, base) & state.held)
    if role is not None:
        return is_list and bool(holders(facts, base) & state.held)
    made = facts.origins(base)
    return bool(set(made.nodes) & state.made) or (is_list and not made.complete)


def _whole_loop(facts: Facts, call: ast.Call, state: State) -> ast.AST:
    """The loop that assigns to one variable after the other."""
    runs = {run for step in state.steps for _, run in facts.lifted(step)}
    around = {parent for run in runs for parent in facts.parents(run)}
    node: ast.AST = call
    loop = facts.parent(facts.statement(call))
    while isinstance(loop, ast.For) and loop not in around:
        node, loop = loop, facts.parent(loop)
    return node


def sets_weights(statement: ast.stmt) -> ast.expr | None:
    """The model that has all its weights set by a statement, `model.set_weights(kept)`."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    func = call.func if isinstance(call, ast.Call) else None
    is_set = isinstance(func, ast.Attribute) and func.attr == "set_weights" and is_path(func.value)
    return func.value if is_set else None  # type: ignore[union-attr]


def assigns(statement: ast.stmt) -> bool:
    """Whether a statement, or a loop, gives variables new values and reads none from a file."""
    calls = [node for node in within(statement) if isinstance(node, ast.Call)]
    methods = {getattr(call.func, "attr", "") for call in calls}
    is_plain = isinstance(statement, (ast.Expr, ast.For))
    return is_plain and not methods.isdisjoint(ASSIGNING_METHODS) and methods.isdisjoint(PUTS_BACK)


# -- changed state -------------------------------------------------------------------------------
# State that changes behind the first broadcast: the next step has to broadcast it again.
#
# Another model or optimizer, weights that are put back, what a checkpoint held: what each worker
# has there then is its own.


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
    return State(held, frozenset(parts), variables, tuple(steps), _if_alike(facts, alike))


def _given(facts: Facts, step: ast.Call) -> Iterator[ast.expr]:
    """The variables that an optimizer is given."""
    if getattr(step.func, "attr", "") == "minimize" or is_applying(facts, step):
        yield from read(applied_variables(facts, step).variables)


def _is_variable(facts: Facts, node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and facts.name(node.func) == VARIABLE


def _bound(facts: Facts, state: list[ast.expr]) -> Iterator[ast.AST]:
    """Where the models and the optimizer get their names, or are made."""
    for expr in state:
        for holder in holders(facts, expr):
            if isinstance(holder, ast.AST):
                yield holder
            for target, binding in facts.attribute_stores.get(str(holder), ()):
                if facts.classes.instance_of(target.value) is not None and not _is_first(
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
    calls = [call for step in steps for _, call in facts.lifted(step)]
    runs = {node for call in calls for node in (call, *facts.parents(call))}
    between = [block[min(p, number) : max(p, number) + 1] for p in places]
    return bool(between) and runs.isdisjoint(between[0])
