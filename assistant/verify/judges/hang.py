"""Did the job hang, and who waits for whom? (H02, or what made a worker leave)"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..record.beginnings import Start
from ..record.verdict import Verdict, convicted, fine, unchecked
from . import judge
from ._drift_causes import Cause
from ._early_ends import ALL_CALL, Leaver, departure, leaver, reason, uneven_shares
from ._seen import everyone, fatal
from ._words import same, workers

if TYPE_CHECKING:
    from ..record.evidence import Evidence, Hang, Waiting

ASKS = "whether no worker waits for another for ever"
SLOW = "a step that takes longer than that needs a larger --timeout"


@judge(order=20, asks=ASKS)
def hang(evidence: Evidence) -> Iterator[Verdict]:
    """Convicts where one worker waits in a collective and another one is elsewhere or gone."""
    if evidence.ending == "done":
        yield fine(ASKS, "every worker came to its end")
    elif evidence.ending == "failed" and leaver(evidence):
        return  # nobody waits for ever for one that is known to be gone; see the steps
    elif evidence.ending != "hang":
        yield unchecked(ASKS, "the job ended before it could be seen")
    elif evidence.hang is None:
        yield unchecked(ASKS, "the job was ended, and nothing is known of where it stood")
    else:
        yield _by_collective(evidence, evidence.hang)


def _by_collective(evidence: Evidence, found: Hang) -> Verdict:
    failed = [worker.rank for worker in everyone(evidence) if fatal(worker)]
    early = leaver(evidence)
    if early and not failed and not _lonely(evidence, found):
        return _by_departure(evidence, found, early)
    if not failed and (lonely := _lonely(evidence, found)):
        return _not_there(found, lonely)
    if failed or not _are_apart(evidence, found):
        return _open(found, failed)
    if (uneven := uneven_shares(evidence)) is not None:
        return _by_cause(found, uneven)
    where = next((each.where for each in _in_collectives(found) if each.where), None)
    return convicted(
        "H02",
        "a collective that not all workers call",
        f"no step for {found.seconds:.0f} s: the workers wait in different places",
        ranks=tuple(each.rank for each in _in_collectives(found)),
        where=where,
        evidence=_lines(found),
        fix=ALL_CALL,
        places=_others(found, where),
    )


def _by_departure(evidence: Evidence, found: Hang, early: Leaver) -> Verdict:
    cause = reason(evidence, early)
    return convicted(
        cause.code,
        f"the job hangs: {cause.title}",
        f"{departure(early)}: {cause.why}",
        ranks=early.others,
        where=cause.where,
        evidence=_lines(found),
        fix=cause.fix,
        places=_others(found, cause.where),
    )


def _by_cause(found: Hang, cause: Cause) -> Verdict:
    return convicted(
        cause.code,
        f"the job hangs: {cause.title}",
        f"no step for {found.seconds:.0f} s: {cause.why}",
        where=cause.where,
        evidence=_lines(found),
        fix=cause.fix,
        places=_others(found, cause.where),
    )


def _lonely(evidence: Evidence, found: Hang) -> list[Waiting]:
    """Workers of another machine that stand still in no collective, while the first one waits."""
    if evidence.job.machines < 2:
        return []
    starts = {worker.rank: worker.last(Start) for worker in everyone(evidence)}
    away = {rank for rank, start in starts.items() if start is not None and start.machine}
    still = [each for each in found.workers if each.idle and not each.kind and not each.ended]
    lonely = [each for each in still if each.rank in away]
    waited = all(each.kind or each.ended for each in found.workers if each not in lonely)
    return lonely if waited else []


def _not_there(found: Hang, lonely: list[Waiting]) -> Verdict:
    where = next((each.where for each in lonely if each.where), None)
    ranks = tuple(each.rank for each in lonely)
    return convicted(
        "D205",
        "the job hangs: a file is waited for that only the first machine has",
        f"{workers(ranks)}, on another machine, in a folder that is not shared, stands still in no "
        "collective, and the others wait",
        ranks=ranks,
        where=where,
        evidence=_lines(found),
        fix="wait in a collective (`hvd.broadcast(0, root_rank=0)`) and not for a file; let rank 0 "
        "of each machine (`hvd.local_rank() == 0`) make what its workers read",
        places=_others(found, where),
    )


def _open(found: Hang, failed: list[int]) -> Verdict:
    why = f"no worker made a step for {found.seconds:.0f} s, so the job was ended"
    if failed:
        why += f"; {workers(failed)} had failed before"
    elif not _in_collectives(found):
        why += f"; none of them waits in a collective: the program itself stands still, or {SLOW}"
    else:
        why += f"; no two of them are known to wait for each other, and {SLOW}"
    return unchecked(ASKS, why, evidence=_lines(found))


def _are_apart(evidence: Evidence, found: Hang) -> bool:
    """Whether it is certain that they wait for each other: in different collectives.

    One that computes may only be slow, unless Horovod names it as the one that is missing.
    """
    waiting = _in_collectives(found)
    if found.stalls and any(stall.missing for stall in found.stalls):
        return bool(waiting)
    return len(waiting) == len(found.workers) and not same(map(_call, waiting))


def _call(waiting: Waiting) -> tuple[str | None, str | None, str | None]:
    return waiting.kind, waiting.name, waiting.where


def _in_collectives(found: Hang) -> list[Waiting]:
    return [each for each in found.workers if each.kind and not each.ended]


def _lines(found: Hang) -> tuple[str, ...]:
    return tuple(_line(each) for each in found.workers)


def _line(each: Waiting) -> str:
    at = f" at {each.where}" if each.where else ""
    made = f" after {each.steps} steps" if each.steps is not None else ""
    if each.ended:
        code = f" with exit code {each.exit_code}" if each.exit_code else ""
        return f"worker {each.rank} had ended{code}{made}"
    if each.kind:
        name = f" {each.name}" if each.name else ""
        return f"worker {each.rank} waits in {each.kind}{name}{at}{made}"
    return f"worker {each.rank} is{at or ' in no known place'}{made}, in no collective"


def _others(found: Hang, where: str | None) -> tuple[str, ...]:
    places = (each.where for each in found.workers if each.where and each.where != where)
    return tuple(dict.fromkeys(places))
