"""Leaves the probe's own operations out of what the program saves."""

from __future__ import annotations

from types import ModuleType
from typing import Any, Callable

from . import imports, record

MARK = "distify_probe"  # in the name of every operation that the probe builds into a function


@imports.when_imported("tensorflow.python.saved_model.save")
def hook(module: ModuleType) -> None:
    """`tf.saved_model.save` of an object with a compiled training step saves that step, too."""
    imports.replace(module, "_fill_meta_graph_def", _fill)


def _fill(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    result = original(*args, **kwargs)
    with record.blind_on_failure("steps"):
        graph = args[0] if args else kwargs["meta_graph_def"]
        for function in graph.graph_def.library.function:
            clean(function)
    return result


def clean(function: Any) -> None:
    """Takes the probe's operations out of a FunctionDef; no other one uses what they compute."""
    kept = [node for node in function.node_def if MARK not in node.name]
    if len(kept) == len(function.node_def):
        return
    for node in kept:
        inputs = [name for name in node.input if not (name.startswith("^") and MARK in name)]
        del node.input[:]
        node.input.extend(inputs)
    copies = [type(node).FromString(node.SerializeToString()) for node in kept]
    del function.node_def[:]
    function.node_def.extend(copies)
    for name in [name for name, node in function.control_ret.items() if MARK in node]:
        del function.control_ret[name]
    del function.signature.control_output[:]
    function.signature.control_output.extend(sorted(function.control_ret))
