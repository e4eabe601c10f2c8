"""What becomes of one file for two programs: each changes what it runs, and both share the rest."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence

from ..library.horovod_names import OF_TENSORFLOW, OF_TF_KERAS
from ..model import Due, Migration, Step, SyntaxProblem
from ..program.records import NamedTuple
from ..syntax.source import parse_module

# What is called alike in each module of Horovod.
_COMMON = frozenset({"init", "rank", "size", "local_rank", "local_size", "broadcast"})
_MODULES = "|".join(map(re.escape, (OF_TENSORFLOW, OF_TF_KERAS)))
_IMPORT = re.compile(rf"^import ({_MODULES}) as (\w+)$", re.MULTILINE)

_START = re.compile(r"^\w+\.init\(\)$", re.MULTILINE)
_START_OF_PART = re.compile(r"^[ \t]+\w+\.init\(\)\n", re.MULTILINE)


class Hunk(NamedTuple):
    """Lines of a text, from `start` to before `stop`, that others take the place of."""

    start: int
    stop: int
    lines: tuple[str, ...]


def merged(first: Migration, second: Migration) -> Migration | None:
    """The changes of both; None where they meet."""
    if first.unmade or second.unmade:
        return first._replace(unmade=_due(first, second))
    steps: list[Step] = []
    for due in _due(first, second):
        text = _merged_text(first.before, _text(first, due.code), _text(second, due.code))
        if text is None:
            return None
        if text != (steps[-1].text if steps else first.before):
            steps.append(Step(due.code, text, due.places))
    return first._replace(steps=tuple(steps))


def _due(first: Migration, second: Migration) -> tuple[Due, ...]:
    places: dict[str, set[tuple[int, int]]] = {}
    for due in (*first.changing_rules, *second.changing_rules):
        places.setdefault(due.code, set()).update(due.places)
    return tuple(Due(code, tuple(sorted(places[code]))) for code in sorted(places))


def _text(migration: Migration, code: str) -> str:
    """The text after the rules up to this one."""
    texts = [step.text for step in migration.steps if step.code <= code]
    return texts[-1] if texts else migration.before


def _merged_text(base: str, first: str, second: str) -> str | None:
    """The text with the changes of both; None where they meet, or make no program."""
    first, second = _with_one_import(*_with_one_start(base, first, second))
    lines = base.splitlines(keepends=True)
    hunks = _together([*_hunks(lines, first), *_hunks(lines, second)])
    if hunks is None:
        return None
    text: list[str] = []
    end = 0
    for hunk in hunks:
        text += [*lines[end : hunk.start], *hunk.lines]
        end = hunk.stop
    found = "".join([*text, *lines[end:]])
    try:
        parse_module(found)
    except SyntaxProblem:
        return None
    return found


def _together(hunks: Sequence[Hunk]) -> list[Hunk] | None:
    """Those of two texts in order; of lines that go to one place, those that begin with the others.

    None where two meet.
    """
    found: list[Hunk] = []
    for hunk in sorted(hunks):
        last = found[-1] if found else Hunk(-1, -1, ())
        if last[:2] != hunk[:2]:
            found.append(hunk)
            if hunk.start < last.stop:
                return None
        elif _is_longer(hunk, last):
            found[-1] = hunk
        else:
            return None
    return found


def _is_longer(hunk: Hunk, other: Hunk) -> bool:
    is_inserted = hunk.start == hunk.stop
    return hunk == other or (is_inserted and hunk.lines[: len(other.lines)] == other.lines)


def _hunks(lines: Sequence[str], text: str) -> Iterator[Hunk]:
    other = text.splitlines(keepends=True)
    matcher = difflib.SequenceMatcher(None, lines, other, autojunk=False)
    for tag, start, stop, low, high in matcher.get_opcodes():
        if tag != "equal":
            yield Hunk(start, stop, tuple(other[low:high]))


def _with_one_start(base: str, first: str, second: str) -> tuple[str, str]:
    """Both texts; where one starts Horovod for the module, the other needs no start in a part."""
    if _START_OF_PART.search(base):
        return first, second
    if _START.search(first):
        return first, _START_OF_PART.sub("", second)
    return (_START_OF_PART.sub("", first) if _START.search(second) else first), second


def _with_one_import(first: str, second: str) -> tuple[str, str]:
    """Both texts with the module of Horovod that the one of them needs; the other needs less."""
    imports = [_IMPORT.findall(text) for text in (first, second)]
    if len(imports[0]) != 1 or len(imports[1]) != 1 or imports[0] == imports[1]:
        return first, second
    (module, name), (other, others_name) = imports[0][0], imports[1][0]
    if name != others_name:
        return first, second
    line, others_line = f"import {module} as {name}\n", f"import {other} as {name}\n"
    if _uses(second, name) <= _COMMON:
        return first, second.replace(others_line, line)
    if _uses(first, name) <= _COMMON:
        return first.replace(line, others_line), second
    if module == OF_TF_KERAS:
        return _with_two_imports(first, line, name, others_line), second
    return first, _with_two_imports(second, others_line, name, line)


def _with_two_imports(text: str, line: str, name: str, plain: str) -> str:
    """A text that takes of the module for Keras only what the other one lacks or has otherwise."""
    own = f"{name}_keras"
    if re.search(rf"\b{own}\b", text):
        return text
    renamed = re.sub(
        rf"\b{name}\.(\w+)", lambda m: m[0] if m[1] in _COMMON else f"{own}.{m[1]}", text
    )
    return renamed.replace(line, f"{plain}import {OF_TF_KERAS} as {own}\n")


def _uses(text: str, name: str) -> set[str]:
    """What a text uses of Horovod."""
    return set(re.findall(rf"\b{name}\.(\w+)", text))
