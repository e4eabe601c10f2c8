"""Calls and branches, laid out as TensorFlow lays them out before it runs a graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Callable

from . import kinds, loops
from .building import together
from .graph import Body, Graph, Node
from .inlining import Lowering, function, inside
from .kernel import FUNCTION, MERGE, SWITCH, Operation, Port, Unmodelled
from .made import Made, Scope

Call = Callable[[Lowering, Node, "list[Port]", "list[int]", Scope], Made]


def of(node: Node, graph: Graph) -> Call | None:
    """How a node is laid out that calls functions; None: it calls none."""
    if node.kind in kinds.CALLS or node.kind in graph.library:
        return _call
    if node.kind in kinds.BRANCHES:
        return _branches
    if node.kind in kinds.LOOPS:
        return loops.with_a_test
    if node.kind in kinds.SCANS:
        return loops.scanned
    return loops.over_a_dataset if node.kind == "ReduceDataset" else None


def _call(
    lowering: Lowering, node: Node, inputs: list[Port], controls: list[int], scope: Scope
) -> Made:
    building, name = lowering.building, f"{scope.prefix}{node.name}"
    body = function(lowering, node, node.calls.get("f", node.kind))
    pivot = scope.pivot
    if controls:  # no operation of it begins before them
        pivot = building.add(together(f"{name}/begin", controls, node.where))
        held = [Operation(f"{name}/argument", FUNCTION, (e,), (pivot,), "Identity") for e in inputs]
        inputs = [Port(building.pass_on(each)) for each in held]
    returned, done = inside(lowering, node, body, inputs, scope, pivot)
    return Made(tuple(returned), building.add(together(f"{name}/done", done or controls)))


def _branches(
    lowering: Lowering, node: Node, inputs: list[Port], controls: list[int], scope: Scope
) -> Made:
    if not inputs:
        raise Unmodelled(f"{scope.prefix}{node.name}: a branch that nothing decides")
    building, name = lowering.building, f"{scope.prefix}{node.name}"
    bodies = _bodies(lowering, node)
    decision = building.read(inputs[0])

    def switch(value: Port) -> int:
        ends, slots = (value, decision), len(bodies)
        each = Operation(f"{name}/switch", SWITCH, ends, tuple(controls), "Switch", slots=slots)
        return building.pass_on(each)

    decided, *switched = [switch(each) for each in inputs]
    results, dones = [], []
    for slot, body in enumerate(bodies):
        taken = Operation(f"{name}/taken", FUNCTION, (Port(decided, slot),), (), "Identity")
        pivot = building.add(taken)
        given = [Port(each, slot) for each in switched]
        returned, done = inside(lowering, node, body, given, scope, pivot)
        results.append(returned)
        dones.append(Port(building.add(together(f"{name}/done", [*done, pivot]))))
    outputs = [_merge(lowering, node, scope, ends) for ends in zip(*results)]
    return Made(tuple(outputs), _merge(lowering, node, scope, dones).of)


def _bodies(lowering: Lowering, node: Node) -> list[Body]:
    """The branches by the slot of the switch: the else branch is that of 0."""
    names = node.others or [node.calls.get(key, "") for key in ("else_branch", "then_branch")]
    return [function(lowering, node, each) for each in names]


def _merge(lowering: Lowering, node: Node, scope: Scope, ends: Sequence[Port]) -> Port:
    name, where = f"{scope.prefix}{node.name}/merge", node.where or scope.where
    merge = Operation(name, MERGE, tuple(ends), (), "Merge", where=where)
    return Port(lowering.building.pass_on(merge))
