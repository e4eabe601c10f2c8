"""One module per question about a run: evidence in, verdicts out.

A module of this folder registers its function with `@judge(...)`. A judge always answers: with a
conviction only where it is certain, with "unchecked" and the reason where it could not see enough.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Callable

from ..record.endings import Blind
from ..record.verdict import CONVICTED, FINE, NOTE, Verdict, unchecked
from ._named import under_their_ranks
from ._words import workers

if TYPE_CHECKING:
    from ..record.evidence import Evidence

Answer = Callable[["Evidence"], Iterator[Verdict]]


@dataclass(frozen=True)
class Judge:
    """One question; `sees` is what a blind probe would have to see to answer it in full.

    `by_set`: each process set that trains a model of its own is asked for itself.
    """

    name: str
    order: int
    asks: str
    sees: tuple[str, ...]
    by_set: bool
    answer: Answer = field(compare=False)


# What the probe looks at, and may be blind for; a failure under any other name may hide anything.
SEEN = {
    "variables": "some variables",
    "examples": "some examples",
    "collectives": "some collectives",
    "writes": "some files that are written",
    "steps": "some steps",
    "rate": "some learning rates",
    "loss": "some losses",
    "model": "some training graphs",
    "gradients": "the gradients of a step",
}
REGISTRY: list[Judge] = []


def judge(
    order: int, asks: str, sees: tuple[str, ...] = (), by_set: bool = False
) -> Callable[[Answer], Answer]:
    """Register a function that answers a question; reports tell the answers by `order`."""

    def register(answer: Answer) -> Answer:
        REGISTRY.append(Judge(answer.__name__, order, asks, sees, by_set, answer))
        return answer

    return register


@cache
def all() -> tuple[Judge, ...]:
    """Every judge there is, the most important question first."""
    for module in pkgutil.iter_modules(__path__):
        if not module.name.startswith("_"):
            import_module(f"{__name__}.{module.name}")
    return tuple(sorted(REGISTRY, key=_order))


def _order(judge: Judge) -> int:
    return judge.order


def verdicts(evidence: Evidence) -> tuple[Verdict, ...]:
    """What all judges say; the same fault, seen by two, is told once."""
    evidence = under_their_ranks(evidence)
    found = [verdict for judge in all() for verdict in _answers(judge, evidence)]
    return tuple(_told_once(found))


def _answers(judge: Judge, evidence: Evidence) -> Iterator[Verdict]:
    hidden = _hidden(judge, evidence)
    try:
        answers = [*_by_set(judge, evidence)] if judge.by_set else [*judge.answer(evidence)]
    except Exception as error:  # one judge that stumbles must not silence the others
        why = f"distify itself failed here, please report it: {type(error).__name__}: {error}"
        answers = [unchecked(judge.asks, why)]
    for answer in answers:
        if hidden and answer.grade == FINE:
            text = f"as far as it could be seen: {answer.text}"
            answer = replace(answer, grade=NOTE, text=text)
        yield replace(answer, question=judge.name)


def _by_set(judge: Judge, evidence: Evidence) -> Iterator[Verdict]:
    from ._sets import parts  # which needs what is defined here

    found = parts(evidence)
    for part in found:
        who = f"{workers(part.only)}: " if len(found) > 1 else ""
        for answer in judge.answer(part):
            yield replace(answer, text=f"{who}{answer.text}")


def _hidden(judge: Judge, evidence: Evidence) -> bool:
    """Whether any worker could not see all that this judge relies on."""
    blind = (event.what for worker in evidence.workers.values() for event in worker.all(Blind))
    return any(what in judge.sees or what not in SEEN for what in blind)


def _told_once(found: Iterable[Verdict]) -> Iterator[Verdict]:
    """Convictions of one code for one place become one, with what each of them saw."""
    first: dict[str, list[Verdict]] = {}
    others = []
    for verdict in found:
        if verdict.grade != CONVICTED:
            others.append(verdict)
            continue
        same = first.setdefault(verdict.code, [])
        for index, earlier in enumerate(same):
            if _one_place(earlier, verdict):
                same[index] = _joined(earlier, verdict)
                break
        else:
            same.append(verdict)
    yield from (verdict for same in first.values() for verdict in same)
    yield from others


def _one_place(first: Verdict, second: Verdict) -> bool:
    return first.where == second.where or None in (first.where, second.where)


def _joined(first: Verdict, second: Verdict) -> Verdict:
    seen = (f"{second.title}: {second.text}", *second.evidence)
    return replace(
        first,
        where=first.where or second.where,
        ranks=tuple(sorted({*first.ranks, *second.ranks})),
        evidence=(*first.evidence, *(line for line in seen if line not in first.evidence)),
        places=tuple(dict.fromkeys((*first.places, *second.places))),
        fix=first.fix or second.fix,
    )
