"""Did the program fail, and is it the distribution that made it fail?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..record.endings import Error
from ..record.verdict import Verdict, convicted, fine, unchecked
from . import judge
from ._early_ends import is_consequence, leaver
from ._failures import Failure, fails_alone, rule_of
from ._seen import everyone, fatal, missing
from ._words import workers

if TYPE_CHECKING:
    from ..record.evidence import Evidence
    from ..record.records import Worker

LONGEST = 2_000  # characters of a message: whole ones, but no tensors
BY_ITSELF = "One process fails in the same way: it is not the distribution"
UNKNOWN = "Nothing says that the distribution is to blame"
_NODE = re.compile(r"Node: '[^']*'\n")
_STACK = re.compile(r"Detected at node .*(?:\n\s*File .*)+")
ASKS = "whether the program comes to its end"


@judge(order=5, asks=ASKS)
def ended(evidence: Evidence) -> Iterator[Verdict]:
    """Convicts a failure that a rule explains; a program that fails by itself proves nothing."""
    failed = _first_failures(evidence)
    if evidence.ending == "interrupted":
        yield unchecked(ASKS, "it was interrupted")
    elif evidence.ending == "endless":
        yield unchecked(
            ASKS, f"it was ended: it {evidence.endless}", evidence=_printed_last(evidence)
        )
    elif failed:
        yield _by_rule(evidence, failed)
    elif evidence.ending == "failed":
        yield from _without_words(evidence)
    elif evidence.ending == "done":
        yield fine(ASKS, "on all workers")


def _first_failures(evidence: Evidence) -> list[tuple[Worker, Error]]:
    """Workers that failed by themselves, the first one first."""
    found = [(worker, fatal(worker)) for worker in everyone(evidence)]
    own = [(worker, error) for worker, error in found if error and not is_consequence(error)]
    return sorted(own, key=_time)


def _time(failed: tuple[Worker, Error]) -> float:
    return failed[1].t


def _by_rule(evidence: Evidence, failed: list[tuple[Worker, Error]]) -> Verdict:
    error = failed[0][1]
    ranks = tuple(sorted(worker.rank for worker, _ in failed))
    rule = rule_of(evidence, Failure(error, ranks))
    said = _words(error)
    on = "on all workers" if len(ranks) == evidence.job.workers else f"on {workers(ranks)}"
    frames = _last_lines(evidence, ranks) if error.type == "SystemExit" else ()
    frames = frames or tuple(error.frames[-3:])
    if rule is None:
        alone = fails_alone(evidence, error)
        text = f"{said}; {on}. {BY_ITSELF if alone else UNKNOWN}"
        return unchecked("the program fails", text, ranks=ranks, where=error.where, evidence=frames)
    return convicted(
        rule.code,
        rule.title,
        f"{said}; {on}",
        ranks=ranks,
        where=error.where,
        evidence=frames if error.where is None else (),
        fix=rule.fix,
        places=rule.places,
    )


def _last_lines(evidence: Evidence, ranks: tuple[int, ...]) -> tuple[str, ...]:
    """The last lines of a worker that ended on purpose: `error: --data is required`."""
    tail = next((evidence.tails[rank] for rank in ranks if evidence.tails.get(rank)), "")
    return tuple(tail.strip().splitlines()[-3:])


def _printed_last(evidence: Evidence) -> tuple[str, ...]:
    tail = next((text for text in evidence.tails.values() if text.strip()), "")
    return tuple(line[:300] for line in tail.strip().splitlines()[-3:])


def _words(error: Error) -> str:
    """The exception in a line; TensorFlow puts the stack of a whole graph before its words."""
    message = error.message
    if "Graph execution error" in message:
        message = _STACK.sub("", _NODE.split(message)[-1])
    return " ".join((error.cause or f"{error.type}: {message}").split())[:LONGEST]


def _without_words(evidence: Evidence) -> Iterator[Verdict]:
    """A job that failed, of which no worker tells an error of its own."""
    if leaver(evidence) is not None:
        return  # the others were told that it is gone: the judge of the steps explains it
    codes = {rank: code for rank, code in evidence.exit_codes.items() if code}
    killed = [f"worker {rank} by signal {-code}" for rank, code in codes.items() if code < 0]
    if lost := missing(evidence):
        why = f"{workers(lost)} left no records"
    elif killed:
        why = f"killed: {', '.join(killed)} (memory?)"
    else:
        told = ", ".join(f"worker {rank} with exit code {code}" for rank, code in codes.items())
        why = f"ended without an exception: {told or 'the launcher failed'}"
    tail = next(iter(evidence.tails.values()), "").strip().splitlines()[-3:]
    yield unchecked(ASKS, why, evidence=tuple(tail), ranks=tuple(codes))
