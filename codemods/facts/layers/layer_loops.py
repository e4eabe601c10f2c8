"""Loops over layers, lines of layers and loops over time, each on what the last gave."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...library.layers import CELLS, layer
from ...library.tensorflow_names import (
    CALLED_METHODS,
    FUNCTION,
    LAYER,
    MODEL,
    RECOMPUTE,
    TAKEN_APART,
)
from ...library.tensorflow_names import RANGE as OF_TENSORS
from ...program.node_fields import within
from ...program.parts import FunctionNode
from ...program.records import NamedTuple
from .layer_calls import Problem, is_of_keras, needs_training, recorded, without_training
from .layer_lists import RANGE, made_once
from .step_bodies import StepBody, Values

if TYPE_CHECKING:
    from ..facts import Facts


# -- layer loops ---------------------------------------------------------------------------------
# Loops that hand a tensor from one layer to the next.
#
# for block in self.blocks: x = block(x)

CALLS = ("call", "__call__")
KERAS = (LAYER, MODEL)


class LayerLoop(NamedTuple):
    """A loop; `training` is what its layers get under that name, `wrong` what C04 refuses."""

    node: ast.For
    layers: ast.expr
    carried: str
    training: ast.expr | None = None
    wrong: str = ""
    more: str = ""  # what the layers get besides
    is_told: bool = False  # whether Keras tells the function around by `training` if it trains
    repaired: tuple[Problem, ...] = ()  # what would not be the same in every run


FORM = "more than handing one tensor from layer to layer happens in this loop"
USED = "the layer that this loop ran last is used behind it"


def layer_loops(facts: Facts) -> Iterator[LayerLoop]:
    """Every loop in which a called element gets what the call before it gave."""
    if is_decided(facts):
        return
    for node in facts.index.nodes(ast.For):
        if isinstance(node.target, ast.Name):
            carried = _carried(node, node.target.id)
            if carried is not None:
                yield _loop(facts, node, node.target.id, carried)


def is_decided(facts: Facts) -> bool:
    """Whether somebody has decided already what is kept."""
    return any(facts.name(node) == RECOMPUTE for node in _reads(facts, "recompute_grad"))


def is_compiled(facts: Facts) -> bool:
    """Whether a graph may be made of the layers: by `tf.function`, or by Keras."""
    is_function = any(
        facts.name(node) == FUNCTION for node in facts.index.loads.get("function", ())
    )
    return is_function or any(facts.calls("compile", "fit", "fit_generator", "train_on_batch"))


def _reads(facts: Facts, name: str) -> list[ast.AST]:
    return facts.index.loads.get(name, [])


def _carried(node: ast.For, element: str) -> str | None:
    """The name that a call of the element reads and the loop binds."""
    parts = [part for statement in node.body for part in within(statement)]
    bound = {p.id for p in parts if isinstance(p, ast.Name) and isinstance(p.ctx, ast.Store)}
    for part in parts:
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name):
            given = [a.id for a in part.args if isinstance(a, ast.Name) and a.id in bound]
            if part.func.id == element and given:
                return given[0]
    return None


def _loop(facts: Facts, node: ast.For, element: str, carried: str) -> LayerLoop:
    loop = LayerLoop(node, node.iter, carried)
    call = _only_call(node, element, carried)
    if call is None:
        return loop._replace(wrong=FORM)
    if _is_used_behind(facts, node, element):
        return loop._replace(wrong=USED)
    if not isinstance(node.iter, (ast.Name, ast.Attribute)):
        return loop._replace(wrong=FORM)
    more = [k for k in call.keywords if not is_training(facts, k)]
    if more or len(call.args) != 1:
        return loop._replace(more=", ".join(map(ast.unparse, [*call.args[1:], *more])))
    return loop._replace(training=next((k.value for k in call.keywords), None))


def _only_call(node: ast.For, element: str, carried: str) -> ast.Call | None:
    """The call of `carried = element(carried, …)`, if the loop is nothing else."""
    if len(node.body) != 1 or node.orelse:
        return None
    statement = node.body[0]
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target, call = statement.targets[0], statement.value
    if not isinstance(target, ast.Name) or target.id != carried or not isinstance(call, ast.Call):
        return None
    first = call.args[0] if call.args else None
    is_chain = isinstance(first, ast.Name) and first.id == carried
    is_called = isinstance(call.func, ast.Name) and call.func.id == element
    return call if is_chain and is_called and element != carried else None


def is_training(facts: Facts, keyword: ast.keyword) -> bool:
    """`training=training` with the parameter of the function around, or a constant."""
    if keyword.arg != "training":
        return False
    if isinstance(keyword.value, ast.Constant):
        return True
    bindings = facts.bindings(keyword.value)
    return len(bindings) == 1 and bindings[0].kind == "param"


def _is_used_behind(facts: Facts, node: ast.For, element: str) -> bool:
    """Whether the element's name is read where this loop may have bound it."""
    bindings = facts.bindings(node.body[0].value.func)  # type: ignore[attr-defined]
    for use in _reads(facts, element):
        if isinstance(use, ast.Name) and node not in facts.parents(use):
            if facts.bindings(use) == bindings and not _has_own_loop(facts, use, element):
                return True
    return False


def _has_own_loop(facts: Facts, use: ast.AST, element: str) -> bool:
    """Whether the name is that of another loop around."""
    return any(
        isinstance(p, ast.For) and isinstance(p.target, ast.Name) and p.target.id == element
        for p in facts.parents(use)
    )


def home(facts: Facts, loop: ast.stmt) -> ast.ClassDef | None:
    """The class whose `call` or `__call__` holds the loop."""
    function = facts.function(loop)
    is_call = isinstance(function, FunctionNode) and function.name in CALLS
    return facts.classes.method_of(function) if is_call and function is not None else None


def tells_training(facts: Facts, loop: ast.stmt) -> bool:
    """Whether Keras tells what holds the loop if it trains: the `training` of a `call`."""
    cls, function = home(facts, loop), facts.function(loop)
    bases = () if cls is None else facts.classes.library_bases(cls)
    if not set(bases) & set(KERAS) or not isinstance(function, FunctionNode):
        return False
    own = facts.bound(function).get("training", ())
    return function.name == "call" and [binding.kind for binding in own] == ["param"]


# -- layer lines ---------------------------------------------------------------------------------
# Layers that are run line after line, each on what the one before gave.
#
# x = self.first(x) x = self.second(x)

FEWEST = 4  # layers that are worth it
Line = tuple[ast.Assign, ast.Call, list[Problem]]


class LayerLines(NamedTuple):
    """Lines that may be run by one call; `training` is what all of the layers get."""

    lines: tuple[ast.Assign, ...]
    layers: tuple[ast.expr, ...]
    carried: str
    training: ast.expr | None = None
    is_told: bool = False  # as of LayerLoop
    repaired: tuple[Problem, ...] = ()  # what would not be the same in every run

    @property
    def node(self) -> ast.stmt:
        """The last line."""
        return self.lines[-1]


def layer_lines(facts: Facts) -> Iterator[LayerLines]:
    """The runs of such lines under a gradient, as long as they are."""
    if is_decided(facts):
        return
    seen: set[int] = set()
    for node in recorded(facts):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list) and id(block) not in seen:
                seen.add(id(block))
                yield from _of_block(facts, block)


def _of_block(facts: Facts, block: Sequence[ast.AST]) -> Iterator[LayerLines]:
    found: list[Line] = []
    for statement in [*block, None]:
        call = _call(facts, statement)
        wrong = None if call is None else _wrong(facts, statement, call)  # type: ignore[arg-type]
        line = None if wrong is None else (statement, call, wrong)
        if found and not (line and _goes_on(facts, [*found, line])):  # type: ignore[list-item]
            if len(found) >= FEWEST:
                yield _lines(found)
            found = []
        if line is not None:
            found.append(line)  # type: ignore[arg-type]


def _wrong(facts: Facts, line: ast.stmt, call: ast.Call) -> list[Problem] | None:
    """What must be repaired in a layer, None if it may not be run again."""
    body = StepBody(facts, facts.record(Values))
    is_told = bool(call.keywords) or tells_training(facts, line)
    found = [p if is_told else without_training(p) for p in body.of_held(call.func)]
    is_moved = any(call.func in (p.node, *facts.parents(p.node)) for p in found)
    return found if all(p.repair for p in found) and not is_moved else None


def _call(facts: Facts, statement: ast.AST | None) -> ast.Call | None:
    """The call of a line `x = layer(x)`."""
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Call):
        return None
    call, (target, *others) = statement.value, statement.targets
    is_plain = isinstance(target, ast.Name) and not others and len(call.args) == 1
    given = call.args[0] if is_plain else None
    if not isinstance(given, ast.Name) or given.id != target.id:  # type: ignore[attr-defined]
        return None
    return call if all(is_training(facts, keyword) for keyword in call.keywords) else None


def _goes_on(facts: Facts, lines: Sequence[Line]) -> bool:
    """Whether one call can run them: all of them get the same, or nothing."""
    (first, *_), (last, *_) = lines[0], lines[-1]
    flags = {ast.unparse(keyword.value) for _, call, _ in lines for keyword in call.keywords}
    silent = [call.func for _, call, _ in lines if not call.keywords]
    is_told = flags <= {"training"} and tells_training(facts, last)
    may_be_told = is_told and all(is_of_keras(facts, layer) for layer in silent)
    is_silent = not flags and not any(needs_training(p) for _, _, wrong in lines for p in wrong)
    is_same = ast.unparse(first.targets[0]) == ast.unparse(last.targets[0])
    return is_same and len(flags) < 2 and (is_silent or not silent or may_be_told)


def _lines(found: Sequence[Line]) -> LayerLines:
    lines, calls, wrong = zip(*found)
    target = lines[0].targets[0]
    training = next((keyword.value for call in calls for keyword in call.keywords), None)
    repaired = tuple(dict.fromkeys(problem for each in wrong for problem in each))
    is_told = training is None and any(map(needs_training, repaired))
    layers = tuple(call.func for call in calls)
    return LayerLines(lines, layers, target.id, training, is_told, repaired)


# -- step loops ----------------------------------------------------------------------------------
# Loops that run one cell over time, each time with what it gave before.
#
# for t in range(x.shape[1]): h = self.cell(x[:, t], h)

RANGES = (RANGE, OF_TENSORS)
_STEP_FORM = "more than handing one tensor from step to step happens in this loop"
COUNT = "nobody can tell how often this loop runs; range(x.shape[1]) is known, and a number"
_STEP_USED = "the number of the last step is used behind this loop"


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
                yield _loop_over_time(facts, node, node.target.id, call)
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
    is_layer = layer(facts.name(made.func) or "") is not None or any(
        b in CALLED_METHODS for b in bases
    )
    return made if is_layer else None


def _names(expr: ast.expr) -> set[str]:
    return {part.id for part in within(expr) if isinstance(part, ast.Name)}


def _loop_over_time(facts: Facts, node: ast.For, step: str, call: ast.Call) -> StepLoop:
    is_nested = _is_of_keras(facts, call.func)
    carried = _carried_over_time(facts, node, call, is_nested)
    loop = StepLoop(node, call.func, carried or "", is_nested=is_nested)
    taken = _taken(call.args[0], step)
    if carried is None or taken is None or carried in (taken[0], step):
        return loop._replace(wrong=_STEP_FORM)
    if _is_read_behind(facts, node, node.target):
        return loop._replace(wrong=_STEP_USED)
    given, axis = taken
    counted = _counted(facts, node.iter, given, axis)
    if counted is None:
        return loop._replace(wrong=COUNT)
    times = counted if isinstance(counted, ast.expr) else None
    return loop._replace(given=given, axis=axis, times=times)


def _is_of_keras(facts: Facts, cell: ast.expr) -> bool:
    made = _made(facts, cell)
    return made is not None and layer(facts.name(made.func) or "") in CELLS


def _carried_over_time(facts: Facts, node: ast.For, call: ast.Call, is_nested: bool) -> str | None:
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
            if any(node in (b.node, *facts.parents(b.node)) for b in facts.reaching(use)):
                return True
    return False


# -- loop items ----------------------------------------------------------------------------------
# Whether what a loop runs over has a length and can be cut, as a list can.

_SEQUENCES = ("builtins.range", "builtins.list", "builtins.tuple", "builtins.sorted",
              *TAKEN_APART)  # fmt: skip
_LISTS = (ast.List, ast.ListComp, ast.Tuple)


def is_sequence(facts: Facts, over: ast.expr) -> bool:
    """Whether it is known to be a list, a tuple or a range."""
    found = facts.origins(over)
    return (
        not found.unknown
        and bool(found.items)
        and all(isinstance(each.node, _LISTS) or _is_call(facts, each.node) for each in found.items)
    )


def _is_call(facts: Facts, node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and facts.name(node.func) in _SEQUENCES
