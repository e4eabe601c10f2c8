"""What the chosen repairs make of a text that is blocked, and which others there are for the rest.

Behind each repair the text is looked at again, as any text is. One is offered only where that look
no longer finds what it is to take away.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Callable

from . import repairs
from .chains import steps
from .facts import Facts
from .finding import find
from .line_map import LineMap
from .model import Finding, Migration, Offer, Options, Step, Stumble, SyntaxProblem, UnsoundResult
from .program.graph import TooLarge
from .repairs import Repair
from .unmade import refused

Look = Callable[[str, Options, str], Migration]
Approve = Callable[[Migration], Migration]
HALF = "P02"  # said of a program that begins with Horovod, which a repair made it do


def mended(
    seen: Migration,
    options: Options,
    name: str,
    look: Look,
    approve: Approve,
    facts: Facts | None = None,
) -> Migration:
    """A migration behind the chosen repairs, or with offers.

    `look` says what becomes of a repaired text, and has that judged; `approve` judges one of which
    the rules make nothing more. `facts`: those of the text, if somebody has them.
    """
    taken: list[Step] = []
    now, first = seen, _Blocked(seen, options, name, facts)
    blocked = first
    while True:
        try:
            step = next(blocked.steps(_waiting(now, options, taken)), None)
        except UnsoundResult as error:
            now, seen = refused(now, error), refused(seen, error)
            break
        if step is None:
            break
        taken.append(step)
        now = look(step.text, options, name)
        blocked = _Blocked(now, options, name)
    is_mended = bool(taken) and not now.skipped
    offers, faults = _offers(blocked if is_mended else first, look)
    for fault in faults:
        now, seen = refused(now, fault), refused(seen, fault)
    if not is_mended:
        return seen._replace(repairs=offers)
    made = _behind(seen, taken, now, offers)
    is_finished = bool(made.blocked or made.is_judged or made.after == made.before)
    return made if is_finished else approve(made)


def _waiting(now: Migration, options: Options, taken: Iterable[Step]) -> Iterator[Repair]:
    """The chosen repairs behind those that were made: commits go by their codes."""
    last = max((step.code for step in taken), default="")
    for repair in repairs.all():
        if repair.code in options.repair and repair.code > last:
            yield repair


class _Blocked:
    """A text that is blocked, whose facts all repairs look at."""

    def __init__(
        self, now: Migration, options: Options, name: str, facts: Facts | None = None
    ) -> None:
        self.now, self.options, self.name = now, options, name
        self._known = facts
        self._codes = {finding.code for finding in now.blocked}

    @cached_property
    def _facts(self) -> Facts:
        return self._known or Facts.of(self.now.before, self.options, self.name)

    def steps(self, waiting: Iterable[Repair]) -> Iterator[Step]:
        """What each of these repairs makes of the text, where it has something to do."""
        for repair in waiting:
            if repair.of_notes or repair.answers & self._codes:
                found = find(self._facts, [repair.rule])
                if found:
                    yield from steps(self._facts, found, self.name)


def _offers(blocked: _Blocked, look: Look) -> tuple[tuple[Offer, ...], list[Stumble]]:
    """The repairs that take something away of what is in the way, and faults of such repairs.

    Those that were chosen are none of them.
    """
    offers: list[Offer] = []
    faults: list[Stumble] = []
    for repair in repairs.all() if blocked.now.blocked else ():
        if repair.code in blocked.options.repair or repair.of_notes:
            continue
        try:
            offers += _offered(repair, blocked, look)
        except Stumble as fault:
            faults.append(fault)
        except (SyntaxProblem, UnsoundResult, TooLarge):  # what can't be repaired stays refused
            continue
    return tuple(offers), faults


def _offered(repair: Repair, blocked: _Blocked, look: Look) -> Iterator[Offer]:
    """The repair, if what it is to take away is no longer found behind it."""
    for step in blocked.steps([repair]):
        then = look(step.text, blocked.options._replace(only_look=True), blocked.name)
        answers = _gone(blocked.now.blocked, then.blocked)
        if answers:
            rule, is_automatic = repair.rule, repair.is_automatic
            yield Offer(rule.code, rule.name, rule.summary, is_automatic, step.text, answers)


def _gone(before: Sequence[Finding], after: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings that are not there any more, as many of a code as there are fewer."""
    after = list(after)
    left = Counter(map(_words, after))
    fewer = Counter(finding.code for finding in before)
    fewer.subtract(finding.code for finding in after)
    gone: list[Finding] = []
    for finding in before:
        what = _words(finding)
        if left[what]:
            left[what] -= 1
        elif fewer[finding.code] > 0:
            fewer[finding.code] -= 1
            gone.append(finding)
    return tuple(gone)


def _words(finding: Finding) -> str:
    """What it says, wherever the lines stand now."""
    return re.sub(r"\d+", "", f"{finding.code} {finding.message}")


def _behind(
    seen: Migration, taken: Sequence[Step], now: Migration, offers: tuple[Offer, ...]
) -> Migration:
    """The last look as one at the text as it was; with all steps, if nothing blocks it."""
    line = LineMap(seen.before, now.before)
    blocked = tuple(map(line.of, now.blocked))
    moved = {id(old): new for old, new in zip(now.blocked, blocked)}
    offers = tuple(
        offer._replace(answers=tuple(moved[id(f)] for f in offer.answers)) for offer in offers
    )
    notes = tuple(line.of(f) for f in now.notes if f.code != HALF or f in seen.notes)
    then = [step._replace(places=line.places(step.places)) for step in now.steps]
    unmade = [due._replace(places=line.places(due.places)) for due in now.due] if not then else []
    if unmade:
        unmade = [*(Migration(seen.before, "", steps=tuple(taken)).due), *unmade]
    return now._replace(
        before=seen.before,
        evidence=seen.evidence,
        steps=(*taken, *then),
        unmade=tuple(unmade),
        blocked=blocked,
        notes=notes,
        suppressed=tuple(s._replace(finding=line.of(s.finding)) for s in now.suppressed),
        repairs=offers,
    )
