"""Hooks into what builds training into graphs of TF 1: losses, optimizers, what applies them."""

from __future__ import annotations

import threading
from types import ModuleType
from typing import Any, Callable

from . import imports, inside, record
from .graph_trained import GraphTrained
from .optimizers import is_distributed, with_a_list

_through_horovod = threading.local()


@imports.when_imported("horovod.tensorflow")
def hook_wrapper(module: ModuleType) -> None:
    """What is applied through Horovod's wrapper of a TF 1 optimizer is distributed."""
    for name in ("_DistributedOptimizer", "_DistributedAdasumOptimizer"):
        if hasattr(module, name):
            imports.replace(getattr(module, name), "apply_gradients", _through_the_wrapper)


def _through_the_wrapper(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    before = getattr(_through_horovod, "inside", False)
    _through_horovod.inside = True
    try:
        return original(*args, **kwargs)
    finally:
        _through_horovod.inside = before


@imports.when_imported(
    "tensorflow.python.training.optimizer",
    "keras.optimizers.legacy.optimizer_v2",
    "keras.src.optimizers.legacy.optimizer_v2",
    "tf_keras.src.optimizers.legacy.optimizer_v2",
    "tensorflow.python.keras.optimizer_v2.optimizer_v2",
)
def hook_apply(module: ModuleType) -> None:
    """Every optimizer that can be built into a graph applies its gradients in one of these."""
    owner = getattr(module, "OptimizerV2", None) or module.Optimizer
    imports.replace(owner, "apply_gradients", _apply)


def _apply(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    graph = _session_graph()
    if graph is None:
        return original(*args, **kwargs)
    args, kwargs = with_a_list(args, kwargs)
    result = original(*args, **kwargs)
    _note_apply(graph, result, *args, **kwargs)
    return result


def _session_graph() -> Any:
    """The graph of TF 1 that is being built, if one is (also from within a branch of it)."""
    if inside.eager() or inside.in_eager_program():
        return None
    graph = inside.python("framework.ops").get_default_graph()
    while hasattr(graph, "outer_graph"):
        graph = graph.outer_graph
    return graph


@record.careful("optimizers")
def _note_apply(
    graph: Any, result: Any, optimizer: Any, grads_and_vars: Any, global_step: Any = None, **_: Any
) -> None:
    trained = of(graph, optimizer)
    variables = [variable for gradient, variable in grads_and_vars if gradient is not None]
    mine = {variable.name for variable in variables}
    slots = [slot for slot in _own_variables(graph, optimizer) if slot.name not in mine]
    trained.loss = getattr(graph, "_distify_loss", None)
    trained.add(getattr(result, "op", result), variables, [*slots, global_step])
    trained.learn(optimizer)
    _note_functions(trained, inside.python("framework.ops").get_default_graph())
    # The optimizer gets its number when it is run; until then it is known by its place.
    record.write("apply", optimizer=None, traced=True, where=trained.where)


def _own_variables(graph: Any, optimizer: Any) -> list[Any]:
    with graph.as_default():  # a TF 1 optimizer tells only the variables of the default graph
        method = getattr(optimizer, "variables", ())
        return list(method() if callable(method) else method)


def _note_functions(trained: GraphTrained, graph: Any) -> None:
    while hasattr(graph, "outer_graph"):
        trained.functions.add(graph.name)
        graph = graph.outer_graph


def all_of(graph: Any) -> list[GraphTrained]:
    """The optimizers that were built into a graph."""
    if not hasattr(graph, "_distify_trained"):
        graph._distify_trained = {}
    return [trained for _, trained in graph._distify_trained.values()]


def of(graph: Any, optimizer: Any) -> GraphTrained:
    """The one of an optimizer; its distribution is part of it: an alias may be both."""
    all_of(graph)
    distributed = getattr(_through_horovod, "inside", False) or is_distributed(optimizer)
    key = (id(optimizer), distributed)
    if key not in graph._distify_trained:
        graph._distify_trained[key] = (optimizer, GraphTrained(optimizer, graph, distributed))
    trained: GraphTrained = graph._distify_trained[key][1]
    return trained


@imports.when_imported("tensorflow.python.ops.gradients_util")
def hook_gradients(module: ModuleType) -> None:
    """The loss is what gradients are taken of, by an optimizer or by `tf.gradients`."""
    imports.replace(module, "_GradientsHelper", _gradients)


def _gradients(original: Callable[..., Any], ys: Any, *args: Any, **kwargs: Any) -> Any:
    _note_loss(ys)
    return original(ys, *args, **kwargs)


@record.careful("loss")
def _note_loss(ys: Any) -> None:
    first = ys[0] if isinstance(ys, (list, tuple)) and len(ys) == 1 else ys
    graph = getattr(first, "graph", None)
    if graph is None or hasattr(graph, "outer_graph") or inside.eager():
        return
    if first.shape.rank == 0 and first.dtype.is_floating:
        graph._distify_loss = first
