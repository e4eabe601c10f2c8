"""Watches compiled functions: which of them train, and the outermost calls of those."""

from __future__ import annotations

from types import ModuleType
from typing import Any, Callable

from . import imports, inside, record, steps
from .trained import Trained

_MARK = "_distify_steps"
# Told the function, whose steps it may make, and its tensors, before it runs from eager code.
before_any: list[Callable[[Any], None]] = []  # told every function that is called from anywhere
before_call: list[Callable[[Any, list[Trained], Any], None]] = []


@imports.when_imported(
    "tensorflow.python.eager.polymorphic_function.concrete_function",
    "tensorflow.python.eager.polymorphic_function.monomorphic_function",  # TensorFlow 2.12
)
def hook(module: ModuleType) -> None:
    """Every call of a traced function comes through here, from eager code and while tracing."""
    imports.replace(module.ConcreteFunction, "_call_flat", _call)


def mark(trained: Trained) -> None:
    """Says of the function that is being traced, and of those around it, that it trains."""
    graph = inside.python("framework.ops").get_default_graph()
    while graph is not None and getattr(graph, "building_function", False):
        marked = getattr(graph, _MARK, [])
        if trained not in marked:
            setattr(graph, _MARK, [*marked, trained])
        graph = graph.outer_graph


def _call(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    about = _about(args[0])
    for look in before_any:
        look(args[0])
    entered = steps.before(about) if about else False
    for tell in before_call if entered else ():
        tell(args[0], about, args[1] if len(args) > 1 else ())
    try:
        return original(*args, **kwargs)
    finally:
        steps.after(entered)


@record.careful("steps")
def _about(function: Any) -> list[Trained]:
    """Whose steps a call from eager code may make; a traced call passes them on."""
    about: list[Trained] = getattr(function.graph, _MARK, [])
    if about and not inside.eager():
        for trained in about:
            mark(trained)
        return []
    return about
