"""From the steps of many files to one change per rule, and which of them need which."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from ..files.source import Source

if TYPE_CHECKING:
    from distify.codemods.model import Suppressed, TakenOn

Texts = Sequence[tuple[str, str]]  # (code, text after it), in order


@dataclass(frozen=True)
class Rewritten:
    """A file of the repository with what every rule made of it."""

    path: str  # as git knows it
    source: Source
    steps: Texts
    left_out: tuple[str, ...] = ()  # rules that the result needs, with --unsound
    suppressed: tuple[Suppressed, ...] = ()  # findings that somebody took on them
    taken_on: tuple[TakenOn, ...] = ()  # what isn't proved of the result


@dataclass(frozen=True)
class Change:
    """What one rule does to all files: one commit.

    `places` are (path, line), lines as they are after this change (in a notebook, whose path ends
    with the cell then, of that); `needs` are the codes of
    earlier changes without which this one could not be; `left_out` are (path, code) of rules that
    the whole series lacks, so that its result is not right; `suppressed` are (path, finding) that
    somebody took on them, by lines of the text before the series; so are `taken_on`, of what the
    judge could not prove.
    """

    code: str
    files: Mapping[str, bytes]
    places: tuple[tuple[str, int], ...]
    needs: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...] = ()
    suppressed: tuple[tuple[str, Suppressed], ...] = ()
    taken_on: tuple[tuple[str, TakenOn], ...] = ()


@dataclass(frozen=True)
class Hunk:
    """Lines that one step took away and put in, as half-open ranges that count from 0."""

    old: tuple[int, int]
    new: tuple[int, int]


def order(code: str) -> tuple[bool, str]:
    """Repairs of violations come before the rewrites, which go by their codes."""
    return code.startswith("D"), code


def changes(files: Iterable[Rewritten], registered: Mapping[str, frozenset[str]]) -> list[Change]:
    """One change per rule, over all files; `registered` says which rules a rule needs."""
    files = list(files)
    codes = sorted({code for file in files for code, _ in file.steps}, key=order)
    needs = {code: _all_needed(code, registered) & set(codes) for code in codes}
    for file in files:
        for code, other in dependences(file):
            needs[code].add(other)
    left_out = tuple((file.path, code) for file in files for code in file.left_out)
    suppressed = tuple(each for file in files for each in _suppressions(file))
    taken_on = tuple(each for file in files for each in _taken_on(file))
    return [
        Change(
            code,
            {f.path: f.source.encode(dict(f.steps)[code]) for f in files if code in dict(f.steps)},
            tuple(place for file in files for place in _places(file, code)),
            tuple(sorted(needs[code] - {code}, key=order)),
            left_out,
            suppressed,
            taken_on,
        )
        for code in codes
    ]


def _all_needed(code: str, registered: Mapping[str, frozenset[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [code]
    while waiting:
        new = registered.get(waiting.pop(), frozenset()) - found
        found |= new
        waiting += new
    return found


def _places(file: Rewritten, code: str) -> Iterator[tuple[str, int]]:
    for step, before, after in _pairs(file):
        if step == code:
            for hunk in hunks(_lines(before), _lines(after)):
                yield _place(file, after, hunk.new[0] + 1)


def _place(file: Rewritten, text: str, line: int) -> tuple[str, int]:
    """The place as it is told: in a notebook the cell belongs to the name."""
    if file.source.cells is None:
        return file.path, line
    place = file.source.cells.place_in(text, line)
    return f"{file.path}:cell {place.cell}", place.line


def _taken_on(file: Rewritten) -> Iterator[tuple[str, TakenOn]]:
    for each in file.taken_on:
        path, line = _place(file, file.source.text, each.finding.line)
        yield path, each._replace(finding=each.finding._replace(line=line))


def _suppressions(file: Rewritten) -> Iterator[tuple[str, Suppressed]]:
    for each in file.suppressed:
        path, line = _place(file, file.source.text, each.finding.line)
        yield path, each._replace(finding=each.finding._replace(line=line))


def _pairs(file: Rewritten) -> Iterator[tuple[str, str, str]]:
    """Each step with the text before and after it."""
    before = file.source.text
    for code, text in file.steps:
        yield code, before, text
        before = text


def _lines(text: str) -> list[str]:
    """Lines as git has them: a line feed ends one, and nothing else does."""
    return text.split("\n")


def hunks(before: Sequence[str], after: Sequence[str]) -> list[Hunk]:
    """Where two texts differ, line by line; what they share at both ends is not compared."""
    head = 0
    while head < min(len(before), len(after)) and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < min(len(before), len(after)) - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    middle = before[head : len(before) - tail], after[head : len(after) - tail]
    found = SequenceMatcher(None, *middle, autojunk=False).get_opcodes()
    return [
        Hunk((i1 + head, i2 + head), (j1 + head, j2 + head))
        for tag, i1, i2, j1, j2 in found
        if tag != "equal"
    ]


def dependences(file: Rewritten) -> Iterator[tuple[str, str]]:
    """Pairs (rule, earlier rule): it touches lines of the other, or uses a name from it."""
    owners: list[set[str]] = [set() for _ in _lines(file.source.text)]
    given: dict[str, str] = {}
    for code, before, after in _pairs(file):
        touched, owners = _owners_of(hunks(_lines(before), _lines(after)), owners, code)
        old, new = _names(before), _names(after)
        used = {given[name] for name in new.used - old.used if name in given}
        yield from ((code, other) for other in sorted((touched | used) - {code}))
        given.update(dict.fromkeys(new.bound - old.bound, code))


def _owners_of(
    found: Iterable[Hunk], owners: list[set[str]], code: str
) -> tuple[set[str], list[set[str]]]:
    """Whose lines these hunks replace or adjoin, and who owns which line afterwards.

    Git can take a change back alone if a line stays between it and every later one. A deletion
    leaves no line of its own: the lines around it become its own, too.
    """
    touched: set[str] = set()
    after: list[set[str]] = []
    at = 0
    for hunk in found:
        start, end = hunk.old
        touched.update(*owners[max(start - 1, 0) : end + 1])
        after += [set(owner) for owner in owners[at:start]]
        after += [{code} for _ in range(*hunk.new)]
        at = end
        if hunk.new[0] == hunk.new[1]:
            for line in (*after[-1:], *owners[end : end + 1]):
                line.add(code)
    return touched, after + [set(owner) for owner in owners[at:]]


@dataclass(frozen=True)
class _Names:
    bound: frozenset[str]
    used: frozenset[str]


def _names(text: str) -> _Names:
    bound: set[str] = set()
    used: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else bound).add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            bound.add(node.name)
        elif isinstance(node, ast.alias):
            bound.add((node.asname or node.name).partition(".")[0])
    return _Names(frozenset(bound), frozenset(used))
