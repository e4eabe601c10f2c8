"""The report of `distify verify` for programs; the shape is promised in docs/json.md."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from distify import __version__

from ..verify import program
from ..verify.beginnings import Versions
from ..verify.events import Loss
from ..verify.judges import _seen
from ..verify.verdict import Verdict, exit_code
from . import model
from .verdict import headline

if TYPE_CHECKING:
    from ..verify.evidence import Evidence
    from ..verify.model.fault import Answer
    from ..verify.records import Worker

SCHEMA = 1


def document(
    evidence: Evidence,
    verdicts: Sequence[Verdict],
    answer: Answer | None = None,
    code: int | None = None,
) -> str:
    """The whole document, with only ASCII in it, so that no terminal can be steered by it."""
    content = {
        "schema": SCHEMA,
        "distify": __version__,
        "command": "verify",
        "script": str(evidence.job.script),
        "verdict": headline(verdicts).text.lower(),
        "ending": evidence.ending,
        "seconds": round(evidence.seconds, 1),
        "versions": _versions(evidence),
        "size": evidence.job.workers,
        **({"as": _as(evidence)} if evidence.job.ranks else {}),
        "workers": [_worker(evidence, rank) for rank in range(evidence.job.workers)],
        "baseline": _baseline(evidence),
        "verdicts": [_verdict(verdict) for verdict in verdicts],
        **({"model": model.data(answer)} if answer else {}),
        "exit_code": exit_code(verdicts) if code is None else code,
    }
    return json.dumps(content, indent=2, allow_nan=False) + "\n"


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
        "rank": rank,
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
        {"step": each.steps, "loss": each.value if math.isfinite(each.value) else None}
        for each in worker.all(Loss)
    ]


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "code": verdict.code or None,
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
