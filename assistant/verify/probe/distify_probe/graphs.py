"""TF 1's graphs: which runs of a session are training steps, and what is read beside them.

A run is a step if what it fetches depends on an operation that an optimizer's `apply_gradients`
made; so Session, MonitoredTrainingSession (hooks fetch through it too), Estimator and Keras in
graph mode are all seen in two places of `BaseSession`. Nothing is ever added to a graph: it may be
finalized, and TensorFlow derives the seeds of random operations from the number of operations.

A module that wants to see what a step consumed gives `plans.ride` a `Rider`.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any, Callable

from . import collectives, graph_trained, horovod, imports, record, steps
from .plans import Plan, is_idle, key, plan_of, riders

# Told the plan of a run that trains, its session and what is fed, before it runs.
before_run: list[Callable[[Plan, Any, Mapping[Any, Any]], None]] = []
before_part: list[Callable[[], None]] = []  # told that a part of a graph is run (`partial_run`)

# ---------------------------------------------------------------- around one run


def watched(
    plan: Plan, session: Any, feeds: Mapping[Any, Any], run: Callable[[Sequence[Any]], list[Any]]
) -> list[Any]:
    """Runs a session; `run(along)` gives all values, those of the tensors `along` at the end."""
    _enter(plan, session)
    entered = steps.before(plan.trained)
    for tell in before_run if plan.trained else ():
        tell(plan, session, feeds)
    values: dict[Any, Any] = {}
    try:
        results = _waiting_run(plan, run)
        values = _taken(plan, results)
        _count(plan, values)
    finally:
        steps.after(entered)
    _tell(plan, feeds, values)
    return results[: len(results) - len(plan.along)]


def _waiting_run(plan: Plan, run: Callable[[Sequence[Any]], list[Any]]) -> list[Any]:
    if not plan.collectives:
        return run(plan.along)
    with collectives.waiting(plan.kind(), plan.collectives[0]):
        return run(plan.along)


@record.careful("steps")
def _enter(plan: Plan, session: Any) -> None:
    for trained in plan.trained:
        trained.entering(session)
    if plan.trained:
        session.__dict__.setdefault("_distify_trained", {}).update(
            (id(trained), trained) for trained in plan.trained
        )


def _taken(plan: Plan, results: list[Any]) -> dict[Any, Any]:
    count = len(plan.along)
    return {id(t): value for t, value in zip(plan.along, results[len(results) - count :])}


@record.careful("steps")
def _count(plan: Plan, values: dict[Any, Any]) -> None:
    for trained in plan.trained:
        rate = values.get(id(trained.rate_tensor))
        trained.stepped(None if rate is None else float(rate))


@record.careful("steps")
def _tell(plan: Plan, feeds: Mapping[Any, Any], values: dict[Any, Any]) -> None:
    for fields in plan.broadcasts:
        horovod.ran(fields)
    for trained in plan.trained:
        if id(trained.loss) in values:
            loss = float(values[id(trained.loss)])
            record.write("loss", steps=trained.made, optimizer=trained.id, value=loss)
    if plan.trained:
        named = {key(tensor): values[id(tensor)] for tensor in plan.along}
        for rider in riders:
            with record.blind_on_failure("examples"):
                rider.took(feeds, named)


# ---------------------------------------------------------------- hooks


@imports.when_imported("tensorflow.python.client.session")
def hook_sessions(module: ModuleType) -> None:
    """All sessions of Python come through BaseSession; Keras makes callables of its own."""
    base = module.BaseSession
    imports.replace(base, "_do_run", _do_run)
    imports.replace(base, "_make_callable_from_options", _make_callable_from_options)
    imports.replace(base, "make_callable", _make_callable)
    imports.replace(base, "partial_run", _partial_run)
    imports.replace(base, "close", _close)
    imports.replace(base, "__del__", _close)


def _do_run(
    original: Callable[..., Any], session: Any, handle: Any, targets: Any, fetches: Any,
    feeds: Any, *more: Any,
) -> Any:  # fmt: skip
    if handle is not None or graph_trained.reading():
        return original(session, handle, targets, fetches, feeds, *more)
    plan = plan_of(session.graph, targets, fetches)
    if plan is None or is_idle(plan):
        return original(session, handle, targets, fetches, feeds, *more)

    def run(along: Sequence[Any]) -> list[Any]:
        values = original(session, handle, targets, [*fetches, *along], feeds, *more)
        return list(values)

    return watched(plan, session, feeds, run)


def _make_callable_from_options(original: Callable[..., Any], session: Any, options: Any) -> Any:
    plan = _plan_of_options(session, options)
    if plan is None or not plan.trained:
        return original(session, options)
    more = type(options)()
    more.CopyFrom(options)
    more.fetch.extend(tensor.name for tensor in plan.along)
    return _Callable(plan, session, original(session, more), list(options.feed))


@record.careful("steps")
def _plan_of_options(session: Any, options: Any) -> Plan | None:
    find = session.graph.as_graph_element
    targets = [find(name, allow_tensor=False) for name in options.target]
    found = [find(name) for name in options.fetch]
    fetches = [each for each in found if hasattr(each, "op")]
    return plan_of(session.graph, targets, fetches)


class _Callable:
    """What Keras calls in graph mode: one function for one set of feeds and fetches."""

    def __init__(self, plan: Plan, session: Any, call: Any, feeds: Sequence[str]) -> None:
        self._plan, self._session, self._call = plan, session, call
        self._feeds = [key(session.graph.get_tensor_by_name(name)) for name in feeds]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        def run(along: Sequence[Any]) -> list[Any]:
            return list(self._call(*args, **kwargs))

        return watched(self._plan, self._session, dict(zip(self._feeds, args)), run)


def _make_callable(
    original: Callable[..., Any], session: Any, fetches: Any, feed_list: Any = None,
    accept_options: bool = False,
) -> Any:  # fmt: skip
    if not _trains(session, fetches):
        return original(session, fetches, feed_list, accept_options)

    def call(*feeds: Any, **options: Any) -> Any:  # as TensorFlow itself does where feeds are given
        return session.run(fetches, feed_dict=dict(zip(feed_list or (), feeds)), **options)

    return call


@record.careful("steps")
def _trains(session: Any, fetches: Any) -> bool:
    handler = sys.modules["tensorflow.python.client.session"]._FetchHandler
    flat = handler(session.graph, fetches, {})
    plan = plan_of(session.graph, flat.targets(), flat.fetches())
    return plan is not None and bool(plan.trained)


def _partial_run(original: Callable[..., Any], session: Any, *args: Any, **kwargs: Any) -> Any:
    record.blind("steps", "steps made by Session.partial_run are not seen")
    for tell in before_part:
        tell()
    return original(session, *args, **kwargs)


def _close(original: Callable[..., Any], session: Any) -> None:
    _freeze(session)
    original(session)


@record.careful("variables")
def _freeze(session: Any) -> None:
    if getattr(session, "_closed", True) or sys.is_finalizing():
        return
    for trained in session.__dict__.pop("_distify_trained", {}).values():
        trained.freeze(session)
