"""One operation of TensorFlow as one operation of the small language."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from . import kinds
from .building import ALIAS, NOTHING, REFERENCE, RESOURCE, Building, Refers
from .graph import Node
from .kernel import (
    ASSIGN,
    COLLECTIVE,
    DEQUEUE,
    ENQUEUE,
    EXIT,
    FUNCTION,
    HEAD,
    MERGE,
    READ,
    READS,
    SOURCE,
    SWITCH,
    VAR,
    Operation,
    Port,
    Unmodelled,
)

if TYPE_CHECKING:
    from .made import Scope


def add(
    building: Building,
    node: Node,
    inputs: list[Port],
    controls: list[int],
    scope: Scope,
    is_head: bool,
) -> int:
    """Adds it and returns its number. Raises Unmodelled."""
    plain = Operation(
        f"{scope.prefix}{node.name}",
        inputs=tuple(inputs),
        controls=tuple(controls),
        function=node.kind,
        value=node.value,
        digest=node.digest,
        where=node.where or scope.where,
    )
    if not scope.depth and node.name in building.graph.captures:
        return _add_captured(building, plain, node)
    if node.kind in kinds.VARIABLES:
        name = node.label or plain.name
        how = REFERENCE if node.kind in kinds.REFERENCES else RESOURCE
        return building.add(replace(plain, kind=VAR, of=name), Refers((name,), how))
    if node.kind in kinds.PASSING:
        return building.pass_on(_flow(building, plain, node, is_head))
    if node.kind in kinds.SHARING and _shares(building, inputs):
        return _share_memory(building, plain, node, inputs)
    if node.kind in kinds.COLLECTIVES:
        plain = _collective(plain, node)
    return _touching(building, _waiting(building, plain, node, inputs), node, inputs)


def _add_captured(building: Building, plain: Operation, node: Node) -> int:
    found = building.graph.captures[node.name]
    if found.variable:
        refers = Refers((found.variable,), RESOURCE)
        return building.add(replace(plain, kind=VAR, of=found.variable), refers)
    if found.digest:
        known = replace(plain, function="Const", value=found.value, digest=found.digest)
        return building.add(known)
    return building.add(replace(plain, kind=SOURCE))


def _shares(building: Building, inputs: list[Port]) -> bool:
    return bool(inputs) and building.refers(inputs[0]).how in (REFERENCE, ALIAS)


def _share_memory(building: Building, plain: Operation, node: Node, inputs: list[Port]) -> int:
    """Hands the memory of a variable on; what its other inputs are is read here."""
    others = building.accesses(node, inputs[1:])
    refers = building.refers(inputs[0])
    kind = READ if others else FUNCTION
    return building.add(replace(plain, kind=kind, accesses=others), refers._replace(how=ALIAS))


def _flow(building: Building, plain: Operation, node: Node, is_head: bool) -> Operation:
    if node.kind in kinds.SWITCHES and len(plain.inputs) == 2:
        value, decision = plain.inputs
        ends = (value, building.read(decision))
        return replace(plain, kind=SWITCH, inputs=ends, slots=2)
    if node.kind in kinds.MERGES:
        return replace(plain, kind=HEAD if is_head else MERGE)
    if node.kind in kinds.EXITS:
        return replace(plain, kind=EXIT)
    return plain if node.overlapping is None else replace(plain, value=node.overlapping)


def _collective(plain: Operation, node: Node) -> Operation:
    name = (
        node.name.rpartition("/")[2]
        if node.attributes.get("ignore_name_scope") == "b: true"
        else ""
    )
    agreed = {key: each for key, each in node.attributes.items() if _is_agreed(key)}
    shape = node.shape
    if shape and node.kind in ("HorovodAllgather", "HorovodAlltoall"):
        shape = shape[1:]  # these take another number of rows from each worker
    words = [node.kind, *(f"{key}={each}" for key, each in sorted(agreed.items()))]
    return replace(
        plain,
        kind=COLLECTIVE,
        of=node.label or name or plain.name,
        digest=" ".join([*words, f"shape={list(shape)}" if shape is not None else ""]).strip(),
        agrees=node.kind not in kinds.PARTING
        and node.attributes.get("process_set_id") in (None, "i: 0"),
    )


def _is_agreed(attribute: str) -> bool:
    """Whether workers must agree about it; what begins with `_` TensorFlow notes for itself."""
    return attribute != "ignore_name_scope" and not attribute.startswith("_")


def _waiting(building: Building, plain: Operation, node: Node, inputs: list[Port]) -> Operation:
    """Queues: what is put in waits for room, what is taken out for an entry."""
    if node.kind in kinds.QUEUES:
        name = (node.label or plain.name).rstrip("/")
        room = 1 if node.kind in kinds.MUTEXES else node.capacity or -1
        building.queues[name] = room
        building.unordered |= {name} if node.kind in kinds.UNORDERED else set()
        return replace(plain, of=name)
    if node.kind in kinds.STAGES and node.label and not node.label.startswith("distify_probe"):
        building.queues.setdefault(node.label, node.capacity or -1)
        kind = ENQUEUE if node.kind == "Stage" else DEQUEUE
        return replace(plain, kind=kind, of=node.label)
    if node.kind in kinds.ENQUEUES | kinds.DEQUEUES and inputs:
        queue = building.operations[inputs[0].of].of
        kind = ENQUEUE if node.kind in kinds.ENQUEUES else DEQUEUE
        return replace(plain, kind=kind, of=queue) if queue in building.queues else plain
    return plain


def _touching(building: Building, plain: Operation, node: Node, inputs: list[Port]) -> int:
    found = building.accesses(node, inputs)
    writes = any(access.how != READS for access in found)
    if node.by == "aggregation":
        raise Unmodelled(
            "gradients of several passes are added up (`backward_passes_per_step`): that they are "
            "applied only where they were averaged hangs on two decisions that are not related here"
        )
    if node.others and _does_anything(building, node):
        raise Unmodelled(
            f"{plain.name} ({node.kind}) trains in a function that it may run any time"
        )
    kind = plain.kind
    if kind == FUNCTION and found:
        kind = ASSIGN if writes else READ
    random = node.kind in building.graph.stateful and node.kind not in kinds.DECIDED
    if node.kind in kinds.FED | kinds.OWN or (kind == FUNCTION and random):
        kind = SOURCE
    operation = replace(plain, kind=kind, accesses=found)
    if writes and building.refers(inputs[0]).how == REFERENCE:
        return building.add(operation, building.refers(inputs[0]))  # its output refers to it, too
    if node.kind in kinds.MAY_SHARE:
        shared = [each for port in inputs if (each := building.refers(port)).how == ALIAS]
        names = tuple(name for each in shared for name in each.variables)
        return building.add(operation, Refers(names, ALIAS) if names else NOTHING)
    return building.add(operation)


def _does_anything(building: Building, node: Node) -> bool:
    """Whether the functions under an unknown attribute change variables or wait for others."""
    library, waiting, seen = building.graph.library, list(node.others), set[str]()
    while waiting:
        name = waiting.pop()
        if name in seen or name not in library:
            continue
        seen.add(name)
        for each in library[name].nodes:
            if each.kind in kinds.COLLECTIVES | kinds.ADDING | kinds.SETTING:
                return True
            if each.kind.startswith(("ResourceApply", "ResourceScatter")):
                return True
            waiting += [*each.others, *each.calls.values()]
    return False
