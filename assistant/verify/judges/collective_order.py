"""Do all workers call the same collectives in the same order? (H02)"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

from ..record.events import Collective, Digest
from ..record.verdict import Verdict, convicted, fine, note, unchecked
from . import judge
from ._seen import across, everyone, missing
from ._words import count, workers

if TYPE_CHECKING:
    from ..record.evidence import Evidence
    from ..record.records import Worker

ASKS = "whether all workers call the same collectives in the same order"
SAME_ORDER = "let every worker make the same calls in the same order"


@judge(order=35, asks=ASKS, sees=("collectives",))
def collectives(evidence: Evidence) -> Iterator[Verdict]:
    """Convicts an order that ended in a hang or a failure; where all went well it is harmless."""
    if lost := missing(evidence):
        yield unchecked(ASKS, f"{workers(lost)} left no records")
        return
    first, *others = everyone(evidence)
    if not any(across(evidence, Collective)):
        yield unchecked(ASKS, "no collective was seen")
        return
    pairs = combinations((first, *others), 2)
    parted = next((found for one, other in pairs for found in _first_difference(one, other)), None)
    graphs = next((found for other in others for found in _graphs_apart(first, other)), None)
    if parted:
        yield _mismatch(evidence, *parted)
    elif evidence.ending in ("hang", "failed") and graphs:
        yield _in_graphs(*graphs)
    elif evidence.ending != "done":
        yield unchecked(ASKS, "equal as far as they go; the job did not come to its end")
    elif any(each.kind == "join" for each in across(evidence, Collective)):
        yield fine(ASKS, "as far as to hvd.join(), which takes part in whatever the others call")
    elif not _same_digests(evidence):
        yield note(
            "the workers call different collectives",
            "the first 2,000 agree, later ones differ; the job came to its end all the same",
            code="H02",
        )
    else:
        yield fine(ASKS, f"{count(len(first.all(Collective)), 'call')} compared")


def _first_difference(
    first: Worker, other: Worker
) -> Iterator[tuple[Collective, Collective, int, int]]:
    """The first pair of calls that don't belong together.

    Calls that are traced are put into a graph, and wait for one another in no order; a gathering
    takes a different number of rows from each worker. What a process set calls is compared among
    its members. Who has joined takes part in whatever the others call.
    """
    both = {first.rank, other.rank}
    one, two = (
        [e for e in worker.all(Collective) if not e.traced and both <= set(e.members or both)]
        for worker in (first, other)
    )
    for mine, theirs in zip(one, two):
        if "join" in (mine.kind, theirs.kind):
            return
        if _call(mine) != _call(theirs):
            yield mine, theirs, first.rank, other.rank
            return


def _graphs_apart(
    first: Worker, other: Worker
) -> Iterator[tuple[Collective, Collective, int, int]]:
    """Collectives of graphs that have no like on the other worker, one of each."""
    one, two = ({e.name: e for e in w.all(Collective) if e.traced} for w in (first, other))
    mine, theirs = [one[n] for n in one if n not in two], [two[n] for n in two if n not in one]
    if mine and theirs:
        yield mine[0], theirs[0], first.rank, other.rank


def _in_graphs(mine: Collective, theirs: Collective, rank: int, other: int) -> Verdict:
    return convicted(
        "H02",
        "the workers build graphs whose collectives have other names",
        "what one of them traces into the graph before shifts the names of what follows, and a "
        "collective waits for those of its name",
        ranks=(rank, other),
        where=mine.where or theirs.where,
        evidence=(_line(rank, mine), _line(other, theirs)),
        fix="let all workers trace the same operations: put nothing that computes under a "
        "condition on `hvd.rank()` inside of a @tf.function",
    )


def _call(each: Collective) -> tuple[object, ...]:
    gathers = each.kind in ("allgather", "alltoall")
    shape = each.shape[1:] if gathers and each.shape else each.shape
    return each.kind, each.name, shape, each.dtype


def _mismatch(
    evidence: Evidence, mine: Collective, theirs: Collective, rank: int, other: int
) -> Verdict:
    lines = (_line(rank, mine), _line(other, theirs))
    title = "the workers call different collectives"
    where = mine.where or theirs.where
    if evidence.ending == "done":
        text = "the job came to its end all the same"
        return note(title, text, code="H02", where=where, evidence=lines)
    return convicted(
        "H02",
        title,
        "they wait for each other: a collective begins when all workers have called the same one",
        ranks=(rank, other),
        where=where,
        evidence=lines,
        fix=SAME_ORDER,
        places=(theirs.where,) if theirs.where and theirs.where != where else (),
    )


def _line(rank: int, each: Collective) -> str:
    shape = "x".join(map(str, each.shape)) if each.shape else ""
    what = " ".join(filter(None, (each.kind, each.name, each.dtype, shape)))
    return f"worker {rank}: {what}{f' at {each.where}' if each.where else ''}"


def _same_digests(evidence: Evidence) -> bool:
    found = [{(each.n, each.digest) for each in w.all(Digest)} for w in everyone(evidence)]
    numbers = [{n for n, _ in each} for each in found]
    common = set.intersection(*numbers) if numbers else set()
    return all(
        {pair for pair in each if pair[0] in common} == {p for p in found[0] if p[0] in common}
        for each in found
    )
