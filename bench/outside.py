"""Compares two programs outside of the places that were rewritten, without asking how they were.

It shares no code with `codemods/comparison/`: both trees are flattened to the sequence of their
statements (of a compound one only its head). What the original says where no place is must be in
the result, in order, whatever block it stands in now; so must every line and comment, but for its
indentation.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
NAME = re.compile(r"\b(?:id|name|asname)=('\w+')")
# What distify binds, and may be there before.
OWN = re.compile(r"'(?:hvd|gpus?|(?:\w+_)?broadcast_done)_?\d*'")
SHARED = re.compile(r"\s*;\s*\\\\?$")
Position = tuple[int, int]  # line from 1, column from 0 in bytes of UTF-8


class Statement(NamedTuple):
    """What a statement says without its blocks, and where that stands (the end is exclusive)."""

    says: str
    first: Position
    end: Position
    condition: str = ""  # of an `if` without `else`
    body: tuple[Position, ...] = ()  # where the statements in it begin


class Program(NamedTuple):
    """A text as Python reads it."""

    lines: list[str]
    statements: list[Statement]
    functions: dict[str, set[str]]  # what the statements in each function or class say


def read(text: str) -> Program:
    """Raises SyntaxError."""
    text = re.sub("\r\n?", "\n", text.lstrip("\ufeff"))
    nodes = list(_in_order(ast.parse(text)))
    functions = {
        node.name: {_statement(inner).says for inner in _in_order(node)}
        for node in nodes
        if isinstance(node, (ast.FunctionDef, ast.ClassDef))
    }
    return Program(text.split("\n"), [_statement(node) for node in nodes], functions)


def differences(before: str, after: str, places: Iterable[Position]) -> list[str]:
    """What is wrong, in words; places are (line, column in characters) of the original."""
    old, new = read(before), read(after)
    ends = [_in_bytes(old.lines, place) for place in places]
    touched = [s for s in old.statements if any(s.first <= place < s.end for place in ends)]
    touched += _narrowed(old, new, {statement.first for statement in touched})
    kept = [statement for statement in old.statements if statement not in touched]
    rewritten = {n for s in touched for n in range(s.first[0], s.end[0] + 1)}
    rewritten |= set(_commented(old, new, touched))
    lines = [_own(line) for n, line in enumerate(old.lines, 1) if n not in rewritten]
    stripped = [_own(line) for line in new.lines]
    return [
        *_first_gone("statement", [s.says for s in kept], [s.says for s in new.statements]),
        *_first_gone("line", [line for line in lines if line], stripped),
        *_strangers(old, new, touched),
    ]


def _own(line: str) -> str:
    """A line without its indentation, and without what joins the next statement to its own."""
    return SHARED.sub("", line.strip()).strip()


def _commented(old: Program, new: Program, touched: list[Statement]) -> Iterator[int]:
    """The lines of the comments right above statements that are gone."""
    there = {_whole(new, statement) for statement in new.statements}
    for statement in touched:
        above = statement.first[0] - 1
        is_gone = _whole(old, statement) not in there
        while is_gone and old.lines[above - 1].lstrip().startswith("#"):
            yield above
            above -= 1


def _whole(program: Program, statement: Statement) -> tuple[str, ...]:
    """What a statement says, with what stands in it: distify writes an `if gpus:`, too."""
    inner = (each.says for each in program.statements if each.first in statement.body)
    return (statement.says, *inner)


def _narrowed(old: Program, new: Program, touched: set[Position]) -> Iterator[Statement]:
    """Conditions in which everything was rewritten and that ask one more thing now, at the end."""
    for statement in old.statements:
        if statement.body and touched.issuperset(statement.body):
            asked = f"If(test=BoolOp(op=And(), values=[{statement.condition}, "
            if any(each.says.startswith(asked) for each in new.statements):
                yield statement


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    for field in BLOCKS:
        block = getattr(node, field, None)
        for inner in block if isinstance(block, list) else ():
            yield inner
            yield from _in_order(inner)


def _statement(node: ast.AST) -> Statement:
    fields = [(f, v) for f, v in ast.iter_fields(node) if f not in BLOCKS or isinstance(v, ast.AST)]
    says = ", ".join(f"{field}={_dump(value)}" for field, value in fields)
    head = [n for _, v in fields for n in (v if isinstance(v, list) else [v])]
    starts = [_start(n) for n in [node, *head] if hasattr(n, "lineno")]
    inner = [_start(child) for child in _in_order(node) if hasattr(child, "lineno")]
    end = min(inner, default=(getattr(node, "end_lineno", 0), getattr(node, "end_col_offset", 0)))
    first, says = min(starts, default=end), f"{type(node).__name__}({says})"
    if isinstance(node, ast.If) and not node.orelse:
        test = node.test
        is_and = isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And)
        asked = test.values if isinstance(test, ast.BoolOp) and is_and else [test]
        bodies = tuple(map(_start, node.body))
        return Statement(says, first, end, ", ".join(map(ast.dump, asked)), bodies)
    return Statement(says, first, end)


def _start(node: ast.AST) -> Position:
    starts = [(n.lineno, n.col_offset) for n in [node, *getattr(node, "decorator_list", [])]]
    return min(starts)


def _dump(value: object) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_dump, value)) + "]"
    return ast.dump(value) if isinstance(value, ast.AST) else repr(value)


def _in_bytes(lines: list[str], place: Position) -> Position:
    line, column = place
    return line, len(lines[line - 1][:column].encode())


def _first_gone(kind: str, wanted: Iterable[str], there: Iterable[str]) -> list[str]:
    """The first of `wanted` that does not occur, in order."""
    rest = iter(there)
    return [f"a {kind} is gone: {text}" for text in wanted if text not in rest][:1]  # `in` reads on


def _strangers(old: Program, new: Program, touched: list[Statement]) -> Iterator[str]:
    """What was added and neither stands for a rewritten statement nor names anything new."""
    added = Counter(s.says for s in new.statements) - Counter(s.says for s in old.statements)
    known = set(NAME.findall(" ".join(s.says for s in old.statements)))
    replaced = {_kind(statement.says) for statement in touched}
    helpers = (inside for name, inside in new.functions.items() if f"'{name}'" not in known)
    added -= Counter({says: added[says] for says in set().union(*helpers)})
    if touched:  # what is taken out of a block alone leaves `pass` there
        added.pop("Pass()", None)
    for says in added:
        is_own = set(NAME.findall(says)) - known or OWN.search(says)
        if _kind(says) not in replaced and not is_own:
            yield f"a statement was added: {says}"


def _kind(says: str) -> str:
    return says.partition("(")[0]
