"""Does each file have one writer? (D203; H01 for what Keras keeps in its cache)"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ..record.beginnings import Start
from ..record.events import Written
from ..record.verdict import Verdict, convicted, fine, note, unchecked
from . import judge
from ._seen import across, everyone, missing
from ._source_lines import calls_at
from ._words import count, listed, workers

if TYPE_CHECKING:
    from ..record.evidence import Evidence
    from ..record.records import Worker

ASKS = "whether each file is written by one worker"
# What libraries keep for themselves: fonts, compiled kernels, settings.
_CACHE = re.compile(r"/\.(cache|config|matplotlib|nv|local|ipython|jupyter|triton|python_history)/")
_KERAS = re.compile(r"/\.keras/")
GUARD = "write it on one worker only: `if hvd.rank() == 0:`"
MONITORED = {"MonitoredTrainingSession", "MonitoredSession"}
ON_ONE = (
    "give the folder on worker 0 only, and let all run the session: "
    '`checkpoint_dir="…" if hvd.rank() == 0 else None`'
)
ESTIMATORS = {"Estimator", "RunConfig", "train", "train_and_evaluate"}
MODEL_DIR = (
    "give the folder on worker 0 only, and let all train: "
    '`model_dir="…" if hvd.rank() == 0 else None`'
)
ONCE = "run the program once on one worker (or download by hand) before the first run on many"


@judge(order=65, asks=ASKS, sees=("writes",))
def files(evidence: Evidence) -> Iterator[Verdict]:
    """Convicts a path that several workers of one machine wrote."""
    if lost := missing(evidence):
        yield unchecked(ASKS, f"{workers(lost)} left no records")
        return
    shared = {path: found for path, found in _writers_by_path(evidence).items() if len(found) > 1}
    cached = {path: found for path, found in shared.items() if _KERAS.search(path)}
    others = {path: f for path, f in shared.items() if path not in cached}
    own = {path: found for path, found in others.items() if not _CACHE.search(path)}
    yield from _guilty(evidence, own)
    if cached:
        yield _downloads(cached)
    if len(own) < len(others):
        names = listed(path for path in others if path not in own)
        yield note("libraries write their caches on every worker", names)
    if not own and not cached:
        number = len({each.path for each in across(evidence, Written)})
        yield fine(ASKS, f"{count(number, 'file')} written")


def _writers_by_path(evidence: Evidence) -> dict[str, dict[int, Written]]:
    """By path: who wrote it. Paths of different machines are different ones."""
    hosts = {worker.rank: _machine(worker) for worker in everyone(evidence)}
    found: dict[tuple[str, object], dict[int, Written]] = {}
    for worker in everyone(evidence):
        for each in worker.all(Written):
            if each.how == "open" and os.path.isdir(each.path):
                continue  # a temporary file without a name is opened by its folder
            key = (each.path, hosts[worker.rank])
            found.setdefault(key, {}).setdefault(worker.rank, each)
    joined: dict[str, dict[int, Written]] = {}
    for (path, _), writers in found.items():
        if len(writers) > len(joined.get(path, {})):
            joined[path] = writers
    return joined


def _machine(worker: Worker) -> object:
    start = worker.last(Start)
    return (start.host, start.machine) if start else None


def _guilty(evidence: Evidence, own: dict[str, dict[int, Written]]) -> Iterator[Verdict]:
    """One verdict for each line that writes; a checkpoint is several files."""
    by_line: dict[str | None, list[str]] = {}
    for path, writers in own.items():
        where = next((each.where for each in writers.values() if each.where), None)
        by_line.setdefault(where, []).append(path)
    for where, paths in by_line.items():
        ranks = sorted({rank for path in paths for rank in own[path]})
        yield convicted(
            "D203",
            "a file is written by several workers",
            f"{_names(evidence, paths)} by {workers(ranks)}: they overwrite each other's",
            ranks=tuple(ranks),
            where=where,
            fix=_mend(evidence, where),
        )


def _mend(evidence: Evidence, where: str | None) -> str:
    """A session and an estimator write by themselves, and all workers have to run them."""
    called = calls_at(evidence.job.root, where)
    if called & MONITORED:
        return ON_ONE
    return MODEL_DIR if called & ESTIMATORS else GUARD


def _names(evidence: Evidence, paths: Iterable[str]) -> str:
    root = evidence.job.root
    return listed(_relative(Path(path), root) for path in paths)


def _relative(path: Path, root: Path) -> str:
    return str(path.relative_to(root)) if root in path.parents else os.fspath(path)


def _downloads(cached: dict[str, dict[int, Written]]) -> Verdict:
    ranks = sorted({rank for found in cached.values() for rank in found})
    where = next((e.where for found in cached.values() for e in found.values() if e.where), None)
    return convicted(
        "H01",
        "every worker downloads for itself",
        f"{listed(cached)} was written by {workers(ranks)} at the same time",
        ranks=tuple(ranks),
        where=where,
        fix=ONCE,
    )
