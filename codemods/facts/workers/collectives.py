"""Calls that wait until every worker has come to them: Horovod's own, and steps of its training.

https://horovod.readthedocs.io/en/stable/concepts.html; only what is known to be one counts.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ...library.collectives import collective, is_join
from ...program.node_fields import within
from ...program.records import NamedTuple
from ...program.things import Partial
from ..averaging import Averaged, averaged
from ..facts import Facts, recorded
from ..flow import is_gradient
from ..horovod import member_of
from ..roles import Role
from ..training import fits
from ..walks import reached

STEP = "a step of the training"
_APPLICATIONS = ("apply_gradients", "minimize", "compute_gradients")
_MEETING = ("callbacks.BroadcastGlobalVariablesCallback", "callbacks.MetricAverageCallback")
_MAPS = ("builtins.map", "tensorflow.nest.map_structure", "tensorflow.map_fn")
_FITS = ("fit", "fit_generator", "train_on_batch")
_GROUP = "process_set"  # of some of the workers: who is in it, is not followed


class Collective(NamedTuple):
    """A call that all workers make together; `kind`: those of one kind meet each other."""

    call: ast.Call
    kind: str


@recorded
def collectives(facts: Facts) -> dict[ast.Call, Collective]:
    """All of a module that can be told; none where a worker may tell the others not to wait."""
    if not facts.has_horovod:
        return {}
    calls = facts.index.calls
    if any(is_join(name) for call in calls for name in names_of(facts, call)):
        return {}
    kinds = ((call, _kind(facts, call)) for call in calls)
    return {call: Collective(call, kind) for call, kind in kinds if kind is not None}


def held_by(facts: Facts, parts: Iterable[ast.AST]) -> Iterator[Collective]:
    """The collectives in statements or expressions, and in the functions that they call."""

    def called(node: ast.AST) -> list[ast.AST]:
        calls = (n for n in within(node) if isinstance(n, ast.Call))
        return [function for call in calls for function in facts.program.functions(call.func).nodes]

    known, start = collectives(facts), list(parts)
    for node in reached(start, called):
        yield from (known[n] for n in within(node) if isinstance(n, ast.Call) and n in known)


def names_of(facts: Facts, call: ast.Call) -> tuple[str, ...]:
    """The outside functions that a call may run, also where `hvd` may be None."""
    name = facts.name(call.func)
    if name is not None:
        return (name,)
    partials = (t for t in facts.program.things(call.func) if isinstance(t, Partial))
    filled = (name for each in partials for name in facts.program.names(each.func))
    return (*facts.program.names(call.func), *filled)


def _kind(facts: Facts, call: ast.Call) -> str | None:
    for name in (*names_of(facts, call), *_mapped(facts, call)):
        kind = collective(name)
        if kind is not None:
            return None if any(k.arg == _GROUP for k in call.keywords) else kind
    if not isinstance(call.func, ast.Attribute) or facts.callee(call) is not None:
        return None
    return STEP if _is_step(facts, call, call.func) else None


def _mapped(facts: Facts, call: ast.Call) -> tuple[str, ...]:
    """The outside functions that a call runs for each element: `map(hvd.allreduce, grads)`."""
    is_map = facts.name(call.func) in _MAPS and bool(call.args)
    return facts.program.names(call.args[0]) if is_map else ()


def _is_step(facts: Facts, call: ast.Call, func: ast.Attribute) -> bool:
    if func.attr in _FITS:
        return _is_wrapped(facts, func.value) or _has_callbacks(facts, call)
    if func.attr == "run":
        return runs_step(facts, call)
    is_tape = is_gradient(facts, call) and Role.TAPE in facts.roles(func.value)
    return is_tape and averaged(facts, func.value) is Averaged.YES


def _is_wrapped(facts: Facts, model: ast.expr) -> bool:
    """Whether the model was compiled with an optimizer of Horovod's."""
    made = set(facts.origins(model).nodes)
    for call in facts.calls("compile"):
        assert isinstance(call.func, ast.Attribute)
        optimizer = facts.argument(call, "optimizer", 0)
        if optimizer is None or averaged(facts, optimizer) is not Averaged.YES:
            continue
        is_same = ast.dump(call.func.value) == ast.dump(model)
        if is_same or made & set(facts.origins(call.func.value).nodes):
            return True
    return False


def _has_callbacks(facts: Facts, call: ast.Call) -> bool:
    """Whether it is given callbacks of Horovod that wait for the others, on every way."""
    given = (
        fits.argument(facts, call, "callbacks") if fits.method(call) != "train_on_batch" else None
    )
    if not isinstance(given, (ast.List, ast.Tuple)):
        return False
    calls = (element for element in given.elts if isinstance(element, ast.Call))
    return any(member_of(facts.name(each.func)) in _MEETING for each in calls)


def runs_step(facts: Facts, call: ast.Call) -> bool:
    """Whether a session computes what averages gradients, or another collective."""
    if not call.args or facts.name(call.func) is not None:
        return False
    parts = [call.args[0]]
    if isinstance(parts[0], (ast.List, ast.Tuple)):
        parts = parts[0].elts
    return any(_is_operation(facts, node) for part in parts for node in _behind(facts, part))


def _behind(facts: Facts, part: ast.expr) -> Iterator[ast.AST]:
    return facts.program.sources(part, ())


def _is_operation(facts: Facts, node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    if any(collective(name) for name in names_of(facts, node)):
        return True
    is_method = isinstance(node.func, ast.Attribute) and node.func.attr in _APPLICATIONS
    return is_method and averaged(facts, node.func.value) is Averaged.YES  # type: ignore[attr-defined]
