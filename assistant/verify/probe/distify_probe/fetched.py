"""What a run of a session depends on: the operations behind its fetches, and what they mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

# Not among these: HorovodSize, HorovodRank and their like, which wait for nobody.
COLLECTIVES = ("Allreduce", "Allgather", "Broadcast", "Alltoall", "Reducescatter", "Join")
READS = ("VarHandleOp", "ReadVariableOp", "VariableV2", "Variable")
FEEDS = ("Placeholder", "PlaceholderV2")


def behind(starts: Iterable[Any]) -> dict[str, Any]:
    """All operations that run for `starts`, by name: inputs and control inputs, transitively."""
    found: dict[str, Any] = {}
    waiting = list(starts)
    while waiting:
        operation = waiting.pop()
        if operation.name not in found:
            found[operation.name] = operation
            waiting.extend(tensor.op for tensor in operation.inputs)
            waiting.extend(operation.control_inputs)
    return found


def is_collective(operation: Any) -> bool:
    """Whether all workers must run an operation."""
    kind = str(operation.type)
    return kind.startswith("Horovod") and any(name in kind for name in COLLECTIVES)


def functions(operation: Any) -> list[str]:
    """The names of the functions that an operation calls (a branch of `If`, a loop's body)."""
    names = []
    for value in operation.node_def.attr.values():
        names += [value.func.name] if value.HasField("func") else []
        names += [each.name for each in value.list.func]
    return names


def calls(operation: Any) -> bool:
    """Whether an operation may have functions; few have, and asking is slow."""
    return any(attribute.type in ("func", "list(func)") for attribute in operation.op_def.attr)


def collectives_within(operation: Any) -> list[str]:
    """The names of the collectives in the functions that an operation calls, nested ones too."""
    graph, found = operation.graph, []
    seen: set[str] = set()
    waiting = functions(operation)
    while waiting:
        name = waiting.pop()
        definition = None if name in seen else function_of(graph, name)
        if definition is None:
            continue
        seen.add(name)
        for node in definition.node_def:
            if node.op.startswith("Horovod") and any(each in node.op for each in COLLECTIVES):
                found.append(f"{operation.name}/{node.name}")
            waiting += [a.func.name for a in node.attr.values() if a.HasField("func")]
    return found


def function_of(graph: Any, name: str) -> Any:
    """A function of a graph, by its name; None where there is none."""
    function = graph._get_function(name)
    for attribute in ("cached_definition", "definition"):  # TensorFlow 2.13, 2.12
        if function is not None and hasattr(function, attribute):
            return getattr(function, attribute)
    return None


def rides_along(tensor: Any, running: dict[str, Any]) -> bool:
    """Whether fetching a tensor makes nothing happen that `running` would not do by itself.

    What it needs beyond `running` must have no state (no random numbers, no next element) and want
    no feed; variables may be read.
    """
    if not tensor.graph.is_fetchable(tensor):
        return False
    return all(
        name in running or operation.type in READS or _is_pure(operation)
        for name, operation in behind([tensor.op]).items()
    )


def _is_pure(operation: Any) -> bool:
    if operation.type in FEEDS or operation.op_def.is_stateful:
        return False
    return not calls(operation)  # what a function does is not looked into


def changes_nothing(tensor: Any) -> bool:
    """The same for a tensor that is fetched by itself."""
    return rides_along(tensor, {})


def key(targets: Sequence[Any], fetches: Sequence[Any]) -> tuple[str, ...]:
    """What tells one set of fetches of a graph from another."""
    return (*(each.name for each in targets), "", *(each.name for each in fetches))
