"""What a result has left as it was: most of it, which need not be compared in a normal form.

A statement that stands in both texts, letter for letter, in the same block between the same others,
is the same on any number of workers. It is replaced by a mark that still says which names it reads.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from copy import copy, deepcopy
from difflib import SequenceMatcher

from ..program.node_fields import within
from ..syntax.source import Source
from .one_worker import Block

SAME = "<same>"  # the name that a mark calls
# What the form of other statements hangs on, wherever it stands.
_SEEN = (".gradient(", ".jacobian(", ".run(", ".eval(")
_FIELDS = ("body", "orelse", "finalbody")


def marked(was: Source, now: Source) -> tuple[ast.Module, ast.Module]:
    """Copies of both trees, with the same mark for each statement that is the same in both."""
    marks = _Marks(was, now)
    old, new = marks.blocks(was.module.body, now.module.body)
    return ast.Module(old, []), ast.Module(new, [])


class _Marks:
    """Puts marks into pairs of blocks."""

    def __init__(self, was: Source, now: Source) -> None:
        self._was, self._now, self._number = was, now, 0

    def blocks(self, was: Sequence[ast.stmt], now: Sequence[ast.stmt]) -> tuple[Block, Block]:
        """The two blocks with marks, in copies of what differs."""
        texts = [_text(self._was, s) for s in was], [_text(self._now, s) for s in now]
        old: Block = []
        new: Block = []
        matcher = SequenceMatcher(None, *texts, autojunk=False)
        for tag, i1, i2, j1, j2 in matcher.get_opcodes():
            if tag == "equal":
                for statement, text in zip(was[i1:i2], texts[0][i1:i2]):
                    pair = self._same(statement, text)
                    old.append(pair)
                    new.append(deepcopy(pair))
            else:
                self._other(was[i1:i2], now[j1:j2], old, new)
        return old, new

    def _same(self, statement: ast.stmt, text: str) -> ast.stmt:
        if any(word in text for word in _SEEN) or isinstance(
            statement, (ast.Import, ast.ImportFrom)
        ):
            return deepcopy(statement)
        self._number += 1
        loads = (n for n in within(statement) if isinstance(n, ast.Name))
        names = sorted({n.id for n in loads if isinstance(n.ctx, ast.Load)})
        read: list[ast.expr] = [ast.Name(name, ast.Load()) for name in names]
        mark = ast.Call(ast.Name(SAME, ast.Load()), [ast.Constant(self._number), *read], [])
        return ast.copy_location(ast.Expr(mark), statement)

    def _other(
        self, was: Sequence[ast.stmt], now: Sequence[ast.stmt], old: Block, new: Block
    ) -> None:
        """Statements of both texts that differ; blocks inside of a pair may have equal ones."""
        pairs = dict(_pairs(was, now))
        halves: dict[ast.stmt, ast.stmt] = {}
        for first, second in pairs.items():
            halves[first], halves[second] = self._compound(first, second)
        old += (halves.get(each) or deepcopy(each) for each in was)
        new += (halves.get(each) or deepcopy(each) for each in now)

    def _compound(self, was: ast.stmt, now: ast.stmt) -> tuple[ast.stmt, ast.stmt]:
        """Copies of two statements of one kind, with marks in the blocks that both have."""
        first, second = copy(was), copy(now)
        for field in was._fields:
            one, other = getattr(was, field, None), getattr(now, field, None)
            if field in _FIELDS and isinstance(one, list) and isinstance(other, list):
                one, other = self.blocks(one, other)
            else:
                one, other = deepcopy(one), deepcopy(other)
            setattr(first, field, one)
            setattr(second, field, other)
        return first, second


def _text(source: Source, statement: ast.stmt) -> str:
    """The lines of a statement, with its decorators."""
    decorators = getattr(statement, "decorator_list", None) or [statement]
    first = min(statement.lineno, decorators[0].lineno)
    end = statement.end_lineno or statement.lineno
    text = "".join(source.lines[first - 1 : end])
    # Of several statements on a line each is its own.
    is_alone = text.strip() and source.lines[first - 1][: statement.col_offset].strip() in ("", "@")
    return text if is_alone and ";" not in text else f"{ast.dump(statement)}"


def _pairs(was: Sequence[ast.stmt], now: Sequence[ast.stmt]) -> Iterator[tuple[ast.stmt, ast.stmt]]:
    """Compound statements of one kind, in the order of both."""
    start = 0
    for statement in was:
        if not isinstance(getattr(statement, "body", None), list):
            continue
        for number in range(start, len(now)):
            other = now[number]
            if type(other) is type(statement) and _name(other) == _name(statement):
                yield statement, other
                start = number + 1
                break


def _name(statement: ast.stmt) -> str:
    return str(getattr(statement, "name", ""))
