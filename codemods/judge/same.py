"""**same**: on one worker the result does what the original did.

The result is specialised to one worker (rank 0, size 1; guards open, wrappers and broadcasts are
identities) and compared with the original, up to a closed list of normal forms. What remains is a
violation.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from difflib import SequenceMatcher

from .case import Case, proved
from .normal_forms import names_of, normal
from .one_worker import Block, blocks, shape
from .proof import NOT_PROVED, Proof

HOW = "on one worker the result is the original, statement by statement"
OTHER = "on one worker this is not what the original does: `{}`"
MISSING = "on one worker the original also runs `{}` here"
LONGEST = 60


def prove(case: Case) -> Iterator[Proof]:
    """Compare each file that has changed with what it was."""
    found = [proof for path in case.changed for proof in _file(case, path)]
    yield from found or [proved("same", HOW)]


def _file(case: Case, path: str) -> Iterator[Proof]:
    was = (
        ast.parse(case.before[path].text.lstrip("\ufeff"))
        if path in case.before
        else ast.Module([], [])
    )
    now = ast.parse(case.after[path].text.lstrip("\ufeff"))
    known = names_of(was)
    for line, words in differences(normal(was).body, normal(now, known, case.options.passes).body):
        yield Proof("same", NOT_PROVED, words, path, line)


def differences(was: Block, now: Block) -> Iterator[tuple[int, str]]:
    """Where two blocks differ: lines of the second, with words."""
    old, new = ([shape(each) for each in block] for block in (was, now))
    if old == new:
        return
    line = _line(now[0] if now else None, 1)
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        inside = _inside(was[i1:i2], now[j1:j2])
        if inside is not None:
            yield from inside
            continue
        for statement in now[j1:j2]:
            yield _line(statement, line), OTHER.format(_short(statement))
        for statement in was[i1:i2] if j1 == j2 else ():
            yield _line(now[j1 - 1] if j1 else None, line), MISSING.format(_short(statement))


def _inside(was: Block, now: Block) -> list[tuple[int, str]] | None:
    """The differences in the blocks of compound statements with the same heads."""
    if len(was) != len(now) or not all(_head(a) == _head(b) for a, b in zip(was, now)):
        return None
    pairs = [pair for a, b in zip(was, now) for pair in zip(blocks(a), blocks(b))]
    return [each for a, b in pairs for each in differences(a, b)] if pairs else None


def _head(statement: ast.stmt) -> object:
    """A statement without what stands in its blocks."""
    inside = {id(block) for block in blocks(statement)}
    fields = [(name, getattr(statement, name, None)) for name in statement._fields]
    return (
        type(statement),
        *(
            None if id(value) in inside or name in ("handlers", "cases") else shape(value)
            for name, value in fields
        ),
    )


def _line(statement: ast.stmt | None, otherwise: int) -> int:
    return getattr(statement, "lineno", otherwise)


def _short(statement: ast.stmt) -> str:
    try:
        text = ast.unparse(ast.fix_missing_locations(statement)).split("\n")[0]
    except Exception:  # a form that no syntax spells
        text = type(statement).__name__
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
