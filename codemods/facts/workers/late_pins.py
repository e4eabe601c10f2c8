"""A GPU that is chosen by the worker's number when TensorFlow has taken all of them already."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ...program.node_fields import within
from ..by_rank import depends_on_rank
from ..facts import Facts
from ..horovod import member
from ..scopes import FunctionNode
from ..setup.pinning import chosen_devices, statements

# Each of these takes the devices that are visible then.
_TAKES = re.compile(
    r"tensorflow\.(?:constant|Variable|zeros|ones|range|convert_to_tensor|random\.\w+"
    r"|data\.Dataset\.(?:from_tensor_slices|range)|test\.(?:is_gpu_available|gpu_device_name)"
    r"|config\.(?:experimental\.)?list_logical_devices|keras\.applications\.(?:\w+\.)*[A-Z]\w+"
    r"|(?:keras\.)?models\.load_model|keras\.Input)$"
)
_SEEDS = ("tensorflow.random.set_seed",)


def late_pins(facts: Facts) -> Iterator[tuple[ast.stmt, ast.Call]]:
    """The statements that choose a GPU, each with a call above it that has taken one."""
    for statement in statements(facts):
        devices = chosen_devices(facts, statement)
        if devices is not None and depends_on_rank(facts, devices):
            first = next(_taken_before(facts, statement), None)
            if first is not None:
                yield statement, first


def pins_of_job(facts: Facts) -> Iterator[ast.Call]:
    """`hvd.rank()` where it alone says which GPU is chosen: not `rank % 4`, nor `local_rank()`."""
    listed = facts.index.attribute_stores.get("visible_device_list", ())  # of a session's config
    devices = [binding.value for _, binding in listed]
    devices += [chosen_devices(facts, statement) for statement in statements(facts)]
    for chosen in (each for each in devices if each is not None):
        parts = list(facts.program.ingredients(chosen))
        is_reckoned = any(isinstance(part, ast.BinOp) for part in parts)
        ranks = [part for part in parts if _asks(facts, part, "rank")]
        if ranks and not is_reckoned and not any(_asks(facts, p, "local_rank") for p in parts):
            yield ranks[0]  # type: ignore[misc]


def _asks(facts: Facts, node: ast.AST, number: str) -> bool:
    return isinstance(node, ast.Call) and member(facts, node.func) == number


def _taken_before(facts: Facts, statement: ast.stmt) -> Iterator[ast.Call]:
    """Above it in its function, else above the one call that runs the function."""
    yield from _taken_above(facts, statement)
    function = facts.function(statement)
    calls = [] if function is None else facts.call_sites(function)
    if len(calls) == 1 and facts.function(calls[0]) is not function:
        yield from _taken_above(facts, facts.statement(calls[0]))


def _taken_above(facts: Facts, statement: ast.stmt) -> Iterator[ast.Call]:
    above: ast.AST | None = statement
    while isinstance(above, ast.stmt) and not isinstance(above, FunctionNode):
        block, number = facts.block(above)
        for earlier in block[:number]:
            if not isinstance(earlier, (*FunctionNode, ast.ClassDef)):
                yield from _taking(facts, earlier)
        above = facts.parent(above)


def _taking(facts: Facts, statement: ast.stmt) -> Iterator[ast.Call]:
    for node in within(statement):
        name = facts.name(node.func) if isinstance(node, ast.Call) else None
        if isinstance(node, ast.Call) and name and name not in _SEEDS and _TAKES.match(name):
            yield node
