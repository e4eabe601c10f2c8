"""A worker that comes to its end while the others still need it, and what made it leave."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..record.endings import Error
from ..record.events import Collective, Examples, Iteration, Planned, Shard, Skipped
from ._drift_causes import STEERING, Cause
from ._epoch_counts import fewer_epochs
from ._seen import across, everyone, fatal, first_place, fits_of, left_by_itself, steps
from ._words import count, same, workers

if TYPE_CHECKING:
    from ..record.evidence import Evidence
    from ..record.records import Worker

# What a worker is told when another one has left: a consequence, never the cause.
_GONE = re.compile(
    r"Horovod has been shut ?down|HorovodInternalError|Connection (reset|closed|refused)|"
    r"[Rr]ead error|[Bb]roken pipe|[Pp]eer|Timed out waiting"
)
# What Horovod says when the workers' calls of a collective don't fit together.
MISMATCH = re.compile(r"Mismatched \w+|mismatched|Invalid data type", re.IGNORECASE)
_STOPS = {"EarlyStopping", "TerminateOnNaN"}
# horovodrun ends all others once one fails, also one that is on its way out and has said so.
_ENDED_BY_THE_LAUNCHER = (143, -15, 137, -9)
# Callbacks that never end a training, so that only the data can have.
_QUIET = {
    *("History", "ProgbarLogger", "BaseLogger", "ModelCheckpoint", "TensorBoard", "CSVLogger"),
    *("ReduceLROnPlateau", "LearningRateScheduler", "RemoteMonitor", "BackupAndRestore"),
    *("BroadcastGlobalVariablesCallback", "MetricAverageCallback", "BestModelCheckpoint"),
    *("LearningRateWarmupCallback", "LearningRateScheduleCallback"),
}
AVERAGE = "MetricAverageCallback"
EVEN = (
    "give every worker the same number of batches: drop what doesn't go round "
    "(`ds.take(n // hvd.size() * hvd.size()).shard(hvd.size(), hvd.rank())`), or repeat the "
    "data and train for a fixed number of steps"
)
EVEN_ARRAYS = (
    "give every worker the same number of batches: cut what doesn't go round first, "
    "`n = len(x) // hvd.size() * hvd.size()`, and then `x[:n][hvd.rank() :: hvd.size()]`"
)
ALL_CALL = "let every worker make the call, and put only what follows under `if hvd.rank() == 0:`"
SHARES = "the shares of the workers are uneven"
SKIPS = "a worker skips a step by its own examples or loss"
ALIKE = (
    "let all workers decide alike, by a value that is the same on all: "
    "`skip = hvd.allreduce(tf.cast(bad, tf.float32), op=hvd.Max) > 0`"
)
EQUAL = "let the number of steps depend on nothing that differs between workers"


@dataclass(frozen=True)
class Leaver:
    """`ranks` ended after `steps` steps; `others` went on, or waited at `where`."""

    ranks: tuple[int, ...]
    steps: int
    others: tuple[int, ...]
    where: str | None
    more: int  # steps that the others made


def is_consequence(error: Error) -> bool:
    """Whether an exception only says that another worker is gone."""
    found = f"{error.type}: {error.message} {error.cause or ''}"
    return bool(_GONE.search(found)) and not MISMATCH.search(found)


def leaver(evidence: Evidence) -> Leaver | None:
    """The worker that left too early, if one did."""
    if evidence.ending == "done":
        return _of_done(evidence)
    left = [worker for worker in everyone(evidence) if _has_left(worker, evidence)]
    waited = [worker for worker in everyone(evidence) if _has_waited(worker, evidence)]
    if not left or not waited:
        return None
    return Leaver(
        tuple(worker.rank for worker in left),
        min(map(steps, left)),
        tuple(worker.rank for worker in waited),
        place_of(waited[0], evidence),
        max(map(steps, waited)),
    )


def _of_done(evidence: Evidence) -> Leaver | None:
    ended = everyone(evidence)
    least, most = min(map(steps, ended), default=0), max(map(steps, ended), default=0)
    if least == most:
        return None
    early = tuple(worker.rank for worker in ended if steps(worker) == least)
    others = tuple(worker.rank for worker in ended if steps(worker) != least)
    return Leaver(early, least, others, None, most)


def _has_left(worker: Worker, evidence: Evidence) -> bool:
    code = evidence.exit_codes.get(worker.rank, 0)
    return left_by_itself(worker) and code in (0, None, *_ENDED_BY_THE_LAUNCHER)


def _has_waited(worker: Worker, evidence: Evidence) -> bool:
    error = fatal(worker)
    if error is not None:
        return is_consequence(error)
    return evidence.hang is not None and not left_by_itself(worker)


def place_of(worker: Worker, evidence: Evidence) -> str | None:
    """Where a worker waited, or was told that another one is gone."""
    error = fatal(worker)
    if error is not None:
        return error.where
    waiting = evidence.hang.workers if evidence.hang else ()
    return next((each.where for each in waiting if each.rank == worker.rank), None)


def reason(evidence: Evidence, found: Leaver) -> Cause:
    """Why it left: a share that is longer (D107), a step that it skips (H12), another call (H02), a
    callback, its epochs (D302), the data (D107), or H03.
    """
    return (
        uneven_shares(evidence)
        or _by_skipped_element(evidence, found)
        or _alone(evidence, found)
        or _by_callback(evidence, found)
        or fewer_epochs(evidence, found.ranks, found.steps, found.where)
        or _out_of_data(evidence, found)
        or _unknown(found)
    )


def uneven_shares(evidence: Evidence) -> Cause | None:
    """Workers whose epochs have other lengths, as a `fit` plans them or as their data sets say."""
    for plans, word in ((_plans, "steps"), (_lengths_of_data, "batches")):
        every = {worker.rank: plans(worker) for worker in everyone(evidence)}
        for each in zip(*every.values()):
            if len({place for _, place in each if place}) > 1:
                break  # one of them does something that the others don't
            lengths = [length for length, _ in each]
            if None not in lengths and not same(lengths):
                told = ", ".join(f"{n} on worker {rank}" for rank, n in zip(every, lengths))
                why = f"an epoch has not as many {word} on all: {told}"
                cut = first_place(across(evidence, Shard))
                fix = EVEN if cut or plans is _lengths_of_data else EVEN_ARRAYS
                where = next((place for _, place in each if place), None)
                return Cause("D107", SHARES, why, cut or where, fix)
    return None


def _plans(worker: Worker) -> list[tuple[int | None, str | None]]:
    return [(each.steps, each.where) for each in worker.all(Planned)]


def _lengths_of_data(worker: Worker) -> list[tuple[int | None, str | None]]:
    """How long each data set is whose iteration made steps."""
    found = worker.all(Iteration)
    ends = [*(each.steps for each in found[1:]), steps(worker)]
    return [(each.length, each.where) for each, end in zip(found, ends) if end > each.steps]


def _by_skipped_element(evidence: Evidence, found: Leaver) -> Cause | None:
    """It took an element of its data without a step, and the others did not."""
    early = evidence.workers[found.ranks[0]].all(Skipped)
    others = [evidence.workers[rank].all(Skipped) for rank in found.others]
    if not others or len(early) <= max(map(len, others)):
        return None
    known = {each.steps for each in max(others, key=len)}
    first = next((each for each in early if each.steps not in known), early[-1])
    rows = max((len(each.rows) for each in across(evidence, Examples)), default=0)
    why = f"after {count(first.steps, 'step')} {workers(found.ranks)} took examples without a step"
    if not first.finite:
        why += ", as its values are not all finite (NaN)"
    elif first.rows is not None and first.rows < rows:
        why += f", {first.rows} of them where a batch has {rows}"
    why += f"; {workers(found.others)} made one"
    return Cause("H12", SKIPS, why, first.where, ALIKE)


def _alone(evidence: Evidence, found: Leaver) -> Cause | None:
    """The others wait in a call that the one that left never made."""
    early = [evidence.workers[rank] for rank in found.ranks]
    others = [evidence.workers[rank] for rank in found.others]
    known, own = _call_places(evidence, early), _call_places(evidence, others)
    if evidence.ending == "done":
        return None  # a call that is waited for has no end
    foreign = found.where is not None and found.where in own - known
    never = not found.steps and not any(worker.all(Shard) for worker in early)
    if not foreign and not never:
        return None
    why = f"{workers(found.others)} called a collective that {workers(found.ranks)} never called"
    return Cause("H02", "a collective that not all workers call", why, found.where, ALL_CALL)


def _call_places(evidence: Evidence, among: list[Worker]) -> set[str | None]:
    """Where these workers called collectives, or `fit`, which calls them in a graph."""
    collectives = {each.where for worker in among for each in worker.all(Collective)}
    fits = [each for each in fits_of(evidence) for worker in among if each in worker.events]
    return collectives | {each.where for each in fits}


def _by_callback(evidence: Evidence, found: Leaver) -> Cause | None:
    fits = {
        worker.rank: [each.names for each in fits_of(evidence) if each in worker.events]
        for worker in everyone(evidence)
    }
    stops = {name for given in fits.values() for names in given for name in names} & _STOPS
    if not stops:
        return None
    name = min(stops)
    if not same(fits.values()):
        having = [rank for rank, given in fits.items() if any(name in names for names in given)]
        why = f"{name} runs on {workers(having)} only"
    elif any(_on_averages(names, name) for given in fits.values() for names in given):
        return None
    else:
        why = f"{name} decides on each worker by that worker's own metrics"
    where = first_place(fits_of(evidence))
    return Cause("D302", "a callback stops one worker alone", why, where, STEERING)


def _on_averages(names: tuple[str, ...], name: str) -> bool:
    return AVERAGE in names and name in names and names.index(AVERAGE) < names.index(name)


def _out_of_data(evidence: Evidence, found: Leaver) -> Cause | None:
    shards = list(across(evidence, Shard))
    fits = fits_of(evidence)
    quiet = bool(fits) and all(set(each.names) <= _QUIET | _STOPS for each in fits)
    iterated = any(each.via == "dataset" for each in across(evidence, Examples))
    if not (shards or quiet or iterated):
        return None
    seen = {
        worker.rank: sum(len(each.rows) for each in worker.all(Examples))
        for worker in everyone(evidence)
    }
    why = f"{workers(found.ranks)} ran out of data"
    if not same(seen.values()):
        why += "; examples consumed: " + ", ".join(f"{n} by {rank}" for rank, n in seen.items())
    where = first_place(shards) or first_place(fits) or found.where
    return Cause("D107", SHARES, why, where, EVEN)


def _unknown(found: Leaver) -> Cause:
    why = "neither the data nor a callback is known to be the reason"
    return Cause("H03", "the workers make different numbers of steps", why, found.where, EQUAL)


def departure(found: Leaver) -> str:
    """`worker 1 ended after 4 steps, worker 0 made 5`."""
    early = f"{workers(found.ranks)} ended after {count(found.steps, 'step')}"
    if found.more > found.steps:
        return f"{early}, {workers(found.others)} made {found.more:,}"
    return f"{early} while {workers(found.others)} went on to the next and waited there"
