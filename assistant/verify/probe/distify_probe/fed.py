"""What the sessions of TF 1 train on: what they are fed, and what they take from tf.data."""

from __future__ import annotations

import weakref
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any, Callable

from . import batches, consumed, imports, inside, plans, record

_taken: Any = weakref.WeakKeyDictionary()  # by graph: the tensors of every get_next()


@imports.when_imported("tensorflow.python.data.ops.iterator_ops")
def hook_get_next(module: ModuleType) -> None:
    """`iterator.get_next()` of a graph: its tensors can be fetched beside the step's."""
    imports.replace(module.Iterator, "get_next", _around_get_next)


def _around_get_next(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    element = original(*args, **kwargs)
    _note(element)
    return element


@record.careful("examples")
def _note(element: Any) -> None:
    if not inside.in_function():
        for tensor in batches.leaves(element):
            _taken.setdefault(tensor.graph, []).append(tensor)


class _Examples(plans.Rider):
    """Rides along with every training run of a session."""

    def fetches(self, operations: Mapping[str, Any]) -> Sequence[Any]:
        """What the run takes from tf.data anyway; inside of a condition it may not be there."""
        graphs = {id(each.graph): each.graph for each in operations.values()}
        tensors = [t for graph in graphs.values() for t in _taken.get(graph, ())]
        return [tensor for tensor in tensors if _is_dense(tensor) and _is_certain(tensor)]

    def took(self, feeds: Mapping[Any, Any], values: Mapping[Any, Any]) -> None:
        """Called after each step."""
        if not consumed.is_full():
            _write(feeds, values)


def _is_dense(tensor: Any) -> bool:
    return hasattr(tensor, "op")


def _is_certain(tensor: Any) -> bool:
    return tensor.op._get_control_flow_context() is None


@record.careful("examples")
def _write(feeds: Mapping[Any, Any], values: Mapping[Any, Any]) -> None:
    mine = {
        plans.key(tensor)
        for tensors in _taken.values()
        for tensor in (t for t in tensors if _is_dense(t))
    }
    consumed.wrote("graph", [value for key, value in values.items() if key in mine])
    consumed.wrote("feed", [each for each in feeds.values() if hasattr(each, "dtype")])


plans.ride(_Examples())
