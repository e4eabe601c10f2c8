"""Writes each graph that a program runs, whatever it is for: `distify race` judges their orders.

Nothing else is watched, and nothing is added to a graph. Functions are written where eager code
calls them, runs of a session by what they depend on.
"""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any, Callable

from . import clustered, fetched, graph_lines, grappled, imports, inside, places, record, setting

MANY = 64  # graphs, as many as are read
REWRITTEN = bool(setting.OPTIONS.get("rewritten"))  # what Grappler makes of them is asked, too
_lock = threading.RLock()
_under_way: list[Any] = []  # the keys of runs
_overlapped: set[tuple[int, int]] = set()
FUNCTIONS = "tensorflow.python.eager.polymorphic_function."


@imports.when_imported(f"{FUNCTIONS}concrete_function", f"{FUNCTIONS}monomorphic_function")
def hook_functions(module: ModuleType) -> None:
    """Every call of a traced function."""
    imports.replace(module.ConcreteFunction, "_call_flat", _call)


@imports.when_imported("tensorflow.python.client.session")
def hook_sessions(module: ModuleType) -> None:
    """All sessions of Python come through BaseSession."""
    base = module.BaseSession
    imports.replace(base, "_do_run", _do_run)
    imports.replace(base, "_make_callable_from_options", _make_callable_from_options)
    imports.replace(base, "make_callable", _make_callable)
    imports.replace(base, "partial_run", _partial_run)


def _call(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    new = _function(args[0], args[1] if len(args) > 1 else ())
    result = original(*args, **kwargs)
    _has_run(new)
    return result


def _has_run(new: Any) -> None:
    """What TensorFlow made of a graph is known once it has run for the first time."""
    if new is not None and REWRITTEN:
        clustered.write(*new)


@record.careful("model")
def _function(function: Any, tensors: Sequence[Any]) -> Any:
    """Writes a function that is new, and gives its key, its graph and what was written."""
    graph = function.graph
    if inside.eager() and _is_the_programs(graph) and graph_lines.is_new(id(graph), MANY):
        found = graph_lines.of_function(graph, tensors, ())
        graph_lines.write(id(graph), graph, found)
        if REWRITTEN:
            wanted = [tensor.op.name for tensor in graph.outputs]
            wanted += [each.name for each in getattr(graph, "control_outputs", ())]
            grappled.write(id(graph), graph, found, wanted)
        return id(graph), graph, found
    return None


def _is_the_programs(graph: Any) -> bool:
    """Whether the program calls it: libraries have functions of their own."""
    return places.where() is not None and bool(graph.get_operations())


def _do_run(
    original: Callable[..., Any], session: Any, handle: Any, targets: Any, fetches: Any,
    feeds: Any, *more: Any,
) -> Any:  # fmt: skip
    if handle is not None:
        return original(session, handle, targets, fetches, feeds, *more)
    key, new = _run(session, targets, fetches, feeds) or (None, None)
    with _running(key):
        result = original(session, handle, targets, fetches, feeds, *more)
    _has_run(new)
    return result


@contextlib.contextmanager
def _running(key: Any) -> Iterator[None]:
    """Notes which runs are under way at once: threads may share a session."""
    with _lock:
        for other in _under_way if key is not None else ():
            _overlap(*sorted((graph_lines.number(key), graph_lines.number(other))))
        _under_way.append(key)
    try:
        yield
    finally:
        with _lock:
            _under_way.remove(key)


def _overlap(one: int, other: int) -> None:
    if min(one, other) >= 0 and (one, other) not in _overlapped:
        _overlapped.add((one, other))
        record.write("overlap", one=one, other=other)


@record.careful("model")
def _run(session: Any, targets: Sequence[Any], fetches: Sequence[Any], feeds: Any) -> Any:
    """Writes what a run depends on, where it is new; gives its key, and what was written."""
    graph, new = session.graph, None
    key = (id(graph), *fetched.key(targets, fetches))
    with _lock:
        if (targets or fetches) and graph_lines.is_new(key, MANY):
            running = fetched.behind([*targets, *(tensor.op for tensor in fetches)])
            found = graph_lines.of_session(graph, running, feeds)
            graph_lines.write(key, graph, found)
            if REWRITTEN:
                wanted = [each.name for each in (*targets, *(tensor.op for tensor in fetches))]
                grappled.write(key, graph, found, wanted, getattr(session, "_config", None))
            new = (key, graph, found)
    return key, new


def _make_callable_from_options(original: Callable[..., Any], session: Any, options: Any) -> Any:
    _of_options(session, options)
    return original(session, options)


@record.careful("model")
def _of_options(session: Any, options: Any) -> None:
    find = session.graph.as_graph_element
    targets = [find(name, allow_tensor=False) for name in options.target]
    found = [find(name) for name in options.fetch]
    _run(session, targets, [each for each in found if hasattr(each, "op")], {})


def _make_callable(
    original: Callable[..., Any], session: Any, fetches: Any, feed_list: Any = None,
    accept_options: bool = False,
) -> Any:  # fmt: skip
    _of_fetches(session, fetches)
    return original(session, fetches, feed_list, accept_options)


@record.careful("model")
def _of_fetches(session: Any, fetches: Any) -> None:
    handler = sys.modules["tensorflow.python.client.session"]._FetchHandler
    flat = handler(session.graph, fetches, {})
    _run(session, flat.targets(), flat.fetches(), {})


def _partial_run(original: Callable[..., Any], session: Any, *args: Any, **kwargs: Any) -> Any:
    record.blind("model", graph_lines.IN_PARTS)
    return original(session, *args, **kwargs)
