"""What several judges ask of the same records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

from ..record.beginnings import Versions
from ..record.endings import End, Error, Limited
from ..record.events import (
    Applied,
    Callbacks,
    Collective,
    Differentiated,
    Event,
    Optimizer,
    Reduce,
    State,
)
from . import _source_lines as program
from ._words import listed, workers

if TYPE_CHECKING:
    from ..record.evidence import Evidence
    from ..record.records import Worker

E = TypeVar("E", bound=Event)
_MONITORED = {"MonitoredTrainingSession", "MonitoredSession", "SingularMonitoredSession"}
_WRITING = {
    *("CSVLogger", "ModelCheckpoint", "TensorBoard", "BackupAndRestore", "RemoteMonitor"),
    *("History", "ProgbarLogger", "BestModelCheckpoint"),
}
_ESTIMATOR = {"estimator", "Estimator"}


def everyone(evidence: Evidence) -> list[Worker]:
    """The workers that left records, in the order of their ranks."""
    return [evidence.workers[rank] for rank in sorted(evidence.workers)]


def missing(evidence: Evidence) -> list[int]:
    """Ranks of which nothing was seen."""
    ranks = evidence.only or range(evidence.job.workers)
    return [rank for rank in ranks if rank not in evidence.workers]


def across(evidence: Evidence, kind: type[E]) -> Iterator[E]:
    """The events of a kind of all workers."""
    for worker in everyone(evidence):
        yield from worker.all(kind)


def steps(worker: Worker) -> int:
    """How many optimizer steps a worker is known to have made."""
    found = [sum(state.steps) for state in worker.all(State)]
    found += [end.steps for end in worker.all(End)]
    found += [limited.steps for limited in worker.all(Limited)]
    return max([*found, worker.progress or 0])


def idle(evidence: Evidence) -> list[int]:
    """Workers that take gradients and never apply any, beside others that do.

    There one worker applies, and sends what comes out to the others.
    """
    found = [w.rank for w in everyone(evidence) if not steps(w) and w.all(Differentiated)]
    return found if len(found) < len(evidence.workers) else []


def made_steps(evidence: Evidence) -> bool:
    """Whether any worker made an optimizer step."""
    return any(steps(worker) for worker in everyone(evidence))


def left_by_itself(worker: Worker) -> bool:
    """Whether the program came to its end there, not by an error and not by our limit."""
    return bool(worker.all(End)) and not fatal(worker) and not worker.all(Limited)


def optimizers(evidence: Evidence) -> dict[int, Optimizer]:
    """Every optimizer by id, as the first worker that has it tells it."""
    found: dict[int, Optimizer] = {}
    for optimizer in across(evidence, Optimizer):
        found.setdefault(optimizer.id, optimizer)
    return found


def keeps_rate(evidence: Evidence, optimizer: Optimizer) -> bool:
    """Whether a person says that its rate doesn't grow, where it is made or where it is used."""
    root = evidence.job.root
    return any(program.keeps_rate(root, at) for at in (optimizer.made, optimizer.where))


def is_graph(evidence: Evidence) -> bool:
    """Whether this is a program of TensorFlow 1: sessions, monitored sessions, estimators."""
    return any(optimizer.api == "v1" for optimizer in across(evidence, Optimizer))


def kerases(evidence: Evidence) -> frozenset[str]:
    """The Keras that the workers imported; else the one that is installed there."""
    found = {each.keras for each in across(evidence, Versions) if each.keras}
    if not found and evidence.setting.keras:
        found = {f"keras {evidence.setting.keras}"}
    return frozenset(found)


def is_keras_3(evidence: Evidence) -> bool:
    """Whether Keras 3 trains, which Horovod's own wrappers and callbacks don't know."""
    return any(each.startswith("keras 3") for each in kerases(evidence))


def is_fit(evidence: Evidence, optimizer: int | None = None) -> bool:
    """Whether Keras' `fit` drives the steps (of one optimizer)."""
    fits = {callbacks.where for callbacks in fits_of(evidence)}
    if not fits:
        return False
    places = {
        applied.where
        for applied in across(evidence, Applied)
        if optimizer in (None, applied.optimizer)
    }
    # Under a train_step of one's own the place is a line of that, not of the fit; with Keras 3 it
    # is one of the form that averages.
    return bool(places & fits) or "train_step" in names(evidence) or is_keras_3(evidence)


def fits_of(evidence: Evidence) -> list[Callbacks]:
    """What every `fit` was given."""
    return [each for each in across(evidence, Callbacks) if each.method.startswith("fit")]


def fatal(worker: Worker) -> Error | None:
    """The exception that ended a worker; one in a thread of its own ends that thread only."""
    return next((error for error in reversed(worker.all(Error)) if not error.thread), None)


def callbacks_of_some(evidence: Evidence) -> str:
    """`ReduceLROnPlateau runs on worker 0 only`; empty where all have the same callbacks.

    Those that only write are to be on one worker.
    """
    given = {
        worker.rank: {name for each in worker.all(Callbacks) for name in each.names}
        for worker in everyone(evidence)
    }
    names = sorted(set().union(*given.values()) - _WRITING) if given else []
    told = []
    for name in names:
        having = [rank for rank, own in given.items() if name in own]
        if len(having) < len(given):
            told.append(f"{name} runs on {workers(having)} only")
    return listed(told)


def reduces(evidence: Evidence) -> list[Reduce]:
    """Everything that was handed to Horovod to be averaged."""
    return list(across(evidence, Reduce))


def averages(evidence: Evidence) -> bool:
    """Whether gradients go through Horovod in any way: then no worker can be ahead of another."""
    return bool(reduces(evidence)) or averages_by_hand(evidence)


def averages_by_hand(evidence: Evidence) -> bool:
    """Whether the program itself calls allreduce or the like, outside of Horovod's wrappers."""
    wrapped = {reduce.where for reduce in across(evidence, Reduce)}
    kinds = ("allreduce", "grouped_allreduce", "reducescatter", "allgather")
    return any(
        each.kind in kinds and each.where not in wrapped for each in across(evidence, Collective)
    )


def line_at(evidence: Evidence, where: str | None) -> str:
    """The user's line at a place (`train.py:41`); empty where there is none."""
    return program.line_at(evidence.job.root, where)


def names(evidence: Evidence) -> frozenset[str]:
    """The names in the program's main file, not what its comments and texts talk of."""
    return program.names(evidence.job.root, evidence.job.script.resolve().name)


def sets_its_rate(evidence: Evidence) -> bool:
    """Whether the script assigns to a rate, as a warm-up at the head of an epoch does."""
    return program.sets_rate(evidence.job.root, evidence.job.script.resolve().name)


def broadcast_rule(evidence: Evidence, optimizer: int | None = None) -> str:
    """The rule that brings starting values together in a program of this kind."""
    if not is_graph(evidence):
        return "D302" if is_fit(evidence, optimizer) else "D202"
    used = names(evidence)
    if used & _ESTIMATOR:
        return "D404"
    return "D403" if used & _MONITORED else "D402"


def first_place(events: Iterable[Event]) -> str | None:
    """The first line of the user's that any of these events names."""
    places = (getattr(event, "where", None) for event in events)
    return next((place for place in places if place), None)
