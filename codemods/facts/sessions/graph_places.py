"""Devices, queues, loops that go on, and finished graphs: what no worker can have for itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ...library.names import in_v1
from ...library.sessions import MONITORED, SUPERVISORS
from ..facts import Facts
from ..problems import Problem
from ..training.training_loops import told_counts
from .told_restores import is_told, untold_counts

_DEVICES = re.compile(r"(?:/job:localhost)?/(?:device:)?(?:CPU|GPU):0", re.IGNORECASE)
QUEUES = in_v1("train.start_queue_runners", "train.Coordinator", "train.QueueRunner")
_OWN_QUEUES = in_v1("train.QueueRunner", "train.add_queue_runner")
# What fills queues, and where it may be told for how many epochs; else it does so without end.
_PRODUCERS = {
    canonical: place
    for name, place in {
        "string_input_producer": 1,
        "slice_input_producer": 1,
        "range_input_producer": 1,
        "input_producer": 2,
        "limit_epochs": 1,
    }.items()
    for canonical in in_v1(f"train.{name}")
}
_DEVICE = "nobody can tell which device this is; each worker sees one GPU, its own"
_TOWER = "this puts a tower on each of several GPUs; each worker sees one, its own"
HIDES = "optimize_loss"  # of tf.contrib.layers
_HIDDEN = "`optimize_loss` makes its optimizer where nobody sees it: its gradients are not averaged"
_SEEN = "write `tf.train.AdamOptimizer(rate).minimize(loss, global_step)`, with the class it names"
_FIRST = 'write `"/gpu:0"`, or leave the device out'
_QUEUE = "queues may end after another number of steps on each worker"
_DATASET = "read the files by `tf.data`"
_RESUMED = "each worker would go on where the files that it sees say"
_FIXED = "begin this loop at a number that the program names, the same on all workers"
_FINAL = "a graph that is finalised takes no operation that broadcasts"
_LATER = "leave `finalize()` out"


def of_places(facts: Facts) -> Iterator[Problem]:
    """Devices, queues, loops that go on, and finished graphs."""
    for call in other_devices(facts):
        is_tower = any(isinstance(each, ast.For) for each in facts.parents(call))
        yield Problem(call, _TOWER if is_tower else _DEVICE, _FIRST)
    for call in facts.calls(HIDES):
        yield Problem(call, _HIDDEN, _SEEN)
    for call in _ending_queues(facts):
        yield Problem(call, _QUEUE, _DATASET)
    told = (
        rounds for rounds, numbers in told_counts(facts).items() if not _are_told(facts, numbers)
    )
    for rounds in dict.fromkeys((*told, *untold_counts(facts))):
        yield Problem(rounds, _RESUMED, _FIXED)
    for call in facts.calls("finalize"):
        yield Problem(call, _FINAL, _LATER)


def other_devices(facts: Facts) -> Iterator[ast.Call]:
    """The calls of `tf.device` that name no first device."""
    for call in facts.calls_of(*in_v1("device")):
        name = facts.argument(call, "device_name_or_function", 0)
        is_text = isinstance(name, ast.Constant)
        if not is_text or not _DEVICES.fullmatch(str(name.value)):  # type: ignore[union-attr]
            yield call


def _ending_queues(facts: Facts) -> Iterator[ast.Call]:
    """What may end queues that are started: a number of epochs, or what fills them out of sight."""
    started = [*facts.calls_of(*QUEUES - _OWN_QUEUES)]
    by_itself = any(True for _ in facts.calls_of(*MONITORED, *SUPERVISORS))
    yield from facts.calls_of(*_OWN_QUEUES)
    if not started and not by_itself:
        return
    makers = [*facts.calls_of(*_PRODUCERS)]
    for call in makers:
        epochs = facts.argument(call, "num_epochs", _PRODUCERS[facts.name(call.func) or ""])
        is_endless = epochs is None and not facts.has_hidden_arguments(call)
        if not is_endless and not (isinstance(epochs, ast.Constant) and epochs.value is None):
            yield call
    if not makers:
        yield from started


def _are_told(facts: Facts, numbers: tuple[ast.expr, ...]) -> bool:
    return all(is_told(facts, number) for number in numbers)
