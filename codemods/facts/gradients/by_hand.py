"""Where gradients of a tape change variables and no optimizer takes them, or may do so."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.effects import leaves_alone
from ...library.names import in_v1
from ...program.records import NamedTuple
from ..facts import Facts
from ..flow import GRADIENT, flow_to
from ..roles import Role
from ..taken_methods import taken_methods
from ..training.optimizer_calls import Sources, sources_of
from .tapes import wrapped_tapes
from .written_state import ASSIGNS
from .written_state import FUNCTIONS as ASSIGNING

METHODS = (*ASSIGNS, "load", "set_weights")
_BACKEND = ("batch_set_value", "moving_average_update", "set_value", "update")
FUNCTIONS = (
    *in_v1(*ASSIGNING),
    *(f"tensorflow.keras.backend.{n}" for n in (*_BACKEND, "update_add", "update_sub")),
)
_VARIABLE = "tensorflow.Variable"


class Change(NamedTuple):
    """A call that changes variables by gradients; or a gradient that goes out of sight."""

    place: ast.Call
    is_seen: bool


def changes(facts: Facts) -> Iterator[Change]:
    """Calls that change a variable by gradients that no optimizer gets, or may do so."""
    if not any(True for _ in facts.creations(Role.TAPE)):
        return
    applied = {*wrapped_tapes(facts).training, *_given_to_unknown(facts)}
    seen: set[ast.Call] = set()
    for call in (*facts.calls(*METHODS), *facts.calls_of(*FUNCTIONS), *_made_anew(facts)):
        found = {g for value in call.args for g in gradients(facts, value)} - applied
        seen |= found
        if found:
            yield Change(call, True)
    for call in facts.calls(*GRADIENT):
        if call not in applied | seen and _may_change(facts, call):
            yield Change(call, False)


def gradients(facts: Facts, value: ast.expr) -> Iterator[ast.Call]:
    """The calls of a tape that a value is computed from."""
    return (call for call in flow_to(facts, value).gradients if _is_of_tape(facts, call))


def _given_to_unknown(facts: Facts) -> Iterator[ast.Call]:
    """The gradients that an imported optimizer is given, which R05 names."""
    for call in facts.calls("apply_gradients"):
        if facts.name(call.func) is not None:
            yield from (g for value in call.args for g in gradients(facts, value))


def _made_anew(facts: Facts) -> Iterator[ast.Call]:
    """`w = tf.Variable(w - rate * gradient)`, where a tape is asked for the gradient by `w`."""
    asked = {node for call in facts.calls(*GRADIENT) for node in _sources(facts, call)}
    return (call for call in facts.calls_of(_VARIABLE) if call in asked)


def _may_change(facts: Facts, gradient: ast.Call) -> bool:
    """Whether gradients that go out of sight may train what they are asked by."""
    if not _is_of_tape(facts, gradient):
        return False
    if sources_of(facts, gradient) is Sources.VARIABLES:
        return True
    nodes = _sources(facts, gradient)
    if not any(isinstance(n, ast.Call) and facts.name(n.func) == _VARIABLE for n in nodes):
        return False
    return any(True for _ in taken_methods(facts, ASSIGNS)) or _is_given_away(facts, gradient)


def _is_given_away(facts: Facts, gradient: ast.Call) -> bool:
    """Whether unknown code gets the gradients together with the variables they are asked by."""
    wanted = set(_sources(facts, gradient))
    for call in facts.index.calls:
        if facts.callee(call) is None and not leaves_alone(facts.name(call.func) or ""):
            given = [*call.args, *(k.value for k in call.keywords)]
            has = any(wanted & set(facts.origins(value).nodes) for value in given)
            if has and any(gradient in gradients(facts, value) for value in given):
                return True
    return False


def _sources(facts: Facts, gradient: ast.Call) -> Iterator[ast.AST]:
    """What the expressions are made of that a tape is asked by."""
    given = facts.argument(gradient, "sources", 1)
    listed = given.elts if isinstance(given, (ast.List, ast.Tuple)) else [given]
    return (node for e in listed if e is not None for node in facts.origins(e).nodes)


def _is_of_tape(facts: Facts, call: ast.Call) -> bool:
    """Whether the receiver of `gradient` is a tape."""
    return isinstance(call.func, ast.Attribute) and Role.TAPE in facts.roles(call.func.value)
