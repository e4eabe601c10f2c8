"""What explains that workers drift apart, by the pattern of what was seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..events import Applied, Broadcast
from . import averaging, broadcast
from ._rates import differing
from ._seen import across, broadcast_rule, first_place, fits_of, optimizers
from ._states import Comparison, Point
from ._words import variable

if TYPE_CHECKING:
    from ..evidence import Evidence

START = "their starting values were not brought together"
UNKNOWN = "no cause is known"
STEERING = (
    "give callbacks that steer the training (EarlyStopping, ReduceLROnPlateau, …) to all "
    "workers, after `hvd.callbacks.MetricAverageCallback()`"
)


@dataclass(frozen=True)
class Cause:
    """The rule that was broken, and what shows it."""

    code: str
    title: str
    why: str
    where: str | None = None
    fix: str = ""


def cause_of(evidence: Evidence, found: Comparison, first: Point) -> Cause:
    """The first cause that fits, the most certain ones first."""
    return (
        _rates(evidence, first)
        or _never_averaged(evidence)
        or _plain_beside(evidence, first)
        or _partly_averaged(evidence, first)
        or _not_broadcast(evidence, found, first)
        or _unknown(evidence)
    )


def _rates(evidence: Evidence, first: Point) -> Cause | None:
    found = differing(evidence)
    if found is None or found.steps > max(first.steps) + 1:
        return None
    rank, other = found.ranks
    one, two = found.values
    why = f"step {found.steps} was made with rate {one:g} on worker {rank}, {two:g} on {other}"
    where = first_place(fits_of(evidence))
    return Cause("D302", "their learning rates differ", why, where, STEERING)


def _never_averaged(evidence: Evidence) -> Cause | None:
    # Metrics are averaged by hand, too: that workers drift shows that gradients are not.
    if not averaging.never(evidence):
        return None
    code, fix = averaging.rule(evidence)
    where = first_place(across(evidence, Applied))
    why = averaging.why_never(evidence)
    return Cause(code, "gradients are never averaged", why, where, fix)


def _plain_beside(evidence: Evidence, first: Point) -> Cause | None:
    """The values of an optimizer differ that nobody wrapped, beside one that was."""
    plain = averaging.plain_beside(evidence)
    if plain is None or not any(key.startswith(f"{plain.id}/") for key in first.differing):
        return None
    why = f"{plain.cls or 'the optimizer'} is a plain one there, while another is distributed"
    where = first_place(a for a in across(evidence, Applied) if a.optimizer == plain.id)
    title, fix = "gradients are never averaged", averaging.wrapping(evidence)
    return Cause("D105", title, why, where, fix)


def _partly_averaged(evidence: Evidence, first: Point) -> Cause | None:
    """Fewer gradients than variables; only where a broadcast was made, else that is the cause."""
    ids = {int(key.partition("/")[0]) for key in first.differing if key[:1].isdigit()}
    known = [opt for opt in optimizers(evidence).values() if opt.id in ids and opt.variables]
    counts = [each.count for each in averaging.of_variables(evidence) if each.count is not None]
    if not known or not counts or not any(each.count for each in across(evidence, Broadcast)):
        return None
    needed, averaged = max(len(opt.variables) for opt in known), max(counts)
    if averaged >= needed or len(first.differing) > needed - averaged:
        return None
    code, fix = averaging.rule(evidence)
    why = f"{averaged} of {needed} gradients are averaged"
    where = first_place(averaging.of_variables(evidence))
    return Cause(code, "not all gradients are averaged", why, where, fix)


def _not_broadcast(evidence: Evidence, found: Comparison, first: Point) -> Cause | None:
    """Values that differ from the first step on though gradients are averaged."""
    if found.last_equal_before is not None or first.steps != found.points[0].steps:
        return None
    ids = sorted({int(key.partition("/")[0]) for key in first.differing if key[:1].isdigit()})
    owner = ids[0] if ids else None
    code = broadcast_rule(evidence, owner)
    why = broadcast.why_missing(evidence, [variable(key) for key in first.differing])
    if 0 < len(ids) < len(optimizers(evidence)):
        why += f" (the variables of optimizer {owner} only, the others' are equal)"
    where = first_place(e for e in across(evidence, Applied) if owner in (None, e.optimizer))
    if code == "D302":
        where = first_place(fits_of(evidence)) or where
    return Cause(code, START, why, where, broadcast.fix_of(evidence, code))


def _unknown(evidence: Evidence) -> Cause:
    why = (
        "gradients are averaged and starting values were brought together, so something else "
        "changes these variables on each worker for itself between those steps"
    )
    fix = "look between those steps for what assigns to these variables, or restores them"
    where = first_place(across(evidence, Applied))
    return Cause("H04", UNKNOWN, why, where, fix)
