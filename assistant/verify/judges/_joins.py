"""Who has joined (`hvd.join()`), and up to which step the workers' steps are the same calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..record.events import Broadcast, Collective
from ._seen import everyone

if TYPE_CHECKING:
    from ..record.evidence import Evidence
    from ..record.records import Worker


def joins(worker: Worker) -> list[Collective]:
    """Its calls of `hvd.join()`."""
    return [each for each in worker.all(Collective) if each.kind == "join"]


def is_sent_to(worker: Worker) -> bool:
    """Whether it took part in a broadcast behind its first join."""
    since = min((each.t for each in joins(worker)), default=None)
    if since is None:
        return False
    called = (each for each in worker.all(Collective) if each.kind == "broadcast")
    sent: list[Broadcast | Collective] = [*worker.all(Broadcast), *called]
    return any(each.t > since or each.traced for each in sent)


def common_steps(evidence: Evidence) -> int | None:
    """How many steps all made together, where the first to join got what the others made then.

    From there on the same number of steps is another point of the training on each worker (the
    state behind the last of them is taken when the next one begins). None where steps can be
    compared all the way.
    """
    made = {w.rank: j[0].steps or 0 for w in everyone(evidence) if (j := joins(w))}
    least = min(made.values(), default=0)
    early = [evidence.workers[rank] for rank, steps in made.items() if steps == least]
    if len(set(made.values())) < 2 or not all(map(is_sent_to, early)):
        return None
    return least
