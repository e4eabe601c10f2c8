"""The code of a cell again, from what became of its lines in the module."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import NamedTuple

from .magics import CELL, HEAD, TIMED, Mask


class Lost(ValueError):
    """Why something of a cell can't be found again."""


class Restored(NamedTuple):
    """The code of a cell, and what has to stand in cells of its own around it."""

    before: str
    code: str
    after: str = ""


def restored(masks: Sequence[Mask], old: str, new: str) -> Restored:
    """What became of a cell, which was `old` in the module and is `new` there. Raises Lost."""
    for mask in masks:
        if new.count(mask.shown) != 1:
            raise Lost(f"`{mask.raw.splitlines()[0]}` would be lost")
    for mask in masks:
        if mask.kind == CELL:
            before, _, after = new.partition(mask.shown)
            return Restored(_bare(before), mask.raw, _bare(after))
    heads = [mask for mask in masks if mask.kind == HEAD]
    before = ""
    if heads:
        before, _, new = new.partition(heads[0].shown)
        new = heads[0].shown + new
        before = _bare(before)
    code = _in_line_ends(old, new) if not before else new.strip("\r\n")
    for mask in (mask for mask in masks if mask.kind == TIMED):
        code = _with_time(code, mask)  # while all of it is Python
    for mask in (mask for mask in masks if mask.kind != TIMED):
        code = code.replace(mask.shown, mask.raw)
    return Restored(before, code)


def _bare(text: str) -> str:
    return text.strip("\r\n")


def _in_line_ends(old: str, new: str) -> str:
    """The new lines between as many line ends as the cell had at its beginning and its end."""
    inner = old.strip("\r\n")
    if not inner:
        return new.strip("\r\n") + old if new.strip() else old
    at = old.index(inner)
    return old[:at] + new.strip("\r\n") + old[at + len(inner) :]


def _with_time(code: str, mask: Mask) -> str:
    """The code with its `%time` in front of the statement; further lines are continued."""
    last = code[: code.index(mask.shown)].count("\n") + 1
    plain = code.replace(mask.shown, "")
    try:
        nodes = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.stmt)]
    except SyntaxError as error:
        raise Lost(str(error)) from None
    first = max((node.lineno for node in nodes if node.end_lineno == last), default=0)
    if not first:
        raise Lost("`%time` would be lost")
    lines = plain.split("\n")
    start = lines[first - 1]
    indent = start[: len(start) - len(start.lstrip())]
    lines[first - 1] = f"{indent}{mask.raw}{start[len(indent) :]}"
    for at in range(first - 1, last - 1):
        lines[at] = lines[at] if lines[at].endswith("\\") else f"{lines[at]} \\"
    return "\n".join(lines)
