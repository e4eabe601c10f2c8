"""Rules that were not chosen though the result of this file is wrong without them (P01)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..facts import Facts
from ..model import BLOCKED, NOTE, Finding, Migration
from ..program.records import NamedTuple
from ..rewrites import Rewrite
from .needs import first_place, need_of
from .places_to_edit import find

CODE = "P01"
FIX = "choose {code}, too; --unsound does without it, and every report and commit says so"
WHOLE = f'{FIX}; shard = "none" under [tool.distify] if the program shares its data out itself'


class LeftOut(NamedTuple):
    """A rule that the result needs, and the finding that says so at the first place for it."""

    code: str
    finding: Finding


def left_out(
    facts: Facts, known: Iterable[Rewrite], chosen: Iterable[Rewrite]
) -> tuple[LeftOut, ...]:
    """What the chosen rules leave wrong in this file that the others would put right."""
    others = [rule for rule in known if rule not in chosen]
    if not others:
        return ()
    # Whether data is shared out decides what other rules find: ask as if all had been chosen.
    whole = facts.options._replace(select=frozenset(), ignore=frozenset())
    return tuple(_missing(facts.chosen_otherwise(whole), others))


def _missing(facts: Facts, rules: Iterable[Rewrite]) -> Iterator[LeftOut]:
    for rule, places in find(facts, rules):
        place = first_place(facts, rule.code, places.edits)
        if place is not None:
            line, column = facts.source.span(place)[:2] if hasattr(place, "lineno") else (1, 0)
            message = f"{rule.code} {rule.name} is left out: {need_of(rule.code).without}"
            fix = (WHOLE if rule.code == "D107" else FIX).format(code=rule.code)
            yield LeftOut(rule.code, Finding(line, column, CODE, message, fix, BLOCKED))


def judged(seen: Migration, missing: tuple[LeftOut, ...], unsound: bool) -> Migration:
    """The migration refused for what is left out, or, as was asked for, with notes about it."""
    findings = tuple(each.finding for each in missing)
    if not unsound:
        return seen._replace(blocked=findings)
    notes = sorted([*seen.notes, *(each._replace(severity=NOTE) for each in findings)])
    return seen._replace(notes=tuple(notes), left_out=tuple(each.code for each in missing))
