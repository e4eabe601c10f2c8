"""Does the job do what the program on one process does? (D106 steps, D107 examples)"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..record.verdict import Verdict, convicted, fine, note, unchecked
from . import _like_baseline as beside
from . import judge
from ._seen import everyone, steps
from ._words import count, variable

if TYPE_CHECKING:
    from ..record.evidence import Alone, Evidence
    from ..record.records import Worker

ASKS = "whether the job does what the program does on one process"
DIVIDE = "divide steps that are counted by the number of workers: `steps_per_epoch=n // hvd.size()`"
SHARE = "give every worker its share of the data, and drop no more than what doesn't go round"


@judge(order=57, asks=ASKS)
def baseline(evidence: Evidence) -> Iterator[Verdict]:
    """Compares with the program that was given as --baseline; silent where none was."""
    if evidence.job.baseline is None:
        return
    alone = evidence.baseline
    if alone is None or alone.worker is None or not steps(alone.worker):
        yield unchecked(ASKS, _why_not(alone))
        return
    if evidence.ending != "done":
        yield unchecked(ASKS, "the job did not come to its end")
        return
    yield from _amounts(evidence, alone.worker)
    yield from _values(evidence, beside.likest(evidence) or alone)


def _why_not(alone: Alone | None) -> str:
    if alone is None:
        return "the program was not run on one process"
    if alone.hung or alone.endless:
        return f"the program {alone.endless or 'hung'} on one process"
    failed = f" (it ended with exit code {alone.exit_code})" if alone.exit_code else ""
    return f"no optimizer step of the program on one process was seen{failed}"


# ---------------------------------------------------------------- how much


def _amounts(evidence: Evidence, alone: Worker) -> Iterator[Verdict]:
    """All workers together are to see as many examples as the program does on one process."""
    title = "whether all workers together see each example once"
    found = everyone(evidence)
    one, many = beside.examples(alone), sum(map(beside.examples, found))
    if beside.was_limited(alone) or any(map(beside.was_limited, found)):
        yield unchecked(title, "--limit-steps ended them before all data was seen")
    elif not one or not many:
        yield unchecked(title, "the examples could not be seen")
    elif many > one * (1 + evidence.job.workers) / 2:
        yield _too_much(evidence, alone, one, many)
    else:
        yield from _unseen(evidence, alone, title)


def _too_much(evidence: Evidence, alone: Worker, one: int, many: int) -> Verdict:
    rows = [set(beside.all_rows(worker)) for worker in everyone(evidence)]
    shared = set.intersection(*rows)
    text = f"{count(many, 'example')} on all workers together, {one:,} in one process"
    if len(shared) > len(set().union(*rows)) / 2:
        return convicted("D107", "every worker trains on all the data", text, fix=SHARE)
    return convicted("D106", "the steps are not divided by the workers", text, fix=DIVIDE)


def _unseen(evidence: Evidence, alone: Worker, title: str) -> Iterator[Verdict]:
    """Multisets, so that an example that is there twice is expected twice."""
    together: Counter[str] = Counter()
    for worker in everyone(evidence):
        together.update(beside.all_rows(worker))
    wanted = beside.all_rows(alone)
    if not together & wanted:
        yield unchecked(title, "they see no example in common: the data is random, or made anew")
        return
    lost = set(wanted) - set(together)
    # A group that doesn't go round is dropped by design: less than a batch of each worker.
    spare = max(map(beside.largest_batch, everyone(evidence))) * evidence.job.workers
    text = f"{count(len(lost), 'example')} of {len(set(wanted)):,} seen by no worker"
    if len(lost) > spare:
        yield convicted("D107", "examples that no worker sees", text, fix=SHARE)
    elif lost:
        yield note("examples that no worker sees", f"{text}: what does not go round is dropped")
    else:
        yield fine(title, f"{count(len(set(wanted)), 'example')}")


# ---------------------------------------------------------------- to what end


def _values(evidence: Evidence, alone: Alone) -> Iterator[Verdict]:
    title = "whether the trained values are those of one process"
    assert alone.worker is not None
    job = evidence.folder / "rank0.npz"
    found = beside.values(job, alone.values) if alone.values else "they were not kept"
    if isinstance(found, str):
        yield _by_losses(evidence, title, found)
    elif found.distance <= beside.CLOSE:
        size = evidence.job.workers
        equal = f"equal to {found.distance:.1g}" if found.distance else "exactly equal"
        text = f"{count(found.count, 'variable')}, {equal}"
        many = f"{size} × B examples a step, as one process with {size}·B"
        many = "all workers together take its batches" if beside.keeps_batch(evidence) else many
        yield fine(title, f"{text} ({many})")
    else:
        why = beside.why_not_exact(evidence, alone.worker) or (
            "each step sees the same examples, so it is dropout or other randomness, or a loss "
            "that is no mean over examples"
        )
        yield _by_losses(
            evidence, title, f"{variable(found.name)} differs by {found.distance:.3g}: {why}"
        )


def _by_losses(evidence: Evidence, title: str, why: str) -> Verdict:
    """Says why nothing exact can be said, and what the losses say instead."""
    found = beside.curves(evidence)
    if len(found) < 2:
        return unchecked(title, f"{why}; no losses were seen on both sides")
    many, one = map(beside.last_losses, found)
    losses = f"the loss at the end is {many:.4g} on the workers, {one:.4g} on one process"
    return unchecked(title, f"{why}. To compare: {losses}")
