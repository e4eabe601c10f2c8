"""Are the workers in step: do they hold the same values, to the last bit, after the same steps?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from ..record.events import Applied, Broadcast, Callbacks, Collective, Differentiated, Reduce, State
from ..record.verdict import CONVICTED, Verdict, convicted, fine, note, unchecked
from . import judge
from ._compared_states import Comparison, Point, compare
from ._drift_causes import LEFT_BY_JOIN, SEND_THE_LAST, cause_of
from ._joins import joins
from ._local_sgd import rounds
from ._seen import across, everyone, first_place, idle, missing, steps
from ._uneven_ends import Endings, apart_behind_a_join, left_behind, uneven
from ._words import count, listed, same, step, variable, workers

if TYPE_CHECKING:
    from ..record.evidence import Evidence

ASKS = "whether the workers are in step"
APART = "the workers drift apart"
MOVED = "the workers are in step because they begin alike"
MOVED_TEXT = (
    "each begins with the same values by itself (a seed, a file, constants): where distify had "
    "moved the weights of workers above 0 apart they stayed apart, as nothing brings them together"
)
REPEATED = "the same without distify's own moving apart of the first weights, in a second run"
ROUNDS = (
    "the weights, not the gradients, are averaged, every {}: between them the workers differ on "
    "purpose (local SGD), and what one process would do is not defined"
)
BEHIND_A_JOIN = (
    "behind hvd.join() steps of the same number are none of the same calls, and their last values "
    "differ ({}): what one of them sets at its end may be why"
)
LEAVE_OUT_ALIKE = (
    "decide whether to apply by a value that is the same on all workers: "
    "`hvd.allreduce(loss) < limit`; `distify verify --model` shows what decides"
)


@judge(order=10, asks=ASKS, sees=("variables", "steps"), by_set=True)
def drift(evidence: Evidence) -> Iterator[Verdict]:
    """Compares every sampled state; the statistics of BatchNorm are local by design."""
    found = compare(evidence)
    yield _judge_points(evidence, found)
    if found.moving:
        yield _moving(found)
    if found.local:
        yield note(
            "some variables are of each worker's own",
            f"{_names(found.local)} differ, as the program told Horovod to keep them local",
        )
    if evidence.moved is not None:
        yield note(MOVED, MOVED_TEXT)
    if found.behind:
        yield note(
            "the values change behind the last step",
            f"{_names(found.behind)} differ at the end and were equal after the last step: what a "
            "worker loads or sets then trains nothing",
        )


def _names(keys: Iterable[str]) -> str:
    return listed(map(variable, keys))


def _judge_points(evidence: Evidence, found: Comparison) -> Verdict:
    if lost := missing(evidence):
        return unchecked(ASKS, f"{workers(lost)} left no records", ranks=tuple(lost))
    if idle(evidence):
        return _by_gradients(evidence)
    if period := rounds(evidence, found):
        return unchecked(ASKS, ROUNDS.format(count(period, "step")))
    if found.apart and not (_came_together(found) or _is_broadcast_anew(evidence, found)):
        return _apart(evidence, found)
    if behind := left_behind(evidence):
        return _left_behind(evidence, behind)
    if later := apart_behind_a_join(evidence):
        return unchecked(ASKS, BEHIND_A_JOIN.format(later.told))
    ends = uneven(evidence)
    if ends and (ends.differing or not ends.compared):
        return _left_out(evidence, ends)
    if not found.points:
        return unchecked(ASKS, _why_not(evidence))
    return _together_later(found) if found.apart else _in_step(found)


def _by_gradients(evidence: Evidence) -> Verdict:
    """Some workers never apply: what their gradients belong to is compared instead."""
    found = [{e.n: e.hashes for e in worker.all(Differentiated)} for worker in everyone(evidence)]
    common = sorted(set.intersection(*(set(each) for each in found)))
    apart = [n for n in common if not same(each[n] for each in found)]
    who = f"what the others apply is sent to {workers(idle(evidence))}"
    if not common:
        return unchecked(ASKS, f"{who}, and no gradients of the same step were seen")
    if not apart or apart == [common[0]] != common:
        text = f"{who}; equal in {count(len(common), 'comparison')}, whenever gradients are taken"
        return fine("the workers are in step", text)
    names = listed(_differing_names([each[apart[0]] for each in found]))
    sent = [*across(evidence, Reduce), *across(evidence, Collective)]
    return convicted(
        "D202",
        f"{APART}: what one worker applies is not sent to all",
        f"{who}; when gradients are taken for the {apart[0]}. time, their weights differ: {names}",
        where=first_place(sent),
        fix="let all workers apply, or broadcast all variables behind each step of one of them",
    )


def _differing_names(found: list[Mapping[str, str]]) -> list[str]:
    """Of the variables that not all hold alike."""
    keys = dict.fromkeys(key for each in found for key in each)
    return [variable(f"/{key}") for key in keys if not same(each.get(key) for each in found)]


def _why_not(evidence: Evidence) -> str:
    idle = [worker.rank for worker in everyone(evidence) if not steps(worker)]
    if len(idle) == len(evidence.workers):
        return "no worker made an optimizer step that could be seen"
    if idle:
        return f"{workers(idle)} made no optimizer step"
    return "the workers were never seen after the same number of steps"


def _in_step(found: Comparison) -> Verdict:
    last = found.points[-1]
    text = (
        f"{count(last.compared, 'value')} equal on all workers, to the last bit, "
        f"in {count(len(found.points), 'comparison')} up to {step(last.steps)}"
    )
    return fine("the workers are in step", text)


def _left_out(evidence: Evidence, ends: Endings) -> Verdict:
    if not ends.compared:
        return unchecked(ASKS, f"they ended with {ends.told}, and have no variables in common")
    told = listed(map(variable, ends.differing))
    return convicted(
        "H03",
        f"{APART}: a step is left out",
        f"they ended with other values after other numbers of steps ({ends.told}), and nobody "
        "waited: one of them took part in averaging and did not apply what came out",
        where=first_place(across(evidence, Applied)),
        evidence=(f"{len(ends.differing)} of {ends.compared} values differ at the end: {told}",),
        fix=LEAVE_OUT_ALIKE,
    )


def _left_behind(evidence: Evidence, ends: Endings) -> Verdict:
    early = first_place(each for w in everyone(evidence) for each in joins(w))
    told = listed(map(variable, ends.differing))
    return convicted(
        "D202",
        f"{APART}: {LEFT_BY_JOIN}",
        f"they ended with other values after other numbers of steps ({ends.told}): who joined "
        "first kept its weights as they were, and nobody sent it those of the others",
        where=early,
        evidence=(f"{len(ends.differing)} of {ends.compared} values differ at the end: {told}",),
        fix=SEND_THE_LAST,
    )


def _came_together(found: Comparison) -> bool:
    """Whether workers differed at first only, as before a broadcast, and never again."""
    flags = [bool(point.differing) for point in found.points]
    return flags == sorted(flags, reverse=True) and not flags[-1]


def _is_broadcast_anew(evidence: Evidence, found: Comparison) -> bool:
    """Whether each difference, as of weights that are set back, is broadcast away by its step.

    A step is looked at before its broadcast, so that it may differ; the next one must not.
    """
    flags = [bool(point.differing) for point in found.points]
    in_a_row = any(one and other for one, other in zip(flags, flags[1:]))
    sent = [worker.all(Broadcast) for worker in everyone(evidence)]
    are_enough = all(any(b.traced for b in s) or len(s) >= sum(flags) for s in sent)
    return not in_a_row and not flags[-1] and are_enough


def _together_later(found: Comparison) -> Verdict:
    if not _came_together(found):
        steps_apart = listed(step(point.steps) for point in found.apart)
        text = f"they differed after {steps_apart} only, and were brought together each time"
        return fine("the workers are in step", text)
    since = next(point for point in found.points if not point.differing)
    text = (
        f"they differed up to {step(found.apart[-1].steps)} and are equal since "
        f"{step(since.steps)}: the starting values were brought together late"
    )
    return fine("the workers are in step", text)


def _apart(evidence: Evidence, found: Comparison) -> Verdict:
    first = found.apart[0]
    cause = cause_of(evidence, found, first)
    return Verdict(
        code=cause.code,
        grade=CONVICTED,
        title=APART if cause.code == "H04" else f"{APART}: {cause.title}",
        text=f"{_since(evidence, found, first)}; {cause.why}",
        ranks=first.ranks,
        where=cause.where,
        evidence=(*_figures(found, first), *([REPEATED] if evidence.repeated else [])),
        fix=cause.fix,
    )


def _since(evidence: Evidence, found: Comparison, first: Point) -> str:
    before = found.last_equal_before
    since = "from the first step on" if before is None else f"after {step(before.steps)} (equal)"
    seen = f", seen after {step(first.steps)}"
    during = phase(evidence, first.steps)
    during = f", {during}" if during else ""
    return f"{workers(first.ranks)} and worker 0 differ {since}{seen}{during}"


def _figures(found: Comparison, first: Point) -> tuple[str, ...]:
    names = listed(map(variable, first.differing))
    lines = [f"{len(first.differing)} of {first.compared} values differ: {names}"]
    last = found.points[-1]
    if last is not first:
        lines.append(
            f"after {step(last.steps)}: {len(last.differing)} of {last.compared} values differ"
        )
    return tuple(lines)


def _moving(found: Comparison) -> Verdict:
    names = listed(variable(f"/{name}") for name in found.moving)
    text = (
        f"{names}: every worker gathers them from its own examples, by design; "
        "what rank 0 saves holds its own (hvd.SyncBatchNormalization shares them)"
    )
    return note("moving statistics differ", text)


# -- in which `fit` something happened -----------------------------------------------------------

_NUMBERS = ("first", "second", "third", "fourth", "fifth")


def phase(evidence: Evidence, steps: tuple[int, ...]) -> str:
    """`in the second fit (train.py:29)`; empty where there is but one, or it can't be told."""
    for worker in everyone(evidence):
        fits = [each for each in worker.all(Callbacks) if each.method.startswith("fit")]
        seen = next((state for state in worker.all(State) if state.steps == steps), None)
        begun = [each for each in fits if seen and each.t <= seen.t]
        if len(fits) > 1 and begun:
            where = f" ({begun[-1].where})" if begun[-1].where else ""
            return f"in the {_number(len(begun))} fit{where}"
    return ""


def _number(count: int) -> str:
    return _NUMBERS[count - 1] if count <= len(_NUMBERS) else f"{count}th"
