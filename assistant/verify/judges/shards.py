"""Does every worker train on a share of its own? (D107, H01)"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import isclose
from typing import TYPE_CHECKING

from ..record.events import Examples, Shard, Shuffle
from ..record.verdict import Verdict, convicted, fine, note, unchecked
from . import judge
from ._epochs import Epoch, common_via, first_epoch
from ._seen import across, everyone, first_place, fits_of, keeps_rate, missing, optimizers
from ._whole import alone, amounts
from ._words import count, percent, workers

if TYPE_CHECKING:
    from ..record.evidence import Evidence
    from ..record.records import Worker

ASKS = "whether every worker trains on a share of its own"
ENOUGH = 8  # different examples that two workers share, below which chance may be at work
CLEAR = 0.2  # the share of a worker's examples beyond what duplicates explain
SHARE = (
    "give each worker its share, before shuffling and batching: "
    "`ds.take(n // hvd.size() * hvd.size()).shard(hvd.size(), hvd.rank())`"
)
# Fingerprints are of what the model gets: a random crop of the same image has another one.
UNKNOWN_AGAIN = (
    "as none came back in a later epoch either, random changes to the examples could hide that "
    "two workers have the same"
)
APART = ", and cut them apart: `x[hvd.rank()::hvd.size()]`"
SEED = "give the shuffling (or the split) before it the same seed on all workers"


@dataclass(frozen=True)
class Overlap:
    """Two epochs and the share of the smaller one's examples that the other one holds, too."""

    one: Epoch
    two: Epoch
    common: int  # different examples
    share: float

    @property
    def twins(self) -> float:
        """The larger of the two shares of examples that are equal by nature."""
        return max(self.one.twins, self.two.twins)

    @property
    def identical(self) -> bool:
        """Whether the shorter one saw the same examples in the same steps."""
        steps = list(zip(self.one.batches, self.two.batches))
        return bool(steps) and all(sorted(one) == sorted(two) for one, two in steps)


@judge(order=55, asks=ASKS, sees=("examples",), by_set=True)
def shards(evidence: Evidence) -> Iterator[Verdict]:
    """Convicts shares that overlap by more than the data's own duplicates can explain."""
    everybody = everyone(evidence)
    via = common_via(everybody)
    if lost := missing(evidence):
        yield unchecked(ASKS, f"{workers(lost)} left no records")
    elif via is None:
        yield unchecked(ASKS, "no worker's examples could be seen")
    else:
        epochs = [first_epoch(worker, via) for worker in everybody]
        worst = max(_overlaps(epochs), key=_share, default=None)
        yield (
            fine(ASKS, "only one worker")
            if worst is None
            else _judge_epochs(evidence, epochs, worst)
        )


def overlaps(evidence: Evidence) -> list[Overlap]:
    """What each two workers have in common; nothing where that can't be told."""
    everybody = everyone(evidence)
    via = None if missing(evidence) else common_via(everybody)
    return [] if via is None else [*_overlaps([first_epoch(w, via) for w in everybody])]


def takes_one_batch(evidence: Evidence) -> bool:
    """Whether every step of every worker takes the same examples: all that there are."""
    found = overlaps(evidence)
    return bool(found) and all(
        each.identical and each.share == 1 and len(each.one.batches) == 1 and each.one.whole
        for each in found
    )


def takes_share_at_once(evidence: Evidence) -> bool:
    """Whether every step of every worker takes all examples of its own share."""
    everybody = everyone(evidence)
    via = None if missing(evidence) else common_via(everybody)
    epochs = [] if via is None else [first_epoch(worker, via) for worker in everybody]
    return bool(epochs) and all(each.whole and len(each.batches) == 1 for each in epochs)


def _share(overlap: Overlap) -> float:
    return overlap.share


def _overlaps(epochs: Sequence[Epoch]) -> Iterator[Overlap]:
    for one, two in combinations(epochs, 2):
        common = set(one.rows) & set(two.rows)
        small, large = sorted((one, two), key=_seen)
        share = sum(small.rows[row] for row in common) / small.seen if small.seen else 0.0
        yield Overlap(small, large, len(common), share)


def _seen(epoch: Epoch) -> int:
    return epoch.seen


def _judge_epochs(evidence: Evidence, epochs: Sequence[Epoch], worst: Overlap) -> Verdict:
    total = sum(epoch.seen for epoch in epochs)
    if not worst.common:
        text = f"none of {count(total, 'example')} was seen by two of them"
        if any(epoch.whole for epoch in epochs) or _is_shared_out(evidence):
            return fine(ASKS, text)
        return note(ASKS.removeprefix("whether "), f"{text}; {UNKNOWN_AGAIN}")
    ranks = tuple(sorted((worst.one.rank, worst.two.rank)))
    figures = (
        f"{percent(worst.share)} of the {worst.one.seen:,} examples that worker "
        f"{worst.one.rank} trained on were also seen by worker {worst.two.rank}"
    )
    # Where a worker itself sees nothing twice, it goes through all of the data in that time.
    if worst.twins and (cut := cut_anew(everyone(evidence), worst.one.via)):
        each = f"{count(cut.steps, 'step')} with {count(cut.examples, 'example')}"
        text = f"none was seen twice in any of {cut.rounds} rounds of {each}: cut anew for each"
        return fine(ASKS, text)
    if _one_example(worst):
        return unchecked(ASKS, f"{figures}, but its examples can't be told apart", ranks=ranks)
    if worst.identical and worst.share == 1:
        return _same_data(evidence, worst, figures, ranks)
    if worst.common < ENOUGH or worst.share < CLEAR + 3 * worst.twins:
        text = f"{figures}: no more than duplicates in the data may explain"
        return unchecked(ASKS, text, ranks=ranks)
    return _overlapping(evidence, worst, figures, all(epoch.whole for epoch in epochs), ranks)


def _one_example(worst: Overlap) -> bool:
    return len(worst.one.rows) < 2 or len(worst.two.rows) < 2


def _same_data(evidence: Evidence, worst: Overlap, figures: str, ranks: tuple[int, ...]) -> Verdict:
    title = "every worker trains on all the data"
    if len(worst.one.batches) == 1 and worst.one.whole:
        text = f"{figures}: every step takes the same batch, so more workers add nothing"
        return note(title, text, code="D107", fix=SHARE)
    slow = "an epoch takes as long as on one worker"
    its = [o for o in optimizers(evidence).values() if o.api != "none"]
    if its and all(keeps_rate(evidence, optimizer) for optimizer in its):
        text = f"{figures}, and the rate is kept, as `# distify: rate=kept` says: {slow}"
        return note(title, text, code="D107", fix=SHARE)
    text = f"{figures}, in the same steps; {slow}"
    return convicted("D107", title, text, ranks=ranks, where=_place(evidence), fix=SHARE)


def _overlapping(
    evidence: Evidence, worst: Overlap, figures: str, whole: bool, ranks: tuple[int, ...]
) -> Verdict:
    """`whole`: each worker went through its data once, and so has a part of it, not the whole."""
    text = f"{figures} (within a worker {percent(worst.twins)} have a twin)"
    if worst.share < 0.95 and (_is_shared_out(evidence) or whole):
        unseeded = [each for each in across(evidence, Shuffle) if not each.seeded]
        shared = _is_shared_out(evidence)
        why = "" if shared or unseeded else ", or cuts its share so that it is also another's"
        return convicted(
            "H01",
            "the shares of the workers overlap",
            f"{text}: each worker draws an order of its own before the data is shared out{why}",
            ranks=ranks,
            where=first_place(unseeded if shared else ()) or _place(evidence),
            fix=f"{SEED}{APART if why else ''}",
        )
    if worst.share >= 0.95 and _takes_its_part(evidence, worst):
        title = "every worker goes through all the data in an order of its own"
        part = "all of them together take as many examples as one process"
        return note(title, f"{text}; {part}", code="D107")
    title = "the shares of the workers overlap"
    return convicted("D107", title, text, ranks=ranks, where=_place(evidence), fix=SHARE)


def _takes_its_part(evidence: Evidence, worst: Overlap) -> bool:
    """Whether each worker takes an Nth of what one process takes, by fewer epochs or steps, and
    of all the data: not all of them the share of one."""
    found, one = amounts(evidence), alone(evidence)
    if found is None or one is None:
        return False
    all_rows = {row for e in _own(one, worst.one.via) for row in e.rows}
    if len(all_rows & set(worst.one.rows)) < 0.9 * len(all_rows):
        return False
    many = sum(found.workers) * evidence.job.size / len(found.workers)
    return isclose(many, found.one, rel_tol=0.15)


def _own(run: Worker, via: str) -> Iterator[Examples]:
    return (each for each in run.all(Examples) if each.via == via and not each.given)


def _is_shared_out(evidence: Evidence) -> bool:
    return any(each.shards != 1 for each in across(evidence, Shard))


def _place(evidence: Evidence) -> str | None:
    return first_place(across(evidence, Shard)) or first_place(fits_of(evidence))


# -- an order that all draw alike, anew for each round, and cut by rank --------------------------

SAME = 0.8  # of a round's examples are those of the first one; the rest may be left over each time


@dataclass(frozen=True)
class Cut:
    """So many rounds, of so many steps and examples of all workers together."""

    rounds: int
    steps: int
    examples: int


def cut_anew(workers: Sequence[Worker], via: str) -> Cut | None:
    """None where that is not seen, or no second round was begun."""
    found = _rounds(_together(workers, via))
    if len(found) < 2:
        return None
    steps, first = found[0]
    lengths = [each for each, _ in found[1:-1]]
    alike = all(len(rows & first) >= SAME * len(rows) for _, rows in found[1:])
    if not alike or any(each != steps for each in lengths) or found[-1][0] > steps:
        return None
    return Cut(len(found), steps, len(first))


def _together(workers: Sequence[Worker], via: str) -> Iterator[list[str]]:
    """What all workers took in their first step, in their second one, …"""
    taken = [[e.rows for e in w.all(Examples) if e.via == via and e.rows] for w in workers]
    for batches in zip(*taken):
        yield [row for batch in batches for row in batch]


def _rounds(steps: Iterator[list[str]]) -> list[tuple[int, set[str]]]:
    """The number of steps and the examples of each round; a step with an example of it ends it."""
    found: list[tuple[int, set[str]]] = []
    for rows in steps:
        if len(set(rows)) < len(rows):
            return []  # twice in one step
        if not found or found[-1][1].intersection(rows):
            found.append((0, set()))
        made, seen = found[-1]
        found[-1] = made + 1, seen.union(rows)
    return found
