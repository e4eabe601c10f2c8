"""Edits that wrap an optimizer, shared by the rules that find one (D105, D301)."""

from __future__ import annotations

from ..syntax import LN
from ._arguments import argument
from ._expressions import replace_expression
from ._layout import DEFAULT_UNIT, unit
from ._statements import insert_after, insert_before

# Any number: the schedule takes its place in the next line but one.
PLACEHOLDER = "0.001"
WHY = "# a schedule of one's own can't be rebuilt from a config"


def rebind(call: LN, name: str, hvd: str, with_schedule: bool) -> None:
    """`name = hvd.DistributedOptimizer(name)` after the statement that makes the optimizer."""
    schedule = take_schedule(call) if with_schedule else None
    insert_after(call, wrapping(name, hvd, schedule))


def name_before(node: LN, name: str, hvd: str, with_schedule: bool = False) -> None:
    """Make and wrap the optimizer in statements before the one that uses it."""
    schedule = take_schedule(node) if with_schedule else None
    lines = f"{name} = {source(node)}\n" + wrapping(name, hvd, schedule)
    insert_before(node, lines)
    replace_expression(node, name)


def wrapping(name: str, hvd: str, schedule: str | None = None) -> str:
    """The statements that follow the creation."""
    lines = f"{name} = {hvd}.DistributedOptimizer({name})\n"
    if schedule is not None:
        lines += f"{name}.learning_rate = {schedule}  {WHY}\n"
    return lines


def take_schedule(call: LN) -> str:
    """Take the schedule out of the call that makes the optimizer."""
    rate = argument(call, "learning_rate", 0)
    schedule = source(rate)
    replace_expression(rate, PLACEHOLDER)
    return schedule


def source(node: LN) -> str:
    """The text of an expression, its further lines indented from the margin in the usual unit."""
    first, *rest = str(node)[len(node.prefix) :].splitlines()
    if not rest:
        return first
    margin = min(len(line) - len(line.lstrip()) for line in rest if line.strip())
    step = "" if rest[-1].lstrip()[:1] in ")]}" else DEFAULT_UNIT
    own = unit(node)
    return "\n".join([first, *(step + _in_usual_units(line[margin:], own) for line in rest)])


def _in_usual_units(line: str, own: str) -> str:
    """The line with each level of its indentation in the unit that inserted code is written in."""
    depth = 0
    while line.startswith(own, depth * len(own)):
        depth += 1
    return DEFAULT_UNIT * depth + line[depth * len(own) :]
