"""What writes into the state that a step trains: weights put back, files read, variables assigned.

What every worker computes alike from weights that are the same (a moving mean, a copy for a target
network, clipping, zeros) leaves them the same.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...program.node_fields import within
from ...program.records import NamedTuple
from ..between_steps import Between
from ..facts import Facts, recorded
from ..holders import holders
from ..precedence import lifted
from ..roles import Role
from .live_values import VARIABLES, State, is_live
from .paths import is_path

PUTS_BACK = ("load_weights", "restore", "restore_or_initialize", "set_weights")
FUNCTIONS = (  # of TensorFlow 1, too
    *("assign", "assign_add", "assign_sub", "batch_scatter_update"),
    *(f"scatter_{what}" for what in ("add", "div", "max", "min", "mul", "sub", "update")),
    *(f"scatter_nd_{what}" for what in ("add", "sub", "update")),
)
ASSIGNS = (*FUNCTIONS, "scatter_nd_max", "scatter_nd_min")
SETTERS = (
    "tensorflow.keras.backend.set_value",
    *(f"tensorflow.compat.v1.{name}" for name in FUNCTIONS),
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
    for call in facts.calls(*ASSIGNS):
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
    uses = [use for name in ASSIGNS for use in facts.index.loads.get(name, ())]
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
    runs = {run for step in state.steps for _, run in lifted(facts, step)}
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
    return is_plain and not methods.isdisjoint(ASSIGNS) and methods.isdisjoint(PUTS_BACK)
