"""Why a hunk is there, in one line: the same in a diff, on a page and in a pull request."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING

from ..files.outcome import Outcome
from .frame import split

if TYPE_CHECKING:
    from ..codemods import Rule

NOTHING: Mapping[str, Rule] = {}
AROUND = 3  # lines of what stays around a change, as diffs have them


def reason(outcome: Outcome, lines: Collection[int], rules: Mapping[str, Rule]) -> str:
    """The rules due in these lines of the old text: one with its sentence, several by name.

    Empty where none of these rules is, or where the file has other reasons (a repair's).
    """
    if outcome.migration is None:
        return ""
    due = [
        d.code for d in outcome.migration.changing_rules if any(at in lines for at, _ in d.places)
    ]
    found = [rules[code] for code in due if code in rules]
    if len(found) == 1:
        return f"{found[0].code}: {found[0].summary}"
    return ", ".join(f"{rule.code} {rule.name}" for rule in found)


def hunks(old: list[str], new: list[str]) -> list[list[tuple[str, int, int, int, int]]]:
    """What changes from one text to the other, in groups of what stands together."""
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return list(matcher.get_grouped_opcodes(AROUND))


def told(outcome: Outcome, rules: Mapping[str, Rule]) -> Iterator[tuple[int, str]]:
    """Each hunk of a changed file by the line where its change begins, with why it is there."""
    if outcome.migration is None:
        return
    old, new = lines(outcome.migration.before), lines(outcome.migration.after)
    for group in hunks(old, new):
        said = reason(outcome, covered(group), rules)
        if said:
            first = next(start for kind, start, *_ in group if kind != "equal")
            yield min(first + 1, len(old)), said


def covered(group: list[tuple[str, int, int, int, int]]) -> range:
    """The lines of the old text, from 1, that a hunk shows."""
    return range(group[0][1] + 1, group[-1][2] + 1)


def lines(text: str) -> list[str]:
    """The lines as an editor numbers them: nothing stands behind the last line end."""
    found = split(text)
    return found if found[-1] else found[:-1]
