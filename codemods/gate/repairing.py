"""What the chosen repairs make of a text that is blocked, and which others there are for the rest.

Behind each repair the text is looked at again, as any text is. One is offered only where that look
no longer finds what it is to take away.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Callable

from .. import repairs
from ..applying.apply_rules import steps
from ..applying.places_to_edit import find
from ..applying.unmade import refused
from ..facts import Facts
from ..model import (
    Finding,
    Migration,
    Offer,
    Options,
    Other,
    Stumble,
    SyntaxProblem,
    UnsoundResult,
    is_repair,
)
from ..program.graph import TooLarge
from ..repairs import Repair
from ..telling.line_map import LineMap

Look = Callable[[str, Options, str], Migration]
Approve = Callable[[Migration], Migration]
IN_THE_WAY = "repair {} can't be made, as nobody can follow `{}` in {}"
HALF = "P02"  # said of a program that begins with Horovod, which a repair made it do


class Program:
    """A text by itself, that is looked at and changed by repairs."""

    def __init__(
        self, text: str, options: Options, name: str, look: Look, facts: Facts | None = None
    ) -> None:
        self.text, self.options, self.name = text, options, name
        self._look, self._known = look, facts

    def look(self, options: Options) -> Migration:
        """What becomes of it; who `only_look`s gets no text."""
        return self._look(self.text, options, self.name)

    def made(self, repair: Repair) -> Iterator[Migration]:
        """What a repair makes of it, where it has something to do."""
        found = find(self._facts, [repair.rule])
        if found:
            yield Migration(self.text, "", steps=steps(self._facts, found, self.name))

    def behind(self, made: Migration) -> Program:
        """The program as that leaves it."""
        return Program(made.after, self.options, self.name, self._look)

    @property
    def facts(self) -> Facts:
        """What is known of it."""
        return self._facts

    def place(self, line: int) -> str:
        """Where a line of it stands."""
        return f"line {line}"

    @cached_property
    def _facts(self) -> Facts:
        return self._known or Facts.of(self.text, self.options, self.name)


def mended(seen: Migration, program: Program, approve: Approve) -> Migration:
    """A migration behind the chosen repairs, or with offers.

    What a repair leaves is looked at again, and judged; `approve` judges a program of which the
    rules make nothing more.
    """
    taken: list[Migration] = []
    now, first = seen, _Blocked(seen, program)
    blocked = first
    while True:
        try:
            made = next(blocked.made(_waiting(now, program.options, taken)), None)
        except UnsoundResult as error:
            now, seen = refused(now, error), refused(seen, error)
            break
        if made is None:
            break
        taken.append(made)
        program = program.behind(made)
        now = program.look(program.options)
        blocked = _Blocked(now, program)
    is_mended = bool(taken) and not now.skipped
    offers, faults = _offers(blocked if is_mended else first)
    for fault in faults:
        now, seen = refused(now, fault), refused(seen, fault)
    if not is_mended:
        told = _with_reasons(seen.blocked, offers, first.program)
        return seen._replace(repairs=offers, blocked=told)
    behind = _behind(seen, taken, now, offers)
    is_left = all(each.after == each.before for each in _files(behind))
    is_finished = bool(behind.blocked or behind.is_judged or is_left)
    return behind if is_finished else approve(behind)


def _files(seen: Migration) -> Iterator[Migration]:
    yield seen
    yield from (other.migration for other in seen.others)


def _waiting(now: Migration, options: Options, taken: Iterable[Migration]) -> Iterator[Repair]:
    """The chosen repairs behind those that were made: commits go by their codes."""
    codes = (step.code for made in taken for each in _files(made) for step in each.steps)
    last = max(filter(is_repair, codes), default="")
    for repair in repairs.all():
        if repair.code in options.repair and repair.code > last:
            yield repair


class _Blocked:
    """A program that is blocked, whose facts all repairs look at."""

    def __init__(self, now: Migration, program: Program) -> None:
        self.now, self.program = now, program
        self._codes = {finding.code for finding in now.blocked}

    def made(self, waiting: Iterable[Repair]) -> Iterator[Migration]:
        """What each of these repairs makes of it, where it has something to do."""
        for repair in waiting:
            if repair.of_notes or repair.answers & self._codes:
                yield from self.program.made(repair)


def _offers(blocked: _Blocked) -> tuple[tuple[Offer, ...], list[Stumble]]:
    """The repairs that take something away of what is in the way, and faults of such repairs.

    Those that were chosen are none of them.
    """
    offers: list[Offer] = []
    faults: list[Stumble] = []
    for repair in repairs.all() if blocked.now.blocked else ():
        if repair.code in blocked.program.options.repair or repair.of_notes:
            continue
        try:
            offers += _offered(repair, blocked)
        except Stumble as fault:
            faults.append(fault)
        except (SyntaxProblem, UnsoundResult, TooLarge):  # what can't be repaired stays refused
            continue
    return tuple(offers), faults


def _with_reasons(
    told: tuple[Finding, ...], offers: Iterable[Offer], program: Program
) -> tuple[Finding, ...]:
    """The findings; one that a repair might answer tells what is in the way of that."""
    offered = {offer.code for offer in offers}
    for repair in repairs.all() if told else ():
        if repair.in_the_way is not None and repair.code not in offered:
            told = tuple(_with_reason(each, repair, program) for each in told)
    return told


def _with_reason(finding: Finding, repair: Repair, program: Program) -> Finding:
    """Its advice behind the place that keeps a repair from being offered."""
    if finding.code not in repair.answers or repair.code not in finding.fix:
        return finding
    assert repair.in_the_way is not None
    try:
        node = next(iter(repair.in_the_way(program.facts)), None)
    except TooLarge:
        return finding
    if node is None or not hasattr(node, "lineno"):
        return finding
    around = program.facts.parent(node)
    told = ast.unparse(around if isinstance(around, ast.Attribute) else node).splitlines()[0]
    why = IN_THE_WAY.format(repair.code, told, program.place(node.lineno))
    return finding._replace(fix=f"{finding.fix}; {why}")


def _offered(repair: Repair, blocked: _Blocked) -> Iterator[Offer]:
    """The repair, if what it is to take away is no longer found behind it."""
    program = blocked.program
    for made in blocked.made([repair]):
        then = program.behind(made).look(program.options._replace(only_look=True))
        answers = _gone(blocked.now.blocked, then.blocked)
        if answers:
            rule, is_alone = repair.rule, not made.others
            offer = Offer(
                rule.code, rule.name, rule.summary, repair.is_automatic, made.after, answers
            )
            yield offer._replace(is_alone=is_alone)


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
    seen: Migration, taken: Sequence[Migration], now: Migration, offers: tuple[Offer, ...]
) -> Migration:
    """The last look as one at the text as it was; with all steps, if nothing blocks it."""
    line = LineMap(seen.before, now.before)
    blocked = tuple(map(line.of, now.blocked))
    moved = {id(old): new for old, new in zip(now.blocked, blocked)}
    offers = tuple(
        offer._replace(answers=tuple(moved[id(f)] for f in offer.answers)) for offer in offers
    )
    notes = tuple(line.of(f) for f in now.notes if f.code != HALF or f in seen.notes)
    return _with_steps(seen.before, taken, now)._replace(
        evidence=seen.evidence,
        others=() if blocked else tuple(_others(taken, now, line)),
        blocked=blocked,
        notes=notes,
        suppressed=tuple(s._replace(finding=line.of(s.finding)) for s in now.suppressed),
        repairs=offers,
    )


def _with_steps(before: str, taken: Sequence[Migration], now: Migration) -> Migration:
    """The last look at a file as one at its text as it was, with what repairs made of that."""
    line = LineMap(before, now.before)
    steps = tuple(step for made in taken for step in made.steps)
    then = [step._replace(places=line.places(step.places)) for step in now.steps]
    unmade = (
        [due._replace(places=line.places(due.places)) for due in now.changing_rules]
        if not then
        else []
    )
    if unmade:
        unmade = [*(Migration(before, "", steps=steps).changing_rules), *unmade]
    return now._replace(before=before, steps=(*steps, *then), unmade=tuple(unmade))


def _others(taken: Sequence[Migration], now: Migration, line: LineMap) -> Iterator[Other]:
    """What becomes of the other files, by repairs and by rules."""
    known: dict[str, list[Other]] = {}
    for other in (other for made in taken for other in made.others):
        known.setdefault(other.path, []).append(other)
    last = {other.path: other for other in now.others}
    for path in sorted({*known, *last}):
        made = known.get(path, [])
        latest = last.get(path)
        if latest is None:  # the rules leave it as the repairs made it
            left = Migration(made[-1].migration.after, now.pattern)
            latest = made[-1]._replace(migration=left.stamped if now.is_judged else left)
        before = (made[0] if made else latest).migration.before
        migration = _with_steps(before, [each.migration for each in made], latest.migration)
        at = made[0].line if made else line.line(latest.line)
        yield Other(path, at, bool(made) or latest.is_needed, migration)
