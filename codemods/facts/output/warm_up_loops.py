"""Loops over epochs at whose head the rate of an optimizer can be set, for training without `fit`.

A step is followed outwards to its loop over the data, through the calls of its functions, and on
to the loop around that; the optimizer is followed along, under the names that it has there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...library.agreement import COUNTERS
from ...program.node_fields import within
from ...program.records import NamedTuple
from ..data.same_meaning import means_the_same
from ..data.unknown_data import known_data
from ..facts import recorded
from ..gradients.applications import applications
from ..optimizers.rate_settings import assigned
from ..optimizers.wrapped_optimizers import minimizing_calls
from ..problems import Problem
from ..traced_code import is_traced
from ..training.graph_patterns import runs_graph
from ..training.pattern import Pattern, training_of
from ..training.repetition import runs_once
from .loops_around import Spelled, around
from .warm_ups import IN_ROUNDS, scheduled, wants_warm_up

if TYPE_CHECKING:
    from ..facts import Facts

NO_EPOCHS = "nobody can tell which loop counts the epochs around this step"
COUNT = (
    "`for epoch in range(n):` around the loop over the data, with the step inside or called once"
)
NO_OPTIMIZER = "the optimizer of this step has no name at the loop over the epochs"
NAME = "make it above the loop, and give it to the function of the step, or use it as a global name"
TRACED = "the loop over the epochs runs in a graph, which reads its rates once"
OWN_RATE = "the program sets this rate itself"
RESTORED = "a checkpoint may bring back a rate that was still growing"
LEAVE = "leave the setting out"


class Epochs(NamedTuple):
    """A loop over epochs, the optimizer as it is called there, and the number of the first one."""

    loop: ast.For
    optimizer: Spelled
    counter: str
    first: int


@recorded
def warm_up_loops(facts: Facts) -> tuple[Epochs, ...]:
    """The loops whose heads set a rate, each with its optimizer once."""
    if any(True for _ in unwarmed_loops(facts)):
        return ()
    found = (_epochs(facts, call) for call in _steps(facts))
    kept = [each for each in found if isinstance(each, Epochs)]
    named = {(e.loop, ast.unparse(e.optimizer.root), e.optimizer.rest): e for e in kept}
    return tuple(named.values())


def unwarmed_loops(facts: Facts) -> Iterator[Problem]:
    """What keeps training without `fit` from leading its rates up."""
    if not wants_warm_up(facts):
        return
    steps = _steps(facts)
    others = [call for call, pattern in training_of(facts).places if pattern is not Pattern.KERAS]
    for call in steps or others[:1]:
        found = _epochs(facts, call)
        if isinstance(found, Problem):
            yield found
    if steps:
        yield from (Problem(value, OWN_RATE, LEAVE) for value in assigned(facts))
        yield from (Problem(call, RESTORED, LEAVE) for call in facts.calls("restore"))
        yield from scheduled(facts)


def _steps(facts: Facts) -> list[ast.Call]:
    """The calls that train by themselves, one step at a time."""
    if not wants_warm_up(facts) or runs_graph(facts):
        return []
    is_loop = training_of(facts).pattern is not Pattern.KERAS
    found = [*applications(facts), *minimizing_calls(facts)] if is_loop else []
    places = (call for call, _ in training_of(facts).places)
    return [*found, *(c for c in places if getattr(c.func, "attr", "") == "train_on_batch")]


def _epochs(facts: Facts, call: ast.Call) -> Epochs | Problem:
    loops, data = list(around(facts, call)), known_data(facts)
    number = next((i for i, each in enumerate(loops) if each.loop in data), 0)
    is_plain = len(loops) == 2 or any(each.loop in data for each in loops)
    loop, optimizer = loops[number + 1] if number + 1 < len(loops) else (None, None)
    first = _first(facts, loop) if isinstance(loop, ast.For) and is_plain else None
    if not isinstance(loop, ast.For) or first is None:
        return Problem(call, NO_EPOCHS, COUNT)
    if is_traced(facts, loop):
        return Problem(call, TRACED, LEAVE)
    if optimizer is None or not _is_known(facts, optimizer.root, loop):
        return Problem(call, NO_OPTIMIZER, NAME)
    if not runs_once(facts, loop) and not _is_made_with(facts, optimizer.root, loop):
        return Problem(call, IN_ROUNDS, LEAVE)
    return Epochs(loop, optimizer, loop.target.id, first)  # type: ignore[attr-defined]


# -- at the loop -------------------------------------------------------------------------------


def _first(facts: Facts, loop: ast.For) -> int | None:
    """The number of the first epoch, 0 where the program goes on from a later one."""
    counted = loop.iter
    if isinstance(counted, ast.Call) and (facts.name(counted.func) or "").endswith("tqdm"):
        counted = counted.args[0] if counted.args else counted
    if not isinstance(counted, ast.Call) or facts.name(counted.func) not in COUNTERS:
        return None
    if not isinstance(loop.target, ast.Name) or not 1 <= len(counted.args) <= 2:
        return None
    start = counted.args[0] if len(counted.args) == 2 else None
    number = start.value if isinstance(start, ast.Constant) else 0
    return number if isinstance(number, int) else 0


def _is_known(facts: Facts, root: ast.expr, loop: ast.For) -> bool:
    """Whether the name means the same optimizer where the loop begins."""
    name = root.id  # type: ignore[attr-defined]
    if facts.scope(root).find(name) is not facts.scope(loop).find(name):
        return False
    if facts.function(root) is facts.function(loop):
        return means_the_same(facts, root, loop)
    return facts.function(loop) is not None or facts.order.at(loop, name) is not None


def _is_made_with(facts: Facts, root: ast.expr, loop: ast.For) -> bool:
    """Whether each training makes an optimizer of its own: in the block of the loop."""
    block, number = facts.block(loop)
    above = {node for statement in block[:number] for node in within(statement)}
    made = facts.origins(root).nodes
    return bool(made) and all(node in above for node in made)
