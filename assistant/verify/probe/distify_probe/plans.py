"""What a set of fetches means: the optimizers that step, the collectives, what is read along.

A module that wants to see what a training run consumed gives `ride` a `Rider`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from . import fetched, graph_applies, record
from .graph_trained import GraphTrained


def key(tensor: Any) -> Any:
    """What tells a tensor from others; TensorFlow 1.15 has it under another name."""
    return tensor.ref() if hasattr(tensor, "ref") else tensor.experimental_ref()


class Rider:
    """What another module wants to know of each training run."""

    def fetches(self, operations: Mapping[str, Any]) -> Sequence[Any]:
        """Tensors to fetch along, chosen once for each set of fetches from what runs anyway.

        `operations`: all that a run depends on, by name. A tensor that would make anything
        else happen (`fetched.rides_along`) is left out.
        """
        return ()

    def took(self, feeds: Mapping[Any, Any], values: Mapping[Any, Any]) -> None:
        """After each step: arrays by the `key(tensor)` that they were fed to, or fetched from."""


riders: list[Rider] = []


def ride(rider: Rider) -> Rider:
    """Registers a rider."""
    riders.append(rider)
    return rider


class Plan:
    """What is known of one set of fetches of a graph."""

    def __init__(self, targets: Sequence[Any], fetches: Sequence[Any]) -> None:
        running = self.running = fetched.behind([*targets, *(tensor.op for tensor in fetches)])
        calling = [operation for operation in running.values() if fetched.calls(operation)]
        graph = (*targets, *fetches)[0].graph
        self.trained = [t for t in graph_applies.all_of(graph) if _steps(t, running, calling)]
        self.collectives = [op.name for op in running.values() if fetched.is_collective(op)]
        for operation in calling:
            self.collectives += fetched.collectives_within(operation)
        built = getattr(graph, "_distify_broadcasts", {})
        self.broadcasts = [fields for name, fields in built.items() if name in running]
        self.along = self._along(graph, running) if self.trained else []
        for each in self.trained:
            self._admit(each)

    def _along(self, graph: Any, running: dict[str, Any]) -> list[Any]:
        wanted = [tensor for t in self.trained for tensor in (t.loss, t.rate_tensor)]
        for rider in riders:
            with record.blind_on_failure("examples"):
                wanted += rider.fetches(running)
        once = {id(tensor): tensor for tensor in wanted if tensor is not None}
        here = [tensor for tensor in once.values() if tensor.graph is graph]
        return [tensor for tensor in here if fetched.rides_along(tensor, running)]

    def _admit(self, trained: GraphTrained) -> None:
        """What can't be fetched beside a step is said to be unseen."""
        along = {id(tensor) for tensor in self.along}
        if id(trained.loss) not in along:
            record.blind("loss", f"no step of {trained.name} computes its loss")
        if trained.constant is None and id(trained.rate_tensor) not in along:
            record.blind("rate", f"the rate of {trained.name} can't be fetched beside a step")

    def kind(self) -> str:
        """How a wait in such a run is called: by the collective in it that comes first."""
        first = self.collectives[0].rpartition("/")[2].lower()
        return next((k for k in ("broadcast", "allgather", "alltoall") if k in first), "allreduce")


def _steps(trained: GraphTrained, running: dict[str, Any], calling: Sequence[Any]) -> bool:
    if any(name in running for name in trained.applies):
        return True
    called = [name for operation in calling for name in fetched.functions(operation)]
    return any(name.startswith(own) for name in called for own in trained.functions)


@record.careful("steps")
def plan_of(graph: Any, targets: Sequence[Any], fetches: Sequence[Any]) -> Plan | None:
    """The plan of a set of fetches; made once, and anew if the graph got more optimizers."""
    if not targets and not fetches:
        return None
    if not hasattr(graph, "_distify_plans"):
        graph._distify_plans = {}
    plans = graph._distify_plans
    key = (len(graph_applies.all_of(graph)), *fetched.key(targets, fetches))
    if key not in plans:
        plans[key] = Plan(targets, fetches)
    plan: Plan = plans[key]
    return plan


def is_idle(plan: Plan | None) -> bool:
    """Whether there is nothing to watch in such a run."""
    return plan is None or not (plan.trained or plan.collectives or plan.broadcasts)
