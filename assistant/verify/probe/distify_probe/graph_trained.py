"""Optimizers of graphs that sessions run: TF 1's own, and Keras' in graph mode."""

from __future__ import annotations

import re
import threading
import weakref
from collections.abc import Iterable, Sequence
from typing import Any

from . import (
    fetched,
    graph_rates,
    inside,
    optimizers,
    places,
    rates,
    record,
    setting,
    states,
    steps,
)
from .trained import Trained

STATISTICS = re.compile(r"moving_(mean|variance|avg)|renorm_")
_reading = threading.local()


class GraphTrained(Trained):
    """An optimizer of one graph; its values are read through the session that ran it last."""

    def __init__(self, optimizer: Any, graph: Any, distributed: bool) -> None:
        self.name = type(optimizer).__name__
        self.api = "keras-legacy" if "keras" in type(optimizer).__module__ else "v1"
        self.distributed = distributed
        self.where = places.where()
        self.made_at = optimizers.made_at(optimizer)
        self.graph = weakref.ref(graph)
        self.applies: set[str] = set()  # the operations that make a step
        self.functions: set[str] = set()  # or the functions that they are in
        self.variables: list[Any] = []
        self.slots: list[Any] = []
        self.loss: Any = None
        self.made = 0
        self._session: Any = None
        self._last_rate: float | None = None
        self._moved: list[tuple[str, Any]] = []
        self._kept: list[tuple[str, Any]] = []
        self.learn(optimizer)

    def learn(self, optimizer: Any) -> None:
        """Reads the optimizer's settings; again once it has made a tensor of its rate."""
        self.rate_tensor, self.constant = graph_rates.of(optimizer)
        self.schedule = graph_rates.schedule(optimizer, self.rate_tensor)
        self.plain_sgd = rates.is_plain_sgd(optimizer)

    def add(self, operation: Any, variables: Sequence[Any], slots: Iterable[Any]) -> None:
        """One more `apply_gradients` of this optimizer, built right now."""
        self.applies.add(operation.name)
        for known, new in ((self.variables, variables), (self.slots, slots)):
            names = {variable.name for variable in known}
            known.extend(v for v in new if _readable(v) and v.name not in names)

    def entering(self, session: Any) -> None:
        """The session is about to run a step of this optimizer."""
        self._session = weakref.ref(session)
        self.frozen = None
        if self.id < 0:
            steps.register(self)

    def stepped(self, rate: float | None) -> None:
        """The step was made, with that rate if it could be fetched along."""
        self.made += 1
        self._last_rate = rate

    def steps(self) -> int:
        return self.made

    def rate(self) -> float | None:
        """Known beforehand if it is constant; else read once, for a run that ends here."""
        if self.constant is None and self.made == 0 and self._fetchable():
            with record.blind_on_failure("rate"):
                if self._session is not None and fetched.changes_nothing(self.rate_tensor):
                    return float(read(self._session(), [self.rate_tensor])[0])
        return self.constant

    def _fetchable(self) -> bool:
        return self.rate_tensor is not None and self.rate_tensor.graph is self.graph()

    def rate_was(self) -> float | None:
        return self._last_rate if self._last_rate is not None else self.constant

    def names(self) -> list[str]:
        return [variable.name for variable in self.variables]

    def arrays(self) -> Iterable[tuple[str, Any]]:
        """As promised; raises RuntimeError where the session has gone and nothing was kept."""
        session = self._session and self._session()
        if session is None and self._kept:
            return self._kept
        if session is None:
            raise RuntimeError("the session was gone before its values were read")
        values = read(session, [v._as_graph_element() for v in self.variables + self.slots])
        keys = [f"{v.name}#{n}" for n, v in enumerate(self.variables)]
        keys += [f"slot/{v.name}#{n}" for n, v in enumerate(self.slots)]
        return list(zip(keys, values))

    def moving(self) -> list[tuple[str, Any]]:
        """BatchNorm's statistics in its graph; after the end of the session, as they were then."""
        session = self._session and self._session()
        if session is not None:
            given = session.graph.get_collection("variables")
            found = [v for v in given if STATISTICS.search(v.name) and _readable(v)]
            values = read(session, [v._as_graph_element() for v in found]) if found else []
            self._moved = [(variable.name, value) for variable, value in zip(found, values)]
        return self._moved

    def holds(self, variable: Any) -> bool:
        return any(variable is each for each in self.variables)

    def freeze(self, session: Any) -> None:
        """The session is about to be closed."""
        self._session = lambda: session
        with record.blind_on_failure("variables"):
            self.moving()
            # The values themselves, where the end of the program is to be compared by value.
            self._kept = list(self.arrays()) if setting.OPTIONS.get("values") else []
        if not self._kept:
            states.freeze(self)
        self._session = None


# ---------------------------------------------------------------- reading through a session


def reading() -> bool:
    """Whether the probe itself is running the session."""
    return getattr(_reading, "inside", False)


def read(session: Any, tensors: Sequence[Any]) -> list[Any]:
    """Values of tensors that are there already; no hook of a MonitoredSession sees it."""
    _reading.inside = True
    try:
        base: Any = inside.python("client.session").BaseSession
        return list(base.run(session, list(tensors)))
    finally:
        _reading.inside = False


def _readable(variable: Any) -> bool:
    return hasattr(variable, "_as_graph_element")


# ---------------------------------------------------------------- moving statistics


def _moving() -> Iterable[tuple[str, Any]]:
    """BatchNorm's statistics of all graphs that train: they differ by design."""
    for trained in list(steps.known):
        if isinstance(trained, GraphTrained):
            yield from trained.moving()


states.moving.append(_moving)
