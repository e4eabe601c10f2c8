"""Loops that run one cell over time, each time with what it gave before.

for t in range(x.shape[1]):
    h = self.cell(x[:, t], h)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...library.layers import CELLS, layer
from ...program.node_fields import within
from ...program.records import NamedTuple
from ..reaching import reaching
from .layer_bodies import BASES
from .layer_counts import RANGE
from .layer_lists import made_once
from .layer_loops import is_decided

if TYPE_CHECKING:
    from ..facts import Facts

RANGES = (RANGE, "tensorflow.range")
FORM = "more than handing one tensor from step to step happens in this loop"
COUNT = "nobody can tell how often this loop runs; range(x.shape[1]) is known, and a number"
USED = "the number of the last step is used behind this loop"


class StepLoop(NamedTuple):
    """A loop over time; `wrong` is what C04 refuses."""

    node: ast.For
    cell: ast.expr
    carried: str
    given: str = ""  # the name of the tensor whose steps the cell gets
    axis: int = 0  # along which they lie
    times: ast.expr | None = None  # how many of them; None: all
    is_nested: bool = False  # a cell of Keras, which gets a list of states
    wrong: str = ""


def step_loops(facts: Facts) -> Iterator[StepLoop]:
    """Every loop over numbers in which a layer gets a step of something and what it gave before."""
    if is_decided(facts):
        return
    for node in facts.index.nodes(ast.For):
        is_range = isinstance(node.iter, ast.Call) and facts.name(node.iter.func) in RANGES
        if is_range and isinstance(node.target, ast.Name):
            for call in _cell_calls(facts, node, node.target.id):
                yield _loop(facts, node, node.target.id, call)
                break


def _cell_calls(facts: Facts, node: ast.For, step: str) -> Iterator[ast.Call]:
    """The calls of a layer with a step of something and with what the loop binds."""
    parts = [part for statement in node.body for part in within(statement)]
    bound = {p.id for p in parts if isinstance(p, ast.Name) and isinstance(p.ctx, ast.Store)}
    for part in parts:
        if isinstance(part, ast.Call) and len(part.args) > 1 and _made(facts, part.func):
            names = [_names(argument) for argument in part.args]
            if step in names[0] and any(bound & each for each in names[1:]):
                yield part


def _made(facts: Facts, cell: ast.expr) -> ast.Call | None:
    """The call that makes a layer, of Keras or of a class of the file."""
    made = made_once(facts, cell)
    if not isinstance(made, ast.Call):
        return None
    cls = facts.classes.local(made.func)
    bases = () if cls is None else facts.classes.library_bases(cls)
    is_layer = layer(facts.name(made.func) or "") is not None or any(b in BASES for b in bases)
    return made if is_layer else None


def _names(expr: ast.expr) -> set[str]:
    return {part.id for part in within(expr) if isinstance(part, ast.Name)}


def _loop(facts: Facts, node: ast.For, step: str, call: ast.Call) -> StepLoop:
    is_nested = _is_of_keras(facts, call.func)
    carried = _carried(facts, node, call, is_nested)
    loop = StepLoop(node, call.func, carried or "", is_nested=is_nested)
    taken = _taken(call.args[0], step)
    if carried is None or taken is None or carried in (taken[0], step):
        return loop._replace(wrong=FORM)
    if _is_read_behind(facts, node, node.target):
        return loop._replace(wrong=USED)
    given, axis = taken
    counted = _counted(facts, node.iter, given, axis)
    if counted is None:
        return loop._replace(wrong=COUNT)
    times = counted if isinstance(counted, ast.expr) else None
    return loop._replace(given=given, axis=axis, times=times)


def _is_of_keras(facts: Facts, cell: ast.expr) -> bool:
    made = _made(facts, cell)
    return made is not None and layer(facts.name(made.func) or "") in CELLS


def _carried(facts: Facts, node: ast.For, call: ast.Call, is_nested: bool) -> str | None:
    """The name that goes from step to step, if the loop does nothing else."""
    statement = node.body[0]
    if len(node.body) != 1 or node.orelse or not isinstance(statement, ast.Assign):
        return None
    if statement.value is not call or len(statement.targets) != 1 or call.keywords:
        return None
    target, state = statement.targets[0], call.args[1]
    if is_nested:  # h, _ = cell(x[:, t], [h])
        pair = target.elts if isinstance(target, ast.Tuple) else []
        states = state.elts if isinstance(state, ast.List) else []
        if len(pair) != 2 or len(states) != 1 or _is_read_behind(facts, node, pair[1]):
            return None
        target, state = pair[0], states[0]
    if len(call.args) != 2 or not isinstance(target, ast.Name):
        return None
    return target.id if isinstance(state, ast.Name) and state.id == target.id else None


def _taken(given: ast.expr, step: str) -> tuple[str, int] | None:
    """The tensor and the axis of `x[t]`, `x[:, t]` and `x[:, t, :]`."""
    if not isinstance(given, ast.Subscript) or not isinstance(given.value, ast.Name):
        return None
    index = given.slice
    places = index.elts if isinstance(index, ast.Tuple) else [index]
    at = [i for i, each in enumerate(places) if isinstance(each, ast.Name) and each.id == step]
    others = [each for i, each in enumerate(places) if i not in at]
    is_plain = len(at) == 1 and at[0] < 2 and all(map(_is_all, others))
    return (given.value.id, at[0]) if is_plain else None


def _is_all(index: ast.expr) -> bool:
    is_slice = isinstance(index, ast.Slice)
    return is_slice and not (index.lower or index.upper or index.step)  # type: ignore[attr-defined]


def _counted(facts: Facts, numbers: ast.expr, given: str, axis: int) -> ast.expr | bool | None:
    """How many steps there are: an expression, True if all of the tensor's; None if unknown."""
    assert isinstance(numbers, ast.Call)
    if facts.name(numbers.func) != RANGE or len(numbers.args) != 1 or numbers.keywords:
        return None
    count = numbers.args[0]
    if ast.unparse(count) == f"{given}.shape[{axis}]":
        return True
    value = count if isinstance(count, ast.Constant) else made_once(facts, count)
    is_number = isinstance(value, ast.Constant) and type(value.value) is int and value.value > 0
    return count if is_number else None


def _is_read_behind(facts: Facts, node: ast.For, name: ast.expr) -> bool:
    """Whether what the loop binds to a name may be read outside of it."""
    if not isinstance(name, ast.Name):
        return True
    for use in facts.index.loads.get(name.id, ()):
        if isinstance(use, ast.Name) and node not in facts.parents(use):
            if any(node in (b.node, *facts.parents(b.node)) for b in reaching(facts, use)):
                return True
    return False
