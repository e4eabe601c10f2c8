"""What the program asks of Horovod: to start, to average gradients, to broadcast variables."""

from __future__ import annotations

import collections
import inspect
import os
import threading
from types import ModuleType
from typing import Any, Callable

from . import collectives, imports, places, record, steps
from .naming import name_of
from .variables import plain

OFTEN = 100  # records of one kind; after that only what was not seen in that place before
NAMES = 50

_written: collections.Counter[str] = collections.Counter()
_places: set[tuple[Any, ...]] = set()


def _seldom(event: str, **fields: Any) -> None:
    """A record that each step would write again."""
    place = (event, *(str(fields[key]) for key in sorted(fields)))
    _written[event] += 1
    if _written[event] <= OFTEN or place not in _places:
        if len(_places) < 10 * OFTEN:
            _places.add(place)
        record.write(event, steps=sum(steps.now()), **fields)


# ---------------------------------------------------------------- init, collectives


@imports.when_imported("horovod.tensorflow.mpi_ops")
def hook_operations(module: ModuleType) -> None:
    """Here all of Horovod's functions for TensorFlow and Keras meet."""
    imports.replace(module, "init", _init)
    for name, kind in collectives.OPERATIONS.items():
        if hasattr(module.MPI_LIB, name):
            imports.replace(module.MPI_LIB, name, collectives.watched(kind))


def _init(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    record.write("init", where=places.where())
    before = _threads()
    with collectives.waiting("init", None):
        result = original(*args, **kwargs)
    _note_threads(before)
    return result


def _threads() -> set[int]:
    """All threads of this process, also those that Python doesn't know; none if not on Linux."""
    try:
        return set(map(int, os.listdir("/proc/self/task")))
    except OSError:
        return set()


@record.careful("collectives")
def _note_threads(before: set[int]) -> None:
    """Horovod's own threads look for work a thousand times a second as long as they live: whether
    this worker waits is told by the others."""
    numbers = (getattr(thread, "native_id", 0) for thread in threading.enumerate())  # not in 3.7
    new = _threads() - before - {number or 0 for number in numbers}
    with open(record.path("threads"), "a") as file:  # a second init() starts none
        file.write(" ".join(map(str, sorted(new))) + "\n")


# ---------------------------------------------------------------- gradients


@imports.when_imported("horovod.tensorflow")
def hook_averaging(module: ModuleType) -> None:
    """The tape, both kinds of optimizers and LossScale get their averaging function here."""
    imports.replace(module, "_make_allreduce_grads_fn", _make_averaging)


def _make_averaging(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    average = original(*args, **kwargs)
    given = _bound(original, args, kwargs)
    name = str(given.get("name", ""))

    @imports.not_converted
    def averaged(grads: Any, vars: Any = None, *more: Any, **named: Any) -> Any:
        eager = collectives.eager()
        _note_reduce(name, given, grads, vars, traced=not eager)
        if not eager:
            return average(grads, vars, *more, **named)
        with collectives.waiting("allreduce", name):
            return average(grads, vars, *more, **named)

    return averaged


def _bound(function: Any, args: Any, kwargs: Any) -> dict[str, Any]:
    """Arguments by their names; none where they can't be told."""
    try:
        return dict(inspect.signature(function).bind(*args, **kwargs).arguments)
    except (TypeError, ValueError):
        return {}


@record.careful("collectives")
def _note_reduce(name: str, given: dict[str, Any], grads: Any, sources: Any, traced: bool) -> None:
    reduced = [grad for grad in grads if grad is not None]
    members = collectives.members(getattr(given.get("process_set"), "process_set_id", 0))
    if not traced:  # the function below is compiled: it shows its collectives only once
        collectives.note("allreduce", name, reduced, members=members)
    _seldom(
        "reduce",
        by="tape" if name == "DistributedGradientTape" else "optimizer",
        of="variables" if all(map(is_variable, sources or ())) else "other",
        count=len(reduced),
        op=collectives.operation(given.get("op")),
        names=[name_of(plain(each)) for each in sources or () if is_variable(each)][:NAMES],
        members=members,
        traced=traced,
        where=places.where(),
    )


def is_variable(value: Any) -> bool:
    """Whether a source of gradients is a variable (Keras wraps some of them)."""
    return hasattr(value, "assign") and hasattr(value, "trainable")


# ---------------------------------------------------------------- broadcasts


@imports.when_imported("horovod.tensorflow.functions")
def hook_broadcasts(module: ModuleType) -> None:
    """Callbacks, hooks and `broadcast_global_variables` all come through these."""
    imports.replace(module, "broadcast_variables", _broadcast_variables)
    imports.replace(module, "broadcast_object", _broadcast_object)


def _broadcast_variables(
    original: Callable[..., Any], variables: Any, *args: Any, **kw: Any
) -> Any:
    variables = variables if isinstance(variables, (list, tuple)) else list(variables)
    root = kw.get("root_rank", args[0] if args else None)
    if not collectives.eager():
        result = original(variables, *args, **kw)
        _note_broadcast(variables, root, operation=result)
        return result
    members = getattr(kw.get("process_set"), "process_set_id", 0)
    _note_broadcast(variables, root, members)
    with collectives.waiting("broadcast", "broadcast_variables"):
        return original(variables, *args, **kw)


@record.careful("collectives")
def _note_broadcast(
    variables: list[Any], root: Any, process_set: Any = 0, operation: Any = None
) -> None:
    traced = not collectives.eager()
    names = list(map(name_of, variables))
    fields = {"count": len(names), "root": root, "names": names[:NAMES]}
    if not traced:
        members = collectives.members(process_set)
        collectives.note("broadcast", "broadcast_variables", variables, members=members)
    elif hasattr(operation, "graph"):
        _keep(operation, {**fields, "where": places.where()})
    _seldom("broadcast", **fields, traced=traced, where=places.where())


def _broadcast_object(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    _note_object(*args[1:2], **kwargs)
    return original(*args, **kwargs)


@record.careful("collectives")
def _note_object(root_rank: int = 0, name: str | None = None, **_: Any) -> None:
    # No variables: what it carries (weights, an epoch) is not known; its collectives are noted.
    names = [f"object {name or ''}".strip()]
    _seldom("broadcast", count=0, root=root_rank, names=names, traced=False, where=places.where())


def _keep(operation: Any, fields: dict[str, Any]) -> None:
    """A session of TF 1 may run it later."""
    graph = operation.graph
    if not hasattr(graph, "_distify_broadcasts"):
        graph._distify_broadcasts = {}
    graph._distify_broadcasts[operation.name] = fields


def ran(fields: dict[str, Any]) -> None:
    """A session ran what `broadcast_variables` had built."""
    _seldom("broadcast", **fields, traced=False)
