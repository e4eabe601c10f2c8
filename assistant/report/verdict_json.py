"""The report of `distify verify` for programs; the shape is promised in docs/json.md."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from distify import __version__

from .. import codemods
from ..verify.judges import _seen
from ..verify.judges import _source_lines as program
from ..verify.record import arrivals
from ..verify.record.beginnings import Versions
from ..verify.record.events import Loss
from ..verify.record.verdict import Verdict, exit_code
from ..verify.show import timeline
from . import model, scaling_table
from .dumped import dumped
from .headline import headline

if TYPE_CHECKING:
    from ..verify.record.evidence import Evidence
    from ..verify.record.records import Worker
    from .verify_report import Told

SCHEMA = 1


def document(told: Told) -> str:
    """The whole document, with only ASCII in it, so that no terminal can be steered by it."""
    evidence, answer = told.evidence, told.answer
    content = {
        "schema": SCHEMA,
        "distify": __version__,
        "command": "verify",
        "script": str(evidence.job.script),
        **_run(evidence, told.verdicts),
        "versions": _versions(evidence),
        "size": evidence.job.workers,
        **({"as": _as(evidence)} if evidence.job.ranks else {}),
        "workers": _workers(evidence),
        "baseline": _baseline(evidence),
        "verdicts": [_verdict(verdict) for verdict in told.verdicts],
        **({"model": model.data(answer)} if answer else {}),
        **({"second_run": _second(told)} if told.again else {}),
        **({"scaling": scaling_table.data(told.speeds)} if told.speeds else {}),
        "exit_code": told.exit_code,
    }
    return dumped(content)


def _run(evidence: Evidence, verdicts: Sequence[Verdict]) -> dict[str, Any]:
    return {
        "verdict": headline(verdicts).text.lower(),
        "ending": evidence.ending,
        "seconds": round(evidence.seconds, 1),
    }


def _second(told: Told) -> dict[str, Any]:
    """The same of the run that goes on from what the first one wrote; nulls if it was not made."""
    run = _run(told.second or told.evidence, told.again)
    return {
        **(run if told.second else {**run, "ending": None, "seconds": None}),
        "workers": _workers(told.second) if told.second else [],
        "verdicts": [_verdict(verdict) for verdict in told.again],
        "exit_code": exit_code(told.again),
    }


def _workers(evidence: Evidence) -> list[dict[str, Any]]:
    came = arrivals.read(evidence.folder) if evidence.job.timeline else ()
    moments = timeline.moments(evidence.workers, came)
    return [
        {**_worker(evidence, rank), "timeline": list(map(_moment, moments.get(rank, ())))}
        for rank in range(evidence.job.workers)
    ]


def _moment(moment: timeline.Moment) -> dict[str, Any]:
    return {
        "at": round(moment.at, 4),
        "kind": moment.kind,
        "what": moment.what,
        "seconds": None if moment.lasted is None else round(moment.lasted, 4),
        "where": _place(moment.where),
    }


def _versions(evidence: Evidence) -> dict[str, str | None]:
    setting = evidence.setting
    known: dict[str, str | None] = {
        "tensorflow": setting.tensorflow,
        "keras": f"keras {setting.keras}" if setting.keras else None,
        "horovod": setting.horovod,
    }
    for worker in _seen.everyone(evidence):
        for found in worker.all(Versions):
            said = {key: getattr(found, key) for key in known}
            known.update({key: value for key, value in said.items() if value})
    return known


def _as(evidence: Evidence) -> dict[str, Any]:
    """Which ranks of how many the workers stood in for, in their order."""
    return {"size": evidence.job.size, "ranks": list(evidence.job.ranks)}


def _worker(evidence: Evidence, rank: int) -> dict[str, Any]:
    worker = evidence.workers.get(rank)
    return {
        "rank": evidence.job.ranks[rank] if evidence.job.ranks else rank,
        "seen": worker is not None,
        "exit_code": evidence.exit_codes.get(rank),
        "steps": _seen.steps(worker) if worker else None,
        "losses": _losses(worker) if worker else [],
    }


def _baseline(evidence: Evidence) -> dict[str, Any] | None:
    alone = evidence.baseline
    if alone is None or alone.worker is None:
        return None
    return {"steps": _seen.steps(alone.worker), "losses": _losses(alone.worker)}


def _losses(worker: Worker) -> list[dict[str, Any]]:
    """JSON knows no NaN and no infinity: a loss that is no number is null."""
    return [
        {
            "step": each.steps,
            "loss": each.value if math.isfinite(each.value) else None,
            "optimizer": each.optimizer,
        }
        for each in worker.all(Loss)
    ]


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "code": verdict.code or None,
        "page": codemods.address(verdict.code),
        "grade": verdict.grade,
        "question": verdict.question,
        "title": verdict.title,
        "text": verdict.text,
        "ranks": list(verdict.ranks),
        "where": _place(verdict.where),
        "places": [found for found in map(_place, verdict.places) if found],
        "evidence": list(verdict.evidence),
        "fix": verdict.fix or None,
    }


def _place(where: str | None) -> dict[str, Any] | None:
    found = program.place(where)
    return {"path": found.file, "line": found.line} if found else None
