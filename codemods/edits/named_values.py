"""The text of expressions that get a statement of their own."""

from __future__ import annotations

import ast

from ..syntax import LN
from .argument_edits import required
from .expression_edits import fill, replace_expression
from .kinds import TakeOut
from .layout import DEFAULT_UNIT, unit


def take_out(call: LN, edit: TakeOut) -> str:
    """Take an argument out of a call; the lines that hold it then."""
    value = required(call, edit.argument, edit.position)
    text = source(value)
    replace_expression(value, edit.instead)
    return fill(edit.lines, text)


def source(node: LN) -> str:
    """The text of an expression, its further lines indented from the margin in the usual unit."""
    first, *rest = str(node)[len(node.prefix) :].splitlines()
    if not rest:
        return first
    margin = min(len(line) - len(line.lstrip()) for line in rest if line.strip())
    step = "" if rest[-1].lstrip()[:1] in ")]}" else DEFAULT_UNIT
    own = unit(node)
    text = "\n".join([first, *(step + _in_usual_units(line[margin:], own) for line in rest)])
    return _standing_alone(text)


def _standing_alone(text: str) -> str:
    """The text of an expression in parentheses where only brackets around it joined its lines."""
    for each in (text, f"({text})", f"({text}\n)"):
        try:
            ast.parse(f"_ = {each}")
        except SyntaxError:
            continue
        return each
    return text  # an argument such as `*names`


def _in_usual_units(line: str, own: str) -> str:
    """The line with each level of its indentation in the unit that inserted code is written in."""
    depth = 0
    while line.startswith(own, depth * len(own)):
        depth += 1
    return DEFAULT_UNIT * depth + line[depth * len(own) :]
