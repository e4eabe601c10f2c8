"""The second run of a program in one folder, which goes on from what the first one wrote."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from .. import judges
from ..record.verdict import Verdict, unchecked
from .whole_job import run

if TYPE_CHECKING:
    from ..record.evidence import Evidence
    from .interrupt import Interrupt
    from .watch import Teller

SECOND = "second run"


def again(
    first: Evidence, folder: Path, interrupt: Interrupt, tell: Teller | None = None
) -> Evidence | None:
    """Runs it once more; None where the first run did not come to its end.

    Without a reference: what one process reads there is a rate that was scaled already.
    """
    if first.ending != "done" or interrupt.asked:
        return None
    job = replace(first.job, reference=False)
    return run(job, first.setting, folder / "second", interrupt, tell)


def verdicts(second: Evidence | None) -> tuple[Verdict, ...]:
    """What the judges say of it, each by the name of the phase."""
    if second is None:
        why = "it was not made, as the first run did not come to its end"
        return (unchecked(SECOND, why, question="ended"),)
    found = judges.verdicts(second)
    return tuple(replace(each, title=f"{SECOND}: {each.title}") for each in found)
