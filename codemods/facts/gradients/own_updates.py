"""What moves weights past an optimizer, or is computed from a worker's own batches."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.effects import leaves_alone
from ...library.names import in_v1
from ...library.tensorflow_names import VARIABLE
from ...program.node_fields import within
from ...program.parts import FunctionNode
from ...program.records import NamedTuple
from ..arguments import ASSIGNS, assigned
from ..facts import Facts
from ..flow import GRADIENT, flow_to
from ..roles import Role
from ..taken_methods import taken_methods
from ..training.optimizer_calls import Sources, sources_of
from .changed_state import ASSIGNING_FUNCTIONS
from .changed_state import ASSIGNING_METHODS as CHANGED_STATE_ASSIGNS
from .tapes import wrapped_tapes

# -- updates by hand -----------------------------------------------------------------------------
# Where gradients of a tape change variables and no optimizer takes them, or may do so.

METHODS = (*CHANGED_STATE_ASSIGNS, "load", "set_weights")
_BACKEND = ("batch_set_value", "moving_average_update", "set_value", "update")
FUNCTIONS = (
    *in_v1(*ASSIGNING_FUNCTIONS),
    *(f"tensorflow.keras.backend.{n}" for n in (*_BACKEND, "update_add", "update_sub")),
)


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
    return (call for call in facts.calls_of(VARIABLE) if call in asked)


def _may_change(facts: Facts, gradient: ast.Call) -> bool:
    """Whether gradients that go out of sight may train what they are asked by."""
    if not _is_of_tape(facts, gradient):
        return False
    if sources_of(facts, gradient) is Sources.VARIABLES:
        return True
    nodes = _sources(facts, gradient)
    if not any(isinstance(n, ast.Call) and facts.name(n.func) == VARIABLE for n in nodes):
        return False
    return any(True for _ in taken_methods(facts, CHANGED_STATE_ASSIGNS)) or _is_given_away(
        facts, gradient
    )


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


# -- own states ----------------------------------------------------------------------------------
# State that a worker computes from its own batches, and its model learns by.
#
# A codebook that follows the means of what is assigned to it, centers of classes: gradients are
# averaged, but they are those of other codebooks. BatchNorm's moving statistics are no such
# state: the training doesn't read them.

_FORWARD = ("call", "__call__")


def states(facts: Facts) -> Iterator[tuple[ast.Call, ast.expr]]:
    """The calls that assign such a state, each with the value."""
    for call in facts.calls(*ASSIGNS):
        value = assigned(call)
        if value is not None and (_in_layer(facts, call) or _in_loss(facts, call)):
            yield call, value


def inputs(facts: Facts) -> Iterator[ast.arg]:
    """What layers of the program are called with: a batch."""
    for function in facts.index.definitions:
        if isinstance(function, FunctionNode) and _is_forward(facts, function):
            yield from function.args.args[1:]


def _in_layer(facts: Facts, call: ast.Call) -> bool:
    """Whether the call of a layer assigns it, and reads it for what it gives, too."""
    function = facts.function(call)
    if not isinstance(function, FunctionNode) or not _is_forward(facts, function):
        return False
    given = [n.value for n in within(function) if isinstance(n, ast.Return) and n.value is not None]
    return any(_reads(facts, value, call) for value in given)


def _reads(facts: Facts, value: ast.expr, assigns: ast.Call) -> bool:
    target = ast.unparse(assigns.func.value)  # type: ignore[attr-defined]

    def is_read(node: ast.AST) -> bool:
        return isinstance(node, ast.Attribute) and ast.unparse(node) == target

    made = facts.program.ingredients(value, is_read)  # what is put into it reads it, too
    return any(is_read(node) and _meets(facts, node, assigns) for node in made)


def _meets(facts: Facts, read: ast.AST, assigns: ast.Call) -> bool:
    """Whether a read isn't only for the other mode, as BatchNorm's of its moving statistics."""
    child = read
    for parent in facts.parents(read):
        if isinstance(parent, (ast.If, ast.IfExp)) and _asks_mode(parent.test):
            branch = parent.body if _is_in(child, parent.body) else parent.orelse
            if not _is_in(assigns, branch):
                return False
        child = parent
    return True


def _is_in(node: ast.AST, branch: ast.expr | list[ast.stmt]) -> bool:
    parts = branch if isinstance(branch, list) else [branch]
    return any(node is part or node in within(part) for part in parts)


def _asks_mode(test: ast.expr) -> bool:
    return any(isinstance(node, ast.Name) and node.id == "training" for node in ast.walk(test))


def _is_forward(facts: Facts, function: ast.AST) -> bool:
    return getattr(function, "name", "") in _FORWARD and facts.cls(function) is not None


def _in_loss(facts: Facts, call: ast.Call) -> bool:
    """Whether a gradient is asked of a loss that the assigned variable is in."""
    made = set(facts.origins(call.func.value).nodes)  # type: ignore[attr-defined]
    for gradient in facts.calls(*GRADIENT) if made else ():
        loss = facts.argument(gradient, "target", 0)
        is_of_tape = Role.TAPE in facts.roles(gradient.func.value)  # type: ignore[attr-defined]
        if is_of_tape and loss is not None and made & set(facts.program.ingredients(loss)):
            return True
    return False
