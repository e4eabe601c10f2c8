"""What a person makes of a rule on the walk, as part of that rule: one commit holds both."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ..files.outcome import Outcome

if TYPE_CHECKING:
    from distify.codemods.model import Step

STAYS = (
    "the commits begin with the file as git has it: quit, change it, commit that, and walk again "
    "(or walk without --commit)"
)


def behind_edit(
    fixed: Sequence[Step], steps: Iterable[Step], code: str, text: str
) -> tuple[Step, ...]:
    """The steps that an edit leaves as they are, the rule that was edited behind them.

    `fixed` are those of edits before it; `steps` are those since then, of which the edit has seen
    the ones up to its own.
    """
    place = next((step.places for step in steps if step.code == code), ())
    seen = [step for step in steps if step.code < code]
    edited = _step(code, text, place)
    return _join_steps(fixed, [*seen, edited])


def whole(first: Outcome, fixed: Sequence[Step], now: Outcome) -> Outcome:
    """What became of a file since before the first edit: its own text, and a step for each rule."""
    from distify.codemods.gate.repairing import (
        HALF,  # an edited text is so until all rules are done
    )

    migration, before = now.migration, first.migration
    if migration is None or before is None:
        return now._replace(source=first.source)
    steps = _join_steps(fixed, migration.steps)
    texts = [before.before, *(step.text for step in steps)]
    made = tuple(step for old, step in zip(texts, steps) if step.text != old)
    notes = tuple(note for note in migration.notes if note.code != HALF or note in before.notes)
    told = migration._replace(
        before=before.before, steps=made, notes=notes, suppressed=before.suppressed
    )
    return now._replace(source=first.source, migration=told)


def _join_steps(fixed: Sequence[Step], steps: Iterable[Step]) -> tuple[Step, ...]:
    """One after the other; what an earlier rule has to do again belongs to the edited one."""
    found = list(fixed)
    for step in steps:
        if found and step.code <= found[-1].code:
            found[-1] = found[-1]._replace(text=step.text)
        else:
            found.append(step)
    return tuple(found)


def _step(code: str, text: str, places: tuple[tuple[int, int], ...]) -> Step:
    from distify.codemods.model import Step

    return Step(code, text, places)
