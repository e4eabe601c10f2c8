"""What explains that workers drift apart, by the pattern of what was seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..record.events import Applied, Assigned, Broadcast, Collective
from . import averaging, broadcast
from ._compared_states import Comparison, Point
from ._local_sgd import averaged_in_rounds
from ._rate_readings import differing
from ._seen import (
    across,
    broadcast_rule,
    callbacks_of_some,
    first_place,
    fits_of,
    optimizers,
)
from ._words import count, listed, variable

if TYPE_CHECKING:
    from ..record.evidence import Evidence

START = "their starting values were not brought together"
UNKNOWN = "no cause is known"
WRITTEN = "a line of the program sets them"
LEFT_BY_JOIN = "what was trained after a join is not sent to who had joined"
SEND_THE_LAST = (
    "send the weights of the worker that joined last: `last = int(hvd.join())`, then "
    "`hvd.broadcast_variables(model.variables, root_rank=last)` on all workers, and the optimizer's"
)
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
        or _by_join(evidence, first)
        or _some_in_rounds(evidence, found)
        or _not_this_time(evidence, found, first)
        or _never_averaged(evidence)
        or _plain_beside(evidence, first)
        or _other_variables(evidence, first)
        or _partly_averaged(evidence, first)
        or _not_broadcast(evidence, found, first)
        or _by_write(evidence, found, first)
        or _unknown(evidence, first)
    )


def _rates(evidence: Evidence, first: Point) -> Cause | None:
    found = differing(evidence)
    if found is None or found.steps > max(first.steps) + 1:
        return None
    rank, other = found.ranks
    one, two = found.values
    why = f"step {found.steps} was made with rate {one:g} on worker {rank}, {two:g} on {other}"
    if some := callbacks_of_some(evidence):
        why += f"; {some}"
    where = first_place(fits_of(evidence))
    return Cause("D302", "their learning rates differ", why, where, STEERING)


def _by_join(evidence: Evidence, first: Point) -> Cause | None:
    """A worker has joined, and the others made steps that it got nothing of."""
    joins = [each for each in across(evidence, Collective) if each.kind == "join"]
    early = min(joins, key=_steps_before, default=None)
    if early is None or _steps_before(early) >= sum(first.steps):
        return None
    why = (
        f"a worker joined after {count(_steps_before(early), 'step')}, and its weights stayed as "
        "they were while the others made more"
    )
    return Cause("D202", LEFT_BY_JOIN, why, early.where, SEND_THE_LAST)


def _steps_before(collective: Collective) -> int:
    return collective.steps or 0


def _some_in_rounds(evidence: Evidence, found: Comparison) -> Cause | None:
    """Weights are averaged every few steps, and some are left out."""
    seen = averaged_in_rounds(evidence, found)
    if seen is None or not seen.others:
        return None
    names, others = (listed(map(variable, keys)) for keys in (seen.averaged, seen.others))
    why = f"every {count(seen.period, 'step')} only these are averaged: {names}; never: {others}"
    where = first_place(c for c in across(evidence, Collective) if c.kind in averaging.REDUCING)
    fix = "average all weights alike: `for each in model.weights: each.assign(hvd.allreduce(each))`"
    return Cause("D201", "some weights are never averaged", why, where, fix)


def _never_averaged(evidence: Evidence) -> Cause | None:
    # Metrics are averaged by hand, too: that workers drift shows that gradients are not.
    if not averaging.never(evidence):
        return None
    code, fix = averaging.rule(evidence)
    where = first_place(across(evidence, Applied))
    why = averaging.why_never(evidence)
    return Cause(code, "gradients are never averaged", why, where, fix)


def _not_this_time(evidence: Evidence, found: Comparison, first: Point) -> Cause | None:
    """The steps before were averaged by hand, and the first one that differs was not."""
    if found.last_equal_before is None or any(averaging.of_variables(evidence)):
        return None
    made = sum(first.steps) - 1
    worker = evidence.workers[min(evidence.workers)]
    times = Counter(
        each.steps or 0
        for each in worker.all(Collective)
        if each.kind in averaging.REDUCING and not each.traced
    )
    before = [times[number] for number in range(made) if times[number]]
    if times[made] or not before:
        return None
    where = _own_line([each for each in worker.all(Applied) if not each.traced], made)
    why = (
        f"step {made + 1} is made without any averaging, after steps with {max(before)} "
        "allreduce each: what was left is applied by each worker alone"
    )
    title = "what is left is applied without averaging"
    return Cause("D201", title, why, where, "average it as in the other steps, then apply it")


def _own_line(applied: Sequence[Applied], made: int) -> str | None:
    """The line by which this step was applied, and none before it."""
    others = {line for each in applied if each.steps < made for line in each.chain}
    mine = next((each for each in applied if each.steps == made), None)
    if mine is None:
        return first_place(applied)
    return next((line for line in mine.chain if line not in others), mine.where)


def _other_variables(evidence: Evidence, first: Point) -> Cause | None:
    """Gradients are averaged, and those of the variables that differ are not among them."""
    reduced = averaging.of_variables(evidence)
    if not reduced or any(len(each.names) < (each.count or 0) for each in reduced):
        return None
    known = {name.removesuffix(":0") for each in reduced for name in each.names}
    apart = [key for key in first.differing if not key.partition("/")[2].startswith("slot/")]
    names = [variable(key) for key in apart]
    if not names or known & set(names):
        return None
    ids = _owners(first)
    applied = [each for each in across(evidence, Applied) if each.optimizer in ids]
    by_hand = any(each.by == "program" for each in applied)
    fix = averaging.TAPE if by_hand else averaging.wrapping(evidence)
    averaged = listed(sorted(known))
    why = f"only these variables are averaged: {averaged}; not averaged: {listed(names)}"
    title = "some gradients are never averaged"
    return Cause("D201" if by_hand else "D105", title, why, first_place(applied), fix)


def _owners(first: Point) -> list[int]:
    """The optimizers whose values differ."""
    return sorted({int(key.partition("/")[0]) for key in first.differing if key[:1].isdigit()})


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
    ids = set(_owners(first))
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
    ids = _owners(first)
    owner = ids[0] if ids else None
    code = broadcast_rule(evidence, owner)
    why = broadcast.why_missing(evidence, [variable(key) for key in first.differing])
    if 0 < len(ids) < len(optimizers(evidence)):
        why += f" (the variables of optimizer {owner} only, the others' are equal)"
    where = first_place(e for e in across(evidence, Applied) if owner in (None, e.optimizer))
    if code == "D302":
        where = first_place(fits_of(evidence)) or where
    return Cause(code, START, why, where, broadcast.fix_of(evidence, code))


def _by_write(evidence: Evidence, found: Comparison, first: Point) -> Cause | None:
    """A line of the program has set a variable that differs, between the two looks at it."""
    names = {variable(key) for key in first.differing}
    before = found.last_equal_before
    since = sum(before.steps) if before is not None else 0
    wrote = [
        each
        for each in across(evidence, Assigned)
        if each.name.removesuffix(":0") in names and since <= each.steps <= sum(first.steps)
    ]
    if not wrote:
        return None
    last = max(wrote, key=_time)
    why = f"{last.where} gives {variable('/' + last.name)} a value of each worker's own"
    fix = "give all workers the same value: broadcast it, or let it come of what is averaged"
    return Cause("H04", WRITTEN, why, last.where, fix)


def _time(assigned: Assigned) -> float:
    return assigned.t


def _unknown(evidence: Evidence, first: Point) -> Cause:
    why = (
        "gradients are averaged and starting values were brought together, so something else "
        "changes these variables on each worker for itself between those steps"
    )
    fix = "look between those steps for what assigns to these variables, or restores them"
    ids = _owners(first)
    mine = [each for each in across(evidence, Applied) if each.optimizer in ids]
    return Cause("H04", UNKNOWN, why, first_place(mine or across(evidence, Applied)), fix)
