"""TensorFlow's own modules, for hooks: only used once the program has imported TensorFlow."""

from __future__ import annotations

import importlib
from typing import Any


def python(name: str) -> Any:
    """`tensorflow.python.<name>`; part of every TensorFlow from 2.12 to 2.18."""
    return importlib.import_module(f"tensorflow.python.{name}")


def core(name: str) -> Any:
    """`tensorflow.core.protobuf.<name>`."""
    return importlib.import_module(f"tensorflow.core.protobuf.{name}")


def graph_of(text: str) -> Any:
    """A GraphDef of its text."""
    made = importlib.import_module("tensorflow.core.framework.graph_pb2").GraphDef()
    return importlib.import_module("google.protobuf.text_format").Parse(text, made)


def eager() -> bool:
    """Whether operations run at once here (else they are built into a graph)."""
    return bool(python("eager.context").executing_eagerly())


def in_function() -> bool:
    """Whether operations are built into a `tf.function`, rather than a graph of TF 1."""
    return bool(python("framework.ops").inside_function())


def in_eager_program() -> bool:
    """False where the program trains with graphs and sessions: the cells don't reach there."""
    return bool(python("framework.ops").executing_eagerly_outside_functions())


def in_xla() -> bool:
    """Whether the graph that is being built will be compiled by XLA."""
    graph = python("framework.ops").get_default_graph()
    return bool(python("ops.control_flow_util").GraphOrParentsInXlaContext(graph))


def stack(tensors: list[Any]) -> Any:
    """`tf.stack`, which has moved since TensorFlow 2.12."""
    try:
        return python("ops.array_ops_stack").stack(tensors)
    except ImportError:
        return python("ops.array_ops").stack(tensors)


def numpy() -> Any:
    """numpy, which TensorFlow brings along."""
    return importlib.import_module("numpy")
