"""Operations and functions of a graph as plain data, with the lines that they came from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any

from . import fetched, inside, places

# Attributes that name a function which an operation calls, in the order of its parts.
CALLED = ("f", "cond", "body", "then_branch", "else_branch")


def node(definition: Any, about: dict[str, Any]) -> dict[str, Any]:
    """One operation: `n` name, `o` kind, `i` inputs, and the attributes that decide anything."""
    found: dict[str, Any] = {"n": definition.name, "o": definition.op, "i": list(definition.input)}
    attributes = definition.attr
    found.update({key: attributes[key].func.name for key in CALLED if _calls(attributes, key)})
    found["calls"] = list(_others(attributes))
    for key in ("tensor_name", "shared_name", "frame_name"):
        if key in attributes:
            found[key] = attributes[key].s.decode("utf-8", "replace")
    if "capacity" in attributes:
        found["capacity"] = attributes["capacity"].i
    if "parallel_iterations" in attributes and definition.op.endswith("Enter"):
        found["overlapping"] = attributes["parallel_iterations"].i
    if "Tstate" in attributes:
        found["states"] = len(attributes["Tstate"].list.type)
    if definition.op == "Const":
        found.update(_constant(attributes["value"].tensor))
    if definition.op.startswith("Horovod"):
        found["attributes"] = {key: _text(value) for key, value in sorted(attributes.items())}
    found.update(about)
    return {key: value for key, value in found.items() if key == "shape" or value not in ([], "")}


def _calls(attributes: Any, key: str) -> bool:
    return key in attributes and attributes[key].HasField("func")


def _others(attributes: Any) -> Iterator[str]:
    """Functions under any other attribute: the branches of a Case, what a dataset maps."""
    for key, value in sorted(attributes.items()):
        if value.HasField("func") and key not in CALLED:
            yield value.func.name
        yield from (each.name for each in value.list.func)


def _text(value: Any) -> str:
    return " ".join(str(value).split())[:200]


def _constant(tensor: Any) -> dict[str, Any]:
    """A digest of every value; a truth or a whole number itself, as branches are decided by it."""
    digest = hashlib.sha256(tensor.SerializeToString(deterministic=True)).hexdigest()[:24]
    found: dict[str, Any] = {"digest": digest}
    if not tensor.tensor_shape.dim:
        values = [*tensor.bool_val, *tensor.int_val, *tensor.int64_val]
        if len(values) == 1:
            found["value"] = values[0] if isinstance(values[0], bool) else int(values[0])
    return found


def body(definition: Any, known: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """A function: its arguments, its operations, what it returns and what it must run."""
    signature = definition.signature
    return {
        "arguments": [each.name for each in signature.input_arg],
        "nodes": [node(each, known.get(each.name, {})) for each in definition.node_def],
        "returns": [definition.ret[each.name] for each in signature.output_arg],
        "controls": sorted(definition.control_ret.values()),
    }


def known(operations: Iterable[Any]) -> dict[str, dict[str, Any]]:
    """What only the operations themselves know, by their names: line, and shape of a collective."""
    return {each.name: dict(_known(each)) for each in operations}


def _known(operation: Any) -> Iterator[tuple[str, Any]]:
    for frame in reversed(list(operation.traceback or ())):
        if places.is_the_users(frame.filename):
            yield "w", places.name(frame.filename, frame.lineno)
            break
    if operation.type.startswith("AssignAdd") and _aggregates(operation):
        yield "by", "aggregation"
    if fetched.is_collective(operation) and operation.inputs:
        shape = operation.inputs[0].shape
        if shape.rank is not None:
            yield "shape", [-1 if size is None else int(size) for size in shape.as_list()]


def _aggregates(operation: Any) -> bool:
    """Whether Horovod adds gradients up with it, to average them after several passes."""
    return any("gradient_aggregation" in frame.filename for frame in operation.traceback or ())


def library(graph: Any, definitions: Iterable[Any]) -> dict[str, dict[str, Any]]:
    """Every function that a graph brings along, by its name."""
    return {each.signature.name: body(each, _traced(graph, each)) for each in definitions}


def _traced(graph: Any, definition: Any) -> dict[str, dict[str, Any]]:
    """What is known of a function's operations, where the graph it was traced into is there."""
    function = graph._get_function(definition.signature.name)
    traced = getattr(function, "_cached_graph", None) or getattr(function, "_graph", None)
    if traced is None and hasattr(function, "_func_graph_ref"):  # TensorFlow 2.12
        traced = function._func_graph_ref()
    return known(traced.get_operations()) if traced is not None else {}


def stateful(kinds: Iterable[str]) -> list[str]:
    """Those kinds of operations whose result their inputs alone don't decide, or that do things."""
    registry = inside.python("framework.op_def_registry")
    found = []
    for kind in sorted(set(kinds)):
        definition = registry.get(kind)
        if definition is None or definition.is_stateful:
            found.append(kind)
    return found


def reading() -> list[str]:
    """The kinds of operations that only read the resources that they are given."""
    utils = inside.python("framework.auto_control_deps_utils")
    return sorted(getattr(utils, "RESOURCE_READ_OPS", ()))
